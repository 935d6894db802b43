//! The losses of an epoch of training: with soft gates (mixtures of gate kinds, which are trained) and with
//! hard gates (each replaced by its most likely kind), which is what the finished circuit will do.

use crate::circuit::HardAutomaton;

/// The losses of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// Mean squared error over the shown channels of all cells.
    pub soft: f64,
    /// Fraction of the shown channels of all cells that are wrong with hard gates.
    pub hard: f64,
}

/// Runs `steps` steps with hard gates from the state that `hard` holds, and returns the fraction of the shown
/// channels of all cells that differ from `target`. `active` returns the active cells of a step; `None` means
/// all.
///
/// Shapes: `target [shown channels][cells of all grids]`.
pub fn hard_error<'a>(
    hard: &mut HardAutomaton,
    steps: usize,
    active: impl Fn(usize) -> Option<&'a [bool]>,
    target: &[Vec<bool>],
) -> f64 {
    (0..steps).for_each(|step| hard.step(active(step)));
    let wrong = target.iter().enumerate().map(|(channel, target)| {
        hard.channel(channel).zip(target).filter(|(value, target)| value != *target).count()
    });
    wrong.sum::<usize>() as f64 / target.iter().map(Vec::len).sum::<usize>() as f64
}
