//! The fixed random wiring of a cell's circuits: of the perception kernels (small circuits that read a 3x3
//! neighbourhood) and of the update circuit (which computes the cell's next state from their outputs). A gate
//! reads two values of the layer before. In the first layer of a kernel these are one neighbour and the
//! centre cell. In all other layers no two gates read the same pair of values, and every value is read.

use learnery_kernels::gates::Wiring;
use learnery_kernels::rng::Stream;

use crate::circuit::{CENTRE, NEIGHBOURHOOD};

/// Returns each neighbour paired with the centre, in random order. `index` selects the random numbers of the
/// stream.
pub fn neighbour_pairs(stream: Stream, index: u64) -> Vec<[u32; 2]> {
    let neighbours = (0..NEIGHBOURHOOD as u32).filter(|k| *k != CENTRE as u32);
    let pairs: Vec<[u32; 2]> = neighbours.map(|k| [k, CENTRE as u32]).collect();
    shuffled(&pairs, stream, index)
}

/// At the beginning of training every gate passes one of its inputs on. Returns whether it is the second
/// input, for the gates of a layer in kernels of this direction. Directions are numbers; kernels of different
/// directions begin with different choices, and so with different outputs.
///
/// Bit `layer - 1` of the direction chooses the input. In layer 0 the second input is the centre, which the
/// update circuit reads anyway, so that layer always passes the first.
pub fn passes_second_input(direction: usize, layer: usize) -> bool {
    layer > 0 && direction >> (layer - 1) & 1 == 1
}

/// Reorders the first layer so that the outputs of kernels of direction d initially equal the neighbours
/// `neighbours[d]`. All entries of `neighbours` must be different.
///
/// Shapes: `layers [layers][gates], neighbours [directions][outputs]`.
pub fn arrange_neighbours(layers: &mut [Vec<[u32; 2]>], neighbours: &[&[u32]]) {
    let Some((first, later)) = layers.split_first_mut() else { return };
    for (direction, neighbours) in neighbours.iter().enumerate() {
        for (output, neighbour) in neighbours.iter().enumerate() {
            // The value that a gate passes on. `later` begins with layer 1.
            let passed_on = |gate: usize, (layer, pairs): (usize, &Vec<[u32; 2]>)| {
                pairs[gate][usize::from(passes_second_input(direction, layer + 1))] as usize
            };
            // Follows the passed values backward from the output to a gate of the first layer.
            let origin = later.iter().enumerate().rev().fold(output, passed_on);
            let reader = first.iter().position(|pair| pair[0] == *neighbour);
            first.swap(origin, reader.expect("the first layer reads every neighbour"));
        }
    }
}

/// Returns a different pair of the values 0 to `inputs - 1` for each gate, in random order, so that every
/// value is read. Pairs of adjacent values are taken first, then pairs of values two apart, three apart, and
/// so on.
///
/// # Panics
/// If there are too few gates to read all values, or too few pairs for the gates.
pub fn distinct_pairs(inputs: usize, gates: usize, stream: Stream, index: u64) -> Vec<[u32; 2]> {
    assert!(2 * gates >= inputs, "{gates} gates cannot read {inputs} values");
    assert!(2 * gates <= inputs * (inputs - 1), "there are not {gates} pairs of {inputs} values");
    // Pairs of adjacent values that begin with an even value and with an odd one, then pairs of values that
    // are further apart.
    let even = (0..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let odd = (1..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let apart = (2..inputs).flat_map(|by| (0..inputs - by).map(move |i| [i, i + by]));
    let pairs = even.chain(odd).chain(apart).take(gates).map(|pair| pair.map(|i| i as u32));
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    // With an odd number of inputs the last value is in none of the even pairs. If no other pair reads it
    // either, it replaces the last pair, whose values an even pair reads as well.
    let last = inputs as u32 - 1;
    if !pairs.iter().any(|pair| pair.contains(&last)) {
        *pairs.last_mut().expect("there is a gate") = [last - 1, last];
    }
    shuffled(&pairs, stream, index)
}

/// The pairs in random order.
fn shuffled(pairs: &[[u32; 2]], stream: Stream, index: u64) -> Vec<[u32; 2]> {
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    stream.shuffle(index, &mut order);
    order.iter().map(|i| pairs[*i as usize]).collect()
}

/// Repeats the wiring of a layer for several kernels, interleaved: gate j of kernel k is row `j * kernels +
/// k` of the layer. It reads rows of the same kernel. In the first layer (`is_shared`) it reads the
/// neighbourhood, which all kernels share.
pub fn interleaved(inputs: usize, pairs: &[[u32; 2]], kernels: usize, is_shared: bool) -> Wiring {
    let row = |i: u32, k: usize| if is_shared { i } else { i * kernels as u32 + k as u32 };
    let all = pairs.iter().flat_map(|pair| (0..kernels).map(move |k| pair.map(|i| row(i, k)))).collect();
    Wiring::new(if is_shared { inputs } else { inputs * kernels }, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const STREAM: Stream = Stream::new(3, 0);

    #[test]
    fn distinct_pairs_differ_and_read_every_value() {
        // Inputs and gates of small layers, of layers of the experiments, and with an odd number of inputs.
        for (inputs, gates) in
            [(8, 4), (4, 2), (2, 1), (17, 128), (264, 256), (256, 256), (640, 512), (9, 5), (9, 6)]
        {
            let pairs = distinct_pairs(inputs, gates, STREAM, 1);
            assert_eq!(pairs.len(), gates);
            assert!(pairs.iter().all(|[a, b]| a < b), "{inputs} {gates}");
            let different: HashSet<_> = pairs.iter().collect();
            assert_eq!(different.len(), gates, "{inputs} {gates}");
            let read: HashSet<_> = pairs.iter().flatten().collect();
            assert_eq!(read.len(), inputs, "{inputs} {gates}");
        }
        assert_ne!(distinct_pairs(256, 256, STREAM, 1), distinct_pairs(256, 256, STREAM, 2));
    }

    #[test]
    fn interleaved_kernels_share_only_the_neighbourhood() {
        let wiring = interleaved(4, &[[0, 1], [2, 3]], 3, false);
        assert_eq!(wiring.pairs(), [[0, 3], [1, 4], [2, 5], [6, 9], [7, 10], [8, 11]]);
        assert_eq!(wiring.inputs(), 12);
        // The first layer: eight gates of each of two kernels, all of which read the centre (4) as their
        // second input.
        let first = interleaved(9, &neighbour_pairs(STREAM, 0), 2, true);
        assert_eq!((first.inputs(), first.gates()), (9, 16));
        assert!(first.pairs().iter().all(|[a, b]| *b == 4 && *a != 4));
        assert_eq!(first.pairs()[0], first.pairs()[1]);
    }

    #[test]
    #[should_panic(expected = "cannot read")]
    fn distinct_pairs_rejects_too_few_gates() {
        distinct_pairs(9, 4, STREAM, 0);
    }
}
