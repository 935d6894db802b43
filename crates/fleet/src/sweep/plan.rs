//! The runs of a sweep: every combination of the values of its settings, with every seed.

/// The most configurations, and the most seeds: more runs than anybody waits for.
pub(super) const MAX_RUNS: usize = 100_000;

/// A configuration of a sweep: one combination of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// All settings, each `name=value`.
    pub assignments: Vec<String>,
    /// The settings that differ between configurations, each with its value here, in the order of the
    /// arguments.
    pub varied: Vec<(String, String)>,
}

impl Configuration {
    /// The name of the configuration in tables, and of its folder: `learning_rate=1e-3,gamma=1`.
    pub fn label(&self) -> String {
        let varied: Vec<String> = self.varied.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._=,+-".contains(c);
        let label = varied.join(",").replace(|c| !is_plain(c), "_");
        if label.is_empty() { "all".into() } else { label }
    }
}

/// A setting with the values that it can have.
pub(super) struct Axis<'a> {
    pub name: &'a str,
    pub values: Values<'a>,
}

/// The values of a setting.
pub(super) enum Values<'a> {
    List(Vec<&'a str>),
    /// All values from the lowest to the highest, or only the whole ones.
    Range {
        low: f64,
        high: f64,
        is_whole: bool,
        is_log: bool,
    },
}

/// Reads the settings of a sweep, each `name=value`, `name=value,value,...` or a range.
pub(super) fn parse_axes(sets: &[String]) -> Result<Vec<Axis<'_>>, String> {
    let mut axes: Vec<Axis> = Vec::new();
    for set in sets {
        let (name, values) = set
            .split_once('=')
            .ok_or_else(|| format!("--set {set}: expected a name and values, as in --set key=1,2"))?;
        let (name, list) = (name.trim(), values.split(',').map(str::trim).collect::<Vec<_>>());
        if list.iter().enumerate().any(|(i, value)| list[..i].iter().any(|other| is_same(other, value))) {
            return Err(format!("--set {set}: a value is there twice"));
        }
        if axes.iter().any(|earlier| earlier.name == name) {
            return Err(format!(
                "--set {set}: `{name}` is there twice; give all its values at once, as in --set {name}=1,2"
            ));
        }
        let range = parse_range(values.trim()).map_err(|problem| format!("--set {set}: {problem}"))?;
        axes.push(Axis { name, values: range.unwrap_or(Values::List(list)) });
    }
    Ok(axes)
}

/// Reads a range such as `16..64`, `0.9..1` or `1e-4..1e-2:log`; `None` if the text does not begin like one.
fn parse_range(text: &str) -> Result<Option<Values<'static>>, &'static str> {
    let Some((low_text, rest)) = text.split_once("..") else { return Ok(None) };
    let Ok(low) = low_text.trim().parse::<f64>() else { return Ok(None) };
    let (high_text, is_log) = match rest.split_once(':') {
        Some((high, "log")) => (high, true),
        Some(_) => return Err("a range ends with :log or with its highest value"),
        None => (rest, false),
    };
    let high = high_text.trim().parse::<f64>();
    let high = high.map_err(|_| "a range has a lowest and a highest value, as in --set key=1..9")?;
    if !(low.is_finite() && high.is_finite() && low < high) {
        return Err("the highest value of a range is above the lowest");
    }
    if is_log && low <= 0.0 {
        return Err("a range with :log begins above 0");
    }
    let is_whole = [low_text, high_text].iter().all(|text| text.trim().parse::<i32>().is_ok());
    Ok(Some(Values::Range { low, high, is_whole, is_log }))
}

/// Every combination of the values of settings; those of the first setting vary slowest. Each of `sets` is
/// `name=value` or `name=value,value,...`.
pub fn parse_configurations(sets: &[String]) -> Result<Vec<Configuration>, String> {
    let mut axes: Vec<(&str, Vec<&str>)> = Vec::new();
    for (set, Axis { name, values }) in sets.iter().zip(parse_axes(sets)?) {
        match values {
            Values::List(values) => axes.push((name, values)),
            Values::Range { .. } => {
                return Err(format!("--set {set}: a range is for --random N; otherwise give values"));
            }
        }
    }
    let count = axes.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MAX_RUNS) {
        return Err(format!("these are more than {MAX_RUNS} combinations of settings"));
    }
    let mut configurations = vec![Configuration { assignments: Vec::new(), varied: Vec::new() }];
    for (name, values) in axes {
        let with_value = |configuration: &Configuration, value: &str| {
            let mut configuration = configuration.clone();
            configuration.assignments.push(format!("{name}={value}"));
            if values.len() > 1 {
                configuration.varied.push((name.into(), value.into()));
            }
            configuration
        };
        configurations = configurations
            .iter()
            .flat_map(|configuration| values.iter().map(|value| with_value(configuration, value)))
            .collect();
    }
    Ok(configurations)
}

/// Whether two values are the same, as `0.1` and `0.10` are.
fn is_same(a: &str, b: &str) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

/// The seeds of `0..20` (without 20), `3`, or `0,3,7`.
pub fn parse_seeds(text: &str) -> Result<Vec<u32>, String> {
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
    // Seeds ascend, so that none is there twice.
    let is_ascending = seeds.is_sorted_by(|earlier, later| earlier < later);
    if seeds.is_empty() || !is_ascending {
        return Err(wrong());
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(sets: &[&str]) -> Vec<String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).into()).collect();
        parse_configurations(&sets).expect("good settings").iter().map(Configuration::label).collect()
    }

    #[test]
    fn configurations_are_all_combinations_of_what_varies() {
        assert_eq!(labels(&[]), ["all"]);
        assert_eq!(labels(&["a=1"]), ["all"]);
        assert_eq!(labels(&["a=1, 2", "b=x", "c=5,6"]), ["a=1,c=5", "a=1,c=6", "a=2,c=5", "a=2,c=6"]);
        assert_eq!(labels(&["a=../../x,/y"]), ["a=.._.._x", "a=_y"]);
        let sets = ["a=1,2".to_owned(), "b=x".into()];
        assert_eq!(parse_configurations(&sets).expect("good settings")[1].assignments, ["a=2", "b=x"]);
    }

    #[test]
    fn bad_settings_and_seeds_are_refused() {
        let values: Vec<String> = (0..400).map(|i| i.to_string()).collect();
        let many: Vec<String> =
            ["a", "b"].iter().map(|name| format!("{name}={}", values.join(","))).collect();
        for sets in [vec!["a".to_owned()], vec!["a=1,1".into()], vec!["a=0.1,0.10".into()], many] {
            assert!(parse_configurations(&sets).is_err(), "{}", sets[0]);
        }
        let twice = parse_configurations(&["a=1,2".to_owned(), "a=3".into()]);
        assert_eq!(
            twice,
            Err("--set a=3: `a` is there twice; give all its values at once, as in --set a=1,2".into())
        );
        assert_eq!(
            parse_configurations(&["a=1..2".to_owned()]),
            Err("--set a=1..2: a range is for --random N; otherwise give values".into())
        );
        assert_eq!(parse_seeds("3..6"), Ok(vec![3, 4, 5]));
        assert_eq!((parse_seeds("7"), parse_seeds("0,3, 9")), (Ok(vec![7]), Ok(vec![0, 3, 9])));
        for bad in ["", "a", "5..5", "6..3", "1,1", "2,1", "0..", "-1..3", "0..4294967295", "0..99999999999"]
        {
            assert!(parse_seeds(bad).is_err(), "{bad}");
        }
    }
}
