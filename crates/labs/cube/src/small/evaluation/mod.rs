//! Exhaustive evaluation of the greedy policy, which makes the turn with the best score, again and again:
//! from all states, or from all states up to a distance from solved. Nothing is sampled, so the results have
//! no error bars.
//!
//! The policy makes the best turn of a state, unless that turn is redundant after the turn before it (it
//! would undo it, for example). Then it makes the second-best. So the policy is a graph with two policy nodes
//! per state: one makes the best turn, the other the second-best. Each policy node has one successor. Path
//! lengths are stored at the nodes, so following the paths from all states visits each node once.

mod result;
#[cfg(test)]
mod tests;

use learnery_worlds::cube::{Distances, Metric, STATES, State, Turn, distances, turns};

use crate::small::network::{MAX_ROWS, Network, Scratch};
use crate::small::policy::{GreedyPolicy, RankedTurns};
use crate::small::state_space::StateSpace;
pub use result::{DISTANCES, GreedyEvaluation};

/// Number of states that one step runs through the network.
const STATES_PER_STEP: usize = 8192;

/// Number of starting states whose paths one step follows.
const PATHS_PER_STEP: usize = 1 << 17;

// Special values of `Evaluator::path_lengths`. All other values are the number of turns to the solved cube,
// plus one.
/// Not visited yet.
const UNVISITED: u16 = 0;
/// On the current path.
const ON_PATH: u16 = u16::MAX - 1;
/// The path from here never reaches the solved cube.
const NEVER: u16 = u16::MAX;

/// Stands for the turn before a starting state, which has none.
const NO_TURN: u8 = 15;

/// All turns and [`NO_TURN`] are below this number, so a visit can be stored as `16 * state + turn`.
const TURN_CODES: u32 = 16;

/// A visit to a state as one number: the state and the turn before it.
fn pack_visit(state: State, last: u8) -> u32 {
    TURN_CODES * state + u32::from(last)
}

/// The state and the turn of a packed visit.
fn unpack_visit(visit: u32) -> (State, u8) {
    (visit / TURN_CODES, (visit % TURN_CODES) as u8)
}

/// The current pass, and how many of the things that it goes through are done. A node of the state space is a
/// state, or a class of symmetric states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Estimate the distance of every node of the state space; skipped if the network scores turns.
    EstimateDistances(usize),
    /// Rank the turns of all states.
    RankAllStates(usize),
    /// Rank the turns of the states that the policy reaches from the starting states, visit by visit.
    RankReachableStates(usize),
    /// Follow the policy from all states that are starting states.
    FollowPaths(usize),
}

/// Evaluates a network step by step. Large buffers are reused from one evaluation to the next.
pub struct Evaluator {
    metric: Metric,
    true_distances: &'static Distances,
    pass: Pass,
    /// Starting states are those at most this far from solved.
    within: usize,
    scratches: Vec<Scratch>,
    /// Estimated distances of all nodes; empty if the network scores turns.
    estimates: Vec<f32>,
    /// The best and second-best turn in each state.
    /// Shape: `[states]`.
    ranked: Vec<RankedTurns>,
    /// The length of the path from each policy node: node `2 * state` makes the best turn, `2 * state + 1`
    /// the second-best. See the special values above.
    /// Shape: `[2 * states]`.
    path_lengths: Vec<u16>,
    /// The queue of a breadth-first search for the states that the policy reaches. An entry is a visit to a
    /// state after a turn, see [`pack_visit`]. Entries are never removed.
    visits: Vec<u32>,
    /// The states to rank in the current step.
    unranked: Vec<State>,
    /// The ranked turns of `unranked`.
    new_ranks: Vec<RankedTurns>,
    /// The policy nodes of the current path.
    path: Vec<u32>,
    evaluation: GreedyEvaluation,
}

impl Evaluator {
    pub fn new(network: &Network, space: &StateSpace) -> Self {
        let metric = space.metric();
        Self {
            metric,
            true_distances: distances(metric),
            // Finished: an evaluation starts with `begin`.
            pass: Pass::FollowPaths(STATES),
            within: 0,
            scratches: (0..STATES_PER_STEP / MAX_ROWS).map(|_| network.scratch()).collect(),
            estimates: if network.predicts_distance() { vec![0.0; space.nodes()] } else { Vec::new() },
            ranked: vec![RankedTurns::UNKNOWN; STATES],
            path_lengths: vec![UNVISITED; 2 * STATES],
            visits: Vec::new(),
            unranked: Vec::with_capacity(STATES_PER_STEP),
            new_ranks: vec![RankedTurns::default(); STATES_PER_STEP],
            path: Vec::with_capacity(1 << 16),
            evaluation: GreedyEvaluation::default(),
        }
    }

    /// Starts an evaluation from every state whose shortest solution has at most `within` turns.
    pub fn begin(&mut self, network: &Network, within: usize) {
        self.within = within;
        self.ranked.fill(RankedTurns::UNKNOWN);
        self.path_lengths.fill(UNVISITED);
        // Both policy nodes of the solved cube (state 0): 0 turns, plus one.
        self.path_lengths[..2].fill(1);
        self.evaluation = GreedyEvaluation::default();
        self.visits.clear();
        if !self.covers_all_states() {
            let all = self.true_distances.all().iter().enumerate();
            let starts = all.filter(|(_, distance)| usize::from(**distance) <= within);
            self.visits.extend(starts.map(|(state, _)| pack_visit(state as State, NO_TURN)));
        }
        self.pass =
            if network.predicts_distance() { Pass::EstimateDistances(0) } else { self.first_ranking_pass() };
    }

    fn covers_all_states(&self) -> bool {
        self.within >= self.metric.diameter()
    }

    fn first_ranking_pass(&self) -> Pass {
        if self.covers_all_states() { Pass::RankAllStates(0) } else { Pass::RankReachableStates(0) }
    }

    /// Runs one step and returns whether the evaluation is finished.
    pub fn step(&mut self, network: &Network, space: &StateSpace) -> bool {
        self.pass = match self.pass {
            Pass::EstimateDistances(done) => {
                let end = space.nodes().min(done + STATES_PER_STEP);
                let estimates = &mut self.estimates[done..end];
                network.estimate_node_distances(space, &mut self.scratches, done, estimates);
                if end == space.nodes() { self.first_ranking_pass() } else { Pass::EstimateDistances(end) }
            }
            Pass::RankAllStates(done) => {
                let end = STATES.min(done + STATES_PER_STEP);
                let policy = GreedyPolicy { network, space, distances: &self.estimates };
                policy.rank(|i| (done + i) as State, &mut self.scratches, &mut self.ranked[done..end]);
                if end == STATES { Pass::FollowPaths(0) } else { Pass::RankAllStates(end) }
            }
            Pass::RankReachableStates(done) => {
                let end = self.rank_reachable_states(network, space, done);
                if end == self.visits.len() { Pass::FollowPaths(0) } else { Pass::RankReachableStates(end) }
            }
            Pass::FollowPaths(done) => {
                let end = STATES.min(done + PATHS_PER_STEP);
                (done..end).for_each(|state| self.follow_path(state as State));
                Pass::FollowPaths(end)
            }
        };
        self.pass == Pass::FollowPaths(STATES)
    }

    /// Estimates the fraction of the evaluation that is done.
    pub fn progress(&self) -> f32 {
        // Estimating, ranking and following take about 30, 50 and 20 percent of the time.
        match self.pass {
            Pass::EstimateDistances(done) => 0.3 * done as f32 / self.estimates.len().max(1) as f32,
            Pass::RankAllStates(done) => 0.3 + 0.5 * done as f32 / STATES as f32,
            Pass::RankReachableStates(done) => 0.3 + 0.5 * done as f32 / self.visits.len().max(1) as f32,
            Pass::FollowPaths(done) => 0.8 + 0.2 * done as f32 / STATES as f32,
        }
    }

    /// The result of the last evaluation.
    pub fn evaluation(&self) -> &GreedyEvaluation {
        &self.evaluation
    }

    /// The estimated distances of all nodes in the last evaluation; empty if the network scores turns.
    pub fn estimated_distances(&self) -> &[f32] {
        &self.estimates
    }

    /// Runs one step of a breadth-first search along the policy: ranks the states of up to
    /// [`STATES_PER_STEP`] visits from number `done` on, and appends the visits that follow. Returns the
    /// number of visits that are done.
    fn rank_reachable_states(&mut self, network: &Network, space: &StateSpace, done: usize) -> usize {
        let end = self.visits.len().min(done + STATES_PER_STEP);
        self.unranked.clear();
        for visit in &self.visits[done..end] {
            let (state, _) = unpack_visit(*visit);
            let ranked = &mut self.ranked[state as usize];
            if *ranked == RankedTurns::UNKNOWN {
                // A placeholder, so that the state is listed once; overwritten below before it is read.
                *ranked = RankedTurns::default();
                self.unranked.push(state);
            }
        }
        let (unranked, new_ranks) = (&self.unranked, &mut self.new_ranks[..self.unranked.len()]);
        let policy = GreedyPolicy { network, space, distances: &self.estimates };
        policy.rank(|i| unranked[i], &mut self.scratches, new_ranks);
        for (state, ranked) in unranked.iter().zip(new_ranks) {
            self.ranked[*state as usize] = *ranked;
        }
        for i in done..end {
            let (state, last) = unpack_visit(self.visits[i]);
            let takes_second =
                last != NO_TURN && self.metric.is_redundant(last, self.ranked[state as usize].best());
            let node = 2 * state as usize + usize::from(takes_second);
            if self.path_lengths[node] == UNVISITED {
                self.path_lengths[node] = ON_PATH;
                let turn = self.turn_at(node);
                self.visits.push(pack_visit(turns().after(state, turn), turn));
            }
        }
        if end == self.visits.len() {
            // In this pass the marks only prevent nodes from being queued twice. The next pass starts without
            // marks.
            self.path_lengths[2..].fill(UNVISITED);
        }
        end
    }

    /// The turn of a policy node.
    fn turn_at(&self, node: usize) -> Turn {
        let ranked = self.ranked[node / 2];
        if node.is_multiple_of(2) { ranked.best() } else { ranked.second() }
    }

    /// The policy node that the turn of a policy node leads to.
    fn successor(&self, node: usize) -> usize {
        let turn = self.turn_at(node);
        let after = turns().after((node / 2) as State, turn) as usize;
        2 * after + usize::from(self.metric.is_redundant(turn, self.ranked[after].best()))
    }

    /// Follows the policy from a state to a node whose path length is known, or into a cycle. Then stores the
    /// length for all nodes of the path and counts the state. Does nothing if the state is not a starting
    /// state.
    fn follow_path(&mut self, start: State) {
        let distance = self.true_distances.of(start);
        if distance > self.within {
            return;
        }
        let mut node = 2 * start as usize;
        while self.path_lengths[node] == UNVISITED {
            self.path_lengths[node] = ON_PATH;
            self.path.push(node as u32);
            node = self.successor(node);
        }
        let mut length = if self.path_lengths[node] == ON_PATH { NEVER } else { self.path_lengths[node] };
        while let Some(node) = self.path.pop() {
            // One turn more than from the next node. A path that is too long for 16 bits counts as unsolved.
            length = if length >= ON_PATH - 1 { NEVER } else { length + 1 };
            self.path_lengths[node as usize] = length;
        }
        self.evaluation.states[distance] += 1;
        let length = self.path_lengths[2 * start as usize];
        if length != NEVER {
            // Stored lengths are one more than the number of turns.
            self.evaluation.solved[distance] += 1;
            self.evaluation.excess[distance] += u64::from(length - 1) - distance as u64;
        }
    }
}
