//! Evaluation of positions for searches that run on the CPU.

use learnery_nn::ResNet;

use super::passes::{Tape, head, trunk};
use super::{OUTCOMES, Position};
use crate::alphazero::gpu::resnet::SOURCES;
use learnery_gpu::Buffer;
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
#[cfg(not(target_family = "wasm"))]
use learnery_gpu::KernelTime;
use learnery_gpu::Pending;
use learnery_gpu::layers::Pass;
use learnery_gpu::{Plan, PlanBuilder};

/// The sizes of batches. A request is cut into batches of the largest size, and what remains takes the
/// smallest size that holds it. Rows that a batch does not need are computed all the same, so sizes lie close
/// together.
const BATCH_SIZES: [usize; 7] = [32, 128, 512, 1024, 2048, 4096, 8192];

/// The network on the device with the parameters that play, and its plans for each size of batch.
#[derive(Debug)]
pub struct Evaluator {
    gpu: Gpu,
    weights: Buffer,
    tape: Tape,
    /// The width of the trunk's output.
    width: usize,
    /// The value head, which is the last, and the policy head if there is one.
    value_head: usize,
    policy_head: Option<usize>,
    /// Outputs of the policy head.
    policy_outputs: usize,
    plans: Vec<Plans>,
}

/// The plans for batches of one size.
#[derive(Debug)]
struct Plans {
    rows: usize,
    values: Plan,
    policy: Option<Plan>,
}

impl Evaluator {
    /// An evaluator of `net`, whose layout has `parameters` parameters. [`Evaluator::set_weights`] must
    /// follow.
    pub fn new(gpu: &Gpu, net: &ResNet, parameters: usize) -> Result<Self, GpuError> {
        let weights = gpu.buffer(parameters)?;
        let tape = Tape::for_inference(gpu, net, BATCH_SIZES[BATCH_SIZES.len() - 1])?;
        let heads = net.heads().len();
        let (value_head, policy_head) = (heads - 1, (heads > 1).then_some(0));
        let plans = |rows: usize| -> Result<Plans, GpuError> {
            let pass = Pass { rows, weights: &weights };
            let mut values = PlanBuilder::with_sources(gpu, SOURCES);
            trunk(&mut values, net, pass, &tape);
            head(&mut values, net, pass, &tape, value_head);
            let outputs = &tape.heads[value_head].outputs;
            let elements = rows * net.heads()[value_head].outputs();
            values.dispatch_elements("outcomes", &[], &[elements.into()], &[outputs], elements, 64);
            let policy = policy_head.map(|index| {
                let mut policy = PlanBuilder::with_sources(gpu, SOURCES);
                head(&mut policy, net, pass, &tape, index);
                policy.build()
            });
            Ok(Plans { rows, values: values.build()?, policy: policy.transpose()? })
        };
        Ok(Self {
            gpu: gpu.clone(),
            plans: BATCH_SIZES.into_iter().map(plans).collect::<Result<_, _>>()?,
            width: net.shape().width,
            value_head,
            policy_head,
            policy_outputs: policy_head.map_or(0, |index| net.heads()[index].outputs()),
            tape,
            weights,
        })
    }

    /// Writes the parameters. Requests that were submitted before are not affected.
    pub fn set_weights(&self, weights: &[f32]) {
        self.gpu.write(&self.weights, 0, weights);
    }

    /// Submits positions. The results are their outcome probabilities and, with a policy head, the outputs of
    /// the trunk. Shapes: `[positions, OUTCOMES]`, `[positions, width]`.
    pub fn submit_values(&self, positions: &[Position]) -> [Pending; 2] {
        let (mut outcomes, mut trunks) = (Pending::default(), Pending::default());
        for batch in positions.chunks(BATCH_SIZES[BATCH_SIZES.len() - 1]) {
            self.gpu.write(&self.tape.positions, 0, batch.as_flattened());
            let mut reads = vec![(&self.tape.heads[self.value_head].outputs, batch.len() * OUTCOMES)];
            if self.policy_head.is_some() {
                reads.push((&self.tape.end.y, batch.len() * self.width));
            }
            let results = self.plans_for(batch.len()).values.submit_and_read(&reads);
            for (pending, result) in [&mut outcomes, &mut trunks].into_iter().zip(results) {
                pending.push(result);
            }
        }
        [outcomes, trunks]
    }

    /// Submits outputs of the trunk. The results are the outputs of the policy head.
    /// Shapes: `embeddings [states, width] -> [states, outputs]`.
    ///
    /// # Panics
    /// If there are outputs but no policy head.
    pub fn submit_policies(&self, embeddings: &[f32]) -> Pending {
        let mut tables = Pending::default();
        if embeddings.is_empty() {
            return tables;
        }
        let policy_head = self.policy_head.expect("the network has a policy head");
        for batch in embeddings.chunks(BATCH_SIZES[BATCH_SIZES.len() - 1] * self.width) {
            let rows = batch.len() / self.width;
            self.gpu.write(&self.tape.end.y, 0, batch);
            let plans = self.plans_for(rows);
            let plan = plans.policy.as_ref().expect("a plan of the policy head");
            let outputs = &self.tape.heads[policy_head].outputs;
            for result in plan.submit_and_read(&[(outputs, rows * self.policy_outputs)]) {
                tables.push(result);
            }
        }
        tables
    }

    /// The times of the kernels that evaluate this many positions, at most the largest batch.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self, positions: usize) -> Result<Vec<KernelTime>, GpuError> {
        self.plans_for(positions).values.profile()
    }

    /// The plans of the smallest size that holds `rows` rows.
    fn plans_for(&self, rows: usize) -> &Plans {
        let fitting = self.plans.iter().find(|plans| plans.rows >= rows);
        fitting.expect("a batch is not larger than the largest size")
    }
}
