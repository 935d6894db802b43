//! Self-play of the AlphaZero learner of backgammon with a network that has learned nothing: games, evaluations, and what
//! an evaluation's time goes into.

use std::hint::black_box;

use learnery_lab::Budget;
use learnery_search::Turn;

use super::measure::{Sample, measure, measure_one};
use super::networks::forward_64;
use super::{Bench, Machine, Outcome};
use crate::backgammon::az::{AlphaZero, Dials, Judge, Tally, Work, see};

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
fn players(machine: &Machine, seconds: f64) -> AlphaZero {
    /// More than anybody waits for: no unit ends.
    const TURNS: u32 = 1 << 20;
    let games = 64 * machine.threads.max(2);
    let dials = Dials { games, turns: TURNS, reuse: 0.0, memory: 1, ..Dials::default() };
    let mut run = AlphaZero::new(dials, 0);
    let begin = (machine.clock)();
    loop {
        machine.pool.run(|| run.advance(&mut Budget::steps(8)));
        if (machine.clock)() - begin >= seconds {
            return run;
        }
    }
}

/// Steps a second, and the tallies before and after with the number of steps in between.
fn play(
    machine: &Machine,
    run: &mut AlphaZero,
    forward: Option<&mut dyn FnMut(u64)>,
) -> (Vec<Sample>, Tally, f64) {
    let (before, mut steps) = (run.totals(), 0);
    let mut task = |turns| {
        machine.pool.run(|| run.advance(&mut Budget::steps(turns)));
        steps += turns;
    };
    let samples = match forward {
        Some(forward) => measure(machine.clock, &mut [&mut task, forward]),
        None => vec![measure_one(machine.clock, &mut task)],
    };
    (samples, run.totals().since(&before), steps as f64)
}

fn games(machine: &Machine) -> Outcome {
    /// Long enough for long games to end too.
    const SECONDS: f64 = 12.0;
    let mut run = players(machine, SECONDS);
    let (samples, tally, steps) = play(machine, &mut run, None);
    let ended = run.totals();
    // Turns of a whole game; where none ended they count as one.
    let turns_of_game = ended.turns.max(1) as f64 / ended.games.max(1) as f64;
    let turns_of_step = tally.made.max(1) as f64 / steps;
    Outcome { sample: samples[0].scaled(60.0 * turns_of_step / turns_of_game), limit: None, peer: None }
}

fn evaluations(machine: &Machine) -> Outcome {
    const SECONDS: f64 = 3.0;
    let mut run = players(machine, SECONDS);
    let (mut forward, rows) = forward_64(machine);
    let (samples, tally, steps) = play(machine, &mut run, Some(&mut forward));
    let per_step = tally.counts.values as f64 / steps;
    let limit = samples[1].rate * rows as f64;
    Outcome { sample: samples[0].scaled(per_step), limit: Some(limit), peer: None }
}

/// Nanoseconds of one thread for each evaluation.
struct Parts {
    all: f64,
    forward: f64,
    encoding: f64,
}

/// Forward and encoding are measured by themselves, with the turns that are on the tables; what is left is the search.
fn split(machine: &Machine, part: fn(&Parts) -> f64) -> Outcome {
    const SECONDS: f64 = 3.0;
    let mut run = players(machine, SECONDS);
    let turns: Vec<Turn> = run.turns().take(64).map(|(turn, _)| turn).collect();
    let (samples, tally, steps) = play(machine, &mut run, None);
    let values = tally.counts.values.max(1) as f64;
    let policies = tally.counts.policies as f64 / values;
    let network = run.network();
    let mut works: Vec<Work> = (0..machine.threads).map(|_| Work::new(&network.plan)).collect();
    let mut encode = |n: u64| {
        machine.pool.on_each(&mut works, |work| {
            for _ in 0..n {
                for (turn, row) in turns.iter().zip(work.rows()) {
                    see(black_box(turn), row);
                }
            }
        });
    };
    let encoding = measure_one(machine.clock, &mut encode);
    let mut forward = |n: u64| {
        machine.pool.on_each(&mut works, |work| {
            let mut judge = Judge { plan: &network.plan, weights: &network.weights, work };
            for i in 0..n {
                judge.run(turns.len());
                // Of every hundred states so many are asked for a policy.
                if (i as f64 * policies).fract() + policies >= 1.0 {
                    judge.run_policy(turns.len());
                }
            }
        });
    };
    let forward = measure_one(machine.clock, &mut forward);
    let per_row = 1e9 / turns.len() as f64;
    let parts = Parts {
        all: 1e9 * machine.threads as f64 / (samples[0].rate * values / steps),
        forward: per_row / forward.rate,
        encoding: per_row / encoding.rate,
    };
    let sample = Sample { rate: part(&parts), spread: samples[0].spread };
    Outcome { sample, limit: Some(parts.all), peer: None }
}
