//! AlphaZero for backgammon: a network that learns from searches which it guides itself (Silver et al., "A general
//! reinforcement learning algorithm that masters chess, shogi and Go through self-play", 2018), with dice.
//!
//! A unit is so many turns of every game. While it is played the network learns from the games that ended in the units
//! before; what it learns is played with from the next unit on. So neither waits for the other, and none of it depends
//! on the number of threads.

mod config;
mod judge;
mod learn;
mod policy;
mod sample;
mod selfplay;

use learnery_kernels::rng::Stream;
use learnery_lab::{Budget, LabError, Row, State, Status};
use learnery_nn::{Adam, Tensors, Weights};
use learnery_search::Turn;
use rayon::prelude::*;
use serde_json::{Value, json};

pub use config::Dials;
pub use judge::{Judge, Network, OUTCOMES, Work, equity, see};
pub use learn::Losses;
use learn::{Learner, Memory};
pub use selfplay::Tally;
use selfplay::{Luck, SEATS, Table};

/// What random numbers are drawn for; each purpose has its own stream.
mod purpose {
    pub const NETWORK: u32 = 101;
    pub const DICE: u32 = 102;
    pub const SEARCH: u32 = 103;
    pub const PLAYS: u32 = 104;
    pub const BATCHES: u32 = 105;
}

/// Rounds of the search in a step: about a millisecond's work.
const ROUNDS: u32 = 2;

/// What is learned in a unit, while it is played.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    minibatches: u64,
    /// How many of them are done.
    done: u64,
    /// Steps taken.
    step: u64,
}

/// A run of AlphaZero.
pub struct AlphaZero {
    dials: Dials,
    luck: Luck,
    /// What learns.
    network: Network,
    /// What plays: the weights with which the unit began.
    player: Network,
    tables: Vec<Table>,
    memory: Memory,
    learner: Learner,
    /// Units begun before this one.
    unit: u64,
    /// Minibatches learned from.
    updates: u64,
    /// Positions learned from games, ever.
    positions: u64,
    plan: Plan,
    /// Whether the present unit has begun.
    under_way: bool,
    /// What was played in the last whole unit, and learned.
    tally: Tally,
    /// What was played in whole units.
    earlier: Tally,
    losses: Losses,
    grad_norm: f64,
}

impl AlphaZero {
    /// A new run.
    pub fn new(dials: Dials, seed: u32) -> Self {
        Self::assemble(dials, seed, Network::new(Stream::new(seed, purpose::NETWORK)))
    }

    fn assemble(dials: Dials, seed: u32, network: Network) -> Self {
        let luck = Luck {
            dice: Stream::new(seed, purpose::DICE),
            search: Stream::new(seed, purpose::SEARCH),
            plays: Stream::new(seed, purpose::PLAYS),
        };
        let table = |first: usize| {
            let seats = SEATS.min(dials.games - first);
            Table::new(&dials, &network, &luck, first as u64, seats, dials.games as u64)
        };
        let tables = (0..dials.games).step_by(SEATS).map(table).collect();
        let player =
            Network { plan: network.plan.clone(), weights: Weights::new(network.weights.layout().clone()) };
        Self {
            dials,
            luck,
            tables,
            memory: Memory::new(dials.memory),
            learner: Learner::new(&dials, &network, Stream::new(seed, purpose::BATCHES)),
            network,
            player,
            unit: 0,
            updates: 0,
            positions: 0,
            plan: Plan::default(),
            under_way: false,
            tally: Tally::default(),
            earlier: Tally::default(),
            losses: Losses::default(),
            grad_norm: f64::NAN,
        }
    }

    /// Works until the budget is used up or the unit ends.
    pub fn advance(&mut self, budget: &mut Budget) -> Status {
        while budget.allows() {
            let unit_is_over = self.step();
            budget.spend();
            if unit_is_over {
                return Status::Unit;
            }
        }
        Status::Ready
    }

    /// One step: some rounds of every search, and a share of what is to be learned. True when it was the last of a unit.
    pub fn step(&mut self) -> bool {
        if !self.under_way {
            self.begin();
        }
        let Self { dials, luck, network, player, tables, memory, learner, plan, .. } = self;
        let (dials, luck, player, memory) = (&*dials, &*luck, &*player, &*memory);
        // As much of the learning as there is of the playing, at a guess.
        let rounds = u64::from(dials.turns) * u64::from(dials.simulations);
        let steps = (rounds / u64::from(ROUNDS)).max(1);
        plan.step += 1;
        let due = plan.minibatches * plan.step.min(steps) / steps;
        let now = due - plan.done;
        let first = self.updates;
        let (more, ()) = rayon::join(
            || {
                let busy = tables.par_iter_mut().with_max_len(1);
                busy.map(|table| table.go_on(dials, luck, player, ROUNDS)).reduce(|| false, |a, b| a | b)
            },
            || (first..first + now).for_each(|number| learner.step(network, memory, dials, number)),
        );
        self.updates += now;
        self.plan.done = due;
        let over = !more && due == self.plan.minibatches;
        if over {
            self.end();
        }
        over
    }

    fn begin(&mut self) {
        self.player.weights.copy_from(&self.network.weights);
        let Self { dials, luck, player, tables, .. } = self;
        let player = &*player;
        tables.par_iter_mut().with_max_len(1).for_each(|table| table.begin(dials, luck, player));
        self.learner.begin();
        self.under_way = true;
    }

    fn end(&mut self) {
        self.tally = Tally::default();
        let mut fresh = 0;
        for table in &self.tables {
            let (samples, tally) = table.harvest();
            samples.iter().for_each(|sample| self.memory.put(*sample));
            fresh += samples.len();
            self.tally.add(tally);
        }
        self.earlier.add(&self.tally);
        self.losses = self.learner.losses;
        let (norms, updates) = self.learner.gradients;
        self.grad_norm = if updates > 0 { norms / updates as f64 } else { f64::NAN };
        self.positions += fresh as u64;
        self.plan = Plan { minibatches: self.minibatches_for(fresh), ..Plan::default() };
        self.unit += 1;
        self.under_way = false;
    }

    /// Minibatches in which so many new positions are learned from as often as they should be. Nothing is learned
    /// before there is enough for one.
    fn minibatches_for(&self, fresh: usize) -> u64 {
        if self.memory.len() < self.dials.batch.min(self.dials.memory) {
            return 0;
        }
        (fresh as f64 * f64::from(self.dials.reuse) / self.dials.batch as f64).ceil() as u64
    }

    /// Takes over dials of which those that memory depends on are as they were.
    pub fn configure(&mut self, dials: Dials) {
        self.dials = dials;
    }

    /// Positions learned from games since the run began.
    pub fn work(&self) -> u64 {
        self.positions
    }

    /// What was played in the last whole unit, what was learned in it (sums over positions), and the mean length of its
    /// gradients.
    pub fn report(&self) -> (&Tally, &Losses, f64) {
        (&self.tally, &self.losses, self.grad_norm)
    }

    /// Of the last whole unit.
    pub fn metrics(&self, out: &mut Row) {
        let (tally, losses) = (&self.tally, &self.losses);
        let games = tally.games as f64;
        out.set("games", games);
        out.set("gammons", tally.gammons as f64 / games);
        out.set("length", tally.turns as f64 / games);
        out.set("loss", losses.value / losses.positions);
        out.set("policyLoss", losses.policy / losses.positions);
        out.set("entropy", losses.entropy / losses.positions);
        out.set("gradNorm", self.grad_norm);
    }

    /// How much of the present unit is played, roughly: turns made, of all.
    pub fn share(&self) -> f32 {
        let all = self.dials.games as f32 * self.dials.turns as f32;
        let left: u32 = self.tables.iter().map(Table::turns_left).sum();
        if self.under_way { 1.0 - left as f32 / all } else { 0.0 }
    }

    /// What is being learned.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The games under way: what is to be played, and the number of the turn.
    pub fn turns(&self) -> impl Iterator<Item = (Turn, u32)> {
        self.tables.iter().flat_map(Table::turns)
    }

    /// Everything that was played since the run began or was taken up again.
    pub fn totals(&self) -> Tally {
        let mut totals = self.earlier;
        if self.under_way {
            self.tables.iter().for_each(|table| totals.add(table.harvest().1));
        }
        totals
    }

    /// The game that is played at seat `i` of all.
    #[cfg(test)]
    fn number_at(&self, i: usize) -> u64 {
        self.tables[i / SEATS].number(i % SEATS)
    }

    /// Everything needed to continue, at the end of a unit.
    pub fn save(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.weights.to_tensors());
        tensors.absorb("adam/", self.learner.adam.to_tensors());
        tensors.absorb("memory/", sample::to_tensors(self.memory.iter()));
        for (i, table) in self.tables.iter().enumerate() {
            tensors.absorb(&format!("table{i}/"), table.to_tensors());
        }
        let scalars = json!({
            "unit": self.unit, "updates": self.updates, "positions": self.positions, "planned": self.plan.minibatches,
        });
        State { scalars, tensors }
    }

    /// Continues from what [`AlphaZero::save`] gave.
    pub fn load(dials: Dials, seed: u32, scalars: &Value, tensors: &Tensors) -> Result<Self, LabError> {
        let network = Network::from_tensors(&tensors.under("network/"))?;
        let mut run = Self::assemble(dials, seed, network);
        let parameters = run.network.weights.len();
        run.learner.adam = Adam::from_tensors(parameters, &tensors.under("adam/"))?;
        let samples = sample::from_tensors(&tensors.under("memory/"))?;
        if samples.len() > dials.memory {
            return Err(LabError::Checkpoint("it remembers more positions than there is room for".into()));
        }
        samples.into_iter().for_each(|sample| run.memory.put(sample));
        for (i, table) in run.tables.iter_mut().enumerate() {
            table.restore(&tensors.under(&format!("table{i}/")))?;
        }
        run.unit = counter(scalars, "unit")?;
        run.updates = counter(scalars, "updates")?;
        run.positions = counter(scalars, "positions")?;
        run.plan.minibatches = counter(scalars, "planned")?;
        if run.plan.minibatches > 0 && run.memory.len() == 0 {
            return Err(LabError::Checkpoint("it has nothing to learn from".into()));
        }
        Ok(run)
    }
}

fn counter(scalars: &Value, name: &str) -> Result<u64, LabError> {
    let missing = || LabError::Checkpoint(format!("its counter `{name}` is missing"));
    scalars[name].as_u64().ok_or_else(missing)
}

#[cfg(test)]
mod tests;
