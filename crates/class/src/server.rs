//! Listens, and answers connections: one thread for each, at most so many at a time.

use std::net::{IpAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::api::Api;
use crate::class::Class;
use crate::http::{Body, Connection, Method, Refusal, Request, Response};
use crate::site::Site;

/// Connections at the same time. A browser opens up to six while it loads the page.
const MAX_CONNECTIONS: usize = 512;
/// Requests of one connection. Afterwards the client opens another.
const MAX_REQUESTS: usize = 1_000;
/// Bytes of a thread's stack. The chunks of files are on the heap.
const STACK: usize = 256 * 1024;
/// The wait after an error of the operating system, such as too many open files.
const WAIT_AFTER_ERROR: Duration = Duration::from_millis(200);
/// The page at which pupils type the code.
const JOIN_PATH: &str = "/join";
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
    connections: AtomicUsize,
}

impl Server {
    pub fn new(listener: TcpListener, site: Site, class: Class) -> Self {
        let shared = Shared { site, api: Api::new(class), connections: AtomicUsize::new(0) };
        Self { listener, shared: Arc::new(shared) }
    }

    /// Answers for ever.
    pub fn run(self) {
        for stream in self.listener.incoming() {
            let Ok(stream) = stream else {
                thread::sleep(WAIT_AFTER_ERROR);
                continue;
            };
            let Some(place) = Place::take(&self.shared) else { continue };
            let builder = thread::Builder::new().stack_size(STACK);
            // Without a further thread the stream is dropped, which closes the connection.
            if builder.spawn(move || place.0.serve(stream)).is_err() {
                thread::sleep(WAIT_AFTER_ERROR);
            }
        }
    }
}

/// The place of a connection among all. It is free again once this is dropped, also by a panic.
struct Place(Arc<Shared>);

impl Place {
    /// Takes a place; `None` if there is none.
    fn take(shared: &Arc<Shared>) -> Option<Self> {
        let place = Self(Arc::clone(shared));
        (shared.connections.fetch_add(1, Ordering::SeqCst) < MAX_CONNECTIONS).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    /// Answers the requests of a connection until it ends, which is no error.
    fn serve(&self, stream: TcpStream) {
        let Ok(address) = stream.peer_addr() else { return };
        let Ok(mut connection) = Connection::new(stream) else { return };
        for _ in 0..MAX_REQUESTS {
            let (response, keeps, head_only) = match connection.read() {
                Ok(request) => {
                    let response = self.answer(&request, address.ip());
                    (response, request.keeps, request.method == Method::Head)
                }
                Err(Refusal::Gone) => return,
                Err(Refusal::Status(status, problem)) => (Response::text(status, problem), false, false),
            };
            if connection.write(response, keeps, head_only).is_err() {
                return;
            }
            if !keeps {
                return connection.finish();
            }
        }
    }

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
