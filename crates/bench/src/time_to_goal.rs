//! Time to goal: seconds of training from new weights until the goal of a preset is reached.

use learnery_lab::{Entry, Session};

use super::measure::Sample;
use super::{BenchContext, Measurement};

/// Measures the seconds until a new run of a preset reaches its goal, including the evaluations during
/// training. The result is the median over the seeds `0..seeds`. A run is stopped at the end of the unit
/// (training iteration) in which `timeout_seconds` pass, and counts with the time until then.
pub fn time_to_goal(
    context: &BenchContext,
    entry: Entry,
    preset: &str,
    seeds: u32,
    timeout_seconds: f64,
) -> Measurement {
    let settings = entry.preset(preset).expect("the preset is there");
    let seconds = (0..seeds).map(|seed| {
        let begin = (context.clock)();
        let mut session =
            Session::start(entry, &settings, seed).expect("the settings are within their ranges");
        while session.solved_at().is_none() && (context.clock)() - begin < timeout_seconds {
            context.pool.run(|| session.advance_unit());
        }
        (context.clock)() - begin
    });
    Measurement::without_comparison(Sample::from_values(seconds.collect()))
}
