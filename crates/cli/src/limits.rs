//! When a run ends: after a time, after some units, at its goal, or only when it is stopped.

use std::str::FromStr;

/// A length of time as people type it: `90`, `60s`, `5m`, `1h30m`, `1.5h`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its length.
    pub seconds: f64,
}

impl FromStr for Span {
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
            let scale = match &rest[..letters] {
                "s" | "" => 1.0,
                "m" | "min" => 60.0,
                "h" => 3600.0,
                "d" => 86400.0,
                _ => return Err(EXPECTED),
            };
            seconds += number * scale;
            rest = &rest[letters..];
        }
        Ok(Self { seconds })
    }
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// The goal was reached.
    Goal,
    /// The units asked for are done.
    Units,
    /// All that the settings plan ahead is done.
    Schedule,
    /// The time is over.
    Time,
    /// Someone asked it to stop.
    Interrupted,
    /// Whoever read standard output has gone.
    Unread,
}

/// The limits of one run; the first one reached ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Seconds of this sitting.
    pub seconds: Option<f64>,
    /// The unit to stop at, counted from the beginning of the run.
    pub last_unit: Option<u64>,
    /// Stop at the goal.
    pub goal: bool,
    /// Stop at this unit because what the settings plan ahead is done by then.
    pub schedule: Option<u64>,
}

impl Limits {
    /// True where only a request to stop ends the run.
    pub fn none(&self) -> bool {
        self.seconds.is_none() && self.last_unit.is_none() && !self.goal && self.schedule.is_none()
    }

    /// The limit that is reached, asked at the end of a unit.
    pub fn reached(&self, units: u64, seconds: f64, solved: bool) -> Option<Reason> {
        if self.goal && solved {
            Some(Reason::Goal)
        } else if self.last_unit.is_some_and(|last| units >= last) {
            Some(Reason::Units)
        } else if self.schedule.is_some_and(|last| units >= last) {
            Some(Reason::Schedule)
        } else if self.seconds.is_some_and(|limit| seconds >= limit) {
            Some(Reason::Time)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_as_people_write_them() {
        for (text, seconds) in [
            ("90", 90.0),
            ("60s", 60.0),
            ("5m", 300.0),
            ("1h30m", 5400.0),
            ("1.5h", 5400.0),
            ("0s", 0.0),
            ("1d", 86400.0),
        ] {
            assert_eq!(text.parse::<Span>().unwrap().seconds, seconds, "{text}");
        }
        for text in ["", "s", "5x", "-3s", "1..5s", "abc", "1h-2m", "é"] {
            assert!(text.parse::<Span>().is_err(), "{text} was accepted");
        }
    }

    #[test]
    fn the_first_limit_ends_the_run() {
        let limits = Limits { seconds: Some(10.0), last_unit: Some(5), goal: true, schedule: None };
        assert_eq!(limits.reached(4, 9.0, false), None);
        assert_eq!(limits.reached(4, 10.0, false), Some(Reason::Time));
        assert_eq!(limits.reached(5, 10.0, false), Some(Reason::Units));
        assert_eq!(limits.reached(5, 10.0, true), Some(Reason::Goal));
        let limits = Limits { schedule: Some(4), goal: true, ..Limits::default() };
        assert_eq!(limits.reached(3, 9.0, false), None);
        assert_eq!(limits.reached(4, 9.0, false), Some(Reason::Schedule));
        assert_eq!(limits.reached(4, 9.0, true), Some(Reason::Goal));
        assert_eq!(Limits::default().reached(u64::MAX, f64::MAX, true), None);
    }
}
