//! Every tool gives the answers that are recorded in `tests/golden/answers`. Here `learnery ask` gives them
//! byte for byte, in both classes of bits. So does the Python package in its tests; the page's tests compare
//! values. `LEARNERY_WRITE=1` in the environment records them anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use learnery_labs::LABS;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::common::{Finished, Sandbox};

/// A question of `questions.json`.
#[derive(Deserialize)]
struct Question {
    name: String,
    /// The path of a checkpoint from the root of the repository.
    network: String,
    tool: String,
    /// Whether the page has the tool, as [`learnery_lab::ToolAbout::in_tab`] says.
    tab: bool,
    input: Map<String, Value>,
}

/// What the command prints.
#[derive(Deserialize)]
struct Answered<'a> {
    lab: &'a str,
    tool: &'a str,
    bits: &'a str,
    partial: bool,
    #[serde(borrow)]
    answer: &'a RawValue,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn questions() -> Vec<Question> {
    let text = fs::read(root().join("tests/golden/answers/questions.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn ask(question: &Question, bits: &str) -> Finished {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command("ask");
    command.current_dir(root()).args([&question.network, &question.tool, "--bits", bits]);
    for (name, value) in &question.input {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        command.args(["--set", &format!("{name}={value}")]);
    }
    Finished::from(command.output().unwrap())
}

#[test]
fn tools_give_the_recorded_answers() {
    let mut seen = BTreeSet::new();
    for (question, bits) in
        questions().iter().flat_map(|question| ["fused", "plain"].map(|bits| (question, bits)))
    {
        let name = &question.name;
        let finished = ask(question, bits);
        assert_eq!((finished.code, finished.err.as_str()), (Some(0), ""), "{name}");
        let answered: Answered = serde_json::from_str(&finished.out).unwrap();
        assert_eq!(
            (answered.tool, answered.bits, answered.partial),
            (&*question.tool, bits, false),
            "{name}"
        );
        seen.insert((answered.lab.to_owned(), answered.tool.to_owned(), question.tab));
        let file = root().join(format!("tests/golden/answers/{bits}/{name}.json"));
        let text = format!("{}\n", answered.answer);
        if std::env::var_os("LEARNERY_WRITE").is_some() {
            fs::write(&file, &text).unwrap();
        }
        assert_eq!(text, fs::read_to_string(&file).unwrap(), "{name}, {bits}");
    }
    for entry in LABS {
        for tool in entry.tools {
            let about = tool.about;
            let has_question = seen.contains(&(entry.about.id.into(), about.id.into(), about.in_tab));
            assert!(has_question, "no question, or a wrong `tab`, for {} of {}", about.id, entry.about.id);
        }
    }
}
