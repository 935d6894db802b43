//! Every kernel of this lab, in the variants that its plans use, see [`check_kernels`].

use learnery_control::ppo::{SOURCES, kernel_constants};
use learnery_gpu::shader::Constant;
use learnery_gpu::testing::check_kernels;

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        // The kernels of worlds of the user's own include a generated text; the tests in own.rs run them.
        "own_evaluate" | "own_loss" | "own_policy" | "own_rollout" | "own_world" => Vec::new(),
        "own_faults" => vec![vec![("FAULT_VECTORS", 3), ("CHUNK", 32)]],
        "own_rewards" => vec![vec![("INPUTS", 3)]],
        "acrobot_fast" | "angles" | "bounds" | "episode_ends" | "loss" | "networks" | "policy"
        | "ppo_state" | "ppo_unit" | "rollout_words" | "shuffle" | "worlds" => Vec::new(),
        "advantage_statistics" | "ppo_adam" | "ppo_sum" | "ppo_update" => vec![Vec::new()],
        // The widths of the observations of the lab's own worlds; then a world of the user's own.
        "advantages" => [2, 3, 4, 6]
            .map(|inputs| vec![("INPUTS", inputs), ("OWN", 0)])
            .into_iter()
            .chain([1, 2].map(|step| vec![("INPUTS", 5), ("OWN", 1), ("STEP_VECTORS", step)]))
            .collect(),
        "evaluate" => kernel_constants(true),
        "ppo_gradient" | "rollout" | "values" => kernel_constants(false),
        "world_steps" => (0..4)
            .flat_map(|world| {
                [0, 1].map(|random| vec![("WORLD", world), ("RANDOM", random), ("PER_WORD", 4)])
            })
            .collect(),
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gpu/ppo/wgsl");
    check_kernels(SOURCES, folder, env!("CARGO_TARGET_TMPDIR"), variants);
}
