//! The messages between the page and the worker of a session: a [`Request`] is answered by a [`Reply`] or a
//! [`ViewReply`].
//!
//! `cargo xtask bindings` generates the TypeScript types from here; the tests fail if the two differ.

use learnery_lab::{About, Field, Goal};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// From the page to the worker.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Request {
    /// Start a new run; answered by `Opened` or `Refused`.
    Start {
        lab: String,
        /// Settings that differ from the defaults.
        settings: Map<String, Value>,
        seed: u32,
    },
    /// Continue a saved run; answered by `Opened` or `Refused`.
    Resume {
        /// The checkpoint file.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// Run until paused; answered by `Progress`.
    Run {
        /// Slow motion: so many steps per second. Null runs at full speed.
        steps_per_second: Option<f64>,
    },
    /// Stop between two steps; answered by `Progress`.
    Pause,
    /// Stop, then do one step or finish the current unit; answered by `Progress`.
    Step {
        /// True to finish the unit.
        unit: bool,
    },
    /// Change live settings; answered by `Configured` or `Refused`.
    Configure {
        /// The settings to change.
        settings: Map<String, Value>,
    },
    /// Execute a visitor's command; answered only if it is refused.
    Command {
        /// A command of the lab.
        command: Value,
    },
    /// Get the data to draw; answered by `ViewReply`.
    View {
        /// Seconds since the last view, by which the stage is animated.
        seconds: f64,
    },
    /// Save a checkpoint at the end of a unit; answered by `Saved`.
    Save {
        /// Returned with the answer, to distinguish an autosave from a download.
        purpose: String,
        /// True to save the network alone, which cannot be continued exactly.
        network_only: bool,
        /// In the middle of a unit: true to wait until the unit ends at its own pace, false to finish it at once.
        wait: bool,
    },
    /// Measure the peak arithmetic rate of this machine, in about 50 ms; answered by `Peak`, or by `Refused` if the
    /// bundle cannot.
    Peak,
    /// Fail on purpose, to try out how the page recovers.
    Fail { how: Failure },
}

impl Request {
    /// The request's type as it stands in the JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Resume { .. } => "resume",
            Self::Run { .. } => "run",
            Self::Pause => "pause",
            Self::Step { .. } => "step",
            Self::Configure { .. } => "configure",
            Self::Command { .. } => "command",
            Self::View { .. } => "view",
            Self::Save { .. } => "save",
            Self::Peak => "peak",
            Self::Fail { .. } => "fail",
        }
    }
}

/// Ways to fail on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Failure {
    /// A panic in the session's own thread.
    Panic,
    /// A panic in a thread of the pool.
    PoolPanic,
    /// Allocate until there is no memory left.
    Memory,
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Reply {
    /// A run is open, new or resumed.
    Opened {
        run: RunInfo,
        /// The whole history of metrics.
        metrics: Columns,
        progress: Progress,
    },
    /// The progress of the run.
    Progress {
        progress: Progress,
        /// The rows of metrics since the last message.
        metrics: Columns,
    },
    /// Live settings have changed.
    Configured {
        /// All settings.
        config: Map<String, Value>,
    },
    /// A request was refused and changed nothing.
    Refused {
        /// The request's type.
        request: String,
        /// The reason, in one sentence.
        message: String,
    },
    /// A checkpoint.
    Saved {
        /// As in the request.
        purpose: String,
        /// Units completed when it was taken.
        units: u64,
        /// The file.
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// The peak arithmetic rate of this machine.
    Peak {
        /// Floating-point operations per second, on all threads of this worker.
        operations_per_second: f64,
    },
}

/// The answer to `Request::View`. It is no variant of [`Reply`] because its content is the lab's own type.
#[derive(Serialize)]
#[serde(tag = "type", rename = "view")]
pub struct ViewReply<'a> {
    pub view: &'a dyn erased_serde::Serialize,
}

/// What stays the same while a run is open, apart from live settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct RunInfo {
    pub lab: String,
    /// All settings.
    pub config: Map<String, Value>,
    pub seed: u32,
    pub goal: Option<Goal>,
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Progress {
    /// Units completed.
    pub units: u64,
    /// Work done, in what the lab counts it in (`About::work`).
    pub work: u64,
    /// Recent work per second while running.
    pub work_per_second: f64,
    /// Recent units per second while running.
    pub units_per_second: f64,
    /// True between `Run` and `Pause`.
    pub running: bool,
    /// The rate of slow motion; null at full speed.
    pub steps_per_second: Option<f64>,
    /// The unit at which the goal was first reached.
    pub solved_at: Option<u64>,
}

/// Metrics by column: `values[i][j]` is metric `i` at unit `units[j]`, or NaN if it was not measured then.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Columns {
    /// Ascending.
    pub units: Vec<u64>,
    /// One column per metric, in the order of the lab's list.
    pub values: Vec<Vec<f64>>,
}

/// What a bundle is built from. The page asks for it before any run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Build {
    /// The version of the crates.
    pub version: String,
    /// The vector instructions: "simd128 + relaxed", "simd128", or "native" in native tests.
    pub simd: String,
    /// Threads in the pool.
    pub threads: usize,
}

/// What the page knows of a lab before it loads its bundle. `www/generated/labs.ts` lists all labs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LabInfo {
    pub about: About,
    /// The settings, in order.
    pub fields: Vec<Field>,
}
