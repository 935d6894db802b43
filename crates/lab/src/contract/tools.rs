//! A lab's tools: their texts are complete; an answer depends on nothing but the network and the input, however
//! the work is sliced; asking and cancelling change no bit of the run that a network is from; bad inputs and
//! bad sources are refused.

use serde_json::{Value, json};

use super::bad_input::check_bad_values;
use super::{Case, UNITS, Uninterrupted, expect_rejection};
use crate::{AnyJob, AnyOutput, Budget, Checkpoint, LabError, ToolEntry, ToolStatus};

/// A tool must answer the input of the case within so many steps.
const MAX_STEPS: u64 = 100_000;

/// What a tool said: its events and its output, as JSON.
#[derive(Debug, PartialEq)]
struct Answer {
    events: Vec<String>,
    output: String,
}

impl Case {
    /// The input with which the tool is tested, which must be short to answer, and the content of the file
    /// that it names.
    fn asked(&self, tool: &ToolEntry) -> (&Value, Option<Vec<u8>>) {
        let id = tool.about.id;
        let (_, input, file) =
            self.tools.iter().find(|(name, ..)| *name == id).unwrap_or_else(|| {
                panic!("the case has no input for the tool `{id}`; see `Case::with_tool`")
            });
        (input, file.clone())
    }

    fn begin(&self, tool: &ToolEntry, source: &Checkpoint) -> Box<dyn AnyJob> {
        let (input, file) = self.asked(tool);
        tool.begin(source, input, file).unwrap_or_else(|e| panic!("`{}`: {e}", tool.about.id))
    }
}

fn to_json(value: &AnyOutput) -> String {
    serde_json::to_string(value).expect("events and outputs are plain data")
}

/// Runs a job to its end, with at most `budget` steps for each call of `advance`.
fn answer(job: &mut dyn AnyJob, budget: u64) -> Result<Answer, LabError> {
    let (mut events, mut steps) = (Vec::new(), 0);
    loop {
        let mut steps_left = Budget::steps(budget.min(MAX_STEPS));
        let status = job.advance(&mut steps_left, &mut |event| events.push(to_json(&event)))?;
        let progress = job.progress();
        assert!((0.0..=1.0).contains(&progress.share), "a share of {}", progress.share);
        steps += steps_left.used();
        assert!(steps <= MAX_STEPS, "it does not end within {MAX_STEPS} steps");
        match status {
            ToolStatus::Done(output) => return Ok(Answer { events, output: to_json(&output) }),
            ToolStatus::Ready => assert!(steps_left.used() > 0, "no step was done"),
            ToolStatus::Waiting => panic!("a tool on the CPU waits"),
        }
    }
}

/// What the checks of a tool share.
struct Check<'a> {
    case: &'a Case,
    tool: &'a ToolEntry,
    /// The checkpoint of the run of the case after one unit, written and read back.
    source: &'a Checkpoint,
    /// The answer with that network and the input of the case, by a single call of `advance`.
    expected: Answer,
}

/// Runs the checks with every tool of the lab. `run` is one beside which no tool ran.
pub(super) fn tools_keep_the_contract(case: &Case, run: &Uninterrupted) {
    let source = run.after(1);
    let (mut ids, mut checks) = (Vec::new(), Vec::new());
    for tool in case.entry.tools {
        assert!(!ids.contains(&tool.about.id), "two tools are called `{}`", tool.about.id);
        ids.push(tool.about.id);
        texts_are_complete(tool);
        let expected =
            answer(&mut *case.begin(tool, &source), u64::MAX).expect("the input of the case is good");
        let check = Check { case, tool, source: &source, expected };
        check.slices_change_no_answer();
        check.cancel_leaves_nothing();
        check.bad_inputs_are_refused();
        check.bad_sources_are_refused_or_answered();
        checks.push(check);
    }
    tools_leave_a_run_alone(case, &checks, run);
    for (id, ..) in &case.tools {
        assert!(ids.contains(id), "the case has an input for `{id}`, which is no tool of the lab");
    }
    expect_rejection(ToolEntry::find(case.entry.tools, "no such tool"), "an unknown tool");
}

/// Tools that work beside a run, one step of each after one of the run, have the answers of the checkpoint of
/// its unit, and the run has the bits of one that nobody asked. That the jobs which were dropped before leave
/// nothing behind shows here too.
fn tools_leave_a_run_alone(case: &Case, checks: &[Check], run: &Uninterrupted) {
    let mut session = case.start();
    session.advance(&mut Budget::steps(1));
    // Finishes the unit, as a save does.
    let network = session.try_network().expect("a run on the CPU has its network");
    let begun = |check| (check, Check::begin(check, &network), Vec::new());
    let mut at_work: Vec<_> = checks.iter().map(begun).collect();
    while !at_work.is_empty() || session.units() < UNITS {
        if session.units() < UNITS {
            session.advance(&mut Budget::steps(1));
        }
        at_work.retain_mut(|(check, job, events)| {
            let status = job.advance(&mut Budget::steps(1), &mut |event| events.push(to_json(&event)));
            let ToolStatus::Done(output) = status.expect("it was answered before") else { return true };
            let answer = Answer { events: std::mem::take(events), output: to_json(&output) };
            assert_eq!(answer, check.expected, "{}: beside a run", check.tool.about.id);
            false
        });
    }
    assert!(session.save().to_bytes() == run.last(), "the tools changed the run");
}

fn texts_are_complete(tool: &ToolEntry) {
    let about = tool.about;
    assert!(about.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}: not an id", about.id);
    let is_sentence = about.help.ends_with('.') && !about.help.contains('\n');
    assert!(is_sentence, "{}: its help is not one sentence", about.id);
    assert!(!about.title.is_empty() && !about.counts.is_empty(), "{}: a text is missing", about.id);
    assert_eq!((tool.schema)().to_file(), tool.input, "run `cargo xtask bindings` and commit its file");
    let files = (tool.schema)().fields().iter().filter(|field| field.kind.known_names().is_some()).count();
    assert!(files <= 1, "{}: {files} files; a request has the content of one", about.id);
}

impl Check<'_> {
    /// A new job of the tool with the input of the case.
    fn begin(&self, source: &Checkpoint) -> Box<dyn AnyJob> {
        self.case.begin(self.tool, source)
    }

    /// Budgets of any size, any number of threads, the whole checkpoint or only its network: the same answer.
    /// [`tools_leave_a_run_alone`] has budgets of one step.
    fn slices_change_no_answer(&self) {
        let Self { tool, source, expected, .. } = self;
        for (threads, budget) in [(1, u64::MAX), (3, 3)] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
            let answered = pool.install(|| {
                let mut job = self.begin(&source.network_only());
                assert_eq!(job.units(), 1, "{}: the unit of the network", tool.about.id);
                answer(&mut *job, budget)
            });
            let what = format!("{}: a network alone, {threads} threads, budgets of {budget}", tool.about.id);
            assert_eq!(answered.expect("it was answered before"), *expected, "{what}");
        }
    }

    /// A job that is dropped before its end does not change the partial output of the next one.
    fn cancel_leaves_nothing(&self) {
        let id = self.tool.about.id;
        let state_after = |steps: u64| {
            let mut job = self.begin(self.source);
            let status = job.advance(&mut Budget::steps(steps), &mut |_| {}).expect("it was answered before");
            (job.partial().map(|output| to_json(&output)), matches!(status, ToolStatus::Done(_)))
        };
        for steps in [0, 1, 2, 5] {
            let (partial, is_done) = state_after(steps);
            if is_done {
                break;
            }
            assert_eq!(state_after(steps), (partial, is_done), "{id} after {steps} steps");
        }
    }

    /// Unknown fields, wrong types and values out of range are refused in a sentence that names the field.
    fn bad_inputs_are_refused(&self) {
        let Self { tool, source, .. } = self;
        let refused = |input: &Value, file: Option<Vec<u8>>| {
            expect_rejection(tool.begin(source, input, file), &format!("{}: {input}", tool.about.id))
        };
        let rejected = |field: &str, value: Value| {
            let sentence = refused(&json!({ field: value }), None);
            assert!(sentence.contains(field), "the error does not contain `{field}`: {sentence}");
            sentence
        };
        rejected("no_such_input", json!(1));
        check_bad_values((tool.schema)().fields(), &rejected);
        refused(&json!(["not", "a", "table"]), None);
        refused(&json!({}), Some(b"a file that nothing names".to_vec()));
        if let Some(field) = (tool.schema)().fields().iter().find(|field| field.kind.known_names().is_some())
        {
            rejected(&field.name, json!("named-but-missing"));
        }
    }

    /// The network of another lab and a file without one are refused. A network of NaN, or with a part missing,
    /// is refused or answered.
    fn bad_sources_are_refused_or_answered(&self) {
        let tool = self.tool;
        let source = self.source.network_only();
        let (input, file) = self.case.asked(tool);
        let mut foreign = source.clone();
        foreign.header.lab = "nowhere".into();
        expect_rejection(tool.begin(&foreign, input, file.clone()), "the network of another lab");
        let mut empty = source.clone();
        empty.tensors = learnery_nn::Tensors::new();
        expect_rejection(tool.begin(&empty, input, file.clone()), "a file without a network");
        let mut hostile = source.clone();
        for (name, tensor) in source.tensors.iter().filter(|(_, tensor)| tensor.type_name() == "F32") {
            hostile.tensors.insert_bytes(name, tensor, vec![0xff; tensor.bytes().len()]);
        }
        let mut damaged = vec![hostile];
        for (missing, _) in source.tensors.iter() {
            let mut tensors = learnery_nn::Tensors::new();
            for (name, tensor) in source.tensors.iter().filter(|(name, _)| *name != missing) {
                tensors.insert_bytes(name, tensor, tensor.bytes().to_vec());
            }
            damaged.push(Checkpoint { header: source.header.clone(), tensors });
        }
        for changed in damaged {
            match tool.begin(&changed, input, file.clone()) {
                Ok(mut job) => drop(answer(&mut *job, u64::MAX)),
                Err(error) => drop(expect_rejection::<()>(Err(error), "a damaged network")),
            }
        }
    }
}
