//! The limits at which a run ends (time, units, goal, schedule), and the reasons why it ended. A *unit* is one training
//! iteration of a lab.

use std::str::FromStr;

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
pub enum EndReason {
    /// The goal was reached.
    Goal,
    /// The requested number of units is done.
    Units,
    /// The schedules of the settings (learning rate, curriculum) are completed, so further training hardly helps.
    Schedule,
    /// The time limit was reached.
    Time,
    /// The user pressed Ctrl-C, or the process received a termination signal.
    Interrupted,
    /// The program that reads standard output has closed the pipe.
    #[serde(rename = "unread")]
    StdoutClosed,
}

/// The limits of one invocation of `learnery train`. The first one that is reached ends the run. `None` means no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The longest duration of this invocation, in seconds.
    pub seconds: Option<f64>,
    /// The last unit to train, counted from the beginning of the run and not of this invocation.
    pub last_unit: Option<u64>,
    /// Whether the run ends when it reaches its goal.
    pub goal: bool,
    /// The unit with which the schedules of the settings end, if the run is to stop there.
    pub schedule: Option<u64>,
}

impl Limits {
    /// True if nothing but Ctrl-C ends the run.
    pub fn is_unlimited(&self) -> bool {
        self.seconds.is_none() && self.last_unit.is_none() && !self.goal && self.schedule.is_none()
    }

    /// Returns which limit has been reached, after `units` completed units of the run and `seconds` of this invocation.
    pub fn reached(&self, units: u64, seconds: f64, solved: bool) -> Option<EndReason> {
        if self.goal && solved {
            Some(EndReason::Goal)
        } else if self.last_unit.is_some_and(|last| units >= last) {
            Some(EndReason::Units)
        } else if self.schedule.is_some_and(|last| units >= last) {
            Some(EndReason::Schedule)
        } else if self.seconds.is_some_and(|limit| seconds >= limit) {
            Some(EndReason::Time)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn limits_end_the_run_at_the_first_one_reached() {
        let limits = Limits { seconds: Some(10.0), last_unit: Some(5), goal: true, schedule: None };
        assert_eq!(limits.reached(4, 9.0, false), None);
        assert_eq!(limits.reached(4, 10.0, false), Some(EndReason::Time));
        assert_eq!(limits.reached(5, 10.0, false), Some(EndReason::Units));
        assert_eq!(limits.reached(5, 10.0, true), Some(EndReason::Goal));
        let limits = Limits { schedule: Some(4), goal: true, ..Limits::default() };
        assert_eq!(limits.reached(3, 9.0, false), None);
        assert_eq!(limits.reached(4, 9.0, false), Some(EndReason::Schedule));
        assert_eq!(limits.reached(4, 9.0, true), Some(EndReason::Goal));
        assert_eq!(Limits::default().reached(u64::MAX, f64::MAX, true), None);
    }
}
