//! Tests of the analysis of a match from a file on the stage.

use learnery_backgammon_play::analysis::{Judged, MatchAnalysis};

use super::invited_player::tests::{checkpoint, encode};
use super::tests::{untrained, with_version};
use super::*;
use crate::about::ABOUT;
use crate::match_view::CubeReview;
use crate::opened_match::{AnalysedMatch, OpenedMatch};

/// A double that is passed, a roll that is not played, and a dance on the bar.
const MATCH: &str = "\
 5 point match

 Game 1
 Ada : 0                        Ben : 0
  1)                             61: 13/7 8/7
  2) 43: 24/20 13/10             31: 8/5* 6/5
  3) 66:                         42: 8/4 6/4
  4) 52: 25/23 13/8              64: 24/14
  5)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ada : 1                        Ben : 0
  1) 31: 8/5 6/5                 65: 24/13
  2) 62: 24/18 13/11             52: ????
      Wins 1 point
";

/// A stage with an invited player, who judges.
fn stage_with_judge(learner: StageNetwork) -> Stage {
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let invite = BackgammonCommand::Invite { checkpoint: encode(&checkpoint(ABOUT.id)) };
    stage.apply(learner, invite).expect("a player");
    stage
}

fn open(file: &[u8]) -> BackgammonCommand {
    BackgammonCommand::OpenMatch { file: encode(file) }
}

fn opened_match_of(stage: &Stage) -> OpenedMatch {
    stage.view().opened_match.expect("an opened match")
}

fn analysed(stage: &mut Stage, learner: StageNetwork) -> AnalysedMatch {
    let mut judged = 0;
    loop {
        stage.animate(learner, 0.02);
        let view = opened_match_of(stage);
        assert!(view.judged >= judged && view.judged - judged <= 2, "no frame takes long");
        judged = view.judged;
        if let Some(analysed) = view.analysed {
            assert_eq!(judged, view.decisions);
            return analysed;
        }
    }
}

#[test]
fn match_is_analysed_a_little_in_each_frame() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = stage_with_judge(learner);
    stage.apply(learner, open(MATCH.as_bytes())).expect("a match");
    let shown = analysed(&mut stage, learner);

    // The same file judged at once by the same network.
    let judge = invited_player::read(&encode(&checkpoint(ABOUT.id))).expect("a player");
    let mut at_once = MatchAnalysis::read(MATCH.as_bytes(), 0).expect("a match");
    at_once.run(&judge, usize::MAX, &|| false);
    assert_eq!(shown.file, at_once.mat());
    let reports = at_once.statistics().players.map(|player| player.report());
    assert_eq!(shown.reports, reports);
    for (name, report) in shown.players.iter().zip(&shown.reports) {
        let rate = report.error_rate.expect("decisions");
        assert!(shown.file.contains(&format!("; {name}: error rate {rate:.1} (")), "{}", shown.file);
        let exact = 1000.0 * f64::from(report.cost) / f64::from(report.decisions);
        assert!((rate - exact).abs() < 0.051, "{rate}, {exact}");
    }
    assert_eq!((shown.players, shown.length), (["Ada".to_owned(), "Ben".to_owned()], 5));
    let counted =
        |judged: &Judged| !matches!(judged, Judged::Cube(cube) if !cube.counts && cube.mistake.is_none());
    let all = at_once.judgements().iter().filter(|judgement| counted(&judgement.judged));
    assert_eq!(shown.decisions.len(), all.count());
    for decision in &shown.decisions {
        let [played, best] = decision.equities;
        let cost = decision.decision.cost;
        assert!(cost >= 0.0 && (decision.plays == 0 || (best - played - cost).abs() < 1e-5), "{decision:?}");
        assert_eq!(decision.luck.is_none(), decision.decision.cube_review.is_some());
    }
    let games = shown.games.iter().map(|game| (game.score, game.winner, game.points));
    assert_eq!(games.collect::<Vec<_>>(), [([0, 0], Some(0), 1), ([1, 0], Some(0), 1)]);
}

#[test]
fn decisions_are_seen_from_the_first_player() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = stage_with_judge(learner);
    stage.apply(learner, open(MATCH.as_bytes())).expect("a match");
    let shown = analysed(&mut stage, learner).decisions;
    let plays: Vec<_> = shown.iter().filter(|decision| decision.decision.dice[0] > 0).collect();
    let first = &plays[0].decision;
    assert_eq!((first.player, first.turn, first.dice, &*first.notations[0]), (1, 0, [6, 1], "13/7 8/7"));
    assert_eq!((first.board[24], first.board[1]), (2, -2));
    // Ada's checker on the bar, and no play.
    let dance = plays[3];
    assert_eq!((dance.decision.player, dance.decision.board[25], dance.plays), (0, 1, 1));
    let last = plays[plays.len() - 1];
    assert!(last.unplayed && last.decision.game == 1 && last.decision.turn == 3, "{last:?}");
    let is_pass = |review: &CubeReview| review.chosen == CubeChoice::Pass;
    let answer = shown.iter().find(|decision| decision.decision.cube_review.as_ref().is_some_and(is_pass));
    let answer = answer.expect("an answer");
    assert_eq!((answer.decision.player, answer.decision.turn, answer.decision.cube), (1, 7, 1));
    assert_eq!(answer.cube_equities.map(|equities| equities.double_pass), Some(1.0));
}

#[test]
fn money_sessions_with_a_beaver_and_crawford_games_are_shown() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = stage_with_judge(learner);
    let session = "\
unlimited game

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Beavers => 4
  3) 31: 8/5 6/5                 62: 13/7 13/11
";
    stage.apply(learner, open(session.as_bytes())).expect("a session");
    let shown = analysed(&mut stage, learner);
    assert_eq!((shown.length, shown.games[0].winner), (0, None));
    let chosen: Vec<_> = shown.decisions.iter().filter_map(|d| d.decision.cube_review.as_ref()).collect();
    assert_eq!((chosen[0].chosen, chosen[1].chosen), (CubeChoice::Double, CubeChoice::Beaver));
    let last = shown.decisions.last().expect("a play");
    assert_eq!((last.decision.cube, last.decision.owner), (4, Some(1)), "Ben keeps the cube");

    let crawford = "\
 2 point match

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ada : 1                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
";
    stage.apply(learner, open(crawford.as_bytes())).expect("a match");
    let shown = analysed(&mut stage, learner);
    assert_eq!(shown.games.iter().map(|game| game.crawford).collect::<Vec<_>>(), [false, true]);
    let in_second = |d: &&crate::AnalysedDecision| d.decision.game == 1 && d.cube_equities.is_some();
    assert_eq!(shown.decisions.iter().filter(in_second).count(), 0, "nobody may double in it");
}

#[test]
fn bad_files_are_refused_in_a_sentence() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut without_judge = Stage::new(learner, Stream::new(1, 0));
    let refused = without_judge.apply(learner, open(MATCH.as_bytes())).map_err(|e| e.to_string());
    assert!(refused.is_err_and(|e| e.contains("no trained player")));
    let mut stage = stage_with_judge(learner);
    let mut refuse = |file: &[u8], words: &str| {
        let refused = stage.apply(learner, open(file)).map_err(|e| e.to_string());
        assert!(refused.as_ref().is_err_and(|e| e.contains(words)), "{refused:?}");
    };
    refuse(b"", "the match: line 1");
    refuse(&[0xff, 0xfe, 0x00], "the match: line 1");
    refuse(MATCH.replace("8/5* 6/5", "8/4* 6/5").as_bytes(), "the match: line 6");
    refuse(&MATCH.as_bytes()[..40], "the match: line");
    refuse(&vec![b' '; (4 << 20) + 1], "4 MB");
    refuse(b" 5 point match\n\n Game 1\n Ada : 0      Ben : 0\n", "no decision to judge");
    let no_base64 = BackgammonCommand::OpenMatch { file: "!".into() };
    assert!(stage.apply(learner, no_base64).is_err_and(|e| e.to_string().contains("base 64")));
    assert!(stage.view().opened_match.is_none());
}

#[test]
fn match_is_closed_on_command_and_with_another_judge() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = stage_with_judge(learner);
    let invite = BackgammonCommand::Invite { checkpoint: encode(&checkpoint(ABOUT.id)) };
    for close in [BackgammonCommand::CloseMatch, invite] {
        stage.apply(learner, open(MATCH.as_bytes())).expect("a match");
        stage.animate(learner, 0.02);
        assert_eq!(opened_match_of(&stage).judged, 2);
        stage.apply(learner, close).expect("it is closed");
        assert!(stage.view().opened_match.is_none());
    }
}
