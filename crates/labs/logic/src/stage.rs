//! The stage: what the user of the page sees and touches. It runs two grids from the same initial state, one
//! with soft gates and one with hard gates. The user can damage, paint and enlarge them. The stage is not
//! saved and does not influence training.

mod live_diagram;

use learnery_kernels::rng::Stream;
use learnery_lab::{Bytes, LabError};
use learnery_worlds::life::next_generation;

use crate::automaton::{Grids, Network, SoftAutomaton};
use crate::circuit::{CircuitDiagram, HardAutomaton, LogicCircuit, LogicLit};
use crate::experiment::{Experiment, InitialStates, Setup, centred};
use crate::view::{LogicCommand, StageView};
use live_diagram::LiveDiagram;

/// Upper bound of the steps of one animation frame, however long ago the last frame was.
const MAX_STEPS_PER_FRAME: f64 = 8.0;
/// The largest radius of damage and paint, in cells.
const MAX_RADIUS: f32 = 128.0;

/// Seconds of the pause at the step that training compares with the target. Only for the figure and the
/// letter: training asks only for the state at this step, so the picture may decay one step later. The pause
/// is longer than the 2.5 seconds after which the page restarts the stage by itself, unless the user has
/// switched that off.
const PAUSE_SECONDS_AT_TARGET: f64 = 4.0;

/// The width of the stage in the game of life. The training grid has 3x3 cells, too few to look at.
const LIFE_SIZE: usize = 20;

/// The initial speed of the stage.
const INITIAL_STEPS_PER_SECOND: f32 = 10.0;

/// Sub-indices of random numbers from here on select active cells; those below are for initial states.
const ACTIVITY_SUB_INDEX: u64 = 1 << 40;

/// The two grids and what the user has set. [`Self::animate`] advances them in each frame of the page,
/// [`Self::apply`] executes commands, and [`Self::view`] is what the page draws.
pub struct Stage {
    setup: Setup,
    soft: SoftAutomaton,
    hard: HardAutomaton,
    initial: InitialStates,
    stream: Stream,
    /// The index of the last random numbers taken from `stream`.
    draws: u64,
    /// A uniform number per cell: a cell is active if its number is below the fire rate.
    /// Shape: `[cells]`.
    uniforms: Vec<f32>,
    /// Whether each cell updates in the current step.
    /// Shape: `[cells]`.
    active: Vec<bool>,
    /// The state that the rule of the game of life requires after the last step, for the soft grid and for
    /// the hard grid. Only for the game of life.
    life_target: [Vec<bool>; 2],
    /// The width of the grids as a multiple of the initial width.
    multiple: usize,
    /// Steps since the last restart.
    steps: u32,
    is_playing: bool,
    /// Steps per second.
    pace: f32,
    fire_rate: f32,
    /// The chosen cell, whose circuit the page shows.
    cell: [u32; 2],
    /// Steps that are due by the clock but have not been run, fractions included.
    steps_due: f64,
    /// Seconds spent in the pause at the target step.
    paused_seconds: f64,
    diagram: LiveDiagram,
}

impl Stage {
    pub fn new(network: &Network, fire_rate: f64, stream: Stream) -> Self {
        let setup = network.experiment.setup();
        let mut stage = Self::with_multiple(network, 1, stream);
        stage.fire_rate = fire_rate as f32;
        stage.cell = [setup.size as u32 / 2; 2];
        stage.restart();
        stage
    }

    /// A stage of `multiple` times the initial size, which the caller must restart.
    fn with_multiple(network: &Network, multiple: usize, stream: Stream) -> Self {
        let setup = network.experiment.setup();
        let initial_size = if network.experiment == Experiment::Life { LIFE_SIZE } else { setup.size };
        let size = initial_size * multiple;
        let cells = size * size;
        // One grid of each kind, of which the soft one stores one step at a time.
        let grids = Grids::new(size, size, setup.periodic, 1, setup.channels);
        Self {
            soft: SoftAutomaton::new(&network.circuits, grids, 1, true),
            hard: network.hard_automaton([size; 2], 1),
            initial: InitialStates::new(network.experiment, [size; 2], 1),
            stream,
            draws: 0,
            uniforms: vec![0.0; cells],
            active: vec![true; cells],
            life_target: [vec![false; cells], vec![false; cells]],
            multiple,
            steps: 0,
            is_playing: true,
            pace: INITIAL_STEPS_PER_SECOND,
            fire_rate: 1.0,
            cell: [0; 2],
            steps_due: 0.0,
            paused_seconds: 0.0,
            diagram: LiveDiagram::new(),
            setup,
        }
    }

    fn size(&self) -> usize {
        self.soft.grids().size()[0]
    }

    /// Sets every channel of every cell of both grids to `is_on(initial states, cell, channel)`, and starts
    /// at step 0.
    fn fill(&mut self, is_on: impl Fn(&InitialStates, usize, usize) -> bool) {
        let cells = self.size() * self.size();
        for channel in 0..self.setup.channels {
            let (soft, hard, initial) = (&mut self.soft, &mut self.hard, &self.initial);
            let value = |cell: usize| is_on(initial, cell, channel);
            soft.set_channel(channel, (0..cells).map(|cell| f32::from(u8::from(value(cell)))));
            hard.set_channel(channel, (0..cells).map(value));
        }
        self.steps = 0;
        (self.steps_due, self.paused_seconds) = (0.0, 0.0);
    }

    /// Restarts with another network, whose wiring may differ.
    pub fn replace_network(&mut self, network: &Network) {
        self.diagram.forget_kinds();
        self.rebuild(network, self.multiple);
    }

    /// Restarts with another size or network. Pace, fire rate and the chosen cell stay as the user set them.
    fn rebuild(&mut self, network: &Network, multiple: usize) {
        let rebuilt = Self::with_multiple(network, multiple, self.stream);
        let before = std::mem::replace(self, rebuilt);
        (self.is_playing, self.pace, self.fire_rate) = (before.is_playing, before.pace, before.fire_rate);
        let size = self.size() as u32;
        self.diagram = before.diagram;
        self.diagram.update_in_next_frame();
        (self.cell, self.draws) = (before.cell.map(|coordinate| coordinate.min(size - 1)), before.draws);
        self.restart();
    }

    fn restart(&mut self) {
        self.draws += 1;
        self.initial.draw(self.stream, self.draws);
        self.fill(InitialStates::is_on);
    }

    /// Sets the first `channels` channels of the cells within a radius.
    fn set_circle(&mut self, [x, y, radius]: [f32; 3], channels: usize, on: bool) -> Result<(), LabError> {
        if !(x.is_finite() && y.is_finite() && (0.0..=MAX_RADIUS).contains(&radius)) {
            return Err(LabError::Command(format!(
                "a radius of {radius} cells around ({x}, {y}); a radius is at most {MAX_RADIUS}"
            )));
        }
        let size = self.size();
        let is_within = |cell: usize| {
            // Cells have their centres at halves.
            let (dx, dy) = ((cell % size) as f32 + 0.5 - x, (cell / size) as f32 + 0.5 - y);
            dx * dx + dy * dy <= radius * radius
        };
        for channel in 0..channels {
            let before: Vec<bool> = self.hard.channel(channel).collect();
            let after = before.iter().enumerate().map(|(cell, was)| if is_within(cell) { on } else { *was });
            self.hard.set_channel(channel, after);
            for cell in (0..size * size).filter(|cell| is_within(*cell)) {
                self.soft.set_value(cell, channel, f32::from(u8::from(on)));
            }
        }
        Ok(())
    }

    /// Executes a command of the user. A value out of its range is an error.
    pub fn apply(&mut self, network: &Network, command: &LogicCommand) -> Result<(), LabError> {
        match *command {
            LogicCommand::Play { playing } => self.is_playing = playing,
            LogicCommand::Pace { rate } if (0.1..=240.0).contains(&rate) => self.pace = rate,
            LogicCommand::Pace { rate } => {
                return Err(LabError::Command(format!("{rate} steps a second; expected 0.1 to 240")));
            }
            LogicCommand::Step => {
                self.update_gates(network);
                self.step(network);
            }
            LogicCommand::Restart => self.restart(),
            LogicCommand::Scramble => {
                self.draws += 1;
                // The low 8 bits of the index are the channel.
                let (stream, index) = (self.stream, self.draws << 8);
                self.fill(|_, cell, channel| stream.uniform(index | channel as u64, cell as u64) < 0.5);
            }
            LogicCommand::Clear => self.fill(|_, _, _| false),
            LogicCommand::Wound { x, y, radius } => {
                return self.set_circle([x, y, radius], self.setup.channels, false);
            }
            LogicCommand::Paint { x, y, radius, on } => return self.set_circle([x, y, radius], 1, on),
            LogicCommand::Size { multiple: multiple @ 1..=4 } => self.rebuild(network, multiple as usize),
            LogicCommand::Size { multiple } => {
                return Err(LabError::Command(format!(
                    "{multiple} times the training grid; expected 1 to 4"
                )));
            }
            LogicCommand::FireRate { rate } if (0.05..=1.0).contains(&rate) => self.fire_rate = rate,
            LogicCommand::FireRate { rate } => {
                return Err(LabError::Command(format!("a fire rate of {rate}; expected 0.05 to 1")));
            }
            LogicCommand::Cell { x, y } if x.max(y) < self.size() as u32 => self.cell = [x, y],
            LogicCommand::Cell { x, y } => {
                return Err(LabError::Command(format!("there is no cell ({x}, {y}) on the stage")));
            }
            // Commands that do not concern the stage; the lab has executed them.
            LogicCommand::Target { .. } | LogicCommand::Have { .. } => {}
        }
        Ok(())
    }

    /// Advances the animation. Training compares the state after `target_step` steps with the target.
    pub fn animate(&mut self, network: &Network, target_step: u32, seconds: f64) {
        self.diagram.advance(network, self.setup.shown, seconds);
        if !self.is_playing {
            return;
        }
        // After the step at which training compares them, these pictures may decay (see the pause's length).
        let may_vanish = matches!(network.experiment, Experiment::Figure | Experiment::Letter);
        let is_target = |steps: u32| may_vanish && steps == target_step;
        if is_target(self.steps) && self.paused_seconds < PAUSE_SECONDS_AT_TARGET {
            self.paused_seconds += seconds;
            return;
        }
        self.steps_due = (self.steps_due + seconds * f64::from(self.pace)).min(MAX_STEPS_PER_FRAME);
        if self.steps_due >= 1.0 {
            self.update_gates(network);
        }
        while self.steps_due >= 1.0 {
            self.steps_due -= 1.0;
            self.step(network);
            if is_target(self.steps) {
                self.steps_due = 0.0;
            }
        }
    }

    /// The pruned circuit; `None` until the first animation frame.
    pub fn circuit(&self) -> Option<&LogicCircuit> {
        self.diagram.get().map(|diagram| &diagram.circuit)
    }

    /// The values of the circuit's nodes in the chosen cell of the hard grid.
    pub fn node_values(&self) -> Option<LogicLit> {
        let (size, [x, y]) = (self.size(), self.cell.map(|coordinate| coordinate as usize));
        // A coordinate moved by -1, 0 or 1 (`by` is 0, 1 or 2); `None` beyond an edge.
        let shifted = |coordinate: usize, by: usize| match (coordinate + by).checked_sub(1) {
            Some(moved) if moved < size => Some(moved),
            _ if self.setup.periodic => Some((coordinate + by + size - 1) % size),
            _ => None,
        };
        let value = |channel: usize, k: usize| match (shifted(x, k % 3), shifted(y, k / 3)) {
            (Some(x), Some(y)) => self.hard.value(channel, y * size + x),
            _ => false,
        };
        let neighbourhood = (0..self.setup.channels).flat_map(|c| (0..9).map(move |k| (c, k)));
        let neighbourhood: Vec<bool> = neighbourhood.map(|(c, k)| value(c, k)).collect();
        Some(self.diagram.get()?.node_values(&neighbourhood))
    }

    /// Compares the hard circuit's truth table with the game of life (see [`CircuitDiagram::life_table`]).
    /// Empty in other experiments.
    pub fn life_table(&self, network: &Network) -> Vec<u8> {
        let is_life = network.experiment == Experiment::Life;
        self.diagram.get().filter(|_| is_life).map_or_else(Vec::new, CircuitDiagram::life_table)
    }

    /// Updates the gates of both grids from the network's logits.
    fn update_gates(&mut self, network: &Network) {
        self.soft.set_logits(&network.circuits, &network.logits);
        network.discretise_into(&mut self.hard);
    }

    /// Runs one step of both grids.
    fn step(&mut self, network: &Network) {
        self.draws += 1;
        self.stream.fill_uniform_from(self.draws, ACTIVITY_SUB_INDEX, &mut self.uniforms);
        let rate = self.fire_rate;
        self.active.iter_mut().zip(&self.uniforms).for_each(|(active, uniform)| *active = *uniform < rate);
        if network.experiment == Experiment::Life {
            let size = self.soft.grids().size();
            let soft = self.soft.grids().channel(self.soft.state(0), 0);
            let soft: Vec<bool> = soft.map(|x| x > 0.5).collect();
            let hard: Vec<bool> = self.hard.channel(0).collect();
            for (before, target) in [soft, hard].iter().zip(&mut self.life_target) {
                next_generation(size, before, target);
                let cells = target.iter_mut().zip(before).zip(&self.active);
                // An inactive cell keeps its state, whatever the rule says.
                let inactive = cells.filter(|(_, active)| !**active);
                inactive.for_each(|((target, before), _)| *target = *before);
            }
        }
        self.soft.set_active(0, self.active.iter().copied());
        self.soft.step(&network.circuits, 0);
        self.soft.restart_from_last();
        self.hard.step(Some(&self.active));
        self.steps += 1;
    }

    /// The target of the shown channels on this grid; `None` for the game of life.
    ///
    /// Shape: `[shown channels][cells]`.
    fn target(&self, network: &Network) -> Option<Vec<Vec<bool>>> {
        let size = self.soft.grids().size();
        match (&network.drawn_target, network.experiment) {
            (None, Experiment::Checkerboard | Experiment::Async) => {
                network.experiment.target(size[0], size[1])
            }
            _ => {
                let planes = network.target()?;
                Some(planes.iter().map(|plane| centred(plane, self.setup.size, size)).collect())
            }
        }
    }

    pub fn view(&self, network: &Network, target_step: u32) -> StageView {
        let size = self.size() as u32;
        let shown = self.setup.shown;
        let mut soft = Vec::with_capacity(shown * self.active.len());
        let mut hard = Vec::with_capacity(soft.capacity());
        for channel in 0..shown {
            let values = self.soft.grids().channel(self.soft.state(0), channel);
            soft.extend(values.map(|x| (255.0 * x.clamp(0.0, 1.0)).round() as u8));
            hard.extend(self.hard.channel(channel).map(u8::from));
        }
        let target: Vec<u8> =
            self.target(network).iter().flatten().flatten().map(|on| u8::from(*on)).collect();
        // Values from `threshold` on count as 1.
        let count_wrong = |values: &[u8], threshold: u8, life_target: &[bool]| -> u32 {
            let values = values.iter().map(|x| *x >= threshold);
            let wrong = match network.experiment {
                Experiment::Life if self.steps == 0 => 0,
                Experiment::Life => {
                    values.zip(life_target).filter(|(value, target)| value != *target).count()
                }
                _ => values.zip(&target).filter(|(value, target)| *value != (**target == 1)).count(),
            };
            wrong as u32
        };
        let [soft_target, hard_target] = &self.life_target;
        StageView {
            width: size,
            height: size,
            multiple: self.multiple as u32,
            periodic: self.setup.periodic,
            shown: shown as u32,
            // A hard value is 0 or 1. A soft value is 0 to 255; 128 is the first value above half of that.
            wrong_hard: count_wrong(&hard, 1, hard_target),
            wrong_soft: count_wrong(&soft, 128, soft_target),
            soft: Bytes(soft),
            hard: Bytes(hard),
            target: Bytes(target),
            step: self.steps,
            steps: target_step,
            playing: self.is_playing,
            pace: self.pace,
            fire_rate: self.fire_rate,
            cell: self.cell,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LogicConfig;

    #[test]
    fn stage_pauses_at_the_target_step_of_pictures_and_not_of_checkerboards() {
        for experiment in [Experiment::Figure, Experiment::Letter, Experiment::Checkerboard] {
            let network = Network::new(&LogicConfig { experiment, ..LogicConfig::default() }, 1);
            let mut stage = Stage::new(&network, 1.0, Stream::new(1, 0));
            let target_step = 3;
            // The test plays frames of a quarter of a second. At the initial pace of 10 steps per second, two
            // or three steps are due in each.
            let mut step_after = |seconds: f64| {
                stage.animate(&network, target_step, seconds);
                stage.view(&network, target_step).step
            };
            // Two seconds: enough for all checkerboards to pass the target step, and too short for the pause
            // to end.
            (0..8).for_each(|_| _ = step_after(0.25));
            let step = step_after(0.25);
            if experiment == Experiment::Checkerboard {
                assert!(step > target_step, "{experiment:?} went on to step {step}");
                continue;
            }
            assert_eq!(step, target_step, "{experiment:?}");
            let later = step_after(2.0 * PAUSE_SECONDS_AT_TARGET).max(step_after(0.25));
            assert!(later > target_step, "{experiment:?} goes on after the pause, step {later}");
            stage.restart();
            assert_eq!(stage.view(&network, target_step).step, 0);
        }
    }
}
