//! Versions of nats-server, and which of them other machines must not reach.

use std::fmt;

/// A version of nats-server: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerVersion(u32, u32, u32);

impl fmt::Display for ServerVersion {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl ServerVersion {
    /// Finds the version in a text such as `nats-server: v2.9.10` or `2.12.6-beta.1`.
    pub fn find(text: &str) -> Option<Self> {
        let begin = text.find(|c: char| c.is_ascii_digit())?;
        let rest = &text[begin..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let mut numbers = rest[..end].split('.').map(|number| number.parse().ok());
        let mut number = || numbers.next().flatten();
        Some(Self(number()?, number()?, number()?))
    }

    /// Why other machines must not reach a server of this version; `None` if they may.
    pub fn danger(self) -> Option<String> {
        // The holes are closed in 2.12.6, and in 2.11.15 for those who stay with the series 2.11.
        let is_safe = self >= Self(2, 12, 6) || (Self(2, 11, 15)..Self(2, 12, 0)).contains(&self);
        (!is_safe).then(|| {
            format!(
                "nats-server {self} must not be reached from other machines, because one message to its WebSocket port stops \
                 it before any login (CVE-2026-27889), and a small one can fill its memory (CVE-2026-27571); install 2.11.15, \
                 2.12.6 or later, or listen on 127.0.0.1 only"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_with_the_holes_are_dangerous() {
        for old in ["nats-server: v2.9.10", "2.11.14", "2.12.0", "2.12.5", "1.9.9"] {
            let danger = ServerVersion::find(old).unwrap().danger().unwrap();
            assert!(danger.contains("CVE-2026-27889"), "{danger}");
        }
        for new in ["v2.11.15", "nats-server: v2.11.99-beta.1", "2.12.6", "2.15.1", "3.0.0"] {
            assert_eq!(ServerVersion::find(new).unwrap().danger(), None, "{new}");
        }
        for text in ["", "nats", "2", "2.9", "2..9", "v2.x.1"] {
            assert_eq!(ServerVersion::find(text), None, "{text}");
        }
    }
}
