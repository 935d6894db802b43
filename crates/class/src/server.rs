//! Listens for connections, and serves each on a thread of its own. The number of connections is limited.

use std::collections::HashMap;
use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::api::Api;
use crate::certificate::Certificate;
use crate::class::Class;
use crate::http::{Body, Connection, Method, Refusal, Request, Response};
use crate::lock;
use crate::site::Site;

/// The most connections at the same time. A browser opens up to six while it loads the page.
const MAX_CONNECTIONS: usize = 512;
/// The most connections of one address, so that one machine cannot keep out all others. It is not lower,
/// because a class of forty behind one router loads the page from one address (240 connections). The machine
/// of the server may have all connections: a proxy on it opens them for everybody.
const MAX_OF_ADDRESS: usize = 256;
/// The most requests of one connection. Afterwards the client has to open another.
const MAX_REQUESTS: usize = 1_000;
/// Bytes of a thread's stack. That is enough, because the chunks of files are on the heap.
const STACK_BYTES: usize = 256 * 1024;
/// The wait after an error of the operating system, such as too many open files.
const WAIT_AFTER_ERROR: Duration = Duration::from_millis(200);
/// A short path to type, which leads to the page on which pupils enter the code.
const JOIN_PATH: &str = "/join";
/// That page.
const JOIN_PAGE: &str = "/#/class?join=";

/// A server that listens and has not answered anybody yet.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What all connections share.
struct Shared {
    site: Site,
    api: Api,
    /// With a certificate, connections are encrypted.
    certificate: Option<Certificate>,
    /// The address with which pupils reach the server, which ends with a slash.
    address: String,
    connections: Mutex<Connections>,
}

/// How many connections are open.
#[derive(Default)]
struct Connections {
    all: usize,
    /// Those of each address that has any.
    of_address: HashMap<IpAddr, usize>,
}

impl Connections {
    /// Counts another connection. Returns false if there are too many already.
    fn add(&mut self, address: IpAddr) -> bool {
        let of_address = self.of_address.get(&address).copied().unwrap_or(0);
        if self.all >= MAX_CONNECTIONS || (of_address >= MAX_OF_ADDRESS && !address.is_loopback()) {
            return false;
        }
        self.all += 1;
        self.of_address.insert(address, of_address + 1);
        true
    }

    fn remove(&mut self, address: IpAddr) {
        self.all -= 1;
        match self.of_address.get_mut(&address) {
            Some(count) if *count > 1 => *count -= 1,
            _ => _ = self.of_address.remove(&address),
        }
    }
}

impl Server {
    /// A server for HTTPS if there is a certificate, and otherwise for HTTP.
    pub fn new(listener: TcpListener, site: Site, class: Class, certificate: Option<Certificate>) -> Self {
        let address = class.address().to_owned();
        let shared =
            Shared { site, api: Api::new(class), certificate, address, connections: Mutex::default() };
        Self { listener, shared: Arc::new(shared) }
    }

    /// Answers for ever.
    pub fn run(self) {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(WAIT_AFTER_ERROR);
                continue;
            };
            let Ok(peer) = stream.peer_addr() else { continue };
            let Some(place) = Place::take(&self.shared, peer.ip().to_canonical()) else { continue };
            let builder = thread::Builder::new().stack_size(STACK_BYTES);
            // If no thread can be started, the stream is dropped, which closes the connection.
            if builder.spawn(move || place.shared.serve(stream, place.address)).is_err() {
                thread::sleep(WAIT_AFTER_ERROR);
            }
        }
    }
}

/// The place of a connection among [`MAX_CONNECTIONS`]. Dropping it frees the place, also in a panic.
struct Place {
    shared: Arc<Shared>,
    address: IpAddr,
}

impl Place {
    /// Takes a place; `None` if there is none for this address.
    fn take(shared: &Arc<Shared>, address: IpAddr) -> Option<Self> {
        lock(&shared.connections).add(address).then(|| Self { shared: Arc::clone(shared), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.shared.connections).remove(self.address);
    }
}

impl Shared {
    /// Answers the requests of a connection until it ends or fails.
    fn serve(&self, stream: TcpStream, peer: IpAddr) {
        let Ok(mut connection) = Connection::open(stream, self.certificate.as_ref()) else { return };
        // With a certificate, requests over plain HTTP are only redirected.
        let is_served = self.certificate.is_none() || connection.is_encrypted();
        for left in (0..MAX_REQUESTS).rev() {
            let (response, keep_alive, head_only) = match connection.read() {
                Ok(request) if !is_served => (self.redirect(&request), false, request.method == Method::Head),
                Ok(request) => {
                    let response = self.answer(&request, client(&request, peer));
                    (response, request.keep_alive && left > 0, request.method == Method::Head)
                }
                Err(Refusal::Gone) => return,
                Err(Refusal::Status(status, problem)) => (Response::text(status, problem), false, false),
            };
            if connection.write(response, keep_alive, head_only).is_err() {
                return;
            }
            if !keep_alive {
                return connection.finish();
            }
        }
    }

    /// The answer to a request over HTTP where HTTPS is served: it redirects to the HTTPS address, to the
    /// page for joining if that was asked for. The answer repeats nothing that the client has sent, so nobody
    /// can make it lead elsewhere. Browsers keep the part of the address after the `#`, which they do not
    /// send.
    fn redirect(&self, request: &Request) -> Response {
        let page = if request.path == JOIN_PATH { JOIN_PATH.trim_start_matches('/') } else { "" };
        let address = format!("{}{page}", self.address);
        let text = format!("This server uses HTTPS only: {address}");
        Response::text(302, &text).with("Location", &address).with("Cache-Control", "no-store")
    }

    /// The answer to a request: of the interface, or a file of the site.
    fn answer(&self, request: &Request, address: IpAddr) -> Response {
        if let Some(response) = self.api.answer(request, address, Instant::now()) {
            return response.with("X-Content-Type-Options", "nosniff");
        }
        match (request.method, request.path.as_str()) {
            (Method::Post, _) => Response::text(405, "This method is not allowed."),
            (_, JOIN_PATH) => Response::new(302, "text/plain; charset=utf-8", Body::Bytes(Vec::new()))
                .with("Location", JOIN_PAGE)
                .with("Cache-Control", "no-store"),
            (_, path) => self.site.answer(path),
        }
    }
}

/// The address that a request came from. A proxy on this machine opens all connections itself, and says in a
/// header for whom. Another machine could write any address there, so its header does not count.
fn client(request: &Request, peer: IpAddr) -> IpAddr {
    request.forwarded.filter(|_| peer.is_loopback()).unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_half_of_the_connections_and_the_machine_of_the_server_all() {
        let mut connections = Connections::default();
        let address = |last| IpAddr::from([10, 0, 0, last]);
        assert_eq!((0..MAX_CONNECTIONS).filter(|_| connections.add(address(1))).count(), MAX_OF_ADDRESS);
        assert!(connections.add(address(2)), "another address has a place");
        connections.remove(address(1));
        assert!(connections.add(address(1)));
        assert!(!connections.add(address(1)));
        for _ in 0..MAX_OF_ADDRESS {
            connections.remove(address(1));
        }
        connections.remove(address(2));
        assert!(connections.of_address.is_empty());
        let here = IpAddr::from([127, 0, 0, 1]);
        assert_eq!((0..=MAX_CONNECTIONS).filter(|_| connections.add(here)).count(), MAX_CONNECTIONS);
    }
}
