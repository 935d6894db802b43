//! The order in which the gates of a layer are computed: every gate once, and where possible a gate whose
//! first row is the second row of the gate before it, because that row is still in registers.

use learnery_kernels::gates::schedule::{Schedule, order_gates};

#[test]
fn schedule_visits_every_gate_once_and_marks_first_reads() {
    let pairs = [[3, 1], [0, 1], [1, 2], [2, 3], [1, 1], [0, 2], [3, 1], [1, 4]];
    let Schedule { visits, unread } = order_gates(6, &pairs);
    let mut gates: Vec<u32> = visits.iter().map(|visit| visit.gate).collect();
    gates.sort_unstable();
    assert_eq!(gates, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(visits.iter().all(|visit| [visit.a, visit.b] == pairs[visit.gate as usize]));
    assert_eq!(unread, [5]);
    let mut read = [false; 6];
    for visit in &visits {
        for (row, first) in [(visit.a, visit.is_first_of_a), (visit.b, visit.is_first_of_b)] {
            assert_eq!(first, !read[row as usize], "row {row}");
            read[row as usize] = true;
        }
    }
}

#[test]
fn schedule_continues_at_the_second_row_of_the_previous_gate() {
    let pairs = [[2, 3], [0, 1], [3, 4], [1, 2], [0, 2]];
    let rows: Vec<[u32; 2]> = order_gates(5, &pairs).visits.iter().map(|visit| [visit.a, visit.b]).collect();
    assert_eq!(rows, [[0, 1], [1, 2], [2, 3], [3, 4], [0, 2]]);
}
