//! Backgammon: play generation, static evaluation in games, TD(lambda) training, lookahead, rollouts and
//! analyses. `Stream::new(seed, id)` is a stream of random numbers; which one is arbitrary here.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, Checkpoint, Context, Lab, Status};
use learnery_nn::Weights;
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::measure::{Sample, measure_one};
use super::{Bench, BenchContext, Measurement};
use learnery_backgammon::afterstates::{Inputs, Network, NetworkShape, Scratch};
use learnery_backgammon::networks::{NetworkRef, TrainedNetwork};
use learnery_backgammon::{Backgammon, BackgammonConfig};
use learnery_backgammon_play::analysis::MatchAnalysis;
use learnery_backgammon_play::outcomes::Outcomes;
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer, pubeval};
use learnery_backgammon_play::rollout::{Rollout, RolloutOptions};

pub const PLAYS: Bench = Bench {
    name: "backgammon/plays",
    unit: "turns/s",
    about: "games of random plays from the start: roll, generate all distinct plays, make one of them",
    run: plays,
};

pub const STATIC: Bench = Bench {
    name: "backgammon/static",
    unit: "evaluations/s",
    about: "the strong preset's network values every play of every turn, in games between two pubevals",
    run: evaluations,
};

pub const TD: Bench = Bench {
    name: "backgammon/td",
    unit: "games/s",
    about: "self-play games of training, learning included, after a warm-up of six seconds",
    run: training,
};

pub const ROLLOUT: Bench = Bench {
    name: "backgammon/rollout",
    unit: "games/s",
    about: "rollout of the start position with the default network untrained: truncated at 7 plies, luck subtracted",
    run: rollout,
};

pub const LOOKAHEAD: Bench = Bench {
    name: "backgammon/2ply",
    unit: "plays/s",
    about: "plays decided by the shipped network with 2 plies of lookahead, in a game between two pubevals",
    run: lookahead,
};

pub const ANALYSE: Bench = Bench {
    name: "backgammon/analyse",
    unit: "decisions/s",
    about: "analysis of a match with the default network untrained, 2 plies of lookahead, luck included",
    run: analyse,
};

/// Games in which a network evaluates every play, but pubeval (a simple published player) chooses for both
/// sides.
struct StaticEvaluator {
    network: Network,
    weights: Weights,
    scratch: Scratch,
    values: Vec<Outcomes>,
    plays: Plays,
    board: Board,
    stream: Stream,
    turn: u64,
    /// Plays that the network has evaluated in all turns.
    evaluated: u64,
}

impl StaticEvaluator {
    fn new(thread: u32) -> Self {
        // The widths of the hidden layers of two networks: `contact` for positions in which the sides can
        // still meet, `race` for the others.
        let (network, layout) = Network::new(NetworkShape {
            inputs: Inputs::Raw,
            contact: [256, 48],
            race: [48, 24],
            pruning: None,
        });
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
            evaluated: 0,
        }
    }

    fn play_turn(&mut self) {
        // Every play gives the board as the next player sees it, so each turn is played like the one before.
        self.plays.find(&self.board, Dice::from_random_word(self.stream.block(self.turn, 0)[0]));
        let (weights, board) = (&self.weights, &self.board);
        self.network.values_of_plays(weights, board, &self.plays, &mut self.scratch, &mut self.values);
        black_box(&self.values);
        self.evaluated += self.plays.len() as u64;
        self.board = self.plays.get(pubeval::choose(&self.board, &self.plays));
        self.turn += 1;
        if self.board.other_won().is_some() {
            self.board = Board::START;
        }
    }
}

/// The benchmark [`STATIC`]. The time includes pubeval and the dice, which take about a tenth.
fn evaluations(context: &BenchContext) -> Measurement {
    /// Turns in one iteration of the task.
    const TURNS: u64 = 64;
    let mut evaluators: Vec<StaticEvaluator> =
        (0..context.threads as u32).map(StaticEvaluator::new).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut evaluators, |evaluator| {
            (0..iterations * TURNS).for_each(|_| evaluator.play_turn());
        });
    });
    let evaluated: u64 = evaluators.iter().map(|evaluator| evaluator.evaluated).sum();
    let turns: u64 = evaluators.iter().map(|evaluator| evaluator.turn).sum();
    let evaluations_per_turn = evaluated as f64 / turns as f64;
    Measurement::without_comparison(
        sample.scaled(evaluations_per_turn * (TURNS * context.threads as u64) as f64),
    )
}

/// The benchmark [`TD`].
fn training(context: &BenchContext) -> Measurement {
    /// By then games have their typical length.
    const WARM_UP_SECONDS: f64 = 6.0;
    const MEASURED_SECONDS: f64 = 1.0;
    const MEASUREMENTS: usize = 3;
    let config = BackgammonConfig { eval_every: 0, ..BackgammonConfig::default() };
    let mut unit = 0;
    let cx = |unit| Context { config: &config, seed: 0, unit };
    let mut lab = Backgammon::new(cx(unit)).expect("the defaults are valid");
    // Trains for `seconds` seconds and returns the games per second.
    let mut train = |seconds: f64| {
        let (begin, games_before) = ((context.clock)(), lab.games());
        loop {
            context
                .pool
                .run(|| while Budget::unlimited().advance(&mut lab, cx(unit)) != Status::UnitFinished {});
            unit += 1;
            let passed = (context.clock)() - begin;
            if passed >= seconds {
                // At least 1, because no game ends if the clock of a test jumps.
                return (lab.games() - games_before).max(1) as f64 / passed;
            }
        }
    };
    train(WARM_UP_SECONDS);
    let sample = Sample::from_rates((0..MEASUREMENTS).map(|_| train(MEASURED_SECONDS)).collect());
    Measurement::without_comparison(sample)
}

/// No benchmark is stopped before its end.
fn never_stop() -> bool {
    false
}

/// The benchmark [`ROLLOUT`].
fn rollout(context: &BenchContext) -> Measurement {
    /// Games of a rollout, which one step plays in one iteration of the task.
    const GAMES: u64 = 144;
    let (network, layout) = Network::new(NetworkShape::from(&BackgammonConfig::default()));
    let mut weights = Weights::new(layout);
    weights.update(|params| network.init(params, Stream::new(0, 0)));
    let network = NetworkRef::Afterstates(&network, &weights);
    let options = RolloutOptions { games: GAMES, truncate: Some(7), ..RolloutOptions::default() };
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let rollout = Rollout::new(&network, &Board::START, None, options);
                let mut rollout = rollout.expect("good options");
                rollout.step(&network, GAMES, &never_stop, &mut |_| {});
                black_box(rollout.estimates());
            }
        });
    });
    Measurement::without_comparison(sample.scaled(GAMES as f64))
}

/// The benchmark [`LOOKAHEAD`].
fn lookahead(context: &BenchContext) -> Measurement {
    const NETWORK: &[u8] = include_bytes!("../../../models/backgammon.safetensors");
    /// Turns in one iteration of the task: few in tests of the benches.
    const TURNS: u64 = if cfg!(test) { 2 } else { 16 };
    let checkpoint = Checkpoint::from_bytes(NETWORK).expect("our own file");
    let network = TrainedNetwork::from_checkpoint(&checkpoint).expect("our own network");
    let stream = Stream::new(1, 0);
    let (mut turns, mut board) = (Vec::new(), Board::START);
    for turn in 0..TURNS {
        let mut plays = Plays::new();
        plays.find(&board, Dice::from_random_word(stream.block(turn, 0)[0]));
        let next = plays.get(pubeval::choose(&board, &plays));
        turns.push((board, plays));
        board = next;
    }
    let player = |_| LookaheadPlayer::new(&network, Lookahead { plies: 2 });
    let mut players: Vec<_> = (0..context.threads).map(player).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut players, |player| {
            for _ in 0..iterations {
                for (board, plays) in &turns {
                    black_box(player.choose(&network, board, plays));
                }
            }
        });
    });
    Measurement::without_comparison(sample.scaled((TURNS * context.threads as u64) as f64))
}

/// The benchmark [`ANALYSE`].
fn analyse(context: &BenchContext) -> Measurement {
    const MATCH: &[u8] = include_bytes!("../../../tests/golden/backgammon/match.mat");
    /// Decisions that are analysed before the measurement, up to the middle of a game.
    const FIRST_DECISIONS: usize = 20;
    /// Decisions in one iteration of the task: few in tests of the benches.
    const DECISIONS: usize = if cfg!(test) { 2 } else { 16 };
    let (network, layout) = Network::new(NetworkShape::from(&BackgammonConfig::default()));
    let mut weights = Weights::new(layout);
    weights.update(|params| network.init(params, Stream::new(0, 0)));
    let network = NetworkRef::Afterstates(&network, &weights);
    let plies = 2;
    let mut begun = MatchAnalysis::read(MATCH, plies).expect("a good file");
    context.pool.run(|| begun.run(&network, FIRST_DECISIONS, &never_stop));
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.run(|| {
            for _ in 0..iterations {
                let mut analysis = begun.clone();
                analysis.run(&network, DECISIONS, &never_stop);
                black_box(analysis.statistics());
            }
        });
    });
    Measurement::without_comparison(sample.scaled(DECISIONS as f64))
}

/// A player of both sides that chooses uniformly random plays.
struct RandomPlayer {
    plays: Plays,
    board: Board,
    stream: Stream,
    game: u64,
    turn: u64,
}

/// The benchmark [`PLAYS`].
fn plays(context: &BenchContext) -> Measurement {
    /// Turns in one iteration of the task.
    const TURNS: u64 = 64;
    let player = |thread| RandomPlayer {
        plays: Plays::new(),
        board: Board::START,
        stream: Stream::new(thread, 0),
        game: 0,
        turn: 0,
    };
    let mut players: Vec<RandomPlayer> = (0..context.threads as u32).map(player).collect();
    let sample = measure_one(context.clock, &mut |iterations| {
        context.pool.for_each_state(&mut players, |player| {
            for _ in 0..iterations * TURNS {
                player.play_turn();
            }
            black_box(player.board);
        });
    });
    Measurement::without_comparison(sample.scaled((TURNS * context.threads as u64) as f64))
}

impl RandomPlayer {
    fn play_turn(&mut self) {
        let [roll_word, choice_word, ..] = self.stream.block(self.game, self.turn);
        let dice = if self.turn == 0 {
            Dice::opening_from_random_word(roll_word)
        } else {
            Dice::from_random_word(roll_word)
        };
        self.plays.find(&self.board, dice);
        // The high half of the product is uniformly distributed below the number of plays.
        let index = (u64::from(choice_word) * self.plays.len() as u64) >> 32;
        self.board = self.plays.get(index as usize);
        self.turn += 1;
        if self.board.other_won().is_some() {
            (self.board, self.game, self.turn) = (Board::START, self.game + 1, 0);
        }
    }
}
