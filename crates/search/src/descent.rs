//! A simulation: down the tree to where something is to be asked, and back up with the answer.
//!
//! At a state the play with the highest upper bound is followed (PUCT: Silver et al., "Mastering the game of Go without
//! human knowledge", 2017), and after it, one thing that chance may do. The way down is a path of indices; where a
//! simulation waits for the evaluator it stays at the end of its path and goes on from there.

use crate::Game;
use crate::options::{Chance, Options};
use crate::root::Tournament;
use crate::tree::{NONE, Policy, Tree};

/// From a state by a play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub node: u32,
    pub edge: u32,
}

/// What a simulation waits for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wait {
    /// Nothing: it has not begun.
    Idle,
    /// The values of so many new nodes, from this one on.
    Values(u32, u32),
    /// The policy of the node that it has come to.
    Policy,
}

/// A simulation under way.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub path: Vec<Step>,
    pub at: u32,
    pub wait: Wait,
}

/// Why a simulation goes no further before the next answers come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stop {
    /// It asks.
    Asks,
    /// The game is over and worth this to the side that made the last play.
    End(f32),
    /// Another simulation waits for what this one would ask.
    Behind,
}

/// Steps after which a path has to grow.
const STEPS: usize = 128;

impl Flight {
    pub fn new() -> Self {
        Self { path: Vec::with_capacity(STEPS), at: 0, wait: Wait::Idle }
    }

    /// Forgets where it was.
    pub fn stop(&mut self) {
        self.path.clear();
        self.wait = Wait::Idle;
    }
}

/// What all simulations of a search have in common.
pub(crate) struct Rules<'a, G> {
    pub game: &'a G,
    pub options: &'a Options,
    /// Sums of the probabilities of what chance may do, up to and with each.
    pub cumulative: &'a [f32],
}

/// Random numbers of one search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Draws {
    /// Which search.
    pub index: u64,
    /// How many have been drawn.
    pub drawn: u64,
}

impl Draws {
    fn draw(&mut self, options: &Options) -> f32 {
        self.drawn += 1;
        options.stream.uniform(self.index, self.drawn)
    }
}

/// Goes on with a simulation as far as it gets.
pub(crate) fn fly<G: Game>(
    tree: &mut Tree<G>,
    flight: &mut Flight,
    rules: &Rules<G>,
    draws: &mut Draws,
    scratch: &mut G::Scratch,
    tournament: Option<&Tournament>,
) -> Stop {
    let Rules { game, options, .. } = rules;
    loop {
        let node = flight.at;
        let i = node as usize;
        if tree.nodes.visits[i] == 0 {
            // Only the root is there before anybody comes to it.
            if tree.nodes.flying[i] > 0 {
                return Stop::Behind;
            }
            tree.nodes.flying[i] += 1;
            flight.wait = Wait::Values(node, 1);
            return Stop::Asks;
        }
        if tree.nodes.first[i] == NONE {
            expand(tree, node, rules, draws, scratch);
        }
        match tree.nodes.policy[i] {
            Policy::Known => {}
            Policy::PolicyRequest => return Stop::Behind,
            Policy::Unknown => {
                tree.nodes.policy[i] = Policy::PolicyRequest;
                flight.wait = Wait::Policy;
                return Stop::Asks;
            }
        }
        let edge = match tournament {
            Some(tournament) if node == 0 => tournament.select(tree),
            _ => select(tree, node, options),
        };
        let tried = tree.edges.visits[edge] + tree.edges.flying[edge];
        tree.nodes.flying[i] += 1;
        tree.edges.flying[edge] += 1;
        flight.path.push(Step { node, edge: edge as u32 });

        let play = tree.edges.play[edge];
        if let Some(value) = game.terminal_value(&play) {
            return Stop::End(value);
        }
        if tree.edges.block[edge] == NONE {
            tree.add_block(edge);
            if options.chance == Chance::Exhaustive {
                let (first, block) = (tree.nodes.state.len() as u32, tree.block(edge));
                for chance in 0..tree.chances {
                    tree.children[block + chance] = tree.add_node(game.next_state(&play, chance));
                }
                flight.wait = Wait::Values(first, tree.chances as u32);
                return Stop::Asks;
            }
        }
        let u = match options.chance {
            Chance::Sampled => draws.draw(options),
            Chance::LowDiscrepancy | Chance::Exhaustive => even(tree.nodes.start[i], tried),
        };
        let slot = tree.block(edge) + chosen(rules.cumulative, u);
        if tree.children[slot] == NONE {
            let child = tree.add_node(game.next_state(&play, slot - tree.block(edge)));
            tree.children[slot] = child;
            flight.wait = Wait::Values(child, 1);
            return Stop::Asks;
        }
        let child = tree.children[slot];
        if tree.nodes.visits[child as usize] == 0 {
            return Stop::Behind;
        }
        flight.at = child;
    }
}

/// Gives a node its plays.
pub(crate) fn expand<G: Game>(
    tree: &mut Tree<G>,
    node: u32,
    rules: &Rules<G>,
    draws: &mut Draws,
    scratch: &mut G::Scratch,
) {
    tree.add_edges(node, rules.game, scratch);
    tree.nodes.start[node as usize] = draws.draw(rules.options);
}

/// Member `k` of the Kronecker sequence of the golden ratio that starts at `start`.
fn even(start: f32, k: u32) -> f32 {
    const STEP: f64 = 0.618_033_988_749_895;
    (f64::from(start) + STEP * f64::from(k)).fract() as f32
}

/// What chance does for a number in [0, 1).
fn chosen(cumulative: &[f32], u: f32) -> usize {
    let below = cumulative.iter().position(|c| u < *c);
    below.unwrap_or(cumulative.len() - 1)
}

/// The edge with the highest upper bound; of equal ones the first.
fn select<G: Game>(tree: &Tree<G>, node: u32, options: &Options) -> usize {
    let range = tree.edges_of(node);
    let (i, first) = (node as usize, range.start);
    let explore = options.cpuct * ((tree.nodes.visits[i] + tree.nodes.flying[i]) as f32).sqrt();
    let untried = tree.value(node) - options.fpu;
    let edges = &tree.edges;
    let values = edges.sum[range.clone()].iter().zip(&edges.visits[range.clone()]);
    let bounds = edges.prior[range.clone()].iter().zip(&edges.flying[range]);
    let (mut best, mut highest) = (first, f32::NEG_INFINITY);
    for (k, ((sum, visits), (prior, flying))) in values.zip(bounds).enumerate() {
        let value = if *visits == 0 { untried } else { sum / *visits as f32 };
        let bound = value + explore * prior / (1 + visits + flying) as f32;
        if bound > highest {
            (best, highest) = (first + k, bound);
        }
    }
    best
}

/// Takes back what a simulation left on its way down, so that it can begin anew.
pub(crate) fn turn_back<G: Game>(tree: &mut Tree<G>, flight: &mut Flight) {
    for step in &flight.path {
        tree.nodes.flying[step.node as usize] -= 1;
        tree.edges.flying[step.edge as usize] -= 1;
    }
    flight.stop();
}

/// Carries what was found up the path and ends the simulation. `end` is what a game that is over was worth to the side
/// that made the last play; otherwise the nodes that the simulation waited for have been judged.
pub(crate) fn land<G: Game>(tree: &mut Tree<G>, flight: &mut Flight, rules: &Rules<G>, end: Option<f32>) {
    let mut value = 0.0;
    if let Wait::Values(first, count) = flight.wait {
        for node in first as usize..(first + count) as usize {
            tree.nodes.visits[node] = 1;
            tree.nodes.sum[node] = tree.nodes.judged[node];
        }
        value = tree.nodes.judged[first as usize];
        if first == 0 {
            // The root, to which no play led.
            tree.nodes.flying[0] -= 1;
        }
    }
    let mut end = end;
    while let Some(Step { node, edge }) = flight.path.pop() {
        let (i, edge) = (node as usize, edge as usize);
        let passes = rules.game.passes_turn(&tree.edges.play[edge]);
        tree.nodes.visits[i] += 1;
        tree.nodes.flying[i] -= 1;
        tree.edges.visits[edge] += 1;
        tree.edges.flying[edge] -= 1;
        let over = end.take();
        if rules.options.chance == Chance::Exhaustive {
            let expected = over.unwrap_or_else(|| expected(tree, edge, rules, passes));
            tree.edges.sum[edge] = expected * tree.edges.visits[edge] as f32;
            tree.nodes.sum[i] = best_known(tree, node) * tree.nodes.visits[i] as f32;
        } else {
            value = over.unwrap_or(if passes { -value } else { value });
            tree.edges.sum[edge] += value;
            tree.nodes.sum[i] += value;
        }
    }
    flight.wait = Wait::Idle;
}

/// The mean over everything that chance may do after a play.
fn expected<G: Game>(tree: &Tree<G>, edge: usize, rules: &Rules<G>, passes: bool) -> f32 {
    let children = &tree.children[tree.block(edge)..][..tree.chances];
    let probabilities = rules.game.chance_probabilities();
    let mean: f32 = children.iter().zip(probabilities).map(|(child, p)| p * tree.value(*child)).sum();
    if passes { -mean } else { mean }
}

/// The share of the policy that has to be tried before it is believed that the best is among it.
const COVERED: f32 = 0.99;

/// What a node is worth where the value of each play is an expectation and not the mean of visits: what was said of it
/// until (nearly) all its plays were tried, then what the best of them is worth. So a value is replaced only by better
/// knowledge, and who knows all values is never led astray by the plays that were tried in vain.
fn best_known<G: Game>(tree: &Tree<G>, node: u32) -> f32 {
    let edges = &tree.edges;
    let (mut covered, mut best) = (0.0, f32::NEG_INFINITY);
    for edge in tree.edges_of(node).filter(|edge| edges.visits[*edge] > 0) {
        covered += edges.prior[edge];
        best = best.max(edges.sum[edge] / edges.visits[edge] as f32);
    }
    if covered >= COVERED { best } else { tree.nodes.judged[node as usize] }
}
