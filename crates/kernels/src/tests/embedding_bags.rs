//! Embedding bags against linear layers on the same multi-hot inputs.

use super::{Source, assert_same, on_every_isa};
use crate::embedding_bag::{embedding_bag, embedding_bag_backward};
use crate::epilogue::{Activation, Epilogue, LayerNormSaved, Saved};
use crate::gemm::{Mat, gemm};
use crate::linear::{PackedMatrix, linear};

#[test]
fn embedding_bag_has_the_bits_of_linear_on_multi_hot_inputs() {
    on_every_isa(|isa| {
        let mut source = Source::new(31);
        for case in 0..60 {
            let (rows, per_row) = (source.below(40), 1 + source.below(24));
            let (inputs, outputs) = (per_row * (1 + source.below(6)), 1 + source.below(200));
            let [table, bias, gamma, beta] =
                [inputs * outputs, outputs, outputs, outputs].map(|n| source.numbers(n));
            // Ascending indices: one in each range of `share` inputs.
            let share = inputs / per_row;
            let indices: Vec<u16> =
                (0..rows * per_row).map(|i| (i % per_row * share + source.below(share)) as u16).collect();
            let mut x = vec![0.0; rows * inputs];
            for (i, index) in indices.iter().enumerate() {
                x[i / per_row * inputs + usize::from(*index)] = 1.0;
            }
            let mut packed = PackedMatrix::new(inputs, outputs);
            packed.pack(&table);
            let run = |sparse: bool| {
                let [mut out, mut xhat] = [(); 2].map(|()| vec![0.0; rows * outputs]);
                let mut rstd = vec![0.0; rows];
                let mut epilogue = if case % 3 == 0 { Epilogue::default() } else { Epilogue::bias(&bias) };
                if case % 2 == 0 {
                    let saved = Saved::LayerNorm(LayerNormSaved { xhat: &mut xhat, rstd: &mut rstd });
                    epilogue = epilogue.norm(&gamma, &beta, 1e-5).save(saved);
                }
                epilogue = epilogue.then(Activation::Relu);
                if sparse {
                    embedding_bag(&mut out, &indices, per_row, &table, outputs, epilogue);
                } else {
                    linear(&mut out, &x, rows, &packed, epilogue);
                }
                [out, xhat, rstd].concat()
            };
            assert_same(&format!("{isa}, case {case}"), &run(true), &run(false));

            let dy = source.numbers(rows * outputs);
            let [mut grads, mut expected] = [(); 2].map(|()| table.clone());
            embedding_bag_backward(&mut grads, &indices, per_row, &dy, outputs);
            let (x, dy) = (Mat::new(&x, rows, inputs), Mat::new(&dy, rows, outputs));
            gemm(&mut expected, x.t(), dy, true);
            for (got, expected) in grads.iter().zip(&expected) {
                assert!((got - expected).abs() < 1e-5, "{isa}, case {case}: {got} and {expected}");
            }
        }
    });
}

#[test]
#[should_panic(expected = "an index beyond the 4 inputs")]
fn index_beyond_the_table_is_refused() {
    embedding_bag(&mut [0.0; 3], &[4], 1, &[0.0; 12], 3, Epilogue::default());
}
