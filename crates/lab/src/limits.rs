//! The limits at which one call for training ends, the same for the command line and for Python.

use crate::Session;

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The run has reached its goal.
    Goal,
    /// The last of the units that were asked for has been completed.
    Units,
    /// The end of the schedules of the settings (learning rate, curriculum), after which further training
    /// hardly helps.
    Schedule,
    /// The time that was asked for has passed.
    Time,
}

/// The limits of one call. The first one that is reached ends it. `None` means no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// The longest duration of this call, in seconds.
    pub seconds: Option<f64>,
    /// The last unit to train, counted from the beginning of the run and not of this call.
    pub last_unit: Option<u64>,
    /// Whether training ends when the run reaches its goal.
    pub goal: bool,
    /// The number of completed units at which the schedules of the settings end, if training is to stop
    /// there.
    pub schedule: Option<u64>,
}

impl Limits {
    /// The limits of a call that goes on with `session` for this many units or seconds, or until its goal. If
    /// none of these is asked for, an unsolved run ends at the goal or when the schedules end, whichever
    /// comes first; schedules that have ended already do not count. A run that has reached its goal has no
    /// limit then, because whoever continues it wants more than the goal.
    pub fn new(session: &Session, units: Option<u64>, seconds: Option<f64>, until_goal: bool) -> Self {
        let has_no_own_limit = seconds.is_none() && units.is_none() && !until_goal;
        let is_solved = session.solved_at().is_some();
        Self {
            seconds,
            last_unit: units.map(|units| session.units().saturating_add(units)),
            goal: until_goal || (has_no_own_limit && !is_solved),
            schedule: session
                .schedule()
                .filter(|last| has_no_own_limit && !is_solved && session.units() < *last),
        }
    }

    /// Whether the call goes on until it is interrupted.
    pub fn is_unlimited(&self) -> bool {
        self.seconds.is_none() && self.last_unit.is_none() && !self.goal && self.schedule.is_none()
    }

    /// Returns which limit has been reached, after `units` completed units of the run and `seconds` of this
    /// call. Of several, the goal comes first and time last.
    pub fn reached(&self, units: u64, seconds: f64, is_solved: bool) -> Option<Limit> {
        if self.goal && is_solved {
            Some(Limit::Goal)
        } else if self.last_unit.is_some_and(|last| units >= last) {
            Some(Limit::Units)
        } else if self.schedule.is_some_and(|last| units >= last) {
            Some(Limit::Schedule)
        } else if self.seconds.is_some_and(|limit| seconds >= limit) {
            Some(Limit::Time)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_end_the_run_at_the_first_one_reached() {
        let limits = Limits { seconds: Some(10.0), last_unit: Some(5), goal: true, schedule: None };
        assert_eq!(limits.reached(4, 9.0, false), None);
        assert_eq!(limits.reached(4, 10.0, false), Some(Limit::Time));
        assert_eq!(limits.reached(5, 10.0, false), Some(Limit::Units));
        assert_eq!(limits.reached(5, 10.0, true), Some(Limit::Goal));
        let limits = Limits { schedule: Some(4), goal: true, ..Limits::default() };
        assert_eq!(limits.reached(3, 9.0, false), None);
        assert_eq!(limits.reached(4, 9.0, false), Some(Limit::Schedule));
        assert_eq!(limits.reached(4, 9.0, true), Some(Limit::Goal));
        assert_eq!(Limits::default().reached(u64::MAX, f64::MAX, true), None);
    }
}
