//! The messages at the start and at the end of a run, on standard error, and those about saving it.

use std::io;
use std::path::Path;

use learnery_lab::{Limits, Session};
use unicode_width::UnicodeWidthStr;

use crate::device;
use crate::display::metric::WatchedMetric;
use crate::failure::one_line;
use crate::files::BEST;
use crate::limits::EndReason;
use crate::run::best::BestValue;
use crate::terminal::numbers::{count, duration, value};
use crate::terminal::{stderr, table};

/// The folder could be written again.
pub const SAVED_AGAIN: &str = "The run is saved again.";

/// The folder could not be written, as on a full disk.
pub fn goes_on_unsaved(error: &anyhow::Error) -> String {
    format!("{}. The run goes on and tries again.", one_line(error))
}

/// What the lab says about a unit (training iteration), such as that the rules of a world of the user's own
/// are wrong.
pub fn remark(unit: &str, number: u64, remark: &str) -> String {
    format!("After {unit} {}: {remark}.", count(number))
}

/// Prints which run starts or continues, its goal, its device (a sentence, if there was a choice) and its
/// limits.
pub fn print_start(
    session: &Session,
    folder: &Path,
    is_resumed: bool,
    device: Option<&str>,
    limits: &Limits,
) {
    start(session, folder, is_resumed, device, limits).iter().for_each(|text| paragraph(text));
    stderr::write("\n");
}

/// What [`print_start`] prints, as paragraphs.
pub fn start(
    session: &Session,
    folder: &Path,
    is_resumed: bool,
    device: Option<&str>,
    limits: &Limits,
) -> Vec<String> {
    let about = session.entry().about;
    let mut paragraphs = vec![if is_resumed {
        let unit = count(session.units());
        format!("{} continues after {} {unit}, in {}", about.title, about.unit, folder.display())
    } else {
        format!("{}: {}", about.title, about.tagline)
    }];
    paragraphs.extend(session.goal().map(|goal| format!("Goal: {}", goal.words)));
    paragraphs.extend(device.map(str::to_owned));
    if let Some(last) = limits.schedule {
        let (last, unit) = (count(last), about.unit);
        paragraphs.push(format!("Stops after {last} {unit}s at the latest, where its schedules end."));
    }
    if limits.is_unlimited() {
        paragraphs.push("Trains until you press Ctrl-C, which saves it.".into());
    }
    paragraphs
}

/// Prints text wrapped to the width of the terminal.
fn paragraph(text: &str) {
    for line in table::wrap(text, table::width(&io::stderr())) {
        stderr::write(&(line + "\n"));
    }
}

/// What is printed at the end of an invocation.
pub struct Ending<'a> {
    pub session: &'a Session,
    pub folder: &'a Path,
    pub reason: EndReason,
    /// Whether this invocation completed a unit. It does not if a limit had been reached before.
    pub has_trained: bool,
    /// The duration of this invocation in seconds.
    pub seconds: f64,
    /// The number of completed units in the newest checkpoint; `None` if nothing was saved.
    pub saved_unit: Option<u64>,
    pub metric: Option<&'a WatchedMetric>,
    /// The best value so far; `None` if its checkpoint is not kept.
    pub best: Option<&'a BestValue>,
    /// The fingerprint of the newest checkpoint that this invocation saved; `None` if it saved nothing.
    pub fingerprint: Option<&'a str>,
    /// The file of the text that the run learns from, without which it cannot be evaluated.
    pub text: Option<&'a Path>,
}

/// Prints how the run ended, where it is saved, and what to try next.
pub fn print_end(ending: &Ending) {
    let Ending { session, folder, reason, seconds, .. } = *ending;
    let about = session.entry().about;
    let unit = format!("{} {}", about.unit, count(session.units()));
    let latest =
        ending.metric.map_or(String::new(), |metric| format!(", {} {}", metric.spec.label, metric.text()));
    let summary = match reason {
        EndReason::Goal if !ending.has_trained => {
            format!("The goal had been reached before, so nothing was trained. The run is at {unit}{latest}.")
        }
        EndReason::Goal => format!("Goal reached at {unit} in {}{latest}.", duration(seconds)),
        EndReason::Units | EndReason::Time => {
            format!("Stopped at {unit} after {}{latest}.", duration(seconds))
        }
        EndReason::Schedule => {
            format!("Stopped at {unit} after {}, where its schedules end{latest}.", duration(seconds))
        }
        EndReason::Interrupted => format!("Stopped on request at {unit}{latest}."),
        EndReason::StdoutFailed => format!("Standard output cannot be written; stopped at {unit}."),
        EndReason::StdoutClosed => format!("Standard output was closed; stopped at {unit}."),
    };
    stderr::write("\n");
    paragraph(&summary);
    match ending.saved_unit {
        Some(saved) if saved == session.units() => paragraph(&format!("Saved in {}", folder.display())),
        Some(saved) => {
            paragraph(&format!("Saved in {}, as of {} {}", folder.display(), about.unit, count(saved)));
        }
        None => paragraph(&format!("No {} was completed, so nothing was saved.", about.unit)),
    }
    if let Some(best) = ending.best {
        let label = best.spec().label;
        paragraph(&match best.get() {
            Some((best, at)) => {
                format!("Best {label} {} at {} {}: {BEST}", value(best), about.unit, count(at))
            }
            None => format!("The {label} was not measured, so there is no best checkpoint."),
        });
    }
    if let Some(fingerprint) = ending.fingerprint {
        paragraph(&format!("Fingerprint {fingerprint} ({})", device::bits(session.devices())));
    }
    if ending.saved_unit.is_some() {
        stderr::write(&next_steps(ending));
    }
}

/// Prints that the run has the fingerprint that was expected.
pub fn print_same() {
    paragraph("Same result, bit for bit: the fingerprint is the expected one.");
}

/// Suggests commands to try next.
fn next_steps(ending: &Ending) -> String {
    let Ending { session, folder, reason, text, .. } = *ending;
    let about = session.entry().about;
    let (program, folder) = (program_command(), shell_quoted(folder));
    // A run that has reached its goal would end at once, unless it gets another limit.
    let limit = if session.solved_at().is_some() { " --for 60s" } else { "" };
    let text = text.map_or(String::new(), |text| format!(" --text {}", shell_quoted(text)));
    let mut steps = vec![
        (format!("{program} train --resume {folder}{limit}"), "train on from here"),
        (format!("{program} eval {folder}{text}"), "evaluate what it has learned"),
    ];
    if reason == EndReason::Goal
        // The first preset is the default, which has just been trained.
        && let Some(preset) = about.presets.get(1)
    {
        steps.push((format!("{program} train {} --preset {}", about.id, preset.name), "try another preset"));
        steps.push((format!("tensorboard --logdir {folder}"), "look at the curves"));
        steps.push(("npm start".into(), "open last.safetensors in the browser"));
    }
    /// Two blanks before the command, and two after it.
    const INDENT_AND_GAP: usize = 4;
    let widest = steps.iter().map(|(step, _)| step.width()).max().unwrap_or(0);
    let room = table::width(&io::stderr()).saturating_sub(widest + INDENT_AND_GAP);
    let mut text = String::from("\nNext:\n");
    for (step, what) in &steps {
        let blanks = " ".repeat(widest - step.width());
        // The descriptions are beside the commands, or all below them if one has no room.
        if steps.iter().all(|(_, what)| what.width() <= room) {
            text.push_str(&format!("  {step}{blanks}  {what}\n"));
        } else {
            text.push_str(&format!("  {step}\n      {what}\n"));
        }
    }
    text
}

/// The command that starts this program (`cargo run --` or its path), so that the suggested commands can be
/// copied.
fn program_command() -> String {
    if std::env::var_os("CARGO").is_some() && std::env::var_os("CARGO_MANIFEST_DIR").is_some() {
        let release = if cfg!(debug_assertions) { "" } else { " --release" };
        return format!("cargo run{release} --");
    }
    std::env::args().next().unwrap_or_else(|| "learnery".into())
}

/// The path in single quotes if it contains characters that a shell would interpret.
fn shell_quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,".contains(c) || !c.is_ascii();
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
