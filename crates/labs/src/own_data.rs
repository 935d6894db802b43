//! Data of the user's own that a run can learn: a text, or the rules of a world. The command line and the
//! Python package start such runs in the same way, so they have the same bits.

use std::collections::BTreeMap;

use learnery_lab::{Entry, LabError, NamedText, Session};
use serde_json::{Map, Value, json};

use crate::control::{Control, check_world};
use crate::language::{Language, check_source, check_text, replace_stories};

/// The kind of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnKind {
    /// A text, which the language lab learns.
    Text,
    /// The rules of a world, which the control lab learns.
    World,
}

impl OwnKind {
    /// The id of the lab that learns it.
    pub fn lab(self) -> &'static str {
        match self {
            Self::Text => Entry::of::<Language>().about.id,
            Self::World => Entry::of::<Control>().about.id,
        }
    }

    /// The preset from which a run starts unless another one is named.
    pub fn preset(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::World => "own",
        }
    }

    /// Why another lab refuses it, as the end of a sentence about that lab.
    pub fn why_not(self) -> &'static str {
        match self {
            Self::Text => "reads no text",
            Self::World => "has no worlds",
        }
    }
}

/// A text, or the rules of a world, that can be learned.
#[derive(Clone, Debug)]
pub struct OwnData {
    pub kind: OwnKind,
    /// What it is called in the run and in errors, such as the name of its file.
    pub name: String,
    text: String,
    /// The values of a world's parameters that differ from the defaults in its text.
    parameters: BTreeMap<String, f32>,
}

impl OwnData {
    /// Checks the content of a file. The error is a sentence.
    pub fn new(kind: OwnKind, content: NamedText) -> Result<Self, LabError> {
        if kind == OwnKind::Text {
            check_text(&content)?;
        }
        let NamedText { name, bytes } = content;
        let not_utf8 = |_| LabError::Settings("a world is a text, and this is not UTF-8".into());
        let text = String::from_utf8(bytes).map_err(not_utf8)?;
        if kind == OwnKind::World {
            check_world(&text, &BTreeMap::new()).map_err(LabError::Settings)?;
        }
        Ok(Self { kind, name, text, parameters: BTreeMap::new() })
    }

    /// Sets parameters of a world. The error is a sentence.
    pub fn with_parameters(self, parameters: BTreeMap<String, f32>) -> Result<Self, LabError> {
        if parameters.is_empty() {
            return Ok(self);
        }
        debug_assert_eq!(self.kind, OwnKind::World, "a text has no parameters");
        check_world(&self.text, &parameters).map_err(LabError::Settings)?;
        Ok(Self { parameters, ..self })
    }

    /// Changes a preset's settings so that the run learns these data.
    pub fn turn_to_own(&self, preset: &mut Map<String, Value>) {
        match self.kind {
            OwnKind::Text => replace_stories(preset),
            OwnKind::World => _ = preset.insert("world".into(), "own".into()),
        }
    }

    /// Gives the data to a run, which learns them from the next unit on.
    pub fn give_to(&self, run: &mut Session) -> Result<(), LabError> {
        let mut command = match self.kind {
            OwnKind::Text => {
                check_source(run.config())?;
                json!({ "type": "text" })
            }
            OwnKind::World => json!({ "type": "world", "parameters": self.parameters }),
        };
        command["name"] = self.name.clone().into();
        command["text"] = self.text.clone().into();
        run.apply(command).map(drop)
    }
}
