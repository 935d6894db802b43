//! Whether a circuit plays the game of life: its complete truth table, compared with the rule. For circuits
//! whose cells have one channel (bit), which read nine bits: the cell and its eight neighbours.

use learnery_worlds::life::centre_lives;

use super::netlist::{NEIGHBOURHOOD, Netlist};

/// Number of possible neighbourhoods: 512.
const NEIGHBOURHOODS: usize = 1 << NEIGHBOURHOOD;
/// Neighbourhoods evaluated at once, one per bit.
const LANES: usize = 64;

/// Returns one entry for each neighbourhood: bit 0 is the circuit's output, and bit 1 is set if the game of
/// life differs. Bit k of a neighbourhood's number is its k-th cell in reading order.
pub fn life_table(netlist: &Netlist) -> Vec<u8> {
    let mut table = Vec::with_capacity(NEIGHBOURHOODS);
    for first in (0..NEIGHBOURHOODS).step_by(LANES) {
        // Bit k of the neighbourhood in this lane.
        let bit = |k: usize, lane: usize| ((first + lane) >> k & 1) as u64;
        let inputs: Vec<u64> = (0..NEIGHBOURHOOD)
            .map(|k| (0..LANES).fold(0, |word, lane| word | bit(k, lane) << lane))
            .collect();
        let next = netlist.evaluate(&inputs)[netlist.outputs[0] as usize];
        table.extend((0..LANES).map(|lane| {
            let (output, expected) = (next >> lane & 1 == 1, centre_lives(first + lane));
            u8::from(output) | u8::from(output != expected) << 1
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use crate::test_circuits::experiment_netlist;

    #[test]
    fn life_table_agrees_with_evaluating_one_neighbourhood_at_a_time() {
        // A random circuit of this experiment's size (seed 2), in which most gates are plain wires.
        let netlist = experiment_netlist(Experiment::Life, 2, true);
        let table = life_table(&netlist);
        assert_eq!(table.len(), NEIGHBOURHOODS);
        for (i, entry) in table.iter().enumerate() {
            let neighbourhood: Vec<bool> = (0..NEIGHBOURHOOD).map(|k| i >> k & 1 == 1).collect();
            let output = netlist.evaluate_cell(&neighbourhood)[netlist.outputs[0] as usize];
            assert_eq!(entry & 1 == 1, output, "neighbourhood {i}");
            assert_eq!(entry & 2 == 2, output != centre_lives(i), "neighbourhood {i}");
        }
    }
}
