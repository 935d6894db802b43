//! Inputs that the tools refuse although their schemas allow them.

use learnery_cube::{Cube, Eval, EvalInput};
use learnery_lab::{Entry, LabError, Session, Source, Tool};
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
