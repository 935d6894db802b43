//! What the runs of a sweep came to: a table by settings, and every run as CSV. Neither has a time in it, so
//! a sweep that was interrupted ends with the same files as one that was not.

use learnery_lab::{Better, Session};

use super::Point;

/// A run that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The index of its settings among the points.
    pub point: usize,
    pub seed: u32,
    pub units: u64,
    pub work: u64,
    /// The number of completed units when the goal was first reached.
    pub solved_at: Option<u64>,
    /// The last value of the metric of the goal; NaN if it was never measured.
    pub value: f64,
    /// The metric of the goal by units, thinned.
    pub curve: Vec<(u64, f64)>,
    pub fingerprint: String,
}

/// The most points of a run's curve.
const CURVE: usize = 160;

impl Ended {
    /// What a run came to whose settings are those of `point`. `metric` is the name of the metric of the
    /// goal, `fingerprint` that of its last checkpoint.
    pub fn of(session: &Session, point: usize, metric: &str, fingerprint: String) -> Self {
        let specs = session.entry().about.metrics;
        let column = specs.iter().position(|spec| spec.name == metric);
        let column = column.and_then(|i| session.history().columns().get(i));
        let units = session.history().units().iter().copied();
        let measured: Vec<(u64, f64)> =
            units.zip(column.into_iter().flatten().copied()).filter(|(_, value)| !value.is_nan()).collect();
        Self {
            point,
            seed: session.seed(),
            units: session.units(),
            work: session.work(),
            solved_at: session.solved_at(),
            value: measured.last().map_or(f64::NAN, |(_, value)| *value),
            curve: thinned(&measured),
            fingerprint,
        }
    }
}

/// Some of the points, evenly spaced, the first and the last among them.
fn thinned(points: &[(u64, f64)]) -> Vec<(u64, f64)> {
    let last = points.len().saturating_sub(1);
    if last < CURVE {
        return points.to_vec();
    }
    (0..CURVE).map(|i| points[i * last / (CURVE - 1)]).collect()
}

/// The quartiles of some numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    pub lower: f64,
    pub median: f64,
    pub upper: f64,
}

/// The quartiles by linear interpolation between the two nearest numbers; `None` of no numbers. NaN does not
/// count.
pub fn quartiles(values: impl IntoIterator<Item = f64>) -> Option<Quartiles> {
    let mut values: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    let at = |fraction: f64| {
        let place = fraction * last as f64;
        let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
        // Between equal numbers, infinite ones too, nothing is interpolated.
        if below == above { below } else { below + (above - below) * place.fract() }
    };
    Some(Quartiles { lower: at(0.25), median: at(0.5), upper: at(0.75) })
}

/// The runs of one point together.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub label: String,
    pub runs: usize,
    pub solved: usize,
    /// Units to the goal; infinite where it was not reached.
    pub units_to_goal: Option<Quartiles>,
    /// The last values of the metric of the goal.
    pub value: Option<Quartiles>,
}

/// The runs by their settings.
pub fn summaries(points: &[Point], ended: &[Ended]) -> Vec<Summary> {
    let summary = |(i, point): (usize, &Point)| {
        let runs = || ended.iter().filter(move |run| run.point == i);
        let to_goal = |run: &Ended| run.solved_at.map_or(f64::INFINITY, |unit| unit as f64);
        Summary {
            label: point.label(),
            runs: runs().count(),
            solved: runs().filter(|run| run.solved_at.is_some()).count(),
            units_to_goal: quartiles(runs().map(to_goal)),
            value: quartiles(runs().map(|run| run.value)),
        }
    };
    points.iter().enumerate().map(summary).collect()
}

/// The best combination of settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Its index.
    pub point: usize,
    /// Why it is the best, as a sentence.
    pub sentence: String,
}

/// The combination whose runs reached the goal most often; of several, the one that needed the fewest units,
/// or else the one with the best values at the end, all by the median. `None` if there is nothing to choose,
/// or nothing to choose by.
pub fn best(summaries: &[Summary], metric: &str, better: Better) -> Option<Best> {
    let share = |summary: &Summary| summary.solved as f64 / summary.runs.max(1) as f64;
    let units = |summary: &Summary| summary.units_to_goal.map_or(f64::INFINITY, |units| units.median);
    let value = |summary: &Summary| {
        let median = summary.value.map(|value| value.median).filter(|median| median.is_finite());
        median.map_or(f64::NEG_INFINITY, |median| if better == Better::Lower { -median } else { median })
    };
    let with_runs = || summaries.iter().enumerate().filter(|(_, summary)| summary.runs > 0);
    let is_better = |a: &Summary, b: &Summary| {
        let order = share(a).total_cmp(&share(b)).then(units(b).total_cmp(&units(a)));
        order
            .then(if better == Better::Neither {
                std::cmp::Ordering::Equal
            } else {
                value(a).total_cmp(&value(b))
            })
            .is_gt()
    };
    let (point, best) = with_runs().reduce(|a, b| if is_better(b.1, a.1) { b } else { a })?;
    if !with_runs().any(|(_, other)| is_better(best, other)) {
        return None;
    }
    let Summary { label, runs, solved, .. } = best;
    let why = match (solved, units(best)) {
        (0, _) => {
            let which = if better == Better::Lower { "lowest" } else { "highest" };
            let median = best.value.map_or(f64::NAN, |value| value.median);
            format!("no run reached the goal; its median {metric} at the end is the {which}, {median}")
        }
        (_, median) if median.is_finite() => {
            format!("{solved} of {runs} runs reached the goal, at the median after {median} units")
        }
        _ => format!("{solved} of {runs} runs reached the goal, more than with any other"),
    };
    Some(Best { point, sentence: format!("Best settings: {label}; {why}.") })
}

/// Every run as a line of CSV, in the order of settings and seeds. `metric` is the name of the metric of the
/// goal.
pub fn csv(points: &[Point], ended: &[Ended], metric: &str) -> String {
    let varied = points.first().map_or(&[][..], |point| &point.varied);
    let names = varied.iter().map(|(name, _)| name.as_str());
    let fixed = ["seed", "units", "work", "solved_at", metric, "fingerprint"];
    let mut lines = vec![names.chain(fixed).map(quoted).collect::<Vec<_>>().join(",")];
    let mut ended: Vec<&Ended> = ended.iter().collect();
    ended.sort_unstable_by_key(|run| (run.point, run.seed));
    for run in ended {
        let value = if run.value.is_nan() { String::new() } else { run.value.to_string() };
        let numbers = [
            run.seed.to_string(),
            run.units.to_string(),
            run.work.to_string(),
            run.solved_at.map(|unit| unit.to_string()).unwrap_or_default(),
            value,
            run.fingerprint.clone(),
        ];
        let settings = points[run.point].varied.iter().map(|(_, value)| quoted(value));
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
    use crate::sweep::points;

    fn run(point: usize, seed: u32, solved_at: Option<u64>, value: f64) -> Ended {
        Ended {
            point,
            seed,
            units: 9,
            work: 90,
            solved_at,
            value,
            curve: Vec::new(),
            fingerprint: "f00d".into(),
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
        let points = points(&["a=1,2".into()]).expect("good settings");
        let best = |ended: &[Ended], better| best(&summaries(&points, ended), "loss", better);
        let often =
            best(&[run(0, 0, Some(2), 0.0), run(0, 1, None, 0.0), run(1, 0, Some(9), 0.0)], Better::Lower);
        assert_eq!(often.map(|best| best.point), Some(1));
        let soon =
            best(&[run(0, 0, Some(2), 1.0), run(1, 0, Some(9), 0.0)], Better::Lower).expect("a choice");
        assert_eq!(
            soon.sentence,
            "Best settings: a=1; 1 of 1 runs reached the goal, at the median after 2 units."
        );
        let low = best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Lower).expect("a choice");
        assert!(
            low.point == 1 && low.sentence.contains("median loss at the end is the lowest, 0.5"),
            "{low:?}"
        );
        assert_eq!(
            best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Higher).map(|b| b.point),
            Some(0)
        );
        assert_eq!(best(&[run(0, 0, None, 1.0), run(1, 0, None, 0.5)], Better::Neither), None);
        assert_eq!(best(&[run(0, 0, None, 1.0), run(1, 0, None, 1.0)], Better::Lower), None);
        assert_eq!(best(&[run(0, 0, None, 1.0)], Better::Lower), None);
    }

    #[test]
    fn curves_are_thinned_and_keep_their_ends() {
        let points: Vec<(u64, f64)> = (0..1000).map(|i| (i, i as f64)).collect();
        let curve = thinned(&points);
        assert_eq!((curve.len(), curve[0].0, curve[CURVE - 1].0), (CURVE, 0, 999));
        assert_eq!(thinned(&points[..CURVE]), points[..CURVE]);
        assert!(thinned(&[]).is_empty());
    }

    #[test]
    fn runs_are_put_together_by_their_settings() {
        let points = points(&["a=1,2".into()]).expect("good settings");
        let ended = [run(1, 0, None, 0.5), run(0, 1, Some(6), 3.0), run(0, 0, Some(4), 1.0)];
        let summaries = summaries(&points, &ended);
        assert_eq!((summaries[0].runs, summaries[0].solved), (2, 2));
        assert_eq!(summaries[0].units_to_goal.map(|q| q.median), Some(5.0));
        assert_eq!(
            (summaries[1].solved, summaries[1].units_to_goal.map(|q| q.lower)),
            (0, Some(f64::INFINITY))
        );
        assert_eq!(
            csv(&points, &ended, "return"),
            "a,seed,units,work,solved_at,return,fingerprint\n\
             1,0,9,90,4,1,f00d\n1,1,9,90,6,3,f00d\n2,0,9,90,,0.5,f00d\n"
        );
        assert_eq!(quoted("a \"b\", c"), "\"a \"\"b\"\", c\"");
    }
}
