//! Generates the stub of `learnery._tools` for Python: the inputs of each lab's tools as the arguments of `Agent.ask`, so
//! that editors and type checkers know them. It is a part of the bindings (`bindings.rs`).

use learnery_lab::{Entry, Field, Kind, ToolEntry};
use serde_json::Value;

/// The files as (path in the repository, content).
pub fn files() -> [(String, String); 2] {
    let head = "# Written by `cargo xtask bindings` from the Rust types. Change those, not this file.";
    let about = "The tools of each lab, for editors and type checkers: `_tools.pyi` has their inputs.";
    let empty_class =
        |entry: &Entry| format!("\n\nclass {}:\n    \"\"\"{}\"\"\"\n", name(entry), sentence(entry));
    let labs = learnery_labs::LABS;
    let module: String = labs.iter().map(empty_class).collect();
    let imports = "from collections.abc import Callable, Sequence\nfrom typing import Any, Literal, overload\n\n\
                   import numpy.typing as npt\n\n\
                   from learnery._agent import Answer\nfrom learnery._files import AnyPath\n";
    let stubs: Vec<String> = labs.iter().map(stub).collect();
    [
        ("python/learnery/_tools.py".into(), format!("{head}\n\"\"\"{about}\"\"\"\n{module}")),
        ("python/learnery/_tools.pyi".into(), format!("{head}\n\n{imports}\n{}", stubs.join("\n"))),
    ]
}

/// The name of a lab's class, such as `BackgammonTools`.
fn name(entry: &Entry) -> String {
    let id = entry.about.id;
    format!("{}{}Tools", id[..1].to_uppercase(), &id[1..])
}

fn sentence(entry: &Entry) -> String {
    format!("The tools of the lab `{}`.", entry.about.id)
}

/// A lab's class in the stub.
fn stub(entry: &Entry) -> String {
    // Python allows `overload` only where there are several methods.
    let overload = if entry.tools.len() > 1 { "    @overload\n" } else { "" };
    let methods: String = entry.tools.iter().map(|tool| format!("{overload}{}", method(tool))).collect();
    format!("class {}:\n{}{methods}", name(entry), docstring(&sentence(entry), 4))
}

/// `ask` for one tool.
fn method(tool: &ToolEntry) -> String {
    let schema = (tool.schema)();
    let input = |field: &Field| {
        let default = python_literal(&field.default);
        format!("        {}: {} = {default},\n", field.name, python_type(&field.kind))
    };
    let inputs: String = schema.fields().iter().map(input).collect();
    let arguments: String =
        schema.fields().iter().map(|field| format!("            {}: {}\n", field.name, field.help)).collect();
    let arguments =
        if arguments.is_empty() { arguments } else { format!("\n\n        Args:\n{arguments}        ") };
    let text = format!("        \"\"\"{}{arguments}\"\"\"\n", tool.about.help);
    format!(
        "    def ask(\n        self,\n        tool: Literal[{:?}],\n        *,\n{inputs}        seconds: float | None = None,\n        \
         progress: bool | None = None,\n        on_event: Callable[[Any], object] | None = None,\n    ) -> \
         Answer:\n{text}",
        tool.about.id
    )
}

fn docstring(text: &str, indent: usize) -> String {
    format!("{:indent$}\"\"\"{text}\"\"\"\n", "")
}

fn python_type(kind: &Kind) -> String {
    match kind {
        Kind::Integer { .. } => "int".into(),
        Kind::Number { .. } => "float".into(),
        Kind::Switch => "bool".into(),
        Kind::Choice { options } => {
            let options: Vec<String> = options.iter().map(|option| format!("{option:?}")).collect();
            format!("Literal[{}]", options.join(", "))
        }
        Kind::Text { .. } => "str".into(),
        Kind::List { item, .. } => format!("Sequence[{}] | npt.NDArray[Any]", python_type(item)),
        // The names of opponents are among the paths.
        Kind::File | Kind::Opponent { .. } => "AnyPath".into(),
    }
}

fn python_literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Array(_) => "()".into(),
        other => other.to_string(),
    }
}
