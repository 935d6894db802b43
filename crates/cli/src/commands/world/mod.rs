//! `learnery world`: worlds of the user's own, from texts of rules.

mod check;
mod export;
#[cfg(feature = "watch")]
mod play;
mod trace;

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use learnery_labs::control::start_stream;
use learnery_world_rules::limits::MAX_TEXT_BYTES;
use learnery_world_rules::{Diagnostic, Moment, World, count_errors, render};

use crate::args::{WorldArgs, WorldCommand, WorldPlayArgs};
use crate::failure::usage;
use crate::files::{read_standard_input_up_to, read_text_up_to};
use crate::terminal::{numbers, stderr};

pub fn world(args: &WorldArgs) -> Result<()> {
    match &args.command {
        WorldCommand::Check(args) => check::check(args),
        WorldCommand::Trace(args) => trace::trace(args),
        WorldCommand::Play(args) => play(args),
        WorldCommand::Export(args) => export::export(args),
    }
}

#[cfg(feature = "watch")]
fn play(args: &WorldPlayArgs) -> Result<()> {
    play::play(args)
}

#[cfg(not(feature = "watch"))]
fn play(_: &WorldPlayArgs) -> Result<()> {
    Err(usage(
        "this program was built without the screen that worlds are played on; build it with the feature `watch`, \
         which is on by default",
    ))
}

/// The text of a world, and its name in messages.
struct Text {
    name: String,
    text: String,
}

/// Reads a file, or standard input.
fn read(path: &Path) -> Result<Text> {
    // Both stop one byte after this limit, which is enough to see that a text is too long.
    let read = if path == Path::new("-") {
        read_standard_input_up_to(MAX_TEXT_BYTES)?
    } else {
        read_text_up_to(path, MAX_TEXT_BYTES)?
    };
    let name = read.name;
    if read.bytes.len() > MAX_TEXT_BYTES {
        bail!("{name} has more than {MAX_TEXT_BYTES} bytes");
    }
    let text = String::from_utf8(read.bytes).map_err(|e| {
        let byte = e.utf8_error().valid_up_to() + 1;
        anyhow!("{name} is not UTF-8 text (byte {byte} is wrong); save it as UTF-8")
    })?;
    Ok(Text { name, text })
}

/// The world of a text. What is wrong with it, or strange, is said on standard error.
fn compile(text: &Text) -> Result<World> {
    let printed = |problems: &[Diagnostic]| render(&text.text, problems) + "\n";
    match World::compile(&text.text) {
        Ok(world) => {
            if !world.warnings().is_empty() {
                stderr::write(&printed(world.warnings()));
            }
            Ok(world)
        }
        Err(problems) => {
            stderr::write_always(&printed(&problems));
            Err(refusal(&text.name, &problems))
        }
    }
}

/// Where an episode begins: as in world 0 of a run of the control lab with this seed, so that a trace shows
/// what the lab's agent meets.
fn beginning(seed: u32, episode: u32) -> Moment {
    Moment { stream: start_stream(seed), world: 0, episode, step: 0 }
}

/// The parameters of a world, of which these assignments change some.
fn parameters(world: &World, assignments: &[String]) -> Result<Vec<f32>> {
    let mut values = world.parameters();
    for assignment in assignments {
        let Some((name, text)) = assignment.split_once('=') else {
            bail!(usage(format!("--set {assignment}: expected a name and a value, as in --set name=value")));
        };
        let (name, text) = (name.trim(), text.trim());
        let i = world.find_parameter(name).map_err(|problem| usage(format!("--set: {problem}")))?;
        values[i] = world.spec().parameters[i].parse(text).map_err(|expected| {
            usage(format!("parameter `{name}`: {text} is not allowed; expected {expected}"))
        })?;
    }
    Ok(values)
}

/// The error of a text that is no world.
fn refusal(name: &str, problems: &[Diagnostic]) -> anyhow::Error {
    let (errors, are_more) = count_errors(problems);
    let more = if are_more { "more than " } else { "" };
    anyhow!("{name} is no world: {more}{}", numbers::count_of(errors as u64, "error"))
}
