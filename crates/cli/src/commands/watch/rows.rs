//! The rows of `metrics.jsonl` as a monitor reads them: what is no row is left out and counted, because a
//! file may be damaged.

use serde_json::{Map, Value};

/// The metrics of a unit (training iteration).
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub unit: u64,
    /// What the lab counts, such as games. A row that was made from the history of a checkpoint has none.
    pub work: Option<f64>,
    /// Seconds of training. Missing in such rows, too.
    pub seconds: Option<f64>,
    /// The metrics that were measured, by name.
    pub values: Vec<(String, f64)>,
}

/// The fields of a row that are no metrics.
const COUNTER_FIELDS: [&str; 3] = ["unit", "work", "seconds"];

impl Row {
    /// Parses a line; `None` if it is no row.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let fields: Map<String, Value> = serde_json::from_slice(line).ok()?;
        let number = |name: &str| fields.get(name).and_then(Value::as_f64);
        Some(Self {
            unit: fields.get("unit")?.as_u64()?,
            work: number("work"),
            seconds: number("seconds"),
            values: fields
                .iter()
                .filter(|(name, _)| !COUNTER_FIELDS.contains(&name.as_str()))
                .filter_map(|(name, value)| Some((name.clone(), value.as_f64()?)))
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_has_its_metrics_and_what_is_damaged_is_no_row() {
        let row = Row::parse(br#"{"unit":3,"work":96,"seconds":0.5,"loss":0.25,"note":"x"}"#).unwrap();
        assert_eq!((row.unit, row.work, row.seconds), (3, Some(96.0), Some(0.5)));
        assert_eq!(row.values, [("loss".to_owned(), 0.25)]);
        assert_eq!(Row::parse(br#"{"unit":3}"#).unwrap().work, None);
        for line in
            [&b""[..], b"{", b"[1]", b"{}", br#"{"unit":-1}"#, br#"{"unit":"1"}"#, b"\xff\x00", b"null"]
        {
            assert_eq!(Row::parse(line), None);
        }
    }
}
