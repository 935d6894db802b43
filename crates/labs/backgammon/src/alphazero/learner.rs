//! The AlphaZero learner: self-play and learning at the same time.
//!
//! A unit of a run is a fixed number of turns in every game. They are played with the weights that the unit began with,
//! while the network learns from games that ended in earlier units. So neither waits for the other, and the result does
//! not depend on the number of threads.

use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, Row, State};
use learnery_nn::{Adam, Tensors, Weights};
use learnery_search::Turn;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::network::Network;
use super::optimiser::{Losses, Optimiser};
use super::replay::ReplayBuffer;
use super::sample;
use super::self_play::{Context, GROUP, GameGroup, Streams};
use super::self_play_counts::SelfPlayCounts;
use super::settings::AlphaZeroSettings;
use crate::config::MAX_REUSE;
use crate::counters::{check, check_adam_steps, check_at_most, check_equal, finished_games, read_counter};
use crate::purpose;

/// Rounds of every search in a step: about a millisecond for a thread. A round runs one simulation in each search.
const ROUNDS: u32 = 2;
/// The maximum number of positions that a step learns from (or one minibatch, if that is larger), so that steps stay
/// short.
const MAX_POSITIONS_PER_STEP: usize = 1024;
/// An upper bound of the mean number of turns that the games under way have at the beginning of a unit. Games of
/// trained players have some 60 turns, random games some hundred. It bounds the positions of the games that can end in
/// a unit.
const MAX_MEAN_TURNS: f64 = 4096.0;

/// The progress of a unit.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    /// Minibatches planned for the unit.
    minibatches: u64,
    /// Minibatches done so far.
    done: u64,
    /// Steps of the unit so far.
    steps: u64,
}

/// The state of a run with this learner.
pub struct AlphaZeroLearner {
    settings: AlphaZeroSettings,
    streams: Streams,
    /// The network that learns.
    network: Network,
    /// The network that plays: the weights with which the unit began.
    player: Network,
    groups: Vec<GameGroup>,
    replay: ReplayBuffer,
    optimiser: Optimiser,
    /// Minibatches learned from since the run began.
    updates: u64,
    /// Positions of finished games since the run began.
    positions: u64,
    plan: Plan,
    unit_under_way: bool,
    /// Statistics of the last whole unit.
    unit_counts: SelfPlayCounts,
    /// Losses of the last whole unit.
    losses: Losses,
    /// Mean gradient norm of the last whole unit; NaN without updates.
    grad_norm: f64,
    /// Statistics of all whole units since the run began or was loaded.
    total_counts: SelfPlayCounts,
}

impl AlphaZeroLearner {
    pub fn new(settings: AlphaZeroSettings, seed: u32) -> Self {
        Self::assemble(
            settings,
            seed,
            Network::new(settings.policy, Stream::new(seed, purpose::ALPHAZERO_WEIGHTS)),
        )
    }

    fn assemble(settings: AlphaZeroSettings, seed: u32, network: Network) -> Self {
        let streams = Streams::new(seed);
        let context = Context { settings: &settings, streams: &streams, network: &network };
        let group = |first: usize| {
            let games = GROUP.min(settings.games - first);
            GameGroup::new(&context, first as u64, games, settings.games as u64)
        };
        let groups = (0..settings.games).step_by(GROUP).map(group).collect();
        let player =
            Network { plan: network.plan.clone(), weights: Weights::new(network.weights.layout().clone()) };
        let batches = Stream::new(seed, purpose::ALPHAZERO_BATCHES);
        Self {
            settings,
            streams,
            groups,
            replay: ReplayBuffer::new(settings.memory),
            optimiser: Optimiser::new(&settings, &network, batches),
            network,
            player,
            updates: 0,
            positions: 0,
            plan: Plan::default(),
            unit_under_way: false,
            unit_counts: SelfPlayCounts::default(),
            losses: Losses::default(),
            grad_norm: f64::NAN,
            total_counts: SelfPlayCounts::default(),
        }
    }

    /// Runs one step: a few rounds of every search, and the minibatches that are due. Returns whether it was the unit's
    /// last.
    pub fn step(&mut self) -> bool {
        if !self.unit_under_way {
            self.begin_unit();
        }
        let due = self.due_minibatches();
        let Self { settings, streams, network, player, groups, replay, optimiser, plan, .. } = self;
        let (settings, replay) = (&*settings, &*replay);
        let context = Context { settings, streams, network: player };
        let (first, now) = (self.updates, due - plan.done);
        let (turns_remain, ()) = rayon::join(
            || {
                let groups = groups.par_iter_mut().with_max_len(1);
                groups.map(|group| group.step(&context, ROUNDS)).reduce(|| false, |a, b| a | b)
            },
            || {
                (first..first + now).for_each(|update| optimiser.step(network, replay, settings, update));
            },
        );
        self.updates += now;
        self.plan.done = due;
        let unit_is_complete = !turns_remain && due == self.plan.minibatches;
        if unit_is_complete {
            self.end_unit();
        }
        unit_is_complete
    }

    /// Counts a step, and returns how many of the unit's minibatches should be done at the end of this step. They are
    /// spread evenly over the steps that the unit's turns are expected to take, as far as each step stays short.
    fn due_minibatches(&mut self) -> u64 {
        let Self { settings, plan, .. } = self;
        // Each turn of a game takes one round for each simulation.
        let rounds = u64::from(settings.turns) * settings.mean_simulations();
        let steps = (rounds / u64::from(ROUNDS)).max(1);
        plan.steps += 1;
        let due = plan.minibatches * plan.steps.min(steps) / steps;
        let max_per_step = (MAX_POSITIONS_PER_STEP / settings.batch).max(1) as u64;
        due.min(plan.done + max_per_step)
    }

    /// Begins a unit: from now on the current weights play.
    fn begin_unit(&mut self) {
        self.player.weights.copy_from(&self.network.weights);
        let Self { settings, streams, player, groups, .. } = self;
        let context = Context { settings, streams, network: player };
        groups.par_iter_mut().with_max_len(1).for_each(|group| group.begin_unit(&context));
        self.optimiser.begin_unit();
        self.unit_under_way = true;
    }

    /// Moves the samples of the games that ended to the replay buffer, and plans the minibatches of the next unit.
    fn end_unit(&mut self) {
        self.unit_counts = SelfPlayCounts::default();
        let mut fresh = 0;
        for group in &self.groups {
            group.finished().iter().for_each(|sample| self.replay.push(*sample));
            fresh += group.finished().len();
            self.unit_counts.add(group.counts());
        }
        self.total_counts.add(&self.unit_counts);
        self.losses = self.optimiser.losses;
        let (norms, updates) = self.optimiser.gradient_norms;
        self.grad_norm = if updates > 0 { norms / updates as f64 } else { f64::NAN };
        self.positions += fresh as u64;
        self.plan = Plan { minibatches: self.minibatches_for(fresh), ..Plan::default() };
        self.unit_under_way = false;
    }

    /// Whether the replay buffer has enough samples for a minibatch.
    fn can_learn(&self) -> bool {
        self.replay.len() >= self.settings.batch.min(self.settings.memory)
    }

    /// The number of minibatches that learn from each of `fresh` new positions `reuse` times.
    fn minibatches_for(&self, fresh: usize) -> u64 {
        if !self.can_learn() {
            return 0;
        }
        (fresh as f64 * f64::from(self.settings.reuse) / self.settings.batch as f64).ceil() as u64
    }

    /// Applies settings that the user has changed during the run.
    pub fn configure(&mut self, settings: AlphaZeroSettings) {
        self.settings = settings;
    }

    /// Positions of finished games since the run began.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Self-play counts, losses and mean gradient norm of the last completed unit.
    pub fn report(&self) -> (&SelfPlayCounts, &Losses, f64) {
        (&self.unit_counts, &self.losses, self.grad_norm)
    }

    pub fn metrics(&self, out: &mut Row) {
        let (counts, losses) = (&self.unit_counts, &self.losses);
        let games = counts.games as f64;
        out.set("games", games);
        out.set("gammons", counts.gammons as f64 / games);
        out.set("length", counts.turns as f64 / games);
        out.set("loss", losses.value / losses.positions);
        out.set("policyLoss", losses.policy / losses.policies);
        out.set("entropy", losses.entropy / losses.policies);
        out.set("gradNorm", self.grad_norm);
    }

    /// The played fraction of the unit's turns, 0 to 1.
    pub fn unit_fraction(&self) -> f32 {
        let all = self.settings.games as f32 * self.settings.turns as f32;
        let remaining: u32 = self.groups.iter().map(GameGroup::turns_left).sum();
        if self.unit_under_way { 1.0 - remaining as f32 / all } else { 0.0 }
    }

    /// The network that learns. Its weights at the beginning of a unit are also those that play.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// For each game under way: the position and roll of its current turn, and the number of that turn in the game.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        self.groups.iter().flat_map(GameGroup::turns)
    }

    /// Statistics since the run began or was loaded, the unit under way included.
    pub fn totals(&self) -> SelfPlayCounts {
        let mut totals = self.total_counts;
        if self.unit_under_way {
            self.groups.iter().for_each(|group| totals.add(group.counts()));
        }
        totals
    }

    /// Games that have ended since the run began.
    pub fn finished_games(&self) -> Result<u64, LabError> {
        finished_games(self.groups.iter().flat_map(GameGroup::numbers), self.settings.games as u64)
    }

    #[cfg(test)]
    pub fn samples(&self) -> Vec<sample::Sample> {
        self.replay.iter().copied().collect()
    }

    #[cfg(test)]
    pub fn player_weights(&self) -> &[f32] {
        self.player.weights.flat()
    }

    #[cfg(test)]
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// Saves everything needed to continue. Must be called between two units.
    pub fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("adam/", self.optimiser.adam.to_tensors());
        tensors.absorb("memory/", sample::to_tensors(self.replay.iter()));
        for (i, group) in self.groups.iter().enumerate() {
            tensors.absorb(&format!("table{i}/"), group.to_tensors());
        }
        let scalars = json!({
            "updates": self.updates,
            "positions": self.positions,
            "planned": self.plan.minibatches,
        });
        State { scalars, tensors }
    }

    /// Continues from what [`AlphaZeroLearner::save`] saved after `units` units.
    pub fn load(
        settings: AlphaZeroSettings,
        seed: u32,
        units: u64,
        scalars: &Value,
        tensors: &Tensors,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(settings.policy, &tensors.under("network/"))?;
        let mut learner = Self::assemble(settings, seed, network);
        let parameters = learner.network.weights.len();
        learner.optimiser.adam = Adam::from_tensors(parameters, &tensors.under("adam/"))?;
        let samples = sample::from_tensors(&tensors.under("memory/"))?;
        check(samples.len() <= settings.memory, || {
            "its replay buffer holds more positions than its settings allow".into()
        })?;
        samples.into_iter().for_each(|sample| learner.replay.push(sample));
        for (i, group) in learner.groups.iter_mut().enumerate() {
            group.restore(&tensors.under(&format!("table{i}/")))?;
        }
        learner.updates = read_counter(scalars, "updates")?;
        learner.positions = read_counter(scalars, "positions")?;
        learner.plan.minibatches = read_counter(scalars, "planned")?;
        learner.check_counters(units)?;
        check_adam_steps(&tensors.under("adam/"), learner.updates)?;
        Ok(learner)
    }

    /// Rejects counters that contradict the settings or each other.
    fn check_counters(&self, units: u64) -> Result<(), LabError> {
        let Self { settings, replay, updates, positions, plan, .. } = self;
        let turns_per_unit = settings.games as u64 * u64::from(settings.turns);
        let under_way: u64 = self.turns().map(|(_, turn)| u64::from(turn)).sum();
        let turns_played = units.checked_mul(turns_per_unit);
        let in_finished_games = turns_played.and_then(|turns| turns.checked_sub(under_way));
        check_equal("positions", *positions, in_finished_games)?;
        // The replay buffer has all positions, or the latest as far as it has room.
        let remembered = (*positions).min(settings.memory as u64);
        check(replay.len() as u64 == remembered, || {
            format!("its replay buffer holds {} positions; expected {remembered}", replay.len())
        })?;
        // A unit learns from each new position `reuse` times, and rounds the number of minibatches up.
        let per_position = MAX_REUSE / settings.batch as f64;
        check_at_most("updates", *updates, (*positions as f64 * per_position + units as f64).ceil())?;
        // The most positions that the games of the last unit can have added to the replay buffer.
        let fresh = settings.games as f64 * (f64::from(settings.turns) + MAX_MEAN_TURNS);
        let planned = (*positions as f64).min(fresh) * per_position;
        let planned = if self.can_learn() { planned.ceil() } else { 0.0 };
        check_at_most("planned", plan.minibatches, planned)
    }
}
