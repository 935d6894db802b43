//! The AlphaZero learner: self-play and learning at the same time.
//!
//! A unit of a run is a fixed number of turns in every game. They are played with the weights that the unit
//! began with, while the network learns from games that ended in earlier units. So self-play and learning run
//! in parallel, and their timing has no influence on the result. A sample is a position with its targets.
//!
//! The games are played on this machine in groups ([`GameGroup`]) or by the actors of a fleet (`fleet/`).
//! Either way the turns arrive as bytes, from which the tables reconstruct the games at the end of the unit.

use learnery_backgammon_play::game::Turn;
use learnery_kernels::rng::Stream;
use learnery_lab::{LabError, OnDevice, Row, State, Status};
use learnery_nn::{Adam, Tensors, Weights};
use rayon::prelude::*;
use serde_json::{Value, json};

#[cfg(not(target_family = "wasm"))]
use super::fleet::Shared;
use super::network::Network;
use super::optimiser::{Losses, Optimiser};
use super::replay::ReplayBuffer;
use super::sample;
use super::self_play::{Context, GAMES_PER_GROUP, GameGroup, Streams};
use super::self_play_counts::SelfPlayCounts;
use super::settings::AlphaZeroSettings;
use super::table::Table;
use crate::config::MAX_REUSE;
use crate::counters::{check, check_adam_steps, check_at_most, check_equal, finished_games, read_counter};
use crate::purpose;

/// The maximum number of positions that a step on the CPU learns from, so that steps stay short; but a step
/// may always do one minibatch, however large.
pub const MAX_POSITIONS_PER_STEP: usize = 1024;
/// An upper bound of the mean number of turns already played in the games under way at the beginning of a
/// unit, far above what occurs: games of trained players have some 60 turns, random games some 110.
/// `check_counters` derives from it the maximum number of new positions in a unit.
const MAX_MEAN_TURNS: f64 = 4096.0;

/// The progress of a unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitProgress {
    /// Minibatches planned for the unit.
    pub minibatches: u64,
    /// Minibatches done so far. On a GPU `gpu::Unit` counts them, and this stays 0.
    pub minibatches_done: u64,
    /// Steps of the unit so far.
    steps: u64,
}

/// The AlphaZero learner of a run: networks, self-play games, replay buffer and optimiser.
pub struct AlphaZeroLearner {
    pub(super) settings: AlphaZeroSettings,
    pub(super) streams: Streams,
    /// The network that learns.
    pub(super) network: Network,
    /// The network that plays: the weights with which the unit began.
    pub(super) player: Network,
    /// The games with their records, up to 64 in each table.
    pub(super) tables: Vec<Table>,
    /// Group `i` plays the games of table `i`. Empty if a fleet plays.
    pub(super) groups: Vec<GameGroup>,
    /// The fleet's results for this unit; `None` if the games are played on this machine.
    #[cfg(not(target_family = "wasm"))]
    pub(super) shared: Option<Shared>,
    pub(super) replay: ReplayBuffer,
    pub(super) optimiser: Optimiser,
    /// Weight updates since the run began, one for each minibatch.
    pub(super) updates: u64,
    /// Positions of finished games since the run began.
    positions: u64,
    pub(super) unit: UnitProgress,
    pub(super) unit_under_way: bool,
    /// Self-play counts of the last completed unit.
    last_counts: SelfPlayCounts,
    /// Losses of the last completed unit.
    last_losses: Losses,
    /// Mean gradient norm of the last completed unit; NaN if it had no updates.
    last_grad_norm: f64,
    /// Self-play counts of all completed units since the run began or was loaded.
    total_counts: SelfPlayCounts,
    /// The networks and the optimiser on a GPU; `None` on the CPU.
    pub(super) device: Option<Device>,
}

/// The part of a run on a GPU.
pub(super) type Device = Box<dyn for<'a> OnDevice<DeviceRun<'a>>>;

/// What a GPU reads and changes of a learner.
#[cfg_attr(not(feature = "gpu"), expect(dead_code, reason = "only a GPU reads it"))]
pub struct DeviceRun<'a> {
    pub context: Context<'a>,
    /// The network that learns. Its CPU copy changes at the end of a unit.
    pub network: &'a mut Network,
    pub groups: &'a mut [GameGroup],
    pub replay: &'a ReplayBuffer,
    pub optimiser: &'a mut Optimiser,
    /// Updates before this unit.
    pub updates: u64,
    /// Minibatches planned for the unit.
    pub planned: u64,
}

impl AlphaZeroLearner {
    pub fn new(settings: AlphaZeroSettings, seed: u32) -> Self {
        Self::with_network(
            settings,
            seed,
            Network::new(settings.policy, Stream::new(seed, purpose::ALPHAZERO_WEIGHTS)),
        )
    }

    /// A new run with this network, before its first unit.
    fn with_network(settings: AlphaZeroSettings, seed: u32, network: Network) -> Self {
        let streams = Streams::new(seed);
        let context = Context { settings: &settings, streams: &streams, network: &network };
        let firsts = (0..settings.games).step_by(GAMES_PER_GROUP);
        let table = |first| Table::new(&context, first as u64, GAMES_PER_GROUP.min(settings.games - first));
        let tables: Vec<Table> = firsts.map(table).collect();
        let groups = tables.iter().map(|table| GameGroup::new(&context, table.len())).collect();
        // `begin_unit` copies the weights.
        let player =
            Network { plan: network.plan.clone(), weights: Weights::new(network.weights.layout().clone()) };
        let batches = Stream::new(seed, purpose::ALPHAZERO_BATCHES);
        Self {
            settings,
            streams,
            tables,
            groups,
            #[cfg(not(target_family = "wasm"))]
            shared: None,
            replay: ReplayBuffer::new(settings.memory),
            optimiser: Optimiser::new(&settings, &network, batches),
            network,
            player,
            updates: 0,
            positions: 0,
            unit: UnitProgress::default(),
            unit_under_way: false,
            last_counts: SelfPlayCounts::default(),
            last_losses: Losses::default(),
            last_grad_norm: f64::NAN,
            total_counts: SelfPlayCounts::default(),
            device: None,
        }
    }

    /// Runs one step. On the CPU: one or two rounds of every search, and the minibatches that are due. (A
    /// round of a search advances it by about a simulation; what the page calls a round is a unit.) Its
    /// status is [`Status::UnitFinished`] if it was the unit's last.
    pub fn step(&mut self) -> Status {
        #[cfg(not(target_family = "wasm"))]
        if self.shared.is_some() {
            return self.step_of_shared_run();
        }
        if !self.unit_under_way {
            self.begin_unit();
        }
        if self.device.is_some() {
            return self.step_on_device();
        }
        let due = self.count_step();
        let rounds = self.settings.rounds_per_step();
        let Self { settings, streams, network, player, groups, replay, optimiser, unit, .. } = self;
        let (settings, replay) = (&*settings, &*replay);
        let context = Context { settings, streams, network: player };
        let (first_update, minibatches) = (self.updates, due - unit.minibatches_done);
        let (turns_remain, ()) = rayon::join(
            || {
                // One group for each task.
                let groups = groups.par_iter_mut().with_max_len(1);
                groups.map(|group| group.step(&context, rounds)).reduce(|| false, |a, b| a | b)
            },
            || {
                let updates = first_update..first_update + minibatches;
                updates.for_each(|update| optimiser.step(network, replay, settings, update));
            },
        );
        self.updates += minibatches;
        self.unit.minibatches_done = due;
        let unit_is_complete = !turns_remain && due == self.unit.minibatches;
        if unit_is_complete {
            self.end_unit();
            return Status::UnitFinished;
        }
        Status::Ready
    }

    /// Counts a step, and returns how many minibatches of the unit should be done after it: spread evenly
    /// over the expected steps, but at most [`MAX_POSITIONS_PER_STEP`] positions in a step.
    fn count_step(&mut self) -> u64 {
        // An estimate: a turn takes one round for each simulation. Simulations that also need a policy take
        // two, and turns with a single play none.
        let rounds = u64::from(self.settings.turns) * self.settings.mean_simulations();
        let expected_steps = (rounds / u64::from(self.settings.rounds_per_step())).max(1);
        let Self { settings, unit, .. } = self;
        unit.steps += 1;
        let due = unit.minibatches * unit.steps.min(expected_steps) / expected_steps;
        let max_per_step = (MAX_POSITIONS_PER_STEP / settings.batch).max(1) as u64;
        due.min(unit.minibatches_done + max_per_step)
    }

    /// Begins a unit: copies the current weights to the network that plays.
    pub(super) fn begin_unit(&mut self) {
        self.player.weights.copy_from(&self.network.weights);
        let Self { settings, streams, player, tables, groups, .. } = self;
        let context = Context { settings, streams, network: player };
        let groups = groups.par_iter_mut().with_max_len(1).zip(tables);
        groups.for_each(|(group, table)| group.begin_unit(&context, table.games()));
        self.optimiser.begin_unit();
        self.unit_under_way = true;
    }

    /// Gives what was played to the tables, and ends the unit.
    fn end_unit(&mut self) {
        let Self { settings, streams, player, tables, groups, .. } = self;
        let context = Context { settings, streams, network: player };
        let tables = tables.par_iter_mut().zip(groups).with_max_len(1);
        tables.for_each(|(table, group)| {
            table.take(&context, group.played());
            debug_assert!(table.games().eq(group.games()), "the replayed games differ from those played");
        });
        self.collect_samples_and_plan();
    }

    /// Copies the samples of the games that ended to the replay buffer, closes the unit's counts and losses,
    /// and plans the minibatches of the next unit.
    pub(super) fn collect_samples_and_plan(&mut self) {
        self.last_counts = SelfPlayCounts::default();
        let mut new_samples = 0;
        for table in &self.tables {
            table.finished().iter().for_each(|sample| self.replay.push(*sample));
            new_samples += table.finished().len();
            self.last_counts.add(table.counts());
        }
        self.groups.iter().for_each(|group| self.last_counts.search += group.counts().search);
        self.total_counts.add(&self.last_counts);
        self.last_losses = self.optimiser.losses;
        self.last_grad_norm = self.optimiser.gradient_norms.mean();
        self.positions += new_samples as u64;
        self.unit =
            UnitProgress { minibatches: self.minibatches_for(new_samples), ..UnitProgress::default() };
        self.unit_under_way = false;
    }

    /// Whether the replay buffer has enough samples for a minibatch, or is full.
    fn can_learn(&self) -> bool {
        self.replay.len() >= self.settings.batch.min(self.settings.memory)
    }

    /// The number of minibatches for this many new samples, so that each sample is drawn `reuse` times on
    /// average.
    fn minibatches_for(&self, new_samples: usize) -> u64 {
        if !self.can_learn() {
            return 0;
        }
        (new_samples as f64 * f64::from(self.settings.reuse) / self.settings.batch as f64).ceil() as u64
    }

    /// Applies settings that the user has changed during the run. Must be called between two units.
    pub fn configure(&mut self, settings: AlphaZeroSettings) {
        debug_assert!(!self.unit_under_way, "settings change between two units");
        self.settings = settings;
    }

    /// Positions of finished games since the run began.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Self-play counts of the last completed unit.
    pub fn last_counts(&self) -> &SelfPlayCounts {
        &self.last_counts
    }

    #[cfg(test)]
    pub fn last_losses(&self) -> &Losses {
        &self.last_losses
    }

    /// The metrics of the last completed unit: NaN for means over nothing, such as the length of games if
    /// none has ended.
    pub fn metrics(&self, out: &mut Row) {
        let (counts, losses) = (&self.last_counts, &self.last_losses);
        let games = counts.games as f64;
        out.set("games", games);
        out.set("gammons", counts.gammons as f64 / games);
        out.set("length", counts.turns as f64 / games);
        out.set("loss", losses.value / losses.positions);
        out.set("policyLoss", losses.policy / losses.policies);
        out.set("entropy", losses.entropy / losses.policies);
        out.set("gradNorm", self.last_grad_norm);
    }

    /// The completed fraction of the unit's self-play, 0 to 1: of its turns or, with a fleet, of its tables;
    /// 0 between two units.
    pub fn unit_fraction(&self) -> f32 {
        #[cfg(not(target_family = "wasm"))]
        if let Some(shared) = &self.shared {
            return if self.unit_under_way { shared.fraction() } else { 0.0 };
        }
        let total_turns = self.settings.games as f32 * self.settings.turns as f32;
        let remaining: u32 = self.groups.iter().map(GameGroup::turns_left).sum();
        if self.unit_under_way { 1.0 - remaining as f32 / total_turns } else { 0.0 }
    }

    /// The network that learns. During a unit, self-play uses its weights from the beginning of the unit.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// For each game that is played here: the position and roll of its current turn, and the number of turns
    /// already played. None before the first unit since the run began or was loaded.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        self.groups.iter().flat_map(GameGroup::turns)
    }

    /// Turns of the games in progress at the beginning of the unit.
    fn turns_of_games_in_progress(&self) -> u64 {
        self.tables.iter().flat_map(Table::games).map(|game| u64::from(game.turns)).sum()
    }

    /// Self-play counts since the run began or was loaded, including the unit under way; for benchmarks. With
    /// a fleet they lack that unit and all searches.
    pub fn totals(&self) -> SelfPlayCounts {
        let mut totals = self.total_counts;
        if self.unit_under_way {
            self.groups.iter().for_each(|group| totals.add(group.counts()));
        }
        totals
    }

    /// Games that have ended since the run began.
    pub fn finished_games(&self) -> Result<u64, LabError> {
        let numbers = self.tables.iter().flat_map(Table::games).map(|game| game.number);
        finished_games(numbers, self.settings.games as u64)
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

    /// Saves everything needed to continue. Must be called between two units and, on a GPU, after
    /// `fetch_state` has returned [`Status::Ready`].
    pub fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("adam/", self.optimiser.adam.to_tensors());
        tensors.absorb("memory/", sample::to_tensors(self.replay.iter()));
        for (i, table) in self.tables.iter().enumerate() {
            tensors.absorb(&format!("table{i}/"), table.to_tensors());
        }
        let scalars = json!({
            "updates": self.updates,
            "positions": self.positions,
            "planned": self.unit.minibatches,
        });
        State { scalars, tensors }
    }

    /// Restores a learner from what [`AlphaZeroLearner::save`] saved after `units` units.
    pub fn load(
        settings: AlphaZeroSettings,
        seed: u32,
        units: u64,
        scalars: &Value,
        tensors: &Tensors,
    ) -> Result<Self, LabError> {
        let network = Network::from_tensors(settings.policy, &tensors.under("network/"))?;
        let mut learner = Self::with_network(settings, seed, network);
        let parameters = learner.network.weights.len();
        learner.optimiser.adam = Adam::from_tensors(parameters, &tensors.under("adam/"))?;
        let samples = sample::from_tensors(&tensors.under("memory/"))?;
        check(samples.len() <= settings.memory, || {
            format!(
                "its replay buffer holds {} positions; expected at most {}",
                samples.len(),
                settings.memory
            )
        })?;
        samples.into_iter().for_each(|sample| learner.replay.push(sample));
        for (i, table) in learner.tables.iter_mut().enumerate() {
            table.restore(&tensors.under(&format!("table{i}/")))?;
        }
        learner.updates = read_counter(scalars, "updates")?;
        learner.positions = read_counter(scalars, "positions")?;
        learner.unit.minibatches = read_counter(scalars, "planned")?;
        learner.check_counters(units)?;
        check_adam_steps(&tensors.under("adam/"), learner.updates)?;
        Ok(learner)
    }

    /// Rejects counters that contradict the settings or each other.
    fn check_counters(&self, units: u64) -> Result<(), LabError> {
        let Self { settings, replay, updates, positions, unit, .. } = self;
        let turns_per_unit = settings.games as u64 * u64::from(settings.turns);
        let turns_of_active_games = self.turns_of_games_in_progress();
        let turns_played = units.checked_mul(turns_per_unit);
        // Every turn of a finished game is a position.
        let expected_positions = turns_played.and_then(|turns| turns.checked_sub(turns_of_active_games));
        check_equal("positions", *positions, expected_positions)?;
        // The replay buffer holds the latest positions, up to its capacity.
        let expected_len = (*positions).min(settings.memory as u64);
        check(replay.len() as u64 == expected_len, || {
            format!("its replay buffer holds {} positions; expected {expected_len}", replay.len())
        })?;
        // `reuse` can change during a run, so its maximum counts. Each unit rounds its number of minibatches
        // up.
        let max_updates_per_position = MAX_REUSE / settings.batch as f64;
        let max_updates = *positions as f64 * max_updates_per_position + units as f64;
        check_at_most("updates", *updates, max_updates.ceil())?;
        let max_new_positions = settings.games as f64 * (f64::from(settings.turns) + MAX_MEAN_TURNS);
        let max_planned = (*positions as f64).min(max_new_positions) * max_updates_per_position;
        let max_planned = if self.can_learn() { max_planned.ceil() } else { 0.0 };
        check_at_most("planned", unit.minibatches, max_planned)
    }
}

/// Runs on a GPU.
impl AlphaZeroLearner {
    /// Moves the run to a GPU, between two units.
    #[cfg(feature = "gpu")]
    pub fn use_gpu(&mut self, gpu: &learnery_gpu::Gpu) -> Result<(), LabError> {
        debug_assert!(!self.unit_under_way, "a run moves between two units");
        let Self { settings, network, optimiser, .. } = self;
        let device = super::gpu::DeviceTraining::new(gpu, settings, network, &optimiser.adam)?;
        self.device = Some(Box::new(learnery_lab::Pump::new(device)));
        Ok(())
    }

    /// The part of the run on a GPU, and what that reads and changes.
    fn device_and_run(&mut self) -> Option<(&mut Device, DeviceRun<'_>)> {
        let Self { settings, streams, network, player, groups, replay, optimiser, unit, device, .. } = self;
        let run = DeviceRun {
            context: Context { settings, streams, network: player },
            network,
            groups,
            replay,
            optimiser,
            updates: self.updates,
            planned: unit.minibatches,
        };
        device.as_mut().map(|device| (device, run))
    }

    fn step_on_device(&mut self) -> Status {
        let status = self.device_and_run().map_or(Status::Failed, |(device, run)| device.step(run));
        if status == Status::UnitFinished {
            self.updates += self.unit.minibatches;
            self.end_unit();
        }
        status
    }

    /// Begins or continues to copy the optimiser's state from the GPU for a checkpoint. Call it again while
    /// it returns [`Status::Waiting`].
    pub fn fetch_state(&mut self) -> Status {
        self.device_and_run().map_or(Status::Ready, |(device, run)| device.prepare_save(run))
    }

    /// Why a step failed, as one sentence.
    pub fn failure(&self) -> Option<String> {
        self.device.as_ref()?.failure()
    }
}
