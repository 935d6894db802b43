//! The links with which machines and tabs join a fleet. What is secret stands behind the `#`, which browsers
//! send to nobody.

use std::fmt;
use std::str::FromStr;

/// What a user of the fleet's server may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Everything.
    Learner,
    /// Compute jobs, and watch.
    Actor,
    /// Watch.
    Watch,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Learner, Self::Actor, Self::Watch];

    /// The role's user name on the server.
    pub fn user(self) -> &'static str {
        match self {
            Self::Learner => "learner",
            Self::Actor => "actor",
            Self::Watch => "watch",
        }
    }
}

/// The hexadecimal digits of a fleet's id.
const FLEET_DIGITS: usize = 8;
/// The hexadecimal digits of a password.
const KEY_DIGITS: usize = 32;
/// The longest name of a host in the domain name system.
const MAX_HOST_CHARS: usize = 255;

/// The link of a terminal: `nats://HOST:PORT#fleet=F&user=actor&key=K`, with TLS `tls://`.
#[derive(Clone, PartialEq, Eq)]
pub struct Link {
    pub tls: bool,
    /// A name or an address; one of IPv6 is in brackets.
    pub host: String,
    pub port: u16,
    /// The id of the fleet on its server, eight hexadecimal digits.
    pub fleet: String,
    pub role: Role,
    /// The password, 32 hexadecimal digits.
    pub key: String,
}

impl Link {
    /// The link that a browser opens on this site; the tab connects to the same fleet's WebSocket port.
    pub fn for_tabs(&self, site: &str, web_port: u16) -> String {
        let Self { tls, host, fleet, role, key, .. } = self;
        let scheme = if *tls { "wss" } else { "ws" };
        let server = escape(&format!("{scheme}://{host}:{web_port}"));
        let site = site.trim_end_matches('/');
        format!("{site}/fleet.html#server={server}&fleet={fleet}&user={}&key={key}", role.user())
    }

    /// The server's address as NATS clients take it.
    pub fn server(&self) -> String {
        format!("{}://{}:{}", if self.tls { "tls" } else { "nats" }, self.host, self.port)
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}#fleet={}&user={}&key={}", self.server(), self.fleet, self.role.user(), self.key)
    }
}

/// Without the password, which has no place in a log.
impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}#fleet={}&user={}", self.server(), self.fleet, self.role.user())
    }
}

impl FromStr for Link {
    type Err = String;

    /// Reads a link as people paste it. The error is a sentence.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.starts_with("http://") || text.starts_with("https://") {
            return Err(
                "this link is for a browser; the one for terminals begins with nats:// or tls://".into()
            );
        }
        let (tls, rest) = match (text.strip_prefix("nats://"), text.strip_prefix("tls://")) {
            (Some(rest), _) => (false, rest),
            (_, Some(rest)) => (true, rest),
            _ => return Err("the link of a fleet begins with nats:// or tls://".into()),
        };
        let Some((address, fragment)) = rest.split_once('#') else {
            return Err(
                "the link has nothing behind a #, where its password should be; put it in quotation marks"
                    .into(),
            );
        };
        let (host, port) = read_address(address.trim_end_matches('/'))?;
        let value = |name: &str| {
            let mut values = fragment.split('&').filter_map(|pair| pair.split_once('='));
            values.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let digits = |name: &str, length: usize| {
            let value = value(name).filter(|value| {
                value.len() == length
                    && value.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c))
            });
            value.map(str::to_owned).ok_or_else(|| {
                format!("`{name}` in the link should have {length} hexadecimal digits; copy the whole link, and put it in quotation marks")
            })
        };
        let (fleet, key) = (digits("fleet", FLEET_DIGITS)?, digits("key", KEY_DIGITS)?);
        let role = Role::ALL.into_iter().find(|role| Some(role.user()) == value("user"));
        let role = role.ok_or("`user` in the link should be `actor` or `watch`")?;
        Ok(Self { tls, host, port, fleet, role, key })
    }
}

/// Reads `HOST:PORT`.
pub fn read_address(address: &str) -> Result<(String, u16), String> {
    let wrong = || format!("`{address}` is not the address of a server, such as 192.168.1.5:4222");
    let (host, port) = address.rsplit_once(':').ok_or_else(wrong)?;
    // What is between the brackets of an IPv6 address, otherwise all of it.
    let inner = host.strip_prefix('[').map_or(Some(host), |rest| rest.strip_suffix(']')).ok_or_else(wrong)?;
    let is_v6 = inner.len() < host.len();
    let is_valid = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c) || (is_v6 && c == ':');
    let port = port.parse().ok().filter(|port| *port > 0).ok_or_else(wrong)?;
    if inner.is_empty() || inner.len() > MAX_HOST_CHARS || !inner.chars().all(is_valid) {
        return Err(wrong());
    }
    Ok((host.into(), port))
}

/// As JavaScript's `encodeURIComponent` does it for addresses.
fn escape(address: &str) -> String {
    let escape_char = |c: char| match c {
        ':' => "%3A".into(),
        '/' => "%2F".into(),
        '[' => "%5B".into(),
        ']' => "%5D".into(),
        other => other.to_string(),
    };
    address.chars().map(escape_char).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str =
        "nats://192.168.1.5:4222#fleet=0123abcd&user=actor&key=00112233445566778899aabbccddeeff";

    #[test]
    fn links_survive_a_round_trip() {
        let link: Link = LINK.parse().unwrap();
        assert_eq!((link.to_string().as_str(), link.port, link.role), (LINK, 4222, Role::Actor));
        for text in [LINK.replace("nats", "tls"), LINK.replace("192.168.1.5", "[::1]"), format!(" {LINK}\n")]
        {
            let link: Link = text.parse().unwrap();
            assert_eq!(link.to_string(), text.trim());
        }
        // Any order, and parameters of later versions.
        let other =
            "nats://192.168.1.5:4222/#later=1&key=00112233445566778899aabbccddeeff&user=actor&fleet=0123abcd";
        assert_eq!(other.parse(), Ok(link.clone()));
        assert!(!format!("{link:?}").contains("aabbcc"), "the password is not printed");
    }

    #[test]
    fn link_of_a_tab_has_everything_in_its_fragment() {
        let link: Link = LINK.parse().unwrap();
        assert_eq!(
            link.for_tabs("https://example.org/learnery/", 4280),
            "https://example.org/learnery/fleet.html#server=ws%3A%2F%2F192.168.1.5%3A4280&fleet=0123abcd&user=actor\
             &key=00112233445566778899aabbccddeeff"
        );
        let secure = Link { tls: true, host: "[::1]".into(), ..link };
        assert!(secure.for_tabs("http://a", 1).contains("#server=wss%3A%2F%2F%5B%3A%3A1%5D%3A1&"));
    }

    #[test]
    fn broken_links_are_refused_with_a_sentence() {
        for (text, part) in [
            ("https://example.org/fleet.html#server=x", "for a browser"),
            ("example.org:4222", "begins with nats://"),
            ("nats://example.org:4222", "quotation marks"),
            (&LINK.replace("key=0", "key="), "32 hexadecimal digits"),
            (&LINK.replace("ff", "FF"), "32 hexadecimal digits"),
            (&LINK.replace("fleet=", "fleet=*."), "8 hexadecimal digits"),
            (&LINK.replace("actor", "admin"), "`actor` or `watch`"),
            (&LINK.replace(":4222", ""), "not the address"),
            (&LINK.replace("4222", "0"), "not the address"),
            (&LINK.replace("4222", "99999"), "not the address"),
            (&LINK.replace("192.168.1.5", "a b"), "not the address"),
            (&LINK.replace("192.168.1.5", "::1"), "not the address"),
            (&LINK.replace("192.168.1.5", "[::1"), "not the address"),
            (&LINK.replace("192.168.1.5", ""), "not the address"),
        ] {
            let error = text.parse::<Link>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
