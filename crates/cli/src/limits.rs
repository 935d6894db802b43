//! Durations as people type them, and the reasons why a run ended.

use std::str::FromStr;

use learnery_lab::Limit;

/// A duration as people type it: `90`, `60s`, `5m`, `1h30m`, `1.5h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypedDuration {
    pub seconds: f64,
}

impl FromStr for TypedDuration {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a time such as 60s, 5m or 1h30m";
        let mut seconds = 0.0;
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(EXPECTED);
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let number: f64 = rest[..digits].parse().map_err(|_| EXPECTED)?;
            rest = &rest[digits..];
            let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            let seconds_per_unit = match &rest[..letters] {
                // A number without a unit is in seconds.
                "s" | "" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(EXPECTED),
            };
            seconds += number * seconds_per_unit;
            rest = &rest[letters..];
        }
        Ok(Self { seconds })
    }
}

/// How often a run is saved, as people type it: `30s`, `5m`, or units (training iterations) such as `100`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SaveInterval {
    Seconds(f64),
    /// At the multiples of this number.
    Units(u64),
}

impl FromStr for SaveInterval {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a time such as 30s or 5m, or a number of units such as 100";
        if let Ok(units) = text.parse() {
            return if units > 0 { Ok(Self::Units(units)) } else { Err(EXPECTED) };
        }
        text.parse::<TypedDuration>().map(|time| Self::Seconds(time.seconds)).map_err(|_| EXPECTED)
    }
}

/// Which checkpoints are kept beside the last one, as people type it: `3`, `best`, or both, as in `3,best`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// The number of copies of the last saves; `None` for no copies.
    pub copies: Option<u32>,
    /// Whether the best checkpoint so far is kept.
    pub best: bool,
}

impl FromStr for Keep {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "expected a number of saves, best, or both, as in 3,best";
        let mut keep = Self::default();
        for part in text.split(',').map(str::trim) {
            match part.parse() {
                Ok(copies) if copies > 0 && keep.copies.is_none() => keep.copies = Some(copies),
                Err(_) if part == "best" && !keep.best => keep.best = true,
                _ => return Err(EXPECTED),
            }
        }
        Ok(keep)
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// The goal was reached.
    Goal,
    /// The requested number of units is done.
    Units,
    /// The schedules of the settings (learning rate, curriculum) are completed, so further training hardly
    /// helps.
    Schedule,
    /// The time limit was reached.
    Time,
    /// The user pressed Ctrl-C, or the process received a termination signal.
    Interrupted,
    /// The program that reads standard output has closed the pipe.
    #[serde(rename = "unread")]
    StdoutClosed,
    /// Standard output cannot be written, as on a full disk.
    #[serde(rename = "unwritten")]
    StdoutFailed,
}

impl From<Limit> for EndReason {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Goal => Self::Goal,
            Limit::Units => Self::Units,
            Limit::Schedule => Self::Schedule,
            Limit::Time => Self::Time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn save_intervals_are_times_or_units() {
        assert_eq!("100".parse(), Ok(SaveInterval::Units(100)));
        assert_eq!("90s".parse(), Ok(SaveInterval::Seconds(90.0)));
        assert_eq!("1h30m".parse(), Ok(SaveInterval::Seconds(5400.0)));
        for text in ["", "0", "-1", "s"] {
            assert!(text.parse::<SaveInterval>().is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn kept_checkpoints_are_a_number_best_or_both() {
        assert_eq!("3".parse(), Ok(Keep { copies: Some(3), best: false }));
        assert_eq!("best".parse(), Ok(Keep { copies: None, best: true }));
        for text in ["3,best", "best, 3"] {
            assert_eq!(text.parse(), Ok(Keep { copies: Some(3), best: true }), "{text}");
        }
        for text in ["", "0", "-1", "3,4", "best,best", "worst", "3,"] {
            assert!(text.parse::<Keep>().is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn durations_are_parsed_as_people_type_them() {
        for (text, seconds) in [
            ("90", 90.0),
            ("60s", 60.0),
            ("5m", 300.0),
            ("1h30m", 5400.0),
            ("1.5h", 5400.0),
            ("0s", 0.0),
            ("1d", 86400.0),
        ] {
            assert_eq!(text.parse::<TypedDuration>().unwrap().seconds, seconds, "{text}");
        }
        for text in ["", "s", "5x", "-3s", "1..5s", "abc", "1h-2m", "é"] {
            assert!(text.parse::<TypedDuration>().is_err(), "{text} was accepted");
        }
    }
}
