//! How the server of a class is reached, and what the teacher should know of it.

use std::net::{IpAddr, SocketAddr};

use learnery_class::Certificate;

use crate::own_address::own_address;

const LOCALHOST: &str = "localhost";
const BEHIND_A_PROXY: &str = "\
If a proxy forwards to this server, pupils open its address followed by join,
and you open its address followed by the part of your link from # on.
";
const NOT_ENCRYPTED: &str = "\
Without HTTPS, tabs on other machines train more slowly (on one thread), and
others in the network can read along. To use HTTPS, with the program mkcert (see
docs/class.md):
";
const ENCRYPTED: &str = "\
Connections are encrypted, so browsers give tabs on other machines threads too.
If a browser warns, its machine does not trust who has signed the certificate.
";
const MEMORY: &str = "Names and answers are in memory only, and end with this program. Ctrl-C ends it.\n";

/// How the server is reached; both addresses end with a slash.
pub struct Reached {
    /// From other machines, if it can be.
    pub by_pupils: String,
    /// For the teacher, on this machine. Over HTTP it is `localhost` where it can be, because without
    /// encryption browsers give the page threads only there.
    here: String,
    /// Whether no other machine can connect but by a proxy.
    is_local: bool,
    /// Whether other machines can connect, but the address of this one in its network could not be found out.
    is_unknown: bool,
    /// The host of the pupils' address, without brackets.
    host: String,
    encryption: Encryption,
}

/// How connections are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encryption {
    None,
    /// With a certificate for the address of this machine, which is in the links.
    ForAddress,
    /// With a certificate for a name, which is in the links.
    ForName,
    /// With a certificate that is neither for the address of this machine nor for a name that could be in the
    /// links.
    ForOthers,
}

impl Reached {
    /// `host` is what was asked for, an address or a name.
    pub fn at(address: SocketAddr, host: &str, certificate: Option<&Certificate>) -> Self {
        let (ip, port) = (address.ip(), address.port());
        // A server that listens at all addresses is reached by the one of this machine in its network.
        let room = if ip.is_unspecified() { own_address().unwrap_or(ip) } else { ip };
        let plain = |ip: IpAddr| {
            if ip.is_unspecified() || ip.is_loopback() { LOCALHOST.to_owned() } else { ip.to_string() }
        };
        let (room, this) = (plain(room), plain(ip));
        let is_local = ip.is_loopback();
        let is_unknown = !is_local && room == LOCALHOST;
        let Some(certificate) = certificate else {
            let (by_pupils, here) = (link("http", &room, port), link("http", &this, port));
            return Self { by_pupils, here, is_local, is_unknown, host: room, encryption: Encryption::None };
        };
        let (encryption, host) = encryption(certificate, host, room, is_local);
        let is_unknown = is_unknown && host == LOCALHOST;
        let link = link("https", &host, port);
        Self { by_pupils: link.clone(), here: link, is_local, is_unknown, host, encryption }
    }

    /// The addresses and the code.
    pub fn welcome(&self, code: &str, teacher: &str) -> String {
        let who = match (self.is_local, self.is_unknown) {
            (true, _) => "Only this machine can open this address,",
            (_, true) => "Pupils open this address, with that of this machine instead of localhost,\n",
            _ => "Pupils open this address,",
        };
        let space = if self.is_unknown { "" } else { " " };
        format!(
            "{who}{space}and type the code {code}:\n\
             \x20 {}join\n\
             The teacher opens this link, and shows it to nobody:\n\
             \x20 {}#/class?teach={teacher}\n",
            self.by_pupils, self.here
        )
    }

    /// What the teacher should know.
    pub fn notes(&self) -> String {
        let encrypted = if self.is_local { "" } else { ENCRYPTED };
        match self.encryption {
            Encryption::None if self.is_local => format!("{BEHIND_A_PROXY}{MEMORY}"),
            Encryption::None => format!(
                "{MEMORY}{NOT_ENCRYPTED}\
                 \x20 mkcert -install\n\
                 \x20 mkcert -cert-file room.pem -key-file room-key.pem {}\n\
                 \x20 learnery class serve --cert room.pem --key room-key.pem\n",
                self.host
            ),
            Encryption::ForAddress => format!("{MEMORY}{encrypted}"),
            Encryption::ForName => format!(
                "{MEMORY}{encrypted}In your network, this name has to lead to this machine:\n\x20 {}\n",
                self.host
            ),
            Encryption::ForOthers => format!(
                "{MEMORY}{encrypted}The certificate is for another address, so browsers warn of this one:\n\
                 \x20 {}\n\
                 --host NAME puts a name that the certificate is for into the links.\n",
                self.host
            ),
        }
    }
}

/// How connections with a certificate are encrypted, and the host of the links: the address of this machine
/// in the room (`room`), or else a name for which the certificate is. `asked` is the argument `--host`.
fn encryption(certificate: &Certificate, asked: &str, room: String, is_local: bool) -> (Encryption, String) {
    if certificate.is_for(&room) {
        return (Encryption::ForAddress, room);
    }
    let asked = [asked.to_owned()].into_iter().filter(|name| certificate.is_for(name));
    // Other names do not lead to a server that only this machine can reach.
    let names = if is_local { Vec::new() } else { certificate.names() };
    let is_name = |name: &String| name != LOCALHOST && name.parse::<IpAddr>().is_err();
    match asked.chain(names).find(is_name) {
        Some(name) => (Encryption::ForName, name),
        None => (Encryption::ForOthers, room),
    }
}

/// The address of a host, with brackets around a version 6 address.
fn link(scheme: &str, host: &str, port: u16) -> String {
    let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
    format!("{scheme}://{host}:{port}/")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// `room` is for names and addresses, `other` only for a name with a star, which no link can have.
    fn certificate(name: &str) -> Certificate {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../class/tests/certificates");
        Certificate::read(&folder.join(format!("{name}.pem")), &folder.join(format!("{name}-key.pem")))
            .unwrap()
    }

    fn at(host: &str, certificate: Option<&Certificate>) -> Reached {
        Reached::at((host.parse::<IpAddr>().unwrap(), 65535).into(), host, certificate)
    }

    #[test]
    fn welcome_and_notes_fit_a_terminal_of_80_columns() {
        let token = "0123456789abcdef".repeat(2);
        let (room, other) = (certificate("room"), certificate("other"));
        for host in ["0.0.0.0", "127.0.0.1", "192.168.100.200", "::"] {
            for certificate in [None, Some(&room), Some(&other)] {
                let reached = at(host, certificate);
                let text = reached.welcome("K7QM", &token) + &reached.notes();
                assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
                assert!(text.contains("K7QM") && text.contains("/join\n"), "{text}");
                assert_eq!(text.contains("http://"), certificate.is_none(), "{text}");
                assert_eq!(text.contains("https://"), certificate.is_some(), "{text}");
            }
        }
        for (host, says) in
            [("192.168.1.5", "Pupils open this"), ("127.0.0.1", "Only this machine can open this")]
        {
            let text = at(host, None).welcome("K7QM", &token);
            assert!(text.starts_with(says), "{text}");
        }
        assert_eq!(at("192.168.1.5", None).by_pupils, "http://192.168.1.5:65535/");
        assert_eq!(at("127.0.0.1", None).by_pupils, "http://localhost:65535/");
        assert_eq!(at("2001:db8::1", None).here, "http://[2001:db8::1]:65535/");
        // Without a network the address of this machine is not known, and others may connect all the same.
        let unknown = Reached { is_unknown: true, ..at("0.0.0.0", None) };
        let text = unknown.welcome("K7QM", &token);
        assert!(text.starts_with("Pupils open this address, with that of this machine instead of"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn links_have_a_host_for_which_the_certificate_is() {
        let (room, other) = (certificate("room"), certificate("other"));
        for (certificate, ip, asked, expected, host) in [
            (&room, "192.168.1.5", "192.168.1.5", Encryption::ForAddress, "192.168.1.5"),
            (&room, "127.0.0.1", "127.0.0.1", Encryption::ForAddress, "localhost"),
            (&room, "192.168.1.6", "192.168.1.6", Encryption::ForName, "class.example"),
            (&room, "192.168.1.6", "pc.else.example", Encryption::ForName, "class.example"),
            (&room, "192.168.1.6", "pc.school.example", Encryption::ForName, "pc.school.example"),
            (&other, "192.168.1.6", "192.168.1.6", Encryption::ForOthers, "192.168.1.6"),
            (&other, "127.0.0.1", "127.0.0.1", Encryption::ForOthers, "localhost"),
            (&other, "2001:db8::1", "2001:db8::1", Encryption::ForOthers, "2001:db8::1"),
        ] {
            let address = (ip.parse::<IpAddr>().unwrap(), 8480).into();
            let reached = Reached::at(address, asked, Some(certificate));
            assert_eq!((reached.encryption, reached.host.as_str()), (expected, host), "{ip} {asked}");
            assert_eq!(
                [reached.here, reached.by_pupils],
                [link("https", host, 8480), link("https", host, 8480)]
            );
        }
    }
}
