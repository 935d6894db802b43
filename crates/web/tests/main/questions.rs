//! Tests the questions of the page to a lab's tools, with a simulated clock: they are answered beside
//! training and while it is paused, can be cancelled, and change no bit of the run.

use learnery_lab::{Budget, Checkpoint, ToolEntry, ToolStatus};
use learnery_web::host::Host;
use learnery_web::protocol::{Reply, Request};
use learnery_web::questions::TOOL_SHARE;
use serde_json::{Value, json};

/// A host with a run of the language lab that is so small that a unit takes milliseconds. Its clock advances
/// by 0.01 ms each time the host reads it.
struct Page {
    host: Host,
    now: f64,
}

impl Page {
    fn empty() -> Self {
        learnery_web::labs::register(learnery_labs::LABS);
        learnery_web::labs::register_answerer(learnery_web::questions::by_tools);
        Self { host: Host::default(), now: 1000.0 }
    }

    fn open() -> Self {
        let mut page = Self::empty();
        page.start();
        page
    }

    fn start(&mut self) {
        let settings = json!({
            "width": 8, "layers": 1, "heads": 2, "batch": 4, "updates": 2, "judge_every": 0, "source": "stories"
        });
        let settings = settings.as_object().cloned().expect("a table");
        let opened = self.send(Request::Start { lab: "language".into(), settings, seed: 7 });
        assert!(matches!(opened, Some(Reply::Opened { .. })), "{opened:?}");
    }

    fn send(&mut self, request: Request) -> Option<Reply> {
        self.host.handle(0, request, self.now)
    }

    fn ask(&mut self, id: u32, tool: &str, input: Value) {
        let input = input.as_object().cloned().expect("a table");
        assert_eq!(self.send(Request::Ask { id, tool: tool.into(), input, bytes: None, priority: 0 }), None);
    }

    fn slice(&mut self, milliseconds: f64) {
        let now = &mut self.now;
        self.host.slice(milliseconds, &mut || {
            *now += 0.01;
            *now
        });
    }

    /// The parts of answers that are due, as the page receives them.
    fn answers(&mut self) -> Vec<Value> {
        let to_json = |answer| serde_json::to_value(&answer).expect("plain data");
        std::iter::from_fn(|| self.host.take_answer().map(to_json)).collect()
    }

    /// Runs slices until the question is answered. Returns all parts of answers that came.
    fn await_answer(&mut self, id: u32) -> Vec<Value> {
        let mut parts = Vec::new();
        for _ in 0..100_000 {
            parts.extend(self.answers());
            let is_last = |answer: &Value| {
                answer["id"] == id && (is_kind(answer, "output") || is_kind(answer, "refused"))
            };
            if parts.iter().any(is_last) {
                return parts;
            }
            self.slice(0.1);
        }
        panic!("no answer to {id}");
    }

    fn units(&mut self) -> u64 {
        match self.host.take_progress() {
            Reply::Progress { progress, .. } => progress.units,
            other => panic!("{other:?}"),
        }
    }

    fn checkpoint(&mut self) -> Vec<u8> {
        let request = Request::Save { network_only: false, wait: false, fingerprint: false, recipe: None };
        // In the middle of a unit the answer comes after its end.
        let mut reply = self.send(request);
        while reply.is_none() {
            self.slice(0.1);
            reply = self
                .host
                .take_message(self.now)
                .map(|message| message.reply)
                .filter(|reply| matches!(reply, Reply::Saved { .. }));
        }
        match reply {
            Some(Reply::Saved { bytes, .. }) => bytes.into_vec(),
            other => panic!("{other:?}"),
        }
    }
}

fn is_kind(answer: &Value, kind: &str) -> bool {
    answer["type"] == "answer" && answer["part"]["kind"] == kind
}

/// The output among the parts, and whether it is partial.
fn output(parts: &[Value]) -> (Value, bool) {
    let last = parts.last().expect("an answer");
    assert!(is_kind(last, "output"), "{last}");
    (last["part"]["output"].clone(), last["part"]["partial"] == true)
}

fn units_of_network(parts: &[Value]) -> Option<u64> {
    parts.iter().find(|part| is_kind(part, "begun")).and_then(|begun| begun["part"]["units"].as_u64())
}

/// Why a question was refused, and the field that is wrong.
fn refusal(parts: &[Value]) -> (String, Option<String>) {
    let last = parts.last().expect("an answer");
    assert!(is_kind(last, "refused"), "{last}");
    let text = |name: &str| last["part"][name].as_str().map(str::to_owned);
    (text("message").expect("a message"), text("field"))
}

/// What the tool says of a checkpoint.
fn answer_of_file(file: &[u8], tool: &str, input: &Value) -> Value {
    let checkpoint = Checkpoint::from_bytes(file).expect("our own file");
    let entry = learnery_labs::find(&checkpoint.header.lab).expect("a lab");
    let tool = ToolEntry::find(entry.tools, tool).expect("a tool of the lab");
    let mut job = tool.begin(&checkpoint, input, None).expect("a good input");
    match job.advance(&mut Budget::unlimited(), &mut |_| {}).expect("an answer") {
        ToolStatus::Done(output) => serde_json::to_value(&output).expect("plain data"),
        _ => panic!("it is not done"),
    }
}

#[test]
fn question_is_answered_while_the_run_is_paused() {
    let mut page = Page::open();
    page.send(Request::Step { unit: true });
    while page.host.has_work() {
        page.slice(10.0);
    }
    let input = json!({"tokens": 30, "seed": 5});
    page.ask(1, "sample", input.clone());
    let parts = page.await_answer(1);
    assert_eq!(units_of_network(&parts), Some(1));
    let events = parts.iter().filter(|part| is_kind(part, "event")).count();
    assert_eq!(events, 30, "one event for each token");
    assert!(parts.iter().any(|part| is_kind(part, "progress")));
    assert_eq!(output(&parts), (answer_of_file(&page.checkpoint(), "sample", &input), false));
    assert_eq!(page.units(), 1);
    assert!(!page.host.has_work());
}

#[test]
fn unit_in_progress_is_finished_before_a_question() {
    let mut page = Page::open();
    page.send(Request::Step { unit: false });
    page.ask(1, "sample", json!({"tokens": 2}));
    let parts = page.await_answer(1);
    assert_eq!((units_of_network(&parts), page.units()), (Some(1), 1));
}

#[test]
fn questions_and_training_go_on_beside_each_other() {
    let mut page = Page::open();
    page.send(Request::Run { steps_per_second: None });
    page.ask(1, "sample", json!({"tokens": 400}));
    page.ask(2, "sample", json!({"tokens": 50}));
    let parts = page.await_answer(2);
    assert!(page.units() > 0, "training goes on");
    assert!(parts.iter().any(|part| part["id"] == 1), "both have their turns");
    page.await_answer(1);
    page.send(Request::Pause);
    let file = page.checkpoint();
    let units = page.units();
    let mut alone = Page::open();
    for _ in 0..units {
        alone.send(Request::Step { unit: true });
        while alone.host.has_work() {
            alone.slice(0.1);
        }
    }
    assert!(alone.units() == units && alone.checkpoint() == file, "the questions changed the run");
}

/// A tool has the stated share of a slice while the run trains, and all of it while the run is paused. Each
/// step makes a token, and the clock advances with each step.
#[test]
fn tools_have_their_share_of_a_slice() {
    let tokens_of_a_slice = |trains: bool| {
        let mut page = Page::open();
        if trains {
            page.send(Request::Run { steps_per_second: None });
        }
        page.ask(1, "sample", json!({"tokens": 100_000}));
        while !page.answers().iter().any(|part| is_kind(part, "begun")) {
            page.slice(0.1);
        }
        page.slice(10.0);
        page.answers().iter().filter(|part| is_kind(part, "event")).count() as f64
    };
    let (alone, beside) = (tokens_of_a_slice(false), tokens_of_a_slice(true));
    assert!(alone > 500.0, "{alone} tokens in a slice of a thousand readings of the clock");
    assert!((beside / alone - TOOL_SHARE).abs() < 0.02, "{beside} tokens beside training, {alone} alone");
}

#[test]
fn cancelled_question_has_a_partial_answer() {
    let mut page = Page::open();
    page.ask(4, "sample", json!({"tokens": 100_000}));
    while page.answers().is_empty() {
        page.slice(0.1);
    }
    page.slice(1.0);
    page.send(Request::Cancel { id: 4 });
    let parts = page.answers();
    let (text, is_partial) = output(&parts);
    assert!(is_partial && text["texts"][0]["tokens"].as_u64() < Some(100_000), "{text}");
    assert!(!page.host.has_work());
    for id in [4, 5] {
        page.send(Request::Cancel { id });
        assert!(page.answers().is_empty(), "nothing is left to cancel");
    }
    // One that waits for the end of the unit.
    page.send(Request::Step { unit: false });
    page.ask(6, "sample", json!({"tokens": 3}));
    page.send(Request::Cancel { id: 6 });
    assert_eq!(output(&page.answers()), (Value::Null, true));
}

#[test]
fn bad_questions_are_refused() {
    let mut page = Page::empty();
    page.ask(1, "sample", json!({}));
    assert_eq!(refusal(&page.answers()), ("no run is open".into(), None));
    page.start();
    page.ask(2, "solve", json!({}));
    let (message, field) = refusal(&page.await_answer(2));
    assert!(message.contains("`solve`") && message.contains("sample") && field.is_none(), "{message}");
    page.ask(3, "sample", json!({"tokens": 0}));
    let (message, field) = refusal(&page.await_answer(3));
    assert!(message.contains("from 1 to") && field.as_deref() == Some("tokens"), "{message}");
    page.ask(4, "sample", json!({"token": 1}));
    let (message, field) = refusal(&page.await_answer(4));
    assert!(message.contains("did you mean `tokens`?") && field.as_deref() == Some("token"), "{message}");
}

#[test]
fn question_outlives_its_run() {
    let mut page = Page::open();
    let input = json!({"tokens": 200});
    let wanted = answer_of_file(&page.checkpoint(), "sample", &input);
    page.ask(1, "sample", input);
    page.slice(0.1);
    page.start();
    assert_eq!(output(&page.await_answer(1)), (wanted, false));
}
