//! Backgammon: its rules alone.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::measure::measure_one;
use super::{Bench, Machine, Outcome};

/// The rules without a player.
pub const PLAYS: Bench = Bench {
    name: "backgammon/plays",
    unit: "turns/s",
    about: "games of random plays from the start: the throw, all different plays of it, and one of them played",
    run: plays,
};

/// A player who takes any play.
struct Wanderer {
    plays: Plays,
    board: Board,
    stream: Stream,
    game: u64,
    turn: u64,
}

fn plays(machine: &Machine) -> Outcome {
    /// Turns that count as one repetition of the task.
    const TURNS: u64 = 64;
    let wanderer = |thread| Wanderer {
        plays: Plays::new(),
        board: Board::START,
        stream: Stream::new(thread, 0),
        game: 0,
        turn: 0,
    };
    let mut wanderers: Vec<Wanderer> = (0..machine.threads as u32).map(wanderer).collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.on_each(&mut wanderers, |wanderer| {
            for _ in 0..turns * TURNS {
                wanderer.go_on();
            }
            black_box(wanderer.board);
        });
    });
    Outcome { sample: sample.scaled((TURNS * machine.threads as u64) as f64), limit: None, peer: None }
}

impl Wanderer {
    fn go_on(&mut self) {
        let [throw, choice, ..] = self.stream.block(self.game, self.turn);
        let dice = if self.turn == 0 { Dice::opening_of_word(throw) } else { Dice::of_word(throw) };
        self.plays.find(&self.board, dice);
        let choice = (u64::from(choice) * self.plays.len() as u64) >> 32;
        self.board = self.plays.get(choice as usize);
        self.turn += 1;
        if self.board.lost().is_some() {
            (self.board, self.game, self.turn) = (Board::START, self.game + 1, 0);
        }
    }
}
