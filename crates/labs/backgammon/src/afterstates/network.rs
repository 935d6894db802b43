//! The afterstate network. An afterstate is the position that a play leads to, before the opponent rolls. The
//! network consists of two MLPs, one for contact positions (the sides can still hit each other) and one for
//! races. They map the inputs of [`super::features`] to five [`Outcomes`]. Positions in which both sides bear
//! off need no network, because [`Outcomes::exact`] has a table.
//!
//! A trained network can have a better evaluator of races, which values them instead of its MLP for races:
//! [`Races`], whose parameters do not change while the others learn.
//!
//! There can be a third MLP, the *pruning network*: a small one for contact positions that learns the same.
//! Lookahead needs only the best play of each roll, so the pruning network first removes the plays that are
//! far from the best ([`Network::prune`]), as in GNU Backgammon.

use std::sync::Arc;

use learnery_backgammon_play::outcomes::Outcomes;
use learnery_kernels::rng::Stream;
use learnery_nn::{Layout, TensorError, Tensors, Weights};
use learnery_worlds::backgammon::{Board, Plays};

use super::body::{Body, BodyScratch, RowScratch};
use crate::config::{BackgammonConfig, Inputs};
use crate::one_sided::{RaceScratch, Races};

/// The most plays of a roll that are left after pruning, of those that lead to contact positions.
const MAX_KEPT_PLAYS: usize = 6;

/// Widths of the two hidden layers of each MLP, and the inputs of that for contact positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    pub inputs: Inputs,
    pub contact: [usize; 2],
    pub race: [usize; 2],
    /// `None`: no pruning network.
    pub pruning: Option<[usize; 2]>,
}

impl NetworkShape {
    /// A network with raw inputs alone and no pruning network.
    #[cfg(test)]
    pub fn raw(contact: [usize; 2], race: [usize; 2]) -> Self {
        Self { inputs: Inputs::Raw, contact, race, pruning: None }
    }
}

impl From<&BackgammonConfig> for NetworkShape {
    fn from(config: &BackgammonConfig) -> Self {
        Self {
            inputs: config.inputs,
            contact: [config.hidden as usize, config.second as usize],
            race: [config.race as usize, config.race as usize / 2],
            pruning: (config.pruning > 0)
                .then(|| [config.pruning as usize, (config.pruning as usize).div_ceil(2)]),
        }
    }
}

/// The MLPs: their shapes, and where their parameters lie in [`Weights`].
#[derive(Clone, Debug)]
pub struct Network {
    /// The MLP for contact positions, that for races, and the pruning network if there is one.
    bodies: Vec<Body>,
    /// The better evaluator of races, if there is one.
    races: Option<Arc<Races>>,
}

/// The index of each MLP.
const CONTACT: usize = 0;
const RACE: usize = 1;
const PRUNING: usize = 2;
/// The number of MLPs that value positions. They come first.
pub const VALUING_BODIES: usize = 2;

/// Buffers for inference.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// For each MLP of the network.
    bodies: Vec<BodyScratch>,
    rows: RowScratch,
    /// For pruning: the value of each play by the pruning network.
    pruned: Vec<Outcomes>,
    /// For [`Races`], from the first race on.
    races: Option<Box<RaceScratch>>,
}

impl Network {
    /// The network, and the layout of the parameters.
    pub fn new(shape: NetworkShape) -> (Self, Layout) {
        let mut layout = Layout::default();
        let mut body = |name: &str, kind: Inputs, widths| Body::new(&mut layout, name, kind, widths);
        let mut bodies =
            vec![body("contact", shape.inputs, shape.contact), body("race", Inputs::Raw, shape.race)];
        bodies.extend(shape.pruning.map(|widths| body("pruning", Inputs::Raw, widths)));
        (Self { bodies, races: None }, layout)
    }

    /// Reads the better evaluator of races from a network's tensors, if they have one.
    pub fn read_races(&mut self, tensors: &Tensors) -> Result<(), TensorError> {
        self.races = Races::from_tensors(tensors)?.map(Arc::new);
        Ok(())
    }

    /// The better evaluator of races, if there is one.
    pub fn races(&self) -> Option<&Races> {
        self.races.as_deref()
    }

    /// Initialises all parameters at random.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        for (i, body) in self.bodies.iter().enumerate() {
            body.init(params, stream, i as u64);
        }
    }

    /// Index of the MLP that values a board: 0 for contact, 1 for races.
    pub fn body_for(board: &Board) -> usize {
        if board.is_race() { RACE } else { CONTACT }
    }

    /// Index of the pruning network, if there is one and it knows this board.
    pub fn pruning_body_for(&self, board: &Board) -> Option<usize> {
        (self.bodies.len() > PRUNING && !board.is_race()).then_some(PRUNING)
    }

    pub fn body(&self, i: usize) -> &Body {
        &self.bodies[i]
    }

    /// The number of MLPs.
    pub fn bodies(&self) -> usize {
        self.bodies.len()
    }

    pub fn scratch(&self) -> Scratch {
        Scratch {
            bodies: self.bodies.iter().map(Body::scratch).collect(),
            rows: RowScratch::new(),
            pruned: Vec::new(),
            races: None,
        }
    }

    /// Computes the value of each play's afterstate, for the opponent, who rolls next. `before` is the board
    /// on which the plays were found.
    pub fn values_of_plays(
        &self,
        weights: &Weights,
        before: &Board,
        plays: &Plays,
        scratch: &mut Scratch,
        out: &mut Vec<Outcomes>,
    ) {
        out.clear();
        out.resize(plays.len(), Outcomes::default());
        self.values_near(weights, &before.flipped(), &|i| plays.get(i), scratch, out);
    }

    /// Computes the value of a board for the side on roll.
    pub fn value(&self, weights: &Weights, board: &Board, scratch: &mut Scratch) -> Outcomes {
        let mut out = [Outcomes::default()];
        self.values_near(weights, board, &|_| *board, scratch, &mut out);
        out[0]
    }

    /// Computes the values of `out.len()` boards, `board(0)` and so on. The cost grows with the number of
    /// inputs in which these boards differ from `near`.
    pub fn values_near(
        &self,
        weights: &Weights,
        near: &Board,
        board: &dyn Fn(usize) -> Board,
        scratch: &mut Scratch,
        out: &mut [Outcomes],
    ) {
        scratch.bodies.iter_mut().for_each(|body| body.plays.clear());
        for (i, out) in out.iter_mut().enumerate() {
            let board = board(i);
            match Outcomes::exact(&board) {
                Some(exact) => *out = exact,
                None => scratch.bodies[Self::body_for(&board)].plays.push(i as u32),
            }
        }
        if let Some(races) = self.races() {
            let buffers = scratch.races.get_or_insert_with(|| Box::new(races.scratch()));
            let boards = &mut scratch.bodies[RACE].plays;
            races.values(boards, board, buffers, out);
            boards.clear();
        }
        for (body, buffers) in self.bodies.iter().zip(&mut scratch.bodies) {
            body.values_near(weights, near, board, buffers, &mut scratch.rows, out);
        }
    }

    /// Removes from `boards` the positions after plays that are unlikely to be the best of their roll, if
    /// there is a pruning network. `boards` has the plays of one roll after those of another, and `ends` the
    /// index at which those of each roll end; it is kept up to date. The positions that are left keep their
    /// order. Races stay, because the pruning network does not know them. For `near` see
    /// [`Network::values_near`].
    pub fn prune(
        &self,
        weights: &Weights,
        near: &Board,
        boards: &mut Vec<Board>,
        ends: &mut [usize],
        scratch: &mut Scratch,
    ) {
        let Some(body) = self.bodies.get(PRUNING) else { return };
        let Scratch { bodies, rows, pruned, .. } = scratch;
        let buffers = &mut bodies[PRUNING];
        buffers.plays.clear();
        let mut begin = 0;
        for end in &*ends {
            let before = buffers.plays.len();
            buffers.plays.extend((begin..*end).filter(|i| !boards[*i].is_race()).map(|i| i as u32));
            // All plays of a roll with so few are kept, so they need no values.
            if buffers.plays.len() - before <= MAX_KEPT_PLAYS {
                buffers.plays.truncate(before);
            }
            begin = *end;
        }
        // Positions that are not valued here count as the best, so they stay.
        pruned.clear();
        pruned.resize(boards.len(), Outcomes::LOWEST);
        body.values_near(weights, near, &|i| boards[i], buffers, rows, pruned);
        let (mut begin, mut left) = (0, 0);
        for end in ends {
            // The values are the opponent's, so the best plays have the lowest equities. The last of these
            // equities is the limit.
            let mut lowest = [f32::INFINITY; MAX_KEPT_PLAYS];
            let is_valued = |i: &usize| pruned[*i] != Outcomes::LOWEST;
            for i in (begin..*end).filter(is_valued) {
                insert_sorted(&mut lowest, pruned[i].equity());
            }
            let limit = lowest[MAX_KEPT_PLAYS - 1];
            for i in begin..*end {
                // Plays whose equity is not a number stay: a roll keeps a play even if all weights are
                // damaged.
                let is_worse = pruned[i].equity() > limit;
                if !is_valued(&i) || !is_worse {
                    boards[left] = boards[i];
                    left += 1;
                }
            }
            // `end` now says where the kept plays of this roll end; the next roll's begin at its old value.
            begin = std::mem::replace(end, left);
        }
        boards.truncate(left);
    }
}

/// Inserts a number into a list in ascending order. The list keeps its length and loses its largest number.
fn insert_sorted(sorted: &mut [f32], x: f32) {
    let mut x = x;
    for place in sorted {
        if x < *place {
            std::mem::swap(&mut x, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::super::body::Tape;
    use super::*;

    fn random_network(inputs: Inputs) -> (Network, Weights) {
        let (network, layout) = Network::new(NetworkShape { inputs, ..NetworkShape::raw([48, 16], [16, 8]) });
        let mut weights = Weights::new(layout);
        weights.update(|params| {
            network.init(params, Stream::new(1, 2));
            // With the small initial weights all values would be almost equal, so random weights of standard
            // deviation 0.2 replace them.
            Stream::new(3, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.2);
        });
        (network, weights)
    }

    /// The value of a board, computed by a training pass instead of the incremental inference.
    fn value_by_training_pass(network: &Network, weights: &Weights, board: &Board) -> Outcomes {
        if let Some(exact) = Outcomes::exact(board) {
            return exact;
        }
        let body = network.body(Network::body_for(board));
        let mut tape = body.tape(1);
        let (logits, _) = body.forward(weights, [*board].into_iter(), &mut tape);
        Outcomes(std::array::from_fn(|i| 1.0 / (1.0 + (-logits[i]).exp()))).clamped_to_possible(board)
    }

    #[test]
    fn incremental_values_equal_values_of_whole_boards() {
        check_incremental_values(Inputs::Raw);
        check_incremental_values(Inputs::Expert);
        check_incremental_values(Inputs::Full);
    }

    fn check_incremental_values(inputs: Inputs) {
        let (network, weights) = random_network(inputs);
        let (mut scratch, mut values, mut plays) = (network.scratch(), Vec::new(), Plays::new());
        let stream = Stream::new(5, 0);
        let (mut board, mut races) = (Board::START, 0);
        for turn in 0..120 {
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            network.values_of_plays(&weights, &board, &plays, &mut scratch, &mut values);
            for (next, incremental) in plays.iter().zip(&values) {
                let trained = value_by_training_pass(&network, &weights, &next);
                let alone = network.value(&weights, &next, &mut scratch);
                for other in [trained, alone] {
                    let mut pairs = incremental.0.iter().zip(other.0);
                    assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-5), "{incremental:?} {other:?}");
                }
            }
            board = plays.get((stream.block(9, turn)[0] as usize) % plays.len());
            races += u32::from(board.is_race());
            if board.other_won().is_some() {
                break;
            }
        }
        assert!(races > 0, "no race came up");
    }

    #[test]
    fn pruning_leaves_the_plays_with_the_best_values() {
        let shape = NetworkShape { pruning: Some([16, 8]), ..NetworkShape::raw([8, 4], [8, 4]) };
        let (network, layout) = Network::new(shape);
        let mut weights = Weights::new(layout);
        weights.update(|params| {
            Stream::new(3, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.2);
        });
        let (stream, mut plays, mut scratch) = (Stream::new(5, 0), Plays::new(), network.scratch());
        let (mut board, mut removed) = (Board::START, 0);
        for turn in 0..200 {
            let rolls = [0, 1, 2].map(|i| Dice::for_turn(stream, 1 + i, turn));
            let (mut boards, mut ends, mut expected, mut expected_ends) = (vec![], vec![], vec![], vec![]);
            for dice in rolls {
                plays.find(&board, dice);
                let equity = |after: &Board| {
                    let mut tape = network.body(PRUNING).tape(1);
                    let (logits, _) =
                        network.body(PRUNING).forward(&weights, [*after].into_iter(), &mut tape);
                    let value = Outcomes(std::array::from_fn(|i| 1.0 / (1.0 + (-logits[i]).exp())));
                    value.clamped_to_possible(after).equity()
                };
                let mut equities: Vec<f32> =
                    plays.iter().filter(|after| !after.is_race()).map(|after| equity(&after)).collect();
                equities.sort_by(f32::total_cmp);
                // Rounding differs between the two computations.
                let most = equities.get(MAX_KEPT_PLAYS - 1).map_or(f32::INFINITY, |equity| equity + 1e-5);
                expected.extend(plays.iter().filter(|after| after.is_race() || equity(after) <= most));
                expected_ends.push(expected.len());
                boards.extend(plays.iter());
                ends.push(boards.len());
            }
            let before = boards.len();
            network.prune(&weights, &board.flipped(), &mut boards, &mut ends, &mut scratch);
            assert!(boards == expected && ends == expected_ends, "turn {turn}");
            removed += before - boards.len();
            board = boards[0];
            if board.other_won().is_some() {
                break;
            }
        }
        assert!(removed > 500, "{removed}");
    }

    #[test]
    fn gradients_agree_with_finite_differences() {
        let (network, mut weights) = random_network(Inputs::Full);
        let mut places = [0; 26];
        // All fifteen checkers of each side, too many for the bear-off table.
        (places[2], places[7]) = (8, 7);
        let race = Board::new(&places, &places).expect("a good board");
        for board in [Board::START, race] {
            let body = network.body(Network::body_for(&board));
            let mut tape = body.tape(2);
            let boards = || [board, board.flipped()].into_iter();
            // Any loss will do: the weighted sum of squared logits, with a weight of k for logit k.
            let loss = |weights: &Weights, tape: &mut Tape| {
                let (logits, _) = body.forward(weights, boards(), tape);
                logits.iter().zip(1..).map(|(x, k)| f64::from(x * x) * f64::from(k)).sum::<f64>()
            };
            let mut grads = vec![0.0; weights.len()];
            let (logits, gradients) = body.forward(&weights, boards(), &mut tape);
            for ((gradient, x), k) in gradients.iter_mut().zip(logits).zip(1..) {
                *gradient = 2.0 * x * k as f32;
            }
            body.backward(&weights, 2, &mut tape, &mut grads);
            let mut checked = 0;
            for i in (0..grads.len()).step_by(5).filter(|i| grads[*i] != 0.0) {
                let h = 1e-2;
                let mut at = |by: f32| {
                    weights.update(|p| p[i] += by);
                    let value = loss(&weights, &mut tape);
                    weights.update(|p| p[i] -= by);
                    value
                };
                let slope = (at(h) - at(-h)) / f64::from(2.0 * h);
                let error = (slope - f64::from(grads[i])).abs();
                assert!(error < 0.02 * slope.abs().max(1.0), "{i}: {slope} {}", grads[i]);
                checked += 1;
            }
            assert!(checked > 25, "only {checked} parameters");
        }
    }
}
