//! Random combinations of settings: points drawn from lists and ranges of values.

use std::collections::BTreeSet;

use learnery_lab::fleet::digest;

use super::plan::{Axis, Configuration, MAX_RUNS, Values, parse_axes};

/// Draws for each combination that is wanted, after which the ranges are taken to hold no further ones.
const MAX_DRAWS_PER_POINT: u64 = 1000;

/// Random combinations of the values of settings, of which none comes twice. Each of `sets` is `name=value`,
/// `name=value,value,...`, `name=low..high`, or `name=low..high:log`, whose values are spread evenly over
/// their logarithms. The first of more combinations are those of fewer.
pub fn random_configurations(sets: &[String], count: u32, seed: u32) -> Result<Vec<Configuration>, String> {
    let axes = parse_axes(sets)?;
    if count as usize > MAX_RUNS {
        return Err(format!("--random {count}: these are more than {MAX_RUNS} combinations of settings"));
    }
    let too_few = |found: u64| {
        Err(format!("--random {count}: the settings have only {found} different combinations; add values"))
    };
    let counts = axes.iter().map(|axis| axis.values.count());
    // `None` if a range has more values than can be counted.
    let possible = counts.reduce(|all, count| all?.checked_mul(count?)).unwrap_or(Some(1));
    if let Some(possible) = possible.filter(|possible| *possible < u64::from(count)) {
        return too_few(possible);
    }
    let (mut drawn, mut configurations) = (BTreeSet::new(), Vec::new());
    for draw in 0..MAX_DRAWS_PER_POINT * u64::from(count) {
        if configurations.len() == count as usize {
            break;
        }
        let mut configuration = Configuration { assignments: Vec::new(), varied: Vec::new() };
        for axis in &axes {
            configuration.add(axis, &axis.values.pick(uniform(seed, draw, axis.name)));
        }
        if drawn.insert(configuration.label()) {
            configurations.push(configuration);
        }
    }
    if configurations.len() < count as usize {
        return too_few(configurations.len() as u64);
    }
    Ok(configurations)
}

/// A random number from 0 to 1, without 1, that depends only on the arguments.
fn uniform(seed: u32, draw: u64, name: &str) -> f64 {
    let hash = digest(&[&seed.to_le_bytes()[..], &draw.to_le_bytes(), name.as_bytes()].concat());
    let bits = hash[..8].iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    // A float has 53 bits.
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

impl Values<'_> {
    /// How many different values there are; `None` if they cannot be counted.
    fn count(&self) -> Option<u64> {
        match self {
            Self::List(values) => Some(values.len() as u64),
            Self::Range { low, high, is_whole: true, .. } => Some((high - low) as u64 + 1),
            Self::Range { .. } => None,
        }
    }

    /// The value at a fraction of the list or range.
    fn pick(&self, fraction: f64) -> String {
        match *self {
            Self::List(ref values) => values[(fraction * values.len() as f64) as usize].into(),
            Self::Range { low, high, is_whole, is_log } => {
                // Of whole numbers, every one gets the piece up to the next.
                let end = if is_whole { high + 1.0 } else { high };
                let value = if is_log {
                    (low.ln() + fraction * (end.ln() - low.ln())).exp()
                } else {
                    low + fraction * (end - low)
                };
                let rounded = if is_whole { value.floor() } else { rounded(value) };
                rounded.clamp(low, high).to_string()
            }
        }
    }
}

/// A number with four digits, so that the names of folders stay short.
fn rounded(value: f64) -> f64 {
    // A formatted number is a number.
    format!("{value:.3e}").parse().unwrap_or(value)
}

impl Configuration {
    /// Adds a setting with its value.
    fn add(&mut self, axis: &Axis, value: &str) {
        self.assignments.push(format!("{}={value}", axis.name));
        if axis.values.count() != Some(1) {
            self.varied.push((axis.name.into(), value.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(sets: &[&str], count: u32, seed: u32) -> Result<Vec<String>, String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        let points = random_configurations(&sets, count, seed)?;
        Ok(points.iter().map(Configuration::label).collect())
    }

    #[test]
    fn random_points_repeat_by_their_seed_and_none_comes_twice() {
        let sets = ["rate=1e-4..1e-2:log", "worlds=8..64", "kind=a,b", "fixed=3"];
        let points = labels(&sets, 40, 7).unwrap();
        assert_eq!(points, labels(&sets, 40, 7).unwrap());
        assert_eq!(points[..9], labels(&sets, 9, 7).unwrap()[..], "more points extend the sweep");
        assert_ne!(points, labels(&sets, 40, 8).unwrap());
        assert_eq!(points.iter().collect::<BTreeSet<_>>().len(), 40);
        let mut below = 0;
        for point in &points {
            let values: Vec<&str> = point.split(',').map(|part| part.split_once('=').unwrap().1).collect();
            let (rate, worlds) = (values[0].parse::<f64>().unwrap(), values[1].parse::<u32>().unwrap());
            assert!((1e-4..=1e-2).contains(&rate) && (8..=64).contains(&worlds), "{point}");
            assert!(values[2] == "a" || values[2] == "b", "{point}");
            assert_eq!(values.len(), 3, "{point}");
            below += u32::from(rate < 1e-3);
        }
        // Half of the logarithms.
        assert!((10..=30).contains(&below), "{below}");
    }

    #[test]
    fn every_combination_comes_if_all_are_wanted() {
        let mut points = labels(&["a=1..3", "b=x,y"], 6, 0).unwrap();
        points.sort();
        assert_eq!(points, ["a=1,b=x", "a=1,b=y", "a=2,b=x", "a=2,b=y", "a=3,b=x", "a=3,b=y"]);
        assert_eq!(labels(&[], 1, 0).unwrap(), ["all"]);
    }

    #[test]
    fn more_points_than_there_are_combinations_are_refused() {
        let only = |n: u32, count: u32| {
            format!("--random {count}: the settings have only {n} different combinations; add values")
        };
        assert_eq!(labels(&["a=1..3", "b=x,y"], 7, 0), Err(only(6, 7)));
        assert_eq!(labels(&["a=1"], 2, 0), Err(only(1, 2)));
        assert_eq!(labels(&["a=0.5..0.50005"], 3, 0).map_err(|e| e.contains("have only")), Err(true));
        for bad in ["a=3..1", "a=0..1:log", "a=1..x", "a=1..2:lin", "a=1..", "a=1..2,3"] {
            let error = labels(&[bad], 1, 0).unwrap_err();
            assert!(error.starts_with(&format!("--set {bad}: ")), "{error}");
        }
        // No range at all.
        assert_eq!(labels(&["a=../x"], 1, 0).unwrap(), ["all"]);
    }
}
