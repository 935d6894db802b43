//! The nodes whose distances are guessed: all states, or one for each class of states that are alike.

use learnery_worlds::cube::{Metric, STATES, State, SymmetryClasses, symmetry_classes, turns};

/// What the network is asked about.
pub struct Space {
    metric: Metric,
    classes: Option<Alike>,
}

struct Alike {
    classes: &'static SymmetryClasses,
    /// The classes around each class. // [classes, turns]
    around: Vec<u32>,
}

impl Space {
    /// All states, or all classes.
    pub fn new(metric: Metric, by_class: bool) -> Self {
        let alike = || {
            let classes = symmetry_classes();
            let nodes = 0..classes.count() as u32;
            let neighbours = nodes.flat_map(|class| {
                let state = classes.representative(class);
                (0..metric.turns()).map(move |turn| classes.of(turns().after(state, turn as u8)))
            });
            Alike { classes, around: neighbours.collect() }
        };
        Self { metric, classes: by_class.then(alike) }
    }

    /// What counts as a turn.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How many nodes there are. The first is the solved cube.
    pub fn nodes(&self) -> usize {
        self.classes.as_ref().map_or(STATES, |alike| alike.classes.count())
    }

    /// The node of a state.
    pub fn node(&self, state: State) -> u32 {
        self.classes.as_ref().map_or(state, |alike| alike.classes.of(state))
    }

    /// The state that stands for a node.
    pub fn state(&self, node: u32) -> State {
        self.classes.as_ref().map_or(node, |alike| alike.classes.representative(node))
    }

    /// The least of the values around a node.
    pub fn least_around(&self, node: u32, values: &[f32]) -> f32 {
        let turns_of = self.metric.turns();
        let least = |least: f32, node: u32| least.min(values[node as usize]);
        match &self.classes {
            Some(alike) => {
                let around = &alike.around[node as usize * turns_of..][..turns_of];
                around.iter().fold(f32::INFINITY, |so_far, node| least(so_far, *node))
            }
            None => {
                let around = (0..turns_of).map(|turn| turns().after(node, turn as u8));
                around.fold(f32::INFINITY, least)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class has the neighbours of the state that stands for it, and the solved cube comes first.
    #[test]
    fn nodes_are_states_or_classes_of_them() {
        for metric in [Metric::Quarter, Metric::Half] {
            let (all, some) = (Space::new(metric, false), Space::new(metric, true));
            assert_eq!((all.nodes(), all.node(0), some.node(0), some.state(0)), (STATES, 0, 0, 0));
            let by_class: Vec<f32> = (0..some.nodes()).map(|i| (i * 7919 % 10_007) as f32).collect();
            let by_state: Vec<f32> =
                (0..STATES as State).map(|state| by_class[some.node(state) as usize]).collect();
            for node in (0..some.nodes() as u32).step_by(17) {
                let state = some.state(node);
                assert_eq!(some.node(state), node);
                assert_eq!(some.least_around(node, &by_class), all.least_around(state, &by_state));
            }
        }
    }
}
