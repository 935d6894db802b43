//! Hard gates on the GPU, 32 cells in a word, beside the automaton of the CPU.

use learnery_gpu::Gpu;
use learnery_gpu::testing::{arrive, device};
use learnery_kernels::rng::Stream;
use learnery_logic::gpu::{Circuit, PackedAutomaton};
use learnery_logic::{Gate, GateKind, HardAutomaton, Netlist};

/// A netlist of random gates of all kinds, whose outputs are its last wires.
fn random_netlist(channels: usize, gates: usize, seed: u32) -> Netlist {
    let stream = Stream::new(seed, 5);
    let inputs = 9 * channels;
    let gates: Vec<Gate> = (0..gates)
        .map(|i| {
            let below = |place: u64, n: usize| stream.below(i as u64, place, n as u32);
            let kind = GateKind::from_number((i % 16) as u8);
            Gate { kind, inputs: [below(0, inputs + i), below(1, inputs + i)] }
        })
        .collect();
    let last = (inputs + gates.len()) as u32;
    Netlist { channels, gates, outputs: (last - channels as u32..last).collect() }
}

fn circuit(netlist: &Netlist, periodic: bool) -> Circuit {
    Circuit {
        channels: netlist.channels,
        gates: netlist.gates.iter().map(|gate| (gate.kind.number(), gate.inputs)).collect(),
        outputs: netlist.outputs.clone(),
        periodic,
    }
}

/// The cells of a grid on the device, channel after channel.
fn read(gpu: &Gpu, automaton: &PackedAutomaton, [width, height]: [usize; 2]) -> Vec<bool> {
    let words: Vec<u32> = arrive(gpu, &automaton.read());
    let rows = words.chunks_exact(automaton.words());
    assert_eq!(rows.len() % height, 0);
    rows.flat_map(|row| (0..width).map(|x| row[x / 32] >> (x % 32) & 1 == 1)).collect()
}

#[test]
fn packed_steps_are_those_of_the_cpu_for_all_kinds_odd_sizes_and_edges() {
    let Some(gpu) = device() else { return };
    let sizes = [[1, 1], [2, 3], [31, 5], [32, 4], [33, 7], [64, 9], [95, 2], [130, 67]];
    for (number, size) in sizes.into_iter().enumerate() {
        for periodic in [false, true] {
            let channels = 1 + number % 3;
            let netlist = random_netlist(channels, 48, number as u32);
            let cells = size[0] * size[1];
            let stream = Stream::new(number as u32, 6);
            let state: Vec<bool> = (0..channels * cells).map(|i| stream.uniform(i as u64, 0) < 0.5).collect();
            let mut cpu = HardAutomaton::new(netlist.clone(), size, periodic, 1);
            for (channel, plane) in state.chunks_exact(cells).enumerate() {
                cpu.set_channel(channel, plane.iter().copied());
            }
            let mut on_device =
                PackedAutomaton::new(gpu, &circuit(&netlist, periodic), size).expect("the grid fits");
            on_device.set(state);
            for steps in [1, 1, 2, 3, 4] {
                on_device.step(steps);
                (0..steps).for_each(|_| cpu.step(None));
                let expected: Vec<bool> =
                    (0..channels).flat_map(|channel| cpu.channel(channel).collect::<Vec<_>>()).collect();
                assert!(
                    read(gpu, &on_device, size) == expected,
                    "{size:?}, periodic {periodic}, after {steps} more steps"
                );
            }
        }
    }
}
