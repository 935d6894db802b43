//! Tests the host of a lab's tools, which has no session: it answers as a tool that works alone, takes another
//! network, ends a question early, and refuses in words.

use learnery_lab::{Budget, Checkpoint, Lab, Session, ToolEntry, ToolStatus};
use learnery_labs::backgammon::Backgammon;
use learnery_web::labs::register_tools_alone;
use learnery_web::protocol::ToolsRequest;
use learnery_web::tools_host::ToolsHost;
use serde_bytes::ByteBuf;
use serde_json::{Value, json};

const MATCH: &str = "\
 3 point match

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Takes
  3) 43: 24/20 13/10             31: 8/5 6/5
";
/// The position at the start of a game.
const START: &str = "4HPwATDgc/ABMA";
/// The same with a roll.
const START_ROLLED: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

/// The network of a small run with this seed, as a file.
fn network(seed: u32) -> Vec<u8> {
    let entry = learnery_labs::find("backgammon").expect("the lab");
    let settings = json!({ "hidden": 16, "second": 8, "race": 8, "games": 8, "replay": 8 });
    let mut session = Session::start(*entry, &settings, seed).expect("a run");
    session.try_network().expect("its network").to_bytes()
}

/// A host and the time on its clock, which advances by 0.01 ms each time the host reads it.
struct Page(ToolsHost, f64);

impl Page {
    fn new(network: Vec<u8>) -> Self {
        register_tools_alone(Backgammon::TOOLS);
        let mut page = Self(ToolsHost::default(), 1000.0);
        page.give(network);
        page
    }

    fn give(&mut self, network: Vec<u8>) {
        self.0.handle(ToolsRequest::Source { bytes: ByteBuf::from(network) });
    }

    fn ask(&mut self, id: u32, tool: &str, input: &Value, bytes: Option<&str>) {
        self.ask_at(0, id, tool, input, bytes);
    }

    /// Asks with a priority.
    fn ask_at(&mut self, priority: i8, id: u32, tool: &str, input: &Value, bytes: Option<&str>) {
        let input = input.as_object().cloned().expect("a table");
        let bytes = bytes.map(|text| ByteBuf::from(text.as_bytes()));
        self.0.handle(ToolsRequest::Ask { id, tool: tool.into(), input, bytes, priority });
    }

    fn slice(&mut self) {
        let now = &mut self.1;
        self.0.slice(0.02, &mut || {
            *now += 0.01;
            *now
        });
    }

    /// The parts of all answers, once every question is answered.
    fn answers(&mut self) -> Vec<Value> {
        while self.0.has_work() {
            self.slice();
        }
        self.sent()
    }

    /// The parts of answers that are due.
    fn sent(&mut self) -> Vec<Value> {
        let to_json = |answer| serde_json::to_value(&answer).expect("plain data");
        std::iter::from_fn(|| self.0.take_answer().map(to_json)).collect()
    }
}

/// The answer of a tool that works alone.
fn alone(network: &[u8], tool: &str, input: &Value, bytes: Option<&str>) -> Value {
    let source = Checkpoint::from_bytes(network).expect("a network");
    let bytes = bytes.map(|text| text.as_bytes().to_vec());
    let tool = ToolEntry::find(Backgammon::TOOLS, tool).expect("the tool");
    let mut job = tool.begin(&source, input, bytes).expect("a job");
    match job.advance(&mut Budget::unlimited(), &mut |_| {}).expect("an answer") {
        ToolStatus::Done(output) => serde_json::to_value(&output).expect("plain data"),
        ToolStatus::Ready | ToolStatus::Waiting => panic!("it is done"),
    }
}

/// The last part of the answer to a question.
fn output(parts: &[Value], id: u32) -> &Value {
    let of_id = |part: &&Value| part["id"] == id && part["part"]["kind"] == "output";
    &parts.iter().find(of_id).expect("an output")["part"]
}

#[test]
fn answers_are_those_of_the_tool_alone_for_each_network() {
    let [first, second] = [1, 2].map(network);
    let input = json!({ "file": "match.mat", "plies": 1 });
    let mut page = Page::new(first.clone());
    page.ask(1, "analyse", &input, Some(MATCH));
    page.give(second.clone());
    page.ask(2, "analyse", &input, Some(MATCH));
    let parts = page.answers();
    for (id, network) in [(1, &first), (2, &second)] {
        let answer = output(&parts, id);
        assert_eq!(answer["partial"], false);
        assert_eq!(answer["output"], alone(network, "analyse", &input, Some(MATCH)));
    }
    let count = |kind: &str| parts.iter().filter(|part| part["part"]["kind"] == kind).count();
    assert_eq!((count("begun"), count("output")), (2, 2));
    let decisions = output(&parts, 1)["output"]["decisions"].as_u64().expect("a count");
    assert_eq!(count("event") as u64, 2 * decisions, "each decision is told");
}

/// A rollout of several steps.
fn rollout() -> Value {
    json!({ "position": START, "games": 400, "truncate": 2 })
}

/// The ids of the questions whose parts these are. One that is repeated stands once.
fn turns(parts: &[Value]) -> Vec<u64> {
    let mut ids: Vec<u64> = parts.iter().filter_map(|part| part["id"].as_u64()).collect();
    ids.dedup();
    ids
}

#[test]
fn urgent_questions_do_not_wait_for_long_ones_and_take_turns() {
    let network = network(1);
    let mut page = Page::new(network.clone());
    page.ask(1, "rollout", &rollout(), None);
    for _ in 0..3 {
        page.slice();
    }
    let begun = page.sent();
    assert!(begun.len() > 1 && page.0.has_work(), "it is under way");
    let analysis = json!({ "file": "match.mat", "plies": 1 });
    page.ask_at(-1, 2, "analyse", &analysis, Some(MATCH));
    page.ask_at(1, 3, "rollout", &rollout(), None);
    page.ask_at(1, 4, "rollout", &rollout(), None);
    page.ask_at(2, 5, "plays", &json!({ "position": START_ROLLED, "plies": 1 }), None);
    page.sent();
    let parts = page.answers();
    let turns = turns(&parts);
    assert_eq!(turns[..5], [5, 3, 4, 3, 4], "{turns:?}");
    assert_eq!(turns[turns.len() - 2..], [1, 2], "{turns:?}");
    let ends = |part: &&Value| part["part"]["kind"] == "output";
    let ended: Vec<u64> = parts.iter().filter(ends).filter_map(|part| part["id"].as_u64()).collect();
    assert_eq!(ended, [5, 3, 4, 1, 2]);
    // Being put off changes no answer.
    let wanted = alone(&network, "rollout", &rollout(), None);
    for id in [1, 3, 4] {
        assert_eq!(output(&parts, id)["output"], wanted);
    }
    assert_eq!(output(&parts, 2)["output"], alone(&network, "analyse", &analysis, Some(MATCH)));
}

#[test]
fn question_that_is_put_off_can_be_cancelled() {
    let mut page = Page::new(network(1));
    page.ask(1, "rollout", &rollout(), None);
    page.slice();
    page.ask_at(1, 2, "rollout", &rollout(), None);
    page.slice();
    page.0.handle(ToolsRequest::Cancel { id: 1 });
    let parts = page.answers();
    assert_eq!(output(&parts, 1)["partial"], true);
    assert!(output(&parts, 1)["output"]["rollout"].is_object());
    assert_eq!(output(&parts, 2)["partial"], false);
}

#[test]
fn priority_may_be_left_out_and_is_a_small_number() {
    let read = |priority: Value| {
        let mut request = json!({ "type": "ask", "id": 1, "tool": "eval", "input": {} });
        if !priority.is_null() {
            request["priority"] = priority;
        }
        learnery_lab::from_tagged::<ToolsRequest>(request)
    };
    for (given, wanted) in [(Value::Null, 0), (json!(3), 3), (json!(-3), -3)] {
        assert!(matches!(read(given), Ok(ToolsRequest::Ask { priority, .. }) if priority == wanted));
    }
    for refused in [json!(1000), json!(0.5), json!("high")] {
        assert!(read(refused).is_err());
    }
}

#[test]
fn cancelled_question_ends_with_what_is_known() {
    let mut page = Page::new(network(1));
    page.ask(1, "rollout", &json!({ "position": START, "games": 1_000_000 }), None);
    page.slice();
    page.0.handle(ToolsRequest::Cancel { id: 1 });
    page.0.handle(ToolsRequest::Cancel { id: 7 }); // nobody has asked it
    assert!(!page.0.has_work());
    let parts = page.answers();
    assert_eq!(output(&parts, 1)["partial"], true);
    assert!(output(&parts, 1)["output"]["rollout"].is_object());
}

#[test]
fn what_cannot_be_answered_is_refused_in_words() {
    let mut page = Page::new(network(1));
    page.ask(1, "eval", &json!({ "position": "nonsense" }), None);
    page.ask(2, "juggle", &json!({}), None);
    page.ask(3, "analyse", &json!({ "file": "match.mat", "plies": 9 }), Some(MATCH));
    page.give(b"no checkpoint".to_vec());
    page.ask(4, "eval", &json!({ "position": START }), None);
    let refusals = page.answers();
    let wanted = [(1, "position"), (2, "this lab has eval"), (3, "plies"), (4, "checkpoint")];
    assert_eq!(refusals.len(), wanted.len());
    for (refusal, (id, words)) in refusals.iter().zip(wanted) {
        let message = refusal["part"]["message"].as_str().expect("a refusal");
        assert!(refusal["id"] == id && message.contains(words), "{id}: {message}");
    }
}
