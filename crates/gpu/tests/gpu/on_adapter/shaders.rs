//! Every kernel of this crate, in the variants that plans use, see [`check_kernels`].

use learnery_gpu::Precision;
use learnery_gpu::matmul::{TILINGS, kernel_constants};
use learnery_gpu::shader::{Constant, HALF, SOURCES};
use learnery_gpu::testing::check_kernels;
use learnery_gpu::transformer;

/// A variant for each of the passes 0 to `count - 1`, with the constants `rest`.
fn passes(count: u32, rest: &[Constant]) -> Vec<Vec<Constant>> {
    (0..count).map(|pass| [&[("PASS", pass)], rest].concat()).collect()
}

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        "math" | "philox" | "reduce" | "update" | "optimiser_state" => Vec::new(),
        "adam" | "peak" | "random_words" | "relu_backward" | "stream" => vec![Vec::new()],
        "column_sums" => [0, 1].map(|norm| vec![("NORM", norm), ("ROWS_PER_PART", 128)]).to_vec(),
        "gradient_norm" => passes(2, &[("THREADS", 256), ("ELEMENTS", 1024)]),
        "layer_norm" => [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0]]
            .map(|[backward, add, relu]| {
                vec![("BACKWARD", backward), ("ADD", add), ("RELU", relu), ("THREADS", 64)]
            })
            .to_vec(),
        "matmul" => {
            let mut variants = Vec::new();
            for precision in [Precision::F32, Precision::F16] {
                for transposed in [[false, false], [false, true], [true, false], [true, true]] {
                    for tiling in TILINGS {
                        let constants =
                            |epilogue| kernel_constants(tiling, transposed, epilogue, precision).to_vec();
                        variants.extend((0..7).map(constants));
                    }
                }
            }
            variants
        }
        // The variants of `cooperative::KERNEL` are in `cooperative.rs`: browsers have no cooperative
        // matrices.
        "matmul_cooperative" | "cooperative_operands" | "product" => Vec::new(),
        "round_halves" => vec![vec![(HALF, 1)]],
        "sum_parts" => [0, 1].map(|add| vec![("ADD", add)]).to_vec(),
        other => panic!("the kernel `{other}` is not tested"),
    }
}

/// The variants of each kernel of transformers.
fn transformer_variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        "generator_row" => Vec::new(),
        "attention" => [1, 3, 4, 16, 32, 64, 128]
            .into_iter()
            .flat_map(|size: u32| {
                let vectors = size.div_ceil(4);
                let block = if size > 64 { 8 } else { 16 };
                passes(3, &[("HEADS", 2), ("HEAD_SIZE", size), ("VECTORS", vectors), ("BLOCK", block)])
            })
            .collect(),
        "cached_attention" => [(1u32, 0, 1), (6, 1, 2), (16, 4, 8), (30, 7, 14), (64, 0, 64), (128, 32, 64)]
            .into_iter()
            .flat_map(|(size, pairs, own)| {
                let sizes = [("HEADS", 2), ("HEAD_SIZE", size), ("VECTORS", size.div_ceil(4))];
                passes(3, &[&sizes[..], &[("PAIRS", pairs), ("OWN", own), ("THREADS", 256)]].concat())
            })
            .collect(),
        "embedding" => passes(3, &[]),
        "few_rows" => {
            let mut variants = Vec::new();
            for rows in [1, 2, 4, 8, 16] {
                for (norm, transposed, epilogue) in [(1, 0, 1), (0, 0, 3), (1, 0, 2), (1, 1, 0), (0, 1, 0)] {
                    for vector in [0, 1] {
                        variants.push(vec![
                            ("ROWS", rows),
                            ("NORM", norm),
                            ("TRANSPOSED", transposed),
                            ("VECTOR", vector),
                            ("EPILOGUE", epilogue),
                        ]);
                    }
                }
            }
            variants
        }
        "generator_embedding" => vec![Vec::new()],
        "loss" => passes(3, &[("THREADS", 64)]),
        "muon" => passes(3, &[("THREADS", 256)]),
        "rotary" => [0, 1]
            .map(|backward| vec![("HEADS", 2), ("HEAD_SIZE", 16), ("PAIRS", 4), ("BACKWARD", backward)])
            .to_vec(),
        "sampler" => [64, 256].map(|threads| vec![("THREADS", threads)]).to_vec(),
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let out = env!("CARGO_TARGET_TMPDIR");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/wgsl");
    check_kernels(SOURCES, folder, out, variants);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/transformer/wgsl");
    check_kernels(transformer::SOURCES, folder, out, transformer_variants);
}
