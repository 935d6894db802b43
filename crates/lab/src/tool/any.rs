//! Type erasure of tools: lets the page's worker and the tests use a tool without knowing its Rust types.

use std::any::Any;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Interrupt, Job, Tool, ToolAbout, ToolProgress, ToolStatus};
#[cfg(not(target_family = "wasm"))]
use super::{Named, Program, Source};
use crate::{Budget, Checkpoint, Kind, LabError, NamedText, Schema};

/// An event or the output of a tool, without its type. Who knows the type can get it back ([`Any`]).
pub type AnyOutput = Box<dyn ErasedOutput>;

/// Any event or output: it can be serialised.
pub trait ErasedOutput: erased_serde::Serialize + Any {}
impl<T: Serialize + Any> ErasedOutput for T {}
erased_serde::serialize_trait_object!(ErasedOutput);

/// A job of any tool. Each method but [`AnyJob::total`] calls the method of [`Job`] with the same name.
pub trait AnyJob: Send {
    /// The units (training iterations) after which the network was copied.
    fn units(&self) -> u64;
    /// Does steps until the budget is spent, the answer is complete or a device is busy.
    fn advance(
        &mut self,
        budget: &mut Budget,
        report: &mut dyn FnMut(AnyOutput),
    ) -> Result<ToolStatus<AnyOutput>, LabError>;
    /// How far it is.
    fn progress(&self) -> ToolProgress;
    /// The answer as far as it is known.
    fn partial(&self) -> Option<AnyOutput>;
    /// Lets steps that take long end early once the interrupt is raised.
    fn interrupt_by(&mut self, interrupt: Interrupt);
    /// Whether the threads should spin meanwhile.
    #[cfg(not(target_family = "wasm"))]
    fn wants_spinning_threads(&self) -> bool;
    /// The total that [`ToolProgress::count`] will reach. `None` until it can be estimated, and always for
    /// tools whose share is not of the count ([`Tool::COUNT_HAS_TOTAL`]).
    #[cfg(not(target_family = "wasm"))]
    fn total(&self) -> Option<u64>;
}

impl<T: Tool> AnyJob for Job<T> {
    fn units(&self) -> u64 {
        Job::units(self)
    }

    fn advance(
        &mut self,
        budget: &mut Budget,
        report: &mut dyn FnMut(AnyOutput),
    ) -> Result<ToolStatus<AnyOutput>, LabError> {
        let status = Job::advance(self, budget, &mut |event| report(Box::new(event)))?;
        Ok(match status {
            ToolStatus::Ready => ToolStatus::Ready,
            ToolStatus::Waiting => ToolStatus::Waiting,
            ToolStatus::Done(output) => ToolStatus::Done(Box::new(output)),
        })
    }

    fn progress(&self) -> ToolProgress {
        Job::progress(self)
    }

    fn partial(&self) -> Option<AnyOutput> {
        Job::partial(self).map(|output| Box::new(output) as AnyOutput)
    }

    fn interrupt_by(&mut self, interrupt: Interrupt) {
        Job::interrupt_by(self, interrupt);
    }

    #[cfg(not(target_family = "wasm"))]
    fn wants_spinning_threads(&self) -> bool {
        Job::wants_spinning_threads(self)
    }

    #[cfg(not(target_family = "wasm"))]
    fn total(&self) -> Option<u64> {
        if T::COUNT_HAS_TOTAL { Job::progress(self).total() } else { None }
    }
}

/// A job that has begun.
type Begun = Result<Box<dyn AnyJob>, LabError>;

/// An entry of a lab's list of tools ([`crate::Lab::TOOLS`]).
#[derive(Clone, Copy, Debug)]
pub struct ToolEntry {
    pub about: &'static ToolAbout,
    /// Returns the schema of the input. Natively it is derived from the type of the input.
    pub schema: fn() -> Schema,
    /// The same schema as the text from which the page's bundles read it ([`Tool::INPUT`]).
    #[cfg(feature = "contract")]
    pub(crate) input: &'static str,
    begin: fn(&Checkpoint, Map<String, Value>, Option<NamedText>) -> Begun,
    #[cfg(not(target_family = "wasm"))]
    begin_against: fn(&Checkpoint, Map<String, Value>, Program) -> Begun,
    /// Adds the TypeScript types of input, event and output to the declarations, and returns their names.
    #[cfg(feature = "bindings")]
    pub declare: fn(&mut crate::Declarations) -> [String; 3],
}

impl ToolEntry {
    /// The entry of tool `T`.
    pub const fn of<T: Tool>() -> Self {
        Self {
            about: &T::ABOUT,
            schema: Schema::of_tool::<T>,
            #[cfg(feature = "contract")]
            input: T::INPUT,
            begin: begin::<T>,
            #[cfg(not(target_family = "wasm"))]
            begin_against: begin_against::<T>,
            #[cfg(feature = "bindings")]
            declare: |types| [types.add::<T::Input>(), types.add::<T::Event>(), types.add::<T::Output>()],
        }
    }

    /// Begins with the network of a checkpoint, of which the job keeps a copy. `input` is a table of the
    /// values that differ from the defaults, `bytes` the content of the file that it names. The error for a
    /// bad input names the field.
    pub fn begin(&self, checkpoint: &Checkpoint, input: &Value, bytes: Option<Vec<u8>>) -> Begun {
        let schema = (self.schema)();
        let table = schema.complete(None, input)?;
        // The field that may name something outside of the lab: a file, or an opponent.
        let external_field = schema.fields().iter().find(|field| field.kind.known_names().is_some());
        let named = external_field.map(|field| (field, table[&field.name].as_str().unwrap_or_default()));
        let file = match (named.filter(|(field, name)| field.kind.names_a_file(name)), bytes) {
            (Some((_, name)), Some(bytes)) => Some(NamedText { name: name.into(), bytes }),
            // An opponent that the lab does not know, without the content of a file. Without one the tool
            // refuses the name, and says which opponents there are.
            (Some((field, _)), None) if field.kind != Kind::File => None,
            (Some((field, name)), None) => {
                return Err(LabError::input(&field.name, format!("the content of {name} is missing")));
            }
            (None, Some(_)) => {
                return Err(LabError::Tool(format!(
                    "`{}` was given a file that no field names",
                    self.about.id
                )));
            }
            (None, None) => None,
        };
        (self.begin)(checkpoint, table, file)
    }

    /// [`ToolEntry::begin`] for values typed by a user, with the file or the program that one of them names.
    /// Refuses an empty path, which a shell variable that is not set leaves.
    #[cfg(not(target_family = "wasm"))]
    pub fn begin_named(&self, checkpoint: &Checkpoint, input: &Value, named: Option<Named>) -> Begun {
        (self.schema)().refuse_empty_paths(input)?;
        match named {
            Some(Named::Program(program)) => self.begin_against(checkpoint, input, program),
            Some(Named::File(content)) => self.begin(checkpoint, input, Some(content)),
            None => self.begin(checkpoint, input, None),
        }
    }

    /// Begins with the network of a checkpoint against another program, which the input names as its
    /// opponent.
    #[cfg(not(target_family = "wasm"))]
    pub fn begin_against(&self, checkpoint: &Checkpoint, input: &Value, program: Program) -> Begun {
        (self.begin_against)(checkpoint, (self.schema)().complete(None, input)?, program)
    }

    /// Finds the tool with the id `name`. The error lists the ids of all tools of the lab.
    pub fn find(tools: &'static [Self], name: &str) -> Result<&'static Self, LabError> {
        tools.iter().find(|tool| tool.about.id == name).ok_or_else(|| {
            let known: Vec<&str> = tools.iter().map(|tool| tool.about.id).collect();
            LabError::Tool(match &known[..] {
                [] => format!("there is no tool `{name}`; this lab has none"),
                known => format!("there is no tool `{name}`; this lab has {}", known.join(", ")),
            })
        })
    }
}

/// Begins with a complete table and the content of the file that it names.
fn begin<T: Tool>(checkpoint: &Checkpoint, input: Map<String, Value>, file: Option<NamedText>) -> Begun {
    Ok(Box::new(Job::<T>::begin(checkpoint, typed_input::<T>(input)?, file)?))
}

/// Begins with a complete table against the program that it names.
#[cfg(not(target_family = "wasm"))]
fn begin_against<T: Tool>(checkpoint: &Checkpoint, input: Map<String, Value>, program: Program) -> Begun {
    let source = Source::of(checkpoint)?;
    let units = source.units;
    Ok(Box::new(Job::of(T::begin_against(source, typed_input::<T>(input)?, program)?, units)))
}

/// Converts a complete table to the tool's own input.
fn typed_input<T: Tool>(input: Map<String, Value>) -> Result<T::Input, LabError> {
    serde_json::from_value(Value::Object(input)).map_err(|e| LabError::Tool(e.to_string()))
}
