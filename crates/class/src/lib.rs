//! The server of a class: sends the built site, and takes what pupils hand in, on one address. Everything
//! about the class is in memory, and goes with the process. Nothing that is received is trusted, and nothing
//! is written to the disk.
//!
//! Each connection has a thread and a blocking socket with deadlines, and `httparse` reads the head of a
//! request: a class is at most sixty tabs, and an asynchronous runtime would cost more time to compile than
//! the rest of the crate. `rustls` encrypts the connections if there is a certificate.

mod api;
mod certificate;
mod class;
mod headers;
mod http;
mod messages;
mod offline;
mod rate;
mod secrets;
mod server;
mod site;
mod stream;
mod text;

pub use certificate::{BadCertificate, Certificate, Problem};
pub use class::{Class, MAX_PUPILS};
pub use offline::Offline;
pub use secrets::{new_code, new_token};
pub use server::Server;
pub use site::{NotASite, Site};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a thread has panicked with the lock (a poisoned lock). What it protects is still valid,
/// because every change is one assignment or one push.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
