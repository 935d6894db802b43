//! A circuit of logic gates that learned Conway's game of life, pruned, as data, so that benches need no
//! training. It was trained for 1,850 epochs with the published settings of the differentiable logic cellular
//! automaton.

use learnery_logic::{Gate, GateKind, Netlist};

/// Each gate as (number of its kind, first input wire, second input wire). The number of a kind is its truth
/// table: its four binary digits are the outputs for the inputs 00, 01, 10 and 11. Wires 0 to 8 are the cells
/// of the 3x3 neighbourhood in reading order, and wire `9 + i` is the output of gate `i`. The last gate is
/// the next state of the cell.
#[rustfmt::skip]
const GATES: [(u8, u8, u8); 93] = [
    (7, 4, 5), (14, 3, 4), (7, 2, 4), (14, 2, 4), (8, 0, 2), (14, 0, 2), (1, 0, 11), (14, 1, 8), (8, 1, 8),
    (1, 3, 6), (7, 3, 6), (2, 10, 6), (1, 5, 7), (8, 5, 7), (8, 18, 21), (14, 18, 21), (11, 22, 19),
    (11, 19, 22), (14, 9, 19), (11, 22, 18), (1, 20, 22), (7, 13, 16), (1, 14, 17), (11, 14, 1),
    (11, 17, 15), (14, 13, 16), (1, 12, 16), (1, 23, 30), (14, 24, 31), (1, 25, 32), (1, 25, 33),
    (14, 26, 34), (14, 2, 3), (1, 27, 35), (1, 14, 25), (1, 36, 43), (11, 37, 43), (2, 37, 40),
    (14, 36, 39), (1, 36, 38), (2, 40, 4), (11, 36, 37), (11, 36, 4), (14, 29, 40), (1, 28, 51),
    (1, 38, 40), (1, 46, 47), (14, 41, 50), (11, 44, 55), (2, 53, 46), (2, 56, 38), (11, 37, 40),
    (14, 39, 42), (1, 39, 58), (2, 59, 36), (1, 48, 54), (1, 37, 52), (11, 48, 37), (2, 45, 36),
    (2, 64, 65), (1, 39, 66), (11, 4, 36), (11, 49, 65), (2, 67, 38), (1, 39, 40), (14, 28, 49),
    (1, 36, 73), (11, 37, 36), (14, 37, 63), (1, 40, 71), (2, 62, 4), (14, 68, 75), (14, 61, 76),
    (2, 76, 79), (14, 69, 79), (11, 40, 72), (1, 57, 77), (11, 69, 60), (9, 45, 57), (14, 78, 81),
    (14, 44, 69), (11, 54, 37), (14, 70, 88), (14, 74, 89), (1, 91, 92), (1, 86, 90), (1, 80, 83),
    (1, 82, 95), (14, 87, 96), (1, 94, 97), (14, 93, 98), (1, 84, 85), (1, 99, 100),
];

/// The circuit: a netlist (a list of gates with two input wires each) with one output.
pub fn netlist() -> Netlist {
    let gate = |(kind, a, b): &(u8, u8, u8)| Gate {
        kind: GateKind::from_number(*kind),
        inputs: [u32::from(*a), u32::from(*b)],
    };
    let mut netlist = Netlist { channels: 1, gates: GATES.iter().map(gate).collect(), outputs: Vec::new() };
    netlist.outputs.push(netlist.wires() as u32 - 1);
    netlist
}

#[cfg(test)]
mod tests {
    use super::*;
    use learnery_logic::prune;
    use learnery_worlds::life::lives;

    #[test]
    fn learned_circuit_is_the_game_of_life_and_fully_pruned() {
        let life = netlist();
        for bits in 0..512 {
            let cells: Vec<bool> = (0..9).map(|i| bits >> i & 1 == 1).collect();
            let neighbours = cells.iter().filter(|on| **on).count() - usize::from(cells[4]);
            let next = life.evaluate_cell(&cells)[life.outputs[0] as usize];
            assert_eq!(next, lives(cells[4], neighbours), "{cells:?}");
        }
        assert_eq!(prune(&life).gates.len(), life.gates.len());
    }
}
