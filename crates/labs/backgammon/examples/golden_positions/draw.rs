//! Draws positions by seed from games that the shipped network plays with itself, with some noise: the same
//! number of each plan.
//!
//! No position shall be within two rolls of the training data. Those 46 million positions are not kept, and
//! to play them again takes hours. So these games have other dice and noisy plays, and no position before the
//! seventh turn is taken. Besides, positions of games without noise are drawn, which are like those of
//! training. A position is left out if one of these is among them: the position, the two before it in its
//! game, all after one roll and any play, all after two rolls if the first play is the best.

use std::collections::HashSet;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::{Outcomes, best_play};
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer};
use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::plan::Plan;

const SEED: u32 = 20_261_128;
// Ids of random-number streams, which no run uses: dice, noise, the choice of a turn, dice of games without
// noise.
const DICE: u32 = 901;
const NOISE: u32 = 902;
const CHOICE: u32 = 903;
const GREEDY: u32 = 904;
/// The scale in points of the noise that is added to the equity of each play, game by game.
const NOISE_SCALES: [f32; 4] = [0.02, 0.05, 0.1, 0.2];
/// The first turn whose position is taken, counted from 0.
const FIRST_TURN: usize = 6;
/// The chances to win of the positions that are taken. Others are seldom reached for money, because a double
/// would be passed before.
const WIN_CHANCES: std::ops::Range<f32> = 0.08..0.92;
/// Positions of games without noise to compare with.
const GREEDY_POSITIONS: usize = 300_000;
/// Games are given up after this many turns, because some might never end.
const MAX_TURNS: usize = 300;

/// The checkers of both sides, see [`Board::key`].
type Key = (u128, u128);

/// Draws `of_each` positions of each plan: the first of each plan, then the second of each, and so on. Also
/// returns a line about how many were left out.
pub fn draw(network: &TrainedNetwork, of_each: usize) -> (Vec<(Board, Plan)>, String) {
    let seen = greedy_positions(network);
    let mut drawn: Vec<Vec<Board>> = vec![Vec::new(); Plan::ALL.len()];
    let (mut taken, mut excluded, mut games) = (HashSet::new(), 0, 0);
    while drawn.iter().any(|boards| boards.len() < of_each) {
        let boards =
            game(network, Stream::new(SEED, DICE), games, NOISE_SCALES[games as usize % NOISE_SCALES.len()]);
        for (plan, drawn) in Plan::ALL.iter().zip(&mut drawn) {
            if drawn.len() >= of_each {
                continue;
            }
            let choice = Stream::new(SEED, CHOICE);
            let fits = |turn: &usize| Plan::of(&boards[*turn]) == *plan && is_open(network, &boards[*turn]);
            let turns: Vec<usize> = (FIRST_TURN..boards.len()).filter(fits).collect();
            if turns.is_empty() {
                continue;
            }
            let turn = turns[choice.below(games, *plan as u64, turns.len() as u32) as usize];
            let is_near = (turn - 2..turn).any(|before| seen.contains(&boards[before].key()))
                || is_near_after(network, &boards[turn], &seen);
            excluded += usize::from(is_near);
            if !is_near && taken.insert(boards[turn].key()) {
                drawn.push(boards[turn]);
            }
        }
        games += 1;
    }
    let mixed =
        (0..of_each).flat_map(|i| drawn.iter().zip(Plan::ALL).map(move |(list, plan)| (list[i], plan)));
    let note = format!("{games} games; {excluded} left out beside {} positions of greedy games", seen.len());
    (mixed.collect(), note)
}

/// Whether a position can be taken: its value is not known, and the chance to win is within [`WIN_CHANCES`].
fn is_open(network: &TrainedNetwork, board: &Board) -> bool {
    Outcomes::exact(board).is_none()
        && WIN_CHANCES.contains(&network.value(board, &mut network.scratch()).0[0])
}

/// The positions of a game before each roll, but for those whose value is known.
fn game(network: &TrainedNetwork, dice: Stream, number: u64, noise: f32) -> Vec<Board> {
    let mut player = LookaheadPlayer::new(network, Lookahead::default());
    let (mut board, mut plays, mut boards) = (Board::START, Plays::new(), Vec::new());
    while boards.len() < MAX_TURNS && Outcomes::exact(&board).is_none() {
        boards.push(board);
        let turn = boards.len() as u64;
        plays.find(&board, Dice::for_turn(dice, number, turn));
        let noises = Stream::new(SEED, NOISE);
        let ranked = player.ranked(network, &board, &plays, None);
        // Equities of the opponent, who rolls next, minus Gumbel noise. So the play with the lowest sum is
        // drawn from the softmax of the player's equities over `noise` (the Gumbel-max trick).
        let noisy = ranked.iter().map(|(i, value, _)| {
            let u = noises.uniform((number << 16) + turn, *i as u64).max(f32::MIN_POSITIVE);
            (*i, value.equity() + noise * (-u.ln()).ln())
        });
        let chosen = noisy.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
        board = plays.get(chosen);
    }
    boards
}

/// The positions of games without noise.
fn greedy_positions(network: &TrainedNetwork) -> HashSet<Key> {
    let mut seen = HashSet::new();
    let mut played = 0;
    for number in 0.. {
        let boards = game(network, Stream::new(SEED, GREEDY), number, 0.0);
        played += boards.len();
        seen.extend(boards.iter().map(Board::key));
        if played >= GREEDY_POSITIONS {
            break;
        }
    }
    seen
}

/// Whether this position has been seen, or one after any play of one roll, or after any play of a second roll
/// that follows the best play of the first.
fn is_near_after(network: &TrainedNetwork, board: &Board, seen: &HashSet<Key>) -> bool {
    let (mut plays, mut values, mut scratch) = (Plays::new(), Vec::new(), network.scratch());
    if seen.contains(&board.key()) {
        return true;
    }
    let mut best = Vec::new();
    for dice in Dice::ALL {
        plays.find(board, dice);
        if plays.iter().any(|after| seen.contains(&after.key())) {
            return true;
        }
        network.values_of_plays(board, &plays, &mut scratch, &mut values);
        best.push(plays.get(best_play(&values).0));
    }
    best.iter().filter(|after| after.other_won().is_none()).any(|after| {
        Dice::ALL.into_iter().any(|dice| {
            plays.find(after, dice);
            plays.iter().any(|next| seen.contains(&next.key()))
        })
    })
}
