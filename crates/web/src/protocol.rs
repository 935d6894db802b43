//! The messages between the page and a web worker that runs a session (a training run). The page sends a
//! [`Request`] with a number; the worker answers with a [`Reply`] or a [`ViewReply`], which repeats the number.
//! A *unit* is one training iteration, a *step* its smallest interruptible piece.
//!
//! `cargo xtask bindings` generates the TypeScript types from here; the tests fail if the two differ.

use learnery_lab::{About, AnyOutput, Change, Field, Goal, ToolProgress};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// From the page to the worker. Beside these fields, each request has a number as its `id`, which no other request
/// to this worker has.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
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
        /// The rate of slow motion. Null runs at full speed.
        steps_per_second: Option<f64>,
    },
    /// Pause between two steps; answered by `Progress`.
    Pause,
    /// Pause, then do one step or finish the current unit; answered by `Progress` when that is done, or when another
    /// step or a pause comes before.
    Step {
        /// True to finish the unit.
        unit: bool,
    },
    /// Change live settings; answered by `Configured` or `Refused`.
    Configure {
        /// The settings to change.
        settings: Map<String, Value>,
    },
    /// Go on with the random numbers of another seed. A unit in progress is finished first; answered by
    /// `Configured` or `Refused`. A run that was on a GPU has to be moved there again.
    Reseed { seed: u32 },
    /// Execute a command of the user on the stage, the interactive picture; answered by `Executed` or `Refused`,
    /// and by `Configured` if it gives the run data of the user's own. Such a command finishes a unit in
    /// progress first.
    Command {
        /// A command of the lab.
        command: Value,
        /// The content of the file that belongs to the command. It is transferred beside the request.
        #[serde(skip_deserializing)]
        #[cfg_attr(feature = "bindings", ts(optional, type = "Uint8Array<ArrayBuffer>"))]
        bytes: Option<serde_bytes::ByteBuf>,
    },
    /// Get the data to draw; answered by `ViewReply`.
    View {
        /// Seconds since the last view, by which the stage is animated.
        seconds: f64,
    },
    /// Save a checkpoint at the end of a unit; answered by `Saved` or `Refused`.
    Save {
        /// True to save the network alone, which cannot be continued exactly.
        network_only: bool,
        /// In the middle of a unit: true to save when the unit has ended in the normal course of training,
        /// false to finish the unit at once.
        wait: bool,
        /// True to compute the fingerprint of the run too, which takes a second for the largest ones.
        fingerprint: bool,
        /// Null to save a checkpoint. Otherwise the run's recipe is saved, as JSON, with this text as the
        /// class of its bits.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional))]
        recipe: Option<String>,
    },
    /// Move the open run to the GPU, between two units; answered by `Device`, or by `Refused` if the
    /// bundle cannot use one.
    UseGpu {
        /// Whether a GPU that computes in software is good enough.
        software: bool,
        /// What the browser calls the GPU, which only JavaScript can ask. The worker adds it.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(skip))]
        name: String,
    },
    /// Ask one of the lab's tools about the network of the run; answered by several [`Answer`]s. A unit in
    /// progress is finished first, and the answer says after which unit the network was copied.
    Ask {
        /// The number of the request. Every answer repeats it.
        id: u32,
        tool: String,
        /// The values that differ from the tool's defaults.
        input: Map<String, Value>,
        /// The content of the file that the input names. It is transferred beside the request.
        #[serde(skip_deserializing)]
        #[cfg_attr(feature = "bindings", ts(optional, type = "Uint8Array<ArrayBuffer>"))]
        bytes: Option<serde_bytes::ByteBuf>,
        /// The question with the largest one is worked on first. Questions that are equal in it take turns.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<i8>"))]
        priority: i8,
    },
    /// End a question, which has this number. What is known by then is its answer, marked as partial. Does nothing if the question
    /// has been answered.
    Cancel {
        /// The number of the question.
        id: u32,
    },
    /// Measure the peak arithmetic rate of this machine, which takes about 50 ms; answered by `Peak`, or by
    /// `Refused` if the bundle does not contain the measurement.
    Peak,
    /// Fail on purpose, to test how the page recovers.
    Fail { how: Failure },
}

impl Request {
    /// The value of `type` in the request's JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            Self::Resume { .. } => "resume",
            Self::Run { .. } => "run",
            Self::Pause => "pause",
            Self::Step { .. } => "step",
            Self::Configure { .. } => "configure",
            Self::Reseed { .. } => "reseed",
            Self::Command { .. } => "command",
            Self::View { .. } => "view",
            Self::Save { .. } => "save",
            Self::UseGpu { .. } => "useGpu",
            Self::Ask { .. } => "ask",
            Self::Cancel { .. } => "cancel",
            Self::Peak => "peak",
            Self::Fail { .. } => "fail",
        }
    }
}

/// From the page to a worker that has the tools of a lab and no session. Questions are answered as those of
/// [`Request`], by several [`Answer`]s.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(tag = "type"))]
pub enum ToolsRequest {
    /// Ask the following questions about the network of this checkpoint.
    Source {
        /// The checkpoint file, with or without what a run needs to continue.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// Ask a tool.
    Ask {
        /// A number that no other question to this worker has. Every answer repeats it.
        id: u32,
        tool: String,
        /// The values that differ from the tool's defaults.
        input: Map<String, Value>,
        /// The content of the file that the input names. It is transferred beside the request.
        #[serde(skip_deserializing)]
        #[cfg_attr(feature = "bindings", ts(optional, type = "Uint8Array<ArrayBuffer>"))]
        bytes: Option<serde_bytes::ByteBuf>,
        /// The question with the largest one is worked on first. Questions that are equal in it take turns.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional, as = "Option<i8>"))]
        priority: i8,
    },
    /// End a question, see [`Request::Cancel`].
    Cancel {
        /// The number of the question.
        id: u32,
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
    /// Live settings, the seed or the user's own data have changed. Sent once more when a unit has ended, if
    /// a change had to wait for that.
    Configured {
        /// All settings.
        config: Map<String, Value>,
        seed: u32,
        /// The changes during the run that have taken effect.
        changes: Vec<Change>,
        /// The goal from here on: data of the user's own can have another one.
        goal: Option<Goal>,
    },
    /// A request was refused and changed nothing.
    Refused {
        /// The value of `type` in the request.
        request: String,
        /// The reason, in one sentence.
        message: String,
    },
    /// A command was executed.
    Executed {
        /// The text that it asked for, such as a file; null for most commands.
        text: Option<String>,
    },
    /// A checkpoint, or a recipe.
    Saved {
        /// The number of completed units in the checkpoint.
        units: u64,
        /// The fingerprint of the run, equal for runs that continue with the same bits; null if it was not
        /// requested.
        fingerprint: Option<String>,
        /// The file.
        #[cfg_attr(feature = "bindings", ts(type = "Uint8Array<ArrayBuffer>"))]
        bytes: serde_bytes::ByteBuf,
    },
    /// The device on which the run computes from now on.
    Device {
        /// The GPU; null if the run computes on the CPU.
        gpu: Option<GpuInfo>,
        /// Why the GPU is not used, or why it failed; null if it is used. After a failure the run cannot
        /// go on from here, but from its last checkpoint.
        message: Option<String>,
        /// True if the GPU failed while the run computed on it.
        failed: bool,
    },
    /// The peak arithmetic rate of this machine.
    Peak {
        /// Floating-point operations per second, on all threads of this worker.
        operations_per_second: f64,
    },
}

/// A message to the page: a reply, and the request that it answers.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyTo {
    /// The number of the request; `None` for what the page has not asked for.
    pub id: Option<u32>,
    pub reply: Reply,
}

impl ReplyTo {
    /// What the page has not asked for.
    pub fn unasked(reply: Reply) -> Self {
        Self { id: None, reply }
    }

    pub fn request(id: u32, reply: Reply) -> Self {
        Self { id: Some(id), reply }
    }
}

/// The answer to `Request::View`. It is not a variant of [`Reply`], because its content has a type of the
/// lab.
#[derive(Serialize)]
#[serde(tag = "type", rename = "view")]
pub struct ViewReply<'a> {
    pub view: &'a dyn erased_serde::Serialize,
}

/// A part of the answer to `Request::Ask`. It is not a variant of [`Reply`], because its content has a type of
/// the tool.
#[derive(Serialize)]
#[serde(tag = "type", rename = "answer")]
pub struct Answer {
    /// The number of the question.
    pub id: u32,
    pub part: AnswerPart,
}

/// What an answer says. `Output` and `Refused` come last.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub enum AnswerPart {
    /// The tool works.
    Begun {
        /// The units after which the network was copied.
        units: u64,
    },
    /// What the tool has found out.
    Event {
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        event: AnyOutput,
    },
    /// How far the tool is.
    Progress { progress: ToolProgress },
    /// The answer.
    Output {
        /// Null if the question was cancelled before anything was known.
        #[cfg_attr(feature = "bindings", ts(type = "unknown"))]
        output: Option<AnyOutput>,
        /// Whether the question was cancelled, so that the answer may be incomplete.
        partial: bool,
    },
    /// The question cannot be answered.
    Refused {
        /// The field of the input that is wrong; null if it is none.
        field: Option<String>,
        /// The reason, in one sentence.
        message: String,
    },
}

/// The GPU that a run computes on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct GpuInfo {
    pub name: String,
    /// Whether it computes in software on the CPU.
    pub software: bool,
    /// The measured peak of multiply-adds, in floating-point operations per second.
    pub operations_per_second: f64,
}

/// The facts about a run that are constant while it is open, except for what can change during a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct RunInfo {
    pub lab: String,
    /// All settings as they are now.
    pub config: Map<String, Value>,
    /// The seed as it is now.
    pub seed: u32,
    /// The changes during the run so far, which lead back to the settings and the seed at its start.
    pub changes: Vec<Change>,
    pub goal: Option<Goal>,
    /// The number of completed units when the run continued from a file that held only a network, so that
    /// nothing repeats it from its start.
    pub network_since: Option<u64>,
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct Progress {
    /// Units completed.
    pub units: u64,
    /// The amount of training, in the lab's unit of measure (`About::work`).
    pub work: u64,
    /// Work per second, over the last two seconds.
    pub work_per_second: f64,
    /// Units per second, over the last two seconds.
    pub units_per_second: f64,
    /// True between `Run` and `Pause`.
    pub running: bool,
    /// The rate of slow motion; null at full speed.
    pub steps_per_second: Option<f64>,
    /// The number of completed units when the goal was first reached; null if it has not been reached.
    pub solved_at: Option<u64>,
    /// The amount of training at the end of that unit; null if that was before the run was resumed.
    pub solved_work: Option<u64>,
    /// The amount of training at the end of the last completed unit; `work` also counts what was done of the
    /// next.
    pub units_work: u64,
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

/// A description of the bundle's build, which the page requests before any run.
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

/// The texts and settings of a lab, which the page shows before it loads the lab's bundle.
/// `www/generated/labs.ts` lists all labs.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LabInfo {
    pub about: About,
    /// The settings, in order.
    pub fields: Vec<Field>,
    /// Whether the lab can compute on a GPU in a tab, for which it has a bundle of its own.
    pub uses_gpu: bool,
    /// Why not, for a lab that can on the command line.
    pub why_no_gpu: Option<&'static str>,
    /// Whether its tools have a bundle of their own.
    pub tools_apart: bool,
}

/// What the actors of a fleet in this tab are doing and have done.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ActorsProgress {
    /// Whether the fleet computes a sweep: many whole runs.
    pub sweep: bool,
    /// The run that the fleet computes, or one run of the sweep under way here; null until something has
    /// come.
    pub run: Option<FleetRun>,
    /// The version of the weights: the first twelve hexadecimal digits of its hash.
    pub version: Option<String>,
    /// The unit of the jobs under way; null if there are none.
    pub unit: Option<u64>,
    pub actors: ActorStates,
    /// Results that the host has received.
    pub accepted: u64,
    /// Results that came too late: another machine was faster.
    pub late: u64,
    /// What the jobs that were computed here amount to, such as turns.
    pub work: Vec<WorkCount>,
    pub paused: bool,
    /// Why the fleet does not want this tab any more.
    pub ended: Option<String>,
    /// Why the host refused what it was sent last.
    pub refusal: Option<String>,
}

/// How many actors do what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ActorStates {
    /// They ask for a job.
    pub asking: u32,
    /// They fetch weights.
    pub fetching: u32,
    pub working: u32,
    /// They deliver a result.
    pub delivering: u32,
    /// The run is complete.
    pub complete: u32,
}

/// The run that a fleet computes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct FleetRun {
    pub lab: String,
    pub seed: u32,
    /// All settings.
    pub config: Map<String, Value>,
}

/// How much of something was computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct WorkCount {
    /// A plural noun, such as "turns".
    pub what: String,
    pub count: u64,
}
