//! One simulation of the tree search: descend to a leaf, wait for the evaluator, back the value up.
//!
//! At a decision node the play with the highest PUCT score is selected (Silver et al., "Mastering the game of Go without human
//! knowledge", 2017); at the chance node after it, an outcome. The path is a list of indices. A simulation that waits for the
//! evaluator stays at the end of its path and continues from there.

use crate::Game;
use crate::options::{Chance, Options};
use crate::root::SequentialHalving;
use crate::tree::{NONE, Policy, Tree};

/// A node of the path and the edge selected there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: u32,
}

/// What a simulation waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wait {
    /// Nothing; it has not started or is done.
    Idle,
    /// The values of new nodes: the first node and their number.
    Values(u32, u32),
    /// The policy of its current node.
    Policy,
}

/// A simulation in flight.
#[derive(Clone, Debug)]
pub(crate) struct Simulation {
    pub path: Vec<Step>,
    /// The current node.
    pub at: u32,
    pub wait: Wait,
}

/// Why a descent stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// It needs the evaluator; see [`Simulation::wait`].
    NeedsEvaluation,
    /// The game is over, with this value for the side that made the last play.
    Terminal(f32),
    /// Another simulation already waits for the evaluation that this one would need.
    Collision,
}

/// Initial capacity of a path.
const STEPS: usize = 128;

impl Simulation {
    pub fn new() -> Self {
        Self { path: Vec::with_capacity(STEPS), at: 0, wait: Wait::Idle }
    }

    pub fn reset(&mut self) {
        self.path.clear();
        self.wait = Wait::Idle;
    }
}

/// What all simulations share.
pub(crate) struct Context<'a, G> {
    pub game: &'a G,
    pub options: &'a Options,
    /// Cumulative probabilities of the chance outcomes.
    pub cumulative: &'a [f32],
}

/// The sequence of random numbers of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Draws {
    /// Identifies the search.
    pub index: u64,
    pub drawn: u64,
}

impl Draws {
    fn draw(&mut self, options: &Options) -> f32 {
        self.drawn += 1;
        options.stream.uniform(self.index, self.drawn)
    }
}

/// Continues a simulation until it stops.
pub(crate) fn descend<G: Game>(
    tree: &mut Tree<G>,
    simulation: &mut Simulation,
    context: &Context<G>,
    draws: &mut Draws,
    scratch: &mut G::Scratch,
    halving: Option<&SequentialHalving>,
) -> Stop {
    let Context { game, options, .. } = context;
    loop {
        let node = simulation.at;
        let i = node as usize;
        if tree.nodes.visits[i] == 0 {
            // Only the root exists before it is evaluated.
            if tree.nodes.in_flight[i] > 0 {
                return Stop::Collision;
            }
            tree.nodes.in_flight[i] += 1;
            simulation.wait = Wait::Values(node, 1);
            return Stop::NeedsEvaluation;
        }
        if tree.nodes.first[i] == NONE {
            expand(tree, node, context, draws, scratch);
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
        let visits = tree.edges.visits[edge] + tree.edges.in_flight[edge];
        tree.nodes.in_flight[i] += 1;
        tree.edges.in_flight[edge] += 1;
        simulation.path.push(Step { node, edge: edge as u32 });

        let play = tree.edges.play[edge];
        if let Some(value) = game.terminal_value(&play) {
            return Stop::Terminal(value);
        }
        if tree.edges.block[edge] == NONE {
            tree.add_block(edge);
            if options.chance == Chance::Exhaustive {
                let (first, block) = (tree.nodes.state.len() as u32, tree.block(edge));
                for chance in 0..tree.outcomes {
                    tree.children[block + chance] = tree.add_node(game.next_state(&play, chance));
                }
                simulation.wait = Wait::Values(first, tree.outcomes as u32);
                return Stop::NeedsEvaluation;
            }
        }
        let u = match options.chance {
            Chance::Sampled => draws.draw(options),
            Chance::LowDiscrepancy | Chance::Exhaustive => {
                low_discrepancy(tree.nodes.sequence_start[i], visits)
            }
        };
        let slot = tree.block(edge) + outcome(context.cumulative, u);
        if tree.children[slot] == NONE {
            let child = tree.add_node(game.next_state(&play, slot - tree.block(edge)));
            tree.children[slot] = child;
            simulation.wait = Wait::Values(child, 1);
            return Stop::NeedsEvaluation;
        }
        let child = tree.children[slot];
        if tree.nodes.visits[child as usize] == 0 {
            return Stop::Collision;
        }
        simulation.at = child;
    }
}

/// Adds the plays of a node as edges.
pub(crate) fn expand<G: Game>(
    tree: &mut Tree<G>,
    node: u32,
    context: &Context<G>,
    draws: &mut Draws,
    scratch: &mut G::Scratch,
) {
    tree.add_edges(node, context.game, scratch);
    tree.nodes.sequence_start[node as usize] = draws.draw(context.options);
}

/// Member `k` of the Kronecker sequence `start + k / golden ratio` modulo 1.
fn low_discrepancy(start: f32, k: u32) -> f32 {
    const STEP: f64 = 0.618_033_988_749_895;
    (f64::from(start) + STEP * f64::from(k)).fract() as f32
}

/// The chance outcome for a number in [0, 1): inverse transform sampling.
fn outcome(cumulative: &[f32], u: f32) -> usize {
    let below = cumulative.iter().position(|c| u < *c);
    below.unwrap_or(cumulative.len() - 1)
}

/// The edge with the highest PUCT score; the first of equal ones.
fn select<G: Game>(tree: &Tree<G>, node: u32, options: &Options) -> usize {
    let range = tree.edges_of(node);
    let (i, first) = (node as usize, range.start);
    let explore = options.cpuct * ((tree.nodes.visits[i] + tree.nodes.in_flight[i]) as f32).sqrt();
    let first_play_urgency = tree.value(node) - options.fpu;
    let edges = &tree.edges;
    let values = edges.sum[range.clone()].iter().zip(&edges.visits[range.clone()]);
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

/// Backs up the result along the path and ends the simulation. `end` is the value of a finished game for the side that made the
/// last play; without it, the new nodes must have been evaluated.
pub(crate) fn back_up<G: Game>(
    tree: &mut Tree<G>,
    simulation: &mut Simulation,
    context: &Context<G>,
    end: Option<f32>,
) {
    let mut value = 0.0;
    if let Wait::Values(first, count) = simulation.wait {
        for node in first as usize..(first + count) as usize {
            tree.nodes.visits[node] = 1;
            tree.nodes.sum[node] = tree.nodes.evaluated[node];
        }
        value = tree.nodes.evaluated[first as usize];
        if first == 0 {
            // The root has no edge that leads to it.
            tree.nodes.in_flight[0] -= 1;
        }
    }
    let mut end = end;
    while let Some(Step { node, edge }) = simulation.path.pop() {
        let (i, edge) = (node as usize, edge as usize);
        let passes = context.game.passes_turn(&tree.edges.play[edge]);
        tree.nodes.visits[i] += 1;
        tree.nodes.in_flight[i] -= 1;
        tree.edges.visits[edge] += 1;
        tree.edges.in_flight[edge] -= 1;
        let terminal = end.take();
        if context.options.chance == Chance::Exhaustive {
            let value = terminal.unwrap_or_else(|| expectation(tree, edge, context, passes));
            tree.edges.sum[edge] = value * tree.edges.visits[edge] as f32;
            tree.nodes.sum[i] = exhaustive_value(tree, node) * tree.nodes.visits[i] as f32;
        } else {
            value = terminal.unwrap_or(if passes { -value } else { value });
            tree.edges.sum[edge] += value;
            tree.nodes.sum[i] += value;
        }
    }
    simulation.wait = Wait::Idle;
}

/// The expectation over all chance outcomes after a play, for the side that played.
fn expectation<G: Game>(tree: &Tree<G>, edge: usize, context: &Context<G>, passes: bool) -> f32 {
    let children = &tree.children[tree.block(edge)..][..tree.outcomes];
    let probabilities = context.game.chance_probabilities();
    let mean: f32 = children.iter().zip(probabilities).map(|(child, p)| p * tree.value(*child)).sum();
    if passes { -mean } else { mean }
}

/// The prior probability that the visited plays of a node must have together before their maximum is trusted.
const COVERED: f32 = 0.99;

/// The value of a node with [`Chance::Exhaustive`]: the evaluator's value until nearly all of its prior probability was visited, then
/// the maximum over plays. The usual mean over visits would include bad plays that were only explored, so that more search
/// could worsen the decisions of a perfect evaluator.
fn exhaustive_value<G: Game>(tree: &Tree<G>, node: u32) -> f32 {
    let edges = &tree.edges;
    let (mut covered, mut best) = (0.0, f32::NEG_INFINITY);
    for edge in tree.edges_of(node).filter(|edge| edges.visits[*edge] > 0) {
        covered += edges.prior[edge];
        best = best.max(edges.sum[edge] / edges.visits[edge] as f32);
    }
    if covered >= COVERED { best } else { tree.nodes.evaluated[node as usize] }
}
