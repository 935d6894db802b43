//! From nothing to the goal: how long it takes.

use learnery_lab::{Entry, Session};

use super::measure::Sample;
use super::{Machine, Outcome};

/// Seconds from a fresh agent to the goal of a preset, the lab's own examinations included: the median over so many seeds.
/// A run that takes `longest` seconds counts as that.
pub fn solve(machine: &Machine, entry: Entry, preset: &str, seeds: u32, longest: f64) -> Outcome {
    let settings = entry.preset(preset).expect("the preset is there");
    let seconds = (0..seeds).map(|seed| {
        let begin = (machine.clock)();
        let mut session =
            Session::start(entry, &settings, seed).expect("the settings are within their ranges");
        while session.solved_at().is_none() && (machine.clock)() - begin < longest {
            machine.pool.run(|| session.advance_unit());
        }
        (machine.clock)() - begin
    });
    Outcome { sample: Sample::middle(seconds.collect()), limit: None, peer: None }
}
