//! Time to goal: from a new learner to the goal of a preset.

use learnery_lab::{Entry, Session};

use super::measure::Sample;
use super::{BenchContext, Measurement};

/// Seconds until a new run of a preset reaches its goal, the lab's own evaluations included: the median over `seeds` runs. Runs
/// are stopped after `timeout` seconds and then count as that.
pub fn time_to_goal(
    context: &BenchContext,
    entry: Entry,
    preset: &str,
    seeds: u32,
    timeout: f64,
) -> Measurement {
    let settings = entry.preset(preset).expect("the preset is there");
    let seconds = (0..seeds).map(|seed| {
        let begin = (context.clock)();
        let mut session =
            Session::start(entry, &settings, seed).expect("the settings are within their ranges");
        while session.solved_at().is_none() && (context.clock)() - begin < timeout {
            context.pool.run(|| session.advance_unit());
        }
        (context.clock)() - begin
    });
    Measurement { sample: Sample::from_figures(seconds.collect()), limit: None, peer: None }
}
