//! Self-play of the AlphaZero learner of backgammon with a network that has learned nothing: games, evaluations, and what
//! an evaluation's time goes into.

use std::hint::black_box;

use learnery_kernels::rng::Stream;
use learnery_search::Turn;

use super::measure::{Sample, Task, measure};
use super::networks::forward_64;
use super::{Bench, Machine, Outcome};
use learnery_backgammon::alphazero::{
    AlphaZeroLearner, AlphaZeroSettings, Network, NetworkEvaluator, Scratch, SelfPlayCounts, encode_turn,
};

/// Whole games.
pub const GAMES: Bench = Bench {
    name: "backgammon/selfplay",
    unit: "games/min",
    about: "AlphaZero against itself from the standard opening, 100 simulations a turn, untrained `fcresnet`",
    run: games,
};

/// Positions that the network judges meanwhile.
pub const EVALUATIONS: Bench = Bench {
    name: "backgammon/selfplay/evaluations",
    unit: "evaluations/s",
    about: "positions judged meanwhile; the limit is the network alone, all heads of 64 rows for each thread",
    run: evaluations,
};

/// What the time for an evaluation goes into.
pub const SPLIT: [Bench; 3] = [
    split_bench("backgammon/split/forward", "the network, all heads that are asked", |machine| {
        split(machine, |parts| parts.forward)
    }),
    split_bench("backgammon/split/encoding", "what the network sees", |machine| {
        split(machine, |parts| parts.encoding)
    }),
    split_bench("backgammon/split/search", "trees, plays and the games themselves", |machine| {
        split(machine, |parts| parts.all - parts.forward - parts.encoding)
    }),
];

const fn split_bench(name: &'static str, about: &'static str, run: fn(&Machine) -> Outcome) -> Bench {
    Bench { name, unit: "ns/evaluation", about, run }
}

/// Players who have been at it for so many seconds, so that games of every age are on the tables.
fn players(machine: &Machine, seconds: f64) -> AlphaZeroLearner {
    /// More than anybody waits for: no unit ends.
    const TURNS: u32 = 1 << 20;
    let games = 64 * machine.threads.max(2);
    let defaults = AlphaZeroSettings::default();
    let settings = AlphaZeroSettings { games, turns: TURNS, reuse: 0.0, memory: 1, ..defaults };
    let mut run = AlphaZeroLearner::new(settings, 0);
    let begin = (machine.clock)();
    loop {
        machine.pool.run(|| (0..8).for_each(|_| _ = run.step()));
        if (machine.clock)() - begin >= seconds {
            return run;
        }
    }
}

/// Steps a second, measured in turns with other tasks, and what was played in how many steps.
fn play(
    machine: &Machine,
    run: &mut AlphaZeroLearner,
    others: &mut [Task],
) -> (Vec<Sample>, SelfPlayCounts, f64) {
    let (before, mut steps) = (run.totals(), 0);
    let mut task = |turns| {
        machine.pool.run(|| (0..turns).for_each(|_| _ = run.step()));
        steps += turns;
    };
    let mut tasks: Vec<Task> = vec![&mut task];
    tasks.extend(others.iter_mut().map(|other| &mut **other as Task));
    let samples = measure(machine.clock, &mut tasks);
    (samples, run.totals().since(&before), steps as f64)
}

fn games(machine: &Machine) -> Outcome {
    /// Long enough for long games to end too.
    const SECONDS: f64 = 20.0;
    let mut run = players(machine, SECONDS);
    let (samples, tally, steps) = play(machine, &mut run, &mut []);
    let ended = run.totals();
    // Turns of a whole game; where none ended they count as one.
    let turns_of_game = ended.turns.max(1) as f64 / ended.games.max(1) as f64;
    let turns_of_step = tally.turns_played.max(1) as f64 / steps;
    Outcome { sample: samples[0].scaled(60.0 * turns_of_step / turns_of_game), limit: None, peer: None }
}

fn evaluations(machine: &Machine) -> Outcome {
    const SECONDS: f64 = 3.0;
    let mut run = players(machine, SECONDS);
    let (mut forward, rows) = forward_64(machine);
    let (samples, tally, steps) = play(machine, &mut run, &mut [&mut forward]);
    let per_step = tally.search.values as f64 / steps;
    let limit = samples[1].rate * rows as f64;
    Outcome { sample: samples[0].scaled(per_step), limit: Some(limit), peer: None }
}

/// Nanoseconds of one thread for each evaluation.
struct Parts {
    all: f64,
    forward: f64,
    encoding: f64,
}

/// Forward and encoding are measured by themselves, with turns that are on the tables; what is left is the search.
fn split(machine: &Machine, part: fn(&Parts) -> f64) -> Outcome {
    const SECONDS: f64 = 3.0;
    let mut run = players(machine, SECONDS);
    let turns: Vec<Turn> = run.turns().take(64).map(|(turn, _)| turn).collect();
    let counts = run.totals().search;
    let policies = counts.policies as f64 / counts.values.max(1) as f64;
    // In the mean so many states of a batch are asked for their policy.
    let asked = (policies * turns.len() as f64).round() as usize;
    let network = Network::new(Stream::new(0, 0));
    let works = || (0..machine.threads).map(|_| Scratch::new(&network.plan)).collect::<Vec<Scratch>>();
    let (mut encoders, mut forwarders) = (works(), works());
    let mut encode = |n: u64| {
        machine.pool.on_each(&mut encoders, |scratch| {
            for _ in 0..n {
                for (turn, row) in turns.iter().zip(scratch.rows()) {
                    encode_turn(black_box(turn), row);
                }
            }
        });
    };
    let mut forward = |n: u64| {
        machine.pool.on_each(&mut forwarders, |scratch| {
            let (plan, weights) = (&network.plan, &network.weights);
            let mut evaluator = NetworkEvaluator { plan, weights, scratch };
            for _ in 0..n {
                evaluator.run(turns.len());
                evaluator.run_policy(asked);
            }
        });
    };
    let (samples, tally, steps) = play(machine, &mut run, &mut [&mut encode, &mut forward]);
    let values = tally.search.values.max(1) as f64;
    let (encoding, forward) = (samples[1], samples[2]);
    let per_row = 1e9 / turns.len() as f64;
    let parts = Parts {
        all: 1e9 * machine.threads as f64 / (samples[0].rate * values / steps),
        forward: per_row / forward.rate,
        encoding: per_row / encoding.rate,
    };
    let sample = Sample { rate: part(&parts), spread: samples[0].spread };
    Outcome { sample, limit: Some(parts.all), peer: None }
}
