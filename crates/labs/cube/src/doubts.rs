//! Where guessed distances contradict one another, and nodes drawn by how much (after prioritised sweeping; Moore and
//! Atkeson, "Prioritized sweeping: reinforcement learning with less data and less time", 1993).
//!
//! True distances are one more than the least around them. How far guesses are from that, the Bellman residual, is known
//! for all nodes once they are guessed. Where it is below one everywhere, every greedy turn leads to a lesser guess, so
//! that every walk arrives: what is left in the end is to be sought where it is greatest.

use rayon::prelude::*;

use super::space::Space;

/// Nodes that one thread looks at in a row.
const CHUNK: usize = 256;

/// The nodes, each with the square of its residual.
pub struct Doubts {
    /// Of each node that square, and those of all before it. // [nodes]
    sums: Vec<f64>,
}

impl Doubts {
    /// Room for so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { sums: vec![0.0; nodes] }
    }

    /// Looks at the nodes `from..to`, all before them being done.
    pub fn weigh(&mut self, space: &Space, guesses: &[f32], from: usize, to: usize) {
        let chunks = self.sums[from..to].par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(chunk, weights)| {
            let first = from + chunk * CHUNK;
            for (weight, node) in weights.iter_mut().zip(first..) {
                let square = residual(space, guesses, node as u32).powi(2);
                // A guess that is no number must not spoil all sums.
                *weight = if square.is_finite() { f64::from(square) } else { 0.0 };
            }
        });
        let mut sum = if from == 0 { 0.0 } else { self.sums[from - 1] };
        for weight in &mut self.sums[from..to] {
            sum += *weight;
            *weight = sum;
        }
    }

    /// The node at a share of the sum of all, 0 to 1; none where there is no doubt at all.
    pub fn at(&self, share: f64) -> Option<u32> {
        let all = *self.sums.last()?;
        let node = self.sums.partition_point(|sum| *sum <= share * all);
        // Rounding may carry a share past the last node with a weight.
        (all > 0.0).then(|| node.min(self.sums.partition_point(|sum| *sum < all)) as u32)
    }
}

/// How much more than a turn lies between the guess of a node and the least one around it, or how much less.
fn residual(space: &Space, guesses: &[f32], node: u32) -> f32 {
    // That of the solved cube is known.
    if node == 0 { 0.0 } else { 1.0 + space.least_around(node, guesses) - guesses[node as usize] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use learnery_worlds::cube::{Metric, distances};

    fn weighed(space: &Space, guesses: &[f32], stride: usize) -> Doubts {
        let mut doubts = Doubts::new(space.nodes());
        for from in (0..space.nodes()).step_by(stride) {
            doubts.weigh(space, guesses, from, space.nodes().min(from + stride));
        }
        doubts
    }

    /// True distances leave no doubt; one wrong guess casts it on that node and on those that lean on it, by its square.
    #[test]
    fn doubts_are_where_guesses_contradict_one_another() {
        let space = Space::new(Metric::Quarter, true);
        let known = distances(Metric::Quarter);
        let mut guesses: Vec<f32> =
            (0..space.nodes() as u32).map(|node| known.of(space.state(node)) as f32).collect();
        assert_eq!(weighed(&space, &guesses, 1000).at(0.5), None);
        let wrong = 20_000;
        guesses[wrong] += 3.0;
        let doubts = weighed(&space, &guesses, 1000);
        let mut shares = std::collections::BTreeMap::new();
        for i in 0..90_000 {
            *shares
                .entry(doubts.at((f64::from(i) + 0.5) / 90_000.0).expect("there is a doubt"))
                .or_insert(0) += 1;
        }
        let squares: Vec<(u32, f32)> = (0..space.nodes() as u32)
            .map(|node| (node, residual(&space, &guesses, node).powi(2)))
            .filter(|(_, square)| *square > 0.0)
            .collect();
        assert!(squares.iter().any(|(node, square)| *node == wrong as u32 && *square == 9.0));
        let all: f32 = squares.iter().map(|(_, square)| square).sum();
        assert_eq!(shares.len(), squares.len());
        for (node, square) in squares {
            assert!((shares[&node] as f32 - 90_000.0 * square / all).abs() <= 1.0, "{node}");
        }
    }

    /// Neither the ends nor guesses that are no numbers lead out of the nodes; how they are dealt out changes nothing.
    #[test]
    fn every_share_is_some_node_of_weight() {
        let space = Space::new(Metric::Half, true);
        let mut guesses: Vec<f32> = (0..space.nodes()).map(|i| (i * 7919 % 10_007) as f32).collect();
        guesses[17] = f32::NAN;
        guesses[18] = f32::INFINITY;
        let (doubts, same) = (weighed(&space, &guesses, 8192), weighed(&space, &guesses, 777));
        for share in [0.0, 1e-12, 0.3, 1.0 - 1e-16, 1.0, 2.0] {
            let node = doubts.at(share).expect("there are doubts");
            assert_eq!(same.at(share), Some(node));
            let square = residual(&space, &guesses, node).powi(2);
            assert!(square > 0.0 && square.is_finite(), "{share}: {node}");
        }
    }
}
