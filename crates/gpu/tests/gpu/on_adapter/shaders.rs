//! Every kernel, in the variants that plans use, is parsed and validated by naga. The modules are also written to a file,
//! for the browser test that lets Chromium's stricter compiler read them.

use std::path::Path;

use learnery_gpu::Precision;
use learnery_gpu::matmul::{TILINGS, constants};
use learnery_gpu::shader::{Access, Constant, HALF, SOURCES, Shader};
use naga::valid::Capabilities;
use serde_json::{Value, json};

/// The constants of the 3x3x3 in quarter turns, and how many states value iteration keeps.
const PUZZLE: [Constant; 2] = [("PLACES", 20), ("TURNS", 12)];
const KEPT: Constant = ("KEPT", 1 << 16);

/// The constants of the 2x2x2 in quarter turns, with classes of symmetric states and without, and more.
fn indexed(more: &[Constant]) -> Vec<Vec<Constant>> {
    let puzzle = [("FIRSTS", 5040), ("SECONDS", 729), ("TURNS", 6)];
    let nodes = [[("NODES", 40_296), ("CLASSES", 1)], [("NODES", 3_674_160), ("CLASSES", 0)]];
    nodes.map(|nodes| [&puzzle[..], &nodes, more].concat()).to_vec()
}

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    let passes = |count: u32, rest: &[Constant]| {
        (0..count).map(|pass| [&[("PASS", pass)], rest].concat()).collect::<Vec<_>>()
    };
    match name {
        "generator_row" | "math" | "philox" | "reduce" | "update" | "optimiser_state" => Vec::new(),
        "acrobot_fast" | "angles" | "networks" | "policy" | "ppo_state" | "ppo_unit" | "shuffle"
        | "worlds" => Vec::new(),
        "gate_epoch" | "gate_layers" | "gate_mixture" | "minibatch" => Vec::new(),
        "drawing" | "indexed" | "indexed_values" | "puzzle_rules" | "sample_by_sum" | "value_iteration" => {
            Vec::new()
        }
        "adam" | "copy_due" | "copy_target" | "focus_total" => vec![Vec::new()],
        // Those of `cooperative::KERNEL` are in `cooperative.rs`: browsers have no cooperative matrices.
        "matmul_cooperative" | "product" => Vec::new(),
        "round_halves" => vec![vec![(HALF, 1)]],
        "attention" => [1, 3, 4, 16, 32, 64, 128]
            .into_iter()
            .flat_map(|size| {
                passes(
                    3,
                    &[
                        ("HEADS", 2),
                        ("HEAD_SIZE", size),
                        ("VECTORS", size.div_ceil(4)),
                        ("BLOCK", if size > 64 { 8 } else { 16 }),
                    ],
                )
            })
            .collect(),
        "cached_attention" => [(1, 0, 1), (6, 1, 2), (16, 4, 8), (30, 7, 14), (64, 0, 64), (128, 32, 64)]
            .into_iter()
            .flat_map(|(size, pairs, own)| {
                passes(
                    3,
                    &[
                        ("HEADS", 2),
                        ("HEAD_SIZE", size),
                        ("VECTORS", size.div_ceil(4)),
                        ("PAIRS", pairs),
                        ("OWN", own),
                        ("THREADS", 256),
                    ],
                )
            })
            .collect(),
        "cell_step" => super::gates::cell_step_constants(),
        "column_sums" => [0, 1].map(|norm| vec![("NORM", norm), ("ROWS_PER_PART", 128)]).to_vec(),
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
        "embedding_bag" | "embedding_bag_backward" | "walks" => vec![PUZZLE.to_vec()],
        "focus_draw" => vec![vec![KEPT, ("BLOCK", 256)]],
        "focus_learn" => vec![vec![KEPT]],
        "neighbours" => {
            [4, 12].map(|neighbours| [&PUZZLE[..], &[("NEIGHBOURS", neighbours)]].concat()).to_vec()
        }
        "node_draw" => indexed(&[("BLOCK", 256)]),
        "node_residuals" | "node_states" | "node_targets" => indexed(&[]),
        "node_values" => vec![Vec::new()],
        "scrambles" => indexed(&[("PLACES", 7)]),
        "prefix_sums" => passes(2, &[("THREADS", 256)]),
        "puzzle_loss" => (0..6)
            .map(|method| {
                let outputs = if method < 2 || method == 5 { 1 } else { 12 };
                let rest =
                    [("METHOD", method), ("OUTPUTS", outputs), ("NEIGHBOURS", 4), ("CLAMPED", method % 2)];
                [&PUZZLE[..], &rest].concat()
            })
            .collect(),
        "turn_scores" => [0, 1].map(|logits| vec![("TURNS", 12), ("LOGITS", logits)]).to_vec(),
        "update_loss" => {
            [0, 1].map(|is_value_iteration| vec![KEPT, ("VALUE_ITERATION", is_value_iteration)]).to_vec()
        }
        "generator_embedding" | "random_words" => vec![Vec::new()],
        "gate_coefficients" | "gate_update" => {
            [0, 1].map(|table| vec![("LAYERS", 19), ("TABLE", table)]).to_vec()
        }
        "gate_loss" => vec![vec![("THREADS", 256)]],
        "gradient_norm" => passes(2, &[("THREADS", 256), ("ELEMENTS", 1024)]),
        "layer_norm" => [[0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 1, 0]]
            .map(|[backward, add, relu]| {
                vec![("BACKWARD", backward), ("ADD", add), ("RELU", relu), ("THREADS", 64)]
            })
            .to_vec(),
        "loss_sums" => [0, 1].map(|policy| vec![("POLICY", policy)]).to_vec(),
        "loss" => passes(3, &[("THREADS", 64)]),
        "matmul" => {
            let mut variants = Vec::new();
            for precision in [Precision::F32, Precision::F16] {
                for transposed in [[false, false], [false, true], [true, false], [true, true]] {
                    for tiling in TILINGS {
                        let constants =
                            |epilogue| constants(tiling, transposed, epilogue, precision).to_vec();
                        variants.extend((0..7).map(constants));
                    }
                }
            }
            variants
        }
        "observation" | "outcome_loss" | "outcomes" | "policy_loss" | "relu_backward" => vec![Vec::new()],
        "peak" | "stream" => vec![Vec::new()],
        "advantage_statistics" | "ppo_adam" | "ppo_sum" | "ppo_update" => vec![Vec::new()],
        "advantages" => [2, 3, 4, 6].map(|inputs| vec![("INPUTS", inputs)]).to_vec(),
        "ppo_gradient" | "rollout" | "values" => learnery_gpu::ppo::kernel_constants(),
        "world_steps" => (0..4)
            .flat_map(|world| {
                [0, 1].map(|random| vec![("WORLD", world), ("RANDOM", random), ("PER_WORD", 4)])
            })
            .collect(),
        "muon" => passes(3, &[("THREADS", 256)]),
        "rotary" => [0, 1]
            .map(|backward| vec![("HEADS", 2), ("HEAD_SIZE", 16), ("PAIRS", 4), ("BACKWARD", backward)])
            .to_vec(),
        "sampler" => [64, 256].map(|threads| vec![("THREADS", threads)]).to_vec(),
        "sum_parts" => [0, 1].map(|add| vec![("ADD", add)]).to_vec(),
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let mut modules = Vec::new();
    for (name, _) in SOURCES {
        for constants in variants(name) {
            let Shader { text, bindings } = Shader::new(name, &constants);
            let half = constants.contains(&(HALF, 1));
            let capabilities = if half { Capabilities::SHADER_FLOAT16 } else { Capabilities::empty() };
            let module = naga::front::wgsl::parse_str(&text)
                .unwrap_or_else(|e| panic!("{name} {constants:?}: {}", e.emit_to_string(&text)));
            let mut validator =
                naga::valid::Validator::new(naga::valid::ValidationFlags::all(), capabilities);
            if let Err(error) = validator.validate(&module) {
                panic!("{name} {constants:?}: {}", error.emit_to_string(&text));
            }
            assert!(
                module.entry_points.iter().any(|entry| entry.name == "main"),
                "{name} has no entry point"
            );
            // Sizes of constants are computed by the layouter.
            let mut layouter = naga::proc::Layouter::default();
            layouter.update(module.to_ctx()).expect("the types are valid");
            let in_workgroup =
                |variable: &naga::GlobalVariable| variable.space == naga::AddressSpace::WorkGroup;
            let bytes: u32 = module
                .global_variables
                .iter()
                .filter(|(_, variable)| in_workgroup(variable))
                .map(|(_, variable)| layouter[variable.ty].size)
                .sum();
            assert!(
                bytes <= 16_384,
                "{name} {constants:?} uses {bytes} bytes of a workgroup's memory; 16,384 are guaranteed"
            );
            let needs = half.then_some("shader-f16");
            modules.push(json!({ "name": format!("{name} {constants:?}"), "text": text, "needs": needs }));
            let storage = bindings.iter().filter(|(_, access)| *access != Access::Uniform).count();
            assert!(storage <= 8, "{name} uses {storage} storage buffers; WebGPU guarantees 8");
        }
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shaders.json");
    std::fs::write(file, Value::from(modules).to_string())
        .expect("the folder for temporary files can be written to");
}
