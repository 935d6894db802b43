//! The target pictures of the experiments.

use super::Experiment;

impl Experiment {
    /// The values that the shown channels (the first ones of each cell) must have at the end, on a grid of
    /// this size. `None` for the game of life, whose target depends on its initial state.
    ///
    /// Shape: `[shown channels][cells]`.
    pub fn target(self, width: usize, height: usize) -> Option<Vec<Vec<bool>>> {
        let plane = |is_on: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| is_on(x, y)).collect()
        };
        match self {
            Self::Life => None,
            // The squares of the checkerboard are 2x2 cells.
            Self::Checkerboard | Self::Async => Some(vec![plane(&|x, y| (x / 2 + y / 2) % 2 == 1)]),
            Self::Figure => Some(vec![plane(&|x, y| pixel(&GECKO, x, y) == b'#')]),
            Self::Letter => {
                let channel = |c: usize| plane(&|x, y| LETTER_COLOURS[c].contains(&pixel(&LETTER_L, x, y)));
                Some((0..3).map(channel).collect())
            }
        }
    }
}

/// Returns a square picture in the middle of a larger grid of zeros.
///
/// Shapes: `picture [size, size] -> [height, width]`.
pub fn centred(picture: &[bool], size: usize, [width, height]: [usize; 2]) -> Vec<bool> {
    let (left, top) = (width / 2 - size / 2, height / 2 - size / 2);
    let mut plane = vec![false; width * height];
    for (y, row) in picture.chunks_exact(size).enumerate() {
        plane[(top + y) * width + left..][..size].copy_from_slice(row);
    }
    plane
}

/// The character of a picture at (x, y); `.` outside of it.
fn pixel(picture: &[&str], x: usize, y: usize) -> u8 {
    picture.get(y).and_then(|row| row.as_bytes().get(x)).copied().unwrap_or(b'.')
}

/// The target of the experiment `figure`: `#` is a cell that is on.
const GECKO: [&str; 20] = [
    "....................",
    ".........##.........",
    "........####........",
    "........####........",
    "........####........",
    ".....#..####..#.....",
    "....##..####..##....",
    "......########......",
    "........#####.......",
    "........####........",
    ".......#####........",
    ".......#####........",
    ".....##.####........",
    "....##..###..##.....",
    "....#...####...##...",
    ".........###...#....",
    "..........###.......",
    "...........##.......",
    "............#.......",
    "....................",
];

/// For each of the channels red, green and blue, the colours that contain it. A colour is the first letter of
/// red, yellow, green, cyan, blue or purple.
const LETTER_COLOURS: [&[u8]; 3] = [b"ryp", b"ygc", b"bcp"];

/// The target of the experiment `letter`: the colour of each cell, or `.` for black.
const LETTER_L: [&str; 16] = [
    "................",
    "...rrrr.........",
    "...rrrr.........",
    "...rrrr.........",
    "...rryy.........",
    "...ryyy.........",
    "...yyyy.........",
    "...yyyg.........",
    "...yygg.........",
    "...yggg.........",
    "...gggg.........",
    "...ggggccccbbb..",
    "...gggccccbbbb..",
    "...ggccccbbbbb..",
    "................",
    "................",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centre_of_a_centred_picture_is_the_cell_that_the_figure_grows_from() {
        let plane = centred(&[true, false, false, true], 2, [5, 6]);
        let on: Vec<usize> = (0..30).filter(|i| plane[*i]).collect();
        // Cell (size / 2, size / 2) of the picture, which is (1, 1), comes to (width / 2, height / 2), which
        // is (2, 3).
        assert_eq!(on, [2 * 5 + 1, 3 * 5 + 2]);
    }
}
