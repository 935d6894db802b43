//! The fixed random wiring. In the first layer of a perception kernel every gate reads one neighbour and the centre cell;
//! in all other layers no two gates read the same pair of values, and every value is read.

use learnery_kernels::gates::Wiring;
use learnery_kernels::rng::Stream;

use crate::circuit::{CENTRE, NEIGHBOURHOOD};

/// Each neighbour paired with the centre, in random order.
pub fn neighbour_pairs(stream: Stream, index: u64) -> Vec<[u32; 2]> {
    let neighbours = (0..NEIGHBOURHOOD as u32).filter(|k| *k != CENTRE as u32);
    let pairs: Vec<[u32; 2]> = neighbours.map(|k| [k, CENTRE as u32]).collect();
    shuffled(&pairs, stream, index)
}

/// Whether the gates of a layer pass through their second input at first, in kernels of this initial direction. Bit by bit
/// the direction chooses first or second input for every layer after the first, so no two directions pass on the same
/// value. In the first layer the second input is the centre, which the update circuit reads anyway.
pub fn passes_second_input(direction: usize, layer: usize) -> bool {
    layer > 0 && direction >> (layer - 1) & 1 == 1
}

/// Reorders the first layer so that kernels of direction d initially pass on `neighbours[d]`.
/// // layers [layers][gates], neighbours [directions][outputs], all different
pub fn arrange_neighbours(layers: &mut [Vec<[u32; 2]>], neighbours: &[&[u32]]) {
    let Some((first, later)) = layers.split_first_mut() else { return };
    for (direction, neighbours) in neighbours.iter().enumerate() {
        for (output, neighbour) in neighbours.iter().enumerate() {
            let passed_on = |gate: usize, (layer, pairs): (usize, &Vec<[u32; 2]>)| {
                pairs[gate][usize::from(passes_second_input(direction, layer + 1))] as usize
            };
            let origin = later.iter().enumerate().rev().fold(output, passed_on);
            let present = first.iter().position(|pair| pair[0] == *neighbour);
            first.swap(origin, present.expect("the first layer reads every neighbour"));
        }
    }
}

/// Distinct pairs of `inputs` values for this many gates, in random order, so that every value is read. Pairs of adjacent
/// values are taken first, then pairs that are further and further apart.
///
/// # Panics
/// If there are too few gates to read all values, or too few pairs for the gates.
pub fn distinct_pairs(inputs: usize, gates: usize, stream: Stream, index: u64) -> Vec<[u32; 2]> {
    assert!(2 * gates >= inputs, "{gates} gates cannot read {inputs} values");
    assert!(2 * gates <= inputs * (inputs - 1), "there are not {gates} pairs of {inputs} values");
    let even = (0..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let odd = (1..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let apart = (2..inputs).flat_map(|by| (0..inputs - by).map(move |i| [i, i + by]));
    let pairs = even.chain(odd).chain(apart).take(gates).map(|pair| pair.map(|i| i as u32));
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    // The last of an odd number of values is in none of the even pairs.
    let last = inputs as u32 - 1;
    if !pairs.iter().any(|pair| pair.contains(&last)) {
        *pairs.last_mut().expect("there is a gate") = [last - 1, last];
    }
    shuffled(&pairs, stream, index)
}

fn shuffled(pairs: &[[u32; 2]], stream: Stream, index: u64) -> Vec<[u32; 2]> {
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    stream.shuffle(index, &mut order);
    order.iter().map(|i| pairs[*i as usize]).collect()
}

/// The same wiring for several kernels, interleaved: gate j of kernel k is row `j * kernels + k`, and reads rows of its own
/// kernel, or in the first layer (`shared`) the neighbourhood that all kernels share.
pub fn interleaved(inputs: usize, pairs: &[[u32; 2]], kernels: usize, shared: bool) -> Wiring {
    let row = |i: u32, k: usize| if shared { i } else { i * kernels as u32 + k as u32 };
    let all = pairs.iter().flat_map(|pair| (0..kernels).map(move |k| pair.map(|i| row(i, k)))).collect();
    Wiring::new(if shared { inputs } else { inputs * kernels }, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const STREAM: Stream = Stream::new(3, 0);

    #[test]
    fn distinct_pairs_differ_and_read_every_value() {
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
        let first = interleaved(9, &neighbour_pairs(STREAM, 0), 2, true);
        assert_eq!((first.inputs(), first.gates()), (9, 16));
        assert!(first.pairs().iter().all(|[a, b]| *b == 4 && *a != 4));
        assert_eq!(first.pairs()[0], first.pairs()[1]);
    }

    #[test]
    #[should_panic(expected = "cannot read")]
    fn too_few_gates_are_refused() {
        distinct_pairs(9, 4, STREAM, 0);
    }
}
