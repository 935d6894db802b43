//! Tests of the tool `analyse` and of what the page draws of its answer.

use learnery_backgammon_play::analysis::{Judged, play_text};
use learnery_lab::{Budget, Checkpoint, Job, LabError, NamedText, ToolStatus};
use learnery_worlds::backgammon::MatchId;

use super::*;
use crate::about::ABOUT;
use crate::networks::TrainedNetwork;
use crate::stage::player_checkpoint;
use crate::tools::{Analyse, AnalyseInput, AnalyseOutput, PlaysInput, RankPlays};

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

fn judge() -> Checkpoint {
    Checkpoint::from_bytes(&player_checkpoint(ABOUT.id)).expect("a checkpoint")
}

/// The tool with a file, at `plies`.
fn ask(file: &[u8], plies: u8) -> Result<Job<Analyse>, LabError> {
    let input = AnalyseInput { file: "match.mat".into(), plies };
    Job::begin(&judge(), input, Some(NamedText { name: "match.mat".into(), bytes: file.into() }))
}

fn analysed(file: &str) -> AnalysedMatch {
    ask(file.as_bytes(), 0).and_then(|mut job| job.answer()).expect("an analysis").shown
}

#[test]
fn analysis_in_steps_is_that_of_all_decisions_at_once() {
    let network = TrainedNetwork::from_checkpoint(&judge()).expect("a network");
    for plies in [0, 1] {
        let mut judged = 0;
        let mut job = ask(MATCH.as_bytes(), plies).expect("a match");
        let output: AnalyseOutput = loop {
            let status = job.advance(&mut Budget::steps(1), &mut |_| judged += 1).expect("an analysis");
            if let ToolStatus::Done(output) = status {
                break output;
            }
            let partial = job.partial().expect("what is judged");
            assert_eq!(partial.judged, judged, "one event for each decision");
        };
        // The same file judged at once by the same network.
        let mut at_once = MatchAnalysis::read(MATCH.as_bytes(), plies).expect("a match");
        at_once.run(&network, usize::MAX, &|| false);
        assert_eq!((output.judged, output.decisions), (judged, judged));
        assert_eq!((&output.mat, &output.analysis), (&at_once.mat(), &at_once.json()));
        let shown = output.shown;
        let reports = at_once.statistics().players.map(|player| player.report());
        assert_eq!(shown.reports, reports);
        for (name, report) in shown.players.iter().zip(&shown.reports) {
            let rate = report.error_rate.expect("decisions");
            assert!(output.mat.contains(&format!("; {name}: error rate {rate:.1} (")), "{}", output.mat);
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
            let cost = decision.cost;
            assert!(
                cost >= 0.0 && (decision.plays == 0 || (best - played - cost).abs() < 1e-5),
                "{decision:?}"
            );
            assert_eq!(decision.luck.is_none(), decision.cube_review.is_some());
        }
        let games = shown.games.iter().map(|game| (game.score, game.winner, game.points));
        assert_eq!(games.collect::<Vec<_>>(), [([0, 0], Some(0), 1), ([1, 0], Some(0), 1)]);
    }
}

#[test]
fn decisions_are_seen_from_the_first_player() {
    let shown = analysed(MATCH).decisions;
    let plays: Vec<_> = shown.iter().filter(|decision| decision.dice[0] > 0).collect();
    let first = &plays[0];
    assert_eq!((first.player, first.turn, first.dice, &*first.notations[0]), (1, 0, [6, 1], "13/7 8/7"));
    assert_eq!((first.board[24], first.board[1]), (2, -2));
    // Ada's checker on the bar, and no play.
    let dance = plays[3];
    assert_eq!((dance.player, dance.board[25], dance.plays), (0, 1, 1));
    let last = plays[plays.len() - 1];
    assert!(last.unplayed && last.game == 1 && last.turn == 3, "{last:?}");
    let is_pass = |review: &CubeReview| review.chosen == CubeChoice::Pass;
    let answer = shown.iter().find(|decision| decision.cube_review.as_ref().is_some_and(is_pass));
    let answer = answer.expect("an answer");
    assert_eq!((answer.player, answer.turn, answer.cube), (1, 7, 1));
    assert_eq!(answer.cube_equities.map(|equities| equities.double_pass), Some(1.0));
}

#[test]
fn money_sessions_with_a_beaver_and_crawford_games_are_shown() {
    let session = "\
unlimited game

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Beavers => 4
  3) 31: 8/5 6/5                 62: 13/7 13/11
";
    let shown = analysed(session);
    assert_eq!((shown.length, shown.games[0].winner), (0, None));
    let chosen: Vec<_> = shown.decisions.iter().filter_map(|d| d.cube_review.as_ref()).collect();
    assert_eq!((chosen[0].chosen, chosen[1].chosen), (CubeChoice::Double, CubeChoice::Beaver));
    let last = shown.decisions.last().expect("a play");
    assert_eq!((last.cube, last.owner), (4, Some(1)), "Ben keeps the cube");

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
    let shown = analysed(crawford);
    assert_eq!(shown.games.iter().map(|game| game.crawford).collect::<Vec<_>>(), [false, true]);
    let in_second = |d: &&AnalysedDecision| d.game == 1 && d.cube_equities.is_some();
    assert_eq!(shown.decisions.iter().filter(in_second).count(), 0, "nobody may double in it");
}

/// A session without the Jacoby rule, in which the cube is turned and one play is far from the best.
const SESSION: &str = "\
; [Jacoby \"Off\"]

unlimited game

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2) 31: 7/4 7/6                 62: 24/18 13/11
  3)  Doubles => 2                Takes
  4) 43: 13/9 13/10              52: 13/8 13/11
";

#[test]
fn rules_of_a_money_session_are_told() {
    assert_eq!(analysed(SESSION).money_rules, Some(MoneyRules { jacoby: false, beavers: false }));
    let with_jacoby = analysed(&SESSION.replace("Off", "On"));
    assert_eq!(with_jacoby.money_rules.map(|rules| rules.jacoby), Some(true));
    assert_eq!(analysed(MATCH).money_rules, None);
    // An answer about a match is as it was before there was this field.
    let json = serde_json::to_value(analysed(MATCH)).expect("an answer");
    assert!(json["reports"].is_array() && json.get("moneyRules").is_none());
}

/// What the page asks about a card: `plays` at the stakes of a decision, with the play that was made.
#[test]
fn plays_with_the_cube_have_the_values_of_the_analysis() {
    let network = TrainedNetwork::from_checkpoint(&judge()).expect("a network");
    let none = MatchId::parse("cAkAAAAAAAAA").expect("a match ID");
    let (mut cubeless_differ, mut beyond_best) = (0, 0);
    for (file, length, plies) in [(SESSION, 0, 0), (SESSION, 0, 1), (MATCH, 5, 1)] {
        let mut analysis = MatchAnalysis::read(file.as_bytes(), plies).expect("a match");
        analysis.run(&network, usize::MAX, &|| false);
        let mut job: Option<Job<RankPlays>> = None;
        for judgement in analysis.judgements() {
            let Judgement { board, stakes, player, game, judged: Judged::Play(play), .. } = judgement else {
                continue;
            };
            let on_roll = *player as u8;
            let id = MatchId {
                cube_log: stakes.cube().trailing_zeros() as u8,
                cube_owner: cube_owner(stakes, on_roll),
                on_roll,
                turn: on_roll,
                dice: None,
                length,
                score: analysis.record().games()[*game].start().score().map(|points| points as u16),
                jacoby: false,
                ..none
            };
            let (high, low) = (play.dice.high(), play.dice.low());
            let position = format!("{}:{} {high} {low}", board.position_id(), id.id());
            let mut ask = |cube: bool, also: String| {
                let input = PlaysInput { position: position.clone(), plies, cube, also };
                let asked = match &mut job {
                    Some(job) => job.ask_again(input, None),
                    None => Job::begin(&judge(), input, None).map(|begun| job = Some(begun)),
                };
                asked.and_then(|()| job.as_mut().expect("begun").answer()).expect("plays").plays
            };
            let [played, best] = [&play.played, &play.best];
            let plays = ask(true, play_text(board, play.dice, &played.after));
            for value in [played, best] {
                let listed = plays.iter().find(|listed| listed.position == value.after.position_id());
                let listed = listed.expect("a legal play");
                assert_eq!((listed.equity, listed.plies), (value.value.equity, plies), "{position}");
                assert_eq!(listed.outcomes, value.outcomes.0, "{position}");
            }
            assert!((plays[0].equity - best.value.equity).abs() < 1e-9, "{position}");
            // Neither is so without the new inputs.
            let cubeless = ask(false, String::new());
            cubeless_differ += usize::from((cubeless[0].equity - plays[0].equity).abs() > 0.02);
            let alone = ask(true, String::new());
            let id_played = played.after.position_id();
            beyond_best +=
                usize::from(alone.iter().any(|listed| listed.position == id_played && listed.plies != plies));
        }
    }
    assert!(cubeless_differ > 2 && beyond_best > 2, "{cubeless_differ} {beyond_best}");
}

#[test]
fn bad_files_are_refused_in_a_sentence() {
    let refuse = |file: &[u8], words: &str| {
        let refused = ask(file, 0).map(|_| ()).map_err(|e| e.to_string());
        assert!(refused.as_ref().is_err_and(|e| e.contains(words)), "{refused:?}");
    };
    refuse(b"", "match.mat, line 1");
    refuse(&[0xff, 0xfe, 0x00], "match.mat, line 1");
    refuse(MATCH.replace("8/5* 6/5", "8/4* 6/5").as_bytes(), "match.mat, line 6");
    refuse(&MATCH.as_bytes()[..40], "match.mat, line");
    refuse(&vec![b' '; (64 << 20) + 1], "is larger than");
}
