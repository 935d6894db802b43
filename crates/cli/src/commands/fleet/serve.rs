//! `learnery fleet serve`: opens a run, starts a server or uses one, prints the links, and serves until the last unit or Ctrl-C.

use std::fs;
use std::net::UdpSocket;
use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_fleet::LabRun;
use learnery_fleet::nats::{
    Hub, Listen, Secrets, Serve, ServeEnd, Server, Tls, is_loopback, serve as serve_run, write_users,
};
use learnery_fleet::wire::{Link, Role, read_address};
use learnery_kernels::isa;
use learnery_lab::Session;
use learnery_labs::LABS;
use serde_json::Value;

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
    let place = Place::new(args)?;
    let stop = StopSignal::listen()?;
    let (run, folder) = open(args)?;
    let fleet = folder.path().join(FOLDER);
    fs::create_dir_all(&fleet).map_err(|e| anyhow!("{}: {}", fleet.display(), io_reason(&e)))?;
    let trust = read_trust(&fleet).map_err(anyhow::Error::msg)?;
    let secrets = Secrets::open(&fleet)?;
    let server = match &place.listen {
        Some(listen) => Some(Server::start(&fleet, &secrets, listen.clone())?),
        None => None,
    };
    let hub = connect(args, &place, &secrets, &fleet)?;
    let session = run.session();
    let about = session.entry().about;
    stderr::write(&format!(
        "{}: a fleet, from {} {} on, in {}\n\n{}\n",
        about.title,
        about.unit,
        session.units(),
        folder.path().display(),
        place.links(args, &secrets)
    ));
    let last_unit = args.units.map(|units| session.units().saturating_add(units));
    let options = Serve {
        run,
        entries: LABS,
        build: env!("CARGO_PKG_VERSION").into(),
        bits: isa::bits().name().into(),
        last_unit,
        threads: rayon::current_num_threads(),
        check_all: args.check_all,
        trust,
    };
    let mut keeper = FolderKeeper::new(folder, stop);
    let end = serve_run(options, hub, server, &mut keeper)?;
    print_end(end, &keeper)
}

/// Where the server is, and how others reach it.
struct Place {
    /// `None` if the server is somebody else's.
    listen: Option<Listen>,
    tls: bool,
    /// Where this process reaches the server.
    host: String,
    port: u16,
    /// How others do.
    link_host: String,
}

impl Place {
    fn new(args: &ServeArgs) -> Result<Self> {
        if let Some(url) = &args.nats {
            let (tls, rest) = match (url.strip_prefix("nats://"), url.strip_prefix("tls://")) {
                (Some(rest), _) => (false, rest),
                (_, Some(rest)) => (true, rest),
                _ => {
                    return Err(usage(format!("--nats {url}: expected nats://HOST:PORT or tls://HOST:PORT")));
                }
            };
            let (host, port) = read_address(rest).map_err(|e| usage(format!("--nats {url}: {e}")))?;
            let link_host = args.link_host.clone().unwrap_or_else(|| host.clone());
            return Ok(Self { listen: None, tls, host, port, link_host });
        }
        let (host, port) = read_address(&format!("{}:{}", in_brackets(&args.host), args.port))
            .map_err(|_| usage(format!("--host {}: expected an address such as 192.168.1.5", args.host)))?;
        if args.port == args.web_port {
            return Err(usage("--port and --web-port are the same; terminals and tabs need a port each"));
        }
        let tls = match args.tls.as_deref() {
            Some([certificate, key]) => {
                let whole = |path: &Path| {
                    fs::canonicalize(path)
                        .map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))
                };
                Some(Tls { certificate: whole(certificate)?, key: whole(key)? })
            }
            _ => None,
        };
        let link_host = match &args.link_host {
            Some(name) => in_brackets(name),
            None if ["0.0.0.0", "[::]"].contains(&host.as_str()) => {
                own_address().unwrap_or_else(|| host.clone())
            }
            None => host.clone(),
        };
        read_address(&format!("{link_host}:1"))
            .map_err(|_| usage(format!("--link-host {link_host}: expected a name or an address")))?;
        // A certificate is for a name.
        let own = if tls.is_some() { link_host.clone() } else { host.clone() };
        let listen = Listen { host: host.clone(), port, web_port: args.web_port, tls: tls.clone() };
        Ok(Self { listen: Some(listen), tls: tls.is_some(), host: own, port, link_host })
    }

    fn link(&self, secrets: &Secrets, role: Role) -> Link {
        secrets.link(role, self.tls, &self.link_host, self.port)
    }

    fn links(&self, args: &ServeArgs, secrets: &Secrets) -> String {
        let actor = self.link(secrets, Role::Actor);
        let mut text = format!(
            "Terminals join with\n  learnery fleet join '{actor}'\n\
             Tabs join with\n  {}\n\
             For those who only watch\n  learnery fleet watch '{}'\n\
             Whoever has a link can use it: the passwords stand behind the #.\n",
            actor.for_tabs(&args.site, args.web_port),
            self.link(secrets, Role::Watch)
        );
        if !self.tls && !is_loopback(&self.link_host) {
            text.push_str(
                "Connections are not encrypted; say --tls CERTIFICATE KEY where others can listen in.\n",
            );
        }
        text
    }
}

/// The brackets that an address of IPv6 has before a port.
fn in_brackets(host: &str) -> String {
    let is_v6 = host.contains(':') && !host.starts_with('[');
    if is_v6 { format!("[{host}]") } else { host.to_owned() }
}

/// The address of this machine in its network. Nothing is sent.
fn own_address() -> Option<String> {
    let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip().to_string())
}

fn connect(args: &ServeArgs, place: &Place, secrets: &Secrets, fleet: &Path) -> Result<Hub> {
    let link = secrets.link(Role::Learner, place.tls, &place.host, place.port);
    let connected = Hub::connect(&link, args.ca.clone());
    if place.listen.is_none() && connected.is_err() {
        let users = write_users(fleet, secrets)?;
        return connected.map_err(|e| {
            anyhow!("{e}; its configuration has to include {}, with the users of this fleet", users.display())
        });
    }
    Ok(connected?)
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
            "\nStopped, saved as of unit {units} in {folder}\nIt goes on with the same links: learnery fleet serve --resume {folder}\n"
        )),
    }
    stderr::write(&format!("Fingerprint {}\n", checkpoint.fingerprint()));
    Ok(())
}
