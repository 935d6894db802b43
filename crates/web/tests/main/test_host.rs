//! A host for tests, with a simulated clock and a method for each common request. A *unit* is one training
//! iteration, a *step* its smallest interruptible piece, and a *slice* some milliseconds of work between two
//! messages.

use learnery_web::host::Host;
use learnery_web::protocol::{Columns, Progress, Reply, Request};
use serde_bytes::ByteBuf;
use serde_json::{Map, Value, json};

/// A host with a simulated clock, in milliseconds. During a slice it advances by 0.01 ms each time the host
/// reads it.
pub struct TestHost {
    pub inner: Host,
    pub now: f64,
}

impl TestHost {
    pub fn empty() -> Self {
        learnery_web::labs::register(learnery_labs::LABS);
        Self { inner: Host::default(), now: 1000.0 }
    }

    /// With an open run, small enough for a test.
    pub fn open() -> Self {
        let mut host = Self::empty();
        host.start(small());
        host
    }

    pub fn start(&mut self, settings: Value) -> Option<Reply> {
        self.handle(Request::Start { lab: "control".into(), settings: table(settings), seed: 7 })
    }

    pub fn handle(&mut self, request: Request) -> Option<Reply> {
        let id = 0; // these tests do not look at it
        self.inner.handle(id, request, self.now)
    }

    /// The next message that is due, without the number of its request.
    pub fn take_reply(&mut self) -> Option<Reply> {
        self.inner.take_message(self.now).map(|message| message.reply)
    }

    /// Takes all messages that are due. Returns for each the number of the request that it answers; `None` if
    /// nobody asked.
    pub fn take_ids(&mut self) -> Vec<Option<u32>> {
        std::iter::from_fn(|| self.inner.take_message(self.now).map(|message| message.id)).collect()
    }

    pub fn do_step(&mut self) {
        self.handle(Request::Step { unit: false });
    }

    /// Does steps until the unit is finished.
    pub fn finish_unit(&mut self) {
        self.handle(Request::Step { unit: true });
        self.finish_work();
    }

    /// Runs slices until what was asked for is done. The session must be paused.
    pub fn finish_work(&mut self) {
        while self.inner.has_work() {
            self.slice(10.0);
        }
    }

    /// Lets the session run: in slow motion at this rate, or with `None` at full speed.
    pub fn run(&mut self, steps_per_second: Option<f64>) {
        self.handle(Request::Run { steps_per_second });
    }

    pub fn slice(&mut self, milliseconds: f64) {
        let now = &mut self.now;
        self.inner.slice(milliseconds, &mut || {
            *now += 0.01;
            *now
        });
    }

    pub fn progress(&mut self) -> (Progress, Columns) {
        read(self.inner.take_progress())
    }

    /// Saves the run. Returns the number of completed units and the file.
    pub fn save_run(&mut self) -> (u64, ByteBuf) {
        self.save(false)
    }

    /// Saves the network alone.
    pub fn save_network(&mut self) -> (u64, ByteBuf) {
        self.save(true)
    }

    pub fn save(&mut self, network_only: bool) -> (u64, ByteBuf) {
        let request = save_request(network_only, false);
        // In the middle of a unit the answer comes after its end.
        let reply = self.handle(request).or_else(|| {
            self.finish_work();
            self.take_reply()
        });
        match reply {
            Some(Reply::Saved { units, bytes, .. }) => (units, bytes),
            other => panic!("{other:?}"),
        }
    }

    /// The error message for a request that must be refused.
    pub fn refusal(&mut self, request: Request) -> String {
        match self.handle(request) {
            Some(Reply::Refused { message, .. }) => message,
            other => panic!("not refused: {other:?}"),
        }
    }
}

pub fn read(reply: Reply) -> (Progress, Columns) {
    match reply {
        Reply::Progress { progress, metrics } => (progress, metrics),
        other => panic!("{other:?}"),
    }
}

pub fn table(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("a table")
}

/// Settings of the control lab with which a unit takes milliseconds.
pub fn small() -> Value {
    json!({"worlds": 16, "horizon": 16, "epochs": 2, "minibatches": 2, "eval_episodes": 2})
}

/// A request to save at the end of the unit in progress. With `wait` that ends when it does by training;
/// otherwise it is finished at once.
pub fn save_request(network_only: bool, wait: bool) -> Request {
    Request::Save { network_only, wait, fingerprint: false, recipe: None }
}
