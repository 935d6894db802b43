//! Self-play of backgammon's AlphaZero learner with an untrained network: games, evaluations, and the parts
//! of an evaluation's time. An evaluation is one position valued by the network during tree search.

use std::hint::black_box;

use learnery_kernels::rng::Stream;

use super::measure::{Sample, Task, measure};
use super::networks::forward_64;
use super::{Bench, BenchContext, Measurement};
use learnery_backgammon::PolicyKind;
use learnery_backgammon::alphazero::{
    AlphaZeroLearner, AlphaZeroSettings, Network, NetworkEvaluator, Scratch, SelfPlayCounts, encode_turn,
};
use learnery_backgammon_play::game::Turn;

pub const GAMES: Bench = Bench {
    name: "backgammon/selfplay",
    unit: "games/min",
    about: "AlphaZero against itself from the standard opening, 100 simulations per turn, untrained `fcresnet`",
    run: games,
};

pub const EVALUATIONS: Bench = Bench {
    name: "backgammon/selfplay/evaluations",
    unit: "evaluations/s",
    about: "positions evaluated in self-play; the upper bound is the network alone, all heads, 64 rows for each thread",
    run: evaluations,
};

/// The parts of an evaluation's time.
pub const SPLIT: [Bench; 3] = [
    split_bench("backgammon/split/forward", "the network: all requested heads", |context| {
        split(context, |parts| parts.forward)
    }),
    split_bench("backgammon/split/encoding", "the network's inputs", |context| {
        split(context, |parts| parts.encoding)
    }),
    split_bench("backgammon/split/search", "trees, plays and the games themselves", |context| {
        split(context, |parts| parts.all - parts.forward - parts.encoding)
    }),
];

const fn split_bench(
    name: &'static str,
    about: &'static str,
    run: fn(&BenchContext) -> Measurement,
) -> Bench {
    Bench { name, unit: "ns/evaluation", about, run }
}

/// Returns a learner whose self-play has run for `seconds` seconds, so that its games are at all stages.
fn warmed_up_learner(context: &BenchContext, seconds: f64) -> AlphaZeroLearner {
    /// Turns of a unit (training iteration): so many that no unit ends during a bench.
    const TURNS_OF_UNIT: u32 = 1 << 20;
    let games = 64 * context.threads.max(2);
    let defaults = AlphaZeroSettings::default();
    // No learning: samples are not used again, and the replay buffer is as small as possible.
    let settings = AlphaZeroSettings { games, turns: TURNS_OF_UNIT, reuse: 0.0, memory: 1, ..defaults };
    let seed = 0;
    let mut learner = AlphaZeroLearner::new(settings, seed);
    let begin = (context.clock)();
    loop {
        // Several steps between two looks at the clock.
        context.pool.run(|| (0..8).for_each(|_| _ = learner.step()));
        if (context.clock)() - begin >= seconds {
            return learner;
        }
    }
}

/// Steps of self-play that were measured alternately with other tasks.
struct MeasuredSteps {
    /// The steps per second of self-play, then the rates of the other tasks.
    samples: Vec<Sample>,
    /// What self-play counted in the measured steps.
    counts: SelfPlayCounts,
    /// The number of measured steps.
    steps: f64,
}

/// Measures steps of self-play alternately with other tasks.
fn measure_steps(
    context: &BenchContext,
    learner: &mut AlphaZeroLearner,
    others: &mut [Task],
) -> MeasuredSteps {
    let (before, mut steps) = (learner.totals(), 0);
    let mut task = |iterations| {
        context.pool.run(|| (0..iterations).for_each(|_| _ = learner.step()));
        steps += iterations;
    };
    let mut tasks: Vec<Task> = vec![&mut task];
    tasks.extend(others.iter_mut().map(|other| &mut **other as Task));
    let samples = measure(context.clock, &mut tasks);
    MeasuredSteps { samples, counts: learner.totals().since(&before), steps: steps as f64 }
}

/// The benchmark [`GAMES`].
fn games(context: &BenchContext) -> Measurement {
    /// Enough that long games end too.
    const WARM_UP_SECONDS: f64 = 20.0;
    let mut learner = warmed_up_learner(context, WARM_UP_SECONDS);
    let MeasuredSteps { samples, counts, steps } = measure_steps(context, &mut learner, &mut []);
    let totals = learner.totals();
    // The measurement is too short to count finished games, so it counts turns and divides by the mean number
    // of turns of a game. Both are at least 1, because with the jumping clock of a test no game ends.
    let turns_per_game = totals.turns.max(1) as f64 / totals.games.max(1) as f64;
    let turns_per_step = counts.turns_played.max(1) as f64 / steps;
    Measurement::without_comparison(samples[0].scaled(60.0 * turns_per_step / turns_per_game))
}

/// The benchmark [`EVALUATIONS`].
fn evaluations(context: &BenchContext) -> Measurement {
    const WARM_UP_SECONDS: f64 = 3.0;
    let mut learner = warmed_up_learner(context, WARM_UP_SECONDS);
    let (mut forward, rows) = forward_64(context);
    let MeasuredSteps { samples, counts, steps } = measure_steps(context, &mut learner, &mut [&mut forward]);
    let evaluations_per_step = counts.search.values as f64 / steps;
    let upper_bound = samples[1].rate * rows as f64;
    Measurement {
        sample: samples[0].scaled(evaluations_per_step),
        upper_bound: Some(upper_bound),
        peer: None,
    }
}

/// Nanoseconds of one thread for each evaluation.
struct Parts {
    all: f64,
    forward: f64,
    encoding: f64,
}

/// Measures the parts of an evaluation's time. Forward passes and encoding are measured alone, on states of
/// running games; the rest of the time is the search. The reported bound is the sum of all parts.
fn split(context: &BenchContext, part: fn(&Parts) -> f64) -> Measurement {
    const WARM_UP_SECONDS: f64 = 3.0;
    let mut learner = warmed_up_learner(context, WARM_UP_SECONDS);
    let turns: Vec<Turn> = learner.turns().take(64).map(|(turn, _)| turn).collect();
    // A position needs the value head when it is created, and the policy head only if the search returns to
    // it.
    let search_counts = learner.totals().search;
    let policies_per_value = search_counts.policies as f64 / search_counts.values.max(1) as f64;
    // The mean number of states of a batch whose policy is requested.
    let policy_requests = (policies_per_value * turns.len() as f64).round() as usize;
    // Any stream of random numbers gives good weights.
    let network = Network::new(PolicyKind::Moves, Stream::new(0, 0));
    let scratch_memory =
        || (0..context.threads).map(|_| Scratch::new(&network.plan)).collect::<Vec<Scratch>>();
    let (mut encoders, mut forwarders) = (scratch_memory(), scratch_memory());
    // Forward passes run on the same inputs.
    for scratch in &mut forwarders {
        for (turn, row) in turns.iter().zip(scratch.rows()) {
            encode_turn(turn, row);
        }
    }
    let mut encode = |n: u64| {
        context.pool.for_each_state(&mut encoders, |scratch| {
            for _ in 0..n {
                for (turn, row) in turns.iter().zip(scratch.rows()) {
                    encode_turn(black_box(turn), row);
                }
            }
        });
    };
    let mut forward = |n: u64| {
        context.pool.for_each_state(&mut forwarders, |scratch| {
            let (plan, weights) = (&network.plan, &network.weights);
            let mut evaluator = NetworkEvaluator { plan, weights, scratch };
            for _ in 0..n {
                evaluator.run(turns.len());
                evaluator.run_policy(policy_requests);
            }
        });
    };
    let MeasuredSteps { samples, counts, steps } =
        measure_steps(context, &mut learner, &mut [&mut encode, &mut forward]);
    let values = counts.search.values.max(1) as f64;
    let (encoding, forward) = (samples[1], samples[2]);
    let nanoseconds_per_row = 1e9 / turns.len() as f64;
    let parts = Parts {
        all: 1e9 * context.threads as f64 / (samples[0].rate * values / steps),
        forward: nanoseconds_per_row / forward.rate,
        encoding: nanoseconds_per_row / encoding.rate,
    };
    // The unit of this bench is a time, so `rate` is one. The spread is that of self-play, which varies most.
    let sample = Sample { rate: part(&parts), spread: samples[0].spread };
    Measurement { sample, upper_bound: Some(parts.all), peer: None }
}
