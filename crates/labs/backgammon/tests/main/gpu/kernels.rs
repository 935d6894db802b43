//! Every kernel of this lab, in the variants that its plans use, see [`check_kernels`].

use learnery_backgammon::alphazero::resnet::SOURCES;
use learnery_gpu::shader::Constant;
use learnery_gpu::testing::check_kernels;

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        "minibatch" => Vec::new(),
        "loss_sums" => [0, 1].map(|policy| vec![("POLICY", policy)]).to_vec(),
        "observation" | "outcome_loss" | "outcomes" | "policy_loss" => vec![Vec::new()],
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/alphazero/gpu/resnet/wgsl");
    check_kernels(SOURCES, folder, env!("CARGO_TARGET_TMPDIR"), variants);
}
