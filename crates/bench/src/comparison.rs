//! Comparison of our implementation of a task with the best libraries and with the limit, measured alternately.

use super::machine::Peak;
use super::measure::{Task, measure};
use super::{BenchContext, Measurement};

/// A name, and a function that does the task once on the state of one thread.
pub type Implementation<S> = (&'static str, fn(&mut S));

/// What limits a task.
pub enum Limit<S> {
    /// The peak of multiply-adds.
    Arithmetic,
    /// The rate of another task, such as copying the data.
    Task(fn(&mut S)),
}

/// Measures `ours` and the `peers`, each on states of its own, one for each thread. One execution is worth `amount` of the bench's
/// unit, which is billions of operations with [`Limit::Arithmetic`].
pub fn compare<S: Send>(
    context: &BenchContext,
    amount: f64,
    limit: Limit<S>,
    make: impl Fn() -> S,
    ours: fn(&mut S),
    peers: Vec<Implementation<S>>,
) -> Measurement {
    let limit_task = match limit {
        Limit::Arithmetic => None,
        Limit::Task(task) => Some(("limit", task)),
    };
    let implementations: Vec<Implementation<S>> =
        std::iter::once(("learnery", ours)).chain(peers).chain(limit_task).collect();
    let mut work: Vec<_> = implementations
        .iter()
        .map(|&(_, run)| {
            let mut states: Vec<S> = (0..context.threads).map(|_| make()).collect();
            move |iterations: u64| {
                context.pool.for_each_state(&mut states, |state| {
                    for _ in 0..iterations {
                        run(state);
                    }
                });
            }
        })
        .collect();
    let mut peak = Peak::new(context);
    let mut run_peak = |iterations| peak.run(context, iterations);
    let mut tasks: Vec<Task> = work.iter_mut().map(|task| task as Task).collect();
    if limit_task.is_none() {
        tasks.push(&mut run_peak);
    }
    let amount = amount * context.threads as f64;
    let mut samples = measure(context.clock, &mut tasks);
    let amount_of_limit = if limit_task.is_none() { peak.gflop } else { amount };
    let limit = samples.pop().map(|sample| sample.rate * amount_of_limit);
    let mut named =
        implementations.iter().map(|(name, _)| *name).zip(samples.iter().map(|s| s.scaled(amount)));
    let ours = named.next().map(|(_, sample)| sample);
    Measurement {
        sample: ours.expect("our implementation is the first"),
        limit,
        peer: named.max_by(|x, y| x.1.rate.total_cmp(&y.1.rate)),
    }
}
