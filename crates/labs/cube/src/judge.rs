//! The judge: follows the greedy policy from every state there is, or from every state near enough to the solved one.
//!
//! What a greedy policy does next depends on the state and on the turn that led there, because it never undoes a turn; and
//! on that only through one question, whether its first choice is idle after that turn. So every state has two nodes, one
//! where the first choice is taken and one where the second is, each with one way out: a graph in which all paths are
//! followed to their ends by walking each node once.

use learnery_worlds::cube::{Distances, Metric, SOLVED, STATES, State, Turn, distances, inverse, turns};
use rayon::prelude::*;

use super::brain::{Brain, Lane, ROWS};
use super::space::Space;

/// States that one step asks the network about.
const STRIDE: usize = 8192;

/// Starts whose paths one step follows.
const PATHS: usize = 1 << 17;

/// No choice known yet.
const UNKNOWN: u8 = u8::MAX;

/// Never arrives.
const NEVER: u16 = u16::MAX;
/// On the path at hand.
const PASSED: u16 = u16::MAX - 1;
/// Not walked yet.
const FRESH: u16 = 0;

/// Stands for the turn that led to a start.
const NONE: u8 = 15;

/// Most distances there are.
pub const DISTANCES: usize = 15;

/// How a greedy policy fared, by the distance of the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Starts.
    pub states: [u64; DISTANCES],
    /// Those from which it arrived.
    pub solved: [u64; DISTANCES],
    /// Turns that it took more than the least, in all.
    pub excess: [u64; DISTANCES],
}

impl Verdict {
    /// Share of all starts that were solved.
    pub fn share(&self) -> f64 {
        self.solved.iter().sum::<u64>() as f64 / self.states.iter().sum::<u64>() as f64
    }

    /// Turns more than the least, on average over those that were solved.
    pub fn mean_excess(&self) -> f64 {
        self.excess.iter().sum::<u64>() as f64 / self.solved.iter().sum::<u64>() as f64
    }

    /// Share solved of the starts at a distance; NaN where there was none.
    pub fn share_at(&self, distance: usize) -> f64 {
        self.solved[distance] as f64 / self.states[distance] as f64
    }
}

/// What it is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Guessing the distance of every node.
    Guessing(usize),
    /// Asking for the choices in every state.
    Choosing(usize),
    /// Asking for the choices in the states that come up, from the starts on.
    Exploring(usize),
    /// Following the paths.
    Following(usize),
}

/// A judgement, from its first step to its last.
pub struct Judge {
    metric: Metric,
    distances: &'static Distances,
    stage: Stage,
    within: usize,
    lanes: Vec<Lane>,
    /// Guessed distances of all nodes; none where the network judges turns.
    values: Vec<f32>,
    /// First choice in the lower half of each byte, the second in the upper.
    choices: Vec<u8>,
    /// Turns left from each node, and one more.
    lengths: Vec<u16>,
    /// Visits still to be made or made: `16 * state + turn that led there`.
    visits: Vec<u32>,
    /// States that are asked about next.
    asked: Vec<State>,
    answers: Vec<u8>,
    path: Vec<u32>,
    verdict: Verdict,
}

impl Judge {
    /// Room for judgements of a network like this one.
    pub fn new(brain: &Brain, space: &Space) -> Self {
        let metric = space.metric();
        Self {
            metric,
            distances: distances(metric),
            stage: Stage::Following(STATES),
            within: 0,
            lanes: (0..STRIDE / ROWS).map(|_| brain.lane()).collect(),
            values: if brain.guesses_distances() { vec![0.0; space.nodes()] } else { Vec::new() },
            choices: vec![UNKNOWN; STATES],
            lengths: vec![FRESH; 2 * STATES],
            visits: Vec::new(),
            asked: Vec::with_capacity(STRIDE),
            answers: vec![0; STRIDE],
            path: Vec::with_capacity(1 << 16),
            verdict: Verdict::default(),
        }
    }

    /// Begins anew with every state within so many turns.
    pub fn begin(&mut self, brain: &Brain, within: usize) {
        self.within = within;
        self.choices.fill(UNKNOWN);
        self.lengths.fill(FRESH);
        // Arrived: one more than no turn.
        self.lengths[..2].fill(1);
        self.verdict = Verdict::default();
        self.visits.clear();
        if !self.whole() {
            let all = self.distances.all().iter().enumerate();
            let starts = all.filter(|(_, d)| usize::from(**d) <= within);
            self.visits.extend(starts.map(|(state, _)| 16 * state as u32 + u32::from(NONE)));
        }
        self.stage = if brain.guesses_distances() { Stage::Guessing(0) } else { self.first_stage() };
    }

    fn whole(&self) -> bool {
        self.within >= self.metric.diameter()
    }

    fn first_stage(&self) -> Stage {
        if self.whole() { Stage::Choosing(0) } else { Stage::Exploring(0) }
    }

    /// One step; true when the verdict is there.
    pub fn step(&mut self, brain: &Brain, space: &Space) -> bool {
        self.stage = match self.stage {
            Stage::Guessing(from) => {
                let end = space.nodes().min(from + STRIDE);
                guess(brain, space, &mut self.lanes, from, &mut self.values[from..end]);
                if end == space.nodes() { self.first_stage() } else { Stage::Guessing(end) }
            }
            Stage::Choosing(from) => {
                let end = STATES.min(from + STRIDE);
                let chooser = Chooser { brain, space, values: &self.values };
                chooser.choose(|i| (from + i) as State, &mut self.lanes, &mut self.choices[from..end]);
                if end == STATES { Stage::Following(0) } else { Stage::Choosing(end) }
            }
            Stage::Exploring(from) => {
                let end = self.explore(brain, space, from);
                if end == self.visits.len() { Stage::Following(0) } else { Stage::Exploring(end) }
            }
            Stage::Following(from) => {
                let end = STATES.min(from + PATHS);
                (from..end).for_each(|state| self.follow(state as State));
                Stage::Following(end)
            }
        };
        self.stage == Stage::Following(STATES)
    }

    /// How much of it is done, roughly.
    pub fn share(&self) -> f32 {
        match self.stage {
            Stage::Guessing(at) => 0.3 * at as f32 / self.values.len().max(1) as f32,
            Stage::Choosing(at) => 0.3 + 0.5 * at as f32 / STATES as f32,
            Stage::Exploring(at) => 0.3 + 0.5 * at as f32 / self.visits.len().max(1) as f32,
            Stage::Following(at) => 0.8 + 0.2 * at as f32 / STATES as f32,
        }
    }

    /// The verdict on the last judgement.
    pub fn verdict(&self) -> &Verdict {
        &self.verdict
    }

    /// Guessed distances of all nodes as of the last judgement; none where the network judges turns.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Makes some visits: asks about states that nobody asked about before, and notes where each visit leads.
    fn explore(&mut self, brain: &Brain, space: &Space, from: usize) -> usize {
        let end = self.visits.len().min(from + STRIDE);
        self.asked.clear();
        for visit in &self.visits[from..end] {
            let state = visit / 16;
            let choice = &mut self.choices[state as usize];
            if *choice == UNKNOWN {
                // Any known value: it is overwritten before it is read.
                *choice = 0;
                self.asked.push(state);
            }
        }
        let (asked, answers) = (&self.asked, &mut self.answers[..self.asked.len()]);
        let chooser = Chooser { brain, space, values: &self.values };
        chooser.choose(|i| asked[i], &mut self.lanes, answers);
        for (state, answer) in asked.iter().zip(answers) {
            self.choices[*state as usize] = *answer;
        }
        for i in from..end {
            let (state, last) = (self.visits[i] / 16, (self.visits[i] % 16) as u8);
            let second = last != NONE && self.metric.is_redundant(last, self.choices[state as usize] & 15);
            let node = 2 * state as usize + usize::from(second);
            if self.lengths[node] == FRESH {
                self.lengths[node] = PASSED;
                let turn = self.turn(node);
                self.visits.push(16 * turns().after(state, turn) + u32::from(turn));
            }
        }
        if end == self.visits.len() {
            // The marks were for this stage alone.
            self.lengths[2..].fill(FRESH);
        }
        end
    }

    /// The turn that is taken at a node.
    fn turn(&self, node: usize) -> Turn {
        let choices = self.choices[node / 2];
        if node.is_multiple_of(2) { choices & 15 } else { choices >> 4 }
    }

    /// The node that follows.
    fn next(&self, node: usize) -> usize {
        let turn = self.turn(node);
        let after = turns().after((node / 2) as State, turn) as usize;
        2 * after + usize::from(self.metric.is_redundant(turn, self.choices[after] & 15))
    }

    /// Walks from a start, if it is one, to where a walk was before or a circle closes, and counts it.
    fn follow(&mut self, start: State) {
        let distance = self.distances.of(start);
        if distance > self.within {
            return;
        }
        let mut node = 2 * start as usize;
        while self.lengths[node] == FRESH {
            self.lengths[node] = PASSED;
            self.path.push(node as u32);
            node = self.next(node);
        }
        let mut length = if self.lengths[node] == PASSED { NEVER } else { self.lengths[node] };
        while let Some(node) = self.path.pop() {
            // So long a way round counts as none.
            length = if length >= PASSED - 1 { NEVER } else { length + 1 };
            self.lengths[node as usize] = length;
        }
        self.verdict.states[distance] += 1;
        let length = self.lengths[2 * start as usize];
        if length != NEVER {
            self.verdict.solved[distance] += 1;
            self.verdict.excess[distance] += u64::from(length - 1) - distance as u64;
        }
    }
}

/// Guessed distances of the nodes from `from` on; that of the solved cube is known.
pub fn guess(brain: &Brain, space: &Space, lanes: &mut [Lane], from: usize, out: &mut [f32]) {
    let first = from;
    let lanes = lanes.par_iter_mut().zip(out.par_chunks_mut(ROWS)).enumerate();
    lanes.with_max_len(1).for_each(|(i, (lane, out))| {
        let from = from + i * ROWS;
        brain.guess((from..from + out.len()).map(|node| space.state(node as u32)), lane, out);
    });
    if first == 0 {
        out[SOLVED as usize] = 0.0;
    }
}

/// Whoever chooses: a network that judges turns, or guessed distances of what they lead to.
pub struct Chooser<'a> {
    /// The network.
    pub brain: &'a Brain,
    /// What its guesses are about.
    pub space: &'a Space,
    /// Guessed distances; unused where the network judges turns.
    pub values: &'a [f32],
}

impl Chooser<'_> {
    /// First and second choice in each of some states, at most as many as `lanes` have room for.
    fn choose(&self, state: impl Fn(usize) -> State + Sync, lanes: &mut [Lane], out: &mut [u8]) {
        let metric = self.space.metric();
        let count = metric.turns();
        let lanes = lanes.par_iter_mut().zip(out.par_chunks_mut(ROWS)).enumerate();
        lanes.with_max_len(1).for_each(|(i, (lane, out))| {
            let from = i * ROWS;
            if self.brain.guesses_distances() {
                for (k, out) in out.iter_mut().enumerate() {
                    let mut scores = [0.0; 9];
                    self.score_by_distance(state(from + k), &mut scores[..count]);
                    *out = best_two(&scores[..count], metric);
                }
            } else {
                let said = self.brain.say((from..from + out.len()).map(&state), lane);
                for (out, scores) in out.iter_mut().zip(said.chunks_exact(count)) {
                    *out = best_two(scores, metric);
                }
            }
        });
    }

    /// How good each turn is: the nearer to the solved cube, the better.
    pub fn score_by_distance(&self, state: State, scores: &mut [f32]) {
        for (turn, score) in scores.iter_mut().enumerate() {
            let after = turns().after(state, turn as Turn);
            *score = -self.values[self.space.node(after) as usize];
        }
    }
}

/// The best turn, and the best of those that are not idle after what the best one would undo.
fn best_two(scores: &[f32], metric: Metric) -> u8 {
    let best = best_of(scores, |_| true);
    let second = best_of(scores, |turn| !metric.is_redundant(inverse(best), turn));
    best | second << 4
}

/// The first of the best turns that are allowed.
pub fn best_of(scores: &[f32], allowed: impl Fn(Turn) -> bool) -> Turn {
    let mut best: Option<(Turn, f32)> = None;
    for (turn, score) in scores.iter().enumerate() {
        if allowed(turn as Turn) && best.is_none_or(|(_, so_far)| *score > so_far) {
            best = Some((turn as Turn, *score));
        }
    }
    best.map_or(0, |(turn, _)| turn)
}

#[cfg(test)]
mod tests {
    use super::super::{CubeConfig, Learner};
    use super::*;
    use learnery_kernels::rng::Stream;

    fn judged(config: &CubeConfig, within: usize) -> (Brain, Space, Judge) {
        let brain = Brain::new(config, Stream::new(3, 3));
        let space = Space::new(config.metric.rules(), config.by_class());
        let mut judge = Judge::new(&brain, &space);
        judge.begin(&brain, within);
        while !judge.step(&brain, &space) {}
        (brain, space, judge)
    }

    /// The slow way: turn a cube until it is solved or has been like this before.
    fn walk(chooser: &Chooser, start: State) -> Option<usize> {
        let metric = chooser.space.metric();
        let (mut state, mut last) = (start, None);
        let mut seen = std::collections::HashSet::new();
        let mut lane = chooser.brain.lane();
        let mut count = 0;
        while state != SOLVED {
            let mut scores = vec![0.0; metric.turns()];
            if chooser.brain.guesses_distances() {
                chooser.score_by_distance(state, &mut scores);
            } else {
                scores.copy_from_slice(chooser.brain.say(std::iter::once(state), &mut lane));
            }
            let turn = best_of(&scores, |turn| last.is_none_or(|last| !metric.is_redundant(last, turn)));
            state = turns().after(state, turn);
            last = Some(turn);
            count += 1;
            if !seen.insert((state, turn)) {
                return None;
            }
        }
        Some(count)
    }

    /// From all states near by, both ways of judging and the slow one agree, with each kind of network and metric.
    #[test]
    fn verdicts_agree_with_walks() {
        use super::super::config::Metric::{Half, Quarter};
        let mut arrivals = 0;
        for (learner, metric) in
            [(Learner::Dqn, Quarter), (Learner::Davi, Half), (Learner::Efficientcube, Half)]
        {
            let config = CubeConfig { learner, metric, hidden_1: 8, hidden_2: 0, ..CubeConfig::default() };
            let (brain, space, near) = judged(&config, 3);
            let (_, _, all) = judged(&config, 14);
            assert_eq!(all.verdict.states.iter().sum::<u64>() as usize, STATES);
            let chooser = Chooser { brain: &brain, space: &space, values: all.values() };
            let mut expected = Verdict::default();
            for state in 0..STATES as State {
                let distance = distances(space.metric()).of(state);
                if distance <= 3 {
                    expected.states[distance] += 1;
                    if let Some(length) = walk(&chooser, state) {
                        expected.solved[distance] += 1;
                        expected.excess[distance] += (length - distance) as u64;
                    }
                }
            }
            assert_eq!(near.verdict, expected, "{learner:?}");
            for d in 0..=3 {
                let here = (all.verdict.states[d], all.verdict.solved[d], all.verdict.excess[d]);
                assert_eq!(here, (expected.states[d], expected.solved[d], expected.excess[d]));
            }
            arrivals += expected.solved.iter().sum::<u64>();
        }
        assert!(arrivals > 3, "nothing but solved cubes was solved");
    }

    /// Whoever knows the distances needs no turn too many.
    #[test]
    fn true_distances_solve_everything() {
        let config = CubeConfig::default();
        let (brain, space, mut judge) = judged(&config, 1);
        judge.begin(&brain, 14);
        let known = distances(space.metric());
        for node in 0..space.nodes() as u32 {
            judge.values[node as usize] = known.of(space.state(node)) as f32;
        }
        judge.stage = Stage::Choosing(0);
        while !judge.step(&brain, &space) {}
        assert_eq!((judge.verdict.share(), judge.verdict.mean_excess()), (1.0, 0.0));
        assert_eq!(judge.verdict.states.map(|n| n as u32).as_slice(), known.counts());
    }
}
