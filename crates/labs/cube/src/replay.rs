//! What DQN remembers, and how often it is reminded of what: in proportion to a power of the error it last made there
//! (Schaul et al., "Prioritized experience replay", 2015).
//!
//! Priorities are the leaves of a binary tree of sums, so a draw and a change each take one way between root and leaf. A
//! sum is always that of its two children, so the tree follows from its leaves and need not be saved.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::cube::{STATES, State, TURNS, Turn};

/// What happened: `n` turns, the first of which is judged by them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Step {
    /// Where it began.
    pub state: State,
    /// The first turn.
    pub turn: Turn,
    /// Discounted rewards of all turns.
    pub reward: f32,
    /// Where they led.
    pub next: State,
    /// How much what follows there counts; zero where nothing does.
    pub discount: f32,
}

/// The memory: a ring of steps.
pub struct Replay {
    steps: Vec<Step>,
    /// Sums; the leaves are the second half.
    tree: Vec<f64>,
    len: usize,
    /// Where the next step goes.
    head: usize,
    /// The greatest priority so far: that of a step nobody has learned from yet.
    greatest: f32,
}

impl Replay {
    /// An empty memory for so many steps.
    pub fn new(capacity: usize) -> Self {
        let leaves = capacity.next_power_of_two();
        let steps = vec![Step::default(); capacity];
        Self { steps, tree: vec![0.0; 2 * leaves], len: 0, head: 0, greatest: 1.0 }
    }

    /// How many steps are remembered.
    pub fn len(&self) -> usize {
        self.len
    }

    /// One of them.
    pub fn step(&self, i: usize) -> &Step {
        &self.steps[i]
    }

    /// Remembers a step, in place of the oldest where there is no more room.
    pub fn push(&mut self, step: Step) {
        self.steps[self.head] = step;
        self.set(self.head, self.greatest);
        self.head = (self.head + 1) % self.steps.len();
        self.len = (self.len + 1).min(self.steps.len());
    }

    /// Gives a step another priority, above zero.
    pub fn set(&mut self, i: usize, priority: f32) {
        self.greatest = self.greatest.max(priority);
        let mut node = self.tree.len() / 2 + i;
        self.tree[node] = f64::from(priority);
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node] + self.tree[2 * node + 1];
        }
    }

    /// The step at a share of the sum of all priorities, from 0 to 1 (not included), and its own share of it.
    pub fn at(&self, share: f64) -> (usize, f64) {
        let leaves = self.tree.len() / 2;
        let (mut rest, mut node) = (share * self.tree[1], 1);
        while node < leaves {
            node *= 2;
            // Rounding must not lead to where nothing is.
            if rest >= self.tree[node] && self.tree[node + 1] > 0.0 {
                rest -= self.tree[node];
                node += 1;
            }
        }
        (node - leaves, self.tree[node] / self.tree[1])
    }

    /// All of it as tensors.
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let (n, kept) = (self.len, &self.steps[..self.len]);
        let leaves = &self.tree[self.tree.len() / 2..][..n];
        let column = |f: fn(&Step) -> u32| -> Vec<u32> { kept.iter().map(f).collect() };
        tensors.insert("state", &[n], &column(|s| s.state));
        tensors.insert("turn", &[n], &column(|s| u32::from(s.turn)));
        tensors.insert("reward", &[n], &kept.iter().map(|s| s.reward).collect::<Vec<f32>>());
        tensors.insert("next", &[n], &column(|s| s.next));
        tensors.insert("discount", &[n], &kept.iter().map(|s| s.discount).collect::<Vec<f32>>());
        tensors.insert("priority", &[n], &leaves.iter().map(|p| *p as f32).collect::<Vec<f32>>());
        tensors.insert("greatest", &[1], &[self.greatest]);
        tensors.insert("head", &[1], &[self.head as u64]);
        tensors
    }

    /// A memory for `capacity` steps from tensors.
    pub fn from_tensors(capacity: usize, tensors: &Tensors) -> Result<Self, LabError> {
        let mut replay = Self::new(capacity);
        let damaged = || LabError::Checkpoint("its replay memory does not hold together".into());
        let states: Vec<u32> = tensors.get_vec("state")?;
        let n = states.len();
        let [turns, next]: [Vec<u32>; 2] = [tensors.get("turn", &[n])?, tensors.get("next", &[n])?];
        let [rewards, discounts, priorities]: [Vec<f32>; 3] =
            [tensors.get("reward", &[n])?, tensors.get("discount", &[n])?, tensors.get("priority", &[n])?];
        let [greatest] = tensors.get::<f32>("greatest", &[1])?[..] else { return Err(damaged()) };
        let [head] = tensors.get::<u64>("head", &[1])?[..] else { return Err(damaged()) };
        let head = head as usize;
        let fits = n <= capacity
            && head == if n < capacity { n } else { head.min(capacity - 1) }
            && states.iter().chain(&next).all(|state| (*state as usize) < STATES)
            && turns.iter().all(|turn| (*turn as usize) < TURNS)
            && priorities.iter().chain([&greatest]).all(|p| p.is_finite() && *p > 0.0);
        if !fits {
            return Err(damaged());
        }
        for i in 0..n {
            replay.steps[i] = Step {
                state: states[i],
                turn: turns[i] as Turn,
                reward: rewards[i],
                next: next[i],
                discount: discounts[i],
            };
            replay.set(i, priorities[i]);
        }
        (replay.len, replay.head, replay.greatest) = (n, head, greatest);
        Ok(replay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(capacity: usize, pushes: usize) -> Replay {
        let mut replay = Replay::new(capacity);
        for i in 0..pushes {
            replay.push(Step { state: i as State, turn: (i % 6) as Turn, ..Step::default() });
            replay.set(i % capacity, 0.1 + (i * 7 % 11) as f32);
        }
        replay
    }

    /// A step is drawn as often as its priority says, found the slow way: by adding up.
    #[test]
    fn draws_follow_the_priorities() {
        for pushes in [1, 5, 13, 40] {
            let replay = filled(13, pushes);
            assert_eq!(replay.len(), pushes.min(13));
            let leaves: Vec<f64> =
                (0..replay.len()).map(|i| replay.tree[replay.tree.len() / 2 + i]).collect();
            let total: f64 = leaves.iter().sum();
            for k in 0..1000 {
                let share = f64::from(k) / 1000.0;
                let (found, part) = replay.at(share);
                let before: f64 = leaves[..found].iter().sum();
                assert!(before <= share * total + 1e-9 && share * total <= before + leaves[found] + 1e-9);
                assert!((part - leaves[found] / total).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let replay = filled(4, 6);
        let states: Vec<State> = (0..4).map(|i| replay.step(i).state).collect();
        assert_eq!(states, [4, 5, 2, 3]);
    }

    #[test]
    fn it_round_trips_and_damage_is_found() {
        for pushes in [0, 3, 13, 20] {
            let replay = filled(13, pushes);
            let tensors = replay.to_tensors();
            let back = Replay::from_tensors(13, &tensors).expect("it is our own");
            assert_eq!((back.tree, back.head, back.greatest), (replay.tree, replay.head, replay.greatest));
            assert!(pushes == 0 || Replay::from_tensors(pushes.min(13) - 1, &tensors).is_err());
        }
        let mut tensors = filled(13, 5).to_tensors();
        tensors.insert("next", &[5], &[STATES as u32; 5]);
        assert!(Replay::from_tensors(13, &tensors).is_err());
    }
}
