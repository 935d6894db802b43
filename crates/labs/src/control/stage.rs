//! The stage: one world apart from training, in real time, that a visitor can push; and the critic's map.
//! None of this is saved and none of it touches what is learned.

use learnery_kernels::rng::Stream;
use learnery_lab::{Floats, LabError};
use learnery_worlds::control::CartPole;

use super::agent::{Agent, Scratch, greedy, log_probabilities};
use super::view::{ControlCommand, Plane, Stage};

/// Seconds a fall is left to be seen.
const MOURNING: f64 = 0.7;
/// Strongest push of a visitor, in newtons.
const STRONGEST: f32 = 30.0;
/// Points along each side of the map.
const PLANE: usize = 41;
/// Edges of the map: just beyond the angle at which an episode ends, and a speed rarely exceeded.
const PLANE_ANGLE: f32 = 0.25;
const PLANE_SPEED: f32 = 2.5;

/// What is only there to be looked at.
pub struct Show {
    stage: Stage,
    starts: Stream,
    episode: u64,
    /// Seconds that have passed and are not yet stepped.
    owed: f64,
    /// Seconds since the fall.
    mourned: f64,
    scratch: Scratch,
    plane: Vec<f32>,
    /// The update the map was drawn after.
    plane_of: Option<u64>,
}

impl Show {
    /// The stage of an agent.
    pub fn new(agent: &Agent, starts: Stream) -> Self {
        let stage = Stage {
            state: CartPole::start(starts, 0, 0),
            probabilities: [0.5; 2],
            value: 0.0,
            agent_force: 0.0,
            visitor_force: 0.0,
            steps: 0,
            best_steps: 0,
            fallen: false,
        };
        let scratch = agent.scratch(PLANE);
        let mut show = Self {
            stage,
            starts,
            episode: 0,
            owed: 0.0,
            mourned: 0.0,
            scratch,
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
            ControlCommand::Push { newtons } if newtons.abs() <= STRONGEST => {
                self.stage.visitor_force = newtons;
                Ok(())
            }
            ControlCommand::Push { newtons } => Err(LabError::Command(format!(
                "a push of {newtons} newtons is too strong; at most {STRONGEST} either way"
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
        let tau = f64::from(CartPole::TAU);
        while self.owed >= tau {
            self.owed -= tau;
            self.step(agent, tau);
        }
        if self.plane_of != Some(updates) {
            self.draw_plane(agent, updates);
            self.think(agent);
        }
    }

    fn step(&mut self, agent: &Agent, tau: f64) {
        if self.stage.fallen {
            self.mourned += tau;
            if self.mourned >= MOURNING {
                self.restart();
                self.think(agent);
            }
            return;
        }
        // There is no time limit here: a visitor may watch and push for as long as it stays up.
        let force = self.stage.agent_force + self.stage.visitor_force;
        self.stage.state = CartPole::step(self.stage.state, force);
        self.stage.steps += 1;
        self.stage.best_steps = self.stage.best_steps.max(self.stage.steps);
        if CartPole::is_over(self.stage.state) {
            self.stage.fallen = true;
            self.stage.agent_force = 0.0;
            self.mourned = 0.0;
        } else {
            self.think(agent);
        }
    }

    fn restart(&mut self) {
        self.episode += 1;
        self.stage.state = CartPole::start(self.starts, 0, self.episode);
        self.stage.steps = 0;
        self.stage.fallen = false;
    }

    /// What the agent makes of the present state.
    fn think(&mut self, agent: &Agent) {
        let seen = self.stage.state;
        self.stage.value = agent.values(&seen, 1, &mut self.scratch)[0];
        let logits = agent.logits(&seen, 1, &mut self.scratch);
        self.stage.probabilities = log_probabilities(logits).map(f32::exp);
        if !self.stage.fallen {
            self.stage.agent_force = if greedy(logits) == 0 { -CartPole::FORCE } else { CartPole::FORCE };
        }
    }

    fn draw_plane(&mut self, agent: &Agent, updates: u64) {
        let along = |i: usize, edge: f32| edge * (2.0 * i as f32 / (PLANE - 1) as f32 - 1.0);
        let mut row = [[0.0; 4]; PLANE];
        for (j, out) in self.plane.chunks_exact_mut(PLANE).enumerate() {
            for (i, seen) in row.iter_mut().enumerate() {
                *seen = [0.0, 0.0, along(i, PLANE_ANGLE), along(j, PLANE_SPEED)];
            }
            out.copy_from_slice(agent.values(row.as_flattened(), PLANE, &mut self.scratch));
        }
        self.plane_of = Some(updates);
    }

    /// The stage as it stands.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The critic's map as last drawn.
    pub fn plane(&self) -> Plane {
        Plane {
            size: PLANE as u32,
            angle: PLANE_ANGLE,
            speed: PLANE_SPEED,
            values: Floats(self.plane.clone()),
        }
    }
}
