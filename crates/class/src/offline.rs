//! Answers requests that come as bytes, without a network: for the fuzz target `class_requests`.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use crate::api::Api;
use crate::class::Class;
use crate::http::{Refusal, take};

/// A class whose requests come from one connection at a time.
pub struct Offline {
    api: Api,
    /// What has arrived and was not answered yet.
    buffer: Vec<u8>,
    /// The time of all requests.
    now: Instant,
}

impl Offline {
    pub fn new(class: Class) -> Self {
        Self { api: Api::new(class), buffer: Vec::new(), now: Instant::now() }
    }

    /// Begins another connection, `later` after the requests before it.
    pub fn reconnect(&mut self, later: Duration) {
        self.buffer.clear();
        self.now += later;
    }

    /// Receives further bytes, and answers the requests that are complete now. Returns the status of each
    /// answer (404 for paths that are not of the interface), and whether the connection stays open: it ends
    /// with the first request that cannot be read.
    pub fn receive(&mut self, bytes: &[u8]) -> (Vec<u16>, bool) {
        self.buffer.extend_from_slice(bytes);
        let mut statuses = Vec::new();
        loop {
            match take(&mut self.buffer) {
                Ok(Some(request)) => {
                    let answer = self.api.answer(&request, IpAddr::V4(Ipv4Addr::LOCALHOST), self.now);
                    statuses.push(answer.map_or(404, |answer| answer.status));
                }
                Ok(None) => return (statuses, true),
                Err(refusal) => {
                    if let Refusal::Status(status, _) = refusal {
                        statuses.push(status);
                    }
                    return (statuses, false);
                }
            }
        }
    }
}
