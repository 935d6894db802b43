//! The tool `trace`: takes steps of a world from a given state, in Gymnasium's terms, so that the rules can
//! be compared with other implementations such as Gymnasium. It needs no network.

use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use learnery_worlds::control::{Actions, Kind, StepResult};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::training::Control;

/// More than the steps of an episode of any of the lab's own worlds.
const MAX_STEPS: u32 = 1000;

/// Which steps to take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlTraceInput"))]
pub struct TraceInput {
    /// The world: cartpole, mountaincar, pendulum, acrobot, or an id of Gymnasium. If it is empty, that of the
    /// run.
    #[schemars(length(max = 100))]
    pub world: String,
    /// The state before the first step.
    #[schemars(length(max = 16), inner(range(min = f32::MIN, max = f32::MAX)))]
    pub state: Vec<f32>,
    /// The action of each step. Those after the end of the episode are not taken.
    #[schemars(length(max = MAX_STEPS), inner(range(min = f32::MIN, max = f32::MAX)))]
    pub actions: Vec<f32>,
    /// Steps already taken in the episode, on which truncation depends.
    #[schemars(range(min = 0, max = MAX_STEPS), extend("x-unit" = "steps"))]
    pub steps: u32,
}

impl TraceInput {
    /// One step of a world, from the line `{"state": [...], "action": a}` with an optional `"steps": n`.
    pub fn from_line(world: &str, line: &str) -> Result<Self, String> {
        let LineOfStep { state, action, steps } = serde_json::from_str(line).map_err(|e| {
            format!("expected {{\"state\": [...], \"action\": a}}, optionally with \"steps\": {e}")
        })?;
        let (Action::Number(action) | Action::List([action])) = action;
        Ok(Self { world: world.to_owned(), state, actions: vec![action], steps })
    }
}

/// The content of a line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineOfStep {
    state: Vec<f32>,
    action: Action,
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlTracedStep"))]
pub struct TracedStep {
    /// The state after the step, before any restart.
    pub state: Vec<f32>,
    pub observation: Vec<f32>,
    pub reward: f32,
    pub terminated: bool,
    pub truncated: bool,
}

/// The steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "ControlTraceOutput"))]
pub struct TraceOutput {
    /// Gymnasium's id of the world.
    pub world: String,
    /// As many as there are actions, or fewer if the episode has ended before.
    pub steps: Vec<TracedStep>,
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

/// Steps being taken, one action at a time.
pub struct Trace {
    kind: Kind,
    state: Vec<f32>,
    actions: Vec<f32>,
    /// Steps of the episode before the first one here.
    steps_before: u32,
    taken: Vec<TracedStep>,
}

impl Trace {
    fn has_ended(&self) -> bool {
        self.taken.len() == self.actions.len()
            || self.taken.last().is_some_and(|step| step.terminated || step.truncated)
    }

    fn output(&self) -> TraceOutput {
        TraceOutput { world: self.kind.spec().id.into(), steps: self.taken.clone() }
    }
}

/// Refuses what no step can begin with.
fn check(kind: Kind, input: &TraceInput) -> Result<(), LabError> {
    let spec = kind.spec();
    let refuse = |field: &str, problem: String| Err(LabError::input(field, problem));
    if input.state.len() != spec.state_size {
        let count = input.state.len();
        return refuse("state", format!("{count} numbers in `state`; {} has {}", spec.id, spec.state_size));
    }
    if let Some(action) = input.actions.iter().find(|action| !spec.actions.allow(**action)) {
        let expected = match spec.actions {
            Actions::Discrete(n) => format!("a whole number from 0 to {}", n - 1),
            Actions::Continuous { low, high } => {
                format!("a finite number, which is clipped to {low} to {high}")
            }
        };
        return refuse("actions", format!("action {action} is not one of {}; expected {expected}", spec.id));
    }
    if input.steps >= spec.max_steps {
        let (steps, id, most) = (input.steps, spec.id, spec.max_steps);
        return refuse("steps", format!("{steps} steps; an episode of {id} is over after {most}"));
    }
    Ok(())
}

impl Tool for Trace {
    const ABOUT: ToolAbout = ToolAbout {
        id: "trace",
        title: "Trace",
        help: "Takes single steps of a world from a given state.",
        counts: "steps",
        in_tab: false,
    };
    type Lab = Control;
    type Input = TraceInput;
    const INPUT: &'static str = include_str!("trace.json");
    type Event = TracedStep;
    type Output = TraceOutput;
    const COUNT_HAS_TOTAL: bool = true;
    const NEEDS_NETWORK: bool = false;

    fn begin(source: Source<Control>, input: TraceInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let kind = match input.world.as_str() {
            "" => source
                .config
                .world
                .kind()
                .ok_or_else(|| "the world of the run is a text; name another".into()),
            name => find_world(name),
        };
        let kind = kind.map_err(|problem| LabError::input("world", problem))?;
        check(kind, &input)?;
        let TraceInput { state, actions, steps, .. } = input;
        Ok(Self { kind, state, actions, steps_before: steps, taken: Vec::new() })
    }

    fn step(&mut self, report: &mut dyn FnMut(TracedStep)) -> Result<ToolStatus<TraceOutput>, LabError> {
        if !self.has_ended() {
            let (count, max_steps) = (self.taken.len(), self.kind.spec().max_steps);
            let stepped = self.kind.step(&self.state, self.actions[count]);
            let StepResult { state, observation, reward, terminated } = stepped;
            self.state.clone_from(&state);
            let truncated = self.steps_before + count as u32 + 1 == max_steps;
            let step = TracedStep { state, observation, reward, terminated, truncated };
            report(step.clone());
            self.taken.push(step);
        }
        Ok(if self.has_ended() { ToolStatus::Done(self.output()) } else { ToolStatus::Ready })
    }

    fn progress(&self) -> ToolProgress {
        ToolProgress::of(self.taken.len() as u64, self.actions.len() as u64)
    }

    fn partial(&self) -> Option<TraceOutput> {
        Some(self.output())
    }
}

#[cfg(test)]
mod tests {
    use learnery_lab::Job;

    use super::*;

    fn trace(input: TraceInput) -> Result<Vec<TracedStep>, LabError> {
        Job::<Trace>::without_network(input, None)?.answer().map(|output| output.steps)
    }

    #[test]
    fn world_is_found_by_short_name_and_gymnasium_id() {
        assert_eq!(find_world("Pendulum-v1"), Ok(Kind::Pendulum));
        assert_eq!(find_world("MountainCar"), Ok(Kind::MountainCar));
        assert!(find_world("pong").is_err_and(|e| e.contains("`pong`") && e.contains("acrobot")));
    }

    #[test]
    fn step_of_pendulum_clips_the_torque_and_reports_truncation() {
        let line = r#"{"state": [0.0, 1.0], "action": [5], "steps": 199}"#;
        let steps = trace(TraceInput::from_line("pendulum", line).expect("a valid line"));
        let step = &steps.expect("a valid step")[0];
        // The torque of 5 is clipped to 2. Then the speed becomes 1 + 0.05 * 6 = 1.3, and the angle 0.05 *
        // 1.3. The cost is 0.1 * 1^2 for the speed and 0.001 * 2^2 for the torque. An episode has 200 steps,
        // so this is the last one.
        assert!((step.state[1] - 1.3).abs() < 1e-6 && (step.state[0] - 0.065).abs() < 1e-6);
        assert!((step.reward + 0.104).abs() < 1e-6 && step.truncated && !step.terminated);
        assert_eq!(step.observation.len(), 3);
    }

    #[test]
    fn steps_follow_one_another_up_to_the_end_of_the_episode() {
        let input = |state: Vec<f32>, actions: Vec<f32>, steps| TraceInput {
            world: "CartPole-v1".into(),
            state,
            actions,
            steps,
        };
        let state = vec![0.01, 0.02, 0.03, 0.04];
        let many = trace(input(state.clone(), vec![1.0; 50], 0)).expect("a valid input");
        assert!(many.len() < 50 && many.last().is_some_and(|step| step.terminated), "{many:?}");
        let mut state_before = state.clone();
        for (i, step) in many.iter().enumerate() {
            let alone = trace(input(state_before, vec![1.0], i as u32)).expect("a valid input");
            assert_eq!((alone.len(), &alone[0]), (1, step));
            state_before = alone[0].state.clone();
        }
        let cut = trace(input(state.clone(), vec![0.0, 1.0, 0.0], 498)).expect("a valid input");
        assert_eq!(cut.iter().map(|step| step.truncated).collect::<Vec<_>>(), [false, true]);
        assert!(trace(input(state, Vec::new(), 0)).is_ok_and(|steps| steps.is_empty()));
    }

    #[test]
    fn bad_step_is_refused() {
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
            let result = TraceInput::from_line("cartpole", line).and_then(|input| {
                trace(input).map_err(|error| match error {
                    LabError::Input { problem, .. } => problem,
                    other => other.to_string(),
                })
            });
            assert!(result.as_ref().is_err_and(|e| e.contains(sentence)), "{line}: {result:?}");
        }
    }
}
