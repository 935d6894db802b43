//! Embedding bags (sums of table rows given by indices) against linear layers on the same multi-hot inputs.

use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::activation::Activation;
use learnery_kernels::embedding_bag::{embedding_bag, embedding_bag_backward};
use learnery_kernels::epilogue::{Epilogue, Saved};
use learnery_kernels::gemm::{Mat, gemm};
use learnery_kernels::layer_norm::LayerNormSaved;
use learnery_kernels::linear::{PackedMatrix, linear};

/// A random table and random multi-hot inputs.
struct Case {
    rows: usize,
    /// Ones per row.
    per_row: usize,
    inputs: usize,
    outputs: usize,
    /// The weights of the layer.
    /// Shape: `[inputs, outputs]`.
    table: Vec<f32>,
    /// The indices of the ones, ascending in each row.
    /// Shape: `[rows, per_row]`.
    indices: Vec<u16>,
    /// The same inputs as zeros and ones.
    /// Shape: `[rows, inputs]`.
    multi_hot: Vec<f32>,
}

impl Case {
    fn new(source: &mut Source) -> Self {
        let (rows, per_row) = (source.below(40), 1 + source.below(24));
        // Each row has one index in each range of `range` inputs.
        let range = 1 + source.below(6);
        let (inputs, outputs) = (per_row * range, 1 + source.below(200));
        let table = source.numbers(inputs * outputs);
        let indices: Vec<u16> =
            (0..rows * per_row).map(|i| (i % per_row * range + source.below(range)) as u16).collect();
        let mut multi_hot = vec![0.0; rows * inputs];
        for (i, index) in indices.iter().enumerate() {
            multi_hot[i / per_row * inputs + usize::from(*index)] = 1.0;
        }
        Self { rows, per_row, inputs, outputs, table, indices, multi_hot }
    }
}

#[test]
fn embedding_bag_is_bit_identical_to_linear_on_multi_hot_inputs() {
    on_every_isa(|isa| {
        let mut source = Source::new(31);
        for i in 0..60 {
            let case = Case::new(&mut source);
            let (rows, outputs) = (case.rows, case.outputs);
            let [bias, gamma, beta] = [(); 3].map(|()| source.numbers(outputs));
            let mut packed = PackedMatrix::new(case.inputs, outputs);
            packed.pack(&case.table);
            // Returns the outputs and everything that the epilogue saves.
            let run = |use_embedding_bag: bool| {
                let [mut out, mut xhat] = [(); 2].map(|()| vec![0.0; rows * outputs]);
                let mut rstd = vec![0.0; rows];
                let mut epilogue = if i % 3 == 0 { Epilogue::default() } else { Epilogue::bias(&bias) };
                if i % 2 == 0 {
                    let saved = Saved::LayerNorm(LayerNormSaved { xhat: &mut xhat, rstd: &mut rstd });
                    epilogue = epilogue.norm(&gamma, &beta, 1e-5).save(saved);
                }
                epilogue = epilogue.then(Activation::Relu);
                if use_embedding_bag {
                    embedding_bag(&mut out, &case.indices, case.per_row, &case.table, outputs, epilogue);
                } else {
                    linear(&mut out, &case.multi_hot, rows, &packed, epilogue);
                }
                [out, xhat, rstd].concat()
            };
            assert_same(&format!("case {i} on {isa}"), &run(true), &run(false));
        }
    });
}

/// The gradient of the table of a linear layer is `xᵀ dy`.
#[test]
fn embedding_bag_backward_matches_the_gradient_of_linear() {
    on_every_isa(|isa| {
        let mut source = Source::new(32);
        for i in 0..60 {
            let case = Case::new(&mut source);
            let dy = source.numbers(case.rows * case.outputs);
            // Both add to gradients that are not zero.
            let [mut grads, mut expected] = [(); 2].map(|()| case.table.clone());
            embedding_bag_backward(&mut grads, &case.indices, case.per_row, &dy, case.outputs);
            let x = Mat::new(&case.multi_hot, case.rows, case.inputs);
            let accumulate = true;
            gemm(&mut expected, x.t(), Mat::new(&dy, case.rows, case.outputs), accumulate);
            for (got, expected) in grads.iter().zip(&expected) {
                assert!((got - expected).abs() < 1e-5, "case {i} on {isa}: {got} and {expected}");
            }
        }
    });
}

#[test]
#[should_panic(expected = "an index beyond the 4 inputs")]
fn index_beyond_the_table_is_rejected() {
    embedding_bag(&mut [0.0; 3], &[4], 1, &[0.0; 12], 3, Epilogue::default());
}
