//! The endpoint of a fleet: the addresses on which its server listens, with which this process connects, and
//! which its links name.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use learnery_fleet::nats::{Hub, Listen, MemoryLimits, Secrets, Tls, is_loopback, write_users};
use learnery_fleet::wire::{Link, Role, read_address};

use crate::args::NetworkArgs;
use crate::failure::{io_reason, usage};
use crate::own_address::own_address;

/// The addresses of a server.
pub struct Endpoint {
    /// The addresses on which this process starts a server; `None` with `--nats`, which names one that runs
    /// already.
    pub listen: Option<Listen>,
    tls: bool,
    /// The name and the port with which this process connects.
    host: String,
    port: u16,
    /// The name in links.
    link_host: String,
}

impl Endpoint {
    pub fn new(args: &NetworkArgs) -> Result<Self> {
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
                let absolute = |path: &Path| {
                    fs::canonicalize(path)
                        .map_err(|e| anyhow!("{} cannot be read: {}", path.display(), io_reason(&e)))
                };
                Some(Tls { certificate: absolute(certificate)?, key: absolute(key)? })
            }
            _ => None,
        };
        let link_host = match &args.link_host {
            Some(name) => in_brackets(name),
            None if ["0.0.0.0", "[::]"].contains(&host.as_str()) => {
                own_address().map_or_else(|| host.clone(), |ip| ip.to_string())
            }
            None => host.clone(),
        };
        // Any port will do to check the name.
        read_address(&format!("{link_host}:1"))
            .map_err(|_| usage(format!("--link-host {link_host}: expected a name or an address")))?;
        // A certificate is for a name, so this process too connects with the name of the links.
        let own_host = if tls.is_some() { link_host.clone() } else { host.clone() };
        let listen = Listen { host: host.clone(), port, web_port: args.web_port, tls: tls.clone() };
        Ok(Self { listen: Some(listen), tls: tls.is_some(), host: own_host, port, link_host })
    }

    pub fn link(&self, secrets: &Secrets, role: Role) -> Link {
        secrets.link(role, self.tls, &self.link_host, self.port)
    }

    pub fn links(&self, args: &NetworkArgs, secrets: &Secrets) -> String {
        let actor = self.link(secrets, Role::Actor);
        let mut text = format!(
            "To compute from a terminal:\n  learnery fleet join '{actor}'\n\
             To compute in a tab:\n  {}\n\
             To watch only:\n  learnery fleet watch '{}'\n\
             Whoever has a link can use it: it contains a password.\n",
            actor.for_tabs(&args.site, args.web_port),
            self.link(secrets, Role::Watch)
        );
        text.push_str(self.warning());
        text
    }

    /// Connects as the learner. Somebody else's server has to know the users of the fleet.
    pub fn connect(
        &self,
        args: &NetworkArgs,
        secrets: &Secrets,
        fleet: &Path,
        limits: MemoryLimits,
    ) -> Result<Hub> {
        let link = self.own_link(secrets, Role::Learner);
        let connected = Hub::connect(&link, args.ca.clone(), limits);
        if self.listen.is_none() && connected.is_err() {
            let users = write_users(fleet, secrets)?;
            return connected.map_err(|e| {
                anyhow!(
                    "{e}; its configuration has to include {}, with the users of this fleet",
                    users.display()
                )
            });
        }
        Ok(connected?)
    }

    /// The link with which this process reaches the server.
    pub fn own_link(&self, secrets: &Secrets, role: Role) -> Link {
        secrets.link(role, self.tls, &self.host, self.port)
    }

    /// A warning, with the end of its line, if others can listen in.
    pub fn warning(&self) -> &'static str {
        if self.tls || is_loopback(&self.link_host) {
            return "";
        }
        "Connections are not encrypted; use --tls CERTIFICATE KEY where others can listen in.\n"
    }
}

/// The brackets that an address of IPv6 has before a port.
fn in_brackets(host: &str) -> String {
    let is_v6 = host.contains(':') && !host.starts_with('[');
    if is_v6 { format!("[{host}]") } else { host.to_owned() }
}
