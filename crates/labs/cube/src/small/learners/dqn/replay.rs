//! The replay buffer of deep Q-learning, with prioritised sampling: the probability of a transition is
//! proportional to a power of its last temporal-difference error (Schaul et al., "Prioritized experience
//! replay", 2015).

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::cube::{STATES, State, Turn};

/// An n-step transition: a turn, and what came of it and the turns after it, n turns in all (fewer if the
/// attempt ended).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transition {
    pub state: State,
    /// The first turn, whose value is learned.
    pub turn: Turn,
    /// The sum of the discounted rewards of all `n` turns.
    pub reward: f32,
    /// The state after `n` turns.
    pub next: State,
    /// The discount of the value of `next`; zero if the cube is solved there.
    pub discount: f32,
}

/// A ring buffer of transitions beside a sum tree of their priorities.
pub struct ReplayBuffer {
    transitions: Vec<Transition>,
    /// A binary tree in an array: the root is at 1, the children of `i` are at `2 i` and `2 i + 1`, and the
    /// leaves are the second half. A leaf is a priority; every other node is the sum of its two children.
    /// Sampling and updating take one path between root and leaf. A checkpoint stores only the leaves.
    tree: Vec<f64>,
    /// Number of transitions in the buffer, at most its capacity.
    len: usize,
    /// The index that the next transition is written to.
    head: usize,
    /// The largest priority so far. New transitions get it, so that each is likely to be sampled at least
    /// once.
    max_priority: f32,
}

impl ReplayBuffer {
    pub fn new(capacity: usize) -> Self {
        let leaves = capacity.next_power_of_two();
        let transitions = vec![Transition::default(); capacity];
        Self { transitions, tree: vec![0.0; 2 * leaves], len: 0, head: 0, max_priority: 1.0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, index: usize) -> &Transition {
        &self.transitions[index]
    }

    /// Adds a transition. A full buffer overwrites its oldest one.
    pub fn push(&mut self, transition: Transition) {
        self.transitions[self.head] = transition;
        self.set_priority(self.head, self.max_priority);
        self.head = (self.head + 1) % self.transitions.len();
        self.len = (self.len + 1).min(self.transitions.len());
    }

    /// Sets the priority of a transition, which must be above zero.
    pub fn set_priority(&mut self, index: usize, priority: f32) {
        self.max_priority = self.max_priority.max(priority);
        let mut node = self.tree.len() / 2 + index;
        self.tree[node] = f64::from(priority);
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node] + self.tree[2 * node + 1];
        }
    }

    /// Finds the transition where the running sum of priorities passes `quantile` of their total, 0 <=
    /// `quantile` < 1. Returns its index and its probability. With a uniform random `quantile`, transitions
    /// are sampled in proportion to priority.
    pub fn sample_at(&self, quantile: f64) -> (usize, f64) {
        let leaves = self.tree.len() / 2;
        let (mut rest, mut node) = (quantile * self.tree[1], 1);
        while node < leaves {
            node *= 2;
            // To the right child if the running sum passes the left one. Leaves without a transition have
            // priority 0; the second condition prevents a rounding error from leading to one.
            if rest >= self.tree[node] && self.tree[node + 1] > 0.0 {
                rest -= self.tree[node];
                node += 1;
            }
        }
        (node - leaves, self.tree[node] / self.tree[1])
    }

    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let (n, kept) = (self.len, &self.transitions[..self.len]);
        let leaves = &self.tree[self.tree.len() / 2..][..n];
        let column = |f: fn(&Transition) -> u32| -> Vec<u32> { kept.iter().map(f).collect() };
        tensors.insert("state", &[n], &column(|t| t.state));
        tensors.insert("turn", &[n], &column(|t| u32::from(t.turn)));
        tensors.insert("reward", &[n], &kept.iter().map(|t| t.reward).collect::<Vec<f32>>());
        tensors.insert("next", &[n], &column(|t| t.next));
        tensors.insert("discount", &[n], &kept.iter().map(|t| t.discount).collect::<Vec<f32>>());
        tensors.insert("priority", &[n], &leaves.iter().map(|p| *p as f32).collect::<Vec<f32>>());
        tensors.insert("greatest", &[1], &[self.max_priority]);
        tensors.insert("head", &[1], &[self.head as u64]);
        tensors
    }

    /// Restores a buffer for `capacity` transitions from a checkpoint. Rejects turns from `turn_count` on,
    /// which the network has no outputs for.
    pub fn from_tensors(capacity: usize, turn_count: usize, tensors: &Tensors) -> Result<Self, LabError> {
        let mut replay = Self::new(capacity);
        let inconsistent = || LabError::Checkpoint("its replay buffer is inconsistent".into());
        let states: Vec<u32> = tensors.get_vec("state")?;
        let n = states.len();
        let [turns, next]: [Vec<u32>; 2] = [tensors.get("turn", &[n])?, tensors.get("next", &[n])?];
        let [rewards, discounts, priorities]: [Vec<f32>; 3] =
            [tensors.get("reward", &[n])?, tensors.get("discount", &[n])?, tensors.get("priority", &[n])?];
        let [max_priority] = tensors.get::<f32>("greatest", &[1])?[..] else { return Err(inconsistent()) };
        let [head] = tensors.get::<u64>("head", &[1])?[..] else { return Err(inconsistent()) };
        let head = head as usize;
        // A buffer that is not full is written to at its end, a full one anywhere.
        let is_consistent = n <= capacity
            && head == if n < capacity { n } else { head.min(capacity - 1) }
            && states.iter().chain(&next).all(|state| (*state as usize) < STATES)
            && turns.iter().all(|turn| (*turn as usize) < turn_count)
            && rewards.iter().chain(&discounts).all(|x| x.is_finite())
            && priorities.iter().chain([&max_priority]).all(|p| p.is_finite() && *p > 0.0);
        if !is_consistent {
            return Err(inconsistent());
        }
        for i in 0..n {
            replay.transitions[i] = Transition {
                state: states[i],
                turn: turns[i] as Turn,
                reward: rewards[i],
                next: next[i],
                discount: discounts[i],
            };
            replay.set_priority(i, priorities[i]);
        }
        (replay.len, replay.head, replay.max_priority) = (n, head, max_priority);
        Ok(replay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A buffer after a number of pushes, with different priorities. The state of a transition is the number
    /// of its push.
    fn filled(capacity: usize, pushes: usize) -> ReplayBuffer {
        let mut replay = ReplayBuffer::new(capacity);
        for i in 0..pushes {
            replay.push(Transition { state: i as State, turn: (i % 6) as Turn, ..Transition::default() });
            replay.set_priority(i % capacity, 0.1 + (i * 7 % 11) as f32);
        }
        replay
    }

    #[test]
    fn sampling_agrees_with_running_sums_of_priorities() {
        for pushes in [1, 5, 13, 40] {
            let replay = filled(13, pushes);
            assert_eq!(replay.len(), pushes.min(13));
            let leaves: Vec<f64> =
                (0..replay.len()).map(|i| replay.tree[replay.tree.len() / 2 + i]).collect();
            let total: f64 = leaves.iter().sum();
            for k in 0..1000 {
                let quantile = f64::from(k) / 1000.0;
                let (index, probability) = replay.sample_at(quantile);
                let (before, at) = (leaves[..index].iter().sum::<f64>(), quantile * total);
                assert!(before <= at + 1e-9 && at <= before + leaves[index] + 1e-9);
                assert!((probability - leaves[index] / total).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn full_buffer_overwrites_the_oldest_transition() {
        let replay = filled(4, 6);
        let states: Vec<State> = (0..4).map(|i| replay.get(i).state).collect();
        assert_eq!(states, [4, 5, 2, 3]);
    }

    #[test]
    fn buffer_survives_a_round_trip_and_is_rejected_with_less_capacity() {
        for pushes in [0, 3, 13, 20] {
            let replay = filled(13, pushes);
            let tensors = replay.to_tensors();
            let restored = ReplayBuffer::from_tensors(13, 6, &tensors).expect("it is our own");
            assert_eq!(restored.tree, replay.tree);
            assert_eq!((restored.head, restored.max_priority), (replay.head, replay.max_priority));
            assert!(pushes == 0 || ReplayBuffer::from_tensors(pushes.min(13) - 1, 6, &tensors).is_err());
        }
    }

    #[test]
    fn buffer_with_impossible_transitions_is_rejected() {
        let tensors = filled(13, 5).to_tensors();
        let mut outside = tensors.clone();
        outside.insert("next", &[5], &[STATES as u32; 5]);
        assert!(ReplayBuffer::from_tensors(13, 6, &outside).is_err());
        assert!(
            ReplayBuffer::from_tensors(13, 4, &tensors).is_err(),
            "a turn that the network does not know"
        );
        let mut infinite = tensors;
        infinite.insert("reward", &[5], &[f32::INFINITY; 5]);
        assert!(ReplayBuffer::from_tensors(13, 6, &infinite).is_err());
    }
}
