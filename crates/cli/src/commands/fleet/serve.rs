//! `learnery fleet serve`: opens a run, starts a server or uses one, prints the links, and serves until the
//! last unit (training iteration) or Ctrl-C.

use std::fs;

use anyhow::{Result, anyhow};
use learnery_fleet::LabRun;
use learnery_fleet::nats::{MemoryLimits, Secrets, Serve, ServeEnd, Server, serve as serve_run};
use learnery_kernels::isa;
use learnery_lab::Session;
use learnery_labs::LABS;
use serde_json::Value;

use super::endpoint::Endpoint;
use super::keeper::{FOLDER, FolderKeeper, read_trust};
use crate::args::ServeArgs;
use crate::failure::{io_reason, usage};
use crate::files::{LAST, read_checkpoint};
use crate::run::folder::{LockedFolder, RunFolder, holds_run};
use crate::run::stop::StopSignal;
use crate::settings::{SettingSources, merge_settings};
use crate::terminal::stderr;
use crate::threads;

pub fn serve(args: &ServeArgs) -> Result<()> {
    threads::start_pool(args.threads)?;
    let endpoint = Endpoint::new(&args.network)?;
    let stop = StopSignal::listen()?;
    let (run, folder) = open(args)?;
    let fleet = folder.path().join(FOLDER);
    fs::create_dir_all(&fleet).map_err(|e| anyhow!("{}: {}", fleet.display(), io_reason(&e)))?;
    let trust = read_trust(&fleet).map_err(anyhow::Error::msg)?;
    let secrets = Secrets::open(&fleet)?;
    let server = match &endpoint.listen {
        Some(listen) => Some(Server::start(&fleet, &secrets, listen.clone())?),
        None => None,
    };
    let connection = endpoint.connect(&args.network, &secrets, &fleet, MemoryLimits::RUN)?;
    let session = run.session();
    let about = session.entry().about;
    stderr::write(&format!(
        "{}: a fleet, from {} {} on, in {}\n\n{}\n",
        about.title,
        about.unit,
        session.units(),
        folder.path().display(),
        endpoint.links(&args.network, &secrets)
    ));
    let last_unit = args.units.map(|units| session.units().saturating_add(units));
    let options = Serve {
        run,
        entries: LABS,
        // An actor of another build or class of bits is refused.
        build: env!("CARGO_PKG_VERSION").into(),
        bits: isa::bits().name().into(),
        last_unit,
        threads: rayon::current_num_threads(),
        check_all: args.check_all,
        trust,
    };
    let mut keeper = FolderKeeper::new(folder, stop);
    let end = serve_run(options, connection, server, &mut keeper)?;
    print_end(end, &keeper)
}

/// Opens a new run or a saved one. Whether it can be shared is checked before any file is written.
fn open(args: &ServeArgs) -> Result<(LabRun, RunFolder)> {
    if let Some(path) = &args.resume {
        if !holds_run(path) || !path.join(LAST).exists() {
            return Err(usage(format!("{} is not the folder of a run with a checkpoint", path.display())));
        }
        let locked = LockedFolder::continued(path.clone())?;
        let (entry, checkpoint) = read_checkpoint(&path.join(LAST))?;
        let run = LabRun::new(Session::resume(*entry, &checkpoint)?)?;
        let folder = locked.open(run.session())?;
        return Ok((run, folder));
    }
    // The parser requires a lab for a run that is not continued.
    let entry = learnery_labs::find(args.lab.as_deref().unwrap_or_default()).map_err(usage)?;
    let sources = SettingSources {
        preset: args.preset.as_deref(),
        file: args.config.as_deref(),
        assignments: &args.set,
    };
    let settings = merge_settings(entry, None, &sources)?;
    let session = Session::start(*entry, &Value::Object(settings), args.seed).map_err(usage)?;
    let run = LabRun::new(session).map_err(usage)?;
    let folder = LockedFolder::fresh(args.out.as_deref(), entry.about.id, args.seed)?.open(run.session())?;
    Ok((run, folder))
}

fn print_end(end: ServeEnd, keeper: &FolderKeeper) -> Result<()> {
    let folder = keeper.path().display();
    let (_, checkpoint) = read_checkpoint(&keeper.path().join(LAST))?;
    let units = checkpoint.header.units;
    match end {
        ServeEnd::Complete => {
            stderr::write(&format!("\nThe run is complete after {units} units, in {folder}\n"));
        }
        ServeEnd::Stopped => stderr::write(&format!(
            "\nStopped, saved as of unit {units} in {folder}\nContinue it with the same options, and so with the same links: learnery fleet serve --resume {folder}\n"
        )),
    }
    stderr::write(&format!("Fingerprint {}\n", checkpoint.fingerprint()));
    Ok(())
}
