//! A reference implementation of the tree search with one simulation at a time: recursive, with nodes that
//! own their children, and with the policy of every node computed at once. It searches the race of `race.rs`,
//! evaluates with the values and logits of `random_evaluator.rs`, and draws the same random numbers as the
//! real search.

use learnery_kernels::activation::softmax;
use learnery_search::{Chance, Game, Noise, Options};

use super::race::{DIE, Play, Race, Turn};
use super::random_evaluator::{random_logit, random_value};

/// A state at the beginning of a turn. Its values are for the side to move.
pub struct Node {
    turn: Turn,
    /// Visits, including the evaluation of the node.
    visits: u32,
    /// The sum of the values of all visits.
    sum: f32,
    /// The start of the low-discrepancy sequence that selects rolls.
    sequence_start: f32,
    /// Empty before the second visit.
    pub edges: Vec<Edge>,
}

/// A play. Its values are for the side that played.
pub struct Edge {
    play: Play,
    prior: f32,
    pub visits: u32,
    /// The sum of the values of all visits.
    pub sum: f32,
    /// The node after each of the three rolls.
    children: [Option<Box<Node>>; 3],
}

pub struct Search {
    options: Options,
    /// The index of the search in its stream of random numbers: even for rolls, the next odd one for noise.
    index: u64,
    /// How many numbers are drawn.
    drawn: u64,
}

impl Search {
    /// Runs a search and returns the root.
    pub fn run(turn: Turn, options: Options, index: u64) -> Node {
        let mut search = Self { options, index: 2 * index, drawn: 0 };
        let mut root = Node::new(turn);
        search.expand(&mut root);
        if let Noise::Dirichlet { alpha, fraction } = options.noise {
            let mut noise = vec![0.0; root.edges.len()];
            options.stream.fill_dirichlet(2 * index + 1, alpha, &mut noise);
            for (edge, sample) in root.edges.iter_mut().zip(noise) {
                edge.prior += fraction * (sample - edge.prior);
            }
        }
        for _ in 0..options.simulations {
            search.visit(&mut root);
        }
        root
    }

    fn draw(&mut self) -> f32 {
        self.drawn += 1;
        self.options.stream.uniform(self.index, self.drawn)
    }

    /// Adds the edges of a node with their priors.
    fn expand(&mut self, node: &mut Node) {
        let mut plays = Vec::new();
        Race.plays(&node.turn, &mut (), &mut plays);
        let mut priors: Vec<f32> = (0..plays.len()).map(|i| random_logit(&node.turn, i)).collect();
        softmax(&mut priors, plays.len());
        if plays.len() == 1 {
            priors[0] = 1.0;
        }
        let edge = |(play, prior)| Edge { play, prior, visits: 0, sum: 0.0, children: [None, None, None] };
        node.edges = plays.into_iter().zip(priors).map(edge).collect();
        node.sequence_start = self.draw();
    }

    /// Visits a node once. Returns the value added to the node's sum, which is not used with exhaustive
    /// chance nodes.
    fn visit(&mut self, node: &mut Node) -> f32 {
        if node.edges.is_empty() {
            self.expand(node);
        }
        let options = self.options;
        // Select the edge with the highest PUCT score.
        let explore = options.cpuct * (node.visits as f32).sqrt();
        let (mut best, mut highest) = (0, f32::NEG_INFINITY);
        for (i, edge) in node.edges.iter().enumerate() {
            let value = if edge.visits == 0 {
                node.sum / node.visits as f32 - options.fpu
            } else {
                edge.sum / edge.visits as f32
            };
            let score = value + explore * edge.prior / (1 + edge.visits) as f32;
            if score > highest {
                (best, highest) = (i, score);
            }
        }
        let start = node.sequence_start;
        let edge = &mut node.edges[best];
        let added = match Race.terminal_value(&edge.play) {
            Some(value) => value,
            None if options.chance == Chance::Exhaustive => self.visit_exhaustively(edge, start),
            None => {
                let u = if options.chance == Chance::Sampled {
                    self.draw()
                } else {
                    low_discrepancy(start, edge.visits)
                };
                let chance = outcome(u);
                let value = match &mut edge.children[chance] {
                    Some(child) => self.visit(child),
                    // A new node is not visited further: its value is the evaluation, its only visit.
                    empty => empty.insert(Box::new(Node::new(Race.next_state(&edge.play, chance)))).sum,
                };
                if Race.passes_turn(&edge.play) { -value } else { value }
            }
        };
        edge.visits += 1;
        node.visits += 1;
        if options.chance != Chance::Exhaustive {
            edge.sum += added;
            node.sum += added;
            return added;
        }
        // With exhaustive chance nodes, `added` is the mean value of the edge, and the node has the value of
        // its best edge as soon as its visited edges have 99 % of the prior, before that the evaluator's
        // value.
        edge.sum = added * edge.visits as f32;
        let visited = || node.edges.iter().filter(|edge| edge.visits > 0);
        let visited_prior: f32 = visited().map(|edge| edge.prior).sum();
        let best = visited().map(|edge| edge.sum / edge.visits as f32).fold(f32::NEG_INFINITY, f32::max);
        node.sum = if visited_prior >= 0.99 { best } else { random_value(&node.turn) } * node.visits as f32;
        // Not used: the caller computes the mean over the outcomes.
        0.0
    }

    /// Visits a play: evaluates all outcomes at the first visit, descends into one of them at the others.
    /// Returns the expectation over the outcomes, for the side that played.
    fn visit_exhaustively(&mut self, edge: &mut Edge, start: f32) -> f32 {
        if edge.children[0].is_none() {
            edge.children =
                [0, 1, 2].map(|chance| Some(Box::new(Node::new(Race.next_state(&edge.play, chance)))));
        } else {
            let chance = outcome(low_discrepancy(start, edge.visits));
            let child = edge.children[chance].as_mut().expect("all outcomes were evaluated");
            self.visit(child);
        }
        let value = |child: &Option<Box<Node>>| child.as_ref().map_or(0.0, |c| c.sum / c.visits as f32);
        let mean: f32 = edge.children.iter().zip(DIE).map(|(child, p)| p * value(child)).sum();
        if Race.passes_turn(&edge.play) { -mean } else { mean }
    }
}

impl Node {
    fn new(turn: Turn) -> Self {
        Self { turn, visits: 1, sum: random_value(&turn), sequence_start: 0.0, edges: Vec::new() }
    }

    pub fn value(&self) -> f32 {
        self.sum / self.visits as f32
    }
}

/// Number `k` of the Kronecker sequence that adds the inverse golden ratio, modulo 1.
fn low_discrepancy(start: f32, k: u32) -> f32 {
    (f64::from(start) + 0.618_033_988_749_895 * f64::from(k)).fract() as f32
}

/// The roll (as an index) for a number in [0, 1).
fn outcome(u: f32) -> usize {
    if u < DIE[0] {
        0
    } else if u < DIE[0] + DIE[1] {
        1
    } else {
        2
    }
}
