//! The rule of Conway's game of life (B3/S23).

/// The next state of a cell with this many live neighbours out of eight.
pub fn lives(alive: bool, live_neighbours: usize) -> bool {
    live_neighbours == 3 || alive && live_neighbours == 2
}

/// The next state of the centre of a neighbourhood whose k-th cell, in reading order, is bit k.
pub fn next_of_neighbourhood(bits: usize) -> bool {
    let own = bits >> 4 & 1;
    lives(own == 1, bits.count_ones() as usize - own)
}

/// One step of several grids on the torus (edges wrap around). // alive, next [grids, height, width]
pub fn step_on_torus([width, height]: [usize; 2], alive: &[bool], next: &mut [bool]) {
    let cells = width * height;
    for (grid, next) in alive.chunks_exact(cells).zip(next.chunks_exact_mut(cells)) {
        for (cell, next) in next.iter_mut().enumerate() {
            let (x, y) = (cell % width, cell / width);
            let neighbours = (0..9).filter(|k| *k != 4).filter(|k| {
                let (x, y) = ((x + width + k % 3 - 1) % width, (y + height + k / 3 - 1) % height);
                grid[y * width + x]
            });
            *next = lives(grid[cell], neighbours.count());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blinker_turns_and_block_stays() {
        let grid = |rows: [&str; 5]| -> Vec<bool> { rows.concat().chars().map(|c| c == '#').collect() };
        let vertical = grid([".....", "..#..", "..#..", "..#..", "....."]);
        let horizontal = grid([".....", ".....", ".###.", ".....", "....."]);
        let block = grid(["##...", "##...", ".....", ".....", "....."]);
        let grids = [vertical.clone(), horizontal.clone(), block.clone()].concat();
        let mut next = vec![false; grids.len()];
        step_on_torus([5, 5], &grids, &mut next);
        assert_eq!(next, [horizontal, vertical, block].concat());
    }

    #[test]
    fn cells_of_a_3x3_torus_are_all_neighbours_of_each_other() {
        for bits in 0..512 {
            let alive: Vec<bool> = (0..9).map(|i| bits >> i & 1 == 1).collect();
            let mut next = vec![false; 9];
            step_on_torus([3, 3], &alive, &mut next);
            let all = alive.iter().filter(|a| **a).count();
            let expected: Vec<bool> = alive.iter().map(|a| lives(*a, all - usize::from(*a))).collect();
            assert_eq!(next, expected);
        }
    }

    #[test]
    fn live_cells_need_two_or_three_neighbours() {
        let living = (0..512).filter(|bits| next_of_neighbourhood(*bits)).count();
        // Three of eight neighbours, with the cell alive or dead; two of eight with the cell alive.
        assert_eq!(living, 2 * 56 + 28);
    }
}
