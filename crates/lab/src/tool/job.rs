//! A tool at work. Dropping a [`Job`] cancels it.

use super::{AskAgain, Interrupt, Source, Tool, ToolProgress, ToolStatus};
use crate::{Budget, Checkpoint, DeviceWait, LabError, NamedText};

/// A tool that has begun.
pub struct Job<T: Tool> {
    tool: T,
    units: u64,
}

/// The result of a job that may have ended early.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome<O> {
    Complete(O),
    /// It was cancelled, or in a browser the GPU was busy. This was known by then.
    Partial(Option<O>),
}

impl<O> Outcome<O> {
    /// The answer, complete or partial.
    pub fn output(&self) -> Option<&O> {
        match self {
            Self::Complete(output) => Some(output),
            Self::Partial(output) => output.as_ref(),
        }
    }

    /// Whether the answer may be incomplete, because the job was cancelled.
    pub fn is_partial(&self) -> bool {
        matches!(self, Self::Partial(_))
    }
}

impl<T: Tool> Job<T> {
    /// Begins with the network of a checkpoint, of which the job keeps a copy. For untyped input see
    /// [`super::ToolEntry::begin`], which checks it.
    pub fn begin(
        checkpoint: &Checkpoint,
        input: T::Input,
        file: Option<NamedText>,
    ) -> Result<Self, LabError> {
        let source = Source::of(checkpoint)?;
        let units = source.units;
        Ok(Self { tool: T::begin(source, input, file)?, units })
    }

    /// Begins a tool that needs no network. The input is not checked against its schema, as in [`Job::begin`].
    pub fn without_network(input: T::Input, file: Option<NamedText>) -> Result<Self, LabError> {
        if T::NEEDS_NETWORK {
            return Err(LabError::Tool(format!("`{}` needs a network", T::ABOUT.id)));
        }
        Ok(Self { tool: T::begin(Source::without_network(), input, file)?, units: 0 })
    }

    /// A tool that has begun with a network of another kind than a checkpoint's, such as one that is loaded.
    /// `units` are the units after which it was copied.
    pub fn of(tool: T, units: u64) -> Self {
        Self { tool, units }
    }

    /// Asks again with the same network.
    pub fn ask_again(&mut self, input: T::Input, file: Option<NamedText>) -> Result<(), LabError>
    where
        T: AskAgain,
    {
        self.tool.ask_again(input, file)
    }

    /// Lets steps that take long end early once the interrupt is raised.
    pub fn interrupt_by(&mut self, interrupt: Interrupt) {
        self.tool.interrupt_by(interrupt);
    }

    /// The units (training iterations) after which the network was copied.
    pub fn units(&self) -> u64 {
        self.units
    }

    /// Does steps until the budget is spent, the answer is complete or a device is busy. Reports every event
    /// of these steps.
    pub fn advance(
        &mut self,
        budget: &mut Budget,
        report: &mut dyn FnMut(T::Event),
    ) -> Result<ToolStatus<T::Output>, LabError> {
        while budget.allows() {
            match self.tool.step(report)? {
                ToolStatus::Ready => {
                    budget.spend();
                }
                ended => return Ok(ended),
            }
        }
        Ok(ToolStatus::Ready)
    }

    /// Works until the answer is complete or `watch` returns false. `watch` is called after each step with its
    /// events and how far it is. A browser cannot wait for a GPU, so there a busy GPU ends the job too.
    pub fn finish(
        &mut self,
        watch: &mut dyn FnMut(Vec<T::Event>, ToolProgress) -> bool,
    ) -> Result<Outcome<T::Output>, LabError> {
        let mut wait = DeviceWait::default();
        loop {
            let mut events = Vec::new();
            let status = self.tool.step(&mut |event| events.push(event))?;
            let goes_on = watch(events, self.progress());
            match status {
                ToolStatus::Done(output) => return Ok(Outcome::Complete(output)),
                ToolStatus::Ready => wait.end(),
                ToolStatus::Waiting if wait.pause() => {}
                ToolStatus::Waiting => return Ok(Outcome::Partial(self.partial())),
            }
            if !goes_on {
                return Ok(Outcome::Partial(self.partial()));
            }
        }
    }

    /// Works until the answer is complete.
    pub fn answer(&mut self) -> Result<T::Output, LabError> {
        match self.finish(&mut |_, _| true)? {
            Outcome::Complete(output) => Ok(output),
            Outcome::Partial(_) => Err(LabError::Device("the GPU is not ready".into())),
        }
    }

    /// How far it is.
    pub fn progress(&self) -> ToolProgress {
        self.tool.progress()
    }

    /// The answer as far as it is known.
    pub fn partial(&self) -> Option<T::Output> {
        self.tool.partial()
    }

    /// Whether the threads should spin meanwhile ([`crate::with_spinning_threads`]).
    #[cfg(not(target_family = "wasm"))]
    pub fn wants_spinning_threads(&self) -> bool {
        self.tool.wants_spinning_threads()
    }

    /// Whether a GPU is likely to be faster than the CPU.
    pub fn prefers_gpu(&self) -> bool {
        self.tool.prefers_gpu()
    }

    /// Computes on a GPU from the first step on. After an error it computes on the CPU.
    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        self.tool.use_gpu(gpu)
    }
}
