//! A machine that computes for a fleet: a client on each thread, and one connection.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc as threads};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client as Connection, Subscriber};
use futures_util::StreamExt;
use learnery_lab::fleet::{Version, digest};
use learnery_lab::{Budget, Entry, LabError};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

use super::connection::{ConnectionEvent, connect};
use super::problem;
use crate::client::{Client, ClientState};
use crate::message::{FromActor, Hello, ToActor};
use crate::sweep::{Computer, is_order};
use crate::wire::{ActorName, Assembler, Link, Role, Subjects, Token, cut_up, read_down};

/// How long a thread computes before it looks for messages.
const SLICE_DURATION: Duration = Duration::from_millis(50);
/// The longest sleep of a thread that waits for a message.
const MAX_SLEEP: Duration = Duration::from_millis(500);
/// How long the other threads wait for a version that one thread fetches, before they fetch it themselves.
const FETCH_TIMEOUT: Duration = Duration::from_secs(4);
/// How often it is looked whether a piece that waits to be sent can still be sent.
const SEND_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// How long a thread that is to leave goes on computing until its run can be saved.
const STOP_GRACE: Duration = Duration::from_millis(400);
/// The most messages that wait for a thread; further ones are dropped.
const MAX_INBOX_MESSAGES: usize = 64;

/// How to join a fleet.
pub struct Join {
    pub link: Link,
    pub ca: Option<PathBuf>,
    /// What people call the machine.
    pub label: String,
    pub token: Token,
    pub threads: u16,
    pub hello: Hello,
    pub entries: &'static [Entry],
}

/// How a machine's work ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JoinEnd {
    /// The run is complete.
    Complete,
    /// The fleet does not want it, for this reason.
    Refused(String),
}

/// What a machine is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Threads that compute.
    pub working: usize,
    /// Results that have arrived.
    pub accepted: u64,
    pub is_connected: bool,
    /// What the server has refused last.
    pub refused: Option<String>,
}

/// A machine that computes for a fleet.
pub struct Joined {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<JoinEnd>>,
    happened: mpsc::Receiver<ConnectionEvent>,
    refused: Option<String>,
    runtime: Runtime,
    connection: Connection,
}

/// What the threads of a machine share.
struct Shared {
    is_stopped: AtomicBool,
    inboxes: Vec<threads::SyncSender<Inbox>>,
    /// What each thread is doing: whether it computes, and its results that have arrived.
    doing: Mutex<Vec<(bool, u64)>>,
    /// The version that a thread of the machine has asked for, which thread, and when.
    fetching: Mutex<Option<(Version, usize, Instant)>>,
    /// The version that the machine has fetched last.
    fetched: Mutex<Option<(Version, Arc<Vec<u8>>)>>,
}

/// What comes to a thread.
#[derive(Clone, Debug)]
enum Inbox {
    Message(ToActor),
    /// The connection was lost and is back.
    Restored,
}

impl Shared {
    fn send_to_all(&self, inbox: &Inbox) {
        // What does not fit is asked for again.
        self.inboxes.iter().for_each(|thread| _ = thread.try_send(inbox.clone()));
    }
}

impl Joined {
    /// Connects and begins to work.
    pub fn start(join: Join) -> Result<Self, LabError> {
        let Join { link, ca, label, token, threads, hello, entries } = join;
        if link.role == Role::Watch {
            return Err(problem(
                "this link is for watching only; ask for the one that the fleet prints for terminals",
            ));
        }
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime =
            runtime.map_err(|e| problem(format!("no thread for the network can be started: {e}")))?;
        let (events, happened) = mpsc::channel(64);
        let connection = runtime.block_on(connect(&link, ca, events))?;
        let subjects = Subjects::new(&link.fleet);
        let names: Vec<_> = (0..threads.max(1)).map(|i| ActorName::new(&label, &token, i)).collect();
        let (inboxes, receivers): (Vec<_>, Vec<_>) =
            names.iter().map(|_| threads::sync_channel(MAX_INBOX_MESSAGES)).unzip();
        let shared = Arc::new(Shared {
            is_stopped: AtomicBool::new(false),
            inboxes,
            doing: Mutex::new(vec![(false, 0); names.len()]),
            fetching: Mutex::new(None),
            fetched: Mutex::new(None),
        });
        let subscribe =
            |subject| runtime.block_on(connection.subscribe(subject)).map_err(|e| problem(e.to_string()));
        for (i, name) in names.iter().enumerate() {
            let subscriber = subscribe(subjects.down(&name.to_string()))?;
            runtime.spawn(receive(subscriber, Arc::clone(&shared), Some(i)));
        }
        runtime.spawn(receive(subscribe(subjects.down_all())?, Arc::clone(&shared), None));
        let workers = names.into_iter().zip(receivers).enumerate().map(|(index, (name, inbox))| {
            let worker = Worker {
                client: Client::new(&name.to_string(), hello.clone(), Computer::new(entries)),
                index,
                token,
                serial: 0,
                begin: Instant::now(),
                inbox,
                up: subjects.up(&name.to_string()),
                result: subjects.result(&name.to_string()),
                connection: connection.clone(),
                runtime: runtime.handle().clone(),
                shared: Arc::clone(&shared),
            };
            thread::spawn(move || worker.run())
        });
        let workers = workers.collect();
        Ok(Self { workers, shared, happened, refused: None, runtime, connection })
    }

    /// What the machine is doing. To be called often, because it also tells the threads that the connection
    /// is back.
    pub fn progress(&mut self) -> Progress {
        while let Ok(happened) = self.happened.try_recv() {
            match happened {
                ConnectionEvent::Restored => self.shared.send_to_all(&Inbox::Restored),
                ConnectionEvent::Refused(reason) => self.refused = Some(reason),
                ConnectionEvent::Lost => {}
            }
        }
        let doing = self.shared.doing.lock().map(|doing| doing.clone()).unwrap_or_default();
        Progress {
            working: doing.iter().filter(|(is_working, _)| *is_working).count(),
            accepted: doing.iter().map(|(_, accepted)| accepted).sum(),
            is_connected: self.connection.connection_state() == State::Connected,
            refused: self.refused.clone(),
        }
    }

    /// Whether every thread has ended.
    pub fn has_ended(&self) -> bool {
        self.workers.iter().all(JoinHandle::is_finished)
    }

    /// Leaves the fleet, unless every thread has ended by itself, and says how it ended.
    pub fn leave(self) -> JoinEnd {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        let panicked = || JoinEnd::Refused("a thread of this machine has panicked".into());
        let ends = self.workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| panicked()));
        let mut ends: Vec<_> = ends.collect();
        let flushed =
            async { tokio::time::timeout(Duration::from_millis(300), self.connection.flush()).await };
        // If the host hears of it, the jobs of this machine go to others at once, otherwise when their leases
        // end.
        _ = self.runtime.block_on(flushed);
        self.runtime.shutdown_background();
        // Threads of one machine are refused for the same reason.
        let refused = ends.iter().position(|end| *end != JoinEnd::Complete);
        refused.map_or(JoinEnd::Complete, |i| ends.swap_remove(i))
    }
}

/// Passes messages on to one thread, or to all.
async fn receive(mut subscriber: Subscriber, shared: Arc<Shared>, thread: Option<usize>) {
    let mut assembler = Assembler::default();
    while let Some(message) = subscriber.next().await {
        let whole = read_down(&message.payload).ok().and_then(|piece| assembler.add(piece));
        let Some(Ok(message)) = whole.map(|whole| ToActor::from_bytes(&whole)) else { continue };
        let is_for_all = !matches!(&message, ToActor::Weights(_, file) if is_order(file));
        if let ToActor::Weights(version, file) = &message
            && is_for_all
        {
            // A damaged file is fetched again.
            if digest(file) != version.0 {
                continue;
            }
            if let Ok(mut fetched) = shared.fetched.lock() {
                *fetched = Some((*version, Arc::new(file.clone())));
            }
            // Other threads may wait for the same; those that do not take no notice.
            shared.send_to_all(&Inbox::Message(message));
        } else if let Some(thread) = thread {
            _ = shared.inboxes[thread].try_send(Inbox::Message(message));
        } else {
            shared.send_to_all(&Inbox::Message(message));
        }
    }
}

/// A thread that computes.
struct Worker {
    client: Client<Computer>,
    index: usize,
    token: Token,
    serial: u32,
    begin: Instant,
    inbox: threads::Receiver<Inbox>,
    up: String,
    result: String,
    connection: Connection,
    runtime: tokio::runtime::Handle,
    shared: Arc<Shared>,
}

impl Worker {
    fn run(mut self) -> JoinEnd {
        // What a lab deals out to threads stays on this one. Without the pool it would wait for those of
        // other runs.
        let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        loop {
            if self.shared.is_stopped.load(Ordering::Relaxed) {
                let grace = Instant::now();
                while !self.client.can_save() && grace.elapsed() < STOP_GRACE {
                    self.compute();
                }
                let now = self.begin.elapsed();
                self.client.leave(now).iter().for_each(|message| self.send(message));
                return JoinEnd::Complete;
            }
            while let Ok(inbox) = self.inbox.try_recv() {
                self.take(inbox);
            }
            match self.client.state() {
                ClientState::Failed(reason) => return JoinEnd::Refused(reason.clone()),
                ClientState::Complete => return JoinEnd::Complete,
                _ => {}
            }
            if let Some(message) = self.client.poll(self.begin.elapsed()) {
                self.post(message);
            }
            let is_working = self.compute();
            if let Ok(mut doing) = self.shared.doing.lock() {
                doing[self.index] = (is_working, self.client.accepted());
            }
            if !is_working {
                let sleep = self.client.due().saturating_sub(self.begin.elapsed()).min(MAX_SLEEP);
                if let Ok(inbox) = self.inbox.recv_timeout(sleep) {
                    self.take(inbox);
                }
            }
        }
    }

    /// Computes for a slice. Returns whether there is something to compute.
    fn compute(&mut self) -> bool {
        let slice = Instant::now();
        let mut slice_is_over = || slice.elapsed() >= SLICE_DURATION;
        self.client.work(self.begin.elapsed(), &mut Budget::until(u64::MAX, &mut slice_is_over))
    }

    fn take(&mut self, inbox: Inbox) {
        let now = self.begin.elapsed();
        match inbox {
            Inbox::Message(message) => self.client.receive(now, message),
            Inbox::Restored => self.client.reconnected(now),
        }
    }

    /// Sends a message, but fetches a version only once for all threads.
    fn post(&mut self, message: FromActor) {
        if let FromActor::Fetch(wanted) = message {
            let fetched = self.shared.fetched.lock().ok().and_then(|fetched| fetched.clone());
            if let Some((_, file)) = fetched.filter(|(version, _)| *version == wanted) {
                let now = self.begin.elapsed();
                return self.client.receive(now, ToActor::Weights(wanted, file.to_vec()));
            }
            let Ok(mut fetching) = self.shared.fetching.lock() else { return };
            let is_fetched = |(version, thread, at): (Version, usize, Instant)| {
                version == wanted && thread != self.index && at.elapsed() < FETCH_TIMEOUT
            };
            if fetching.is_some_and(is_fetched) {
                return;
            }
            *fetching = Some((wanted, self.index, Instant::now()));
        }
        self.send(&message);
    }

    fn send(&mut self, message: &FromActor) {
        // Without a connection it would only grow old; it is sent again when the connection is back.
        if self.connection.connection_state() != State::Connected {
            return;
        }
        let subject = if matches!(message, FromActor::Result(_)) { &self.result } else { &self.up };
        self.serial = self.serial.wrapping_add(1);
        for piece in cut_up(&self.token, self.serial, &message.to_bytes()) {
            let mut sent = pin!(self.connection.publish(subject.clone(), piece.into()));
            // A slow connection takes its time.
            loop {
                match self
                    .runtime
                    .block_on(async { tokio::time::timeout(SEND_CHECK_INTERVAL, &mut sent).await })
                {
                    Ok(Ok(())) => break,
                    Ok(Err(_)) => return,
                    Err(_) if self.gives_up() => return,
                    Err(_) => {}
                }
            }
        }
    }

    /// Whether a message that cannot be sent at once is given up: it is sent again when the connection is
    /// back.
    fn gives_up(&self) -> bool {
        self.shared.is_stopped.load(Ordering::Relaxed)
            || self.connection.connection_state() != State::Connected
    }
}
