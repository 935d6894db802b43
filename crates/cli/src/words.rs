//! What is said at the beginning and at the end of a run, always on standard error.

use std::io;
use std::path::Path;

use learnery_lab::Session;
use unicode_width::UnicodeWidthStr;

use crate::display::numbers::{count, span};
use crate::display::{Watched, put};
use crate::limits::{Limits, Reason};
use crate::table;

/// What begins, and where.
pub fn opening(session: &Session, folder: &Path, resumed: bool, limits: &Limits) {
    let about = session.entry().about;
    if resumed {
        let unit = count(session.units());
        paragraph(&format!("{} goes on after {} {unit}, in {}", about.title, about.unit, folder.display()));
    } else {
        paragraph(&format!("{}: {}", about.title, about.tagline));
    }
    if let Some(goal) = session.goal() {
        paragraph(&format!("Goal: {}", goal.words));
    }
    if let Some(last) = limits.schedule {
        paragraph(&format!(
            "Its settings plan {} {}s ahead: there it ends at the latest",
            count(last),
            about.unit
        ));
    }
    if limits.none() {
        paragraph("It trains on until Ctrl-C, which saves it.");
    }
    put("\n");
}

fn paragraph(text: &str) {
    for line in table::wrap(text, table::width(&io::stderr())) {
        put(&(line + "\n"));
    }
}

/// How the run ended, and what to try next. `worked` is false where there was nothing left to do; `saved_unit` is the unit
/// of the newest checkpoint.
pub fn closing(
    session: &Session,
    folder: &Path,
    reason: Reason,
    worked: bool,
    seconds: f64,
    saved_unit: Option<u64>,
    watched: Option<&Watched>,
) {
    let about = session.entry().about;
    let unit = format!("{} {}", about.unit, count(session.units()));
    let figure = watched.map_or(String::new(), |w| format!(", {} {}", w.spec.label, w.words()));
    let head = match reason {
        Reason::Goal if !worked => {
            format!("The goal had been reached before; nothing was done at {unit}{figure}.")
        }
        Reason::Goal => format!("Goal reached at {unit} in {}{figure}.", span(seconds)),
        Reason::Units | Reason::Time => format!("Stopped at {unit} after {}{figure}.", span(seconds)),
        Reason::Schedule => {
            format!("Stopped at {unit} after {}, where its settings end{figure}.", span(seconds))
        }
        Reason::Interrupted => format!("Stopped when asked, at {unit}{figure}."),
        Reason::Unread => format!("Standard output was closed; stopped at {unit}."),
    };
    put("\n");
    paragraph(&head);
    match saved_unit {
        Some(saved) if saved == session.units() => paragraph(&format!("Saved in {}", folder.display())),
        Some(saved) => {
            paragraph(&format!("Saved in {}, as of {} {}", folder.display(), about.unit, count(saved)));
        }
        None => paragraph(&format!("No {} was completed, so nothing was saved.", about.unit)),
    }
    put(&next_steps(session, folder, reason));
}

fn next_steps(session: &Session, folder: &Path, reason: Reason) -> String {
    let about = session.entry().about;
    let (run, folder) = (command(), quoted(folder));
    let more = if session.solved_at().is_some() { " --for 60s" } else { "" };
    let mut steps = vec![
        (format!("{run} train --resume {folder}{more}"), "train on from here"),
        (format!("{run} eval {folder}"), "judge it on fresh games"),
    ];
    if reason == Reason::Goal
        && let Some(preset) = about.presets.get(1)
    {
        steps.push((format!("{run} train {} --preset {}", about.id, preset.name), "try another preset"));
        steps.push((format!("tensorboard --logdir {folder}"), "look at the curves"));
        steps.push(("npm start".into(), "open last.safetensors"));
    }
    let widest = steps.iter().map(|(step, _)| step.width()).max().unwrap_or(0);
    let room = table::width(&io::stderr()).saturating_sub(widest + 4);
    let mut text = String::from("\nNext:\n");
    for (step, what) in &steps {
        let blanks = " ".repeat(widest - step.width());
        // Beside the command where all of them fit there, below it on a narrow terminal.
        if steps.iter().all(|(_, what)| what.width() <= room) {
            text.push_str(&format!("  {step}{blanks}  {what}\n"));
        } else {
            text.push_str(&format!("  {step}\n      {what}\n"));
        }
    }
    text
}

/// How this program was called, so that the next commands can be typed the same way.
fn command() -> String {
    if std::env::var_os("CARGO").is_some() && std::env::var_os("CARGO_MANIFEST_DIR").is_some() {
        let release = if cfg!(debug_assertions) { "" } else { " --release" };
        return format!("cargo run{release} --");
    }
    std::env::args().next().unwrap_or_else(|| "learnery".into())
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,".contains(c) || !c.is_ascii();
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
