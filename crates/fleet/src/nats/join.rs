//! A machine that computes for a fleet: a client on each thread, and one connection.

use std::path::PathBuf;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc as std_mpsc};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client as Connection, Subscriber};
use futures_util::StreamExt;
use learnery_lab::fleet::{Version, digest};
use learnery_lab::{About, Budget, Entry, LabError};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::mpsc;

use super::connection::{ConnectionEvent, MAX_WAITING_EVENTS, connect};
use super::problem;
use crate::client::{Client, ClientState};
use crate::message::{FromActor, Hello, ToActor};
use crate::sweep::{Computer, RunSoFar, is_order};
use crate::wire::{ActorName, Assembler, Link, Role, Subjects, Token, cut_up, read_down};

/// How long a thread computes before it looks for messages.
const SLICE_DURATION: Duration = Duration::from_millis(50);
/// The longest sleep of a thread that waits for a message.
const MAX_SLEEP: Duration = Duration::from_millis(500);
/// How long the other threads wait for a version (weights, named by their hash) that one thread fetches,
/// before they fetch it themselves.
const FETCH_TIMEOUT: Duration = Duration::from_secs(4);
/// The time between two looks whether a piece that waits to be sent can still be sent.
const SEND_CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// How long a thread that is to leave goes on computing until its run can be saved.
const STOP_GRACE: Duration = Duration::from_millis(400);
/// How long a machine that leaves waits for its threads. A thread whose step takes longer is left where it
/// is, and what it has kept in memory is sent.
const MAX_STEP_WAIT: Duration = Duration::from_millis(600);
/// How long a machine that leaves may take to send its last messages.
const LEAVE_TIMEOUT: Duration = Duration::from_millis(300);
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
    /// The machine left before.
    Left,
    /// The fleet does not want it, for this reason.
    Refused(String),
}

/// A run of a sweep that a thread had when the machine left.
#[derive(Clone, Debug)]
pub struct LeftRun {
    /// The number of the run in its sweep.
    pub index: u32,
    pub about: &'static About,
    pub seed: u32,
    /// The number of completed units (training iterations) when the machine got it.
    pub first_unit: u64,
    /// The number of completed units.
    pub completed: u64,
    /// The number of completed units in the newest checkpoint that was sent; 0 for none.
    pub kept: u64,
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
    /// Disconnected once all threads have ended.
    ended: std_mpsc::Receiver<()>,
    events: mpsc::Receiver<ConnectionEvent>,
    refused: Option<String>,
    runtime: Runtime,
    connection: Connection,
}

/// What the threads of a machine share. A lock fails only after a thread has panicked, which
/// [`Joined::leave`] reports; the others then go on without what is behind it.
struct Shared {
    is_stopped: AtomicBool,
    inboxes: Vec<std_mpsc::SyncSender<InboxItem>>,
    posts: Vec<Post>,
    seats: Vec<Mutex<Seat>>,
    /// What each thread is doing.
    doing: Mutex<Vec<ThreadProgress>>,
    /// The last request for a version.
    fetching: Mutex<Option<Fetch>>,
    /// The version that the machine has fetched last, with its file.
    fetched: Mutex<Option<(Version, Arc<Vec<u8>>)>>,
}

/// What a thread leaves to others if it is in the middle of a step when the machine leaves. Whoever sends its
/// last messages has the lock meanwhile.
#[derive(Default)]
struct Seat {
    /// Whether the last messages were sent.
    has_left: bool,
    /// How far its run of a sweep is, if it has one.
    run: Option<RunSoFar>,
}

/// What a thread is doing.
#[derive(Clone, Copy, Default)]
struct ThreadProgress {
    is_working: bool,
    /// Results that have arrived.
    accepted: u64,
}

/// A thread's request for the file of a version.
#[derive(Clone, Copy)]
struct Fetch {
    version: Version,
    /// The index of the thread.
    thread: usize,
    asked_at: Instant,
}

/// What comes to a thread.
#[derive(Clone, Debug)]
enum InboxItem {
    Message(ToActor),
    /// The connection was lost and is back.
    Restored,
}

impl Shared {
    fn send_to_all(&self, item: &InboxItem) {
        // If an inbox is full, its thread asks again.
        self.inboxes.iter().for_each(|inbox| _ = inbox.try_send(item.clone()));
    }

    /// Sends the last messages of a thread that is in the middle of a step: the checkpoint in memory, from
    /// which another can go on. Returns false if the thread has left by itself.
    fn leave_for(&self, thread: usize) -> bool {
        let mut seat = self.seats[thread].lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut seat.has_left, true) {
            return false;
        }
        let delivery = seat.run.as_ref().and_then(RunSoFar::unconfirmed_delivery);
        let last = delivery.map(FromActor::Checkpoint).into_iter().chain([FromActor::Leave]);
        last.for_each(|message| self.posts[thread].send(&message, || true));
        true
    }

    /// The runs that the threads had last. `is_sent` says whether their last messages have reached the
    /// server.
    fn left_runs(&self, is_sent: bool) -> Vec<LeftRun> {
        let left = |seat: &Mutex<Seat>| {
            let run = seat.lock().unwrap_or_else(PoisonError::into_inner).run.take()?;
            let kept = if is_sent { run.kept_unit() } else { run.host_unit };
            let RunSoFar { id, about, seed, first_unit, completed, .. } = run;
            Some(LeftRun { index: id.index, about, seed, first_unit, completed, kept })
        };
        self.seats.iter().filter_map(left).collect()
    }
}

/// Sends messages in the name of a thread.
struct Post {
    token: Token,
    /// The number of the last message.
    serial: AtomicU32,
    up_subject: String,
    result_subject: String,
    connection: Connection,
    runtime: Handle,
}

impl Post {
    fn is_connected(&self) -> bool {
        self.connection.connection_state() == State::Connected
    }

    /// Sends a message. `may_give_up` says whether that may end without success although there is a
    /// connection.
    fn send(&self, message: &FromActor, may_give_up: impl Fn() -> bool) {
        // Without a connection it would only grow old; it is sent again when the connection is back.
        if !self.is_connected() {
            return;
        }
        let subject =
            if matches!(message, FromActor::Result(_)) { &self.result_subject } else { &self.up_subject };
        let serial = self.serial.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
        for piece in cut_up(&self.token, serial, &message.to_bytes()) {
            let mut publication = pin!(self.connection.publish(subject.clone(), piece.into()));
            // A slow connection may take longer than any timeout, so only its loss ends the attempt.
            loop {
                match self
                    .runtime
                    .block_on(async { tokio::time::timeout(SEND_CHECK_INTERVAL, &mut publication).await })
                {
                    Ok(Ok(())) => break,
                    Ok(Err(_)) => return,
                    Err(_) if may_give_up() || !self.is_connected() => return,
                    Err(_) => {}
                }
            }
        }
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
        let (event_sender, events) = mpsc::channel(MAX_WAITING_EVENTS);
        let connection = runtime.block_on(connect(&link, ca, event_sender))?;
        let subjects = Subjects::new(&link.fleet);
        let names: Vec<_> = (0..threads.max(1)).map(|i| ActorName::new(&label, &token, i)).collect();
        let (inboxes, receivers): (Vec<_>, Vec<_>) =
            names.iter().map(|_| std_mpsc::sync_channel(MAX_INBOX_MESSAGES)).unzip();
        let post = |name: &ActorName| Post {
            token,
            serial: AtomicU32::new(0),
            up_subject: subjects.up(&name.to_string()),
            result_subject: subjects.result(&name.to_string()),
            connection: connection.clone(),
            runtime: runtime.handle().clone(),
        };
        let shared = Arc::new(Shared {
            is_stopped: AtomicBool::new(false),
            inboxes,
            posts: names.iter().map(post).collect(),
            seats: names.iter().map(|_| Mutex::default()).collect(),
            doing: Mutex::new(vec![ThreadProgress::default(); names.len()]),
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
        let (end_sender, ended) = std_mpsc::channel();
        let workers = names.into_iter().zip(receivers).enumerate().map(|(index, (name, inbox))| {
            let worker = Worker {
                client: Client::new(&name.to_string(), hello.clone(), Computer::new(entries)),
                index,
                started_at: Instant::now(),
                inbox,
                shared: Arc::clone(&shared),
                _ended: end_sender.clone(),
            };
            thread::spawn(move || worker.run())
        });
        let workers = workers.collect();
        Ok(Self { workers, shared, ended, events, refused: None, runtime, connection })
    }

    /// What the machine is doing. To be called often, because it also tells the threads that the connection
    /// is back.
    pub fn progress(&mut self) -> Progress {
        while let Ok(event) = self.events.try_recv() {
            match event {
                ConnectionEvent::Connected => self.shared.send_to_all(&InboxItem::Restored),
                ConnectionEvent::Refused(reason) => self.refused = Some(reason),
                // `is_connected` says so.
                ConnectionEvent::Lost => {}
            }
        }
        let doing = self.shared.doing.lock().map(|doing| doing.clone()).unwrap_or_default();
        Progress {
            working: doing.iter().filter(|thread| thread.is_working).count(),
            accepted: doing.iter().map(|thread| thread.accepted).sum(),
            is_connected: self.connection.connection_state() == State::Connected,
            refused: self.refused.clone(),
        }
    }

    /// Whether every thread has ended.
    pub fn has_ended(&self) -> bool {
        self.workers.iter().all(JoinHandle::is_finished)
    }

    /// Leaves the fleet, unless every thread has ended by itself, and says how it ended, and how far the runs
    /// of a sweep are that its threads had.
    pub fn leave(self) -> (JoinEnd, Vec<LeftRun>) {
        self.shared.is_stopped.store(true, Ordering::Relaxed);
        // Nothing is ever sent: it waits until all threads have ended.
        _ = self.ended.recv_timeout(MAX_STEP_WAIT);
        let panicked = || JoinEnd::Refused("a thread of this machine has panicked".into());
        let end = |(thread, worker): (usize, JoinHandle<JoinEnd>)| {
            if !worker.is_finished() && self.shared.leave_for(thread) {
                return JoinEnd::Left;
            }
            worker.join().unwrap_or_else(|_| panicked())
        };
        let mut ends: Vec<_> = self.workers.into_iter().enumerate().map(end).collect();
        // A timeout has to be made inside the runtime, whose clock it uses.
        let flushed = async { tokio::time::timeout(LEAVE_TIMEOUT, self.connection.flush()).await };
        // If the host hears that the threads leave, their jobs go to others at once, otherwise when their
        // leases end.
        let is_connected = self.connection.connection_state() == State::Connected;
        let is_sent = matches!(self.runtime.block_on(flushed), Ok(Ok(()))) && is_connected;
        self.runtime.shutdown_background();
        let runs = self.shared.left_runs(is_sent);
        // All threads of a machine are refused for the same reason, so one of the reasons is enough. A run
        // that is complete for one of them is complete.
        let refused = ends.iter().position(|end| matches!(end, JoinEnd::Refused(_)));
        let end = match refused {
            Some(i) => ends.swap_remove(i),
            None if ends.contains(&JoinEnd::Complete) => JoinEnd::Complete,
            None => JoinEnd::Left,
        };
        (end, runs)
    }
}

/// Passes messages on to the thread with this index, or to all. Damaged ones are dropped: whoever waits for
/// one asks again.
async fn receive(mut subscriber: Subscriber, shared: Arc<Shared>, thread: Option<usize>) {
    let mut assembler = Assembler::default();
    while let Some(message) = subscriber.next().await {
        let whole = read_down(&message.payload).ok().and_then(|piece| assembler.add(piece));
        let Some(Ok(message)) = whole.map(|whole| ToActor::from_bytes(&whole)) else { continue };
        // Weights serve all threads of the machine, but an order is a run for one of them.
        if let ToActor::Weights(version, file) = &message
            && !is_order(file)
        {
            // A damaged file is fetched again.
            if digest(file) != version.0 {
                continue;
            }
            if let Ok(mut fetched) = shared.fetched.lock() {
                *fetched = Some((*version, Arc::new(file.clone())));
            }
            // Other threads may wait for the same version; those that do not wait for it ignore the message.
            shared.send_to_all(&InboxItem::Message(message));
        } else if let Some(thread) = thread {
            _ = shared.inboxes[thread].try_send(InboxItem::Message(message));
        } else {
            shared.send_to_all(&InboxItem::Message(message));
        }
    }
}

/// A thread that computes.
struct Worker {
    client: Client<Computer>,
    index: usize,
    started_at: Instant,
    inbox: std_mpsc::Receiver<InboxItem>,
    shared: Arc<Shared>,
    /// Dropped when the thread ends.
    _ended: std_mpsc::Sender<()>,
}

impl Worker {
    fn run(mut self) -> JoinEnd {
        // A pool of this thread alone, for what a lab deals out to threads. In the pool of the whole process
        // it would wait for the work of the other threads' runs.
        let _pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        loop {
            if self.shared.is_stopped.load(Ordering::Relaxed) {
                let stopped_at = Instant::now();
                while !self.client.can_save() && stopped_at.elapsed() < STOP_GRACE {
                    self.compute();
                }
                self.leave();
                return JoinEnd::Left;
            }
            while let Ok(item) = self.inbox.try_recv() {
                self.take(item);
            }
            match self.client.state() {
                ClientState::Failed(reason) => return JoinEnd::Refused(reason.clone()),
                ClientState::Complete => {
                    // The host ends when all have left.
                    self.send(&FromActor::Leave);
                    return JoinEnd::Complete;
                }
                // There is more to do.
                _ => {}
            }
            if let Some(message) = self.client.poll(self.started_at.elapsed()) {
                self.post(message);
            }
            let is_working = self.compute();
            if let Ok(mut doing) = self.shared.doing.lock() {
                doing[self.index] = ThreadProgress { is_working, accepted: self.client.accepted() };
            }
            if !is_working {
                let sleep = self.client.due().saturating_sub(self.started_at.elapsed()).min(MAX_SLEEP);
                if let Ok(item) = self.inbox.recv_timeout(sleep) {
                    self.take(item);
                }
            }
        }
    }

    /// Computes for a slice. Returns whether there is something to compute.
    fn compute(&mut self) -> bool {
        let begin = Instant::now();
        let mut slice_is_over = || begin.elapsed() >= SLICE_DURATION;
        let now = self.started_at.elapsed();
        let is_working = self.client.work(now, &mut Budget::until(u64::MAX, &mut slice_is_over));
        self.client.keep(|| self.started_at.elapsed());
        let mut seat = self.shared.seats[self.index].lock().unwrap_or_else(PoisonError::into_inner);
        // The machine has left without this thread, and tells how far the run was then.
        if !seat.has_left {
            seat.run = self.client.so_far().cloned();
        }
        is_working
    }

    /// Sends the last messages, unless the machine has left without this thread, whose step took too long.
    fn leave(&mut self) {
        let mut seat = self.shared.seats[self.index].lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut seat.has_left, true) {
            return;
        }
        let last = self.client.leave(self.started_at.elapsed());
        last.iter().for_each(|message| self.send(message));
        seat.run = self.client.so_far().cloned();
    }

    fn take(&mut self, item: InboxItem) {
        let now = self.started_at.elapsed();
        match item {
            InboxItem::Message(message) => self.client.receive(now, message),
            InboxItem::Restored => self.client.reconnected(now),
        }
    }

    /// Sends a message, but fetches a version only once for all threads.
    fn post(&mut self, message: FromActor) {
        if let FromActor::Fetch(wanted) = message {
            let fetched = self.shared.fetched.lock().ok().and_then(|fetched| fetched.clone());
            if let Some((_, file)) = fetched.filter(|(version, _)| *version == wanted) {
                let now = self.started_at.elapsed();
                return self.client.receive(now, ToActor::Weights(wanted, file.to_vec()));
            }
            let Ok(mut fetching) = self.shared.fetching.lock() else { return };
            let is_by_another_thread = |fetch: Fetch| {
                fetch.version == wanted
                    && fetch.thread != self.index
                    && fetch.asked_at.elapsed() < FETCH_TIMEOUT
            };
            if fetching.is_some_and(is_by_another_thread) {
                return;
            }
            *fetching = Some(Fetch { version: wanted, thread: self.index, asked_at: Instant::now() });
        }
        self.send(&message);
    }

    fn send(&self, message: &FromActor) {
        // A machine that leaves waits for no slow connection.
        self.shared.posts[self.index].send(message, || self.shared.is_stopped.load(Ordering::Relaxed));
    }
}
