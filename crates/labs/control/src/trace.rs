//! Single steps of a world, for anybody who wants to check the rules.

use learnery_worlds::control::{Actions, Kind, StepResult};
use serde::{Deserialize, Serialize};

use super::World;

/// A question: what does this action lead to from this state?
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    state: Vec<f32>,
    action: Action,
    /// Steps taken in the episode before this one.
    #[serde(default)]
    steps: u32,
}

/// Gymnasium's continuous actions are lists of one number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Action {
    Number(f32),
    List([f32; 1]),
}

/// The answer, in Gymnasium's words.
#[derive(Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The state after the step, before any new start.
    pub state: Vec<f32>,
    /// What an agent sees of it.
    pub observation: Vec<f32>,
    /// What the step earned.
    pub reward: f32,
    /// Whether nothing can come after.
    pub terminated: bool,
    /// Whether the time is up.
    pub truncated: bool,
}

/// The world that is meant by `name`: its own or Gymnasium's.
pub fn world_named(name: &str) -> Result<World, String> {
    let worlds = [World::CartPole, World::MountainCar, World::Pendulum, World::Acrobot];
    let id = |world: World| world.kind().spec().id;
    let short = |world: World| id(world).split('-').next().unwrap_or_default().to_lowercase();
    let found = worlds.into_iter().find(|world| name == id(*world) || name.to_lowercase() == short(*world));
    found
        .ok_or_else(|| format!("there is no world `{name}`; the worlds are {}", worlds.map(short).join(", ")))
}

/// Answers one line, `{"state": [...], "action": a}`, with `"steps": n` where the time limit matters.
pub fn trace(world: World, line: &str) -> Result<Answer, String> {
    let Question { state, action, steps } = serde_json::from_str(line).map_err(|e| {
        format!("expected {{\"state\": [...], \"action\": a}}, with \"steps\" where the time matters: {e}")
    })?;
    let (kind, action) = (
        world.kind(),
        match action {
            Action::Number(a) | Action::List([a]) => a,
        },
    );
    let spec = kind.spec();
    if state.len() != spec.state_size {
        return Err(format!("{} numbers in `state`; {} has {}", state.len(), spec.id, spec.state_size));
    }
    if !spec.actions.allow(action) {
        let expected = match spec.actions {
            Actions::Discrete(n) => format!("a whole number from 0 to {}", n - 1),
            Actions::Continuous { low, high } => format!("a number, which counts as {low} to {high}"),
        };
        return Err(format!("action {action} is not one of {}; expected {expected}", spec.id));
    }
    if steps >= spec.max_steps {
        return Err(format!("{steps} steps; an episode of {} is over after {}", spec.id, spec.max_steps));
    }
    Ok(answer(kind, &state, action, steps + 1 == spec.max_steps))
}

fn answer(kind: Kind, state: &[f32], action: f32, truncated: bool) -> Answer {
    let StepResult { state, observation, reward, terminated } = kind.step(state, action);
    Answer { state, observation, reward, terminated, truncated }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_go_by_both_names() {
        assert_eq!(world_named("Pendulum-v1"), Ok(World::Pendulum));
        assert_eq!(world_named("MountainCar"), Ok(World::MountainCar));
        assert!(world_named("pong").is_err_and(|e| e.contains("`pong`") && e.contains("acrobot")));
    }

    #[test]
    fn questions_are_answered() {
        let answer = trace(World::Pendulum, r#"{"state": [0.0, 1.0], "action": [5], "steps": 199}"#);
        let answer = answer.expect("a good question");
        // Clipped to a torque of 2: speed 1 + 0.05 * 6, angle 0.05 * that.
        assert!((answer.state[1] - 1.3).abs() < 1e-6 && (answer.state[0] - 0.065).abs() < 1e-6);
        assert!((answer.reward + 0.104).abs() < 1e-6 && answer.truncated && !answer.terminated);
        assert_eq!(answer.observation.len(), 3);
    }

    #[test]
    fn bad_questions_are_refused() {
        for (line, sentence) in [
            ("", "expected {\"state\""),
            (r#"{"state": [0, 0, 0], "action": 1}"#, "3 numbers in `state`; CartPole-v1 has 4"),
            (
                r#"{"state": [0, 0, 0, 0], "action": 2}"#,
                "action 2 is not one of CartPole-v1; expected a whole",
            ),
            (r#"{"state": [0, 0, 0, 0], "action": 0.5}"#, "expected a whole number from 0 to 1"),
            (r#"{"state": [1e999, 0, 0, 0], "action": 1}"#, "number out of range"),
            (r#"{"state": [1e300, 0, 0, 0], "action": 1}"#, "number out of range"),
            (r#"{"state": [0, 0, 0, 0], "action": 1, "steps": 500}"#, "over after 500"),
            (r#"{"state": [0, 0, 0, 0], "action": 1, "speed": 5}"#, "unknown field `speed`"),
        ] {
            let answer = trace(World::CartPole, line);
            assert!(answer.as_ref().is_err_and(|e| e.contains(sentence)), "{line}: {answer:?}");
        }
    }
}
