//! The scores of the states that are one turn away, for beam searches that run on the processor.

use learnery_nn::OneHotMlp;

use super::network::{PuzzleTable, Tape, forward, widest};
use super::rules::{PackedState, Rules, STATE_WORDS};
use super::{DistanceScale, inference_rows};
use crate::GpuError;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::layers::Pass;
use crate::pending::Pending;
use crate::plan::{Plan, PlanBuilder};

/// The sizes of batches. A request is cut into batches of the largest size, and what remains takes the smallest size that
/// holds it.
const SIZES: [usize; 3] = [64, 1024, 8192];

/// What a network says of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scores {
    /// Its own distance, so it scores the neighbours one by one.
    Distance(DistanceScale),
    /// The distance after each turn.
    DistancesAfterTurns(DistanceScale),
    /// The logit of each turn. Scores are minus the logarithms of the probabilities.
    Logits,
}

/// A network with the parameters that score.
#[derive(Debug)]
pub struct Scorer {
    gpu: Gpu,
    turns: usize,
    weights: Buffer,
    states: Buffer,
    /// Shape: `[states, turns]`.
    scores: Buffer,
    plans: Vec<(usize, Plan)>,
}

impl Scorer {
    /// A scorer with `net`, which has `parameters` parameters. [`Scorer::set_weights`] must follow.
    pub fn new(
        gpu: &Gpu,
        rules: &Rules,
        net: &OneHotMlp,
        parameters: usize,
        kind: Scores,
    ) -> Result<Self, GpuError> {
        let [places, turns] = rules.constants();
        let count = rules.turns();
        let words = rules.upload(gpu)?;
        let table = PuzzleTable { rules, words: &words };
        let weights = gpu.buffer(parameters)?;
        let most = SIZES[SIZES.len() - 1];
        // The states that the network runs on: for distances of states themselves, all neighbours.
        let per_state = if matches!(kind, Scores::Distance(_)) { count } else { 1 };
        let states = gpu.buffer(STATE_WORDS * most)?;
        let neighbours = gpu.buffer(if per_state > 1 { STATE_WORDS * most * per_state } else { 0 })?;
        let scores = gpu.buffer(most * count)?;
        let rows = inference_rows(most * per_state, widest(net));
        let tape = Tape::for_inference(gpu, net, rows)?;
        let plan_of = |size: usize| -> Result<(usize, Plan), GpuError> {
            let mut plan = PlanBuilder::new(gpu);
            let mut inputs = &states;
            if per_state > 1 {
                let constants = [places, turns, ("NEIGHBOURS", turns.1)];
                let elements = size * per_state;
                let buffers = [&words, &states, &neighbours];
                plan.dispatch_elements("neighbours", &constants, &[elements.into()], &buffers, elements, 64);
                inputs = &neighbours;
            }
            for first in (0..size * per_state).step_by(rows) {
                let pass = Pass { rows: rows.min(size * per_state - first), weights: &weights };
                forward(&mut plan, net, table, pass, [inputs, &scores], [first, first], &tape);
            }
            let scale = match kind {
                Scores::Distance(scale) | Scores::DistancesAfterTurns(scale) => scale,
                Scores::Logits => DistanceScale { mean: 0.0, deviation: 1.0 },
            };
            let parameters = [size.into(), scale.mean.into(), scale.deviation.into()];
            let constants = [turns, ("LOGITS", (kind == Scores::Logits).into())];
            let cost = (16 * size * count) as f64;
            plan.dispatch(
                "turn_scores",
                &constants,
                &parameters,
                &[&scores],
                [size.div_ceil(64), 1, 1],
                cost,
            );
            Ok((size, plan.build()?))
        };
        Ok(Self {
            gpu: gpu.clone(),
            turns: count,
            plans: SIZES.into_iter().map(plan_of).collect::<Result<_, _>>()?,
            weights,
            states,
            scores,
        })
    }

    /// Writes the parameters. Requests that were submitted before are not affected.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.weights, 0, weights);
    }

    /// Submits states. The result are the scores of the states after each turn, the lower the nearer to solved.
    // -> [states, turns]
    pub fn submit(&self, states: &[PackedState]) -> Pending {
        let mut pending = Pending::default();
        for batch in states.chunks(SIZES[SIZES.len() - 1]) {
            self.gpu.write(&self.states, 0, batch.as_flattened());
            let (_, plan) = self.plans.iter().find(|(size, _)| *size >= batch.len()).expect("a size");
            plan.submit_sliced(self.gpu.slice_cost());
            pending.push(self.gpu.read_back(&self.scores, 0, batch.len() * self.turns));
        }
        pending
    }

    /// Blocks until the device has finished everything.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&self) {
        self.gpu.wait();
    }
}
