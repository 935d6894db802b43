//! The 2x2x2 cube: learners that solve it, and a judge that knows every state.
//!
//! An iteration (a *unit*) is a number of updates, and then, where one is due, a judgement; each is made of small *steps*.

mod about;
mod acting;
mod beam;
mod brain;
mod config;
mod doubts;
mod dqn;
mod judge;
mod replay;
mod scramble;
mod solver;
mod space;
mod stage;
mod view;
mod walks;

use learnery_kernels::rng::Stream;
use learnery_lab::{About, Budget, EvalRequest, Floats, Goal, Lab, LabError, Report, Row, State, Status};
use learnery_nn::{AdamOptions, Decay, Schedule, Tensors};
use learnery_worlds::cube::{Distances, distances};
use serde_json::json;

use brain::Brain;
pub use config::{CubeConfig, Encoding, Learner, Metric};
use dqn::Dqn;
use judge::Judge;
pub use judge::{DISTANCES, Verdict};
/// What a command line asks of the rules.
pub use learnery_worlds::cube::{held_from_stickers, parse, shortest_solution};
pub use solver::{Searched, Solver};
use space::Space;
use stage::Show;
pub use view::{Attempt, CubeCommand, CubeView, Phase, Stage};
use walks::Walks;

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const NETWORK: u32 = 1;
    pub const SCRAMBLES: u32 = 2;
    pub const EPISODES: u32 = 3;
    pub const CHOICES: u32 = 4;
    pub const DRAWS: u32 = 5;
    pub const LESSONS: u32 = 6;
    pub const STAGE: u32 = 7;
    pub const EVALUATION: u32 = 8;
    pub const DOUBTS: u32 = 9;
}

/// How wide a beam is where `eval` is asked for searches.
const BEAM: usize = 128;

/// A run of the cube lab.
pub struct Cube {
    config: CubeConfig,
    brain: Brain,
    space: Space,
    mind: Mind,
    judge: Judge,
    phase: Phase,
    /// Whether an iteration is going on.
    begun: bool,
    /// Whether the next one is nothing but a judgement, so that what a trained network can do is seen first.
    judge_first: bool,
    /// Iterations before this one.
    unit: u64,
    /// The last verdict, and whether it is of the iteration that has just ended.
    verdict: Option<Verdict>,
    judged: bool,
    known: &'static Distances,
    show: Show,
}

/// The learner.
enum Mind {
    Dqn(Box<Dqn>),
    Walks(Box<Walks>),
}

impl Mind {
    fn updates(&self) -> u64 {
        match self {
            Self::Dqn(dqn) => dqn.updates(),
            Self::Walks(walks) => walks.updates(),
        }
    }
}

/// The optimiser's options for update `update`.
fn optimiser(config: &CubeConfig, update: u64) -> AdamOptions {
    let factor = match config.anneal {
        0 => 1.0,
        steps => {
            let steps = u64::from(steps);
            Schedule { warm_up: 0, steps, floor: 0.01, decay: Decay::Cosine }.at(update)
        }
    };
    AdamOptions {
        lr: (config.learning_rate * factor) as f32,
        max_norm: config.max_grad_norm as f32,
        ..AdamOptions::default()
    }
}

impl Cube {
    fn assemble(config: CubeConfig, seed: u32, brain: Brain) -> Self {
        let space = Space::new(config.metric.rules(), config.by_class());
        let mind = match config.learner {
            Learner::Dqn => Mind::Dqn(Box::new(Dqn::new(&config, seed, &brain))),
            _ => Mind::Walks(Box::new(Walks::new(&config, seed, &brain, &space))),
        };
        let judge = Judge::new(&brain, &space);
        let show = Show::new(&brain, &space, Stream::new(seed, purpose::STAGE));
        Self {
            known: distances(space.metric()),
            config,
            brain,
            space,
            mind,
            judge,
            phase: Phase::Learning,
            begun: false,
            judge_first: false,
            unit: 0,
            verdict: None,
            judged: false,
            show,
        }
    }

    /// One step; true when it was the last of the unit.
    fn step(&mut self) -> bool {
        if self.phase == Phase::Judged {
            let done = self.judge.step(&self.brain, &self.space);
            if done {
                self.verdict = Some(*self.judge.verdict());
                self.judged = true;
            }
            return done && self.finish();
        }
        if !self.begun {
            self.begun = true;
            if std::mem::take(&mut self.judge_first) {
                self.judge();
                return false;
            }
            match &mut self.mind {
                Mind::Dqn(dqn) => dqn.begin(),
                Mind::Walks(walks) => walks.begin(),
            }
        }
        let done = match &mut self.mind {
            Mind::Dqn(dqn) => dqn.step(&self.config, &mut self.brain),
            Mind::Walks(walks) => walks.step(&self.config, &mut self.brain, &self.space),
        };
        done && !self.begin_judgement() && self.finish()
    }

    /// Begins a judgement where one is due: after the first iteration too, so that there soon is something to see.
    fn begin_judgement(&mut self) -> bool {
        self.judged = false;
        let every = u64::from(self.config.judge_every);
        let due = every > 0 && (self.unit == 0 || (self.unit + 1).is_multiple_of(every));
        if due {
            self.judge();
        }
        due
    }

    fn judge(&mut self) {
        self.judge.begin(&self.brain, self.config.judge_within as usize);
        self.phase = Phase::Judged;
    }

    fn finish(&mut self) -> bool {
        self.unit += 1;
        self.phase = Phase::Learning;
        self.begun = false;
        true
    }

    /// Episodes that dqn has behind it; none of the other learners.
    pub fn episodes(&self) -> u64 {
        match &self.mind {
            Mind::Dqn(dqn) => dqn.acting().episodes(),
            Mind::Walks(_) => 0,
        }
    }

    /// A figure of the last verdict at each distance.
    fn by_distance(&self, figure: impl Fn(&Verdict, usize) -> f64) -> Floats {
        let at = |d| self.verdict.as_ref().map_or(f64::NAN, |verdict| figure(verdict, d)) as f32;
        Floats((0..self.known.counts().len()).map(at).collect())
    }
}

impl Lab for Cube {
    const ABOUT: About = about::ABOUT;
    type Config = CubeConfig;
    type Command = CubeCommand;
    type View = CubeView;

    fn new(config: CubeConfig, seed: u32) -> Result<Self, LabError> {
        let brain = Brain::new(&config, Stream::new(seed, purpose::NETWORK));
        Ok(Self::assemble(config, seed, brain))
    }

    fn goal(config: &CubeConfig) -> Option<Goal> {
        let goal = config.goal;
        let words = match config.judge_within {
            14 => format!("{goal}% of all 3,674,160 states solved greedily"),
            turns => format!("{goal}% of all states within {turns} turns solved greedily"),
        };
        (config.judge_every > 0).then_some(Goal { metric: "solved", target: goal, words })
    }

    fn schedule(config: &CubeConfig) -> Option<u64> {
        (config.anneal > 0).then(|| u64::from(config.anneal.div_ceil(config.updates)))
    }

    fn configure(&mut self, config: CubeConfig) {
        self.config = config;
    }

    fn advance(&mut self, budget: &mut Budget) -> Status {
        while budget.allows() {
            let unit_is_over = self.step();
            budget.spend();
            if unit_is_over {
                return Status::Unit;
            }
        }
        Status::Ready
    }

    fn apply(&mut self, command: CubeCommand) -> Result<(), LabError> {
        self.show.apply(&self.space, &command)
    }

    fn animate(&mut self, seconds: f64) {
        self.show.animate(&self.brain, &self.space, seconds, self.mind.updates());
    }

    fn work(&self) -> u64 {
        self.mind.updates() * u64::from(self.config.batch)
    }

    fn metrics(&self, out: &mut Row) {
        match &self.mind {
            Mind::Dqn(dqn) => dqn.metrics(out),
            Mind::Walks(walks) => walks.metrics(out),
        }
        if let (true, Some(verdict)) = (self.judged, &self.verdict) {
            out.set("solved", 100.0 * verdict.share());
            out.set("excess", verdict.mean_excess());
        }
    }

    fn view(&self) -> CubeView {
        let (level, level_to, share) = match &self.mind {
            Mind::Dqn(dqn) => (dqn.acting().level(), self.config.level_to, dqn.share(&self.config)),
            Mind::Walks(walks) => (self.config.scramble, self.config.scramble, walks.share(&self.config)),
        };
        let mean = |sum: u64, count: u64| sum as f64 / count as f64;
        CubeView {
            learner: self.config.learner,
            metric: self.config.metric,
            phase: self.phase,
            phase_share: if self.phase == Phase::Judged { self.judge.share() } else { share },
            shares: self.by_distance(Verdict::share_at),
            excesses: self.by_distance(|verdict, d| mean(verdict.excess[d], verdict.solved[d])),
            counts: Floats(self.known.counts().iter().map(|n| *n as f32).collect()),
            solved: self.verdict.map_or(f32::NAN, |verdict| verdict.share() as f32),
            level,
            level_to,
            stage: self.show.view(&self.space),
        }
    }

    fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.brain.weights.to_tensors());
        tensors.absorb(
            "learner/",
            match &self.mind {
                Mind::Dqn(dqn) => dqn.to_tensors(),
                Mind::Walks(walks) => walks.to_tensors(),
            },
        );
        State { scalars: json!({ "unit": self.unit, "judgeFirst": self.judge_first }), tensors }
    }

    fn load(config: CubeConfig, seed: u32, state: &State) -> Result<Self, LabError> {
        let brain = Brain::from_tensors(&config, &state.tensors.under("network/"))?;
        let mut run = Self::assemble(config, seed, brain);
        let tensors = state.tensors.under("learner/");
        match &mut run.mind {
            Mind::Dqn(dqn) => dqn.restore(&run.config, &run.brain, &tensors)?,
            Mind::Walks(walks) => walks.restore(&run.brain, &run.space, &tensors)?,
        }
        let unit = state.scalars["unit"].as_u64();
        run.unit = unit.ok_or_else(|| LabError::Checkpoint("its counter `unit` is missing".into()))?;
        run.judge_first = state.scalars["judgeFirst"] == true;
        Ok(run)
    }

    fn load_network(config: CubeConfig, seed: u32, network: &Tensors, work: u64) -> Result<Self, LabError> {
        let brain = Brain::from_tensors(&config, network)?;
        let mut run = Self::assemble(config, seed, brain);
        let updates = work / u64::from(run.config.batch);
        match &mut run.mind {
            Mind::Dqn(dqn) => dqn.resume_at(updates),
            Mind::Walks(walks) => walks.resume_at(updates),
        }
        run.judge_first = run.config.judge_every > 0;
        Ok(run)
    }

    fn evaluate(config: &CubeConfig, network: &Tensors, request: &EvalRequest) -> Result<Report, LabError> {
        if let Some(against) = &request.against {
            return Err(LabError::Evaluation(format!("nobody plays against a cube, so not `{against}`")));
        }
        let games = request.games.unwrap_or(0);
        if request.games == Some(0) || games > 1_000_000 {
            return Err(LabError::Evaluation(format!(
                "{games} states to search from; expected 1 to 1000000"
            )));
        }
        let mut solver = Solver::new(config, network, None)?;
        let verdict = *solver.judge();
        let (solved, excess) = (verdict.share(), verdict.mean_excess());
        let within_5 = |numbers: &[u64; DISTANCES]| numbers[..6].iter().sum::<u64>() as f64;
        let near = within_5(&verdict.solved) / within_5(&verdict.states);
        let mut summary =
            format!("greedy from all states: {:.2}% solved, {excess:.3} turns too many", 100.0 * solved);
        let mut figures = vec![
            ("solved", 100.0 * solved, "%"),
            ("excess", excess, "turns"),
            ("solved within 5 turns", 100.0 * near, "%"),
            ("parameters", solver.parameters() as f64, ""),
        ];
        if games > 0 {
            let searched = solver.search(BEAM, games, request.seed);
            summary += &format!("; a beam of {BEAM} solves {:.2}% of {games}", 100.0 * searched.share());
            figures.push(("solved by beam", 100.0 * searched.share(), "%"));
            figures.push(("excess by beam", searched.mean_excess(), "turns"));
        }
        Ok(Report { summary, figures })
    }
}
