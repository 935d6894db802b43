//! Names of actors. A name contains the hash of a secret, the token, which stands in every message to the
//! host. So nobody can speak in the name of another, although all actors log in with the same password.

use std::fmt;

use learnery_lab::fleet::digest;

/// The longest label of a machine, in characters.
const MAX_LABEL_CHARS: usize = 24;
/// The hexadecimal digits of a token's hash in a name; two for each byte.
const HASH_DIGITS: usize = 16;
/// The most threads of a machine.
const MAX_THREADS: u16 = 1024;

/// The secret of a machine or a tab: random bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(pub [u8; 16]);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// The first hexadecimal digits of the token's SHA-256 hash.
    fn hash(&self) -> String {
        digest(&self.0)[..HASH_DIGITS / 2].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The name of an actor, `LABEL-HASH-THREAD`. It has no dots, because it is one element of a NATS subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActorName {
    label: String,
    hash: String,
    thread: u16,
}

impl ActorName {
    /// The actor of thread `thread` of the machine that has this token. Of the label, what people call the
    /// machine, letters, digits and underscores remain.
    pub fn new(label: &str, token: &Token, thread: u16) -> Self {
        let allowed = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let label: String = label.chars().map(allowed).take(MAX_LABEL_CHARS).collect();
        let label = if label.is_empty() { "machine".to_owned() } else { label };
        Self { label, hash: token.hash(), thread: thread.min(MAX_THREADS - 1) }
    }

    /// Reads a name from outside.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('-');
        let (label, hash, thread) = (parts.next()?, parts.next()?, parts.next()?);
        let is_word = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'_';
        // Other spellings of the same number, such as `00`, are refused: a name has one form.
        let number = thread.parse().ok().filter(|n: &u16| *n < MAX_THREADS && n.to_string() == thread)?;
        let is_valid = parts.next().is_none()
            && (1..=MAX_LABEL_CHARS).contains(&label.len())
            && label.bytes().all(is_word)
            && hash.len() == HASH_DIGITS
            && hash.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
        is_valid.then(|| Self { label: label.into(), hash: hash.into(), thread: number })
    }

    /// Whether this is a name of the machine that has this token.
    pub fn belongs_to(&self, token: &Token) -> bool {
        self.hash == token.hash()
    }

    /// What people call the machine.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The name of the machine, which all its threads share.
    pub fn machine(&self) -> String {
        format!("{}-{}", self.label, self.hash)
    }
}

impl fmt::Display for ActorName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}-{}-{}", self.label, self.hash, self.thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_a_round_trip_and_belong_to_their_token() {
        let (mine, other) = (Token([7; 16]), Token([8; 16]));
        let name = ActorName::new("Attic.local", &mine, 3);
        assert_eq!((name.label(), name.to_string().ends_with("-3")), ("attic_local", true));
        assert_eq!(ActorName::parse(&name.to_string()), Some(name.clone()));
        assert!(name.belongs_to(&mine) && !name.belongs_to(&other));
        assert_eq!(name.to_string(), format!("{}-3", name.machine()));
        assert_eq!(ActorName::new("", &mine, 0).label(), "machine");
        let long = ActorName::new(&"ä".repeat(99), &mine, u16::MAX);
        assert_eq!(ActorName::parse(&long.to_string()), Some(long));
    }

    #[test]
    fn other_texts_are_no_names() {
        let hash = Token([7; 16]).hash();
        for good in [format!("a-{hash}-0"), format!("tab_2-{hash}-1023")] {
            assert!(ActorName::parse(&good).is_some(), "{good}");
        }
        for bad in [
            String::new(),
            "all".into(),
            format!("-{hash}-0"),
            format!("A-{hash}-0"),
            format!("a.b-{hash}-0"),
            format!("a-{hash}-00"),
            format!("a-{hash}-1024"),
            format!("a-{hash}-+1"),
            format!("a-{hash}-0-0"),
            format!("a-{}-0", hash.to_uppercase()),
            format!("a-{}-0", &hash[1..]),
            format!("{}-{hash}-0", "a".repeat(25)),
        ] {
            assert_eq!(ActorName::parse(&bad), None, "{bad}");
        }
    }
}
