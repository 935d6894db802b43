//! Cellular automata of soft gates: the constants of their kernels for circuits of several shapes. Losses, gradients and
//! whole runs are compared with those of the processor in the tests of the logic lab, which has the trainer for it.

use learnery_gpu::gates::{CellCircuits, GridShape, Task};
use learnery_gpu::shader::Constant;
use learnery_kernels::gates::Wiring;

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

/// The constants of `cell_step` for circuits of the shapes of the logic lab's experiments, and for a single layer.
pub fn cell_step_constants() -> Vec<Vec<Constant>> {
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
