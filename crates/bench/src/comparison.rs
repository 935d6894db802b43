//! Comparison of a kernel of this project with the best libraries for the same task ("peers") and with an
//! upper bound of the machine. All implementations are measured alternately (interleaved), so that
//! disturbances affect all.

use super::machine::PeakTask;
use super::measure::{Task, measure};
use super::{BenchContext, Measurement};

/// A name, and a function that executes the task once on the state `S` of one thread.
pub type Implementation<S> = (&'static str, fn(&mut S));

/// The upper bound of a task's rate.
pub enum UpperBound<S> {
    /// The machine's peak rate of multiply-adds.
    PeakArithmetic,
    /// The measured rate of a simpler task, such as copying the data.
    Task(fn(&mut S)),
}

/// Measures `ours`, the `peers` and the upper bound. Every implementation gets its own states from
/// `new_state`, one for each thread. One execution counts as `amount` of the bench's unit, which must be
/// billions of operations with [`UpperBound::PeakArithmetic`].
pub fn compare<S: Send>(
    context: &BenchContext,
    amount: f64,
    upper_bound: UpperBound<S>,
    new_state: impl Fn() -> S,
    ours: fn(&mut S),
    peers: Vec<Implementation<S>>,
) -> Measurement {
    let bound_task = match upper_bound {
        UpperBound::PeakArithmetic => None,
        UpperBound::Task(task) => Some(("upper bound", task)),
    };
    let implementations: Vec<Implementation<S>> =
        std::iter::once(("learnery", ours)).chain(peers).chain(bound_task).collect();
    let mut repeated_implementations: Vec<_> = implementations
        .iter()
        .map(|&(_, run)| {
            let mut states: Vec<S> = (0..context.threads).map(|_| new_state()).collect();
            move |iterations: u64| {
                context.pool.for_each_state(&mut states, |state| {
                    for _ in 0..iterations {
                        run(state);
                    }
                });
            }
        })
        .collect();
    let mut peak = PeakTask::new(context);
    let mut run_peak = |iterations| peak.run(context, iterations);
    let mut tasks: Vec<Task> = repeated_implementations.iter_mut().map(|task| task as Task).collect();
    if bound_task.is_none() {
        tasks.push(&mut run_peak);
    }
    let amount = amount * context.threads as f64;
    let mut samples = measure(context.clock, &mut tasks);
    // The upper bound is the last task.
    let bound_amount = if bound_task.is_none() { peak.gflop_per_iteration } else { amount };
    let upper_bound = samples.pop().map(|sample| sample.rate * bound_amount);
    let mut named_samples =
        implementations.iter().map(|(name, _)| *name).zip(samples.iter().map(|s| s.scaled(amount)));
    let ours = named_samples.next().map(|(_, sample)| sample);
    Measurement {
        sample: ours.expect("our implementation is the first"),
        upper_bound,
        // The fastest of the peers, which are all that is left.
        peer: named_samples.max_by(|x, y| x.1.rate.total_cmp(&y.1.rate)),
    }
}
