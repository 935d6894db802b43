//! Beam search: from a state, all ways on are tried, the most promising ones are kept, and so on, until one arrives.

use learnery_worlds::cube::{SOLVED, STATES, State, Turn, turns};

use super::brain::{Brain, Lane, ROWS};
use super::space::Space;

/// Turns after which a search gives up.
const LONGEST: usize = 40;

/// What a search is guided by.
pub struct Guide<'a> {
    /// The network.
    pub brain: &'a Brain,
    /// What its guesses are about.
    pub space: &'a Space,
    /// Guessed distances of all nodes; unused where the network judges turns.
    pub values: &'a [f32],
    /// Whether what the network says about turns are logarithms of probabilities up to a constant, whose sums along a way
    /// tell how likely all of it is; otherwise the last turn's worth alone is the worth of the way.
    pub sums: bool,
}

/// A place a search has come to.
#[derive(Clone, Copy)]
struct Place {
    state: State,
    /// The turn that led there, and from which place of the layer before.
    turn: Turn,
    parent: u32,
    /// The higher, the more promising.
    score: f32,
}

/// What searches work in, one after the other.
pub struct Beam {
    lane: Lane,
    layers: Vec<Vec<Place>>,
    candidates: Vec<Place>,
    /// The number of the search that last came to each state.
    seen: Vec<u32>,
    searches: u32,
}

impl Beam {
    /// Room for searches.
    pub fn new(brain: &Brain) -> Self {
        Self {
            lane: brain.lane(),
            layers: Vec::new(),
            candidates: Vec::new(),
            seen: vec![0; STATES],
            searches: 0,
        }
    }

    /// A solution, keeping `width` places at a time; none where it gets nowhere.
    pub fn solve(&mut self, guide: &Guide, start: State, width: usize) -> Option<Vec<Turn>> {
        if start == SOLVED {
            return Some(Vec::new());
        }
        self.searches += 1;
        self.seen[start as usize] = self.searches;
        self.layers.clear();
        self.layers.push(vec![Place { state: start, turn: 0, parent: 0, score: 0.0 }]);
        for depth in 0..LONGEST {
            self.expand(guide, depth);
            if let Some(end) = self.candidates.iter().find(|place| place.state == SOLVED) {
                return Some(self.way(*end, depth));
            }
            if self.candidates.is_empty() {
                return None;
            }
            if self.candidates.len() > width {
                // The state settles ties, so that nothing depends on the order.
                let order = |a: &Place, b: &Place| b.score.total_cmp(&a.score).then(a.state.cmp(&b.state));
                self.candidates.select_nth_unstable_by(width - 1, order);
                self.candidates.truncate(width);
            }
            self.layers.push(self.candidates.clone());
        }
        None
    }

    /// Finds every state that a turn leads to from the last layer and that this search has not seen.
    fn expand(&mut self, guide: &Guide, depth: usize) {
        let metric = guide.space.metric();
        let count = metric.turns();
        self.candidates.clear();
        for (chunk, places) in self.layers[depth].chunks(ROWS).enumerate() {
            let judged = !guide.brain.guesses_distances();
            let said = if judged {
                guide.brain.say(places.iter().map(|place| place.state), &mut self.lane)
            } else {
                &[]
            };
            for (i, place) in places.iter().enumerate() {
                let said = said.get(i * count..(i + 1) * count).unwrap_or(&[]);
                let level = if guide.sums { place.score - log_sum(said) } else { 0.0 };
                for turn in 0..count as Turn {
                    if depth > 0 && metric.is_redundant(place.turn, turn) {
                        continue;
                    }
                    let state = turns().after(place.state, turn);
                    if self.seen[state as usize] == self.searches {
                        continue;
                    }
                    self.seen[state as usize] = self.searches;
                    let score = match said.get(usize::from(turn)) {
                        Some(said) => level + said,
                        None => -guide.values[guide.space.node(state) as usize],
                    };
                    self.candidates.push(Place { state, turn, parent: (chunk * ROWS + i) as u32, score });
                }
            }
        }
    }

    /// The turns that led to a place behind layer `depth`.
    fn way(&self, end: Place, depth: usize) -> Vec<Turn> {
        let (mut way, mut place) = (vec![end.turn], end);
        for layer in self.layers[1..=depth].iter().rev() {
            place = layer[place.parent as usize];
            way.push(place.turn);
        }
        way.reverse();
        way
    }
}

/// The logarithm of the sum of exponentials.
fn log_sum(logits: &[f32]) -> f32 {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    greatest + logits.iter().map(|logit| (logit - greatest).exp()).sum::<f32>().ln()
}

#[cfg(test)]
mod tests {
    use super::super::{CubeConfig, Learner};
    use super::*;
    use learnery_kernels::rng::Stream;
    use learnery_worlds::cube::{Metric, distances};

    fn arrives(start: State, way: &[Turn]) -> bool {
        way.iter().fold(start, |state, turn| turns().after(state, *turn)) == SOLVED
    }

    /// With true distances one place at a time is enough for a shortest solution.
    #[test]
    fn true_distances_lead_straight_there() {
        let config = CubeConfig { metric: super::super::config::Metric::Half, ..CubeConfig::default() };
        let brain = Brain::new(&config, Stream::new(1, 1));
        let space = Space::new(Metric::Half, true);
        let known = distances(Metric::Half);
        let values: Vec<f32> = (0..space.nodes() as u32).map(|n| known.of(space.state(n)) as f32).collect();
        let guide = Guide { brain: &brain, space: &space, values: &values, sums: false };
        let mut beam = Beam::new(&brain);
        for start in (0..STATES as State).step_by(50_021) {
            let way = beam.solve(&guide, start, 1).expect("there is a way");
            assert!(arrives(start, &way) && way.len() == known.of(start));
        }
    }

    /// Whatever guides it, a beam that holds everything within reach finds a shortest solution.
    #[test]
    fn a_wide_beam_needs_no_guide() {
        for learner in [Learner::Dqn, Learner::Davi, Learner::Efficientcube] {
            let config =
                CubeConfig { learner, hidden_1: 8, hidden_2: 0, symmetry: true, ..CubeConfig::default() };
            let brain = Brain::new(&config, Stream::new(1, 1));
            let space = Space::new(Metric::Quarter, config.by_class());
            let values = vec![0.0; if brain.guesses_distances() { space.nodes() } else { 0 }];
            let sums = learner == Learner::Efficientcube;
            let guide = Guide { brain: &brain, space: &space, values: &values, sums };
            let mut beam = Beam::new(&brain);
            let known = distances(Metric::Quarter);
            let near = (0..STATES as State).filter(|state| known.of(*state) <= 5).step_by(59);
            for start in near {
                let way = beam.solve(&guide, start, 3000).expect("there is a way");
                assert!(arrives(start, &way) && way.len() == known.of(start), "{learner:?}");
            }
            assert_eq!(beam.solve(&guide, SOLVED, 1), Some(Vec::new()));
        }
    }
}
