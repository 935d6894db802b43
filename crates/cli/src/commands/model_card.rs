//! The model card of exported networks: what they are, how they were trained, and what was measured.

use std::fmt::Write as _;

use learnery_lab::{Change, Checkpoint, Entry, LabError};
use serde_json::{Map, Value};

use crate::terminal::numbers;

/// The program and its version.
pub fn program() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("LEARNERY_COMMIT") {
        Some(commit) => format!("Learnery {version}, commit {commit}"),
        None => format!("Learnery {version}"),
    }
}

/// How long a run was trained, as a sentence.
pub fn training(entry: &Entry, checkpoint: &Checkpoint) -> String {
    let (header, about) = (&checkpoint.header, entry.about);
    let solved = match header.solved_at {
        Some(unit) => format!("; its goal was first reached after {}", counted_noun(unit, about.unit)),
        None => String::new(),
    };
    let work = numbers::si(header.work as f64);
    format!("The run trained for {} ({work} {}){solved}.", counted_noun(header.units, about.unit), about.work)
}

/// The command with which the run began, up to its first change or to its end.
pub fn command(entry: &Entry, checkpoint: &Checkpoint) -> String {
    let header = &checkpoint.header;
    let (settings, seed) = start_settings(checkpoint);
    let units = header.changes.first().map_or(header.units, |change| change.unit);
    let mut command = format!("learnery train {} --seed {seed} --units {units}", header.lab);
    for (name, value) in differing_settings(entry, &settings) {
        let _ = write!(command, " --set {name}={}", plain_value(&value));
    }
    command
}

/// What changed during the run, a sentence for each change.
pub fn changes(entry: &Entry, checkpoint: &Checkpoint) -> Vec<String> {
    let sentence = |change: &Change| {
        let mut parts: Vec<String> = change
            .after
            .iter()
            .map(|(name, value)| format!("`{name}` became {}", plain_value(value)))
            .collect();
        parts.extend(change.seed.map(|seed| format!("the seed became {}", seed.after)));
        parts.extend(change.data.as_ref().map(|_| "it got data of the user's own".to_owned()));
        format!("After {}: {}.", counted_noun(change.unit, entry.about.unit), parts.join(", "))
    };
    checkpoint.header.changes.iter().map(sentence).collect()
}

/// The model card of the networks in the file `model`.
pub fn model_card(entry: &Entry, checkpoint: &Checkpoint, model: &str) -> Result<String, LabError> {
    let (header, about) = (&checkpoint.header, entry.about);
    let network = checkpoint.network();
    if network.iter().next().is_none() {
        return Err(LabError::Checkpoint("it holds no network".into()));
    }
    let mut card = format!("---\nlibrary_name: learnery\ntags:\n- learnery\n- {}\n---\n\n", about.id);
    card += &format!("# {}: networks of a run with seed {}\n\n{}\n\n", about.title, header.seed, about.agent);
    card += &format!("{}\n\n", training(entry, checkpoint));
    card += &format!("| | |\n|---|---|\n| lab | `{}`: {} |\n", about.id, about.tagline);
    card += &format!("| goal | {} |\n| seed | {} |\n", about.goal, header.seed);
    card += &format!("| devices | {} |\n", devices_text(checkpoint));
    if !header.network_only {
        card += &format!("| fingerprint of the run | `{}` |\n", checkpoint.fingerprint());
    }
    card += &format!("| exported by | {} |\n\n", program());
    card += &metrics_section(entry, checkpoint, model)?;
    card += &settings_section(entry, checkpoint);
    card += &format!("## Training\n\nThe run began with\n\n```sh\n{}\n```\n\n", command(entry, checkpoint));
    changes(entry, checkpoint).iter().for_each(|sentence| card += &format!("- {sentence}\n"));
    if !header.changes.is_empty() {
        card.push('\n');
    }
    card += &format!(
        "## Files\n\n`{model}` holds these tensors. Its metadata has lab, settings, seed and counters as JSON under the key \
         `learnery`. `learnery eval {model}` measures the agent, `learnery.load(\"{model}\")` gives it to Python, and the page opens \
         it with \"Load a trained network\".\n\n| tensor | type | shape |\n|---|---|---|\n"
    );
    for (name, tensor) in network.iter() {
        card += &format!("| `network/{name}` | {} | {:?} |\n", tensor.type_name(), tensor.shape());
    }
    card += "\n## Licence\n\nLearnery and the models that it ships are under the MIT licence or the Apache License 2.0, as you \
             prefer. They put no conditions on networks that you train.\n";
    Ok(card)
}

/// The section with the last value of each metric.
fn metrics_section(entry: &Entry, checkpoint: &Checkpoint, model: &str) -> Result<String, LabError> {
    let mut text = String::from("## Figures\n\n");
    let Some(history) = entry.history(checkpoint)? else {
        text += &format!(
            "The networks were exported without the figures of their run. `learnery eval {model}` measures them.\n\n"
        );
        return Ok(text);
    };
    text += &format!(
        "The last value of each metric. `learnery eval {model}` measures the agent anew.\n\n| metric | value | {} | what it is \
         |\n|---|---|---|---|\n",
        entry.about.unit
    );
    for (spec, column) in entry.about.metrics.iter().zip(history.columns()) {
        // The last row in which the metric was measured.
        if let Some(row) = column.iter().rposition(|value| !value.is_nan()) {
            let (value, unit) = (column[row], history.units()[row]);
            let value = format!("{value:.4}");
            let value = value.trim_end_matches('0').trim_end_matches('.');
            let value = format!("{value} {}", spec.unit);
            text += &format!("| {} | {} | {unit} | {} |\n", spec.label, value.trim_end(), spec.help);
        }
    }
    text.push('\n');
    Ok(text)
}

/// The settings at the end that differ from the defaults.
fn settings_section(entry: &Entry, checkpoint: &Checkpoint) -> String {
    let differing = differing_settings(entry, &checkpoint.header.config);
    let defaults = format!("`learnery labs {}` lists all", entry.about.id);
    if differing.is_empty() {
        return format!("## Settings\n\nAll settings are the defaults; {defaults}.\n\n");
    }
    let mut text = format!(
        "## Settings\n\nThose that differ from the defaults; {defaults}.\n\n| setting | value |\n|---|---|\n"
    );
    for (name, value) in differing {
        text += &format!("| `{name}` | {} |\n", plain_value(&value));
    }
    text.push('\n');
    text
}

/// Settings and seed at the start of the run.
fn start_settings(checkpoint: &Checkpoint) -> (Map<String, Value>, u32) {
    let header = &checkpoint.header;
    let (mut settings, mut seed) = (header.config.clone(), header.seed);
    // Undoes the changes, the last first.
    for change in header.changes.iter().rev() {
        settings.extend(change.before.clone());
        seed = change.seed.map_or(seed, |change| change.before);
    }
    (settings, seed)
}

/// The settings that differ from the defaults, in the order of the lab's list.
fn differing_settings(entry: &Entry, settings: &Map<String, Value>) -> Vec<(String, Value)> {
    let schema = (entry.schema)();
    let value = |name: &str| settings.get(name).cloned();
    let fields = schema.fields().iter().filter_map(|field| Some((field, value(&field.name)?)));
    fields
        .filter(|(field, value)| field.default != *value)
        .map(|(field, value)| (field.name.clone(), value))
        .collect()
}

fn devices_text(checkpoint: &Checkpoint) -> String {
    let devices = &checkpoint.header.devices;
    if devices.is_empty() {
        return "CPU".into();
    }
    let name = |device: &learnery_lab::DeviceUse| match (device.is_cpu(), device.unit) {
        (true, unit) => format!("CPU from unit {unit} on"),
        (false, unit) => format!("{} from unit {unit} on", device.adapter),
    };
    devices.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// A value as in `--set NAME=VALUE`.
fn plain_value(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn counted_noun(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
