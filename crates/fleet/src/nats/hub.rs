//! The host's side of the network: what arrives from actors, checked and put together, and what goes to them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt;
use learnery_lab::LabError;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::buffer::Buffer;
use super::connection::{Happened, connect};
use super::problem;
use super::server::reachable;
use super::version::ServerVersion;
use crate::message::{FromActor, ToActor};
use crate::wire::{ActorName, Assembler, Link, MAX_DOWN, MAX_UP, Subjects, cut_down, read_up};

/// Messages that wait for the host.
const INBOX: usize = 256;
/// Pieces that wait to be sent. What does not fit is dropped, and its actor asks again.
const OUTBOX: usize = 4096;

/// What a host has memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The longest message of an actor.
    message: usize,
    /// Bytes of messages that are not complete, of all actors together, and of those that wait to be sent.
    waiting: usize,
}

impl Sizes {
    /// For one run, whose actors send results.
    pub const RUN: Self = Self { message: MAX_UP, waiting: 64 << 20 };
    /// For a sweep, whose actors send checkpoints.
    pub const SWEEP: Self = Self { message: MAX_DOWN, waiting: 512 << 20 };
}

/// What arrived.
#[derive(Debug)]
pub enum Arrived {
    /// A message of an actor that has proved its name, with its bytes.
    Message { actor: ActorName, message: FromActor, bytes: usize },
    /// Something that is no message, with the reason.
    Refused(String),
    /// The connection to the server is back.
    Back,
}

/// The host's connection.
pub struct Hub {
    runtime: Runtime,
    client: Client,
    subjects: Subjects,
    fleet: String,
    inbox: mpsc::Receiver<Arrived>,
    outbox: mpsc::Sender<(String, Bytes)>,
    sizes: Sizes,
    queued: Arc<AtomicUsize>,
    sent: Arc<AtomicU64>,
    buffer: Option<Buffer>,
    serial: u32,
}

impl Hub {
    /// Connects as the learner. The error says why, also if the server has a version that is dangerous where
    /// it listens.
    pub fn connect(link: &Link, ca: Option<PathBuf>, sizes: Sizes) -> Result<Self, LabError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime =
            runtime.map_err(|e| problem(format!("no thread for the network can be started: {e}")))?;
        let link = Link { host: reachable(&link.host).into(), ..link.clone() };
        let (to_inbox, inbox) = mpsc::channel(INBOX);
        let (events, happened) = mpsc::channel(64);
        let client = runtime.block_on(connect(&link, ca, events))?;
        let version = ServerVersion::find(&client.server_info().version);
        if let Some(danger) =
            version.and_then(ServerVersion::danger).filter(|_| !super::is_loopback(&link.host))
        {
            return Err(problem(danger));
        }
        let subjects = Subjects::new(&link.fleet);
        let subscribe = async {
            let up = client.subscribe(subjects.up("*")).await?;
            let results = client.subscribe(subjects.result("*")).await?;
            client.flush().await.ok();
            Ok::<_, async_nats::SubscribeError>((up, results))
        };
        let (up, results) = runtime.block_on(subscribe).map_err(|e| problem(e.to_string()))?;
        runtime.spawn(receive(up, to_inbox.clone(), Kind::Up, sizes));
        runtime.spawn(receive(results, to_inbox.clone(), Kind::Result, sizes));
        runtime.spawn(watch_events(happened, to_inbox));
        let (outbox, to_send) = mpsc::channel(OUTBOX);
        let (queued, sent) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        runtime.spawn(send_all(client.clone(), to_send, Arc::clone(&queued), Arc::clone(&sent)));
        Ok(Self {
            runtime,
            client,
            subjects,
            fleet: link.fleet,
            inbox,
            outbox,
            sizes,
            queued,
            sent,
            buffer: None,
            serial: 0,
        })
    }

    /// Opens the stream that keeps results while the host is away, and returns what it has kept. The error
    /// says why there is none.
    pub fn open_buffer(&mut self) -> Result<Vec<Arrived>, String> {
        let (buffer, messages) = self.runtime.block_on(async {
            let buffer = Buffer::open(&self.client, &self.fleet).await?;
            let messages = buffer.messages().await?;
            Ok::<_, String>((buffer, messages))
        })?;
        self.buffer = Some(buffer);
        let mut partial = Partial::new(self.sizes);
        Ok(messages
            .iter()
            .filter_map(|(subject, bytes)| partial.read(subject, bytes, Kind::Result))
            .collect())
    }

    /// Forgets what the stream has kept, because a checkpoint has it.
    pub fn purge_buffer(&self) {
        if let Some(buffer) = self.buffer.clone() {
            // If it fails, results are kept that are no longer wanted.
            self.runtime.spawn(async move { buffer.purge().await });
        }
    }

    /// Makes the stream again if the server has lost it.
    pub fn reopen_buffer(&mut self) {
        if self.buffer.is_some() {
            let (client, fleet) = (self.client.clone(), self.fleet.clone());
            self.runtime.spawn(async move { Buffer::open(&client, &fleet).await.map(drop) });
        }
    }

    /// What arrives next, within this time.
    pub fn next(&mut self, time: Duration) -> Option<Arrived> {
        if time.is_zero() {
            return self.inbox.try_recv().ok();
        }
        let inbox = &mut self.inbox;
        self.runtime.block_on(async { tokio::time::timeout(time, inbox.recv()).await }).ok().flatten()
    }

    /// Sends a message to an actor. It is lost if the network does not keep up.
    pub fn send(&mut self, actor: &str, message: &ToActor) {
        self.post(self.subjects.down(actor), message);
    }

    /// Sends a message to all actors.
    pub fn send_to_all(&mut self, message: &ToActor) {
        self.post(self.subjects.down_all(), message);
    }

    fn post(&mut self, subject: String, message: &ToActor) {
        self.serial = self.serial.wrapping_add(1);
        for piece in cut_down(self.serial, &message.to_bytes()) {
            self.queue(subject.clone(), piece);
        }
    }

    /// Publishes what the fleet is doing.
    pub fn publish_status(&mut self, json: Vec<u8>) {
        self.queue(self.subjects.status(), json);
    }

    fn queue(&mut self, subject: String, bytes: Vec<u8>) {
        let length = bytes.len();
        if self.queued.load(Ordering::Relaxed) + length <= self.sizes.waiting {
            self.queued.fetch_add(length, Ordering::Relaxed);
            if self.outbox.try_send((subject, bytes.into())).is_err() {
                self.queued.fetch_sub(length, Ordering::Relaxed);
            }
        }
    }

    /// Bytes sent so far.
    pub fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// Waits until all has been sent, for a fifth of a second at most.
    pub fn flush(&mut self) {
        let queued = Arc::clone(&self.queued);
        let client = self.client.clone();
        let all = async move {
            while queued.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            client.flush().await
        };
        let limit = Duration::from_millis(200);
        // Whoever misses it asks again.
        _ = self.runtime.block_on(async { tokio::time::timeout(limit, all).await });
    }
}

/// What a subject is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Up,
    Result,
}

/// Messages of which some pieces have arrived, by actor.
struct Partial {
    sizes: Sizes,
    assemblers: BTreeMap<ActorName, Assembler>,
    bytes: usize,
}

impl Partial {
    fn new(sizes: Sizes) -> Self {
        Self { sizes, assemblers: BTreeMap::new(), bytes: 0 }
    }

    /// Reads a NATS message. `None` if there is more to come.
    fn read(&mut self, subject: &str, bytes: &[u8], kind: Kind) -> Option<Arrived> {
        match self.try_read(subject, bytes, kind) {
            Ok(arrived) => arrived,
            Err(reason) => Some(Arrived::Refused(reason)),
        }
    }

    fn try_read(&mut self, subject: &str, bytes: &[u8], kind: Kind) -> Result<Option<Arrived>, String> {
        let name = subject.rsplit('.').next().and_then(ActorName::parse);
        let actor = name.ok_or("a message whose subject does not end with the name of an actor")?;
        let up = read_up(bytes, self.sizes.message).map_err(|e| e.to_string())?;
        if !actor.belongs_to(&up.token) {
            return Err("a message in the name of another actor".into());
        }
        let before = self.assemblers.get(&actor).map_or(0, Assembler::waiting);
        let assembler = self.assemblers.entry(actor.clone()).or_default();
        let whole = assembler.add(up.piece);
        let now = assembler.waiting();
        self.bytes = self.bytes - before + now;
        if now == 0 {
            self.assemblers.remove(&actor);
        }
        if self.bytes > self.sizes.waiting {
            *self = Self::new(self.sizes);
        }
        let Some(whole) = whole else { return Ok(None) };
        let message = FromActor::from_bytes(&whole).map_err(|e| e.to_string())?;
        if matches!(message, FromActor::Result(_)) != (kind == Kind::Result) {
            return Err("a message on a subject that is for others".into());
        }
        Ok(Some(Arrived::Message { actor, message, bytes: whole.len() }))
    }
}

async fn receive(mut subscriber: Subscriber, inbox: mpsc::Sender<Arrived>, kind: Kind, sizes: Sizes) {
    let mut partial = Partial::new(sizes);
    while let Some(message) = subscriber.next().await {
        if let Some(arrived) = partial.read(&message.subject, &message.payload, kind)
            && inbox.send(arrived).await.is_err()
        {
            return;
        }
    }
}

async fn watch_events(mut happened: mpsc::Receiver<Happened>, inbox: mpsc::Sender<Arrived>) {
    let mut was_lost = false;
    while let Some(happened) = happened.recv().await {
        match happened {
            Happened::Lost => was_lost = true,
            Happened::Back if std::mem::take(&mut was_lost) => {
                if inbox.send(Arrived::Back).await.is_err() {
                    return;
                }
            }
            Happened::Back | Happened::Refused(_) => {}
        }
    }
}

async fn send_all(
    client: Client,
    mut to_send: mpsc::Receiver<(String, Bytes)>,
    queued: Arc<AtomicUsize>,
    sent: Arc<AtomicU64>,
) {
    while let Some((subject, bytes)) = to_send.recv().await {
        let length = bytes.len();
        // Without a connection messages would only grow old.
        if client.connection_state() == State::Connected && client.publish(subject, bytes).await.is_ok() {
            sent.fetch_add(length as u64, Ordering::Relaxed);
        }
        queued.fetch_sub(length, Ordering::Relaxed);
    }
}
