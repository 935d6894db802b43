//! The runs of a sweep: every combination of the values of its settings, with every seed.

/// More runs than anybody waits for.
const MAX_RUNS: usize = 100_000;

/// One combination of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// All settings, each `name=value`.
    pub assignments: Vec<String>,
    /// Those that differ between the points, in the order in which they were given.
    pub varied: Vec<(String, String)>,
}

impl Point {
    /// Names the point in tables, and its folder: `learning_rate=1e-3,gamma=1`.
    pub fn label(&self) -> String {
        let varied: Vec<String> = self.varied.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._=,+-".contains(c);
        let label = varied.join(",").replace(|c| !is_plain(c), "_");
        if label.is_empty() { "all".into() } else { label }
    }
}

/// Every combination of settings, the first varying slowest. Each of `sets` is `name=value` or
/// `name=value,value,...`; a later one of the same name replaces the earlier one.
pub fn points(sets: &[String]) -> Result<Vec<Point>, String> {
    let mut axes: Vec<(&str, Vec<&str>)> = Vec::new();
    for set in sets {
        let (name, values) = set
            .split_once('=')
            .ok_or_else(|| format!("--set {set}: expected a name and values, as in --set key=1,2"))?;
        let (name, values) = (name.trim(), values.split(',').map(str::trim).collect::<Vec<_>>());
        if values.iter().enumerate().any(|(i, value)| values[..i].contains(value)) {
            return Err(format!("--set {set}: a value is there twice"));
        }
        axes.retain(|(earlier, _)| *earlier != name);
        axes.push((name, values));
    }
    let count = axes.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MAX_RUNS) {
        return Err(format!("these are more than {MAX_RUNS} combinations of settings"));
    }
    let mut points = vec![Point { assignments: Vec::new(), varied: Vec::new() }];
    for (name, values) in axes {
        let with = |point: &Point, value: &str| {
            let mut point = point.clone();
            point.assignments.push(format!("{name}={value}"));
            if values.len() > 1 {
                point.varied.push((name.into(), value.into()));
            }
            point
        };
        points = points.iter().flat_map(|point| values.iter().map(|value| with(point, value))).collect();
    }
    Ok(points)
}

/// The seeds of `0..20` (without 20), `3`, or `0,3,7`.
pub fn seeds(text: &str) -> Result<Vec<u32>, String> {
    let wrong = || format!("--seeds {text}: expected a range such as 0..20, or seeds such as 0,3,7");
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| wrong());
    let seeds: Vec<u32> = match text.split_once("..") {
        Some((first, end)) => {
            let (first, end) = (number(first)?, number(end)?);
            if end.saturating_sub(first) as usize > MAX_RUNS {
                return Err(format!("--seeds {text}: these are more than {MAX_RUNS} seeds"));
            }
            (first..end).collect()
        }
        None => text.split(',').map(number).collect::<Result<_, _>>()?,
    };
    let is_twice = seeds.iter().enumerate().any(|(i, seed)| i > 0 && seeds[i - 1] >= *seed);
    if seeds.is_empty() || is_twice {
        return Err(wrong());
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(sets: &[&str]) -> Vec<String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        points(&sets).expect("good settings").iter().map(Point::label).collect()
    }

    #[test]
    fn points_are_all_combinations_of_what_varies() {
        assert_eq!(labels(&[]), ["all"]);
        assert_eq!(labels(&["a=1"]), ["all"]);
        assert_eq!(labels(&["a=1, 2", "b=x", "c=5,6"]), ["a=1,c=5", "a=1,c=6", "a=2,c=5", "a=2,c=6"]);
        assert_eq!(labels(&["a=1,2", "a=3"]), ["all"]);
        assert_eq!(labels(&["a=../../x,/y"]), ["a=.._.._x", "a=_y"]);
        let sets = ["a=1,2".to_owned(), "b=x".into()];
        assert_eq!(points(&sets).expect("good settings")[1].assignments, ["a=2", "b=x"]);
    }

    #[test]
    fn bad_settings_and_seeds_are_refused() {
        let values: Vec<String> = (0..400).map(|i| i.to_string()).collect();
        let many: Vec<String> =
            ["a", "b"].iter().map(|name| format!("{name}={}", values.join(","))).collect();
        for sets in [vec!["a".to_owned()], vec!["a=1,1".into()], many] {
            assert!(points(&sets).is_err(), "{}", sets[0]);
        }
        assert_eq!(seeds("3..6"), Ok(vec![3, 4, 5]));
        assert_eq!((seeds("7"), seeds("0,3, 9")), (Ok(vec![7]), Ok(vec![0, 3, 9])));
        for bad in ["", "a", "5..5", "6..3", "1,1", "2,1", "0..", "-1..3", "0..4294967295", "0..99999999999"]
        {
            assert!(seeds(bad).is_err(), "{bad}");
        }
    }
}
