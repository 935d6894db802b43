//! The results of a sweep: a table by configuration, and every run as a line of CSV. Neither contains a time,
//! so a sweep that was interrupted ends with the same files as one that was not.

use learnery_lab::{Better, Session};

use super::Configuration;

/// The result of a completed run.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletedRun {
    /// The index of its configuration in the sweep.
    pub configuration: usize,
    pub seed: u32,
    /// Completed units (training iterations).
    pub units: u64,
    /// The work of all units, in what the lab counts, such as positions.
    pub work: u64,
    /// The number of completed units when the goal was first reached.
    pub solved_at: Option<u64>,
    /// The last measured value of the metric of the goal; NaN if it was never measured.
    pub value: f64,
    /// The metric of the goal by units, thinned.
    pub curve: Vec<(u64, f64)>,
    /// The fingerprint of the run at its end, a hash of all that continues it.
    pub fingerprint: String,
    /// Whether the run was stopped before its end, because others were better.
    pub is_dropped: bool,
}

/// The most points that a run's curve is thinned to.
const MAX_CURVE_POINTS: usize = 160;

impl CompletedRun {
    /// Reads the result from the session of a completed run. `configuration` is the index of the run's
    /// configuration, `metric` the name of the goal's metric, `fingerprint` that of the run's last
    /// checkpoint.
    pub fn of(session: &Session, configuration: usize, metric: &str, fingerprint: String) -> Self {
        let specs = session.entry().about.metrics;
        let column = specs.iter().position(|spec| spec.name == metric);
        let column = column.and_then(|i| session.history().columns().get(i));
        let units = session.history().units().iter().copied();
        let measured: Vec<(u64, f64)> =
            units.zip(column.into_iter().flatten().copied()).filter(|(_, value)| !value.is_nan()).collect();
        Self {
            configuration,
            seed: session.seed(),
            units: session.units(),
            work: session.work(),
            solved_at: session.solved_at(),
            value: measured.last().map_or(f64::NAN, |(_, value)| *value),
            curve: thinned(&measured),
            fingerprint,
            is_dropped: false,
        }
    }
}

/// Some of the points, evenly spaced, the first and the last among them.
fn thinned(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let last = points.len().saturating_sub(1);
    if last < MAX_CURVE_POINTS {
        return points.to_vec();
    }
    (0..MAX_CURVE_POINTS).map(|i| points[i * last / (MAX_CURVE_POINTS - 1)]).collect()
}

/// The quartiles of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

/// The quartiles, by linear interpolation between the two nearest numbers. NaN is left out; `None` if nothing
/// is left.
pub fn quartiles(values: impl IntoIterator<Item = f64>) -> Option<Quartiles> {
    let mut values: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let quantile = |fraction: f64| {
        let place = fraction * last as f64;
        let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
        // Equal numbers are not interpolated, because the difference of infinite ones is NaN.
        if below == above { below } else { below + (above - below) * place.fract() }
    };
    Some(Quartiles { lower: quantile(0.25), median: quantile(0.5), upper: quantile(0.75) })
}

/// The completed runs of one configuration together.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub label: String,
    pub runs: usize,
    pub solved: usize,
    /// Units to the goal; infinite where it was not reached.
    pub units_to_goal: Option<Quartiles>,
    /// The last values of the metric of the goal.
    pub value: Option<Quartiles>,
    /// The units of the longest run.
    pub units: u64,
    /// Whether the runs were stopped before their end, because others were better.
    pub is_dropped: bool,
}

/// The completed runs by configuration, in the order of the configurations.
pub fn summarise(configurations: &[Configuration], completed: &[CompletedRun]) -> Vec<Summary> {
    let summary = |(i, configuration): (usize, &Configuration)| {
        let runs = || completed.iter().filter(move |run| run.configuration == i);
        let to_goal = |run: &CompletedRun| run.solved_at.map_or(f64::INFINITY, |unit| unit as f64);
        Summary {
            label: configuration.label(),
            runs: runs().count(),
            solved: runs().filter(|run| run.solved_at.is_some()).count(),
            units_to_goal: quartiles(runs().map(to_goal)),
            value: quartiles(runs().map(|run| run.value)),
            units: runs().map(|run| run.units).max().unwrap_or(0),
            is_dropped: runs().any(|run| run.is_dropped),
        }
    };
    configurations.iter().enumerate().map(summary).collect()
}

/// The best combination of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The index of the configuration.
    pub configuration: usize,
    /// Why it is the best, as a sentence.
    pub sentence: String,
}

/// The configuration of which the largest share of runs reached the goal. Ties are broken by the fewest units
/// to the goal, then by the best value at the end, both by the median; of equal configurations the first is
/// taken. Configurations that were stopped before the end are worse than all others. `None` if no
/// configuration is worse than another.
pub fn find_best(summaries: &[Summary], metric: &str, better: Better) -> Option<Best> {
    let share = |summary: &Summary| summary.solved as f64 / summary.runs.max(1) as f64;
    let units = |summary: &Summary| summary.units_to_goal.map_or(f64::INFINITY, |units| units.median);
    // The larger, the better.
    let value = |summary: &Summary| {
        let median = summary.value.map(|value| value.median).filter(|median| median.is_finite());
        median.map_or(f64::NEG_INFINITY, |median| if better == Better::Lower { -median } else { median })
    };
    let with_runs =
        || summaries.iter().enumerate().filter(|(_, summary)| summary.runs > 0 && !summary.is_dropped);
    let is_better = |a: &Summary, b: &Summary| {
        // A larger share is better, but fewer units are: hence the reversed order of the second comparison.
        let order = share(a).total_cmp(&share(b)).then(units(b).total_cmp(&units(a)));
        order
            .then(if better == Better::Neither {
                std::cmp::Ordering::Equal
            } else {
                value(a).total_cmp(&value(b))
            })
            .is_gt()
    };
    let (configuration, best) =
        with_runs().reduce(|best, next| if is_better(next.1, best.1) { next } else { best })?;
    if !with_runs().any(|(_, other)| is_better(best, other)) {
        // The last that is left of a complete sweep.
        let is_last = with_runs().count() == 1 && summaries.iter().all(|summary| summary.runs > 0);
        let sentence = format!(
            "Best settings: {}; the others were stopped earlier, because their {metric} was worse.",
            best.label
        );
        return (is_last && summaries.len() > 1).then_some(Best { configuration, sentence });
    }
    let Summary { label, runs, solved, .. } = best;
    let superlative = if better == Better::Lower { "lowest" } else { "highest" };
    let median_value = best.value.map_or(f64::NAN, |value| value.median);
    let is_tied = with_runs().any(|(i, other)| i != configuration && share(other) == share(best));
    let is_chosen_by_value = better != Better::Neither && median_value.is_finite();
    let why = match (solved, units(best)) {
        (0, _) => {
            format!(
                "no run reached the goal; its median {metric} at the end is the {superlative}, {median_value}"
            )
        }
        (_, median) if median.is_finite() => {
            format!("{solved} of {runs} runs reached the goal, at the median after {median} units")
        }
        _ if !is_tied => format!("{solved} of {runs} runs reached the goal, more than with any other"),
        _ if is_chosen_by_value => format!(
            "{solved} of {runs} runs reached the goal, no fewer than with any other, and its median {metric} at the end is the \
             {superlative} of these, {median_value}"
        ),
        _ => format!("{solved} of {runs} runs reached the goal, no fewer than with any other"),
    };
    Some(Best { configuration, sentence: format!("Best settings: {label}; {why}.") })
}

/// Every run as a line of CSV, in the order of settings and seeds. `metric` is the name of the metric of the
/// goal.
pub fn csv(configurations: &[Configuration], completed: &[CompletedRun], metric: &str) -> String {
    let varied = configurations.first().map_or(&[][..], |configuration| &configuration.varied);
    let names = varied.iter().map(|(name, _)| name.as_str());
    let fixed = ["seed", "units", "work", "solved_at", metric, "fingerprint"];
    let mut lines = vec![names.chain(fixed).map(quoted).collect::<Vec<_>>().join(",")];
    let mut completed: Vec<&CompletedRun> = completed.iter().collect();
    completed.sort_unstable_by_key(|run| (run.configuration, run.seed));
    for run in completed {
        let value = if run.value.is_nan() { String::new() } else { run.value.to_string() };
        let numbers = [
            run.seed.to_string(),
            run.units.to_string(),
            run.work.to_string(),
            run.solved_at.map(|unit| unit.to_string()).unwrap_or_default(),
            value,
            run.fingerprint.clone(),
        ];
        let settings = configurations[run.configuration].varied.iter().map(|(_, value)| quoted(value));
        lines.push(settings.chain(numbers).collect::<Vec<_>>().join(","));
    }
    lines.join("\n") + "\n"
}

/// A cell of CSV (RFC 4180).
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::parse_configurations;

    fn run(configuration: usize, seed: u32, solved_at: Option<u64>, value: f64) -> CompletedRun {
        CompletedRun {
            configuration,
            seed,
            units: 9,
            work: 90,
            solved_at,
            value,
            curve: Vec::new(),
            fingerprint: "f00d".into(),
            is_dropped: false,
        }
    }

    #[test]
    fn quartiles_interpolate_and_survive_runs_without_an_end() {
        let found = quartiles([4.0, 1.0, f64::NAN, 2.0, 3.0]);
        assert_eq!(found, Some(Quartiles { lower: 1.75, median: 2.5, upper: 3.25 }));
        let inf = f64::INFINITY;
        assert_eq!(quartiles([inf, 5.0, inf]), Some(Quartiles { lower: inf, median: inf, upper: inf }));
        assert_eq!(quartiles([5.0, 7.0, inf]).map(|q| q.median), Some(7.0));
        assert_eq!(quartiles([f64::NAN]), None);
    }

    #[test]
    fn best_settings_reach_the_goal_most_often_then_soonest_then_with_the_best_values() {
        let configurations = parse_configurations(&["a=1,2".into()]).expect("good settings");
        let best = |completed: &[CompletedRun], better| {
            find_best(&summarise(&configurations, completed), "loss", better)
        };
        let often =
            best(&[run(0, 0, Some(2), 0.0), run(0, 1, None, 0.0), run(1, 0, Some(9), 0.0)], Better::Lower);
        assert_eq!(often.map(|best| best.configuration), Some(1));
        let soon =
            best(&[run(0, 0, Some(2), 1.0), run(1, 0, Some(9), 0.0)], Better::Lower).expect("a choice");
        assert_eq!(
            soon.sentence,
            "Best settings: a=1; 1 of 1 runs reached the goal, at the median after 2 units."
        );
        let low = best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Lower).expect("a choice");
        assert!(
            low.configuration == 1 && low.sentence.contains("median loss at the end is the lowest, 0.5"),
            "{low:?}"
        );
        assert_eq!(
            best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Higher).map(|b| b.configuration),
            Some(0)
        );
        assert_eq!(best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Neither), None);
        assert_eq!(best(&[run(0, 0, None, 1.0), run(1, 0, None, 1.0)], Better::Lower), None);
        assert_eq!(best(&[run(0, 0, None, 1.0)], Better::Lower), None);
    }

    /// Each reached the goal in one of three runs, so neither did more often and the values decide.
    #[test]
    fn best_settings_of_equal_shares_do_not_claim_to_reach_the_goal_more_often() {
        let configurations = parse_configurations(&["a=1,2,3".into()]).expect("good settings");
        let completed = [
            run(0, 0, Some(2), 1.0),
            run(0, 1, None, 1.0),
            run(0, 2, None, 1.0),
            run(1, 0, Some(9), 0.5),
            run(1, 1, None, 0.5),
            run(1, 2, None, 0.5),
            run(2, 0, None, 0.0),
        ];
        let sentence = |completed: &[CompletedRun], better| {
            find_best(&summarise(&configurations, completed), "loss", better).expect("a choice").sentence
        };
        assert_eq!(
            sentence(&completed, Better::Lower),
            "Best settings: a=2; 1 of 3 runs reached the goal, no fewer than with any other, and its median loss \
             at the end is the lowest of these, 0.5."
        );
        assert_eq!(
            sentence(&completed, Better::Neither),
            "Best settings: a=1; 1 of 3 runs reached the goal, no fewer than with any other."
        );
        assert_eq!(
            sentence(&[&completed[..3], &completed[6..]].concat(), Better::Lower),
            "Best settings: a=1; 1 of 3 runs reached the goal, more than with any other."
        );
    }

    #[test]
    fn settings_that_were_stopped_early_are_never_the_best() {
        let configurations = parse_configurations(&["a=1,2,3".into()]).expect("good settings");
        let dropped = |configuration, value| CompletedRun {
            is_dropped: true,
            units: 3,
            ..run(configuration, 0, None, value)
        };
        let best = |completed: &[CompletedRun]| {
            find_best(&summarise(&configurations, completed), "loss", Better::Lower)
        };
        let last = best(&[dropped(0, 0.1), run(1, 0, None, 0.5), dropped(2, 0.1)]).expect("a choice");
        assert_eq!(
            last.sentence,
            "Best settings: a=2; the others were stopped earlier, because their loss was worse."
        );
        let two = best(&[dropped(0, 0.1), run(1, 0, None, 0.5), run(2, 0, None, 0.4)]).expect("a choice");
        assert_eq!(two.configuration, 2);
        // Not all have ended yet.
        assert_eq!(best(&[dropped(0, 0.1), run(1, 0, None, 0.5)]), None);
        let summaries = summarise(&configurations, &[dropped(0, 0.1)]);
        assert_eq!((summaries[0].units, summaries[0].is_dropped, summaries[1].units), (3, true, 0));
    }

    #[test]
    fn curves_are_thinned_and_keep_their_ends() {
        let points: Vec<(u64, f64)> = (0..1000).map(|i| (i, i as f64)).collect();
        let curve = thinned(&points);
        assert_eq!((curve.len(), curve[0].0, curve[MAX_CURVE_POINTS - 1].0), (MAX_CURVE_POINTS, 0, 999));
        assert_eq!(thinned(&points[..MAX_CURVE_POINTS]), points[..MAX_CURVE_POINTS]);
        assert!(thinned(&[]).is_empty());
    }

    #[test]
    fn runs_are_put_together_by_their_settings() {
        let configurations = parse_configurations(&["a=1,2".into()]).expect("good settings");
        let completed = [run(1, 0, None, 0.5), run(0, 1, Some(6), 3.0), run(0, 0, Some(4), 1.0)];
        let summaries = summarise(&configurations, &completed);
        assert_eq!((summaries[0].runs, summaries[0].solved), (2, 2));
        assert_eq!(summaries[0].units_to_goal.map(|q| q.median), Some(5.0));
        assert_eq!(
            (summaries[1].solved, summaries[1].units_to_goal.map(|q| q.lower)),
            (0, Some(f64::INFINITY))
        );
        assert_eq!(
            csv(&configurations, &completed, "return"),
            "a,seed,units,work,solved_at,return,fingerprint\n\
             1,0,9,90,4,1,f00d\n1,1,9,90,6,3,f00d\n2,0,9,90,,0.5,f00d\n"
        );
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
