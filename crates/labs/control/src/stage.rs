//! The stage: one world apart from training, in real time, that a visitor can push; and the critic's map.
//! None of this is saved and none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::control::Actions;

use super::World;
use super::agent::{Agent, Scratch};
use super::view::{ControlCommand, Plane, Stage};
use super::world::Map;

/// Seconds the end of an episode is left to be seen.
const MOURNING: f64 = 0.7;
/// Strongest push of a visitor, in units of the agent's own.
const STRONGEST: f32 = 3.0;
/// Points along each side of the map.
const PLANE: usize = 41;

/// What is only there to be looked at.
pub struct Show {
    world: World,
    starts: Stream,
    state: Vec<f32>,
    probabilities: Vec<f32>,
    /// The agent's action as its world has it.
    action: f32,
    stage: Stage,
    /// Seconds that have passed and are not yet stepped.
    owed: f64,
    /// Seconds since the end.
    mourned: f64,
    scratch: Scratch,
    seen: Vec<f32>,
    plane: Vec<f32>,
    /// The update the map was drawn after.
    plane_of: Option<u64>,
}

impl Show {
    /// The stage of an agent.
    pub fn new(agent: &Agent, starts: Stream) -> Self {
        let world = agent.world();
        let stage = Stage {
            state: Floats(Vec::new()),
            probabilities: Floats(Vec::new()),
            value: 0.0,
            agent: 0.0,
            visitor: 0.0,
            steps: 0,
            score: 0.0,
            episode: 0,
            best_steps: 0,
            fewest_steps: 0,
            over: false,
        };
        let mut show = Self {
            world,
            starts,
            state: world.kind().start(starts, 0, 0),
            probabilities: Vec::new(),
            action: 0.0,
            stage,
            owed: 0.0,
            mourned: 0.0,
            scratch: agent.scratch(PLANE),
            seen: vec![0.0; PLANE * agent.inputs()],
            plane: vec![0.0; PLANE * PLANE],
            plane_of: None,
        };
        show.think(agent);
        show.draw_plane(agent, 0);
        show
    }

    /// Carries out a visitor's command.
    pub fn apply(&mut self, command: ControlCommand) -> Result<(), LabError> {
        match command {
            ControlCommand::Push { strength } if strength.abs() <= STRONGEST => {
                self.stage.visitor = strength;
                Ok(())
            }
            ControlCommand::Push { strength } => Err(LabError::Command(format!(
                "a push of {strength} times the agent's own is too strong; at most {STRONGEST} either way"
            ))),
            ControlCommand::ResetStage => {
                self.restart();
                Ok(())
            }
        }
    }

    /// Lets `seconds` pass. `updates` tells whether the networks have changed since the last time.
    pub fn animate(&mut self, agent: &Agent, seconds: f64, updates: u64) {
        self.owed += seconds;
        let step = self.world.shown_step();
        while self.owed >= step {
            self.owed -= step;
            self.step(agent, step);
        }
        if self.plane_of != Some(updates) {
            self.draw_plane(agent, updates);
            self.think(agent);
        }
    }

    fn step(&mut self, agent: &Agent, seconds: f64) {
        if self.stage.over {
            self.mourned += seconds;
            if self.mourned >= MOURNING {
                self.restart();
                self.think(agent);
            }
            return;
        }
        let (state, reward, over) = self.world.step_pushed(&self.state, self.action, self.stage.visitor);
        self.state = state;
        self.stage.steps += 1;
        self.stage.score += reward;
        self.stage.best_steps = self.stage.best_steps.max(self.stage.steps);
        if over {
            let fewest = self.stage.fewest_steps;
            self.stage.fewest_steps =
                if fewest == 0 { self.stage.steps } else { fewest.min(self.stage.steps) };
            self.stage.over = true;
            self.stage.agent = 0.0;
            self.mourned = 0.0;
        } else if self.is_hopeless() {
            self.restart();
            self.think(agent);
        } else {
            self.think(agent);
        }
    }

    /// A pole may be watched and pushed for as long as it stays up, and a pendulum for ever; what never gets to its
    /// goal starts anew after its time.
    fn is_hopeless(&self) -> bool {
        let endless = matches!(self.world, World::CartPole | World::Pendulum);
        !endless && self.stage.steps >= self.world.kind().spec().max_steps
    }

    fn restart(&mut self) {
        self.stage.episode += 1;
        self.state = self.world.kind().start(self.starts, 0, self.stage.episode);
        self.stage.steps = 0;
        self.stage.score = 0.0;
        self.stage.over = false;
    }

    /// What the agent makes of the present state.
    fn think(&mut self, agent: &Agent) {
        let seen = &mut self.seen[..agent.inputs()];
        self.world.kind().observe(&self.state, seen);
        agent.normaliser.apply(seen);
        let mut value = [0.0];
        agent.values(seen, 1, &mut self.scratch, &mut value);
        self.stage.value = value[0];
        let (policy, answers) = (agent.policy(), agent.answers(seen, 1, &mut self.scratch));
        self.probabilities = policy.probabilities(answers);
        if !self.stage.over {
            self.action = policy.greedy(answers);
            self.stage.agent = match self.world.kind().spec().actions {
                Actions::Discrete(n) => 2.0 * self.action / (n - 1) as f32 - 1.0,
                Actions::Continuous { low, high } => self.action.clamp(low, high) / high,
            };
        }
    }

    fn draw_plane(&mut self, agent: &Agent, updates: u64) {
        let Map { fields: [fx, fy], edges: [x, y] } = self.world.map();
        let along = |i: usize, [low, high]: [f32; 2]| low + (high - low) * i as f32 / (PLANE - 1) as f32;
        let mut state = vec![0.0; self.state.len()];
        for (j, out) in self.plane.chunks_exact_mut(PLANE).enumerate() {
            for (i, seen) in self.seen.chunks_exact_mut(agent.inputs()).enumerate() {
                (state[fx], state[fy]) = (along(i, x), along(j, y));
                self.world.kind().observe(&state, seen);
            }
            agent.normaliser.apply(&mut self.seen);
            agent.values(&self.seen, PLANE, &mut self.scratch, out);
        }
        self.plane_of = Some(updates);
    }

    /// The stage as it stands.
    pub fn stage(&self) -> Stage {
        Stage {
            state: Floats(self.state.clone()),
            probabilities: Floats(self.probabilities.clone()),
            ..self.stage.clone()
        }
    }

    /// The critic's map as last drawn.
    pub fn plane(&self) -> Plane {
        let Map { fields, edges: [x, y] } = self.world.map();
        let size = PLANE as u32;
        Plane { size, fields: fields.map(|f| f as u32), x, y, values: Floats(self.plane.clone()) }
    }
}
