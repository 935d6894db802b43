//! The losses of an epoch, with soft gates and with hard ones.

use crate::automaton::Network;
use crate::circuit::HardAutomaton;

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Mean squared error over the shown channels of all cells.
    pub soft: f64,
    /// Fraction of the shown channels of all cells that are wrong with hard gates.
    pub hard: f64,
}

/// Runs `steps` steps with hard gates and returns the fraction of shown cells that are wrong. `active` returns the active
/// cells of a step; `None` means all.
pub fn hard_error<'a>(
    hard: &mut HardAutomaton,
    network: &Network,
    steps: usize,
    active: impl Fn(usize) -> Option<&'a [bool]>,
    target: &[Vec<bool>],
) -> f64 {
    network.discretise_into(hard);
    (0..steps).for_each(|step| hard.step(active(step)));
    let wrong = target.iter().enumerate().map(|(channel, target)| {
        hard.channel(channel).zip(target).filter(|(value, target)| value != *target).count()
    });
    wrong.sum::<usize>() as f64 / target.iter().map(Vec::len).sum::<usize>() as f64
}
