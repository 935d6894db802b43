//! Exhaustive evaluation of the greedy policy: from every state there is, or from every state near enough to solved. No
//! sampling, so the results have no error bars.
//!
//! The policy's next turn depends on the state and on whether the best turn is redundant after the last one. So the
//! policy is a functional graph with two nodes per state, one that takes the best turn and one that takes the
//! second-best. Each node has one successor, so following every path with memoisation visits each node once.

mod result;
#[cfg(test)]
mod tests;

use learnery_worlds::cube::{Distances, Metric, STATES, State, Turn, distances, turns};

use crate::network::{Network, ROWS, Scratch};
use crate::policy::{GreedyPolicy, RankedTurns};
use crate::state_space::StateSpace;
pub use result::{DISTANCES, GreedyEvaluation};

/// States that one step runs through the network.
const STATES_PER_STEP: usize = 8192;

/// Starting states whose paths one step follows.
const PATHS_PER_STEP: usize = 1 << 17;

// The special values of `path_lengths`; all others are the number of turns to the solved cube, plus one.
/// Not visited yet.
const UNVISITED: u16 = 0;
/// On the path that is being followed.
const ON_PATH: u16 = u16::MAX - 1;
/// The path from here never reaches the solved cube.
const NEVER: u16 = u16::MAX;

/// In place of the last turn of a visit: the state is a starting state.
const NO_TURN: u8 = 15;

/// What the evaluator does next. The number is how many of the items of a pass are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Estimate the distance of every node; left out if the network scores turns.
    EstimateDistances(usize),
    /// Rank the turns of all states.
    RankAllStates(usize),
    /// Rank the turns of the states that the policy reaches from the starting states, in order of discovery.
    RankReachableStates(usize),
    /// Follow the policy from the starting states.
    FollowPaths(usize),
}

/// Evaluates a network step by step, with all its buffers.
pub struct Evaluator {
    metric: Metric,
    true_distances: &'static Distances,
    pass: Pass,
    /// Starting states are those at most this far from solved.
    within: usize,
    scratches: Vec<Scratch>,
    /// Estimated distances of all nodes; empty if the network scores turns.
    estimates: Vec<f32>,
    // [states]
    ranked: Vec<RankedTurns>,
    /// Node `2 * state + 1` takes the second-best turn, node `2 * state` the best. // [2 * states]
    path_lengths: Vec<u16>,
    /// All visits in order of discovery, as `16 * state + last turn`; a queue that is never shortened.
    visits: Vec<u32>,
    /// The states of the current step that have not been ranked yet, and their ranked turns.
    unranked: Vec<State>,
    new_ranks: Vec<RankedTurns>,
    /// The nodes of the path that is being followed.
    path: Vec<u32>,
    evaluation: GreedyEvaluation,
}

impl Evaluator {
    pub fn new(network: &Network, space: &StateSpace) -> Self {
        let metric = space.metric();
        Self {
            metric,
            true_distances: distances(metric),
            pass: Pass::FollowPaths(STATES),
            within: 0,
            scratches: (0..STATES_PER_STEP / ROWS).map(|_| network.scratch()).collect(),
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
        // Both nodes of the solved cube: no turns, plus one.
        self.path_lengths[..2].fill(1);
        self.evaluation = GreedyEvaluation::default();
        self.visits.clear();
        if !self.covers_all_states() {
            let all = self.true_distances.all().iter().enumerate();
            let starts = all.filter(|(_, d)| usize::from(**d) <= within);
            self.visits.extend(starts.map(|(state, _)| 16 * state as u32 + u32::from(NO_TURN)));
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

    /// One step; true if it was the last one of the evaluation.
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

    /// Roughly the fraction of the evaluation that is done.
    pub fn progress(&self) -> f32 {
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

    /// One step of a breadth-first search along the policy: ranks the states of some visits and adds the visits that
    /// follow them. Returns how many visits are done.
    fn rank_reachable_states(&mut self, network: &Network, space: &StateSpace, done: usize) -> usize {
        let end = self.visits.len().min(done + STATES_PER_STEP);
        self.unranked.clear();
        for visit in &self.visits[done..end] {
            let state = visit / 16;
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
            let (state, last) = (self.visits[i] / 16, (self.visits[i] % 16) as u8);
            let takes_second =
                last != NO_TURN && self.metric.is_redundant(last, self.ranked[state as usize].best());
            let node = 2 * state as usize + usize::from(takes_second);
            if self.path_lengths[node] == UNVISITED {
                self.path_lengths[node] = ON_PATH;
                let turn = self.turn_at(node);
                self.visits.push(16 * turns().after(state, turn) + u32::from(turn));
            }
        }
        if end == self.visits.len() {
            // Here the marks only kept nodes from being queued twice. The next pass begins without them.
            self.path_lengths[2..].fill(UNVISITED);
        }
        end
    }

    /// The policy's turn at a node.
    fn turn_at(&self, node: usize) -> Turn {
        let ranked = self.ranked[node / 2];
        if node.is_multiple_of(2) { ranked.best() } else { ranked.second() }
    }

    /// The node that follows a node.
    fn successor(&self, node: usize) -> usize {
        let turn = self.turn_at(node);
        let after = turns().after((node / 2) as State, turn) as usize;
        2 * after + usize::from(self.metric.is_redundant(turn, self.ranked[after].best()))
    }

    /// Follows the policy from a starting state to a node whose path length is known or to a cycle, then stores the
    /// length for all nodes of the path and counts the state. Does nothing for states that are too far away.
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
            // A path too long for its counter counts as unsolved.
            length = if length >= ON_PATH - 1 { NEVER } else { length + 1 };
            self.path_lengths[node as usize] = length;
        }
        self.evaluation.states[distance] += 1;
        let length = self.path_lengths[2 * start as usize];
        if length != NEVER {
            self.evaluation.solved[distance] += 1;
            self.evaluation.excess[distance] += u64::from(length - 1) - distance as u64;
        }
    }
}
