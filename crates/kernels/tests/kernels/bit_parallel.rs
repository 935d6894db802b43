//! Bit-parallel programs against the same gates evaluated bit by bit.

use learnery_kernels::bit_parallel::{Instruction, Program, Read, Side, Write};
use learnery_kernels::gates::KINDS;
use learnery_kernels::simd::MAX_LANES;

use crate::{Source, on_every_isa};

/// `n` random words.
fn words(source: &mut Source, n: usize) -> Vec<u32> {
    (0..n).map(|_| source.below(1 << 16) as u32 | (source.below(1 << 16) as u32) << 16).collect()
}

/// Bit number `at` of a plane.
fn bit(words: &[u32], at: usize) -> usize {
    (words[at / 32] >> (at % 32) & 1) as usize
}

/// The values of all rows for one cell, computed gate by gate. `at` is the index of the cell's bit.
fn evaluate_bit(
    reads: &[Read],
    instructions: &[(u8, Instruction)],
    rows: usize,
    from: &[u32],
    at: usize,
) -> Vec<usize> {
    let mut values = vec![0; rows];
    for (value, read) in values.iter_mut().zip(reads) {
        let own = 32 * read.offset + at;
        *value = match read.side {
            Side::Before => bit(from, own - 1),
            Side::Same => bit(from, own),
            Side::After => bit(from, own + 1),
        };
    }
    for (kind, instruction) in instructions {
        // The number of a kind is its truth table; the output for (0, 0) is its highest bit, bit 3.
        let digit = 3 - (2 * values[usize::from(instruction.a)] + values[usize::from(instruction.b)]);
        values[usize::from(instruction.out)] = usize::from(*kind) >> digit & 1;
    }
    values
}

#[test]
fn program_matches_its_gates_evaluated_bit_by_bit() {
    on_every_isa(|isa| {
        // The seed, the words per row of the workspace, and the words of each plane to compute.
        for (seed, width, count) in [(1, MAX_LANES, 5usize), (2, 2 * MAX_LANES, 48), (3, 4 * MAX_LANES, 100)]
        {
            let mut source = Source::new(seed);
            /// Rows of the workspace, and so of inputs and outputs; few, so that gates often read what others
            /// wrote.
            const ROWS: usize = 7;
            let side = |i: usize| [Side::Before, Side::Same, Side::After][i % 3];
            let reads: Vec<Read> =
                (0..ROWS).map(|i| Read { offset: 1 + source.below(40), side: side(i) }).collect();
            let mut row = || source.below(ROWS) as u16;
            // Every kind in a run of two and alone, on random rows, so that rows are overwritten too.
            let kind = |i: usize| if i < 2 * KINDS { i / 2 } else { i % KINDS };
            let instructions: Vec<(u8, Instruction)> = (0..4 * KINDS)
                .map(|i| (kind(i) as u8, Instruction { a: row(), b: row(), out: row() }))
                .collect();
            let writes: Vec<Write> =
                (0..ROWS).map(|row| Write { row: row as u16, offset: 3 + 200 * row }).collect();
            let mut program = Program::new(reads.clone());
            instructions.iter().for_each(|(kind, instruction)| program.push(*kind, *instruction));
            writes.iter().for_each(|write| program.write(*write));
            let from = words(&mut source, 41 + count.next_multiple_of(width) + 1);
            // The writes begin 200 words apart, more than the longest plane here.
            let mut to = vec![0; 200 * ROWS + count.next_multiple_of(width)];
            program.run(&mut program.workspace(width), count, &from, &mut to);
            for at in 0..32 * count {
                let values = evaluate_bit(&reads, &instructions, ROWS, &from, at);
                for write in &writes {
                    let got = bit(&to, 32 * write.offset + at);
                    assert_eq!(got, values[usize::from(write.row)], "{isa}: width {width}, bit {at}");
                }
            }
        }
    });
}

#[test]
fn program_can_be_cleared_and_rebuilt() {
    let read = Read { offset: 1, side: Side::Same };
    let mut program = Program::new(vec![read, read]);
    // The number of a gate kind is its truth table: 1 is AND, 12 is "not a".
    program.push(1, Instruction { a: 0, b: 1, out: 0 });
    let mut workspace = program.workspace(MAX_LANES);
    program.clear();
    assert_eq!((program.rows(), program.gates()), (0, 0));
    program.read(Read { offset: 2, side: Side::Same });
    program.read(read);
    program.push(12, Instruction { a: 1, b: 0, out: 40 });
    program.write(Write { row: 40, offset: 0 });
    assert_eq!((program.rows(), program.gates()), (41, 1));
    workspace.fit(&program);
    let (from, mut to) = (words(&mut Source::new(4), MAX_LANES + 3), vec![0; MAX_LANES]);
    program.run(&mut workspace, 1, &from, &mut to);
    assert_eq!(to[0], !from[1]);
}

#[test]
#[should_panic(expected = "of no kind")]
fn gate_of_unknown_kind_is_rejected() {
    Program::default().push(16, Instruction { a: 0, b: 0, out: 0 });
}

#[test]
#[should_panic(expected = "smaller program")]
fn workspace_that_is_too_small_is_rejected() {
    let mut program = Program::default();
    let mut workspace = program.workspace(MAX_LANES);
    program.push(0, Instruction { a: 0, b: 0, out: 99 });
    program.run(&mut workspace, 0, &[], &mut []);
}

#[test]
#[should_panic(expected = "ends too early")]
fn plane_that_ends_too_early_is_rejected() {
    let program = Program::new(vec![Read { offset: 2, side: Side::After }]);
    program.run(&mut program.workspace(MAX_LANES), 1, &[0; MAX_LANES + 2], &mut []);
}
