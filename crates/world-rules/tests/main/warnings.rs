//! Where warnings begin and end: texts just on either side of each. What the warnings look like is in
//! `tests/errors`.

use crate::support::compile;

fn assert_no_warning(text: &str) {
    let world = compile(text);
    assert!(world.warnings().is_empty(), "{:?}\n{text}", world.warnings());
}

/// The messages about a text, with their lines and columns.
fn warnings(text: &str) -> Vec<(usize, usize, String)> {
    let world = compile(text);
    let one =
        |warning: &learnery_world_rules::Diagnostic| (warning.line, warning.column, warning.message.clone());
    world.warnings().iter().map(one).collect()
}

#[test]
fn an_episode_of_one_step_may_be_rewarded_by_the_state_before_it() {
    assert_no_warning(
        "world \"Bandit\"\nstate card = floor(uniform(0, 2))\naction guess: red, black\n\
         reward if guess == card and card >= 0 then 1 else 0\nsucceed when card >= 0",
    );
}

#[test]
fn a_condition_that_may_hold_before_a_step_is_no_slip() {
    // The reward's bound is looser than that of the end.
    assert_no_warning(
        "world \"Edge\"\nstate x = 0\naction push from -1 to 1\nx' = x + push\n\
         reward if abs(x) > 2 then -1 else 1\nfail when abs(x) > 3",
    );
    // The rules may look at an end as a precaution.
    assert_no_warning(
        "world \"Careful\"\nstate x = 1\naction push from -1 to 1\nlet out = x <= 0\n\
         let force = if out then 0 else push\nx' = x + force\nreward x' - force^2\nfail when out",
    );
    // A prime looks at the state after the step.
    assert_no_warning(
        "world \"Late\"\nstate x = 1\naction push from -1 to 1\nx' = x + push\n\
         reward if x' <= 0 then 10 else -1\nsucceed when x <= 0",
    );
}

#[test]
fn a_beginning_in_the_state_of_an_end_is_rewarded_in_its_first_step() {
    let text = |begin: &str| {
        format!(
            "world \"Begin\"\nstate x = {begin}\naction push from -1 to 1\nx' = x + push\n\
             reward if x <= 0 then 10 else -1\nsucceed when x <= 0"
        )
    };
    assert_no_warning(&text("uniform(-1, 1)"));
    let found = warnings(&text("uniform(1, 2)"));
    assert!(matches!(&found[..], [(5, 11, _)]), "{found:?}");
}

/// A success and a failure, and whether the failure holds wherever the success does.
const ENDS: &[(&str, &str, bool)] = &[
    ("x < 1", "x < 2", true),
    ("x < 2", "x < 1", false),
    ("x > 1", "x >= 1", true),
    ("x >= 1", "x > 1", false),
    ("x > 1", "y > 1", false),
    ("x > 1", "x < 5", false),
    ("x == 3", "x > 2", true),
    ("x == 3", "x < 4", true),
    ("x == 3", "x < 3", false),
    ("x > 2", "x == 3", false),
    ("x >= 3", "x == 3", false),
    ("x != 3", "x == 3", false),
    // Magnitudes have bounds on both sides.
    ("x > 2", "abs(x) > 2", true),
    ("x < -3", "abs(x) > 2", true),
    ("x < -1", "abs(x) > 2", false),
    ("x < 3", "abs(x) > 2", false),
    ("abs(x) > 2", "x > 2", false),
    ("abs(x) < 1", "x < 1", true),
    ("abs(x) < 1", "x > -1", true),
    ("abs(x) < 1", "x > -0.5", false),
    ("x < 1", "abs(x) < 1", false),
    // Parts of conditions.
    ("x > 1 and y > 1", "y > 0", true),
    ("x > 1 and y > 1", "x > 1 or y > 1", true),
    ("x > 1 or y > 1", "x > 1 and y > 1", false),
    ("x > 1 or y > 1", "x > 1", false),
    ("not (x > 1 or y > 1)", "not (x > 1 and y > 1)", true),
    ("not (x > 1 and y > 1)", "not (x > 1 or y > 1)", false),
    ("not (x > 1 or y > 1)", "x < 2", true),
    // Cases that have to be put together.
    ("x < 0", "x < 0 and y < 1 or x < 0 and y >= 1", true),
    ("x < 0", "x < 0 and y < 1 or x < 0 and y > 0.5", true),
    ("x < 0", "x < 0 and y < 1 or x < 0 and y > 1.5", false),
    ("x < 0", "x < 0 and (y == 1 or y != 1)", true),
    ("x < 0", "(if y < 0 then x < 0 else x < 1)", false),
    // Comparisons of other values than a variable with a number are not understood: they hide each other only
    // if they are the same.
    ("sin(x) > 0.5", "x > 1", false),
    ("x > gain", "x > gain", true),
    ("x > gain", "x > 1", false),
];

#[test]
fn a_success_is_hidden_by_a_failure_that_holds_wherever_it_does() {
    for (success, failure, is_hidden) in ENDS {
        let text = format!(
            "world \"Ends\"\nparam gain = 1 from 0 to 2\nstate x = 0\nstate y = 0\naction push from -1 to 1\n\
             x' = x + gain * push\ny' = y - push\nreward y'\nsucceed when {success}\nfail when {failure}"
        );
        let found = warnings(&text);
        let is_found =
            matches!(&found[..], [(9, 1, message)] if message.starts_with("this success never counts"));
        assert!(if *is_hidden { is_found } else { found.is_empty() }, "{success}, {failure}: {found:?}");
    }
}

#[test]
fn a_success_that_one_of_several_failures_covers_is_hidden() {
    let found = warnings(
        "world \"Land\"\nstate h = 9\nstate v = 0\naction engine: off, on\nv' = v + engine - 0.5\nh' = h + v\n\
         let down = h <= 0\nreward v\nsucceed when down and abs(v) < 1\nfail when h > 20\nfail when down",
    );
    assert!(matches!(&found[..], [(9, 1, _)]), "{found:?}");
}

#[test]
fn large_conditions_are_judged_if_one_of_them_is_small() {
    let all = (0..900).map(|i| format!("x > {i}")).collect::<Vec<_>>();
    let text = |success: &str, failure: &str| {
        format!(
            "world \"Large\"\nstate x = 0\nstate y = 0\naction push from -1 to 1\nx' = x + push\ny' = y - push\n\
             reward y'\nsucceed when {success}\nfail when {failure}"
        )
    };
    // Both are too large to find out whether one hides the other, so nothing is said.
    assert_no_warning(&text(&all.join(" and "), &all.join(" or ").replace('x', "y")));
    let found = warnings(&text(&all.join(" and "), "x > 898"));
    assert!(matches!(&found[..], [(8, 1, _)]), "{found:?}");
}

#[test]
fn an_action_that_only_moves_the_gaze_of_the_agent_is_used() {
    assert_no_warning(
        "world \"Gaze\"\nstate card = floor(uniform(0, 2))\nstate gaze = 0\naction look from 0 to 1\n\
         action guess from 0 to 1\ngaze' = look\nreward 0 - abs(guess - card)\nlimit 9 steps\n\
         observe if gaze > 0.5 then card else 0",
    );
}

#[test]
fn what_an_episode_draws_and_what_a_parameter_says_is_worth_seeing() {
    assert_no_warning(
        "world \"Goal\"\nparam wind = 1 from 0 to 2\nstate goal = uniform(-1, 1)\nstate x = 0\nstate walls = [0, 1, 0]\n\
         action push from -1 to 1\nwalls' = [0, 1 - walls[1], 0]\nx' = x + push + wind\n\
         reward 0 - abs(x' - goal) + walls[1]\nlimit 9 steps\nobserve x, goal, wind, walls",
    );
}

#[test]
fn choices_that_differ_in_some_state_only_are_different() {
    assert_no_warning(
        "world \"Fire\"\nstate shots = 3\nstate x = 9\naction act: wait, fire\n\
         shots' = if act == fire and shots > 0 then shots - 1 else shots\n\
         x' = if act == fire and shots > 0 and chance(0.5) then x - 1 else x\nreward 0 - x'\nlimit 9 steps",
    );
}

/// A fault in the next state ends an episode, so an action that leads to one counts.
#[test]
fn an_action_that_leads_to_a_fault_counts() {
    assert_no_warning(
        "world \"Root\"\nstate x = 1\naction push from -1 to 1\nx' = sqrt(x + push)\nreward 1\nlimit 50 steps",
    );
}

/// A `let` that uses the action has no value after the step, so the help does not write it with a prime.
#[test]
fn help_writes_primes_only_where_there_is_a_value() {
    let world = compile(
        "world \"Force\"\nstate x = 1\naction push from -1 to 1\nlet force = 3 * push\nx' = x + force\n\
         reward if x <= 0 and force > 2 then 10 else -1\nsucceed when x <= 0",
    );
    let helps: Vec<&str> = world.warnings().iter().filter_map(|warning| warning.help.as_deref()).collect();
    assert_eq!(helps, ["write `x'` for a variable `x` of the state, its value after the step"]);
}

/// A world of a cart between two walls, with these lines.
fn cart(lines: &str) -> String {
    format!(
        "world \"Cart\"\nparam reach = 1 from 0.5 to 2\nstate x = 0\naction push from -1 to 1\n\
         x' = clamp(x + push, -reach, reach)\n{lines}"
    )
}

const NEVER_ENDS: &str = "an episode of this world never ends";
const NEVER_REWARDS: &str = "this world never rewards, so there is nothing to learn";
const NEVER_FAILS: &str = "this never holds, so no episode fails by it";
const NEVER_SUCCEEDS: &str = "this never holds, so no episode succeeds by it";
const NEVER_CHANGES: &str = "this never changes, so the agent learns nothing from it";

/// Lines that follow the five of [`cart`], and the warnings about them: each a line of the text and a
/// message.
const OUT_OF_REACH: &[(&str, &[(usize, &str)])] = &[
    // An end that no step leads to.
    ("reward x'\nfail when abs(x) > 2", &[(1, NEVER_ENDS), (7, NEVER_FAILS)]),
    ("reward x'\nfail when abs(x) >= 2", &[]),
    ("reward x'\nfail when abs(x) > reach", &[]),
    ("reward x'\nsucceed when x < -2.5\nlimit 9", &[(7, NEVER_SUCCEEDS)]),
    ("reward x'\nsucceed when x < -1.9\nlimit 9", &[]),
    ("reward x'\nfail when x > 3 or x < -1", &[]),
    ("reward x'\nfail when x > 3\nfail when x > 1.5", &[(7, NEVER_FAILS)]),
    ("reward x'\nfail when x == 2.5\nlimit 9", &[(7, NEVER_FAILS)]),
    ("reward x'\nlet far = 3 * x\nfail when far^2 > 36.5\nlimit 9", &[(8, NEVER_FAILS)]),
    ("reward x'\nlet far = 3 * x\nfail when far^2 > 35\nlimit 9", &[]),
    // A constant is written on purpose.
    ("reward x'\nfail when false\nlimit 9", &[]),
    // Fractions and roots may end an episode by a fault.
    ("reward 1 / x'\nfail when x > 3", &[(7, NEVER_FAILS)]),
    ("reward 1 / (x' + 5)\nfail when x > 3", &[(1, NEVER_ENDS), (7, NEVER_FAILS)]),
    ("reward sqrt(x')\nfail when x > 3", &[(7, NEVER_FAILS)]),
    // So may a variable that grows without bound.
    ("reward x'\nstate v = 0\nv' = 2 * v + push\nfail when x > 3", &[(9, NEVER_FAILS)]),
    ("reward x'\nstate v = 0\nv' = 0.5 * v + push\nfail when x > 3", &[(1, NEVER_ENDS), (9, NEVER_FAILS)]),
    // A success that never holds is not hidden by a failure, too.
    ("reward x'\nsucceed when x > 4\nfail when x > 3 or x < 0", &[(7, NEVER_SUCCEEDS)]),
    // A reward that is always zero.
    ("reward if x' > 2 then 1 else 0\nlimit 9", &[(6, NEVER_REWARDS)]),
    ("reward if x' >= 2 then 1 else 0\nlimit 9", &[]),
    ("reward max(x' - 2, 0)\nlimit 9", &[(6, NEVER_REWARDS)]),
    ("reward max(x' - 1.9, 0)\nlimit 9", &[]),
    ("reward floor(abs(x') / 3)\nlimit 9", &[(6, NEVER_REWARDS)]),
    ("reward floor(abs(x') / 2)\nlimit 9", &[]),
    ("reward sqrt(min(x' - 2, 0)) * 0\nlimit 9", &[(6, NEVER_REWARDS)]),
    // What is seen.
    ("reward x'\nobserve x, min(x, -2), max(x, 1)\nlimit 9", &[(7, NEVER_CHANGES)]),
    ("reward x'\nobserve x, min(x, -1.5), max(x, 1)\nlimit 9", &[]),
    // Others of the state, whose ranges follow from several steps.
    (
        "reward x'\nstate n = 3\nn' = if n > 0 then n - 1 else 3\nfail when n > 3.5\nlimit 9",
        &[(9, NEVER_FAILS)],
    ),
    ("reward x'\nstate n = 3\nn' = if n > 0 then n - 1 else 4\nfail when n > 3.5\nlimit 9", &[]),
    ("reward x'\nstate t = 0\nt' = t + 1\nfail when t < 0\nlimit 9", &[(9, NEVER_FAILS)]),
    ("reward x'\nstate t = 0\nt' = t + 1\nfail when t > 99", &[]),
    ("reward x'\nstate r = normal(0, 1)\nr' = normal(0, 1)\nfail when r > 4", &[]),
    ("reward x'\nstate r = chance(0.5)\nr' = chance(0)\nfail when r\nlimit 9", &[(9, NEVER_FAILS)]),
    ("reward x'\nstate r = chance(0.5)\nr' = chance(0.001)\nfail when r", &[]),
];

#[test]
fn what_no_step_leads_to_is_said_and_what_one_may_lead_to_is_not() {
    for (lines, expected) in OUT_OF_REACH {
        let found: Vec<(usize, String)> =
            warnings(&cart(lines)).into_iter().map(|(line, _, message)| (line, message)).collect();
        let expected: Vec<(usize, String)> =
            expected.iter().map(|(line, message)| (*line, (*message).to_owned())).collect();
        assert_eq!(found, expected, "{lines}");
    }
}

/// An episode may begin beyond the walls, but ends count only after a step.
#[test]
fn beginnings_count_for_what_is_reached() {
    let text = |begin: &str, rule: &str| {
        format!(
            "world \"Far\"\nstate x = {begin}\naction push from -1 to 1\nx' = {rule}\nreward x'\n\
             fail when x > 2\nlimit 9"
        )
    };
    assert_no_warning(&text("uniform(-1, 3)", "if x > 1 then x else clamp(x + push, -1, 1)"));
    assert_eq!(warnings(&text("uniform(-1, 2)", "if x > 1 then x else clamp(x + push, -1, 1)")).len(), 1);
    assert_eq!(warnings(&text("uniform(-1, 3)", "clamp(x + push, -1, 1)")).len(), 1);
}
