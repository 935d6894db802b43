//! Opens the run for `learnery train`: a new one, or with `--resume` a saved one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Entry, LabError, Session};
use serde_json::Value;

use crate::args::{Device, TrainArgs};
use crate::commands::language;
use crate::device;
use crate::failure::usage;
use crate::files::{LAST, checkpoint_path, file_error, read_checkpoint};
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::settings::{Layers, merge_layers};

/// A run that is ready to train.
pub struct OpenRun {
    pub session: Session,
    pub folder: RunFolder,
    /// Whether the session continues a saved run.
    pub resumed: bool,
    /// A sentence about the device, if there was a choice.
    pub device: Option<String>,
}

/// The device of the arguments. A run that must end with a given fingerprint is computed by the CPU unless another device
/// is asked for, because every GPU has bits of its own.
fn chosen_device(args: &TrainArgs) -> Device {
    match args.device {
        Device::Auto if args.expect.is_some() => Device::Cpu,
        device => device,
    }
}

/// The lab with this id; for `None`, the first lab of the list.
fn find_lab(name: Option<&str>) -> Result<&'static Entry> {
    match name {
        Some(name) => learnery_labs::find(name).map_err(usage),
        None => learnery_labs::LABS.first().ok_or_else(|| anyhow!("no lab is built in")),
    }
}

/// Opens the run. All arguments are checked before any file is written.
pub fn open(args: &TrainArgs) -> Result<OpenRun> {
    match &args.resume {
        Some(path) => resume(args, path),
        None => start(args),
    }
}

/// The layers of settings that the arguments give.
fn layers<'a>(args: &'a TrainArgs, preset: Option<&'a str>) -> Layers<'a> {
    Layers { preset, file: args.config.as_deref(), assignments: &args.set }
}

/// Starts a new run.
fn start(args: &TrainArgs) -> Result<OpenRun> {
    let entry = find_lab(args.lab.as_deref())?;
    device::check(args.device, args.precision, entry)?;
    let seed = args.seed.unwrap_or(0);
    let text = language::training_text(entry, args)?;
    let base = None;
    let settings = merge_layers(entry, base, &layers(args, language::preset(args)))?;
    let mut session = Session::start(*entry, &Value::Object(settings), seed).map_err(usage)?;
    language::set_text(&mut session, text)?;
    let device = device::choose(&mut session, chosen_device(args), args.precision)?;
    let folder = LockedFolder::fresh(args.out.as_deref(), entry.about.id, seed)?.open(&session)?;
    Ok(OpenRun { session, folder, resumed: false, device })
}

/// Continues the run saved at `path`.
fn resume(args: &TrainArgs, path: &Path) -> Result<OpenRun> {
    let path = checkpoint_path(path)?;
    let in_place = folder_to_continue(&path, args.out.as_deref())?;
    // The folder is locked before the checkpoint is read. Otherwise another process could save a newer one in between.
    let locked = in_place.map(LockedFolder::continued).transpose()?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    device::check(args.device, args.precision, entry)?;
    let header = &checkpoint.header;
    if let Some(name) = &args.lab
        && find_lab(Some(name))?.about.id != header.lab
    {
        return Err(usage(format!(
            "{} belongs to the lab `{}`, not to `{name}`",
            path.display(),
            header.lab
        )));
    }
    if let Some(seed) = args.seed.filter(|seed| *seed != header.seed) {
        return Err(usage(format!(
            "{} has the seed {}, which cannot be changed to {seed}",
            path.display(),
            header.seed
        )));
    }
    let mut session = Session::resume(*entry, &checkpoint).map_err(|e| file_error(&path, e))?;
    let text = language::training_text(entry, args)?;
    let settings = merge_layers(entry, Some(session.config()), &layers(args, args.preset.as_deref()))?;
    session.configure(&Value::Object(settings)).map_err(|e| match e {
        LabError::Setting { .. } => usage(format!("{e}; start a new run for it")),
        other => usage(other),
    })?;
    language::set_text(&mut session, text)?;
    let device = device::choose(&mut session, chosen_device(args), args.precision)?;
    let locked = match locked {
        Some(locked) => locked,
        None => LockedFolder::fresh(args.out.as_deref(), entry.about.id, session.seed())?,
    };
    let folder = locked.open(&session)?;
    Ok(OpenRun { session, folder, resumed: true, device })
}

/// The folder of the checkpoint, if the run continues in it; `None` if the run needs a new folder. Only the last
/// checkpoint of a run folder continues in place, because a run from an older one would overwrite the later units.
fn folder_to_continue(checkpoint: &Path, out: Option<&Path>) -> Result<Option<PathBuf>> {
    let folder = match checkpoint.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let is_same = |out: &Path| match (fs::canonicalize(out), fs::canonicalize(folder)) {
        (Ok(out), Ok(folder)) => out == folder,
        _ => false,
    };
    if out.is_some_and(|out| !is_same(out)) || !holds_run(folder) {
        return Ok(None);
    }
    if checkpoint.file_name().is_some_and(|name| name == LAST) {
        return Ok(Some(folder.to_owned()));
    }
    match out {
        Some(out) => bail!(
            "{} also holds {LAST}, which a run resumed from {} would overwrite; choose another --out",
            out.display(),
            checkpoint.display()
        ),
        None => Ok(None),
    }
}
