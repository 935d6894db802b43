//! Backgammon: its rules alone, positions valued in real games, and training.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Context, Lab, Status};
use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::measure::{Sample, measure_one};
use super::{Bench, Machine, Outcome};
use learnery_backgammon::afterstates::{Network, NetworkShape, Scratch};
use learnery_backgammon::outcomes::Outcomes;
use learnery_backgammon::{Backgammon, BackgammonConfig, pubeval};

/// The rules without a player.
pub const PLAYS: Bench = Bench {
    name: "backgammon/plays",
    unit: "turns/s",
    about: "games of random plays from the start: the throw, all different plays of it, and one of them played",
    run: plays,
};

/// Positions valued.
pub const STATIC: Bench = Bench {
    name: "backgammon/static",
    unit: "evaluations/s",
    about: "the strong preset's network values every play of every turn, in games between two pubevals",
    run: evaluations,
};

/// Training as a whole.
pub const TD: Bench = Bench {
    name: "backgammon/td",
    unit: "games/s",
    about: "games against itself in training, learning included, some seconds after the begin",
    run: training,
};

/// Games in which a network values every play and pubeval chooses.
struct Valuer {
    network: Network,
    weights: Weights,
    scratch: Scratch,
    values: Vec<Outcomes>,
    plays: Plays,
    board: Board,
    stream: Stream,
    turn: u64,
    valued: u64,
}

impl Valuer {
    fn new(thread: u32) -> Self {
        let (network, layout) = Network::new(NetworkShape { contact: [256, 48], race: [48, 24] });
        let mut weights = Weights::new(layout);
        weights.update(|params| network.init(params, Stream::new(0, 0)));
        Self {
            scratch: network.scratch(),
            network,
            weights,
            values: Vec::new(),
            plays: Plays::new(),
            board: Board::START,
            stream: Stream::new(thread, 0),
            turn: 0,
            valued: 0,
        }
    }

    fn go_on(&mut self) {
        self.plays.find(&self.board, Dice::from_random_word(self.stream.block(self.turn, 0)[0]));
        let (weights, board) = (&self.weights, &self.board);
        self.network.values_of_plays(weights, board, &self.plays, &mut self.scratch, &mut self.values);
        black_box(&self.values);
        self.valued += self.plays.len() as u64;
        self.board = self.plays.get(pubeval::choose(&self.board, &self.plays));
        self.turn += 1;
        if self.board.other_won().is_some() {
            self.board = Board::START;
        }
    }
}

/// What pubeval and the throws take is counted too: about a tenth.
fn evaluations(machine: &Machine) -> Outcome {
    const TURNS: u64 = 64;
    let mut valuers: Vec<Valuer> = (0..machine.threads as u32).map(Valuer::new).collect();
    let sample = measure_one(machine.clock, &mut |turns| {
        machine.pool.on_each(&mut valuers, |valuer| (0..turns * TURNS).for_each(|_| valuer.go_on()));
    });
    let valued: u64 = valuers.iter().map(|valuer| valuer.valued).sum();
    let turns: u64 = valuers.iter().map(|valuer| valuer.turn).sum();
    let each = valued as f64 / turns as f64;
    Outcome { sample: sample.scaled(each * (TURNS * machine.threads as u64) as f64), limit: None, peer: None }
}

fn training(machine: &Machine) -> Outcome {
    /// Seconds until games are as long as they stay, and those of a measurement.
    const WARM_UP: f64 = 6.0;
    const MEASURED: f64 = 1.0;
    const MEASUREMENTS: usize = 3;
    let config = BackgammonConfig { eval_every: 0, ..BackgammonConfig::default() };
    let mut unit = 0;
    let cx = |unit| Context { config: &config, seed: 0, unit };
    let mut lab = Backgammon::new(cx(unit)).expect("the defaults are good");
    let mut train = |seconds: f64| {
        let (begin, games) = ((machine.clock)(), lab.games());
        loop {
            machine.pool.run(|| while lab.advance(cx(unit), &mut Budget::unlimited()) != Status::Unit {});
            unit += 1;
            let passed = (machine.clock)() - begin;
            if passed >= seconds {
                // A game may not have ended where a clock jumps.
                return (lab.games() - games).max(1) as f64 / passed;
            }
        }
    };
    train(WARM_UP);
    let sample = Sample::of((0..MEASUREMENTS).map(|_| train(MEASURED)).collect());
    Outcome { sample, limit: None, peer: None }
}

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
        let dice = if self.turn == 0 {
            Dice::opening_from_random_word(throw)
        } else {
            Dice::from_random_word(throw)
        };
        self.plays.find(&self.board, dice);
        let choice = (u64::from(choice) * self.plays.len() as u64) >> 32;
        self.board = self.plays.get(choice as usize);
        self.turn += 1;
        if self.board.other_won().is_some() {
            (self.board, self.game, self.turn) = (Board::START, self.game + 1, 0);
        }
    }
}
