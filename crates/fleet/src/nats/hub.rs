//! The host's side of the network: puts together and authenticates what arrives from actors, and sends what
//! goes to them.

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
use super::connection::{ConnectionEvent, MAX_WAITING_EVENTS, connect};
use super::problem;
use super::server::address_to_connect;
use super::version::ServerVersion;
use crate::message::{FromActor, ToActor};
use crate::wire::{ActorName, Assembler, Link, MAX_DOWN_BYTES, MAX_UP_BYTES, Subjects, cut_down, read_up};

/// The most messages that wait for the host.
const MAX_INBOX_MESSAGES: usize = 256;
/// The most pieces of messages that wait to be sent. Further ones are dropped, and their actors ask again.
const MAX_OUTBOX_PIECES: usize = 4096;

/// How much memory a host spends on messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimits {
    /// The longest message of an actor.
    max_message_bytes: usize,
    /// The most bytes of incomplete messages of all actors, for each of the two subscriptions, and the most
    /// bytes that wait to be sent.
    max_waiting_bytes: usize,
}

impl MemoryLimits {
    /// For one run, whose actors send results.
    pub const RUN: Self = Self { max_message_bytes: MAX_UP_BYTES, max_waiting_bytes: 64 << 20 };
    /// For a sweep. Its actors send checkpoints back, so their messages may be as long as those they get.
    pub const SWEEP: Self = Self { max_message_bytes: MAX_DOWN_BYTES, max_waiting_bytes: 512 << 20 };
}

/// What a host hears of: a message, or an event of the connection.
#[derive(Debug)]
pub enum HubEvent {
    /// A message of an actor that has proved its name. `bytes` is the message's length.
    Message { actor: ActorName, message: FromActor, bytes: usize },
    /// Bytes that are no valid message, with the reason.
    Refused(String),
    /// The connection to the server is back.
    Restored,
}

/// The host's connection.
pub struct Hub {
    runtime: Runtime,
    client: Client,
    subjects: Subjects,
    /// The id of the fleet.
    fleet: String,
    inbox: mpsc::Receiver<HubEvent>,
    /// NATS messages to send: subject and bytes.
    outbox: mpsc::Sender<(String, Bytes)>,
    limits: MemoryLimits,
    /// Bytes that wait in the outbox.
    queued_bytes: Arc<AtomicUsize>,
    /// Bytes sent since the connection was made.
    sent_bytes: Arc<AtomicU64>,
    /// The stream that keeps results while the host is away, once it is open.
    buffer: Option<Buffer>,
    /// The number of the last message, which all its pieces bear.
    last_serial: u32,
}

impl Hub {
    /// Connects with the rights of the learner, the role of a host. Fails also if other machines can reach
    /// the server and its version has known holes.
    pub fn connect(link: &Link, ca: Option<PathBuf>, limits: MemoryLimits) -> Result<Self, LabError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime =
            runtime.map_err(|e| problem(format!("no thread for the network can be started: {e}")))?;
        let link = Link { host: address_to_connect(&link.host).into(), ..link.clone() };
        let (to_inbox, inbox) = mpsc::channel(MAX_INBOX_MESSAGES);
        let (event_sender, event_receiver) = mpsc::channel(MAX_WAITING_EVENTS);
        let client = runtime.block_on(connect(&link, ca, event_sender))?;
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
            // If the connection is lost meanwhile, the client subscribes again when it is back.
            client.flush().await.ok();
            Ok::<_, async_nats::SubscribeError>((up, results))
        };
        let (up, results) = runtime.block_on(subscribe).map_err(|e| problem(e.to_string()))?;
        runtime.spawn(receive(up, to_inbox.clone(), SubjectKind::AllButResults, limits));
        runtime.spawn(receive(results, to_inbox.clone(), SubjectKind::Results, limits));
        runtime.spawn(watch_events(event_receiver, to_inbox));
        let (outbox, to_send) = mpsc::channel(MAX_OUTBOX_PIECES);
        let (queued_bytes, sent_bytes) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        runtime.spawn(send_all(client.clone(), to_send, Arc::clone(&queued_bytes), Arc::clone(&sent_bytes)));
        Ok(Self {
            runtime,
            client,
            subjects,
            fleet: link.fleet,
            inbox,
            outbox,
            limits,
            queued_bytes,
            sent_bytes,
            buffer: None,
            last_serial: 0,
        })
    }

    /// Opens the stream that keeps results while the host is away, and returns what it has kept. The error
    /// says why there is none.
    pub fn open_buffer(&mut self) -> Result<Vec<HubEvent>, String> {
        let (buffer, messages) = self.runtime.block_on(async {
            let buffer = Buffer::open(&self.client, &self.fleet).await?;
            let messages = buffer.messages().await?;
            Ok::<_, String>((buffer, messages))
        })?;
        self.buffer = Some(buffer);
        let mut incomplete = IncompleteMessages::new(self.limits);
        Ok(messages
            .iter()
            .filter_map(|(subject, bytes)| incomplete.read(subject, bytes, SubjectKind::Results))
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
            // The old handle names the new stream too. A failure costs only what arrives while the host is
            // away, which is computed again.
            self.runtime.spawn(async move {
                _ = Buffer::open(&client, &fleet).await;
            });
        }
    }

    /// What arrives next; `None` if nothing does within this time.
    pub fn next(&mut self, time: Duration) -> Option<HubEvent> {
        if time.is_zero() {
            return self.inbox.try_recv().ok();
        }
        let inbox = &mut self.inbox;
        // A timeout has to be made inside the runtime, whose clock it uses.
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
        self.last_serial = self.last_serial.wrapping_add(1);
        for piece in cut_down(self.last_serial, &message.to_bytes()) {
            self.queue_or_drop(subject.clone(), piece);
        }
    }

    /// Publishes what the fleet is doing.
    pub fn publish_status(&mut self, json: Vec<u8>) {
        self.queue_or_drop(self.subjects.status(), json);
    }

    /// Queues a NATS message, or drops it if too much waits already: actors ask again, and the status is
    /// published every second.
    fn queue_or_drop(&mut self, subject: String, bytes: Vec<u8>) {
        let length = bytes.len();
        if self.queued_bytes.load(Ordering::Relaxed) + length <= self.limits.max_waiting_bytes {
            self.queued_bytes.fetch_add(length, Ordering::Relaxed);
            if self.outbox.try_send((subject, bytes.into())).is_err() {
                self.queued_bytes.fetch_sub(length, Ordering::Relaxed);
            }
        }
    }

    /// Bytes sent so far.
    pub fn sent_bytes(&self) -> u64 {
        self.sent_bytes.load(Ordering::Relaxed)
    }

    /// Waits until all has been sent, for a fifth of a second at most.
    pub fn flush(&mut self) {
        let queued_bytes = Arc::clone(&self.queued_bytes);
        let client = self.client.clone();
        let all_sent = async move {
            while queued_bytes.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            client.flush().await
        };
        let limit = Duration::from_millis(200);
        // Whoever misses a message asks again. The timeout uses the runtime's clock, as in `next`.
        _ = self.runtime.block_on(async { tokio::time::timeout(limit, all_sent).await });
    }
}

/// Which of an actor's two subjects a message came on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SubjectKind {
    /// [`Subjects::up`].
    AllButResults,
    /// [`Subjects::result`].
    Results,
}

/// Messages of which some pieces have arrived, by actor.
struct IncompleteMessages {
    limits: MemoryLimits,
    assemblers: BTreeMap<ActorName, Assembler>,
    /// Bytes of all pieces that wait for the rest of their message.
    waiting_bytes: usize,
}

impl IncompleteMessages {
    fn new(limits: MemoryLimits) -> Self {
        Self { limits, assemblers: BTreeMap::new(), waiting_bytes: 0 }
    }

    /// Reads a NATS message. `None` if there is more to come.
    fn read(&mut self, subject: &str, bytes: &[u8], kind: SubjectKind) -> Option<HubEvent> {
        match self.try_read(subject, bytes, kind) {
            Ok(arrived) => arrived,
            Err(reason) => Some(HubEvent::Refused(reason)),
        }
    }

    fn try_read(
        &mut self,
        subject: &str,
        bytes: &[u8],
        kind: SubjectKind,
    ) -> Result<Option<HubEvent>, String> {
        let name = subject.rsplit('.').next().and_then(ActorName::parse);
        let actor = name.ok_or("a message whose subject does not end with the name of an actor")?;
        let up = read_up(bytes, self.limits.max_message_bytes).map_err(|e| e.to_string())?;
        if !actor.belongs_to(&up.token) {
            return Err("a message in the name of another actor".into());
        }
        let waiting_before = self.assemblers.get(&actor).map_or(0, Assembler::waiting_bytes);
        let assembler = self.assemblers.entry(actor.clone()).or_default();
        let whole = assembler.add(up.piece);
        let waiting_after = assembler.waiting_bytes();
        self.waiting_bytes = self.waiting_bytes - waiting_before + waiting_after;
        if waiting_after == 0 {
            self.assemblers.remove(&actor);
        }
        if self.waiting_bytes > self.limits.max_waiting_bytes {
            // Drops every incomplete message: actors send again what is not answered.
            *self = Self::new(self.limits);
        }
        let Some(whole) = whole else { return Ok(None) };
        let message = FromActor::from_bytes(&whole).map_err(|e| e.to_string())?;
        if matches!(message, FromActor::Result(_)) != (kind == SubjectKind::Results) {
            return Err("a message on a subject that is for others".into());
        }
        Ok(Some(HubEvent::Message { actor, message, bytes: whole.len() }))
    }
}

async fn receive(
    mut subscriber: Subscriber,
    inbox: mpsc::Sender<HubEvent>,
    kind: SubjectKind,
    limits: MemoryLimits,
) {
    let mut incomplete = IncompleteMessages::new(limits);
    while let Some(message) = subscriber.next().await {
        if let Some(arrived) = incomplete.read(&message.subject, &message.payload, kind)
            && inbox.send(arrived).await.is_err()
        {
            return;
        }
    }
}

async fn watch_events(mut events: mpsc::Receiver<ConnectionEvent>, inbox: mpsc::Sender<HubEvent>) {
    let mut was_lost = false;
    while let Some(event) = events.recv().await {
        match event {
            ConnectionEvent::Lost => was_lost = true,
            ConnectionEvent::Connected if was_lost => {
                was_lost = false;
                if inbox.send(HubEvent::Restored).await.is_err() {
                    return;
                }
            }
            // The first connection restores nothing. The host has the right to every subject, so a refusal
            // tells it nothing that it could mend.
            ConnectionEvent::Connected | ConnectionEvent::Refused(_) => {}
        }
    }
}

async fn send_all(
    client: Client,
    mut to_send: mpsc::Receiver<(String, Bytes)>,
    queued_bytes: Arc<AtomicUsize>,
    sent_bytes: Arc<AtomicU64>,
) {
    while let Some((subject, bytes)) = to_send.recv().await {
        let length = bytes.len();
        // Without a connection messages would only grow old.
        if client.connection_state() == State::Connected && client.publish(subject, bytes).await.is_ok() {
            sent_bytes.fetch_add(length as u64, Ordering::Relaxed);
        }
        queued_bytes.fetch_sub(length, Ordering::Relaxed);
    }
}
