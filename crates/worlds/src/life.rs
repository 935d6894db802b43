//! Conway's game of life (Gardner, "The fantastic combinations of John Conway's new solitaire game 'life'",
//! 1970): a dead cell with three live neighbours is born, a live cell with two or three survives, every other
//! cell is dead. The logic lab learns this rule, as a circuit of logic gates.

/// The number of cells of a Moore neighbourhood: the cell and its eight neighbours.
pub const NEIGHBOURHOOD: usize = 9;
/// The index of the cell itself in its neighbourhood. The nine cells are numbered in reading order.
pub const CENTRE: usize = 4;

/// Whether a cell is alive in the next generation. `neighbours` is the number of live cells among its eight
/// neighbours.
pub fn lives(alive: bool, neighbours: usize) -> bool {
    neighbours == 3 || alive && neighbours == 2
}

/// [`lives`] for a neighbourhood packed into bits: bit `k` is cell `k` in reading order.
pub fn centre_lives(neighbourhood: usize) -> bool {
    let alive = neighbourhood >> CENTRE & 1;
    lives(alive == 1, neighbourhood.count_ones() as usize - alive)
}

/// Computes the next generation of grids of `[width, height]` cells whose opposite edges meet (a torus).
///
/// Shapes: `cells, next: [grids, height, width]`.
pub fn next_generation([width, height]: [usize; 2], cells: &[bool], next: &mut [bool]) {
    for (grid, next) in cells.chunks_exact(width * height).zip(next.chunks_exact_mut(width * height)) {
        for (cell, next) in next.iter_mut().enumerate() {
            let (x, y) = (cell % width, cell / width);
            // Neighbour `k` is at offset (k % 3 - 1, k / 3 - 1). Adding the size first keeps the numbers from
            // getting negative.
            let is_alive = |k: &usize| {
                let (x, y) = ((x + width + k % 3 - 1) % width, (y + height + k / 3 - 1) % height);
                grid[y * width + x]
            };
            *next = lives(grid[cell], (0..NEIGHBOURHOOD).filter(|k| *k != CENTRE).filter(is_alive).count());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_neighbourhoods_agree_with_counting() {
        // "8 choose 3" ways to have three neighbours, for a live and for a dead cell, and "8 choose 2" ways
        // for a live cell to have two.
        let living = (0..1 << NEIGHBOURHOOD).filter(|bits| centre_lives(*bits)).count();
        assert_eq!(living, 2 * 56 + 28);
        for bits in 0..1usize << NEIGHBOURHOOD {
            let neighbours = (0..NEIGHBOURHOOD).filter(|k| *k != CENTRE && bits >> k & 1 == 1).count();
            assert_eq!(centre_lives(bits), lives(bits >> CENTRE & 1 == 1, neighbours), "{bits:09b}");
        }
    }

    fn grid(rows: &[&str]) -> Vec<bool> {
        rows.iter().flat_map(|row| row.bytes().map(|cell| cell == b'#')).collect()
    }

    #[test]
    fn blinker_oscillates_with_period_two() {
        let row = grid(&[".....", ".....", ".###.", ".....", "....."]);
        let column = grid(&[".....", "..#..", "..#..", "..#..", "....."]);
        let mut next = vec![false; 25];
        next_generation([5, 5], &row, &mut next);
        assert_eq!(next, column);
        next_generation([5, 5], &column, &mut next);
        assert_eq!(next, row);
    }

    /// A glider moves by one cell diagonally in four generations, so on a torus of size 6 it returns after
    /// 4 * 6.
    #[test]
    fn glider_travels_around_the_torus() {
        let start = grid(&[".#....", "..#...", "###...", "......", "......", "......"]);
        let (mut cells, mut next) = (start.clone(), vec![false; 36]);
        for _ in 0..4 {
            next_generation([6, 6], &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        let moved = |cell: usize| (cell / 6 + 1) % 6 * 6 + (cell % 6 + 1) % 6;
        assert!((0..36).all(|cell| cells[moved(cell)] == start[cell]));
        for _ in 4..24 {
            next_generation([6, 6], &cells, &mut next);
            std::mem::swap(&mut cells, &mut next);
        }
        assert_eq!(cells, start);
    }

    #[test]
    fn grids_of_a_batch_do_not_interact() {
        let block = grid(&["....", ".##.", ".##.", "...."]);
        let both = [block.clone(), vec![false; 16]].concat();
        let mut next = vec![true; 32];
        next_generation([4, 4], &both, &mut next);
        assert_eq!(next, both);
    }
}
