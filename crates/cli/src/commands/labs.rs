//! `learnery labs`: lists the labs (learning tasks), or one lab's presets, settings and tools.

use anyhow::Result;
use learnery_lab::{Condition, EVALUATE, Entry, Field, Group, Kind, ToolAbout, ToolEntry};
use serde_json::{Value, json};

use crate::args::LabsArgs;
use crate::commands::eval_options;
use crate::failure::usage;
use crate::settings::describe_range;
use crate::terminal::table::{LEFT, RIGHT};
use crate::terminal::{stdout, table};

/// The most columns of the list of labs: longer lines are hard to read.
const MAX_LIST_COLUMNS: usize = 80;

pub fn labs(args: &LabsArgs) -> Result<()> {
    let entries: Vec<&Entry> = match &args.lab {
        Some(name) => vec![learnery_labs::find(name).map_err(usage)?],
        None => learnery_labs::LABS.iter().collect(),
    };
    if args.json {
        return entries.iter().try_for_each(|entry| stdout::write_json(&as_json(entry)));
    }
    if args.lab.is_some() {
        return entries.iter().try_for_each(|entry| stdout::write(&details(entry)));
    }
    // The presets are below the text: beside it, the text would have no room.
    let rows_of = |entry: &&Entry| {
        let presets: Vec<&str> = entry.about.presets.iter().map(|preset| preset.name).collect();
        let presets = format!("presets: {}", presets.join(", "));
        [vec![entry.about.id.into(), entry.about.tagline.into()], vec![String::new(), presets]]
    };
    let rows: Vec<Vec<String>> = entries.iter().flat_map(rows_of).collect();
    let width = table::width(&std::io::stdout()).min(MAX_LIST_COLUMNS);
    stdout::write(&table::render(&["lab", "what is learned"], &[LEFT; 2], &rows, width))?;
    stdout::write("\nThe settings of a lab: learnery labs LAB\n")
}

/// Everything that is known about a lab before it runs, as one JSON object.
fn as_json(entry: &Entry) -> Value {
    let schema = (entry.schema)();
    json!({
        "about": entry.about,
        "fields": schema.fields(),
        "schema": (entry.json_schema)(),
        "evalOptions": entry.eval_fields(),
        "tools": entry.tools.iter().map(tool_as_json).collect::<Vec<_>>(),
    })
}

fn tool_as_json(tool: &ToolEntry) -> Value {
    let about = tool.about;
    json!({ "id": about.id, "title": about.title, "help": about.help, "fields": (tool.schema)().fields() })
}

/// The texts, presets, settings and tools of a lab, for people. A *unit* is one training
/// iteration, *work* is what the lab counts, such as games; here are the lab's own words for the two.
fn details(entry: &Entry) -> String {
    let about = entry.about;
    let width = table::width(&std::io::stdout());
    let mut text = format!("{}: {}\n\n", about.title, about.tagline);
    let rows = [("Agent", about.agent), ("Goal", about.goal), ("Unit", about.unit), ("Work", about.work)];
    let rows = rows.map(|(name, text)| vec![name.to_owned(), text.to_owned()]);
    let no_headings = ["", ""];
    text.push_str(&table::render(&no_headings, &[LEFT; 2], &rows, width));
    text.push_str(&format!("\nPresets (--preset NAME)\n{}", presets_table(entry, width)));
    let (schema, live) = ((entry.schema)(), "A dot marks settings that can change during a run.");
    text.push_str(&format!("\nSettings (--set NAME=VALUE). {live}\n"));
    for group in Group::ALL {
        let fields: Vec<&Field> = schema.fields().iter().filter(|field| field.group == group).collect();
        if !fields.is_empty() {
            text.push_str(&format!("\nSettings: {}\n{}", group.name(), settings_table(&fields, width)));
        }
    }
    for tool in entry.tools {
        let ToolAbout { id, help, .. } = tool.about;
        // `eval` has an option for each of its inputs.
        let options = if *id == EVALUATE { "; eval RUN --NAME VALUE" } else { "" };
        text.push_str(&format!("\nTool {id} (ask RUN {id} --set NAME=VALUE{options}): {help}\n"));
        let schema = (tool.schema)();
        let fields: Vec<&Field> = schema.fields().iter().collect();
        if !fields.is_empty() {
            text.push_str(&settings_table(&fields, width));
        }
    }
    text
}

/// A table of the presets.
fn presets_table(entry: &Entry, width: usize) -> String {
    let row = |preset: &learnery_lab::Preset| {
        vec![format!("  {}", preset.name), format!("{}. {}", preset.title, preset.help)]
    };
    let rows: Vec<Vec<String>> = entry.about.presets.iter().map(row).collect();
    let no_headings = ["", ""];
    table::render(&no_headings, &[LEFT; 2], &rows, width)
}

/// A table of settings or options.
fn settings_table(fields: &[&Field], width: usize) -> String {
    let row = |field: &&Field| {
        let default = field.default.as_str().map_or_else(|| field.default.to_string(), str::to_owned);
        let standard = field.standard_name();
        // The name in files, where it differs.
        let other_name = if standard == field.name { String::new() } else { format!(" ({})", field.name) };
        vec![
            format!("{} {standard}{other_name}", if field.live { "·" } else { " " }),
            default,
            short_range(field),
            eval_options::help(field) + &conditions_sentence(field),
        ]
    };
    let rows: Vec<Vec<String>> = fields.iter().map(row).collect();
    table::render(&["  name", "default", "range", "what it does"], &[LEFT, RIGHT, LEFT, LEFT], &rows, width)
}

/// A sentence about when a setting has an effect; empty if it always has one.
fn conditions_sentence(field: &Field) -> String {
    let condition = |Condition { setting, values }: &Condition| format!("{setting} = {}", values.join(" | "));
    let conditions: Vec<String> = field.applies.iter().map(condition).collect();
    if conditions.is_empty() { String::new() } else { format!(" Only with {}.", conditions.join(" and ")) }
}

/// The accepted values in the style of a table.
fn short_range(field: &Field) -> String {
    match &field.kind {
        Kind::Choice { options } => options.join(" | "),
        kind => describe_range(kind, &field.unit),
    }
}
