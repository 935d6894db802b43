//! What a fleet keeps secret and has to keep for as long as its links live: passwords, its id, its address. A
//! file in the run's folder that only its owner can read.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

use learnery_lab::LabError;
use serde::{Deserialize, Serialize};

use super::problem;
use crate::wire::{Link, Role, Token};

/// The file of the secrets in the fleet's folder.
const FILE_NAME: &str = "secrets.json";

/// Random bytes of the system.
pub fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    bytes
}

/// `N` random bytes as hexadecimal digits, two for each byte.
fn random_digits<const N: usize>() -> String {
    random::<N>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A secret for the names of this machine's actors.
pub fn new_token() -> Token {
    Token(random())
}

/// The id of a fleet and the passwords of its roles.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secrets {
    pub fleet: String,
    learner: String,
    actor: String,
    watch: String,
}

impl Secrets {
    /// Reads the secrets of the fleet in this folder, or makes them if there are none yet.
    pub fn open(folder: &Path) -> Result<Self, LabError> {
        let path = folder.join(FILE_NAME);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let secrets: Self =
                    serde_json::from_str(&text).map_err(|e| problem(format!("{}: {e}", path.display())))?;
                // The secrets become a part of the server's configuration and of subjects, so they may hold
                // nothing but what a link may hold.
                secrets.link(Role::Actor, false, "localhost", 1).to_string().parse::<Link>().map_err(
                    |_| {
                        problem(format!(
                            "{} has been changed; remove it, and there will be new links",
                            path.display()
                        ))
                    },
                )?;
                Ok(secrets)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let secrets = Self {
                    fleet: random_digits::<4>(),
                    learner: random_digits::<16>(),
                    actor: random_digits::<16>(),
                    watch: random_digits::<16>(),
                };
                write_private(&path, &serde_json::to_string_pretty(&secrets).expect("plain data"))?;
                Ok(secrets)
            }
            Err(e) => Err(problem(format!("{} cannot be read: {e}", path.display()))),
        }
    }

    /// The password of a role.
    pub fn key(&self, role: Role) -> &str {
        match role {
            Role::Learner => &self.learner,
            Role::Actor => &self.actor,
            Role::Watch => &self.watch,
        }
    }

    /// The link of a role to the fleet's server at this address.
    pub fn link(&self, role: Role, tls: bool, host: &str, port: u16) -> Link {
        Link { tls, host: host.into(), port, fleet: self.fleet.clone(), role, key: self.key(role).into() }
    }
}

/// Writes a file that nobody else can read. After a crash there is the old one or the new one.
pub fn write_private(path: &Path, text: &str) -> Result<(), LabError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.tmp"));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // A temporary file may be left over from a crash.
    _ = fs::remove_file(&new);
    let written = options.open(&new).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    });
    written.map_err(|e| problem(format!("{} cannot be written: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_made_once_and_kept_from_others() {
        let folder = tempfile::tempdir().unwrap();
        let made = Secrets::open(folder.path()).unwrap();
        assert!(Secrets::open(folder.path()).unwrap() == made);
        assert!(made.key(Role::Actor) != made.key(Role::Watch) && made.key(Role::Actor).len() == 32);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.path().join(FILE_NAME)).unwrap().permissions().mode();
            assert_eq!(mode & 0o77, 0);
        }
        let broken =
            fs::read_to_string(folder.path().join(FILE_NAME)).unwrap().replace(&made.actor, "\\\" }");
        fs::write(folder.path().join(FILE_NAME), broken).unwrap();
        let error = Secrets::open(folder.path()).err().unwrap().to_string();
        assert!(error.contains("has been changed"), "{error}");
    }
}
