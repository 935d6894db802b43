//! The target pictures of the experiments.

use super::Experiment;

impl Experiment {
    /// What the shown channels are to become on a grid of this size. `None` for the game of life, whose target follows from
    /// its initial state. // [shown][cells]
    pub fn target(self, width: usize, height: usize) -> Option<Vec<Vec<bool>>> {
        let plane = |at: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect()
        };
        match self {
            Self::Life => None,
            Self::Checkerboard | Self::Async => Some(vec![plane(&|x, y| (x / 2 + y / 2) % 2 == 1)]),
            Self::Figure => Some(vec![plane(&|x, y| pixel(&GECKO, x, y) == b'#')]),
            Self::Letter => {
                let channel = |c: usize| plane(&|x, y| LETTER_COLOURS[c].contains(&pixel(&LETTER_L, x, y)));
                Some((0..3).map(channel).collect())
            }
        }
    }
}

/// A picture in the middle of a larger grid, with zeros around it. // picture [size, size] -> [height, width]
pub fn centred(picture: &[bool], size: usize, [width, height]: [usize; 2]) -> Vec<bool> {
    let (left, top) = (width / 2 - size / 2, height / 2 - size / 2);
    let mut plane = vec![false; width * height];
    for (y, row) in picture.chunks_exact(size).enumerate() {
        plane[(top + y) * width + left..][..size].copy_from_slice(row);
    }
    plane
}

fn pixel(picture: &[&str], x: usize, y: usize) -> u8 {
    picture.get(y).and_then(|row| row.as_bytes().get(x)).copied().unwrap_or(b'.')
}

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

/// The colours in which red, green and blue are lit: red, yellow, green, cyan, blue and purple by their first letters.
const LETTER_COLOURS: [&[u8]; 3] = [b"ryp", b"ygc", b"bcp"];

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
    fn centred_picture_has_its_middle_in_the_middle_of_the_grid() {
        let plane = centred(&[true, false, false, true], 2, [5, 6]);
        let lit: Vec<usize> = (0..30).filter(|i| plane[*i]).collect();
        // The figure grows from the cell at half the grid's size, which is also where half the picture's size lies.
        assert_eq!(lit, [2 * 5 + 1, 3 * 5 + 2]);
    }
}
