//! From arguments to an open run: a new one with its settings, or a saved one with its folder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use learnery_lab::{Entry, LabError, Session};
use serde_json::Value;

use crate::args::{Device, TrainArgs};
use crate::failure::usage;
use crate::files::{LAST, about_file, checkpoint_path, read_checkpoint};
use crate::run_dir::{Locked, RunDir, holds_run};
use crate::{language, settings};

/// A session with its folder.
pub struct Opened {
    /// The run.
    pub session: Session,
    /// Where it is kept.
    pub folder: RunDir,
    /// True where it continues a saved one.
    pub resumed: bool,
}

/// The lab of this name, or the first of the list.
pub fn lab(name: Option<&str>) -> Result<&'static Entry> {
    match name {
        Some(name) => learnery_labs::find(name).map_err(usage),
        None => learnery_labs::LABS.first().ok_or_else(|| anyhow!("no lab is built in")),
    }
}

/// Opens the run that the arguments ask for. Nothing is written before everything is known to be right.
pub fn open(args: &TrainArgs) -> Result<Opened> {
    match &args.resume {
        Some(path) => resume(args, path),
        None => start(args),
    }
}

fn start(args: &TrainArgs) -> Result<Opened> {
    let entry = lab(args.lab.as_deref())?;
    refuse_gpu(args, entry)?;
    let seed = args.seed.unwrap_or(0);
    let text = language::text_of(entry, args)?;
    let config = settings::layered(entry, None, args, language::preset(args))?;
    let mut session = Session::start(*entry, &Value::Object(config), seed).map_err(usage)?;
    language::bring(&mut session, text)?;
    let folder = Locked::fresh(args.out.as_deref(), entry.about.id, seed)?.open(&session)?;
    Ok(Opened { session, folder, resumed: false })
}

fn resume(args: &TrainArgs, path: &Path) -> Result<Opened> {
    let path = checkpoint_path(path)?;
    let in_place = folder_to_continue(&path, args.out.as_deref())?;
    // Locked before it is read, so that nobody else's later state is overwritten.
    let locked = in_place.map(Locked::continued).transpose()?;
    let (entry, checkpoint) = read_checkpoint(&path)?;
    refuse_gpu(args, entry)?;
    let header = &checkpoint.header;
    if let Some(name) = &args.lab
        && lab(Some(name))?.about.id != header.lab
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
    let mut session = Session::resume(*entry, &checkpoint).map_err(|e| about_file(&path, e))?;
    let text = language::text_of(entry, args)?;
    let config = settings::layered(entry, Some(session.config()), args, args.preset.as_deref())?;
    session.configure(&Value::Object(config)).map_err(|e| match e {
        LabError::Setting { .. } => usage(format!("{e}; start a new run for it")),
        other => usage(other),
    })?;
    language::bring(&mut session, text)?;
    let locked = match locked {
        Some(locked) => locked,
        None => Locked::fresh(args.out.as_deref(), entry.about.id, session.seed())?,
    };
    let folder = locked.open(&session)?;
    Ok(Opened { session, folder, resumed: true })
}

/// The run folder that goes on when this checkpoint is resumed; none where a new one has to be made.
/// Only the last checkpoint of a folder goes on there: with an older one, what came after it would be
/// lost.
fn folder_to_continue(checkpoint: &Path, out: Option<&Path>) -> Result<Option<PathBuf>> {
    let folder = match checkpoint.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let same = |out: &Path| match (fs::canonicalize(out), fs::canonicalize(folder)) {
        (Ok(out), Ok(folder)) => out == folder,
        _ => false,
    };
    if out.is_some_and(|out| !same(out)) || !holds_run(folder) {
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

fn refuse_gpu(args: &TrainArgs, entry: &Entry) -> Result<()> {
    match args.device {
        Device::Cpu => Ok(()),
        Device::Gpu => Err(usage(format!(
            "the lab `{}` cannot train on a GPU yet; leave out --device gpu to train on the CPU",
            entry.about.id
        ))),
    }
}
