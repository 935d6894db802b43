//! `learnery class serve`: the server of a class. The server itself is in the crate `learnery-class`.

mod dates;
mod reached;

use std::env;
use std::net::TcpListener;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow};
use learnery_class::{
    BadCertificate, Certificate, Class, NotASite, Problem, Server, Site, new_code, new_token,
};

use crate::args::{ClassArgs, ClassCommand, ClassServeArgs};
use crate::failure::io_reason;
use crate::run::stop::StopSignal;
use crate::terminal::{stderr, stdout};
use reached::Reached;

/// The folder that `npm run build` writes.
const SITE: &str = "dist";
/// How often a request to stop is looked for.
const STOP_INTERVAL: Duration = Duration::from_millis(50);

pub fn class(args: &ClassArgs) -> Result<()> {
    match &args.command {
        ClassCommand::Serve(args) => serve(args),
    }
}

fn serve(args: &ClassServeArgs) -> Result<()> {
    let certificate = match (&args.cert, &args.key) {
        (Some(certificate), Some(key)) => Some(Certificate::read(certificate, key).map_err(bad_certificate)?),
        _ => None,
    };
    let folder = match &args.site {
        Some(folder) => folder.clone(),
        None => built_site().ok_or_else(|| {
            anyhow!("no built site was found; `npm run build` builds it, and --site names its folder")
        })?,
    };
    let not_a_site = |NotASite { file, error }| {
        anyhow!("{} is no built site: {}: {}", folder.display(), file.display(), io_reason(&error))
    };
    let site = Site::open(&folder).map_err(not_a_site)?;
    let unavailable = |e| anyhow!("port {} of {} is not available: {}", args.port, args.host, io_reason(&e));
    let listener = TcpListener::bind((args.host.as_str(), args.port)).map_err(unavailable)?;
    let address = listener.local_addr().context("the port is unknown")?;
    let reached = Reached::at(address, &args.host, certificate.as_ref());
    let dates = certificate.as_ref().map(|known| dates::notes(known.validity(), SystemTime::now()));
    let (code, teacher) = (new_code(), new_token());
    let class = Class::new(code.clone(), teacher.clone(), reached.by_pupils.clone());
    let server = Server::new(listener, site, class, certificate);
    let stop = StopSignal::listen()?;
    stdout::write(&reached.welcome(&code, &teacher))?;
    stderr::write(&reached.notes());
    stderr::write(&dates.unwrap_or_default());
    thread::spawn(|| server.run());
    while !stop.requested() {
        thread::sleep(STOP_INTERVAL);
    }
    Ok(())
}

fn bad_certificate(BadCertificate { file, problem }: BadCertificate) -> anyhow::Error {
    match problem {
        Problem::Unreadable(error) => anyhow!("{} cannot be read: {}", file.display(), io_reason(&error)),
        Problem::Unfit(what) => anyhow!("{} {what}", file.display()),
    }
}

/// The built site: `dist` in this folder or one above it, or beside the program or above that, as in a
/// checkout that has compiled it.
fn built_site() -> Option<PathBuf> {
    let starts = [env::current_dir().ok(), env::current_exe().ok()];
    let candidates = starts.iter().flatten().flat_map(|start| start.ancestors()).map(|dir| dir.join(SITE));
    candidates.into_iter().find(|folder| folder.join("index.html").is_file())
}
