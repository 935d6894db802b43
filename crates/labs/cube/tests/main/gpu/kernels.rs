//! Every kernel of this lab, in the variants that its plans use, see [`check_kernels`].

use learnery_cube::gpu::SOURCES;
use learnery_gpu::shader::Constant;
use learnery_gpu::testing::check_kernels;

/// The constants of the 3x3x3 in quarter turns, and how many states value iteration keeps.
const PUZZLE: [Constant; 2] = [("PLACES", 20), ("TURNS", 12)];
const KEPT: Constant = ("KEPT", 1 << 16);

/// The constants of the 2x2x2 in quarter turns, with classes of symmetric states and without. `more` is added
/// to both.
fn indexed(more: &[Constant]) -> Vec<Vec<Constant>> {
    let puzzle = [("FIRSTS", 5040), ("SECONDS", 729), ("TURNS", 6)];
    let nodes = [[("NODES", 40_296), ("CLASSES", 1)], [("NODES", 3_674_160), ("CLASSES", 0)]];
    nodes.map(|nodes| [&puzzle[..], &nodes, more].concat()).to_vec()
}

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        "sampling" | "indexed" | "indexed_values" | "puzzle_rules" | "sample_by_sum" | "value_iteration" => {
            Vec::new()
        }
        "copy_due" | "copy_target" | "residual_total" | "node_values" => vec![Vec::new()],
        "embedding_bag" | "embedding_bag_backward" | "walks" => vec![PUZZLE.to_vec()],
        "residual_draw" => vec![vec![KEPT, ("BLOCK", 256)]],
        "residual_store" => vec![vec![KEPT]],
        "neighbours" => {
            [4, 12].map(|neighbours| [&PUZZLE[..], &[("NEIGHBOURS", neighbours)]].concat()).to_vec()
        }
        "node_draw" => indexed(&[("BLOCK", 256)]),
        "node_residuals" | "node_states" | "node_targets" => indexed(&[]),
        "scrambles" => indexed(&[("PLACES", 7)]),
        "prefix_sums" => [0, 1].map(|pass| vec![("PASS", pass), ("THREADS", 256)]).to_vec(),
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
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gpu/wgsl");
    check_kernels(SOURCES, folder, env!("CARGO_TARGET_TMPDIR"), variants);
}
