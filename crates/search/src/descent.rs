//! One simulation of the tree search: descend from the root (node 0) to a leaf, evaluate the leaf, back its
//! value up. A simulation is *in flight* from its start to its backup; counts of simulations in flight stand
//! beside the counts of visits, so that the next descents avoid a path that is already taken.
//!
//! A decision node (a state) selects the play with the highest PUCT score (Silver et al., "Mastering the game
//! of Go without human knowledge", 2017). The chance node after that play selects a chance outcome, which
//! leads to the next decision node.
//!
//! A descent stops at most twice for the evaluator:
//! - at a decision node whose plays have no priors yet ([`Wait::Policy`]): it then *resumes* there;
//! - at new nodes without a value ([`Wait::Values`]): the simulation then ends and *backs up* the value.
//!
//! Value and policy are requested separately because most nodes are never visited a second time, so most
//! policies are never needed (lazy policy evaluation; see [`crate::Evaluator`]).

use crate::Game;
use crate::options::{Chance, Options};
use crate::root::SequentialHalving;
use crate::tree::{NONE, Policy, Tree};

/// A node of the path and the edge (the play) selected there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: u32,
}

/// The evaluation that a simulation waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wait {
    /// None: the simulation has not started, or is finished.
    Idle,
    /// The values of the `count` new nodes from index `first` on. There is one, or one for each chance
    /// outcome with [`Chance::Exhaustive`].
    Values { first: u32, count: u32 },
    /// The policy of [`Simulation::current_node`].
    Policy,
}

/// A simulation in flight.
#[derive(Clone, Debug)]
pub(crate) struct Simulation {
    /// The steps from the root to the current node.
    pub path: Vec<Step>,
    pub current_node: u32,
    pub wait: Wait,
}

/// Why a descent stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// The descent needs the evaluator; [`Simulation::wait`] says for what.
    NeedsEvaluation,
    /// The game is over, with this value for the side that made the last play.
    Terminal(f32),
    /// Another simulation of the tree already waits for the evaluation that this one needs.
    Collision,
}

/// Initial capacity of a path.
const PATH_CAPACITY: usize = 128;

impl Simulation {
    pub fn new() -> Self {
        Self { path: Vec::with_capacity(PATH_CAPACITY), current_node: 0, wait: Wait::Idle }
    }

    /// Returns the simulation to the root.
    pub fn reset(&mut self) {
        self.path.clear();
        self.current_node = 0;
        self.wait = Wait::Idle;
    }
}

/// Read-only data shared by all simulations of a batch.
pub(crate) struct Context<'a, G> {
    pub game: &'a G,
    pub options: &'a Options,
    /// Cumulative probabilities of the chance outcomes.
    // [outcomes]
    pub cumulative: &'a [f32],
}

/// The position of one search in the random-number stream [`Options::stream`], whose numbers are indexed by
/// (`index`, `drawn`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RandomPosition {
    /// Identifies the search: twice the number that [`crate::SearchBatch::begin`] gets.
    pub index: u64,
    /// How many numbers the search has drawn.
    pub drawn: u64,
}

impl RandomPosition {
    fn next_uniform(&mut self, options: &Options) -> f32 {
        self.drawn += 1;
        options.stream.uniform(self.index, self.drawn)
    }
}

/// Starts or resumes a simulation at its current node and runs it until it stops. With `halving`, sequential
/// halving selects the play at the root.
pub(crate) fn descend<G: Game>(
    tree: &mut Tree<G>,
    simulation: &mut Simulation,
    context: &Context<G>,
    random: &mut RandomPosition,
    scratch: &mut G::Scratch,
    halving: Option<&SequentialHalving>,
) -> Stop {
    let Context { game, options, .. } = context;
    loop {
        let node = simulation.current_node;
        let i = node as usize;
        if tree.nodes.visits[i] == 0 {
            // This node is the root: a descent enters any other node only after it was evaluated.
            if tree.nodes.in_flight[i] > 0 {
                return Stop::Collision;
            }
            tree.nodes.in_flight[i] += 1;
            simulation.wait = Wait::Values { first: node, count: 1 };
            return Stop::NeedsEvaluation;
        }
        if tree.nodes.first_edge[i] == NONE {
            expand(tree, node, context, random, scratch);
        }
        match tree.nodes.policy[i] {
            Policy::Known => {}
            Policy::Requested => return Stop::Collision,
            Policy::Unknown => {
                tree.nodes.policy[i] = Policy::Requested;
                simulation.wait = Wait::Policy;
                return Stop::NeedsEvaluation;
            }
        }
        let edge = match halving {
            Some(halving) if node == 0 => halving.select(tree),
            _ => select(tree, node, options),
        };
        // Which visit of the play this is, counted from 0.
        let visits = tree.edges.visits[edge] + tree.edges.in_flight[edge];
        tree.nodes.in_flight[i] += 1;
        tree.edges.in_flight[edge] += 1;
        simulation.path.push(Step { node, edge: edge as u32 });

        let play = tree.edges.play[edge];
        if let Some(value) = game.terminal_value(&play) {
            return Stop::Terminal(value);
        }
        if tree.edges.chance_node[edge] == NONE {
            tree.add_chance_node(edge);
            if options.chance == Chance::Exhaustive {
                let (first, slots) = (tree.nodes.state.len() as u32, tree.first_slot(edge));
                for chance in 0..tree.outcomes {
                    tree.children[slots + chance] = tree.add_node(game.next_state(&play, chance));
                }
                simulation.wait = Wait::Values { first, count: tree.outcomes as u32 };
                return Stop::NeedsEvaluation;
            }
        }
        // A uniform number that selects the chance outcome. Exhaustive chance nodes average over all
        // outcomes, but a visit still descends into one of them only.
        let u = match options.chance {
            Chance::Sampled => random.next_uniform(options),
            Chance::LowDiscrepancy | Chance::Exhaustive => {
                low_discrepancy(tree.nodes.sequence_start[i], visits)
            }
        };
        let slot = tree.first_slot(edge) + outcome(context.cumulative, u);
        if tree.children[slot] == NONE {
            let child = tree.add_node(game.next_state(&play, slot - tree.first_slot(edge)));
            tree.children[slot] = child;
            simulation.wait = Wait::Values { first: child, count: 1 };
            return Stop::NeedsEvaluation;
        }
        let child = tree.children[slot];
        // The child exists, but another simulation still waits for its value.
        if tree.nodes.visits[child as usize] == 0 {
            return Stop::Collision;
        }
        simulation.current_node = child;
    }
}

/// Adds the plays of a node as edges.
pub(crate) fn expand<G: Game>(
    tree: &mut Tree<G>,
    node: u32,
    context: &Context<G>,
    random: &mut RandomPosition,
    scratch: &mut G::Scratch,
) {
    tree.add_edges(node, context.game, scratch);
    tree.nodes.sequence_start[node as usize] = random.next_uniform(context.options);
}

/// Returns number `k` of the Kronecker sequence `start + k / golden ratio` modulo 1.
fn low_discrepancy(start: f32, k: u32) -> f32 {
    const INVERSE_GOLDEN_RATIO: f64 = 0.618_033_988_749_895;
    (f64::from(start) + INVERSE_GOLDEN_RATIO * f64::from(k)).fract() as f32
}

/// Returns the chance outcome for a number in [0, 1) by inverse transform sampling.
fn outcome(cumulative: &[f32], u: f32) -> usize {
    let outcome = cumulative.iter().position(|c| u < *c);
    // Rounding can leave the last cumulative probability below 1.
    outcome.unwrap_or(cumulative.len() - 1)
}

/// Returns the edge with the highest PUCT score: its mean value plus `cpuct * prior * sqrt(visits of the
/// node) / (1 + visits of the edge)`, where simulations in flight count as visits. The first edge wins a tie.
fn select<G: Game>(tree: &Tree<G>, node: u32, options: &Options) -> usize {
    let range = tree.edges_of(node);
    let (i, first) = (node as usize, range.start);
    let explore = options.cpuct * ((tree.nodes.visits[i] + tree.nodes.in_flight[i]) as f32).sqrt();
    let first_play_urgency = tree.mean_value(node) - options.fpu;
    let edges = &tree.edges;
    let values = edges.value_sum[range.clone()].iter().zip(&edges.visits[range.clone()]);
    let priors = edges.prior[range.clone()].iter().zip(&edges.in_flight[range]);
    let (mut best, mut highest) = (first, f32::NEG_INFINITY);
    for (k, ((sum, visits), (prior, in_flight))) in values.zip(priors).enumerate() {
        let value = if *visits == 0 { first_play_urgency } else { sum / *visits as f32 };
        let score = value + explore * prior / (1 + visits + in_flight) as f32;
        if score > highest {
            (best, highest) = (first + k, score);
        }
    }
    best
}

/// Undoes the in-flight counts of a simulation, so that it can start again.
pub(crate) fn abort<G: Game>(tree: &mut Tree<G>, simulation: &mut Simulation) {
    for step in &simulation.path {
        tree.nodes.in_flight[step.node as usize] -= 1;
        tree.edges.in_flight[step.edge as usize] -= 1;
    }
    simulation.reset();
}

/// Adds the value of the leaf to all edges and nodes of the path and ends the simulation.
///
/// `terminal_value` is the value of a finished game for the side that made the last play. If it is `None`,
/// the simulation has waited for [`Wait::Values`], and the new nodes have been evaluated.
pub(crate) fn back_up<G: Game>(
    tree: &mut Tree<G>,
    simulation: &mut Simulation,
    context: &Context<G>,
    mut terminal_value: Option<f32>,
) {
    // The value of the node below the current edge, for the side to move there.
    let mut value = 0.0;
    if let Wait::Values { first, count } = simulation.wait {
        for node in first as usize..(first + count) as usize {
            tree.nodes.visits[node] = 1;
            tree.nodes.value_sum[node] = tree.nodes.evaluator_value[node];
        }
        // With exhaustive chance nodes, `expectation` replaces this value.
        value = tree.nodes.evaluator_value[first as usize];
        if first == 0 {
            // The evaluation of the root has an empty path, so the loop below does not reach its count.
            tree.nodes.in_flight[0] -= 1;
        }
    }
    while let Some(Step { node, edge }) = simulation.path.pop() {
        let (i, edge) = (node as usize, edge as usize);
        let opponent_is_next = context.game.passes_turn(&tree.edges.play[edge]);
        tree.nodes.visits[i] += 1;
        tree.nodes.in_flight[i] -= 1;
        tree.edges.visits[edge] += 1;
        tree.edges.in_flight[edge] -= 1;
        // `take`, because only the last edge of the path, which comes first here, leads to the end of the
        // game.
        let terminal = terminal_value.take();
        if context.options.chance == Chance::Exhaustive {
            let value = terminal.unwrap_or_else(|| expectation(tree, edge, context, opponent_is_next));
            tree.edges.value_sum[edge] = value * tree.edges.visits[edge] as f32;
            tree.nodes.value_sum[i] = exhaustive_value(tree, node) * tree.nodes.visits[i] as f32;
        } else {
            value = terminal.unwrap_or(if opponent_is_next { -value } else { value });
            tree.edges.value_sum[edge] += value;
            tree.nodes.value_sum[i] += value;
        }
    }
    simulation.wait = Wait::Idle;
}

/// Returns the expectation over all chance outcomes after a play, for the side that played.
fn expectation<G: Game>(tree: &Tree<G>, edge: usize, context: &Context<G>, opponent_is_next: bool) -> f32 {
    let children = &tree.children[tree.first_slot(edge)..][..tree.outcomes];
    let probabilities = context.game.chance_probabilities();
    let mean: f32 = children.iter().zip(probabilities).map(|(child, p)| p * tree.mean_value(*child)).sum();
    if opponent_is_next { -mean } else { mean }
}

/// If the priors of a node's visited plays add up to at least this, the maximum over these plays is the
/// node's value.
const MIN_VISITED_PRIOR: f32 = 0.99;

/// Returns the value of a node with [`Chance::Exhaustive`]: the evaluator's value until the visited plays
/// have at least [`MIN_VISITED_PRIOR`] of the prior probability, then the maximum over the visited plays. The
/// usual mean over visits would include bad plays that were only explored, so more search could worsen the
/// decisions of a perfect evaluator.
fn exhaustive_value<G: Game>(tree: &Tree<G>, node: u32) -> f32 {
    let edges = &tree.edges;
    let (mut visited_prior, mut best) = (0.0, f32::NEG_INFINITY);
    for edge in tree.edges_of(node).filter(|edge| edges.visits[*edge] > 0) {
        visited_prior += edges.prior[edge];
        best = best.max(edges.value_sum[edge] / edges.visits[edge] as f32);
    }
    if visited_prior >= MIN_VISITED_PRIOR { best } else { tree.nodes.evaluator_value[node as usize] }
}
