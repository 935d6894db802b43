//! Who is wired to whom. The first layer of perception pairs each neighbour with the centre; in every other layer no two
//! gates read the same pair of values, and the gates stand in random order.

use learnery_kernels::gates::Wiring;
use learnery_kernels::rng::Stream;

/// Values of a cell's neighbourhood, in reading order, and which of them is its own.
pub const NEIGHBOURHOOD: usize = 9;
/// The cell itself.
pub const CENTRE: usize = 4;

/// Each neighbour with the centre, in the order of `stream` at `index`.
pub fn around(stream: Stream, index: u64) -> Vec<[u32; 2]> {
    let neighbours = (0..NEIGHBOURHOOD as u32).filter(|k| *k != CENTRE as u32);
    let pairs: Vec<[u32; 2]> = neighbours.map(|k| [k, CENTRE as u32]).collect();
    shuffled(&pairs, stream, index)
}

/// Whether in turn number `turn` the gates of a layer hand on their second input at first, and not their first: the turns
/// are all ways to choose, layer by layer. The first layer has the centre there, which the update sees anyway.
pub fn hands_on_second(turn: usize, layer: usize) -> bool {
    layer > 0 && turn >> (layer - 1) & 1 == 1
}

/// Has the neighbours stand in the first layer so that, in each turn, what comes out of the last one is at first what the
/// neighbours of `looks` are. // looks [turns][outputs], all different
pub fn look(layers: &mut [Vec<[u32; 2]>], looks: &[&[u32]]) {
    let Some((first, later)) = layers.split_first_mut() else { return };
    for (turn, neighbours) in looks.iter().enumerate() {
        for (output, neighbour) in neighbours.iter().enumerate() {
            let handed_on = |gate: usize, (layer, pairs): (usize, &Vec<[u32; 2]>)| {
                pairs[gate][usize::from(hands_on_second(turn, layer + 1))] as usize
            };
            let shown = later.iter().enumerate().rev().fold(output, handed_on);
            let there = first.iter().position(|pair| pair[0] == *neighbour);
            first.swap(shown, there.expect("it is one of the neighbours"));
        }
    }
}

/// So many distinct pairs of `inputs` values that every value is read: first neighbours in the list, then values further
/// and further apart.
///
/// # Panics
/// Where there are too few gates to read all values, or too few pairs for the gates.
pub fn distinct(inputs: usize, gates: usize, stream: Stream, index: u64) -> Vec<[u32; 2]> {
    assert!(2 * gates >= inputs, "{gates} gates cannot read {inputs} values");
    assert!(2 * gates <= inputs * (inputs - 1), "there are not {gates} pairs of {inputs} values");
    let even = (0..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let odd = (1..inputs - 1).step_by(2).map(|i| [i, i + 1]);
    let apart = (2..inputs).flat_map(|by| (0..inputs - by).map(move |i| [i, i + by]));
    let pairs = even.chain(odd).chain(apart).take(gates).map(|pair| pair.map(|i| i as u32));
    let mut pairs: Vec<[u32; 2]> = pairs.collect();
    // The last of an odd number of values has no partner among the first pairs.
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

/// The same wiring for `kernels` kernels side by side: gate j of kernel k stands in row `j * kernels + k`, and reads rows
/// of its own kernel, or of what all kernels share.
pub fn side_by_side(inputs: usize, pairs: &[[u32; 2]], kernels: usize, shared: bool) -> Wiring {
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
    fn no_two_gates_read_the_same_and_nothing_is_left_unread() {
        for (inputs, gates) in
            [(8, 4), (4, 2), (2, 1), (17, 128), (264, 256), (256, 256), (640, 512), (9, 5), (9, 6)]
        {
            let pairs = distinct(inputs, gates, STREAM, 1);
            assert_eq!(pairs.len(), gates);
            assert!(pairs.iter().all(|[a, b]| a < b), "{inputs} {gates}");
            let different: HashSet<_> = pairs.iter().collect();
            assert_eq!(different.len(), gates, "{inputs} {gates}");
            let read: HashSet<_> = pairs.iter().flatten().collect();
            assert_eq!(read.len(), inputs, "{inputs} {gates}");
        }
        assert_ne!(distinct(256, 256, STREAM, 1), distinct(256, 256, STREAM, 2));
    }

    #[test]
    fn kernels_share_their_wiring_and_nothing_else() {
        let wiring = side_by_side(4, &[[0, 1], [2, 3]], 3, false);
        assert_eq!(wiring.pairs(), [[0, 3], [1, 4], [2, 5], [6, 9], [7, 10], [8, 11]]);
        assert_eq!(wiring.inputs(), 12);
        let first = side_by_side(9, &around(STREAM, 0), 2, true);
        assert_eq!((first.inputs(), first.gates()), (9, 16));
        assert!(first.pairs().iter().all(|[a, b]| *b == 4 && *a != 4));
        assert_eq!(first.pairs()[0], first.pairs()[1]);
    }

    #[test]
    #[should_panic(expected = "cannot read")]
    fn too_few_gates_are_refused() {
        distinct(9, 4, STREAM, 0);
    }
}
