//! Every kernel of this lab, in the variants that its plans use, see [`check_kernels`].

use learnery_gpu::shader::Constant;
use learnery_gpu::testing::check_kernels;
use learnery_kernels::gates::Wiring;
use learnery_logic::gpu::{CellCircuits, GridShape, SOURCES, Task};

/// Layers of these widths on `inputs` rows, wired in a circle.
fn layers(inputs: usize, widths: &[usize]) -> Vec<Wiring> {
    let mut inputs = inputs;
    let layers = widths.iter().map(|gates| {
        let pairs = (0..*gates).map(|gate| [gate % inputs, (gate + 1) % inputs].map(|row| row as u32));
        let wiring = Wiring::new(inputs, pairs.collect());
        inputs = *gates;
        wiring
    });
    layers.collect()
}

/// The constants of `cell_step` for circuits of the shapes of the lab's experiments, and for a single layer.
fn cell_step_constants() -> Vec<Vec<Constant>> {
    let grids = GridShape { width: 5, height: 3, periodic: false, count: 7 };
    let shapes: [(usize, &[usize], &[usize], bool); 4] = [
        (8, &[128, 64, 32], &[256, 256, 8], false),
        (1, &[128, 64, 32, 16], &[128, 64, 1], true),
        (128, &[32, 16, 8, 4], &[512, 512, 256, 128], true),
        (3, &[5], &[3], false),
    ];
    let variants = shapes.iter().flat_map(|(channels, perception, update, periodic)| {
        let perception = layers(9, perception);
        let outputs = perception.last().expect("a layer").gates();
        let update = layers(channels * (1 + outputs), update);
        let circuits = CellCircuits {
            channels: *channels,
            perception: perception.iter().collect(),
            update: update.iter().collect(),
            table: false,
        };
        let grids = GridShape { periodic: *periodic, ..grids };
        let task = Task { grids, steps: 3, shown: 1, asynchronous: *channels == 8 };
        circuits.step_constants(task, 256).expect("the circuits are small")
    });
    variants.collect()
}

/// The variants of each kernel. Files that are only included by others have none.
fn variants(name: &str) -> Vec<Vec<Constant>> {
    match name {
        "gate_epoch" | "gate_layers" | "gate_mixture" => Vec::new(),
        "cell_step" => cell_step_constants(),
        // 19 is an arbitrary number of layers.
        "gate_coefficients" | "gate_update" => {
            [0, 1].map(|table| vec![("LAYERS", 19), ("TABLE", table)]).to_vec()
        }
        "gate_loss" => vec![vec![("THREADS", 256)]],
        other => panic!("the kernel `{other}` is not tested"),
    }
}

#[test]
fn every_kernel_is_valid() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/gpu/wgsl");
    check_kernels(SOURCES, folder, env!("CARGO_TARGET_TMPDIR"), variants);
}
