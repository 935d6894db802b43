//! In which order a layer's gates are worked out. Gates stand in random order, and what they read is all over the rows before
//! them. Here they are taken so that, wherever that can be, one begins with the row that the gate before it ended with: then a
//! row that two gates read is fetched once, and what comes back to it from both is put away once. Rows that are come to for the
//! first time are marked: what comes back to them need not be added to anything.

/// A gate and the rows that it reads, and which of the two none of the gates before it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Visit {
    pub(super) gate: u32,
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) fresh_a: bool,
    pub(super) fresh_b: bool,
}

/// The order of a layer's gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    pub(super) stops: Vec<Visit>,
    /// Rows that no gate reads.
    pub(super) unread: Vec<u32>,
}

/// All gates, each once; rows are begun with from the first on.
pub(super) fn schedule(inputs: usize, pairs: &[[u32; 2]]) -> Schedule {
    // The gates that read each row first, nearest second row first, and how many of them are behind us.
    let mut leaving: Vec<Vec<Visit>> = vec![Vec::new(); inputs];
    for (gate, &[a, b]) in pairs.iter().enumerate() {
        leaving[a as usize].push(Visit { gate: gate as u32, a, b, fresh_a: false, fresh_b: false });
    }
    leaving.iter_mut().for_each(|stops| stops.sort_by_key(|stop| std::cmp::Reverse(stop.b)));
    let (mut stops, mut read) = (Vec::with_capacity(pairs.len()), vec![false; inputs]);
    let mut is_fresh = |row: u32| !std::mem::replace(&mut read[row as usize], true);
    for begin in 0..inputs {
        let mut at = begin;
        while let Some(stop) = leaving[at].pop().or_else(|| leaving[begin].pop()) {
            at = stop.b as usize;
            let fresh_a = is_fresh(stop.a);
            stops.push(Visit { fresh_a, fresh_b: is_fresh(stop.b), ..stop });
        }
    }
    let unread = (0..inputs as u32).filter(|row| !read[*row as usize]).collect();
    Schedule { stops, unread }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gate_is_passed_once() {
        let pairs = [[3, 1], [0, 1], [1, 2], [2, 3], [1, 1], [0, 2], [3, 1], [1, 4]];
        let Schedule { stops, unread } = schedule(6, &pairs);
        let mut gates: Vec<u32> = stops.iter().map(|stop| stop.gate).collect();
        gates.sort_unstable();
        assert_eq!(gates, [0, 1, 2, 3, 4, 5, 6, 7]);
        assert!(stops.iter().all(|stop| [stop.a, stop.b] == pairs[stop.gate as usize]));
        assert_eq!(unread, [5]);
        let mut read = [false; 6];
        for stop in &stops {
            for (row, fresh) in [(stop.a, stop.fresh_a), (stop.b, stop.fresh_b)] {
                assert_eq!(fresh, !read[row as usize], "row {row}");
                read[row as usize] = true;
            }
        }
    }

    #[test]
    fn neighbours_follow_each_other() {
        let pairs = [[2, 3], [0, 1], [3, 4], [1, 2], [0, 2]];
        let rows: Vec<[u32; 2]> = schedule(5, &pairs).stops.iter().map(|stop| [stop.a, stop.b]).collect();
        assert_eq!(rows, [[0, 1], [1, 2], [2, 3], [3, 4], [0, 2]]);
    }
}
