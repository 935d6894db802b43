//! A sweep on this machine and those that join: starts a server or uses one, prints the links, and leases
//! runs until all are complete or Ctrl-C.

use std::fs;
use std::thread;

use anyhow::{Result, anyhow};
use learnery_fleet::Hello;
use learnery_fleet::nats::{Join, MemoryLimits, Secrets, ServeSweep, Server, new_token, serve_sweep};
use learnery_fleet::sweep::CompletedRun;
use learnery_fleet::wire::Role;
use learnery_kernels::isa;
use learnery_labs::LABS;
use sysinfo::System;

use super::Sweep;
use super::rounds::Rounds;
use super::store::Folders;
use crate::args::SweepArgs;
use crate::commands::fleet::endpoint::Endpoint;
use crate::commands::fleet::keeper::FOLDER;
use crate::failure::io_reason;
use crate::run::folder::lock_folder;
use crate::terminal::numbers::count_of;
use crate::terminal::stderr;

/// Trains all runs that are not done yet, and returns those that are.
pub fn train(args: &SweepArgs, sweep: &Sweep) -> Result<Vec<CompletedRun>> {
    let endpoint = Endpoint::new(&args.network)?;
    let fleet = sweep.out.join(FOLDER);
    fs::create_dir_all(&fleet).map_err(|e| anyhow!("{}: {}", fleet.display(), io_reason(&e)))?;
    // Two hosts of one sweep would lease the same runs.
    let _lock = lock_folder(&fleet)?;
    let (mut folders, queue) = Folders::open(sweep, fleet.clone())?;
    if queue.is_complete() {
        return Ok(folders.into_completed());
    }
    let secrets = Secrets::open(&fleet)?;
    let server = match &endpoint.listen {
        Some(listen) => Some(
            Server::start(&fleet, &secrets, listen.clone())
                .map_err(|e| anyhow!("{e}; or use --local, which runs the sweep on this machine alone"))?,
        ),
        None => None,
    };
    let hub = endpoint.connect(&args.network, &secrets, &fleet, MemoryLimits::SWEEP)?;
    // At most 1,024, as `--threads` allows.
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get().min(1024) as u16);
    let threads = args.threads.unwrap_or(cores);
    let (build, bits) = (env!("CARGO_PKG_VERSION").to_owned(), isa::bits().name().to_owned());
    // With `--threads 0` this machine only hosts.
    let own = (threads > 0).then(|| Join {
        link: endpoint.own_link(&secrets, Role::Actor),
        ca: args.network.ca.clone(),
        label: System::host_name().unwrap_or_default(),
        token: new_token(),
        threads,
        hello: Hello { build: build.clone(), bits: bits.clone() },
        entries: LABS,
    });
    stderr::write(&format!(
        "Learnery: a sweep of {} of {} in {}, {} on this machine.\n\n{}\
         Runs are not computed again to check them: give these links to people you trust.\n\n{}",
        count_of(sweep.jobs.len() as u64, "run"),
        sweep.entry.about.title,
        sweep.out.display(),
        count_of(threads.into(), "thread"),
        endpoint.links(&args.network, &secrets),
        Rounds::new(sweep).plan()
    ));
    let lab = sweep.entry.about.id.to_owned();
    serve_sweep(ServeSweep { queue, build, bits, lab, own }, hub, server, &mut folders)?;
    Ok(folders.into_completed())
}
