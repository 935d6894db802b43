//! Reads the certificate for HTTPS and its key, from files in PEM form as `mkcert`, `certbot` and `openssl`
//! write them, and says until when and for which hosts it is valid.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ServerConfig, ServerConnection, version};
use webpki::{EndEntityCert, KeyUsage};

/// The most bytes of a file. That is plenty: a chain of four certificates has some 8 kB.
const MAX_FILE: u64 = 1 << 20;
/// The protocol that clients are told to speak after the handshake (ALPN): HTTP/1.1.
const PROTOCOL: &[u8] = b"http/1.1";

/// A certificate with its key.
pub struct Certificate {
    config: Arc<ServerConfig>,
    /// The certificate of the server itself.
    own: CertificateDer<'static>,
}

/// The error of a file that is no certificate or key, or none that can be used.
#[derive(Debug)]
pub struct BadCertificate {
    pub file: PathBuf,
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read.
    Unreadable(io::Error),
    /// What is wrong, as the rest of a sentence that begins with the name of the file.
    Unfit(String),
}

impl fmt::Display for BadCertificate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let file = self.file.display();
        match &self.problem {
            Problem::Unreadable(error) => write!(f, "{file} cannot be read: {error}"),
            Problem::Unfit(what) => write!(f, "{file} {what}"),
        }
    }
}

impl std::error::Error for BadCertificate {}

impl Certificate {
    /// Reads a certificate, with those of the authorities behind it if there are any, and its key.
    pub fn read(certificate: &Path, key: &Path) -> Result<Self, BadCertificate> {
        let unfit = |file: &Path, what: &str| BadCertificate {
            file: file.to_owned(),
            problem: Problem::Unfit(what.to_owned()),
        };
        let chain = chain_in(&content(certificate)?).map_err(|what| unfit(certificate, what))?;
        let own = chain[0].clone();
        if EndEntityCert::try_from(&own).is_err() {
            return Err(unfit(
                certificate,
                "begins with a certificate that is damaged or of X.509 version 1",
            ));
        }
        let secret = key_in(&content(key)?).map_err(|what| unfit(key, what))?;
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&version::TLS13])
            .map_err(|error| unfit(certificate, &format!("cannot be used: {error}")))?;
        let made = builder.with_no_client_auth().with_single_cert(chain, secret);
        let mut config = made.map_err(|error| match error {
            rustls::Error::InconsistentKeys(_) => {
                unfit(key, &format!("is not the key of the certificate in {}", certificate.display()))
            }
            _ => unfit(key, "has a key that is damaged, or of another kind than RSA (2048 to 4096 bits) and ECDSA (P-256 or P-384)"),
        })?;
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(Self { config: Arc::new(config), own })
    }

    /// From when on it is valid, and until when; `None` if its dates cannot be read.
    pub fn validity(&self) -> Option<(SystemTime, SystemTime)> {
        let parsed = EndEntityCert::try_from(&self.own).ok()?;
        // webpki tells the dates only in its errors, for a time before and a time after them. It checks the
        // dates first, so it does not matter that no authority is given that could be trusted.
        let refused = |time: Duration| {
            let time = UnixTime::since_unix_epoch(time);
            parsed.verify_for_usage(&[], &[], &[], time, KeyUsage::server_auth(), None, None).err()
        };
        let time = |time: UnixTime| UNIX_EPOCH.checked_add(Duration::from_secs(time.as_secs()));
        let from = match refused(Duration::ZERO)? {
            webpki::Error::CertNotValidYet { not_before, .. } => time(not_before)?,
            // Valid since 1970 or earlier; or its dates cannot be read, which the second call below tells.
            _ => UNIX_EPOCH,
        };
        match refused(Duration::MAX)? {
            webpki::Error::CertExpired { not_after, .. } => Some((from, time(not_after)?)),
            _ => None,
        }
    }

    /// Whether it is for a host, which is a name or an IP address. Its dates do not matter here.
    pub fn is_for(&self, host: &str) -> bool {
        let (Ok(parsed), Ok(name)) = (EndEntityCert::try_from(&self.own), ServerName::try_from(host)) else {
            return false;
        };
        parsed.verify_is_valid_for_subject_name(&name).is_ok()
    }

    /// The names that it is for, in its order, without those that begin with a star (`*.example.org`).
    pub fn names(&self) -> Vec<String> {
        let Ok(parsed) = EndEntityCert::try_from(&self.own) else { return Vec::new() };
        parsed.valid_dns_names().filter(|name| !name.starts_with('*')).map(str::to_owned).collect()
    }

    /// The server's side of a new connection.
    pub(crate) fn connection(&self) -> Result<ServerConnection, rustls::Error> {
        ServerConnection::new(Arc::clone(&self.config))
    }
}

/// The bytes of a file, which must be neither empty nor too large.
fn content(file: &Path) -> Result<Vec<u8>, BadCertificate> {
    let bad = |problem| BadCertificate { file: file.to_owned(), problem };
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_FILE + 1).read_to_end(&mut bytes));
    opened.map_err(|error| bad(Problem::Unreadable(error)))?;
    match bytes.len() as u64 {
        0 => Err(bad(Problem::Unfit("is empty".into()))),
        length if length > MAX_FILE => {
            Err(bad(Problem::Unfit("is larger than 1 MiB, so it is no certificate or key".into())))
        }
        _ => Ok(bytes),
    }
}

/// The certificates in the content of a file, at least one: that of the server, then those of the authorities
/// behind it. The error is the rest of a sentence that begins with the name of the file.
fn chain_in(text: &[u8]) -> Result<Vec<CertificateDer<'static>>, &'static str> {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(text)
        .collect::<Result<_, _>>()
        .map_err(|_| "is cut off or damaged")?;
    match chain.is_empty() {
        false => Ok(chain),
        true if PrivateKeyDer::from_pem_slice(text).is_ok() => {
            Err("has a key and no certificate; --cert names the certificate, and --key its key")
        }
        true => Err("has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----"),
    }
}

/// The first key in the content of a file. The error is the rest of a sentence that begins with the name of
/// the file.
fn key_in(text: &[u8]) -> Result<PrivateKeyDer<'static>, &'static str> {
    if let Ok(key) = PrivateKeyDer::from_pem_slice(text) {
        return Ok(key);
    }
    let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    if has(b"BEGIN ENCRYPTED PRIVATE KEY") || has(b"Proc-Type: 4,ENCRYPTED") {
        return Err(
            "is locked with a password; `openssl pkey -in FILE -out OPEN_FILE` writes it without one",
        );
    }
    if CertificateDer::from_pem_slice(text).is_ok() {
        return Err("has a certificate and no key; --cert names the certificate, and --key its key");
    }
    Err("has no key in PEM form, which begins with a line such as -----BEGIN PRIVATE KEY-----")
}
