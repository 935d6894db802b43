//! The graph whose distances from solved are learned. A node is a state or, with symmetry, a class of
//! symmetric states. Nodes one turn apart are neighbours.
//!
//! Up to 96 states have the same distance for reasons of symmetry: 48 ways to hold the cube (mirrors
//! included), times two because a state and its inverse have the same distance. The graph of the classes,
//! called the quotient, has 40,296 nodes; the graph of the states has 3,674,160.

use learnery_worlds::cube::{Metric, STATES, State, SymmetryClasses, symmetry_classes, turns};

/// The node of the solved cube, with or without symmetry.
pub const SOLVED_NODE: u32 = 0;

pub struct StateSpace {
    metric: Metric,
    /// `None` if every state is a node of its own.
    pub(super) quotient: Option<Quotient>,
}

pub(super) struct Quotient {
    pub(super) classes: &'static SymmetryClasses,
    /// The class that each turn leads to from the representative of each class.
    /// Shape: `[classes, turns]`.
    neighbours: Vec<u32>,
}

impl StateSpace {
    pub fn new(metric: Metric, by_symmetry: bool) -> Self {
        let quotient = || {
            let classes = symmetry_classes();
            let nodes = 0..classes.count() as u32;
            let neighbours = nodes.flat_map(|class| {
                let state = classes.representative(class);
                (0..metric.turns()).map(move |turn| classes.of(turns().after(state, turn as u8)))
            });
            Quotient { classes, neighbours: neighbours.collect() }
        };
        Self { metric, quotient: by_symmetry.then(quotient) }
    }

    /// What counts as one turn.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.quotient.as_ref().map_or(STATES, |quotient| quotient.classes.count())
    }

    /// The node that a state belongs to.
    pub fn node(&self, state: State) -> u32 {
        self.quotient.as_ref().map_or(state, |quotient| quotient.classes.of(state))
    }

    /// The state that represents a node.
    pub fn state(&self, node: u32) -> State {
        self.quotient.as_ref().map_or(node, |quotient| quotient.classes.representative(node))
    }

    /// Returns the minimum of `values`, which has one entry per node, over a node's neighbours.
    pub fn min_over_neighbours(&self, node: u32, values: &[f32]) -> f32 {
        let count = self.metric.turns();
        let min = |minimum: f32, node: u32| minimum.min(values[node as usize]);
        match &self.quotient {
            Some(quotient) => {
                let neighbours = &quotient.neighbours[node as usize * count..][..count];
                neighbours.iter().fold(f32::INFINITY, |minimum, node| min(minimum, *node))
            }
            None => {
                // Without symmetry a node is a state.
                let neighbours = (0..count).map(|turn| turns().after(node, turn as u8));
                neighbours.fold(f32::INFINITY, min)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_cube_is_the_first_node_and_every_representative_belongs_to_its_class() {
        for metric in [Metric::Quarter, Metric::Half] {
            let (full, quotient) = (StateSpace::new(metric, false), StateSpace::new(metric, true));
            assert_eq!((full.nodes(), full.node(0)), (STATES, SOLVED_NODE));
            assert_eq!((quotient.node(0), quotient.state(SOLVED_NODE)), (SOLVED_NODE, 0));
            for node in 0..quotient.nodes() as u32 {
                assert_eq!(quotient.node(quotient.state(node)), node);
            }
        }
    }

    #[test]
    fn quotient_and_full_graph_have_the_same_neighbour_minima() {
        for metric in [Metric::Quarter, Metric::Half] {
            let (full, quotient) = (StateSpace::new(metric, false), StateSpace::new(metric, true));
            // An arbitrary value for each class.
            let by_class: Vec<f32> = (0..quotient.nodes()).map(|i| (i * 7919 % 10_007) as f32).collect();
            let by_state: Vec<f32> =
                (0..STATES as State).map(|state| by_class[quotient.node(state) as usize]).collect();
            for node in (0..quotient.nodes() as u32).step_by(17) {
                let state = quotient.state(node);
                assert_eq!(
                    quotient.min_over_neighbours(node, &by_class),
                    full.min_over_neighbours(state, &by_state)
                );
            }
        }
    }
}
