//! The stage: a grid apart from training, from one start with undecided gates and with decided ones, that a visitor can
//! wound, paint and make larger. None of this is saved and none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Bytes, LabError};

use super::automaton::Automaton;
use super::drawing::{Drawn, LogicCircuit, LogicLit};
use super::experiment::{Experiment, Setup};
use super::grid::Grids;
use super::hard::HardAutomaton;
use super::network::Network;
use super::starts::{Starts, in_the_middle, live};
use super::view::{LogicCommand, LogicStage};

/// Steps taken at once at most, however long the page slept.
const MOST_STEPS: f64 = 8.0;
/// The farthest from its place that a wound reaches.
const FARTHEST: f32 = 128.0;

/// Seconds that a picture which need not last stays as it is judged, for else it would be gone within a step: longer than the
/// page looks at it before it begins anew by itself.
const JUDGED: f64 = 4.0;

/// Seconds between two prunings of the circuit that is drawn.
const PRUNING: f64 = 0.5;

/// What is only there to be looked at.
pub struct Show {
    setup: Setup,
    soft: Automaton,
    hard: HardAutomaton,
    starts: Starts,
    stream: Stream,
    /// Counts whatever is drawn at random.
    drawn: u64,
    coins: Vec<f32>,
    acting: Vec<bool>,
    /// What the first channel was to become of what it was before the last step: of the game of life.
    lived: [Vec<bool>; 2],
    multiple: usize,
    steps: u32,
    playing: bool,
    pace: f32,
    fire_rate: f32,
    cell: [u32; 2],
    /// Steps that are due and not yet taken.
    owed: f64,
    /// Seconds that it has stayed as it is judged.
    stayed: f64,
    /// The pruned circuit, and the kinds of gates it was made of.
    drawing: Option<Drawn>,
    drawing_of: Vec<u8>,
    /// Seconds since it was pruned.
    since: f64,
}

impl Show {
    /// The stage of a network.
    pub fn new(network: &Network, fire_rate: f64, stream: Stream) -> Self {
        let setup = network.experiment.setup();
        let mut show = Self::sized(network, 1, stream);
        show.fire_rate = fire_rate as f32;
        show.cell = [setup.size as u32 / 2; 2];
        show.restart();
        show
    }

    fn sized(network: &Network, multiple: usize, stream: Stream) -> Self {
        let setup = network.experiment.setup();
        // A grid of three by three is all there is to learn life from, and nothing to look at.
        let size = if network.experiment == Experiment::Life { 20 } else { setup.size } * multiple;
        let cells = size * size;
        let grids = Grids::new(size, size, setup.periodic, 1, setup.channels);
        Self {
            soft: Automaton::new(&network.brain, grids, 1, true),
            hard: HardAutomaton::new(&network.brain, &network.logits, [size; 2], setup.periodic, 1),
            starts: Starts::new(network.experiment, [size; 2], 1),
            stream,
            drawn: 0,
            coins: vec![0.0; cells],
            acting: vec![true; cells],
            lived: [vec![false; cells], vec![false; cells]],
            multiple,
            steps: 0,
            playing: true,
            pace: 10.0,
            fire_rate: 1.0,
            cell: [0; 2],
            owed: 0.0,
            stayed: 0.0,
            drawing: None,
            drawing_of: Vec::new(),
            since: PRUNING,
            setup,
        }
    }

    fn size(&self) -> usize {
        self.soft.grids().size()[0]
    }

    /// Fills all channels of both grids.
    fn fill(&mut self, at: impl Fn(&Starts, usize, usize) -> bool) {
        let cells = self.size() * self.size();
        for channel in 0..self.setup.channels {
            let (soft, hard, starts) = (&mut self.soft, &mut self.hard, &self.starts);
            soft.put(channel, (0..cells).map(|cell| f32::from(u8::from(at(starts, cell, channel)))));
            hard.put(channel, (0..cells).map(|cell| at(starts, cell, channel)));
        }
        self.steps = 0;
        (self.owed, self.stayed) = (0.0, 0.0);
    }

    /// Takes over a network with other wires, and begins anew.
    pub fn rewire(&mut self, network: &Network) {
        self.drawing_of.clear();
        self.replace(network, self.multiple);
    }

    /// A grid of another size, or of another network.
    fn replace(&mut self, network: &Network, multiple: usize) {
        let other = Self::sized(network, multiple, self.stream);
        let before = std::mem::replace(self, other);
        (self.playing, self.pace, self.fire_rate) = (before.playing, before.pace, before.fire_rate);
        let size = self.size() as u32;
        (self.drawing, self.drawing_of) = (before.drawing, before.drawing_of);
        (self.cell, self.drawn) = (before.cell.map(|at| at.min(size - 1)), before.drawn);
        self.restart();
    }

    fn restart(&mut self) {
        self.drawn += 1;
        self.starts.draw(self.stream, self.drawn);
        self.fill(Starts::at);
    }

    /// Sets channels of the cells around a place.
    fn touch(&mut self, [x, y, radius]: [f32; 3], channels: usize, on: bool) -> Result<(), LabError> {
        if !(x.is_finite() && y.is_finite() && (0.0..=FARTHEST).contains(&radius)) {
            return Err(LabError::Command(format!(
                "a radius of {radius} cells around ({x}, {y}); a radius is at most {FARTHEST}"
            )));
        }
        let size = self.size();
        let near = |cell: usize| {
            let (dx, dy) = ((cell % size) as f32 + 0.5 - x, (cell / size) as f32 + 0.5 - y);
            dx * dx + dy * dy <= radius * radius
        };
        for channel in 0..channels {
            let state: Vec<bool> = self.hard.get(channel).collect();
            self.hard
                .put(channel, state.iter().enumerate().map(|(cell, was)| if near(cell) { on } else { *was }));
            for cell in (0..size * size).filter(|cell| near(*cell)) {
                self.soft.set(cell, channel, f32::from(u8::from(on)));
            }
        }
        Ok(())
    }

    /// Carries out what a visitor asked for.
    pub fn apply(&mut self, network: &Network, command: &LogicCommand) -> Result<(), LabError> {
        match *command {
            LogicCommand::Play { playing } => self.playing = playing,
            LogicCommand::Pace { rate } if (0.1..=240.0).contains(&rate) => self.pace = rate,
            LogicCommand::Pace { rate } => {
                return Err(LabError::Command(format!("{rate} steps a second; expected 0.1 to 240")));
            }
            LogicCommand::Step => {
                self.learn(network);
                self.step(network);
            }
            LogicCommand::Restart => self.restart(),
            LogicCommand::Scramble => {
                self.drawn += 1;
                let (stream, drawn) = (self.stream, self.drawn << 8);
                self.fill(|_, cell, channel| stream.uniform(drawn | channel as u64, cell as u64) < 0.5);
            }
            LogicCommand::Clear => self.fill(|_, _, _| false),
            LogicCommand::Wound { x, y, radius } => {
                return self.touch([x, y, radius], self.setup.channels, false);
            }
            LogicCommand::Paint { x, y, radius, on } => return self.touch([x, y, radius], 1, on),
            LogicCommand::Size { multiple: multiple @ 1..=4 } => self.replace(network, multiple as usize),
            LogicCommand::Size { multiple } => {
                return Err(LabError::Command(format!("{multiple} times the grid; expected 1 to 4")));
            }
            LogicCommand::FireRate { rate } if (0.05..=1.0).contains(&rate) => self.fire_rate = rate,
            LogicCommand::FireRate { rate } => {
                return Err(LabError::Command(format!("a fire rate of {rate}; expected 0.05 to 1")));
            }
            LogicCommand::Cell { x, y } if x.max(y) < self.size() as u32 => self.cell = [x, y],
            LogicCommand::Cell { x, y } => {
                return Err(LabError::Command(format!("there is no cell ({x}, {y}) on the stage")));
            }
            LogicCommand::Target { .. }
            | LogicCommand::Have { .. }
            | LogicCommand::Export { .. }
            | LogicCommand::Taken => {}
        }
        Ok(())
    }

    /// Lets time pass; what it shows is judged after so many steps.
    pub fn animate(&mut self, network: &Network, due: u32, seconds: f64) {
        self.since += seconds;
        if self.since >= PRUNING {
            self.since = 0.0;
            self.draw(network);
        }
        if !self.playing {
            return;
        }
        let may_go = matches!(network.experiment, Experiment::Figure | Experiment::Letter);
        let is_judged = |steps: u32| may_go && steps == due;
        if is_judged(self.steps) && self.stayed < JUDGED {
            self.stayed += seconds;
            return;
        }
        self.owed = (self.owed + seconds * f64::from(self.pace)).min(MOST_STEPS);
        if self.owed >= 1.0 {
            self.learn(network);
        }
        while self.owed >= 1.0 {
            self.owed -= 1.0;
            self.step(network);
            if is_judged(self.steps) {
                self.owed = 0.0;
            }
        }
    }

    /// Prunes the circuit, where another gate has changed its kind.
    fn draw(&mut self, network: &Network) {
        let mut kinds = vec![0; network.brain.gates()];
        network.brain.decide(&network.logits, &mut kinds, None);
        if kinds != self.drawing_of {
            let version = self.circuit().map_or(0, |circuit| circuit.version) + 1;
            self.drawing = Some(Drawn::of(&network.brain, &network.logits, self.setup.shown, version));
            self.drawing_of = kinds;
        }
    }

    /// The pruned circuit, where there is one yet.
    pub fn circuit(&self) -> Option<&LogicCircuit> {
        self.drawing.as_ref().map(|drawing| &drawing.circuit)
    }

    /// What it carries in the chosen cell.
    pub fn lit(&self) -> Option<LogicLit> {
        let (size, [x, y]) = (self.size(), self.cell.map(|at| at as usize));
        let along = |at: usize, by: usize| match (at + by).checked_sub(1) {
            Some(at) if at < size => Some(at),
            _ if self.setup.periodic => Some((at + by + size - 1) % size),
            _ => None,
        };
        let seen = |channel: usize, k: usize| match (along(x, k % 3), along(y, k / 3)) {
            (Some(x), Some(y)) => self.hard.at(channel, y * size + x),
            _ => false,
        };
        let neighbourhood = (0..self.setup.channels).flat_map(|c| (0..9).map(move |k| (c, k)));
        let neighbourhood: Vec<bool> = neighbourhood.map(|(c, k)| seen(c, k)).collect();
        Some(self.drawing.as_ref()?.lit(&neighbourhood))
    }

    /// Of the game of life, what the decided circuit makes of every neighbourhood.
    pub fn rule(&self, network: &Network) -> Vec<u8> {
        let life = network.experiment == Experiment::Life;
        self.drawing.as_ref().filter(|_| life).map_or_else(Vec::new, Drawn::answers)
    }

    /// Takes over what was learned.
    fn learn(&mut self, network: &Network) {
        self.soft.learn(&network.brain, &network.logits);
        self.hard.decide(&network.brain, &network.logits);
    }

    fn step(&mut self, network: &Network) {
        self.drawn += 1;
        self.stream.fill_uniform_from(self.drawn, 1 << 40, &mut self.coins);
        let rate = self.fire_rate;
        self.acting.iter_mut().zip(&self.coins).for_each(|(acts, coin)| *acts = *coin < rate);
        if network.experiment == Experiment::Life {
            let size = self.soft.grids().size();
            let soft: Vec<bool> = self.soft.grids().get(self.soft.state(0), 0).map(|x| x > 0.5).collect();
            let hard: Vec<bool> = self.hard.get(0).collect();
            for (before, lived) in [soft, hard].iter().zip(&mut self.lived) {
                live(size, before, lived);
                // Who sleeps stays what it is.
                let each = lived.iter_mut().zip(before).zip(&self.acting);
                each.filter(|(_, acts)| !**acts).for_each(|((lived, before), _)| *lived = *before);
            }
        }
        self.soft.wake(0, self.acting.iter().copied());
        self.soft.step(&network.brain, 0);
        self.soft.go_on();
        self.hard.step(Some(&self.acting));
        self.steps += 1;
    }

    /// What the shown channels are to become on this grid; nothing of the game of life.
    fn target(&self, network: &Network) -> Option<Vec<Vec<bool>>> {
        let size = self.soft.grids().size();
        match (&network.drawn, network.experiment) {
            (None, Experiment::Checkerboard | Experiment::Async) => {
                network.experiment.target(size[0], size[1])
            }
            _ => {
                let planes = network.target()?;
                Some(planes.iter().map(|plane| in_the_middle(plane, self.setup.size, size)).collect())
            }
        }
    }

    /// What can be drawn.
    pub fn view(&self, network: &Network, due: u32) -> LogicStage {
        let size = self.size() as u32;
        let shown = self.setup.shown;
        let mut soft = Vec::with_capacity(shown * self.acting.len());
        let mut hard = Vec::with_capacity(soft.capacity());
        for channel in 0..shown {
            let values = self.soft.grids().get(self.soft.state(0), channel);
            soft.extend(values.map(|x| (255.0 * x.clamp(0.0, 1.0)).round() as u8));
            hard.extend(self.hard.get(channel).map(u8::from));
        }
        let target: Vec<u8> =
            self.target(network).iter().flatten().flatten().map(|on| u8::from(*on)).collect();
        let wrong = |got: &[u8], yes: u8, which: usize| -> u32 {
            let got = got.iter().map(|x| *x >= yes);
            let wrong = match network.experiment {
                Experiment::Life if self.steps == 0 => 0,
                Experiment::Life => got.zip(&self.lived[which]).filter(|(got, right)| got != *right).count(),
                _ => got.zip(&target).filter(|(got, right)| *got != (**right == 1)).count(),
            };
            wrong as u32
        };
        LogicStage {
            width: size,
            height: size,
            multiple: self.multiple as u32,
            periodic: self.setup.periodic,
            shown: shown as u32,
            wrong_hard: wrong(&hard, 1, 1),
            wrong_soft: wrong(&soft, 128, 0),
            soft: Bytes(soft),
            hard: Bytes(hard),
            target: Bytes(target),
            step: self.steps,
            steps: due,
            playing: self.playing,
            pace: self.pace,
            fire_rate: self.fire_rate,
            cell: self.cell,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::LogicConfig;
    use super::*;

    #[test]
    fn a_picture_that_need_not_last_can_be_looked_at() {
        for experiment in [Experiment::Figure, Experiment::Letter, Experiment::Checkerboard] {
            let network = Network::new(&LogicConfig { experiment, ..LogicConfig::default() }, 1);
            let mut show = Show::new(&network, 1.0, Stream::new(1, 0));
            let due = 3;
            // As seldom as a busy page asks: several steps at a time.
            let mut seen = |seconds: f64| {
                show.animate(&network, due, seconds);
                show.view(&network, due).step
            };
            (0..8).for_each(|_| _ = seen(0.25));
            let step = seen(0.25);
            if experiment == Experiment::Checkerboard {
                assert!(step > due, "{experiment:?} went on to step {step}");
                continue;
            }
            assert_eq!(step, due, "{experiment:?}");
            let later = seen(2.0 * JUDGED).max(seen(0.25));
            assert!(later > due, "{experiment:?} goes on in the end, step {later}");
            show.restart();
            assert_eq!(show.view(&network, due).step, 0);
        }
    }
}
