//! The table of `train --plain`: the newest value of every metric, as Stable-Baselines3 prints them, for logs
//! and for whoever does not want a picture.

use learnery_lab::Session;
use unicode_width::UnicodeWidthStr;

use super::Snapshot;
use super::frame::fit_label;
use crate::terminal::numbers;

/// The width of the widest table, in characters.
const MAX_COLUMNS: usize = 80;
/// What a row has beside its two cells: `| `, ` | ` and ` |`.
const BORDER_COLUMNS: usize = 7;
/// The blanks before the name of a value, below that of its group.
const INDENT: &str = "   ";

/// The newest value of each metric of a run, in the order of the lab's list.
pub struct NewestValues(Vec<Option<f64>>);

impl NewestValues {
    pub fn of(session: &Session) -> Self {
        let history = session.history();
        let newest = |column: &Vec<f64>| column.iter().copied().rfind(|value| value.is_finite());
        let mut values = Self(history.columns().iter().map(newest).collect());
        values.record(session);
        values
    }

    /// Records the metrics of the unit (training iteration) that has just ended.
    pub fn record(&mut self, session: &Session) {
        for (spec, newest) in session.entry().about.metrics.iter().zip(&mut self.0) {
            let value = session.row().get(spec.name);
            if value.is_finite() {
                *newest = Some(value);
            }
        }
    }

    /// The table. Metrics that were never measured are left out.
    pub fn table(&self, snapshot: &Snapshot) -> String {
        let Snapshot { session, seconds, units_per_second, work_per_second, .. } = *snapshot;
        let about = session.entry().about;
        let measured = about.metrics.iter().zip(&self.0).filter_map(|(spec, value)| {
            let unit = if spec.unit.is_empty() { String::new() } else { format!(" {}", spec.unit) };
            Some((spec.label.to_owned(), numbers::axis_label((*value)?) + &unit))
        });
        let time = [
            (format!("{}s", about.unit), numbers::count(session.units())),
            (format!("{}s per second", about.unit), numbers::si(units_per_second)),
            (about.work.to_owned(), numbers::count(session.work())),
            (format!("{} per second", about.work), numbers::si(work_per_second)),
            ("time elapsed".to_owned(), numbers::duration(seconds)),
        ];
        render(&[(format!("{}/", about.id), measured.collect()), ("time/".into(), time.into())])
    }
}

/// Formats groups of named values, each with its name. Groups without values are left out.
fn render(groups: &[(String, Vec<(String, String)>)]) -> String {
    let groups = || groups.iter().filter(|(_, values)| !values.is_empty());
    let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let value_width = widest(&mut groups().flat_map(|(_, values)| values).map(|(_, value)| value.width()));
    let room = MAX_COLUMNS.saturating_sub(BORDER_COLUMNS + INDENT.len() + value_width);
    let mut rows: Vec<(String, &str)> = Vec::new();
    for (group, values) in groups() {
        rows.push((group.clone(), ""));
        let named =
            values.iter().map(|(name, value)| (format!("{INDENT}{}", fit_label(name, room)), &value[..]));
        rows.extend(named);
    }
    let name_width = widest(&mut rows.iter().map(|(name, _)| name.width()));
    let line = "-".repeat(name_width + value_width + BORDER_COLUMNS) + "\n";
    let pad = |text: &str, width: usize| format!("{text}{}", " ".repeat(width.saturating_sub(text.width())));
    let row = |(name, value): &(String, &str)| {
        format!("| {} | {} |\n", pad(name, name_width), pad(value, value_width))
    };
    format!("{line}{}{line}", rows.iter().map(row).collect::<String>())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::display::RunState;

    #[test]
    fn table_has_every_measured_metric_and_fits_a_terminal() {
        for entry in learnery_labs::LABS {
            let about = entry.about;
            let metrics = about.metrics.iter().map(|spec| (spec.label.to_owned(), "-1.23e-99 points".into()));
            let widest = [(format!("{}/", about.id), metrics.collect::<Vec<_>>()), ("time/".into(), vec![])];
            let table = render(&widest);
            assert!(
                table.lines().all(|line| line.width() == table.lines().next().map_or(0, str::len)),
                "{table}"
            );
            assert!(table.lines().all(|line| line.width() <= MAX_COLUMNS), "{table}");
            assert_eq!(table.lines().count(), about.metrics.len() + 3, "{table}");
        }
    }

    #[test]
    fn value_stays_until_the_metric_is_measured_again() {
        let settings =
            json!({ "worlds": 8, "horizon": 8, "minibatches": 1, "eval_episodes": 4, "eval_every": 2 });
        let mut session = Session::start(*learnery_labs::find("control").unwrap(), &settings, 0).unwrap();
        let mut values = NewestValues::of(&session);
        let table = |values: &NewestValues, session: &Session| {
            let (units_per_second, work_per_second) = (2.0, 128.0);
            let state = RunState::Learning;
            values.table(&Snapshot { session, seconds: 1.5, units_per_second, work_per_second, state })
        };
        let empty = "\
-------------------------------------
| time/                     |       |
|    iterations             | 0     |
|    iterations per second  | 2     |
|    world steps            | 0     |
|    world steps per second | 128   |
|    time elapsed           | 1.5 s |
-------------------------------------
";
        assert_eq!(table(&values, &session), empty);
        for _ in 0..3 {
            session.advance_unit();
            values.record(&session);
        }
        let (with_exam, text) = (session.row().get("examReturn"), table(&values, &session));
        assert!(with_exam.is_nan(), "the third unit has no test");
        assert!(text.contains("|    test score (fresh episodes) | "), "{text}");
        let resumed = Session::resume(*session.entry(), &session.save()).unwrap();
        assert_eq!(table(&NewestValues::of(&resumed), &resumed), text);
    }
}
