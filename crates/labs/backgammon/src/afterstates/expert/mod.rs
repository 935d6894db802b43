//! Expert inputs of the network for contact positions: shots, escapes, primes and contact, as numbers that a
//! player would count. Raw inputs hold the same information, but a small network needs many neurons to
//! compute it from them. GNU Backgammon's networks have inputs of this kind (Berliner, "Backgammon computer
//! program beats world champion", 1980, was the first program with such counts).
//!
//! There are ten counts for each side ([`side_counts`]), and with `inputs = full` also where rolls hit and
//! make points and what the counts say together ([`full`]). None is negative, and most are below 1. They are
//! computed with bit masks: bit p stands for place p in the numbering of the side that moves, so a checker
//! that moves by a die shifts to the right.

mod full;
mod rolls;

use learnery_worlds::backgammon::{BAR, Board};

use crate::config::Inputs;
use full::{FULL_PER_SIDE, full_inputs};
use rolls::Rolls;

/// Counts of one side: see [`side_counts`].
const COUNTS_PER_SIDE: usize = 10;
/// The most expert inputs that a board has.
pub const MAX_EXPERT_INPUTS: usize = expert_inputs(Inputs::Full);

/// The bits of the points 1 to 24.
const POINTS_MASK: u32 = (1 << 25) - 2;
/// The bits of the points 1 to 6, the home board.
const HOME_MASK: u32 = 0b111_1110;
/// The bit of the bar.
const BAR_MASK: u32 = 1 << BAR;
/// The farthest that one checker moves by two dice. A double counts as two moves here, not four.
const MAX_REACH: usize = 12;
/// Ordered rolls of two dice.
const ORDERED_ROLLS: f32 = 36.0;
// Divisors that bring the inputs to about 1.
const PIPS_SCALE: f32 = 24.0;
const CONTACT_PIPS_SCALE: f32 = 100.0;
const MOBILITY_SCALE: f32 = 100.0;
const PRIME_SCALE: f32 = 6.0;
/// The last point of the home board. Checkers on higher places are not home.
const LAST_HOME_POINT: usize = 6;
/// Containment counts on these places: part of the opponent's outer board, its home board, and the bar.
const CONTAINMENT_PLACES: std::ops::RangeInclusive<usize> = 16..=BAR;

/// The number of expert inputs that a board has.
pub const fn expert_inputs(inputs: Inputs) -> usize {
    2 * match inputs {
        Inputs::Raw => 0,
        Inputs::Expert => COUNTS_PER_SIDE,
        Inputs::Full => COUNTS_PER_SIDE + FULL_PER_SIDE,
    }
}

/// The checkers of one side, and the opponent's points and blots, all in the numbering of the side.
struct Side {
    places: [u8; 26],
    /// Places with at least one checker, off excluded.
    occupied: u32,
    /// The side's own points: those with at least two of its checkers.
    made: u32,
    /// Points that the opponent has made: this side's checkers cannot land there.
    blocked: u32,
    /// The points of `blocked`, in the opponent's numbering.
    opponent_made: u32,
    /// Single checkers of the opponent.
    blots: u32,
    /// The place of the opponent's rearmost checker. Checkers of this side on lower places are past all
    /// contact.
    opponent_rear: usize,
}

/// Writes the expert inputs of a board that belong to `inputs`: those of the side on roll, then those of the
/// other side. `out` has room for [`expert_inputs`].
pub fn encode_expert(board: &Board, inputs: Inputs, out: &mut [f32]) {
    if inputs == Inputs::Raw {
        return;
    }
    let sides = sides(board);
    for (i, out) in out.chunks_exact_mut(expert_inputs(inputs) / 2).enumerate() {
        let (counts, full) = out.split_at_mut(COUNTS_PER_SIDE);
        let rolls = Rolls::new(&sides[i], inputs == Inputs::Full);
        counts.copy_from_slice(&side_counts(&sides[i], &rolls));
        if inputs == Inputs::Full {
            full_inputs(&sides[i], &sides[1 - i], &rolls, full);
        }
    }
}

/// Both sides of a board, that on roll first.
fn sides(board: &Board) -> [Side; 2] {
    let (own, other) = board.key();
    let masks = [own, other].map(masks);
    let places = [board.own_places(), board.other_places()];
    std::array::from_fn(|i| {
        let ((occupied, made), (other_occupied, other_made)) = (masks[i], masks[1 - i]);
        Side {
            places: places[i],
            occupied,
            made: made & POINTS_MASK,
            blocked: mirrored(other_made) & POINTS_MASK,
            opponent_made: other_made & POINTS_MASK,
            blots: mirrored(other_occupied & !other_made) & POINTS_MASK,
            opponent_rear: BAR - highest(other_occupied),
        }
    })
}

/// The counts of one side.
fn side_counts(side: &Side, rolls: &Rolls) -> [f32; COUNTS_PER_SIDE] {
    let (hits, loss) = (rolls.hitting as f32, rolls.loss as f32);
    let escapes = |place: usize| side.escapes(place);
    let rearmost = highest(side.occupied);
    let least = |places: std::ops::RangeInclusive<usize>| places.map(escapes).fold(ORDERED_ROLLS, f32::min);
    let mut mobility = 0.0;
    let (mut contact, mut free) = (0.0, 0.0);
    let mut rest = side.occupied;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        // Clears the lowest bit.
        rest &= rest - 1;
        let n = f32::from(side.places[place]);
        if place > LAST_HOME_POINT {
            mobility += (place - LAST_HOME_POINT) as f32 * n * escapes(place);
        }
        if place > side.opponent_rear {
            contact += (place - side.opponent_rear) as f32 * n;
        } else {
            free += place as f32 * n;
        }
    }
    let closed = side.closed();
    [
        // The fraction of rolls that hit a blot, and the mean over all rolls of the pips that the opponent
        // loses to the best hit.
        hits / ORDERED_ROLLS,
        loss / (ORDERED_ROLLS * PIPS_SCALE),
        // A checker escapes with a roll if it can move by both dice. The fraction of rolls with which the
        // rearmost checker escapes.
        escapes(rearmost) / ORDERED_ROLLS,
        // The lowest such fraction on the places of containment, occupied or not, and on those that the
        // rearmost checker still has to pass.
        least(CONTAINMENT_PLACES) / ORDERED_ROLLS,
        least(rearmost.min(LAST_HOME_POINT + 1)..=rearmost) / ORDERED_ROLLS,
        // Mobility: the sum over the checkers that are not home of their distance from home times the rolls
        // with which they escape.
        mobility / (ORDERED_ROLLS * MOBILITY_SCALE),
        longest_run(side.made) as f32 / PRIME_SCALE,
        // The pips of this side's checkers to beyond the opponent's rearmost one, and the pip count of those
        // past it.
        contact / CONTACT_PIPS_SCALE,
        free / CONTACT_PIPS_SCALE,
        // The probability that an opponent's checker on the bar cannot enter.
        closed * closed,
    ]
}

impl Side {
    /// The number of ordered rolls with which a checker on this place can move by both dice.
    fn escapes(&self, place: usize) -> f32 {
        // In the opponent's numbering, the point i pips ahead of the place is 25 - place + i. It becomes bit
        // i - 1.
        let blocks_ahead = self.opponent_made >> (BAR + 1 - place) & ((1 << MAX_REACH) - 1);
        f32::from(ESCAPES[blocks_ahead as usize])
    }

    /// The fraction of the home board's points that the side has made.
    fn closed(&self) -> f32 {
        (self.made & HOME_MASK).count_ones() as f32 / 6.0
    }
}

/// For each set of blocked points ahead of a checker (bit i is the point i + 1 pips ahead), the number of
/// ordered rolls with which the checker can move by both dice.
static ESCAPES: [u8; 1 << MAX_REACH] = {
    let mut table = [0; 1 << MAX_REACH];
    let mut blocked = 0;
    while blocked < table.len() {
        let (mut a, mut rolls) = (1, 0);
        while a <= 6 {
            let mut b = 1;
            while b <= 6 {
                // The checker can begin with either die, unless both points are blocked.
                let is_start_blocked = blocked >> (a - 1) & blocked >> (b - 1) & 1 == 1;
                let is_end_blocked = blocked >> (a + b - 1) & 1 == 1;
                rolls += (!is_start_blocked && !is_end_blocked) as u8;
                b += 1;
            }
            a += 1;
        }
        table[blocked] = rolls;
        blocked += 1;
    }
    table
};

/// Places with at least one and at least two of a side's checkers, off excluded. `key` is the side's part of
/// [`Board::key`].
fn masks(key: u128) -> (u32, u32) {
    let several = key >> 1 | key >> 2 | key >> 3;
    // Bit 0 is the place of checkers that are off.
    (lowest_bits_of_places(key | several) & !1, lowest_bits_of_places(several) & !1)
}

/// Gathers the lowest bit of each group of four.
fn lowest_bits_of_places(key: u128) -> u32 {
    let gather = |half: u64| {
        let bits = half & 0x1111_1111_1111_1111;
        let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
        let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
        let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
        (bits | bits >> 24) as u32 & 0xffff
    };
    gather(key as u64) | gather((key >> 64) as u64) << 16
}

/// A set of places in the numbering of the other side.
fn mirrored(places: u32) -> u32 {
    places.reverse_bits() >> (31 - BAR)
}

/// The highest place of a set; 0 if it is empty.
fn highest(places: u32) -> usize {
    places.checked_ilog2().unwrap_or(0) as usize
}

/// The length of the longest run of neighbouring places in a set.
fn longest_run(mut places: u32) -> u32 {
    let mut length = 0;
    // Each step takes the last place off every run.
    while places != 0 {
        places &= places >> 1;
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_worlds::backgammon::{Dice, Plays};

    use super::*;

    /// Positions of random games, before contact ends.
    pub fn boards() -> Vec<Board> {
        let (stream, mut plays) = (Stream::new(1, 0), Plays::new());
        let mut boards = Vec::new();
        for game in 0..40 {
            let mut board = Board::START;
            for turn in 0..100 {
                plays.find(&board, Dice::for_turn(stream, game, turn));
                // The first word of this block is the roll, so the second one chooses the play.
                board = plays.get(stream.block(game, turn)[1] as usize % plays.len());
                if board.is_race() || board.other_won().is_some() {
                    break;
                }
                boards.push(board);
            }
        }
        boards
    }

    fn inputs(board: &Board) -> [f32; 2 * COUNTS_PER_SIDE] {
        let mut out = [f32::NAN; 2 * COUNTS_PER_SIDE];
        encode_expert(board, Inputs::Expert, &mut out);
        out
    }

    #[test]
    fn shots_are_the_rolls_with_a_play_that_hits() {
        let mut plays = Plays::new();
        let (mut checked, mut shots) = (0, 0);
        for board in boards() {
            // With a checker on the bar, the rule that both dice must be played if possible changes the count
            // more often.
            if board.own(BAR) > 0 {
                continue;
            }
            let mut rolls = 0;
            for dice in Dice::ALL {
                plays.find(&board, dice);
                // After a play, the other side is on roll.
                let hits = plays.iter().any(|after| after.own(BAR) > board.other(BAR));
                rolls += if hits { u32::from(dice.ways()) } else { 0 };
            }
            let counted = (inputs(&board)[0] * ORDERED_ROLLS).round() as u32;
            // The count ignores the rule that both dice must be played if possible, so it can only be higher.
            checked += 1;
            shots += u32::from(rolls == counted);
            assert!(rolls <= counted, "{board:?}: {rolls} {counted}");
        }
        assert!(checked > 1000 && shots * 100 >= checked * 99, "{shots} of {checked}");
    }

    #[test]
    fn inputs_of_the_sides_are_exchanged_with_the_sides() {
        for kind in [Inputs::Expert, Inputs::Full] {
            let inputs = |board: &Board| {
                let mut out = vec![f32::NAN; expert_inputs(kind)];
                encode_expert(board, kind, &mut out);
                out
            };
            let half = expert_inputs(kind) / 2;
            let mut largest = vec![0.0f32; 2 * half];
            for board in boards() {
                let (inputs, flipped) = (inputs(&board), inputs(&board.flipped()));
                assert!(inputs[..half] == flipped[half..] && inputs[half..] == flipped[..half]);
                assert!(inputs.iter().all(|x| (0.0..5.0).contains(x)), "{board:?} {inputs:?}");
                largest.iter_mut().zip(inputs).for_each(|(largest, x)| *largest = largest.max(x));
            }
            // Each input has its use.
            assert!(largest.iter().all(|x| *x > 0.1), "{largest:?}");
        }
    }

    #[test]
    fn start_position_has_the_counts_of_a_player() {
        let [hits, loss, escapes, contained, passing, _, prime, contact, free, closed, ..] =
            inputs(&Board::START);
        assert_eq!((hits, loss), (0.0, 0.0));
        // The checkers on point 24 face points on 19, 17 and 12, which are 5, 7 and 12 pips ahead. Blocked
        // are the sums 5 (4 rolls), 7 (6) and 12 (1), and the double five whose sum is 10 (1).
        assert_eq!(escapes * ORDERED_ROLLS, 24.0);
        assert!(contained <= escapes && passing <= escapes);
        assert_eq!(prime, 1.0 / PRIME_SCALE);
        // All of the other side's checkers are in front of point 1.
        assert!(
            (contact - (2.0 * 23.0 + 5.0 * 12.0 + 3.0 * 7.0 + 5.0 * 5.0) / CONTACT_PIPS_SCALE).abs() < 1e-6
        );
        assert_eq!(free, 0.0);
        assert!((closed - 1.0 / 36.0).abs() < 1e-6);
    }

    #[test]
    fn prime_of_six_points_lets_nothing_escape() {
        let (mut own, mut other) = ([0; 26], [0; 26]);
        own[4..10].fill(2);
        own[1] = 3;
        // Three own checkers hold point 1, so the trapped checker is on the bar.
        other[BAR] = 1;
        other[1] = 14;
        let inputs = inputs(&Board::new(&own, &other).expect("a good board"));
        // Input 6 is the prime; 3 and 4 of the other side are the rolls with which it escapes.
        assert_eq!(inputs[6], 1.0);
        let other = &inputs[COUNTS_PER_SIDE..];
        assert_eq!((other[3], other[4]), (0.0, 0.0));
    }
}
