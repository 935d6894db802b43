//! Scores the neighbours of states (the states that are one turn away) with a network on the GPU. A beam
//! search whose other steps run on the CPU keeps the neighbours with the lowest scores.

use learnery_kernels::product;
use learnery_nn::OneHotMlp;

use super::network::{PuzzleTable, Tape, forward, widest};
use super::rules::{PackedState, Rules, STATE_WORDS};
use super::{DistanceScale, WORKGROUP_SIZE, inference_rows};
use crate::gpu::SOURCES;
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::Pending;
use learnery_gpu::layers::Pass;
use learnery_gpu::{Plan, PlanBuilder};

/// The sizes of batches in states, ascending; each has a plan of its own. [`Scorer::submit`] splits its
/// states into batches of the largest size. The last, smaller batch runs in the smallest size that is large
/// enough.
const BATCH_SIZES: [usize; 3] = [64, 1024, 8192];

/// What the outputs of a network mean. A distance is an estimate of the number of turns to the solved state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scores {
    /// One output, the distance of the input. So the network is evaluated for each neighbour.
    Distance(DistanceScale),
    /// One output for each turn: the distance of the neighbour that the turn leads to.
    DistancesAfterTurns(DistanceScale),
    /// One output for each turn: its logit. The scores are the negative log-probabilities of the turns.
    Logits,
}

/// The network's parameters, buffers and plans on the GPU.
#[derive(Debug)]
pub struct Scorer {
    gpu: Gpu,
    turns: usize,
    weights: Buffer,
    /// The states of a batch, packed.
    states: Buffer,
    /// The scores of their neighbours.
    /// Shape: `[states, turns]`.
    scores: Buffer,
    /// The sizes of batches and their plans, ascending.
    plans: Vec<(usize, Plan)>,
}

impl Scorer {
    /// A scorer with `net`, which has `parameters` parameters. Call [`Scorer::set_weights`] before the first
    /// [`Scorer::submit`].
    pub fn new(
        gpu: &Gpu,
        rules: &Rules,
        net: &OneHotMlp,
        parameters: usize,
        output_meaning: Scores,
    ) -> Result<Self, GpuError> {
        let [places, turns] = rules.constants();
        let turn_count = rules.turns();
        let words = rules.upload(gpu)?;
        let table = PuzzleTable { rules, words: &words };
        let weights = gpu.buffer(parameters)?;
        let max_states = BATCH_SIZES[BATCH_SIZES.len() - 1];
        // A network of `Scores::Distance` is evaluated for all neighbours of a state, the others for the
        // state itself.
        let inputs_per_state = if matches!(output_meaning, Scores::Distance(_)) { turn_count } else { 1 };
        let states = gpu.buffer(STATE_WORDS * max_states)?;
        let neighbours =
            gpu.buffer(if inputs_per_state > 1 { STATE_WORDS * max_states * inputs_per_state } else { 0 })?;
        let scores = gpu.buffer(max_states * turn_count)?;
        let rows = inference_rows(max_states * inputs_per_state, widest(net));
        let tape = Tape::for_inference(gpu, net, rows)?;
        let build_plan = |size: usize| -> Result<(usize, Plan), GpuError> {
            let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
            let mut inputs = &states;
            if inputs_per_state > 1 {
                let constants = [places, turns, ("NEIGHBOURS", turn_count as u32)];
                let elements = size * inputs_per_state;
                let buffers = [&words, &states, &neighbours];
                plan.dispatch_elements(
                    "neighbours",
                    &constants,
                    &[elements.into()],
                    &buffers,
                    elements,
                    WORKGROUP_SIZE,
                );
                inputs = &neighbours;
            }
            for first in (0..size * inputs_per_state).step_by(rows) {
                let pass = Pass { rows: rows.min(size * inputs_per_state - first), weights: &weights };
                forward(&mut plan, net, table, pass, [inputs, &scores], [first, first], &tape);
            }
            let scale = match output_meaning {
                Scores::Distance(scale) | Scores::DistancesAfterTurns(scale) => scale,
                Scores::Logits => DistanceScale { mean: 0.0, deviation: 1.0 },
            };
            let parameters = [size.into(), scale.mean.into(), scale.deviation.into()];
            let constants = [turns, ("LOGITS", (output_meaning == Scores::Logits).into())];
            let cost = product([16, size, turn_count]);
            plan.dispatch(
                "turn_scores",
                &constants,
                &parameters,
                &[&scores],
                [size.div_ceil(WORKGROUP_SIZE), 1, 1],
                cost,
            );
            Ok((size, plan.build()?))
        };
        Ok(Self {
            gpu: gpu.clone(),
            turns: turn_count,
            plans: BATCH_SIZES.into_iter().map(build_plan).collect::<Result<_, _>>()?,
            weights,
            states,
            scores,
        })
    }

    /// Writes the parameters. States that were submitted before are scored with the earlier ones.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.weights, 0, weights);
    }

    /// Starts to score the neighbours of these states. The result has a score for each state and turn.
    ///
    /// Shape of the result: `[states, turns]`.
    pub fn submit(&self, states: &[PackedState]) -> Pending {
        let mut pending = Pending::default();
        for batch in states.chunks(BATCH_SIZES[BATCH_SIZES.len() - 1]) {
            self.gpu.write(&self.states, 0, batch.as_flattened());
            let (_, plan) = self
                .plans
                .iter()
                .find(|(size, _)| *size >= batch.len())
                .expect("a batch is at most as large as the largest plan");
            plan.submit_sliced(self.gpu.slice_cost());
            pending.push(self.gpu.read_back(&self.scores, 0, batch.len() * self.turns));
        }
        pending
    }

    /// Blocks until the device has finished all submitted work.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&self) {
        self.gpu.wait();
    }
}
