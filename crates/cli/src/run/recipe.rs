//! Reads the recipe of `learnery train --recipe`: from a file, from standard input (`-`), or from the link of
//! a run on the web page.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_kernels::isa::{self, Bits};
use learnery_lab::{LabError, Precision, Recipe, Session};
use learnery_labs::LABS;

use crate::args::{Device, TrainArgs};
use crate::device::{choose, is_on_gpu, leave_gpu};
use crate::failure::{io_reason, usage};
use crate::terminal::numbers::count;

/// What every link of a run contains: the beginning of its fragment.
const LINK_MARKER: &str = "#/";

/// Reads the recipe that the arguments name; `None` if they name none.
///
/// A recipe may hold the fingerprint of the run at its end, and say with which rounding it was computed: with
/// fused multiply-add or without (its class of bits). Unless the command line has asked for one
/// (`requested_bits`), this selects that rounding for the whole process. So it must be called before anything
/// is computed.
pub fn read(args: &TrainArgs, requested_bits: Option<Bits>) -> Result<Option<Recipe>> {
    let Some(source) = &args.recipe else { return Ok(None) };
    let recipe = match source.as_str() {
        "-" => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|e| anyhow!("standard input cannot be read: {}", io_reason(&e)))?;
            parse("standard input", bytes)?
        }
        // The link is itself the argument, so a mistake in it is one of usage. A file of that name comes
        // first.
        link if link.contains(LINK_MARKER) && !Path::new(link).exists() => {
            Recipe::from_link(link, LABS).map_err(usage)?
        }
        path => {
            let bytes = fs::read(path).map_err(|e| anyhow!("{path} cannot be read: {}", io_reason(&e)))?;
            parse(path, bytes)?
        }
    };
    if let Some(bits) = recipe.class().and_then(|class| class.parse().ok())
        && requested_bits.is_none()
    {
        // This fails on a machine without the instructions. It then computes with the other rounding, and the
        // end of the run says that the bits differ.
        let _ = isa::choose(bits);
    }
    Ok(Some(recipe))
}

/// Parses the content of a file: a recipe as JSON, or a link. Errors begin with the name of the source.
fn parse(source_name: &str, bytes: Vec<u8>) -> Result<Recipe> {
    // What is no text is probably a saved run.
    let text = String::from_utf8(bytes).map_err(|_| {
        anyhow!("{source_name} is not a recipe, which is JSON; a saved run is continued with --resume")
    })?;
    let text = text.trim();
    // JSON may have the marker within a string.
    let recipe = if text.contains(LINK_MARKER) && !text.starts_with('{') {
        Recipe::from_link(text, LABS)
    } else {
        Recipe::from_json(text, LABS)
    };
    recipe.map_err(|error| match error {
        // Displayed whole, this error begins with words about the recipe. The name takes their place.
        LabError::Recipe(problem) => anyhow!("{source_name}: {problem}"),
        other => anyhow!("{source_name}: {other}"),
    })
}

/// The device that a recipe's run computes on: the requested one, or else that of the recipe. It is the CPU
/// if neither says, because another device rounds otherwise, and the fingerprint would differ.
pub fn device(recipe: &Recipe, requested: Device) -> Device {
    match (requested, recipe.device.as_deref()) {
        (Device::Auto, Some("gpu")) => Device::Gpu,
        (Device::Auto, _) => Device::Cpu,
        (device, _) => device,
    }
}

/// Makes the changes of a recipe that are due before the next unit (training iteration). Returns a sentence
/// if the run leaves its GPU for them.
pub fn apply_changes(
    recipe: &Recipe,
    session: &mut Session,
    requested: Device,
    precision: Option<Precision>,
) -> Result<Option<String>> {
    let was_on_gpu = is_on_gpu(session);
    let has_new_seed = match recipe.apply_changes(session) {
        // The rules of another world need new kernels, and this GPU's compiler takes too long for them. On
        // the CPU the changes are made again; those that were made already change nothing.
        Err(LabError::SlowDevice(reason)) => {
            leave_gpu(session)?;
            recipe.apply_changes(session)?;
            let from = match session.units() {
                0 => String::new(),
                units => format!(" from {} {} on", session.entry().about.unit, count(units + 1)),
            };
            return Ok(Some(format!("Trains on the CPU{from}: {reason}.")));
        }
        changed => changed?,
    };
    if !has_new_seed {
        return Ok(None);
    }
    // A change of the seed moves a run to the CPU, so its device is chosen again. Only that it stays there is
    // news.
    let sentence = choose(session, device(recipe, requested), precision)?;
    Ok(sentence.filter(|_| was_on_gpu && !is_on_gpu(session)))
}
