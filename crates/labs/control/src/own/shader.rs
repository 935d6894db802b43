//! A world of the user's own on a GPU: its rules as WGSL, and its sizes.

use std::fmt::Write;

use learnery_kernels::rng::Stream;
use learnery_world_rules::Moment;

use super::{OwnWorld, Parameters};
use crate::collector::Faults;
use crate::gpu::ppo::{Faults as DeviceFaults, OwnRules, OwnSizes, World};
use crate::purpose;

impl OwnRules {
    /// The rules of a text, with the usual values of its parameters. The error is a sentence.
    pub fn of_text(text: &str) -> Result<Self, String> {
        Ok(OwnWorld::new("", text, &Parameters::new())?.on_device())
    }
}

impl OwnWorld {
    /// The world as a device takes it.
    pub fn on_device(&self) -> OwnRules {
        OwnRules { world: World::Own(self.sizes()), wgsl: self.shader(), parameters: self.values().to_vec() }
    }

    /// The faults of a unit on a device, with the line of the first one: its world is stepped again here, from
    /// the same state and with the same action and random numbers.
    pub fn find_line(&self, seed: u32, found: &DeviceFaults) -> Faults {
        let DeviceFaults { episodes, world, episode, step, state, action } = found;
        let stream = Stream::new(seed, purpose::STARTS);
        let moment = Moment { stream, world: u64::from(*world), episode: *episode, step: *step };
        let fault = if *step == 0 {
            self.rules().begin(self.values(), moment).fault
        } else {
            // What was seen before the step is kept after a fault, and changes nothing else.
            let seen = vec![0.0; self.spec().observations.len()];
            self.rules().step(self.values(), state, &seen, action, moment).fault
        };
        Faults { episodes: u64::from(*episodes), first: fault.map(|fault| fault.to_string()) }
    }

    fn sizes(&self) -> OwnSizes {
        let spec = self.spec();
        OwnSizes {
            state: spec.state.len(),
            inputs: spec.observations.len(),
            outputs: self.outputs(),
            is_discrete: self.is_discrete(),
            parameters: spec.parameters.len(),
            step_limit: spec.limit.map(|limit| limit as usize),
            evaluation_steps: self.max_steps() as usize,
        }
    }

    /// What the kernels include as `world_rules`: the functions of the world, and how the policy's numbers
    /// become those of an action (`gpu/ppo/wgsl/own_world.wgsl`).
    fn shader(&self) -> String {
        let mut text = self.rules().wgsl_functions();
        if self.is_discrete() {
            return text;
        }
        let bounds: Vec<(f32, f32)> = (0..self.outputs()).map(|i| self.spec().actions.bounds(i)).collect();
        let mut push = |name: &str, numbers: Vec<f32>| {
            let list: Vec<String> = numbers.iter().map(|x| format!("{x:?}f")).collect();
            let (count, list) = (list.len(), list.join(", "));
            writeln!(text, "const {name} = array<f32, {count}>({list});").expect("a string takes everything");
        };
        push("ACTION_LOW", bounds.iter().map(|(low, _)| *low).collect());
        push("ACTION_HIGH", bounds.iter().map(|(_, high)| *high).collect());
        // As in `OwnWorld::scaled_action`.
        push("ACTION_CENTRE", bounds.iter().map(|(low, high)| 0.5 * low + 0.5 * high).collect());
        push("ACTION_HALF", bounds.iter().map(|(low, high)| 0.5 * high - 0.5 * low).collect());
        text
    }
}
