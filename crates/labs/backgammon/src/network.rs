//! The evaluator: two small networks, one for positions in which the sides can still meet and one for races, from the
//! inputs of [`super::features`] to five [`Outcomes`]. Both sides at home need no network: [`Outcomes::exact`].
//!
//! The plays of a throw differ in a few inputs from the board before it. So the sums of the first layer are made once for
//! that board, and each play adds the rows of what has changed (`learnery_kernels::weighted_rows`); the layers behind it are one
//! product for up to 64 plays.

use std::ops::Range;

use learnery_kernels::activation::sigmoid;
use learnery_kernels::buffer::Buffer;
use learnery_kernels::epilogue::Activation;
use learnery_kernels::rng::Stream;
use learnery_kernels::weighted_rows::{WeightedRow, add_weighted_rows};
use learnery_nn::{Dense, Hidden, Layout, Mlp, MlpTape, Scratch, Weights};
use learnery_worlds::backgammon::{Board, Plays};

use super::features::{FEATURES, all, difference, encode};
use super::outcomes::{OUTCOMES, Outcomes};

/// Plays that go through a network together.
const ROWS: usize = 64;
const RELU: Hidden = Hidden { norm: false, activation: Activation::Relu };
/// How boldly an untrained network answers.
const HEAD_GAIN: f32 = 0.05;

/// Widths of the hidden layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// While the sides can meet.
    pub contact: [usize; 2],
    /// In a race.
    pub race: [usize; 2],
}

/// Both networks: where their parameters lie.
#[derive(Clone, Debug)]
pub struct Network {
    /// Contact, race.
    bodies: [Body; 2],
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Body {
    first: Dense,
    /// The first layer's weights, a row for each input, and its bias.
    rows: Range<usize>,
    bias: Range<usize>,
    rest: Mlp,
}

/// What evaluating works in.
#[derive(Clone, Debug)]
pub struct Work {
    nets: [NetWork; 2],
    picks: Vec<WeightedRow>,
    ends: Vec<usize>,
    logits: Buffer,
}

#[derive(Clone, Debug)]
struct NetWork {
    /// The sums of the first layer for the board before the plays.
    base: Buffer,
    /// What the first layer makes of the plays. // [ROWS, width]
    hidden: Buffer,
    scratch: Scratch,
    /// Which plays it is asked about.
    which: Vec<u32>,
}

/// What a training pass through one of them keeps.
#[derive(Clone, Debug)]
pub struct Tape {
    inputs: Buffer,
    hidden: Buffer,
    slope: Buffer,
    rest: MlpTape,
}

impl Network {
    /// The plan of a network and the layout of its parameters.
    pub fn new(shape: Shape) -> (Self, Layout) {
        let mut layout = Layout::default();
        let mut body = |name: &str, [wide, narrow]: [usize; 2]| {
            let first = Dense::new(&mut layout, &format!("{name}/first"), FEATURES, wide, false);
            let find = |part| layout.find(&format!("{name}/first/{part}")).expect("it was just added");
            let (rows, bias) = (find("weight"), find("bias"));
            let rest = Mlp::new(&mut layout, &format!("{name}/rest"), &[wide, narrow, OUTCOMES], RELU, true);
            Body { first, rows, bias, rest }
        };
        let bodies = [body("contact", shape.contact), body("race", shape.race)];
        (Self { bodies }, layout)
    }

    /// Untrained parameters.
    pub fn init(&self, params: &mut [f32], stream: Stream) {
        for (i, body) in self.bodies.iter().enumerate() {
            body.first.init(params, 1.0, stream, 100 + i as u64);
            body.rest.init(params, HEAD_GAIN, Stream::new(stream.block(i as u64, 0)[0], 0));
        }
    }

    /// Which of the networks is asked about a board.
    pub fn of(board: &Board) -> usize {
        usize::from(board.is_race())
    }

    /// The network [`Network::of`] has chosen.
    pub fn body(&self, which: usize) -> &Body {
        &self.bodies[which]
    }

    /// Room to evaluate in.
    pub fn work(&self) -> Work {
        let net = |body: &Body| NetWork {
            base: Buffer::new(body.width()),
            hidden: Buffer::new(ROWS * body.width()),
            scratch: body.rest.scratch(),
            which: Vec::with_capacity(4096),
        };
        Work {
            nets: [net(&self.bodies[0]), net(&self.bodies[1])],
            picks: Vec::with_capacity(32 * ROWS),
            ends: Vec::with_capacity(ROWS),
            logits: Buffer::new(ROWS * OUTCOMES),
        }
    }

    /// What every play of a list is worth to the side that rolls after it, in `out`. `before` is the board on which
    /// they were found.
    pub fn plays(
        &self,
        weights: &Weights,
        before: &Board,
        plays: &Plays,
        work: &mut Work,
        out: &mut Vec<Outcomes>,
    ) {
        self.evaluate(weights, &before.flipped(), plays.len(), |i| plays.get(i), work, out);
    }

    /// What a board is worth to the side on roll.
    pub fn value(&self, weights: &Weights, board: &Board, work: &mut Work) -> Outcomes {
        let mut out = [Outcomes::default()];
        self.fill(weights, board, &|_| *board, work, &mut out);
        out[0]
    }

    /// Values of `n` boards that differ little from `near`.
    pub fn evaluate(
        &self,
        weights: &Weights,
        near: &Board,
        n: usize,
        board: impl Fn(usize) -> Board,
        work: &mut Work,
        out: &mut Vec<Outcomes>,
    ) {
        out.clear();
        out.resize(n, Outcomes::default());
        self.fill(weights, near, &board, work, out);
    }

    fn fill(
        &self,
        weights: &Weights,
        near: &Board,
        board: &dyn Fn(usize) -> Board,
        work: &mut Work,
        out: &mut [Outcomes],
    ) {
        work.nets.iter_mut().for_each(|net| net.which.clear());
        for (i, out) in out.iter_mut().enumerate() {
            let board = board(i);
            match Outcomes::exact(&board) {
                Some(exact) => *out = exact,
                None => work.nets[Self::of(&board)].which.push(i as u32),
            }
        }
        let Work { nets, picks, ends, logits } = work;
        for (body, net) in self.bodies.iter().zip(nets).filter(|(_, net)| !net.which.is_empty()) {
            let NetWork { base, hidden, scratch, which } = net;
            let (rows, bias) = (&weights.flat()[body.rows.clone()], &weights.flat()[body.bias.clone()]);
            picks.clear();
            all(near, picks);
            add_weighted_rows(base, bias, rows, &[picks.len()], picks, f32::NEG_INFINITY);
            for which in which.chunks(ROWS) {
                picks.clear();
                ends.clear();
                for i in which {
                    difference(near, &board(*i as usize), picks);
                    ends.push(picks.len());
                }
                let n = which.len();
                let (hidden, logits) = (&mut hidden[..n * base.len()], &mut logits[..n * OUTCOMES]);
                add_weighted_rows(hidden, base, rows, ends, picks, 0.0);
                body.rest.infer(weights, hidden, n, scratch, logits);
                sigmoid(logits);
                for (i, chances) in which.iter().zip(logits.as_chunks().0) {
                    let i = *i as usize;
                    out[i] = Outcomes(*chances).possible(&board(i));
                }
            }
        }
    }
}

impl Body {
    fn width(&self) -> usize {
        self.first.outputs()
    }

    /// Room to learn from up to `capacity` boards at once.
    pub fn tape(&self, capacity: usize) -> Tape {
        Tape {
            inputs: Buffer::new(capacity * FEATURES),
            hidden: Buffer::new(capacity * self.width()),
            slope: Buffer::new(capacity * self.width()),
            rest: self.rest.tape(capacity),
        }
    }

    /// The logits of some boards, and where their gradient is to be written.
    pub fn forward<'t>(
        &self,
        weights: &Weights,
        boards: impl ExactSizeIterator<Item = Board>,
        tape: &'t mut Tape,
    ) -> (&'t [f32], &'t mut [f32]) {
        let rows = boards.len();
        let inputs = &mut tape.inputs[..rows * FEATURES];
        for (board, inputs) in boards.zip(inputs.chunks_exact_mut(FEATURES)) {
            encode(&board, inputs);
        }
        let hidden = &mut tape.hidden[..rows * self.width()];
        self.first.forward(
            weights,
            hidden,
            inputs,
            rows,
            self.first.epilogue(weights).then(Activation::Relu),
        );
        self.rest.forward(weights, hidden, rows, &mut tape.rest);
        tape.rest.outputs_and_gradients(rows)
    }

    /// Adds the gradient of the last forward pass of `rows` boards to `grads`.
    pub fn backward(&self, weights: &Weights, rows: usize, tape: &mut Tape, grads: &mut [f32]) {
        let Tape { inputs, hidden, slope, rest } = tape;
        let (hidden, slope) = (&hidden[..rows * self.width()], &mut slope[..rows * self.width()]);
        self.rest.backward(weights, hidden, rows, rest, grads, Some(slope));
        Activation::Relu.backward(slope, hidden);
        self.first.backward(grads, &inputs[..rows * FEATURES], slope, rows);
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Dice;

    use super::*;

    const SHAPE: Shape = Shape { contact: [48, 16], race: [16, 8] };

    fn sample() -> (Network, Weights) {
        let (network, layout) = Network::new(SHAPE);
        let mut weights = Weights::new(layout);
        weights.update(|params| {
            network.init(params, Stream::new(1, 2));
            // Answers that differ.
            Stream::new(3, 4).fill_normal(0, params);
            params.iter_mut().for_each(|p| *p *= 0.2);
        });
        (network, weights)
    }

    /// The value of a board by the way that is trained.
    fn slowly(network: &Network, weights: &Weights, board: &Board) -> Outcomes {
        if let Some(exact) = Outcomes::exact(board) {
            return exact;
        }
        let body = network.body(Network::of(board));
        let mut tape = body.tape(1);
        let (logits, _) = body.forward(weights, [*board].into_iter(), &mut tape);
        Outcomes(std::array::from_fn(|i| 1.0 / (1.0 + (-logits[i]).exp()))).possible(board)
    }

    #[test]
    fn changes_alone_give_the_value_of_the_whole_board() {
        let (network, weights) = sample();
        let (mut work, mut values, mut plays) = (network.work(), Vec::new(), Plays::new());
        let stream = Stream::new(5, 0);
        let (mut board, mut races) = (Board::START, 0);
        for turn in 0..120 {
            plays.find(&board, Dice::for_turn(stream, 0, turn));
            network.plays(&weights, &board, &plays, &mut work, &mut values);
            for (next, fast) in plays.iter().zip(&values) {
                let slow = slowly(&network, &weights, &next);
                let alone = network.value(&weights, &next, &mut work);
                for other in [slow, alone] {
                    assert!(
                        fast.0.iter().zip(other.0).all(|(a, b)| (a - b).abs() < 1e-5),
                        "{fast:?} {other:?}"
                    );
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
    fn gradients_agree_with_finite_differences() {
        let (network, mut weights) = sample();
        let mut places = [0; 26];
        (places[2], places[7]) = (8, 7);
        let race = Board::new(&places, &places).expect("a good board");
        for board in [Board::START, race] {
            let body = network.body(Network::of(&board));
            let mut tape = body.tape(2);
            let boards = || [board, board.flipped()].into_iter();
            let loss = |weights: &Weights, tape: &mut Tape| {
                let (logits, _) = body.forward(weights, boards(), tape);
                logits.iter().zip(1..).map(|(x, k)| f64::from(x * x) * f64::from(k)).sum::<f64>()
            };
            let mut grads = vec![0.0; weights.len()];
            let (logits, slopes) = body.forward(&weights, boards(), &mut tape);
            for ((slope, x), k) in slopes.iter_mut().zip(logits).zip(1..) {
                *slope = 2.0 * x * k as f32;
            }
            body.backward(&weights, 2, &mut tape, &mut grads);
            let mut checked = 0;
            for i in (0..grads.len()).step_by(7).filter(|i| grads[*i] != 0.0) {
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
            assert!(checked > 25, "only {checked} slopes");
        }
    }
}
