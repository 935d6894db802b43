//! The worlds of the page's challenges. With a challenge's text as it is, the agent does not reach what the
//! page asks for; with a mended text it does.

use std::fs;
use std::path::Path;

use learnery_control::Control;
use learnery_lab::contract::run_until;
use learnery_lab::{Entry, EvalRequest, Session};
use serde_json::{Map, json};

const LAB: Entry = Entry::of::<Control>();

/// The percentage of successes, or the mean return, that the page asks for
/// (`www/labs/control/challenges.ts`).
const ENOUGH_SUCCESSES: f64 = 90.0;
const ENOUGH_RETURN: f64 = 450.0;

fn text(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../world-rules/challenges");
    fs::read_to_string(folder.join(name).with_extension("world")).expect("the text of a challenge")
}

/// The text with other lines in place of the one that begins so.
fn with_line(text: &str, beginning: &str, lines: &str) -> String {
    let line = text.lines().find(|line| line.starts_with(beginning)).expect("such a line");
    text.replacen(line, lines, 1)
}

fn start(text: &str, settings: &serde_json::Value, seed: u32) -> Session {
    let mut session = Session::start(LAB, settings, seed).expect("good settings");
    let world = json!({"type": "world", "name": "challenge.world", "text": text});
    session.apply(world).expect("a good world");
    session
}

/// The highest value of a metric in a run with the preset `own`, which ends at `enough` or after `units`.
fn most(text: &str, metric: &str, enough: f64, units: u64) -> f64 {
    let mut session = start(text, &LAB.preset("own").expect("the preset exists"), 0);
    let mut most = f64::NEG_INFINITY;
    while session.units() < units && most < enough {
        session.advance_unit();
        most = most.max(session.row().get(metric));
    }
    most
}

#[test]
fn boat_arrives_only_with_a_mended_reward() {
    let broken = text("boat");
    assert!(most(&broken, "successes", ENOUGH_SUCCESSES, 60) < 10.0);
    // The agent learns what the broken text rewards all the same.
    assert!(most(&broken, "examReturn", 100.0, 60) >= 100.0);
    let lines = "let away = far(6, 2.5)\nreward away - away' + (if arrived' then 5 else 0)";
    let mended = with_line(&broken, "reward", lines);
    assert!(most(&mended, "successes", ENOUGH_SUCCESSES, 60) >= ENOUGH_SUCCESSES);
}

#[test]
fn pole_is_balanced_only_by_an_agent_that_remembers() {
    let blind = text("pole");
    assert!(most(&blind, "examReturn", ENOUGH_RETURN, 60) < 100.0);
    let lines = "state x_before = x\nstate angle_before = angle\nx_before' = x\nangle_before' = angle\n\
                 observe x, angle, x - x_before, angle - angle_before";
    let mended = with_line(&blind, "observe", lines);
    assert!(most(&mended, "examReturn", ENOUGH_RETURN, 60) >= ENOUGH_RETURN);
}

/// A world in which half of the episodes end as a success, whatever the agent does. Only these are rewarded.
const COIN: &str = "world \"Coin\"\nstate x = uniform(0, 1)\naction go: left, right\n\
                    reward if x < 0.5 then 1 else 0\nsucceed when x < 0.5\nfail when x > 0.8\nlimit 3 steps\n";

#[test]
fn successes_are_counted_once_an_episode_and_only_where_there_are_any() {
    let settings = json!({
        "world": "own", "worlds": 8, "horizon": 4, "hidden": 4, "epochs": 1, "minibatches": 1, "eval_episodes": 60,
        "eval_every": 2
    });
    let mut session = start(COIN, &settings, 3);
    run_until(&mut session, 1);
    assert!(session.row().get("successes").is_nan(), "there was no evaluation");
    run_until(&mut session, 2);
    let successes = session.row().get("successes");
    assert!((20.0..80.0).contains(&successes), "{successes}");
    // An episode ends with its success, so its return is 1, and the others have none.
    assert!((successes - 100.0 * session.row().get("examReturn")).abs() < 1e-9);
    let request =
        EvalRequest { options: Map::from_iter([("games".into(), json!(50))]), ..Default::default() };
    let report = LAB.evaluate(&session.save().network_only(), &request).expect("it can be evaluated");
    let metric =
        |name: &str| report.figures.iter().find(|figure| figure.name == name).map(|figure| figure.value);
    assert!(report.summary.contains("% ended as a success"), "{}", report.summary);
    let [successes, mean] = ["successes", "return"].map(|name| metric(name).expect("it is measured"));
    assert!((successes - 100.0 * mean).abs() < 1e-9, "{successes} {mean}");
    // Without `succeed` there is nothing to count.
    let mut session = start(&with_line(COIN, "succeed", ""), &settings, 3);
    run_until(&mut session, 2);
    assert!(session.row().get("successes").is_nan() && session.row().get("examReturn").is_finite());
}
