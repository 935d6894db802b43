//! What a fleet is doing, for people: the host publishes it once a second and keeps it as a file of the run
//! folder. `fleet watch`, `learnery watch` and the page draw it.

use serde::{Deserialize, Serialize};

/// A fleet at one moment. Fields that are missing in the JSON have their defaults, so that programs of
/// neighbouring versions can read each other's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FleetStatus {
    /// The version of Learnery with which the fleet computes.
    pub build: String,
    /// The class of bits of the fleet, `fused` or `plain`.
    pub bits: String,
    /// The id of the lab.
    pub lab: String,
    pub seed: u32,
    /// When the status was written, in seconds since 1970. If that is some seconds ago, the host does not
    /// run.
    pub time: f64,
    /// Seconds since the host was started.
    pub seconds: f64,
    /// Completed units (training iterations), which is also the number of the unit under way.
    pub unit: u64,
    /// The unit at which the host ends, if it has one.
    pub last_unit: Option<u64>,
    /// The version of the weights: the first 12 hexadecimal digits of their hash. `None` between two units.
    pub version: Option<String>,
    pub jobs: JobCounts,
    pub learner: LearnerStatus,
    /// What [`FleetStatus::rate`] counts, such as `positions`.
    pub work: String,
    /// Work that arrived per second, over the last minute or less. `None` until the first unit has ended,
    /// because nobody knows before how much work is in a job.
    pub rate: Option<f64>,
    pub bytes_in_per_second: f64,
    pub bytes_out_per_second: f64,
    /// Machines that were heard of within a minute, by name.
    pub machines: Vec<MachineStatus>,
    /// Results that count, since the host was started.
    pub accepted: u64,
    /// Results that came too late or twice; nobody is to blame.
    pub late: u64,
    /// What was refused since the host was started, the most frequent first.
    pub refusals: Vec<RefusalCount>,
    /// Actors whose results are not believed any more.
    pub quarantined: Vec<Quarantine>,
    /// The metrics of the last unit, by name.
    pub metrics: Vec<(String, f64)>,
    /// For a sweep, whose jobs are whole runs; units, version, learner and metrics then mean nothing.
    pub sweep: Option<SweepStatus>,
}

/// What a sweep is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SweepStatus {
    /// Completed runs that reached their goal.
    pub solved: u32,
}

/// The jobs of the unit under way, or the runs of a sweep. In backgammon a job is a table of up to 64 games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobCounts {
    pub all: u32,
    /// Jobs that have a result.
    pub done: u32,
    /// Jobs whose result is being checked.
    pub in_check: u32,
    /// Jobs that an actor computes.
    pub leased: u32,
    /// Jobs that no actor computes.
    pub open: u32,
}

/// What the learner does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LearnerStatus {
    pub state: LearnerState,
    /// The share of the time since the host was started in which it waited for results.
    pub waiting_share: f64,
    /// The share of one core's time that checks took.
    pub checking_share: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LearnerState {
    /// The learner learns.
    Busy,
    /// The learner waits for results.
    #[default]
    Waiting,
    /// The learner waits for results, and no actor is there to compute them.
    NoActors,
}

/// The actors of one machine or tab, one for each of its threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MachineStatus {
    /// The machine's label and the hash of its token.
    pub name: String,
    /// What people call it.
    pub label: String,
    pub build: String,
    pub bits: String,
    pub threads: u32,
    /// Threads that compute a job.
    pub working: u32,
    /// The machine's part of [`FleetStatus::rate`].
    pub rate: Option<f64>,
    /// Bytes of the machine's messages per second.
    pub bytes_per_second: f64,
    /// Results of the machine that count, since the host was started.
    pub accepted: u64,
    /// Seconds since the machine was last heard of.
    pub silent: f64,
}

/// How often something was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefusalCount {
    /// The sentence that the actors were told.
    pub reason: String,
    pub count: u64,
}

/// An actor that is not believed any more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quarantine {
    pub actor: String,
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_survives_json_and_missing_fields_have_defaults() {
        let status = FleetStatus {
            unit: 7,
            rate: Some(1234.5),
            machines: vec![MachineStatus { name: "attic-0011223344556677".into(), ..Default::default() }],
            learner: LearnerStatus { state: LearnerState::NoActors, ..Default::default() },
            metrics: vec![("loss".into(), 0.25)],
            ..FleetStatus::default()
        };
        let json = serde_json::to_string(&status).unwrap();
        assert!(json.contains(r#""state":"no_actors""#), "{json}");
        assert_eq!(serde_json::from_str::<FleetStatus>(&json).unwrap(), status);
        let partial: FleetStatus =
            serde_json::from_str(r#"{"unit": 3, "of a later version": true}"#).unwrap();
        assert_eq!(partial, FleetStatus { unit: 3, ..FleetStatus::default() });
    }
}
