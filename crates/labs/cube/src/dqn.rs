//! Deep Q-learning (Mnih et al., 2015) with its usual improvements: two networks, of which one chooses and the other
//! judges (van Hasselt, Guez and Silver, 2016), returns of several steps, prioritised replay, and scrambles that grow
//! longer as they are solved.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row};
use learnery_nn::loss::{Targets, huber, softmax_cross_entropy};
use learnery_nn::{Adam, GradientShards, Tensors, Weights};
use learnery_worlds::cube::{State, distances, turns};

use super::acting::Acting;
use super::brain::{Brain, Lane, ROWS, Tape};
use super::judge::best_of;
use super::replay::{Replay, Step};
use super::scramble::scramble_up_to;
use super::{CubeConfig, optimiser, purpose};

/// Added to errors, so that nothing is forgotten for good.
const LEAST_PRIORITY: f32 = 0.01;

/// The learner.
pub struct Dqn {
    adam: Adam,
    /// The parameters of the network that judges.
    target: Weights,
    replay: Replay,
    acting: Acting,
    draws: Stream,
    lessons: Stream,
    pieces: GradientShards<Piece>,
    batch: Vec<Drawn>,
    /// What was learned about each of them. // [batch]
    errors: Vec<f32>,
    updates: u64,
    /// Updates of this iteration, and whether the cubes were turned before the next.
    count: u32,
    acted: bool,
    loss: f64,
    q: f64,
    losses: u64,
    grad_norms: f64,
}

/// A step drawn from the memory.
#[derive(Clone, Copy, Default)]
struct Drawn {
    place: u32,
    step: Step,
    /// How much it counts, to make up for how often it is drawn.
    weight: f32,
}

struct Piece {
    tape: Tape,
    lane: Lane,
    targets: Vec<f32>,
    choices: Vec<u8>,
    /// What was learned, row by row, to be gathered afterwards.
    errors: Vec<f32>,
    /// Shortest solutions, and what is taught of them.
    states: Vec<State>,
    taught: Vec<f32>,
    logits: Vec<f32>,
    losses: Vec<f32>,
    loss: f64,
    q: f64,
}

impl Dqn {
    /// Nothing learned yet.
    pub fn new(config: &CubeConfig, seed: u32, brain: &Brain) -> Self {
        let batch = config.batch as usize;
        let parameters = brain.weights.len();
        let most = batch.div_ceil(ROWS);
        let piece = || Piece {
            tape: brain.tape(),
            lane: brain.lane(),
            targets: vec![0.0; ROWS],
            choices: vec![0; ROWS],
            errors: Vec::with_capacity(ROWS),
            states: vec![0; ROWS],
            taught: vec![0.0; ROWS * brain.outputs()],
            logits: vec![0.0; ROWS * brain.outputs()],
            losses: vec![0.0; ROWS],
            loss: 0.0,
            q: 0.0,
        };
        Self {
            adam: Adam::new(parameters),
            target: brain.weights.clone(),
            replay: Replay::new(config.replay as usize),
            acting: Acting::new(config, seed, brain),
            draws: Stream::new(seed, purpose::DRAWS),
            lessons: Stream::new(seed, purpose::LESSONS),
            pieces: GradientShards::new(ROWS, most, parameters, piece),
            batch: vec![Drawn::default(); batch],
            errors: vec![0.0; batch],
            updates: 0,
            count: 0,
            acted: false,
            loss: 0.0,
            q: 0.0,
            losses: 0,
            grad_norms: 0.0,
        }
    }

    /// What is being solved.
    pub fn acting(&self) -> &Acting {
        &self.acting
    }

    /// Goes on as if so many updates had been made before.
    pub fn resume_at(&mut self, updates: u64) {
        self.updates = updates;
    }

    /// Updates made since the run began.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// How much of the iteration is done.
    pub fn share(&self, config: &CubeConfig) -> f32 {
        self.count as f32 / config.updates as f32
    }

    /// Begins an iteration.
    pub fn begin(&mut self) {
        (self.count, self.acted) = (0, false);
        (self.loss, self.q, self.losses, self.grad_norms) = (0.0, 0.0, 0, 0.0);
        self.acting.begin();
    }

    /// One step of an iteration: a turn of all cubes, or an update; true when the last update is done.
    pub fn step(&mut self, config: &CubeConfig, brain: &mut Brain) -> bool {
        if self.updates < u64::from(config.pretrain) {
            self.lesson(config, brain);
        } else {
            let needed = config.warm_up.min(config.replay) as usize;
            let due = !self.acted && self.count.is_multiple_of(config.act_every);
            if due || self.replay.len() < needed {
                self.acting.step(config, brain, self.updates, &mut self.replay);
                self.acted = true;
                return false;
            }
            self.update(config, brain);
        }
        self.updates += 1;
        self.count += 1;
        self.acted = false;
        if self.updates.is_multiple_of(u64::from(config.target_every))
            || self.updates == u64::from(config.pretrain)
        {
            self.target.copy_from(&brain.weights);
        }
        self.count >= config.updates
    }

    /// Draws a batch: one step from each of as many equal shares of the sum of all priorities.
    fn draw(&mut self, config: &CubeConfig) {
        let n = self.batch.len();
        let done = (self.updates as f64 / f64::from(config.importance_updates)).min(1.0);
        let beta = config.importance + (1.0 - config.importance) * done;
        let mut greatest: f32 = 0.0;
        for (i, drawn) in self.batch.iter_mut().enumerate() {
            let within = self.draws.uniform(self.updates, i as u64);
            let (place, share) = self.replay.at((i as f64 + f64::from(within)) / n as f64);
            let weight = (share * self.replay.len() as f64).powf(-beta) as f32;
            greatest = greatest.max(weight);
            *drawn = Drawn { place: place as u32, step: *self.replay.step(place), weight };
        }
        self.batch.iter_mut().for_each(|drawn| drawn.weight /= greatest);
    }

    fn update(&mut self, config: &CubeConfig, brain: &mut Brain) {
        self.draw(config);
        let (batch, target) = (&self.batch, &self.target);
        let (grads, pieces) = self.pieces.run(batch.len(), |share, piece, grads| {
            piece.clear();
            for rows in batch[share].chunks(ROWS) {
                piece.learn(config, brain, target, rows, 1.0 / batch.len() as f32, grads);
            }
        });
        let mut done = 0;
        for piece in pieces {
            self.errors[done..done + piece.errors.len()].copy_from_slice(&piece.errors);
            done += piece.errors.len();
            self.loss += piece.loss;
            self.q += piece.q;
        }
        self.losses += batch.len() as u64;
        let options = optimiser(config, self.updates);
        self.grad_norms += f64::from(brain.weights.update(|params| self.adam.step(params, grads, &options)));
        for (drawn, error) in self.batch.iter().zip(&self.errors) {
            // An error that is no number must not spoil all sums.
            let error = if error.is_finite() { error.abs() } else { 0.0 };
            let priority = (error + LEAST_PRIORITY).powf(config.priority as f32);
            self.replay.set(drawn.place as usize, priority);
        }
    }

    /// Teaches shortest solutions: every turn that leads nearer is as good, all others are wrong.
    fn lesson(&mut self, config: &CubeConfig, brain: &mut Brain) {
        let (batch, updates, lessons) = (self.batch.len(), self.updates, self.lessons);
        let (grads, pieces) = self.pieces.run(batch, |share, piece, grads| {
            piece.clear();
            for first in share.clone().step_by(ROWS) {
                let n = ROWS.min(share.end - first);
                let index = updates * batch as u64 + first as u64;
                piece.study(config, brain, lessons, index, n, 1.0 / batch as f32, grads);
            }
        });
        self.loss += pieces.map(|piece| piece.loss).sum::<f64>();
        self.losses += batch as u64;
        let options = optimiser(config, self.updates);
        self.grad_norms += f64::from(brain.weights.update(|params| self.adam.step(params, grads, &options)));
    }

    /// Means over the iteration.
    pub fn metrics(&self, out: &mut Row) {
        out.set("loss", self.loss / self.losses as f64);
        out.set("gradNorm", self.grad_norms / f64::from(self.count));
        out.set("q", self.q / self.losses as f64);
        self.acting.metrics(out);
    }

    /// What is needed to go on.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        tensors.absorb("adam/", self.adam.to_tensors());
        tensors.absorb("target/", self.target.to_tensors());
        tensors.absorb("replay/", self.replay.to_tensors());
        tensors.absorb("acting/", self.acting.to_tensors());
        tensors.insert("counters", &[1], &[self.updates]);
        tensors
    }

    /// Goes on from what [`Dqn::to_tensors`] gave.
    pub fn restore(&mut self, config: &CubeConfig, brain: &Brain, tensors: &Tensors) -> Result<(), LabError> {
        self.adam = Adam::from_tensors(brain.weights.len(), &tensors.under("adam/"))?;
        self.target = Weights::from_tensors(brain.weights.layout().clone(), &tensors.under("target/"))?;
        self.replay = Replay::from_tensors(config.replay as usize, &tensors.under("replay/"))?;
        self.acting.restore(config, &tensors.under("acting/"))?;
        self.updates = tensors.get("counters", &[1])?[0];
        Ok(())
    }
}

impl Piece {
    fn clear(&mut self) {
        self.errors.clear();
        (self.loss, self.q) = (0.0, 0.0);
    }

    /// Adds the gradient of some rows to `grads`.
    fn learn(
        &mut self,
        config: &CubeConfig,
        brain: &Brain,
        target: &Weights,
        rows: &[Drawn],
        weight: f32,
        grads: &mut [f32],
    ) {
        let count = brain.outputs();
        let next = || rows.iter().map(|drawn| drawn.step.next);
        if config.double {
            let said = brain.say(next(), &mut self.lane).chunks_exact(count);
            self.choices.iter_mut().zip(said).for_each(|(choice, q)| *choice = best_of(q, |_| true));
        }
        let judged = brain.say_with(target, next(), &mut self.lane).chunks_exact(count);
        for (i, (q, drawn)) in judged.zip(rows).enumerate() {
            let turn = if config.double { self.choices[i] } else { best_of(q, |_| true) };
            self.targets[i] = drawn.step.reward + drawn.step.discount * q[usize::from(turn)];
        }
        let states = rows.iter().map(|drawn| drawn.step.state);
        let (said, gradient) = brain.forward(states, &mut self.tape);
        gradient.fill(0.0);
        for (i, drawn) in rows.iter().enumerate() {
            let at = i * count + usize::from(drawn.step.turn);
            let error = said[at] - self.targets[i];
            let (loss, slope) = huber(error, config.huber as f32);
            gradient[at] = weight * drawn.weight * slope;
            self.errors.push(error);
            self.loss += f64::from(drawn.weight * loss);
            self.q += f64::from(said[at]);
        }
        brain.backward(&mut self.tape, grads);
    }

    /// Adds the gradient of `n` lessons from `first` on to `grads`.
    fn study(
        &mut self,
        config: &CubeConfig,
        brain: &Brain,
        lessons: Stream,
        first: u64,
        n: usize,
        weight: f32,
        grads: &mut [f32],
    ) {
        let (metric, count) = (config.metric.rules(), brain.outputs());
        let (turns, distances) = (turns(), distances(metric));
        for i in 0..n {
            let (state, ..) =
                scramble_up_to(turns, lessons, first + i as u64, config.pretrain_scramble, metric);
            self.states[i] = state;
            let nearer = |turn: usize| distances.of(turns.after(state, turn as u8)) < distances.of(state);
            let good = (0..count).filter(|turn| nearer(*turn)).count().max(1);
            for (turn, taught) in self.taught[i * count..][..count].iter_mut().enumerate() {
                *taught = if nearer(turn) { 1.0 / good as f32 } else { 0.0 };
            }
        }
        let (said, gradient) = brain.forward(self.states[..n].iter().copied(), &mut self.tape);
        // What the network says is worth of turns, all within one of each other; to tell good ones from bad ones it must
        // be sharper.
        const SHARP: f32 = 10.0;
        let logits = &mut self.logits[..n * count];
        logits.iter_mut().zip(said).for_each(|(logit, q)| *logit = SHARP * q);
        let losses = &mut self.losses[..n];
        softmax_cross_entropy(
            losses,
            gradient,
            logits,
            Targets::Rows(&self.taught[..n * count]),
            None,
            weight,
        );
        gradient.iter_mut().for_each(|d| *d *= SHARP);
        self.loss += losses.iter().map(|loss| f64::from(*loss)).sum::<f64>();
        brain.backward(&mut self.tape, grads);
    }
}
