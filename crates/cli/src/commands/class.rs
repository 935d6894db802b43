//! `learnery class serve`: the server of a class. The server itself is in the crate `learnery-class`.

use std::env;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use learnery_class::{Class, NotASite, Server, Site, new_code, new_token};

use crate::args::{ClassArgs, ClassCommand, ClassServeArgs};
use crate::failure::io_reason;
use crate::own_address::own_address;
use crate::run::stop::StopSignal;
use crate::terminal::{stderr, stdout};

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
    let (code, teacher, reached) = (new_code(), new_token(), Reached::at(address));
    let class = Class::new(code.clone(), teacher.clone(), reached.by_pupils.clone());
    let server = Server::new(listener, site, class);
    let stop = StopSignal::listen()?;
    stdout::write(&reached.welcome(&code, &teacher))?;
    stderr::write(notes(address.ip()));
    thread::spawn(|| server.run());
    while !stop.requested() {
        thread::sleep(STOP_INTERVAL);
    }
    Ok(())
}

/// How the server is reached; both end with a slash.
struct Reached {
    /// From other machines, if it can be.
    by_pupils: String,
    /// On this machine, where browsers give the page threads, if it can be.
    here: String,
}

impl Reached {
    fn at(address: SocketAddr) -> Self {
        let (ip, port) = (address.ip(), address.port());
        // A server that listens at all addresses is reached by the one of this machine in its network.
        let room = if ip.is_unspecified() { own_address().unwrap_or(ip) } else { ip };
        let host = |ip: IpAddr| match ip {
            ip if ip.is_unspecified() || ip.is_loopback() => "localhost".to_owned(),
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        Self {
            by_pupils: format!("http://{}:{port}/", host(room)),
            here: format!("http://{}:{port}/", host(ip)),
        }
    }

    /// Whether no other machine can connect but by a proxy.
    fn is_local(&self) -> bool {
        self.by_pupils.starts_with("http://localhost:")
    }

    /// The addresses and the code.
    fn welcome(&self, code: &str, teacher: &str) -> String {
        let who = if self.is_local() { "Only this machine can open" } else { "Pupils open" };
        format!(
            "{who} this address, and type the code {code}:\n\
             \x20 {}join\n\
             The teacher opens this link, and shows it to nobody:\n\
             \x20 {}#/class?teach={teacher}\n",
            self.by_pupils, self.here
        )
    }
}

/// What the teacher should know.
fn notes(ip: IpAddr) -> &'static str {
    if ip.is_loopback() {
        "With a proxy on this machine, pupils open its address with join behind it, and\n\
         you open its address with the part of your link that begins with #.\n\
         Names and answers are in memory only, and end with this program. Ctrl-C ends it.\n"
    } else {
        "Names and answers are in memory only, and end with this program. Ctrl-C ends it.\n\
         Without HTTPS, tabs on other machines learn more slowly (one thread), and round\n\
         differently; others in the network can read along. A proxy with a certificate\n\
         changes all of that:\n\
         \x20 learnery class serve --host 127.0.0.1\n\
         \x20 caddy reverse-proxy --from class.example.org --to 127.0.0.1:8480\n"
    }
}

/// The built site: `dist` in this folder or one above it, or beside the program or above that, as in a
/// checkout that has compiled it.
fn built_site() -> Option<PathBuf> {
    let starts = [env::current_dir().ok(), env::current_exe().ok()];
    let candidates = starts.iter().flatten().flat_map(|start| start.ancestors()).map(|dir| dir.join(SITE));
    candidates.into_iter().find(|folder| folder.join("index.html").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn welcome_and_notes_fit_a_terminal_of_80_columns() {
        let token = "0123456789abcdef".repeat(2);
        for ip in ["0.0.0.0", "127.0.0.1", "192.168.100.200", "::"] {
            let ip: IpAddr = ip.parse().unwrap();
            let text = Reached::at((ip, 65535).into()).welcome("K7QM", &token) + notes(ip);
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(text.contains("K7QM") && text.contains("/join\n"), "{text}");
        }
        for (ip, says) in
            [("192.168.1.5", "Pupils open this"), ("127.0.0.1", "Only this machine can open this")]
        {
            let ip: IpAddr = ip.parse().unwrap();
            let text = Reached::at((ip, 8480).into()).welcome("K7QM", &token);
            assert!(text.starts_with(says), "{text}");
        }
        let room = Reached::at("192.168.1.5:8480".parse().unwrap());
        assert_eq!(room.by_pupils, "http://192.168.1.5:8480/");
        assert_eq!(Reached::at("127.0.0.1:1".parse().unwrap()).by_pupils, "http://localhost:1/");
        assert_eq!(Reached::at("[2001:db8::1]:1".parse().unwrap()).here, "http://[2001:db8::1]:1/");
    }
}
