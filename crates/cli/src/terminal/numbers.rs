//! Formats numbers for people: few digits, and nearly constant width, so that a live display does not jump.

/// At most four significant digits, with an SI prefix: `58.1 k`, `1.27 M`, `312`.
pub fn si(value: f64) -> String {
    const PREFIXES: [(f64, &str); 4] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    /// From here on a number rounds to five digits. Below it gets no prefix.
    const MIN_WITH_PREFIX: f64 = 9999.5;
    let (scale, prefix) = PREFIXES
        .into_iter()
        .find(|(scale, _)| value.abs() >= MIN_WITH_PREFIX && value.abs() >= *scale)
        .unwrap_or((1.0, ""));
    let scaled = value / scale;
    // The limits are where rounding to the decimals of the next arm would give one digit more.
    let decimals = match scaled.abs() {
        _ if prefix.is_empty() && value.fract() == 0.0 => 0,
        x if x >= 99.95 => 0,
        x if x >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$}{prefix}")
}

/// A count with thousands separators: `1,234,567`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 iteration`, `1,200 iterations`.
pub fn count_of(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// The value of a metric, with three or four significant digits. NaN and infinity become a dash.
pub fn value(v: f64) -> String {
    match v.abs() {
        _ if !v.is_finite() => "–".into(),
        a if a >= 1e6 => format!("{v:.2e}"),
        a if a >= 100.0 || a == 0.0 => format!("{v:.1}"),
        a if a >= 10.0 => format!("{v:.2}"),
        a if a >= 1e-3 => format!("{v:.3}"),
        _ => format!("{v:.1e}"),
    }
}

/// The target value of a goal, with as many digits as it has: `475`, `0.95`.
pub fn target(v: f64) -> String {
    format!("{v}")
}

/// The label of an axis, or a cell of a table. Whole numbers have no decimals.
pub fn axis_label(v: f64) -> String {
    if v.fract() == 0.0 && v.abs() < 1e6 { target(v) } else { value(v) }
}

/// A duration as `0:07`, `12:34`, `1:02:03`.
pub fn clock(seconds: f64) -> String {
    let s = seconds as u64;
    if s >= 3600 {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{}:{:02}", s / 60, s % 60)
    }
}

/// A duration in a sentence: `2.3 s`, `1:02 min`, `1:02:03 h`.
pub fn duration(seconds: f64) -> String {
    match seconds {
        // From 59.95 on it would be rounded to 60.0 s.
        s if s < 59.95 => format!("{s:.1} s"),
        s if s < 3600.0 => format!("{} min", clock(s)),
        s => format!("{} h", clock(s)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted_short() {
        let expected = [
            (0.0, "0"),
            (3.25, "3.25"),
            (12.34, "12.3"),
            (312.0, "312"),
            (9999.0, "9999"),
            (58_123.0, "58.1 k"),
            (99_960.0, "100 k"),
            (1_270_000.0, "1.27 M"),
            (2.5e9, "2.50 G"),
        ];
        for (value, text) in expected {
            assert_eq!(si(value), text);
        }
        assert_eq!([count(0), count(999), count(1000), count(1_234_567)], ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [value(312.44), value(0.25), value(1e-5), value(f64::NAN)],
            ["312.4", "0.250", "1.0e-5", "–"]
        );
        assert_eq!([clock(7.9), clock(754.0), clock(3723.0)], ["0:07", "12:34", "1:02:03"]);
        assert_eq!([duration(2.34), duration(62.0), duration(3723.0)], ["2.3 s", "1:02 min", "1:02:03 h"]);
    }
}
