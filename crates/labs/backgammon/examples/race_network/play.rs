//! Plays races between two evaluators, and measures how fast evaluators are.

use std::fs;
use std::hint::black_box;
use std::time::{SystemTime, UNIX_EPOCH};

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon_play::Evaluator;
use learnery_backgammon_play::outcomes::{Outcomes, best_play};
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, RolledPlays};
use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};
use rayon::prelude::*;

use crate::{MATCH_DICE, SEED};

/// Chooses plays by an evaluator without lookahead. Owns the buffers for that.
struct Player<'a, E: Evaluator> {
    evaluator: &'a E,
    scratch: E::Scratch,
    values: Vec<Outcomes>,
}

impl<'a, E: Evaluator> Player<'a, E> {
    fn new(evaluator: &'a E) -> Self {
        Self { evaluator, scratch: evaluator.scratch(), values: Vec::new() }
    }

    fn choose(&mut self, board: &Board, plays: &Plays) -> Board {
        self.evaluator.values_of_plays(board, plays, &mut self.scratch, &mut self.values);
        plays.get(best_play(&self.values).0)
    }
}

/// The points of `first` in one race or game, which ends as soon as its result is known exactly (bear-off
/// table). The luck of both sides is subtracted, as `first` measures it. `number` selects the dice.
fn play_out<A: Evaluator, B: Evaluator>(
    first: &mut Player<A>,
    second: &mut Player<B>,
    rolled: &mut RolledPlays,
    start: Board,
    number: u64,
    first_begins: bool,
) -> f64 {
    let (mut board, mut plays, mut points) = (start, Plays::new(), 0.0);
    for turn in 0.. {
        let is_first = (turn % 2 == 0) == first_begins;
        let sign = if is_first { 1.0 } else { -1.0 };
        if let Some(exact) = Outcomes::exact(&board) {
            return points + sign * f64::from(exact.equity());
        }
        let dice = Dice::for_turn(Stream::new(SEED, MATCH_DICE), number, turn);
        rolled.find_and_value(first.evaluator, &mut first.scratch, &board, &Dice::ALL);
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = rolled.luck(dice.index());
        // The equity of a difference of values: the constant -1 of `Outcomes::equity` is in both.
        points -= sign * (2.0 * win + gammon - lost_gammon + backgammon - lost_backgammon);
        plays.find(&board, dice);
        board = if is_first { first.choose(&board, &plays) } else { second.choose(&board, &plays) };
    }
    unreachable!("every race ends")
}

/// The mean points of `first` in races or games with these starts, and the standard error of that mean. Each
/// start is played twice with the same dice and the sides exchanged, and the mean of the two counts as one
/// result.
pub fn duel<A: Evaluator, B: Evaluator>(first: &A, second: &B, starts: &[Board]) -> [f64; 2] {
    let pair = |(first, second, rolled): &mut (Player<A>, Player<B>, RolledPlays), number: usize| {
        let seats = [true, false];
        let points =
            seats.map(|begins| play_out(first, second, rolled, starts[number], number as u64, begins));
        (points[0] + points[1]) / 2.0
    };
    let new = || (Player::new(first), Player::new(second), RolledPlays::default());
    let points: Vec<f64> = (0..starts.len()).into_par_iter().map_init(new, pair).collect();
    let n = points.len() as f64;
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0).max(1.0);
    [mean, (variance / n).sqrt()]
}

/// Seconds of processor time of this thread on Linux; elsewhere seconds of the clock.
fn processor_time() -> f64 {
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).map_or_else(clock, |ns| ns * 1e-9)
}

/// The speed on one thread in these races: how many positions after plays are found and valued in a second
/// without lookahead, and how many positions are valued in a second at two plies.
pub fn speed(evaluator: &impl Evaluator, starts: &[Board]) -> [f64; 2] {
    let (mut player, mut plays) = (Player::new(evaluator), Plays::new());
    let mut boards = Vec::new();
    let (mut values, begin) = (0, processor_time());
    for (number, start) in (0..).zip(starts) {
        let mut board = *start;
        for turn in 0.. {
            if Outcomes::exact(&board).is_some() {
                break;
            }
            boards.push(board);
            plays.find(&board, Dice::for_turn(Stream::new(SEED, MATCH_DICE), number, turn));
            board = player.choose(&board, &plays);
            values += plays.len();
        }
    }
    let values = values as f64 / (processor_time() - begin);
    let (mut lookahead, begin) = (LookaheadPlayer::new(evaluator, Lookahead { plies: 2 }), processor_time());
    // Two plies take a thousand times as long.
    let few = boards.iter().step_by(20);
    let positions = few.clone().count() as f64;
    few.for_each(|board| _ = black_box(lookahead.value(evaluator, board)));
    [values, positions / (processor_time() - begin)]
}

/// Whole games of a network with itself: turns a second on one thread.
pub fn turns_a_second(network: &TrainedNetwork, plies: u8, games: u64) -> f64 {
    let (mut player, mut plays) = (LookaheadPlayer::new(network, Lookahead { plies }), Plays::new());
    let (mut turns, begin) = (0u32, processor_time());
    for game in 0..games {
        let mut board = Board::START;
        for turn in 0.. {
            plays.find(&board, Dice::for_turn(Stream::new(SEED, MATCH_DICE), game, turn));
            board = plays.get(player.choose(network, &board, &plays).0);
            turns += 1;
            if board.other_won().is_some() {
                break;
            }
        }
    }
    f64::from(turns) / (processor_time() - begin)
}
