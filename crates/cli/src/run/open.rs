//! Opens the run for `learnery train`: a new one, or with `--resume` a saved one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Entry, LabError, Recipe, Session};
use serde_json::Value;

use crate::args::{Device, TrainArgs};
use crate::commands::own_data;
use crate::device;
use crate::failure::usage;
use crate::files::{LAST, checkpoint_path, file_error, read_checkpoint};
use crate::run::best;
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::recipe;
use crate::settings::{SettingSources, merge_settings};

/// A run that is ready to train.
pub struct OpenRun {
    pub session: Session,
    pub folder: RunFolder,
    /// Whether the session continues a saved run.
    pub is_resumed: bool,
    /// What to tell the user about the device; `None` if there was no choice.
    pub device_note: Option<String>,
}

/// The device that the arguments request. With `--expect`, `auto` means the CPU, because results on different
/// GPUs are not identical to the bit.
fn requested_device(args: &TrainArgs) -> Device {
    match args.device {
        Device::Auto if args.expect.is_some() => Device::Cpu,
        device => device,
    }
}

/// The lab with this id, or without one the default lab, which is the first of the list.
fn find_lab(id: Option<&str>) -> Result<&'static Entry> {
    match id {
        Some(id) => learnery_labs::find(id).map_err(usage),
        None => learnery_labs::LABS.first().ok_or_else(|| anyhow!("this build contains no lab")),
    }
}

/// Opens the run. All arguments are checked before any file of the run is written.
pub fn open(args: &TrainArgs, recipe: Option<&Recipe>) -> Result<OpenRun> {
    match (&args.resume, recipe) {
        (_, Some(recipe)) => start_recipe(args, recipe),
        (Some(path), None) => resume(args, path),
        (None, None) => start(args),
    }
}

/// Starts the run of a recipe.
fn start_recipe(args: &TrainArgs, recipe: &Recipe) -> Result<OpenRun> {
    let entry = find_lab(Some(&recipe.lab))?;
    let chosen_device = recipe::device(recipe, args.device);
    device::check(chosen_device, args.precision, entry)?;
    let mut session = recipe.start(entry)?;
    check_keep(args, &session)?;
    // A change may give the run a goal, as a world of the user's own does.
    if recipe.changes.is_empty() {
        check_goal(args, &session)?;
    }
    let device_note = device::choose(&mut session, chosen_device, args.precision)?;
    let folder = LockedFolder::fresh(args.out.as_deref(), entry.about.id, recipe.seed)?.open(&session)?;
    Ok(OpenRun { session, folder, is_resumed: false, device_note })
}

/// The sources of settings that the arguments name.
fn setting_sources(args: &TrainArgs) -> SettingSources<'_> {
    SettingSources { preset: args.preset.as_deref(), file: args.config.as_deref(), assignments: &args.set }
}

/// Starts a new run.
fn start(args: &TrainArgs) -> Result<OpenRun> {
    let entry = find_lab(args.lab.as_deref())?;
    let chosen_device = requested_device(args);
    device::check(chosen_device, args.precision, entry)?;
    let seed = args.seed.unwrap_or(0);
    let data = own_data::read(entry, args)?;
    let settings = own_data::settings(entry, data.as_ref(), &setting_sources(args))?;
    let mut session = Session::start(*entry, &Value::Object(settings), seed).map_err(usage)?;
    own_data::give(&mut session, data.as_ref())?;
    check_keep(args, &session)?;
    check_goal(args, &session)?;
    let device_note = device::choose(&mut session, chosen_device, args.precision)?;
    let folder = LockedFolder::fresh(args.out.as_deref(), entry.about.id, seed)?.open(&session)?;
    Ok(OpenRun { session, folder, is_resumed: false, device_note })
}

/// Continues the run saved at `path`.
fn resume(args: &TrainArgs, path: &Path) -> Result<OpenRun> {
    let path = checkpoint_path(path)?;
    let existing_folder = folder_to_continue(&path, args.out.as_deref())?;
    // The folder is locked before the checkpoint is read. Otherwise another process could replace it in
    // between.
    let locked = existing_folder.map(LockedFolder::continued).transpose()?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    let chosen_device = requested_device(args);
    device::check(chosen_device, args.precision, entry)?;
    let header = &checkpoint.header;
    if let Some(id) = &args.lab
        && find_lab(Some(id))?.about.id != header.lab
    {
        return Err(usage(format!(
            "{} is a checkpoint of the lab `{}`, not of `{id}`",
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
    let data = own_data::read(entry, args)?;
    // The checkpoint already has the settings of the preset that `--text` or `--world` implies in a new run.
    let settings = merge_settings(entry, Some(session.config()), &setting_sources(args))?;
    session.configure(&Value::Object(settings)).map_err(|e| match e {
        LabError::Setting { .. } => usage(format!("{e}; start a new run for it")),
        other => usage(other),
    })?;
    own_data::give(&mut session, data.as_ref())?;
    check_keep(args, &session)?;
    check_goal(args, &session)?;
    let device_note = device::choose(&mut session, chosen_device, args.precision)?;
    let locked = match locked {
        Some(locked) => locked,
        None => LockedFolder::fresh(args.out.as_deref(), entry.about.id, session.seed())?,
    };
    let folder = locked.open(&session)?;
    Ok(OpenRun { session, folder, is_resumed: true, device_note })
}

/// Returns an error if the best checkpoint is to be kept and the run has no measure for it.
fn check_keep(args: &TrainArgs, session: &Session) -> Result<()> {
    if args.keep.is_some_and(|keep| keep.best) {
        best::metric_of(session)?;
    }
    Ok(())
}

/// Returns an error if the run is to end at its goal and has none.
fn check_goal(args: &TrainArgs, session: &Session) -> Result<()> {
    if !args.until_goal || session.goal().is_some() {
        return Ok(());
    }
    let id = session.entry().about.id;
    let how = if args.world.is_some() { "; the text of a world sets one with `solved at`" } else { "" };
    Err(usage(format!("--until-goal: the lab `{id}` has no goal with these settings{how}")))
}

/// The folder of the checkpoint, if the resumed run writes to it; `None` if it needs a new folder. Only the
/// last checkpoint of a run folder continues in that folder, because resuming from an older one would
/// overwrite the metrics and checkpoints of later units (training iterations).
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
            "{} holds a run that resuming from {} would overwrite; choose another --out",
            out.display(),
            checkpoint.display()
        ),
        None => Ok(None),
    }
}
