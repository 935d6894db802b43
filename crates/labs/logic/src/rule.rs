//! What a decided circuit of one channel makes of every neighbourhood there is, beside what the game of life makes of it.

use super::experiment::lives;
use super::netlist::Netlist;
use super::wiring::{CENTRE, NEIGHBOURHOOD};

/// Every neighbourhood there is.
const ALL: usize = 1 << NEIGHBOURHOOD;
/// Neighbourhoods that are asked about at once.
const AT_ONCE: usize = 64;

/// For each neighbourhood, whose k-th cell is the k-th bit of its number: 1 where the cell will live, and 2 more where that
/// is not what it would do in the game of life.
pub fn answers(netlist: &Netlist) -> Vec<u8> {
    let mut answers = Vec::with_capacity(ALL);
    for first in (0..ALL).step_by(AT_ONCE) {
        let bit = |k: usize, j: usize| ((first + j) >> k & 1) as u64;
        let inputs: Vec<u64> =
            (0..NEIGHBOURHOOD).map(|k| (0..AT_ONCE).fold(0, |word, j| word | bit(k, j) << j)).collect();
        let next = netlist.evaluate(&inputs)[netlist.outputs[0] as usize];
        answers.extend((0..AT_ONCE).map(|j| {
            let (answer, right) = (next >> j & 1 == 1, right(first + j));
            u8::from(answer) | u8::from(answer != right) << 1
        }));
    }
    answers
}

fn right(neighbourhood: usize) -> bool {
    let own = neighbourhood >> CENTRE & 1;
    lives(own == 1, neighbourhood.count_ones() as usize - own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::hard_tests::experiment;

    #[test]
    fn each_neighbourhood_is_answered_as_the_circuit_answers_it_alone() {
        let netlist = experiment(Experiment::Life, 2, true);
        let answers = answers(&netlist);
        assert_eq!(answers.len(), ALL);
        for (i, answer) in answers.iter().enumerate() {
            let neighbourhood: Vec<bool> = (0..NEIGHBOURHOOD).map(|k| i >> k & 1 == 1).collect();
            let alone = netlist.lit(&neighbourhood)[netlist.outputs[0] as usize];
            assert_eq!(answer & 1 == 1, alone, "neighbourhood {i}");
            assert_eq!(answer & 2 == 2, alone != right(i), "neighbourhood {i}");
        }
    }

    #[test]
    fn life_needs_two_or_three_neighbours() {
        let living = (0..ALL).filter(|i| right(*i)).count();
        // Three of eight, alive or not, and two of eight where it is alive.
        assert_eq!(living, 2 * 56 + 28);
    }
}
