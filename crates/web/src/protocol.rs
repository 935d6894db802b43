//! What the page and the session worker say to each other: one discriminated union each way.
//!
//! The TypeScript side is generated from here by `cargo xtask bindings`; CI fails when the two drift.

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
        /// Which lab.
        lab: String,
        /// Settings over the defaults.
        settings: Map<String, Value>,
        /// The seed.
        seed: u32,
    },
    /// Continue a saved run; answered by `Opened` or `Refused`.
    Resume {
        /// The checkpoint file.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// Let it run.
    Run {
        /// Steps a second, or nothing for flat out.
        steps_per_second: Option<f64>,
    },
    /// Hold it between two steps.
    Pause,
    /// While held, do one step, or finish the current unit.
    Step {
        /// True for the rest of the unit.
        unit: bool,
    },
    /// Change live settings; answered by `Configured` or `Refused`.
    Configure {
        /// The settings to change.
        settings: Map<String, Value>,
    },
    /// Do what a person asked for; answered only where it is refused.
    Command {
        /// The lab's own command.
        command: Value,
    },
    /// Draw; answered by `View`.
    View {
        /// How much time has passed on the page since the last one, for what runs at its own pace.
        seconds: f64,
    },
    /// Save; answered by `Saved`. Only the end of a unit can be saved.
    Save {
        /// Handed back with the answer, to tell an autosave from a download.
        purpose: String,
        /// Keep the network alone.
        network_only: bool,
        /// True to wait for the end of a unit that has begun, however slow the pace; false to finish it at
        /// once.
        wait: bool,
    },
    /// Measure what the machine can do, which takes a moment; answered by `Peak`, or `Refused` by a bundle that cannot.
    Peak,
    /// Fail on purpose, so that the recovery card can be tried.
    Fail {
        /// How.
        how: Failure,
    },
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
    /// More memory than there is.
    Memory,
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum Reply {
    /// A run is open, from its start or from a file.
    Opened {
        /// What is running.
        run: RunInfo,
        /// Everything measured so far.
        metrics: Columns,
        /// Where it stands.
        progress: Progress,
    },
    /// Work was done.
    Progress {
        /// Where it stands now.
        progress: Progress,
        /// Rows since the last message.
        metrics: Columns,
    },
    /// New live settings hold.
    Configured {
        /// All settings.
        config: Map<String, Value>,
    },
    /// What a request asked for cannot be done; nothing was changed.
    Refused {
        /// The request's type.
        request: String,
        /// Why, in one sentence.
        message: String,
    },
    /// A checkpoint.
    Saved {
        /// As in the request.
        purpose: String,
        /// Units done when it was taken.
        units: u64,
        /// The file.
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// The most that this machine can compute.
    Peak {
        /// Multiplications and additions a second, on all threads of this worker.
        operations_per_second: f64,
    },
}

/// A view, apart from the other replies because its content is the lab's own type.
#[derive(Serialize)]
#[serde(tag = "type", rename = "view")]
pub struct ViewReply<'a> {
    /// The lab's view.
    pub view: &'a dyn erased_serde::Serialize,
}

/// What one needs to know about an open run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct RunInfo {
    /// Which lab.
    pub lab: String,
    /// All settings.
    pub config: Map<String, Value>,
    /// The seed.
    pub seed: u32,
    /// When it has reached what it is for.
    pub goal: Option<Goal>,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Progress {
    /// Units done.
    pub units: u64,
    /// Work done, in the lab's measure.
    pub work: u64,
    /// Work a second of late, while it runs.
    pub work_per_second: f64,
    /// Units a second of late, while it runs.
    pub units_per_second: f64,
    /// True while it runs by itself.
    pub running: bool,
    /// Steps a second asked for, or nothing for flat out.
    pub steps_per_second: Option<f64>,
    /// The unit at which the goal was first reached.
    pub solved_at: Option<u64>,
}

/// Metrics in columns: `values[i][j]` is metric `i` at unit `units[j]`, not a number where unmeasured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Columns {
    /// The units, ascending.
    pub units: Vec<u64>,
    /// One column a metric, in the order of the lab's list.
    pub values: Vec<Vec<f64>>,
}

/// What a build is: asked once, before any run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Build {
    /// The version of the crates.
    pub version: String,
    /// Vector instructions compiled in ("simd128 + relaxed", "simd128").
    pub simd: String,
    /// Threads in the pool.
    pub threads: usize,
}

/// One lab, as the page knows it before anything of it is loaded: `www/generated/labs.ts` lists them all.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LabInfo {
    /// What it says about itself.
    pub about: About,
    /// Its settings, in order.
    pub fields: Vec<Field>,
}
