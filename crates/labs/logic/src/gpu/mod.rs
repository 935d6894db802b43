//! Cellular automata of soft logic gates (mixtures of the sixteen gate kinds) that learn on the GPU: the
//! steps of the automaton with all grids of a batch, their backward pass, and AdamW. [`Trainer`] computes
//! what `training::trainer` computes on the CPU, which the tests compare it with; `training/trainer/gpu.rs`
//! drives it.
//!
//! One dispatch is one step of the automaton. A workgroup holds the values of a layer's wires, for some
//! cells, in its memory. Only the states of all steps are kept; the backward pass computes the wires again.
//! The gradient at a wire is gathered from the gates that read it, through an index made once, so nothing is
//! added atomically. Every workgroup of the backward pass adds its gradients at the gates' coefficients to a
//! slot of its own; the slots are summed in order.

mod circuits;
mod packed;

pub use circuits::CellCircuits;
use circuits::{CELLS, tiles_per_part};
use learnery_gpu::Gpu;
use learnery_gpu::GpuError;
use learnery_gpu::Sources;
use learnery_gpu::{Buffer, ReadBack};
use learnery_gpu::{Plan, PlanBuilder};
use learnery_kernels::product;
pub use packed::{Circuit, PackedAutomaton};

/// The kernels.
pub const SOURCES: Sources = learnery_gpu::kernel_sources!(
    "wgsl":
    "cell_step",
    "gate_coefficients",
    "gate_epoch",
    "gate_layers",
    "gate_loss",
    "gate_mixture",
    "gate_update",
);

/// Invocations of a workgroup that computes steps: as many as the widest layers of most circuits have gates.
const THREADS: usize = 256;

/// The same on a software adapter. It switches from one invocation to the next at every barrier, so a
/// workgroup of few invocations is faster there.
const SOFTWARE_THREADS: usize = 8;

/// Invocations of a workgroup of the kernels that compute gate by gate, as in `gate_coefficients.wgsl` and
/// `gate_update.wgsl`.
const GATE_WORKGROUP: usize = 64;

/// Invocations of the only workgroup of `gate_loss`, which sums all errors.
const LOSS_THREADS: u32 = 256;

/// Gradients at each channel of a cell: one at its own value, and one at each of the nine cells that it sees.
const GRADIENTS_PER_VALUE: usize = 10;

/// Coefficients of a gate: `c0 + c1 a + c2 b + c3 a b` of its inputs a and b.
const COEFS_PER_GATE: usize = 4;

/// Floating-point operations of a gate in one cell: forward, and in the backward pass, which computes the
/// values again. An estimate: a plan uses the costs of dispatches to cut an epoch into slices.
const GATE_OPERATIONS: [f64; 2] = [6.0, 26.0];

/// Words of [`Epoch`] on the device.
const EPOCH_WORDS: usize = 12;

/// Several grids of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridShape {
    pub width: usize,
    pub height: usize,
    /// Whether edges wrap around. Otherwise cells beyond them are zero.
    pub periodic: bool,
    pub count: usize,
}

impl GridShape {
    /// The cells of all grids.
    pub fn cells(&self) -> usize {
        self.width * self.height * self.count
    }
}

/// The task: grids, the steps from the initial state to the one that is compared with the goal, and the first
/// channels, which are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    pub grids: GridShape,
    pub steps: usize,
    pub shown: usize,
    /// Whether a cell may keep its state in a step.
    pub asynchronous: bool,
}

/// The numbers of one epoch: the fields of `Epoch` in `wgsl/gate_epoch.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The fraction of gates that are discretised in the beginning (the setting `decided`).
    pub discretised: f32,
    /// How far the fraction of hard gates moves in an epoch: up while the soft error is below
    /// `hardening_threshold`, down above it.
    pub hardening_rate: f32,
    pub hardening_threshold: f32,
    pub learning_rate: f32,
    pub betas: (f32, f32),
    pub epsilon: f32,
    pub weight_decay: f32,
    /// The largest magnitude of a component of the gradient.
    pub clip: f32,
    /// Adam's bias corrections.
    pub corrections: (f32, f32),
    /// The index of the epoch's loss in the metrics of the unit.
    pub slot: u32,
}

/// What an epoch begins with. All numbers but those of `random` are 0 or 1.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The initial state.
    /// Shape: `[channels, cells]`.
    pub state: &'a [f32],
    /// What the shown channels must be in the end.
    /// Shape: `[shown, cells]`.
    pub goal: &'a [f32],
    /// Which cells are active in each step; ignored if all always are.
    /// Shape: `[steps, cells]`.
    pub awake: &'a [f32],
    /// A uniform number for each gate: a gate is discretised if its number is below the fraction that is
    /// discretised.
    /// Shape: `[gates]`.
    pub random: &'a [f32],
}

/// Both moments of the optimiser, each of shape `[logits]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
}

/// Pending read-back of the optimiser.
#[derive(Debug)]
pub struct MomentsReadBack {
    first: ReadBack,
    second: ReadBack,
}

impl MomentsReadBack {
    /// The moments once they have arrived.
    pub fn poll(&self) -> Result<Option<Moments>, GpuError> {
        let (first, second) = (self.first.poll()?, self.second.poll()?);
        Ok(first.zip(second).map(|(first, second)| Moments { first, second }))
    }
}

/// What lies on the device. A *part* is the cells that one workgroup of the backward pass computes.
#[derive(Debug)]
struct Buffers {
    /// The wiring, see [`CellCircuits::tables`].
    tables: Buffer,
    /// Shape: `[logits]`, as of the two moments.
    logits: Buffer,
    first_moments: Buffer,
    second_moments: Buffer,
    /// [`Batch::random`].
    random: Buffer,
    /// The words of [`Epoch`].
    epoch: Buffer,
    /// The moving average of the soft error, and the fraction of gates that stay soft, divided by its value
    /// in the beginning (`Noise` in `wgsl/gate_epoch.wgsl`).
    noise: Buffer,
    /// The coefficients of the gates.
    /// Shape: `[gates, 4]`.
    coefs: Buffer,
    /// The most likely kind of each gate.
    /// Shape: `[gates]`.
    kinds: Buffer,
    /// The state before the first step, and the state after each step.
    /// Shape: `[steps + 1, channels, cells]`.
    states: Buffer,
    /// [`Batch::goal`].
    goal: Buffer,
    /// [`Batch::awake`]; not used if all cells are always active.
    awake: Buffer,
    /// The gradients at a state ([`GRADIENTS_PER_VALUE`]), those of two steps in turn.
    /// Shape: `[10, channels, cells]`.
    gradients: [Buffer; 2],
    /// The values of all wires of the tile that each workgroup of the backward pass computes.
    /// Shape: `[parts, words of a tile]`.
    values: Buffer,
    /// The gradients at the coefficients, one slot for each part.
    /// Shape: `[parts, gates, 4]`.
    d_coefs: Buffer,
    /// The loss of each epoch of a unit.
    /// Shape: `[epochs]`.
    metrics: Buffer,
}

/// A cellular automaton of soft gates with its optimiser on the device.
#[derive(Debug)]
pub struct Trainer {
    gpu: Gpu,
    buffers: Buffers,
    /// The beginning of an epoch: the gates' kinds and coefficients.
    begin: Plan,
    /// The rest of it: the steps forward, the loss, the steps backward, the optimiser.
    epoch: Plan,
    /// Workgroups of the backward pass.
    parts: usize,
    gates: usize,
    asynchronous: bool,
}

impl Trainer {
    /// A trainer of these circuits. A unit has at most `epochs` epochs.
    pub fn new(gpu: &Gpu, circuits: &CellCircuits, task: Task, epochs: usize) -> Result<Self, GpuError> {
        let (cells, channels) = (task.grids.cells(), circuits.channels);
        let (gates, logits) = (circuits.gates(), circuits.logits());
        let parts = cells.div_ceil(CELLS).div_ceil(tiles_per_part(cells));
        let tables = circuits.tables()?;
        let gradient = || gpu.buffer(GRADIENTS_PER_VALUE * channels * cells);
        let awake = if task.asynchronous { task.steps * cells } else { 0 };
        let buffers = Buffers {
            tables: gpu.buffer(tables.len())?,
            logits: gpu.buffer(logits)?,
            first_moments: gpu.buffer(logits)?,
            second_moments: gpu.buffer(logits)?,
            random: gpu.buffer(gates)?,
            epoch: gpu.buffer(EPOCH_WORDS)?,
            noise: gpu.buffer(2)?,
            coefs: gpu.buffer(COEFS_PER_GATE * gates)?,
            kinds: gpu.buffer(gates)?,
            states: gpu.buffer((task.steps + 1) * channels * cells)?,
            goal: gpu.buffer(task.shown * cells)?,
            awake: gpu.buffer(awake)?,
            gradients: [gradient()?, gradient()?],
            values: gpu.buffer(parts * circuits.kept_words())?,
            d_coefs: gpu.buffer(parts * COEFS_PER_GATE * gates)?,
            metrics: gpu.buffer(epochs)?,
        };
        gpu.write(&buffers.tables, 0, &tables);
        let begin = begin_plan(gpu, circuits, &buffers)?;
        let epoch = epoch_plan(gpu, circuits, task, &buffers, parts)?;
        let asynchronous = task.asynchronous;
        Ok(Self { gpu: gpu.clone(), buffers, begin, epoch, parts, gates, asynchronous })
    }

    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Replaces the wiring by another one of the same shape.
    pub fn set_wiring(&self, circuits: &CellCircuits) -> Result<(), GpuError> {
        self.gpu.write(&self.buffers.tables, 0, &circuits.tables()?);
        Ok(())
    }

    pub fn set_logits(&self, logits: &[f32]) {
        self.gpu.write(&self.buffers.logits, 0, logits);
    }

    pub fn set_moments(&self, moments: &Moments) {
        self.gpu.write(&self.buffers.first_moments, 0, &moments.first);
        self.gpu.write(&self.buffers.second_moments, 0, &moments.second);
    }

    /// Sets the moving average of the soft error, and the fraction of gates that stay soft, divided by its
    /// value in the beginning: 1 in a new run.
    pub fn set_noise(&self, soft_error: f32, soft_ratio: f32) {
        self.gpu.write(&self.buffers.noise, 0, &[soft_error, soft_ratio]);
    }

    /// Begins an epoch: computes the gates' coefficients, and begins to read their most likely kinds.
    pub fn begin(&self, epoch: Epoch, batch: &Batch) -> ReadBack {
        let Buffers { epoch: numbers, states, goal, awake, random, kinds, .. } = &self.buffers;
        let words: [f32; EPOCH_WORDS] = [
            epoch.discretised,
            epoch.hardening_rate,
            epoch.hardening_threshold,
            epoch.learning_rate,
            epoch.betas.0,
            epoch.betas.1,
            epoch.epsilon,
            epoch.weight_decay,
            epoch.clip,
            epoch.corrections.0,
            epoch.corrections.1,
            // An integer; its bits stay as they are, because all words are written as bits below.
            f32::from_bits(epoch.slot),
        ];
        self.gpu.write(numbers, 0, &words.map(f32::to_bits));
        self.gpu.write(states, 0, batch.state);
        self.gpu.write(goal, 0, batch.goal);
        if self.asynchronous {
            self.gpu.write(awake, 0, batch.awake);
        }
        self.gpu.write(random, 0, batch.random);
        self.begin.submit_all();
        self.gpu.read_back(kinds, 0, self.gates)
    }

    /// Submits the next part of the epoch from dispatch `next` on, and returns the next one.
    pub fn submit(&self, next: usize) -> usize {
        self.epoch.submit(next, self.gpu.slice_cost())
    }

    /// The number of dispatches of an epoch after its beginning.
    pub fn dispatches(&self) -> usize {
        self.epoch.len()
    }

    /// The workgroups of the backward pass, each with a slot for its gradients.
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// Begins to read the losses of the first `epochs` epochs.
    pub fn read_metrics(&self, epochs: usize) -> ReadBack {
        self.gpu.read_back(&self.buffers.metrics, 0, epochs)
    }

    pub fn read_logits(&self) -> ReadBack {
        self.gpu.read_back(&self.buffers.logits, 0, self.buffers.logits.words())
    }

    pub fn read_moments(&self) -> MomentsReadBack {
        let Buffers { first_moments, second_moments, .. } = &self.buffers;
        let read = |buffer: &Buffer| self.gpu.read_back(buffer, 0, buffer.words());
        MomentsReadBack { first: read(first_moments), second: read(second_moments) }
    }

    /// Begins to read the slots of the gradient at the coefficients: for each part of the cells, four numbers
    /// a gate.
    ///
    /// Shape: `[parts, gates, 4]`.
    pub fn read_coefficient_gradients(&self) -> ReadBack {
        self.gpu.read_back(&self.buffers.d_coefs, 0, self.parts * COEFS_PER_GATE * self.gates)
    }

    /// Begins to read the state after `step` steps.
    ///
    /// Shape: `[channels, cells]`.
    pub fn read_state(&self, step: usize, values: usize) -> ReadBack {
        self.gpu.read_back(&self.buffers.states, step * values, values)
    }

    /// The times of the kernels of one epoch.
    #[cfg(not(target_family = "wasm"))]
    pub fn profile(&self) -> Result<Vec<learnery_gpu::KernelTime>, GpuError> {
        self.epoch.profile()
    }
}

fn begin_plan(gpu: &Gpu, circuits: &CellCircuits, buffers: &Buffers) -> Result<Plan, GpuError> {
    let Buffers { tables, logits, random, epoch, noise, coefs, kinds, .. } = buffers;
    let gates = circuits.gates();
    let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
    plan.dispatch_elements(
        "gate_coefficients",
        &circuits.gate_constants(),
        &[gates.into()],
        &[tables, logits, random, epoch, noise, coefs, kinds],
        gates,
        GATE_WORKGROUP,
    );
    plan.build()
}

fn epoch_plan(
    gpu: &Gpu,
    circuits: &CellCircuits,
    task: Task,
    buffers: &Buffers,
    parts: usize,
) -> Result<Plan, GpuError> {
    let Task { grids, steps, shown, .. } = task;
    let (cells, channels, gates) = (grids.cells(), circuits.channels, circuits.gates());
    let threads = if gpu.info().software { SOFTWARE_THREADS } else { THREADS };
    let [forward_constants, backward_constants] = circuits.step_constants(task, threads)?;
    let Buffers { tables, coefs, awake, states, gradients, values, d_coefs, .. } = buffers;
    // Approximately: the words of a tile are its wires, and these include the inputs of the circuits.
    let gates_of_a_cell = circuits.kept_words() as f64 / CELLS as f64;
    let [forward, backward] = GATE_OPERATIONS.map(|operations| operations * gates_of_a_cell * cells as f64);
    let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
    for step in 0..steps {
        let buffers = [tables, coefs, awake, states];
        // The second parameter, `is_inner`, is for the backward pass only.
        let parameters = [step.into(), 0.into()];
        let workgroups = [cells.div_ceil(CELLS), 1, 1];
        plan.dispatch("cell_step", &forward_constants, &parameters, &buffers, workgroups, forward);
    }
    plan.dispatch(
        "gate_loss",
        &[("THREADS", LOSS_THREADS)],
        &[(channels * cells).into(), (shown * cells).into(), (steps * channels * cells).into()],
        &[&buffers.epoch, states, &buffers.goal, &gradients[0], &buffers.noise, &buffers.metrics],
        [1, 1, 1],
        4.0 * product([channels, cells]),
    );
    for (i, step) in (0..steps).rev().enumerate() {
        let (later, own) = (&gradients[i % 2], &gradients[(i + 1) % 2]);
        let buffers = [tables, coefs, awake, states, later, own, values, d_coefs];
        // The gradient of the last step comes from the loss, that of any other from the step after it.
        let is_inner = usize::from(i > 0);
        let parameters = [step.into(), is_inner.into()];
        plan.dispatch("cell_step", &backward_constants, &parameters, &buffers, [parts, 1, 1], backward);
    }
    plan.dispatch(
        "gate_update",
        &circuits.gate_constants(),
        &[gates.into(), parts.into()],
        &[tables, &buffers.epoch, d_coefs, &buffers.logits, &buffers.first_moments, &buffers.second_moments],
        [gates.div_ceil(GATE_WORKGROUP), 1, 1],
        8.0 * product([parts, gates]),
    );
    plan.build()
}
