//! Inputs that the tools refuse although their schemas allow them, and what a cancelled evaluation knows.

use learnery_cube::{Cube, Eval, EvalInput};
use learnery_lab::{Budget, Entry, EvalRequest, LabError, Report, Session, Source, Tool, ToolStatus};
use serde_json::json;

/// Asks the tool `eval` about an untrained network.
fn eval(puzzle: &str, input: EvalInput) -> Result<Eval, LabError> {
    let settings = json!({ "puzzle": puzzle, "hidden_1": 4, "hidden_2": 0 });
    let mut session = Session::start(Entry::of::<Cube>(), &settings, 1).expect("the settings are good");
    Eval::begin(Source::of(&session.save()).expect("its own checkpoint"), input, None)
}

/// Without a beam nothing is searched from random states of the 2x2x2, so their number would have no effect.
#[test]
fn sample_of_the_2x2x2_without_a_beam_is_refused() {
    let input = EvalInput { sample: 3, ..EvalInput::default() };
    let Err(error) = eval("2x2x2", input.clone()) else { panic!("it was accepted") };
    assert_eq!(
        error.to_string(),
        "input `sample`: it needs `beam`, because states of the 2x2x2 are searched from with a beam only"
    );
    assert!(eval("2x2x2", EvalInput { beam: 2, ..input.clone() }).is_ok());
    assert!(eval("3x3x3", input).is_ok());
}

/// The partial reports of an evaluation, step by step with its number of states, and its answer.
fn reports(settings: &serde_json::Value, games: u32) -> (Vec<(u64, Option<Report>)>, Report) {
    let entry = Entry::of::<Cube>();
    let source = Session::start(entry, settings, 1).expect("the settings are good").save();
    let options = json!({ "games": games, "beam": 2 }).as_object().cloned().expect("a table");
    let request = EvalRequest { options, seed: 3, named: None };
    let mut job = entry.begin_evaluation(&source, &request).expect("good options");
    let mut known = Vec::new();
    loop {
        let report = job.partial().map(|output| Report::of(output).expect("a report"));
        known.push((job.progress().count, report));
        if let ToolStatus::Done(output) = job.advance(&mut Budget::steps(1), &mut |_| {}).expect("a network")
        {
            return (known, Report::of(output).expect("a report"));
        }
    }
}

/// The searches that have ended when an evaluation of the 3x3x3 is cancelled are reported, and no others.
#[test]
fn cancelled_evaluation_of_the_3x3x3_reports_the_searches_that_have_ended() {
    let (known, answer) = reports(&json!({ "puzzle": "3x3x3", "hidden_1": 4, "hidden_2": 0 }), 3);
    let mut numbers = Vec::new();
    for (states, report) in &known {
        assert_eq!(report.is_some(), *states > 0);
        let Some(report) = report else { continue };
        assert!(report.summary.contains(&format!("of {states} random states")), "{}", report.summary);
        assert_eq!(report.figures.len(), answer.figures.len());
        numbers.push(*states);
    }
    numbers.dedup();
    assert_eq!(numbers, [1, 2]);
    assert!(answer.summary.contains("of 3 random states"), "{}", answer.summary);
}

/// The greedy policy of the 2x2x2 is reported once it is evaluated from all states, and then the searches
/// that have ended.
#[test]
fn cancelled_evaluation_of_the_2x2x2_reports_the_greedy_policy_and_the_searches_that_have_ended() {
    let (known, answer) = reports(&json!({ "puzzle": "2x2x2", "hidden_1": 4, "hidden_2": 0 }), 40_000);
    let first = known.iter().position(|(_, report)| report.is_some()).expect("it is known before the end");
    assert!(first > 2, "while the policy is evaluated nothing is known");
    let (all_states, greedy) = &known[first];
    let greedy = greedy.as_ref().expect("a report");
    assert!(*all_states == 3_674_160 && !greedy.summary.contains("random states"), "{}", greedy.summary);
    assert!(answer.summary.starts_with(&greedy.summary), "{}", answer.summary);
    assert_eq!(answer.figures[..greedy.figures.len()], greedy.figures);
    let searching: Vec<_> = known[first..].iter().filter(|(count, _)| count > all_states).collect();
    assert!(!searching.is_empty(), "the searches take several steps");
    for (count, report) in searching {
        let summary = &report.as_ref().expect("a report").summary;
        assert!(summary.ends_with(&format!("of {} random states", count - all_states)), "{summary}");
    }
    assert!(answer.summary.ends_with("of 40000 random states"), "{}", answer.summary);
}
