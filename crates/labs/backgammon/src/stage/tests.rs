//! Tests of the stage (the board on the page, apart from training): games that play themselves, a user's
//! turns, reviews, undo, and the background search.

use learnery_nn::Weights;

use super::*;
use crate::afterstates::{Network, NetworkShape};
use crate::view::StageView;

pub(super) fn untrained() -> (Network, Weights) {
    let (network, layout) = Network::new(NetworkShape::raw([8, 4], [8, 4]));
    let mut weights = Weights::new(layout);
    weights.update(|params| network.init(params, Stream::new(1, 0)));
    (network, weights)
}

/// The network as the stage gets it. A new version means that the weights have changed.
pub(super) fn with_version<'a>(network: &'a Network, weights: &'a Weights, version: u64) -> StageNetwork<'a> {
    StageNetwork { network: NetworkRef::Afterstates(network, weights), version }
}

#[test]
fn stage_plays_game_after_game_by_itself() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    let mut ended = 0;
    for _ in 0..2000 {
        let before = stage.view();
        // The time of one turn.
        stage.animate(learner, DEFAULT_TEMPO_SECONDS);
        let view = stage.view();
        let turns = view.turn as usize;
        assert_eq!((view.equities.0.len(), view.costs.0.len()), (turns + 1, turns));
        assert_eq!(view.record.lines().count(), turns);
        assert!(!view.awaits && view.steps.0.is_empty());
        if view.result != 0 && before.result == 0 {
            assert!((1..=3).contains(&view.result.abs()), "{}", view.result);
            // The last number of the outlook is the equity.
            assert!((view.outlook[5] - f32::from(view.result)).abs() < 1e-5);
            let winner = if view.result > 0 { 0 } else { 1 };
            assert_eq!(view.score[winner] - before.score[winner], u32::from(view.result.unsigned_abs()));
            ended += 1;
        }
    }
    assert!(ended > 5 && stage.view().game > 4, "{ended} {}", stage.view().game);
}

#[test]
fn paused_stage_moves_only_on_command() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(1, 0));
    stage.apply(learner, BackgammonCommand::Tempo { seconds: 0.0 }).expect("it can be paused");
    stage.animate(learner, 100.0);
    assert_eq!(stage.view().turn, 0);
    stage.apply(learner, BackgammonCommand::Next).expect("a turn on command");
    assert_eq!(stage.view().turn, 1);
    for seconds in [-1.0, 61.0, f64::NAN] {
        assert!(stage.apply(learner, BackgammonCommand::Tempo { seconds }).is_err(), "{seconds}");
    }
}

/// A path through the graph of the user's moves that takes the last edge of every node if `last` is true,
/// else the first. An edge is five numbers: node, from, to, whether it hits, next node.
pub(super) fn path(view: &StageView, last: bool) -> Vec<[u8; 2]> {
    let edges: Vec<&[f32]> = view.steps.0.chunks_exact(5).collect();
    let (mut node, mut path) = (0.0, Vec::new());
    loop {
        let mut edges_of_node = edges.iter().filter(|edge| edge[0] == node);
        let edge = if last { edges_of_node.next_back() } else { edges_of_node.next() };
        let Some(edge) = edge else { return path };
        path.push([edge[1] as u8, edge[2] as u8]);
        node = edge[4];
    }
}

#[test]
fn user_turn_is_reviewed_and_can_be_undone() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(2, 0));
    let act = |stage: &mut Stage, command| stage.apply(learner, command).map(drop).map_err(|e| e.to_string());
    let assert_refused = |result: Result<(), String>, expected: &str| {
        assert!(result.as_ref().is_err_and(|e| e.contains(expected)), "{result:?}");
    };
    let play = |view: &StageView, last| BackgammonCommand::Play { turn: view.turn, steps: path(view, last) };
    let no_moves = |turn| BackgammonCommand::Play { turn, steps: Vec::new() };
    assert_refused(act(&mut stage, no_moves(0)), "not your turn");
    assert_refused(act(&mut stage, BackgammonCommand::Undo), "no turn of yours");
    let against_invited_player = BackgammonCommand::NewGame { players: Players::Expert };
    assert_refused(act(&mut stage, against_invited_player), "no trained player");
    act(&mut stage, BackgammonCommand::NewGame { players: Players::Learner }).expect("a game can begin");
    let mut played = 0;
    for _ in 0..600 {
        stage.animate(learner, DEFAULT_TEMPO_SECONDS);
        let before = stage.view();
        if before.result != 0 {
            break;
        }
        if !before.awaits {
            continue;
        }
        assert_refused(act(&mut stage, BackgammonCommand::Next), "your turn");
        let (turn, candidates) = (before.turn, &before.candidates);
        assert_refused(act(&mut stage, no_moves(turn + 1)), "already");
        // No move, places that do not exist, no movement, and more moves than dice.
        for steps in [vec![], vec![[3, 30]], vec![[200, 1]], vec![[0, 0]], vec![[25, 1]; 40]] {
            assert_refused(act(&mut stage, BackgammonCommand::Play { turn, steps }), "not a legal play");
        }
        act(&mut stage, play(&before, true)).expect("it is legal");
        let review = stage.view().review.expect("a review");
        assert!(
            review.turn == turn && review.cost >= 0.0 && review.best == candidates[0].notation,
            "{review:?}"
        );
        assert!((candidates[0].equity - review.equity - review.cost).abs() < 1e-6);
        assert_eq!(review.rank == 1, review.cost == 0.0);
        if played < 20 {
            // After an undo the same roll can be played again.
            stage.animate(learner, DEFAULT_TEMPO_SECONDS);
            act(&mut stage, BackgammonCommand::Undo).expect("a turn of the user");
            let undone = stage.view();
            assert_eq!(
                (&undone.board, undone.dice, &undone.record),
                (&before.board, before.dice, &before.record)
            );
            assert!(undone.awaits && undone.steps == before.steps && undone.score == before.score);
            act(&mut stage, play(&undone, false)).expect("it is legal");
        }
        played += 1;
    }
    let end = stage.view();
    assert!(played > 8 && end.result != 0, "{played} turns");
    stage.animate(learner, 1000.0);
    assert_eq!(stage.view().game, end.game, "a user's finished game stays");
    assert_refused(act(&mut stage, no_moves(end.turn)), "not your turn");
}

#[test]
fn undo_passes_over_turns_without_a_legal_move() {
    let (network, weights) = untrained();
    let learner = with_version(&network, &weights, 0);
    let mut stage = Stage::new(learner, Stream::new(4, 0));
    // Lower is on the bar before a closed board, so it cannot move.
    let position = "XGID=----DEE-----c------bbbbbbA:0:0:1:31:0:0:0:0:10".into();
    let set_up = BackgammonCommand::SetUp { players: Players::Learner, position };
    stage.apply(learner, set_up).expect("a position");
    stage.animate(learner, DEFAULT_TEMPO_SECONDS);
    assert_eq!(stage.view().record, "31 (no play)");
    let refused = stage.apply(learner, BackgammonCommand::Undo).map_err(|e| e.to_string());
    assert!(refused.as_ref().is_err_and(|e| e.contains("no turn of yours")), "{refused:?}");

    // Games of the user, until three times a turn without a legal move has followed one that the user played:
    // undoing goes back to the latter.
    let mut undone = 0;
    for step in 0..20_000 {
        let view = stage.view();
        let first = view.first as usize;
        let users: Vec<_> =
            view.record.lines().enumerate().filter(|(i, _)| (first + i).is_multiple_of(2)).collect();
        let played = users.iter().rfind(|(_, line)| !line.ends_with("(no play)"));
        match (users.last(), played) {
            (Some((last, _)), Some((turn, _))) if turn < last => {
                stage.apply(learner, BackgammonCommand::Undo).expect("a turn of the user");
                let back = stage.view();
                assert!(back.awaits && back.turn as usize == *turn, "{} is not {turn}", back.turn);
                undone += 1;
                if undone == 3 {
                    return;
                }
                let new_game = BackgammonCommand::NewGame { players: Players::Learner };
                stage.apply(learner, new_game).expect("a game");
            }
            _ if view.result != 0 => {
                let new_game = BackgammonCommand::NewGame { players: Players::Learner };
                stage.apply(learner, new_game).expect("a game");
            }
            _ if view.awaits => {
                let steps = path(&view, step % 2 == 0);
                stage
                    .apply(learner, BackgammonCommand::Play { turn: view.turn, steps })
                    .expect("it is legal");
            }
            _ => stage.animate(learner, DEFAULT_TEMPO_SECONDS),
        }
    }
    panic!("{undone} turns without a legal move");
}

#[test]
fn new_weights_change_the_outlook_at_once() {
    let (network, mut weights) = untrained();
    let mut stage = Stage::new(with_version(&network, &weights, 0), Stream::new(3, 0));
    let before = stage.view().outlook;
    weights.update(|params| network.init(params, Stream::new(7, 0)));
    stage.animate(with_version(&network, &weights, 1), 0.0);
    assert_ne!(stage.view().outlook, before);
}

#[test]
fn background_search_shows_visits_and_restarts_with_new_weights() {
    let (network, weights) = untrained();
    let at = |version| with_version(&network, &weights, version);
    let mut stage = Stage::new(at(0), Stream::new(3, 0));
    stage.apply(at(0), BackgammonCommand::Tempo { seconds: 0.0 }).expect("it can be paused");
    assert_eq!(stage.view().simulations, 0, "nothing is searched before time passes");
    let mut simulations = 0;
    for _ in 0..40 {
        stage.animate(at(0), 0.0);
        let view = stage.view();
        // Three rounds of eight simulations in each frame.
        assert!(view.simulations >= simulations && view.simulations - simulations <= 24);
        simulations = view.simulations;
        let visits: f32 = view.candidates.iter().map(|candidate| candidate.visits).sum();
        assert!(simulations == 0 || (visits > 0.0 && visits <= 1.0 + 1e-5), "{visits}");
    }
    // A complete search.
    assert_eq!(simulations, 256);
    // With new weights the search begins again, and the old visits stay until it is complete.
    for version in 1..20 {
        stage.animate(at(version), 0.0);
        assert_eq!(stage.view().simulations, 256);
    }
    // Each roll has a search of its own, but a forced play has none.
    let mut forced = 0;
    for _ in 0..300 {
        stage.apply(at(20), BackgammonCommand::Next).expect("a turn on command");
        assert_eq!(stage.view().simulations, 0);
        stage.animate(at(20), 0.0);
        let view = stage.view();
        assert_eq!(view.simulations > 0, view.plays > 1, "{} plays", view.plays);
        forced += u32::from(view.plays == 1);
    }
    assert!(forced > 0);
}
