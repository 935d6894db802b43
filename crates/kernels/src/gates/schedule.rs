//! The order in which a layer's gates are computed.
//!
//! Each gate reads two rows, a and b. A gate is regarded as an edge from a to b in a graph of rows, and the
//! edges are ordered into paths: where possible, row a of a gate is row b of the gate before it. That row is
//! then loaded once for both gates, and its gradient is stored once.
//!
//! The first gate that reads a row is marked, because in the backward pass it overwrites the gradient of the
//! row, to which later gates add.

/// A gate and the rows a and b that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    pub gate: u32,
    pub a: u32,
    pub b: u32,
    /// Whether no gate before it in the order reads row a.
    pub is_first_of_a: bool,
    /// Whether no gate before it reads row b. False too if the gate reads the same row as a and as b.
    pub is_first_of_b: bool,
}

/// The order of a layer's gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub visits: Vec<Visit>,
    /// Rows that no gate reads, whose gradients are zero.
    pub unread: Vec<u32>,
}

/// Orders the gates into paths, starting from the rows in ascending order.
pub fn order_gates(inputs: usize, pairs: &[[u32; 2]]) -> Schedule {
    // For each row, the gates not yet visited that read it as a. They are sorted so that `pop` returns the
    // gate with the lowest b.
    let mut unvisited: Vec<Vec<Visit>> = vec![Vec::new(); inputs];
    for (gate, &[a, b]) in pairs.iter().enumerate() {
        unvisited[a as usize].push(Visit {
            gate: gate as u32,
            a,
            b,
            is_first_of_a: false,
            is_first_of_b: false,
        });
    }
    unvisited.iter_mut().for_each(|visits| visits.sort_by_key(|visit| std::cmp::Reverse(visit.b)));
    let (mut visits, mut read) = (Vec::with_capacity(pairs.len()), vec![false; inputs]);
    // Whether a row is read for the first time; from then on it counts as read.
    let mut is_first = |row: u32| !std::mem::replace(&mut read[row as usize], true);
    for begin in 0..inputs {
        // Each path continues at row b of its last gate. Where it ends, another one begins at `begin`, as
        // long as there are gates that read this row as a.
        let mut row = begin;
        while let Some(visit) = unvisited[row].pop().or_else(|| unvisited[begin].pop()) {
            row = visit.b as usize;
            let is_first_of_a = is_first(visit.a);
            visits.push(Visit { is_first_of_a, is_first_of_b: is_first(visit.b), ..visit });
        }
    }
    let unread = (0..inputs as u32).filter(|row| !read[*row as usize]).collect();
    Schedule { visits, unread }
}
