//! Where the numbers of actor and critic lie on the device. The CPU has all parameters in one vector; the
//! kernels read them packed in vectors of four neighbouring neurons, with the hidden layers padded to a size
//! that fills workgroups.

use learnery_gpu::shader::Constant;
use learnery_gpu::{Gpu, GpuError};
use learnery_kernels::product;

use super::{OwnSizes, Shape};

/// Floats of a vector.
const FLOATS_PER_VECTOR: usize = 4;

/// Where the policy loss, the value loss, the entropy, the KL divergence and the number of clipped samples
/// lie: the network whose slot has the term (0 actor, 1 critic), and the index among the terms of that slot.
/// The terms follow the gradients of a slot.
const TERM_PLACES: [(usize, usize); 5] = [(0, 0), (1, 0), (0, 1), (0, 2), (0, 3)];

/// The bytes of memory that WebGPU guarantees to a workgroup.
const GUARANTEED_WORKGROUP_BYTES: usize = 16_384;

/// Rows of the smallest tiles. With the narrowest networks they fill a subgroup of 32 invocations.
const SMALL_TILE_ROWS: usize = 4;

/// The sizes of the networks' kernels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub inputs: usize,
    pub outputs: usize,
    /// Neurons of a hidden layer.
    hidden: usize,
    /// Neurons of a hidden layer with padding. The weights of padding stay zero.
    padded: usize,
    /// Observations or samples of a tile.
    pub rows: usize,
    rows_per_thread: usize,
    /// An invocation keeps the gradients of a square of layer 2's weights. This is its side in vectors.
    block: usize,
    /// Numbers of a continuous action; 0 if actions are discrete.
    numbers: usize,
    /// Vectors with the biases of the heads and the logarithms of standard deviations.
    head_vectors: usize,
    /// Vectors of a step in the rollout.
    pub step_vectors: usize,
    pub own: Option<OwnSizes>,
}

/// The widest hidden layer.
pub const MAX_HIDDEN: usize = 128;

impl Layout {
    /// The layout for a shape whose hidden layers are not too wide.
    pub fn new(shape: &Shape) -> Self {
        let own = shape.world.own();
        let (outputs, numbers) = (shape.world.outputs(), shape.world.continuous_numbers());
        let layout = |(padded, rows, rows_per_thread, block)| Self {
            inputs: shape.world.inputs(),
            outputs,
            numbers,
            head_vectors: match own {
                // With a single output, the logarithm is the last number of the vector.
                None => 1,
                Some(_) => outputs.div_ceil(FLOATS_PER_VECTOR) + usize::from(numbers > 0),
            },
            step_vectors: if numbers > 1 { 2 } else { 1 },
            own,
            hidden: shape.hidden,
            padded,
            rows,
            rows_per_thread,
            block,
        };
        // The sizes are chosen so that a tile uses both the memory and the invocations of a workgroup well. With
        // many observations and choices, the smallest networks need the next size: it has smaller tiles.
        let sizes = [(32, 32, 4, 1), (64, 16, 4, 2), (MAX_HIDDEN, 8, 1, 2)];
        let mut wide_enough = sizes.into_iter().filter(|size| shape.hidden <= size.0).map(layout);
        let fits = |layout: &Self| layout.workgroup_bytes() <= GUARANTEED_WORKGROUP_BYTES;
        wide_enough.clone().find(fits).or_else(|| wide_enough.next()).unwrap_or_else(|| layout(sizes[2]))
    }

    /// The same networks with the smallest tiles, of which an invocation computes one row. A step of such a
    /// tile takes least time.
    pub fn with_small_tiles(&self) -> Self {
        Self { rows: SMALL_TILE_ROWS, rows_per_thread: 1, ..*self }
    }

    /// The constants of a kernel that runs the networks in the worlds of `shape`.
    pub fn constants(&self, shape: &Shape) -> Vec<Constant> {
        [
            ("WORLD", shape.world.number() as usize),
            ("INPUTS", self.inputs),
            ("OUTPUTS", self.outputs),
            ("HIDDEN", self.padded),
            ("ROWS", self.rows),
            ("ROWS_PER_THREAD", self.rows_per_thread),
            ("BLOCK", self.block),
            ("HEAD_VECTORS", self.head_vectors),
            ("HEAD_SHARES", (self.outputs * self.padded / FLOATS_PER_VECTOR).div_ceil(self.threads())),
            ("STEP_VECTORS", self.step_vectors),
            ("SQUASHED", usize::from(shape.is_squashed)),
        ]
        .into_iter()
        .chain(self.own.iter().flat_map(|own| {
            [
                ("STATE", own.state),
                ("NUMBERS", self.numbers),
                ("ACTION", own.action()),
                ("FAULT_VECTORS", own.fault_vectors()),
                ("PARAMETERS", own.parameters),
                ("EPISODE_STEPS", own.evaluation_steps),
            ]
        }))
        .map(|(name, value)| (name, value as u32))
        .collect()
    }

    /// Invocations of a workgroup.
    fn threads(&self) -> usize {
        self.padded / FLOATS_PER_VECTOR * self.rows / self.rows_per_thread
    }

    /// The memory of a workgroup in bytes.
    fn workgroup_bytes(&self) -> usize {
        let stride = self.padded + FLOATS_PER_VECTOR;
        let floats = self.rows * (self.inputs + 2 * stride + self.outputs) + self.outputs * self.threads();
        4 * floats
    }

    /// Refuses networks whose tile has no place in the memory of a workgroup.
    pub fn check_memory(&self, gpu: &Gpu) -> Result<(), GpuError> {
        let (needed, allowed) = (self.workgroup_bytes(), gpu.workgroup_bytes());
        if needed <= allowed {
            return Ok(());
        }
        Err(GpuError::Limit(format!(
            "networks of {} neurons with so many choices need {needed} bytes of a workgroup's memory, but the \
             GPU allows {allowed}; 64 neurons need less",
            self.hidden
        )))
    }

    // The beginnings of the parts of a network in floats, in the order of `wgsl/networks.wgsl`.
    fn bias_1(&self) -> usize {
        self.inputs * self.padded
    }
    fn weight_2(&self) -> usize {
        self.bias_1() + self.padded
    }
    fn bias_2(&self) -> usize {
        self.weight_2() + self.padded * self.padded
    }
    fn weight_3(&self) -> usize {
        self.bias_2() + self.padded
    }
    fn bias_3(&self) -> usize {
        self.weight_3() + self.outputs * self.padded
    }
    fn transposed(&self) -> usize {
        self.bias_3() + FLOATS_PER_VECTOR * self.head_vectors
    }

    /// Floats of a network.
    fn network(&self) -> usize {
        self.transposed() + self.padded * self.padded
    }

    /// Floats of both networks.
    pub fn networks(&self) -> usize {
        2 * self.network()
    }

    /// Floats of the slots of both networks in one group.
    pub fn slots(&self) -> usize {
        2 * self.slot()
    }

    fn slot(&self) -> usize {
        self.transposed() + FLOATS_PER_VECTOR
    }

    /// Multiply-adds of a pass of one network over one row, times two.
    pub fn operations(&self) -> f64 {
        2.0 * product([self.inputs + self.padded + self.outputs, self.padded])
    }

    /// For each parameter in the CPU's order: its network (0 actor, 1 critic), and its two places there. They
    /// are the same place, except for layer 2, whose weights are also stored transposed.
    fn parameters(&self) -> Vec<(usize, [usize; 2])> {
        let mut places = Vec::new();
        for (network, outputs) in [self.outputs, 1].into_iter().enumerate() {
            let mut add = |place: usize, second: usize| places.push((network, [place, second]));
            let mut once = |place| add(place, place);
            for i in 0..self.inputs {
                (0..self.hidden).for_each(|j| once(i * self.padded + j));
            }
            (0..self.hidden).for_each(|j| once(self.bias_1() + j));
            for i in 0..self.hidden {
                for j in 0..self.hidden {
                    let at = |row: usize, column: usize| row * self.padded + column;
                    add(self.weight_2() + at(i, j), self.transposed() + at(j, i));
                }
            }
            // Made again, because the first `once` cannot be kept while `add` is used itself.
            let mut once = |place| add(place, place);
            (0..self.hidden).for_each(|j| once(self.bias_2() + j));
            for i in 0..self.hidden {
                (0..outputs).for_each(|o| once(self.weight_3() + o * self.padded + i));
            }
            (0..outputs).for_each(|o| once(self.bias_3() + o));
        }
        // The policy of continuous actions also has standard deviations. Their logarithms are the last numbers
        // of the heads' biases: the fourth one of a single output, otherwise a vector of their own.
        let log_stds = match self.own {
            None => self.transposed() - 1,
            Some(_) => self.transposed() - FLOATS_PER_VECTOR,
        };
        places.extend((0..self.numbers).map(|k| (0, [log_stds + k; 2])));
        places
    }

    /// The two places of each parameter among the packed networks.
    pub fn places(&self) -> Vec<[u32; 2]> {
        let place = |(network, places): (usize, [usize; 2])| {
            places.map(|place| (network * self.network() + place) as u32)
        };
        self.parameters().into_iter().map(place).collect()
    }

    /// The place of the gradient of each parameter, then of each term of the loss, in the slots of a group.
    pub fn slot_places(&self) -> Vec<u32> {
        let gradients =
            self.parameters().into_iter().map(|(network, [place, _])| network * self.slot() + place);
        let terms = TERM_PLACES.map(|(network, term)| network * self.slot() + self.transposed() + term);
        gradients.chain(terms).map(|place| place as u32).collect()
    }
}
