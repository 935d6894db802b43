//! Reads the recipe of `learnery train --recipe`: a file, standard input, or the link of a run on the page.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_kernels::isa::{self, Bits};
use learnery_lab::{LabError, Recipe};
use learnery_labs::LABS;

use crate::args::{Device, TrainArgs};
use crate::failure::{io_reason, usage};

/// Reads the recipe that the arguments name; `None` if they name none. Chooses the class of bits that its
/// fingerprint belongs to, unless `bits` were asked for; so it must be called before anything is computed.
pub fn read(args: &TrainArgs, bits: Option<Bits>) -> Result<Option<Recipe>> {
    let Some(source) = &args.recipe else { return Ok(None) };
    let recipe = match &source[..] {
        "-" => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|e| anyhow!("standard input cannot be read: {}", io_reason(&e)))?;
            parse("standard input", bytes)?
        }
        link if link.contains("#/") && !Path::new(link).exists() => {
            Recipe::from_link(link, LABS).map_err(usage)?
        }
        path => {
            let bytes = fs::read(path).map_err(|e| anyhow!("{path} cannot be read: {}", io_reason(&e)))?;
            parse(path, bytes)?
        }
    };
    if let Some(class) = recipe.class().and_then(|class| class.parse().ok())
        && bits.is_none()
    {
        // A machine that cannot compute this class computes the other, and the end of the run says that the
        // bits differ.
        let _ = isa::choose(class);
    }
    Ok(Some(recipe))
}

/// Reads the content of a file: a recipe as JSON, or a link.
fn parse(name: &str, bytes: Vec<u8>) -> Result<Recipe> {
    let text = String::from_utf8(bytes).map_err(|_| {
        anyhow!("{name} is not a recipe, which is JSON; a saved run is continued with --resume")
    })?;
    let text = text.trim();
    let recipe = if text.contains("#/") && !text.starts_with('{') {
        Recipe::from_link(text, LABS)
    } else {
        Recipe::from_json(text, LABS)
    };
    recipe.map_err(|error| match error {
        LabError::Recipe(problem) => anyhow!("{name}: {problem}"),
        other => anyhow!("{name}: {other}"),
    })
}

/// The device that a recipe's run computes on. It is the CPU if the recipe does not say, because another
/// device has other bits.
pub fn device(recipe: &Recipe, asked_for: Device) -> Device {
    match (asked_for, recipe.device.as_deref()) {
        (Device::Auto, Some("gpu")) => Device::Gpu,
        (Device::Auto, _) => Device::Cpu,
        (device, _) => device,
    }
}
