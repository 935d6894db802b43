//! The command `learnery control trace`: takes single steps of a world, given and answered as JSON, so that
//! the rules can be compared with other implementations such as Gymnasium.

use learnery_worlds::control::{Actions, Kind, StepResult};
use serde::{Deserialize, Serialize};

/// A request for one step.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRequest {
    state: Vec<f32>,
    action: Action,
    /// Steps already taken in the episode.
    #[serde(default)]
    steps: u32,
}

/// An action is a number. Gymnasium writes a continuous one as a list of one number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Action {
    Number(f32),
    List([f32; 1]),
}

/// The result of a step, in Gymnasium's terms.
#[derive(Debug, PartialEq, Serialize)]
pub struct TracedStep {
    /// The state after the step, before any restart.
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    pub terminated: bool,
    pub truncated: bool,
}

/// Finds a world by its short name, such as `cartpole` (in upper or lower case), or by Gymnasium's id, such
/// as `CartPole-v1`.
pub fn find_world(name: &str) -> Result<Kind, String> {
    let worlds = [Kind::CartPole, Kind::MountainCar, Kind::Pendulum, Kind::Acrobot];
    let id = |world: Kind| world.spec().id;
    let short_name = |world: Kind| id(world).split('-').next().unwrap_or_default().to_lowercase();
    let found =
        worlds.into_iter().find(|world| name == id(*world) || name.to_lowercase() == short_name(*world));
    found.ok_or_else(|| {
        format!("there is no world `{name}`; the worlds are {}", worlds.map(short_name).join(", "))
    })
}

/// Takes the step that a line `{"state": [...], "action": a}` describes. The optional `"steps": n` is the
/// number of steps already taken in the episode, which decides whether the time limit truncates it.
pub fn trace_step(kind: Kind, line: &str) -> Result<TracedStep, String> {
    let StepRequest { state, action, steps } = serde_json::from_str(line).map_err(|e| {
        format!("expected {{\"state\": [...], \"action\": a}}, optionally with \"steps\": {e}")
    })?;
    let (Action::Number(action) | Action::List([action])) = action;
    let spec = kind.spec();
    if state.len() != spec.state_size {
        return Err(format!("{} numbers in `state`; {} has {}", state.len(), spec.id, spec.state_size));
    }
    if !spec.actions.allow(action) {
        let expected = match spec.actions {
            Actions::Discrete(n) => format!("a whole number from 0 to {}", n - 1),
            Actions::Continuous { low, high } => {
                format!("a finite number, which is clipped to {low} to {high}")
            }
        };
        return Err(format!("action {action} is not one of {}; expected {expected}", spec.id));
    }
    if steps >= spec.max_steps {
        return Err(format!("{steps} steps; an episode of {} is over after {}", spec.id, spec.max_steps));
    }
    let StepResult { state, observation, reward, terminated } = kind.step(&state, action);
    Ok(TracedStep { state, observation, reward, terminated, truncated: steps + 1 == spec.max_steps })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn world_is_found_by_short_name_and_gymnasium_id() {
        assert_eq!(find_world("Pendulum-v1"), Ok(Kind::Pendulum));
        assert_eq!(find_world("MountainCar"), Ok(Kind::MountainCar));
        assert!(find_world("pong").is_err_and(|e| e.contains("`pong`") && e.contains("acrobot")));
    }

    #[test]
    fn step_of_pendulum_clips_the_torque_and_reports_truncation() {
        let step = trace_step(Kind::Pendulum, r#"{"state": [0.0, 1.0], "action": [5], "steps": 199}"#);
        let step = step.expect("a valid request");
        // The torque of 5 is clipped to 2. Then the speed becomes 1 + 0.05 * 6 = 1.3, and the angle 0.05 *
        // 1.3. The cost is 0.1 * 1^2 for the speed and 0.001 * 2^2 for the torque. An episode has 200 steps,
        // so this is the last one.
        assert!((step.state[1] - 1.3).abs() < 1e-6 && (step.state[0] - 0.065).abs() < 1e-6);
        assert!((step.reward + 0.104).abs() < 1e-6 && step.truncated && !step.terminated);
        assert_eq!(step.observation.len(), 3);
    }

    #[test]
    fn step_with_bad_request_is_refused() {
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
            let result = trace_step(Kind::CartPole, line);
            assert!(result.as_ref().is_err_and(|e| e.contains(sentence)), "{line}: {result:?}");
        }
    }
}
