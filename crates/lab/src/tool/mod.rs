//! Tools: what a lab can do with a trained network beside learning, such as solving, sampling or exporting.
//!
//! A [`Tool`] declares its input by a schema, works in steps like training, reports events on the way and
//! ends with an output. Page, command line and Python ask the same tools, so the same question has the same
//! answer everywhere. The model is the analysis engine of KataGo: questions have ids, results come in parts,
//! and an error names its field.
//!
//! A tool reads a [`Source`], a copy of a network. Nothing that it does reaches the run that the copy is
//! from. Inputs are counts, never times, so an output depends only on source and input. A deadline is a
//! cancel by the face: it drops the [`Job`], and may take [`Job::partial`] before, which it marks as partial.

mod any;
mod evaluation;
mod interrupt;
mod job;
mod program;

use learnery_nn::Tensors;
use serde::Serialize;

pub use any::{AnyJob, AnyOutput, ErasedOutput, ToolEntry};
#[cfg(not(target_family = "wasm"))]
pub(crate) use evaluation::SEED_FIELD;
#[cfg(not(target_family = "wasm"))]
pub use evaluation::{EVALUATE, EvalRequest, Named};
pub use evaluation::{Figure, Report};
pub use interrupt::Interrupt;
pub use job::{Job, Outcome};
pub use program::Program;

use crate::{Checkpoint, Config, Lab, LabError, NamedText, Shape};

/// A tool's texts.
#[derive(Clone, Copy, Debug)]
pub struct ToolAbout {
    /// Id in commands and requests, such as `solve`.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// The plural noun for what [`ToolProgress::count`] counts, such as "searches".
    pub counts: &'static str,
    /// Whether the page asks it. Then the page's bundle of the lab has it, unless the lab's tools have a
    /// bundle of their own ([`Lab::TOOLS_APART`]). A first visit loads the whole bundle of the lab.
    pub in_tab: bool,
}

/// The network that a tool works with, and what is known of its run. A checkpoint, a network that comes with
/// the program and the network of an open run ([`crate::Session::try_network`]) all become one.
#[derive(Clone, Debug)]
pub struct Source<L: Lab> {
    /// The settings of the run.
    pub config: L::Config,
    /// The tensors of the network, without the prefix `network/`.
    pub network: Tensors,
    /// The seed of the run.
    pub seed: u32,
    /// Completed units.
    pub units: u64,
    /// The amount of training, see [`Lab::work`].
    pub work: u64,
}

impl<L: Lab> Source<L> {
    /// The network of a checkpoint. Returns an error if it belongs to another lab or holds no network.
    pub fn of(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        let config = checkpoint.settings::<L>()?;
        let network = checkpoint.network();
        if network.iter().next().is_none() {
            return Err(LabError::Checkpoint("it holds no network".into()));
        }
        let header = &checkpoint.header;
        Ok(Self { config, network, seed: header.seed, units: header.units, work: header.work })
    }

    /// The source of a tool that needs no network ([`Tool::NEEDS_NETWORK`]).
    fn without_network() -> Self {
        Self { config: L::Config::default(), network: Tensors::new(), seed: 0, units: 0, work: 0 }
    }
}

/// What a step of a tool ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolStatus<O> {
    /// There is more to do; the next step can begin at once.
    Ready,
    /// No step was done, because a GPU is still busy; call again later.
    Waiting,
    /// The answer is complete.
    Done(O),
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct ToolProgress {
    /// The share of the work that is done, 0 to 1; 0 while nobody can tell.
    pub share: f64,
    /// How much is done, in what [`ToolAbout::counts`] names.
    pub count: u64,
}

impl ToolProgress {
    /// `done` of `all` is done, in what [`ToolAbout::counts`] names.
    pub fn of(done: u64, all: u64) -> Self {
        Self { share: done as f64 / all.max(1) as f64, count: done }
    }

    /// The number of which `count` is the share `share`; `None` while nothing is done.
    #[cfg(not(target_family = "wasm"))]
    fn total(self) -> Option<u64> {
        (self.share > 0.0).then(|| (self.count as f64 / self.share).round() as u64)
    }
}

/// An ability of a lab beside learning.
pub trait Tool: Sized + Send + 'static {
    const ABOUT: ToolAbout;
    /// The lab whose networks it works with.
    type Lab: Lab;
    /// What is asked: a flat struct. Beside the kinds of a lab's settings it may have texts, lists, and one
    /// file or opponent ([`crate::Kind`]).
    type Input: Config + Shape;
    /// The schema of the input as the page's bundles read it, a file that `cargo xtask bindings` writes.
    const INPUT: &'static str;
    /// What it reports on the way.
    type Event: Serialize + Shape;
    /// The answer.
    type Output: Serialize + Shape;
    /// Whether it uses the network of its source. Otherwise it can be asked without one
    /// ([`Job::without_network`]).
    const NEEDS_NETWORK: bool = true;
    /// Whether [`ToolProgress::share`] is the share of what [`ToolProgress::count`] counts, as in
    /// [`ToolProgress::of`]. Then a bar can show how many there are, and otherwise only the share.
    const COUNT_HAS_TOTAL: bool = false;

    /// Begins. The input is within its ranges. `file` is the content of the file that the input names; `None`
    /// if it names none, or an opponent that is no file.
    fn begin(
        source: Source<Self::Lab>,
        input: Self::Input,
        file: Option<NamedText>,
    ) -> Result<Self, LabError>;

    /// Begins with another program, which the input names by its field of the kind [`crate::Kind::Opponent`].
    fn begin_against(
        _source: Source<Self::Lab>,
        _input: Self::Input,
        _program: Program,
    ) -> Result<Self, LabError> {
        Err(LabError::Tool(format!("`{}` asks no other program", Self::ABOUT.id)))
    }

    /// Does one step, which takes well below a second, and reports what it found out.
    fn step(&mut self, report: &mut dyn FnMut(Self::Event)) -> Result<ToolStatus<Self::Output>, LabError>;

    /// How far it is.
    fn progress(&self) -> ToolProgress;

    /// The answer as far as it is known; `None` while it would say nothing.
    fn partial(&self) -> Option<Self::Output> {
        None
    }

    /// Lets steps that take long end early once the interrupt is raised. What such a step has not completed
    /// is left out, and nothing but [`Tool::partial`] is called after it.
    fn interrupt_by(&mut self, _interrupt: Interrupt) {}

    /// Whether its steps consist of work so short that waking a sleeping thread for it takes longer. If the
    /// threads have nothing else to do, they should spin meanwhile ([`crate::with_spinning_threads`]).
    #[cfg(not(target_family = "wasm"))]
    fn wants_spinning_threads(&self) -> bool {
        false
    }

    /// Whether a GPU is likely to be faster than the CPU.
    fn prefers_gpu(&self) -> bool {
        false
    }

    /// Computes on a GPU from the first step on. After an error it computes on the CPU.
    #[cfg(feature = "gpu")]
    fn use_gpu(&mut self, _gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        Err(LabError::Device(format!("`{}` computes on the CPU only", Self::ABOUT.id)))
    }
}

/// A tool that answers one question after the other with the same network.
pub trait AskAgain: Tool {
    /// Begins with another input. After an error, and before, it is at the input that it had.
    fn ask_again(&mut self, input: Self::Input, file: Option<NamedText>) -> Result<(), LabError>;
}
