//! A task done by us and by the best libraries for it, measured in turns with what limits it.

use super::machine::Peak;
use super::measure::{Task, measure};
use super::{Machine, Outcome};

/// One way to do a task once, on the state of one thread.
pub type Runner<S> = (&'static str, fn(&mut S));

/// What limits a task.
pub enum Limit<S> {
    /// Arithmetic: all the multiply-adds that this machine can do.
    Arithmetic,
    /// Another task, as often as it can be done.
    Task(fn(&mut S)),
}

/// Lets ours and the `others` run, each on states of its own, one for each thread. A turn is worth `amount` of the
/// bench's unit; of [`Limit::Arithmetic`], that is billions of operations.
pub fn race<S: Send>(
    machine: &Machine,
    amount: f64,
    limit: Limit<S>,
    make: impl Fn() -> S,
    ours: fn(&mut S),
    others: Vec<Runner<S>>,
) -> Outcome {
    let limiting = match limit {
        Limit::Arithmetic => None,
        Limit::Task(task) => Some(("limit", task)),
    };
    let runners: Vec<Runner<S>> = std::iter::once(("learnery", ours)).chain(others).chain(limiting).collect();
    let mut work: Vec<_> = runners
        .iter()
        .map(|&(_, run)| {
            let mut states: Vec<S> = (0..machine.threads).map(|_| make()).collect();
            move |turns: u64| {
                machine.pool.on_each(&mut states, |state| {
                    for _ in 0..turns {
                        run(state);
                    }
                });
            }
        })
        .collect();
    let mut peak = Peak::of(machine);
    let mut peak_work = |turns| peak.work(machine, turns);
    let mut tasks: Vec<Task> = work.iter_mut().map(|task| task as Task).collect();
    if limiting.is_none() {
        tasks.push(&mut peak_work);
    }
    let amount = amount * machine.threads as f64;
    let mut samples = measure(machine.clock, &mut tasks);
    let of_limit = if limiting.is_none() { peak.gflop } else { amount };
    let limit = samples.pop().map(|sample| sample.rate * of_limit);
    let mut named = runners.iter().map(|(name, _)| *name).zip(samples.iter().map(|s| s.scaled(amount)));
    let ours = named.next().map(|(_, sample)| sample);
    Outcome {
        sample: ours.expect("ours is the first"),
        limit,
        peer: named.max_by(|x, y| x.1.rate.total_cmp(&y.1.rate)),
    }
}
