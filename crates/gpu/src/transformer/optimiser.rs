//! AdamW and Muon as plans. The state has the layout of [`learnery_nn::Adam`] and [`learnery_nn::Muon`], so a
//! checkpoint's tensors fit both.

use learnery_kernels::product;
use std::collections::BTreeMap;
use std::ops::Range;

use learnery_nn::{Precision, TensorError, Tensors, Transformer};

use super::network::Passes;
use crate::GpuError;
use crate::adam::{Adam, AdamReadBack, StepBuffers};
use crate::buffer::{Buffer, ReadBack};
use crate::device::Gpu;
use crate::matmul::{Epilogue, Matrix, Size};
use crate::plan::{Plan, PlanBuilder};
use crate::transformer::SOURCES;

/// The coefficients a, b, c of Muon's Newton-Schulz polynomial, and the number of iterations.
const NEWTON_SCHULZ_COEFFICIENTS: [f32; 3] = [3.4445, -4.775, 2.0315];
const NEWTON_SCHULZ_ITERATIONS: usize = 5;

/// The ratio of the longer to the shorter side from which on the iteration runs on the Gram matrix, which
/// takes fewer operations then.
const MIN_GRAM_RATIO: usize = 2;

/// Passes of the kernel `muon`.
const PASS_MOMENTUM: u32 = 0;
const PASS_NORMALISE: u32 = 1;
const PASS_WEIGHTS: u32 = 2;

/// The optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// AdamW for all parameters.
    Adamw,
    /// Muon for the matrices inside the blocks, AdamW for the rest.
    Muon,
}

/// The state of the optimiser on the device.
#[derive(Debug)]
pub struct Optimiser {
    gpu: Gpu,
    adam: Adam,
    /// The momentum of Muon's matrices, one after the other; `None` for AdamW alone.
    momentum: Option<Buffer>,
}

/// Matrices of one shape, which are orthogonalised together.
#[derive(Debug, Default)]
struct Batch {
    /// For each: the index of its first element in the momentum and in the parameters, and the distance of
    /// its rows. The last word is padding.
    places: Vec<[u32; 4]>,
}

impl Optimiser {
    /// The optimiser of a network, and the plan of its step on the gradient in `passes`. `groups` are ranges
    /// that cover all parameters, each with its weight decay.
    pub fn new(
        gpu: &Gpu,
        net: &Transformer,
        passes: &Passes,
        algorithm: Algorithm,
        groups: &[(Range<usize>, f32)],
    ) -> Result<(Self, Plan), GpuError> {
        let hidden: Vec<_> = match algorithm {
            Algorithm::Adamw => Vec::new(),
            Algorithm::Muon => net.hidden_matrices().collect(),
        };
        let is_hidden = |group: &Range<usize>| hidden.iter().any(|(matrix, _)| matrix.range == *group);
        let groups: Vec<_> = groups.iter().filter(|(group, _)| !is_hidden(group)).cloned().collect();
        let mut batches: BTreeMap<(usize, usize), Batch> = BTreeMap::new();
        let mut momenta = 0;
        // `parts` layers lie side by side in a matrix (queries, keys and values), and each is orthogonalised
        // alone.
        for (matrix, parts) in &hidden {
            let columns = matrix.outputs / parts;
            let batch = batches.entry((matrix.inputs, columns)).or_default();
            for part in 0..*parts {
                let (momentum, start) = (momenta + part * columns, matrix.range.start + part * columns);
                batch.places.push([momentum as u32, start as u32, matrix.outputs as u32, 0]);
            }
            momenta += matrix.range.len();
        }
        let optimiser = Self {
            gpu: gpu.clone(),
            adam: Adam::new(gpu, &groups)?,
            momentum: (!hidden.is_empty()).then(|| gpu.buffer(momenta)).transpose()?,
        };
        let mut plan = PlanBuilder::with_sources(gpu, SOURCES);
        let Passes { update, weights, grads, metrics, .. } = passes;
        optimiser.adam.append_step(&mut plan, StepBuffers { update, weights, grads, metrics })?;
        for ((rows, cols), batch) in &batches {
            optimiser.muon(&mut plan, passes, *rows, *cols, &batch.places)?;
        }
        Ok((optimiser, plan.build()?))
    }

    /// Muon's step of a batch of matrices, see [`learnery_nn::muon`].
    ///
    /// With the precision f16, the products with the matrices themselves are computed in f16. The result is
    /// then 0.2 % off, up to 5 % for matrices of low rank. The iteration on the Gram matrix stays f32.
    /// Rounding to f16 would change its small eigenvalues, even their sign, and each iteration multiplies the
    /// error by up to 12: matrices of low rank with noise came out up to 110 % off.
    fn muon(
        &self,
        plan: &mut PlanBuilder,
        passes: &Passes,
        rows: usize,
        cols: usize,
        places: &[[u32; 4]],
    ) -> Result<(), GpuError> {
        let gpu = self.gpu.clone();
        let (count, size) = (places.len(), rows * cols);
        let momentum = self.momentum.as_ref().expect("Muon has a momentum");
        let table = gpu.buffer(4 * count)?;
        gpu.write(&table, 0, places.as_flattened());
        let x = gpu.buffer(count * size)?;
        // A matrix that widens its input takes larger steps.
        let scale = (cols as f32 / rows as f32).max(1.0).sqrt();
        let parameters = [rows.into(), cols.into(), count.into(), scale.into()];
        let constants = |pass| [("PASS", pass), ("THREADS", 256)];
        let buffers = [&passes.update, self.adam.state(), &table, &passes.grads, momentum, &x];
        plan.dispatch_elements("muon", &constants(PASS_MOMENTUM), &parameters, &buffers, count * size, 256);
        let bytes = 8.0 * product([count, size]);
        plan.dispatch("muon", &constants(PASS_NORMALISE), &parameters, &[&x], [count, 1, 1], bytes);
        let side = rows.min(cols);
        let square = || gpu.buffer(count * side * side);
        let (gram, polynomial, scratch) = (square()?, square()?, square()?);
        let matrices = Batched { count, side };
        plan.set_precision(passes.precision);
        let result = if rows.max(cols) < MIN_GRAM_RATIO * side {
            // The iteration on the matrix itself: `x = p(x xᵀ) x` each time.
            let other = gpu.buffer(count * size)?;
            let (mut from, mut to) = (&x, &other);
            for _ in 0..NEWTON_SCHULZ_ITERATIONS {
                matrices.gram(plan, from, &gram, rows, cols);
                matrices.polynomial(plan, &gram, &polynomial);
                matrices.apply(plan, &polynomial, from, to, rows, cols);
                std::mem::swap(&mut from, &mut to);
            }
            from.clone()
        } else {
            // The iteration on the Gram matrix: the polynomials of all iterations are multiplied, and only
            // their product is applied to the matrix.
            let (product, spare) = (square()?, square()?);
            let (mut product, mut spare) = (&product, &spare);
            matrices.gram(plan, &x, &gram, rows, cols);
            plan.set_precision(Precision::F32);
            let (mut gram, mut next_gram) = (&gram, &scratch);
            for i in 0..NEWTON_SCHULZ_ITERATIONS {
                if i == 0 {
                    // The product of one polynomial is the polynomial, which the next Gram matrix needs too.
                    matrices.polynomial(plan, gram, product);
                    matrices.polynomial(plan, gram, &polynomial);
                } else {
                    matrices.polynomial(plan, gram, &polynomial);
                    matrices.multiply(plan, product, &polynomial, spare);
                    std::mem::swap(&mut product, &mut spare);
                }
                if i + 1 < NEWTON_SCHULZ_ITERATIONS {
                    // The Gram matrix of `p x` is `p s p`.
                    matrices.multiply(plan, &polynomial, gram, spare);
                    matrices.multiply(plan, spare, &polynomial, next_gram);
                    std::mem::swap(&mut gram, &mut next_gram);
                }
            }
            let out = gpu.buffer(count * size)?;
            plan.set_precision(passes.precision);
            matrices.apply(plan, product, &x, &out, rows, cols);
            out
        };
        let buffers = [&passes.update, self.adam.state(), &table, &result, &passes.weights];
        plan.dispatch_elements("muon", &constants(PASS_WEIGHTS), &parameters, &buffers, count * size, 256);
        Ok(())
    }

    /// Writes a state to the device, with the tensors of [`learnery_nn::Adam`] or [`learnery_nn::Muon`].
    pub fn load(&self, tensors: &Tensors) -> Result<(), TensorError> {
        if let Some(momentum) = &self.momentum {
            self.gpu.write(momentum, 0, &tensors.get::<f32>("momentum", &[momentum.words()])?);
        }
        self.adam.load(tensors)
    }

    /// Begins to read the state.
    pub fn read_back(&self) -> OptimiserReadBack {
        let read = |buffer: &Buffer| self.gpu.read_back(buffer, 0, buffer.words());
        OptimiserReadBack { adam: self.adam.read_back(), momentum: self.momentum.as_ref().map(read) }
    }
}

/// A pending read-back of an optimiser's state.
#[derive(Debug)]
pub struct OptimiserReadBack {
    adam: AdamReadBack,
    momentum: Option<ReadBack>,
}

impl OptimiserReadBack {
    /// The state as tensors, once it has arrived.
    pub fn poll(&self) -> Result<Option<Tensors>, GpuError> {
        let Some(mut tensors) = self.adam.poll()? else { return Ok(None) };
        if let Some(reading) = &self.momentum {
            let Some(values) = reading.poll::<f32>()? else { return Ok(None) };
            tensors.insert("momentum", &[values.len()], &values);
        }
        Ok(Some(tensors))
    }
}

/// Products of a batch of matrices whose shorter side is `side`.
#[derive(Clone, Copy, Debug)]
struct Batched {
    count: usize,
    side: usize,
}

impl Batched {
    fn matrix(buffer: &Buffer, rows: usize, cols: usize) -> Matrix<'_> {
        Matrix { batch: rows * cols, ..Matrix::new(buffer, 0, cols) }
    }

    fn square<'a>(&self, buffer: &'a Buffer) -> Matrix<'a> {
        Self::matrix(buffer, self.side, self.side)
    }

    fn squares(&self) -> Size {
        Size { m: self.side, n: self.side, k: self.side, batch: self.count }
    }

    /// `out = a b`, all square.
    fn multiply(&self, plan: &mut PlanBuilder, a: &Buffer, b: &Buffer, out: &Buffer) {
        plan.matmul(self.squares(), self.square(a), self.square(b), self.square(out), Epilogue::Store);
    }

    /// The Gram matrix on the shorter side: `x xᵀ`, or `xᵀ x` if the matrix is tall.
    fn gram(&self, plan: &mut PlanBuilder, x: &Buffer, out: &Buffer, rows: usize, cols: usize) {
        let x = Self::matrix(x, rows, cols);
        let (left, right) = if rows <= cols { (x, x.t()) } else { (x.t(), x) };
        let size = Size { k: rows.max(cols), ..self.squares() };
        plan.matmul(size, left, right, self.square(out), Epilogue::Store);
    }

    /// `out = a + b s + c s s` with [`NEWTON_SCHULZ_COEFFICIENTS`] a, b and c.
    fn polynomial(&self, plan: &mut PlanBuilder, s: &Buffer, out: &Buffer) {
        let [diagonal, other, factor] = NEWTON_SCHULZ_COEFFICIENTS;
        let epilogue = Epilogue::Polynomial { matrix: s, factor, other, diagonal };
        plan.matmul(self.squares(), self.square(s), self.square(s), self.square(out), epilogue);
    }

    /// `out = p x`, or `x p` if the matrix is tall.
    fn apply(&self, plan: &mut PlanBuilder, p: &Buffer, x: &Buffer, out: &Buffer, rows: usize, cols: usize) {
        let (x, p) = (Self::matrix(x, rows, cols), self.square(p));
        let (left, right) = if rows <= cols { (p, x) } else { (x, p) };
        let size = Size { m: rows, n: cols, k: self.side, batch: self.count };
        plan.matmul(size, left, right, Self::matrix(out, rows, cols), Epilogue::Store);
    }
}
