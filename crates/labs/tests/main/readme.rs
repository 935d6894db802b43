//! Tests that the goals in the project's README are those of the labs.

use learnery_labs::find;

const README: &str = include_str!("../../../../README.md");

/// The value of the goal of a lab with a preset.
fn target(lab: &str, preset: &str) -> f64 {
    let entry = find(lab).expect("a lab");
    let settings = entry.preset(preset).expect("a preset");
    let goal = entry.goal(settings.as_object().expect("a table")).expect("good settings");
    goal.expect("a goal").target
}

/// The row of a lab in the table of labs.
fn row(lab: &str) -> &'static str {
    let begin = format!("| `{lab}` |");
    README.lines().find(|line| line.starts_with(&begin)).expect("a row")
}

#[test]
fn goals_of_control_are_those_of_its_worlds() {
    let [cartpole, mountaincar, pendulum, acrobot] =
        ["standard", "mountaincar", "pendulum", "acrobot"].map(|preset| target("control", preset));
    let sentence = format!("mean returns of {cartpole}, {mountaincar}, {pendulum} and {acrobot}");
    assert!(row("control").contains(&sentence), "README should say: {sentence}");
}

#[test]
fn goals_of_language_are_those_of_its_presets() {
    let (tasks, stories, small) =
        (target("language", "addition"), target("language", "a"), target("language", "stories"));
    assert_eq!(target("language", "b"), stories);
    let sentence = format!(
        "{tasks}% of unseen problems answered exactly; stories at most {stories}% above their entropy, {small}% with the small preset"
    );
    assert!(row("language").contains(&sentence), "README should say: {sentence}");
}
