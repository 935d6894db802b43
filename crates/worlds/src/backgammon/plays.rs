//! Play generation: every distinct position after a turn with a given roll. The own side is the side that
//! plays.
//!
//! During a turn only two things change: the own checkers and which opposing blots (single checkers) were
//! hit. A *key* packs both into 128 bits: four bits for each of the 26 places of the own checkers, and above
//! these a bit for each of the 24 points on which a blot was hit. Two plays are equal if and only if their
//! keys are. The opponent's checkers are updated only when a board is read.
//!
//! **Doubles.** A set of moves by one die leads to the same position in every order. If any order is legal,
//! the order from the rear checker forward is legal too: it enters from the bar first and brings the last
//! checkers home before bearing off. Different sets of moves lead to different positions, because the changes
//! that moves from different places make are linearly independent. So a search in which no move starts behind
//! the one before it finds every play exactly once, without comparing plays.
//!
//! **Two different numbers.** Both orders of the dice are tried, because a checker that plays both numbers
//! may hit a blot on the intermediate point of either order. Duplicates are avoided by a cheap test for moves
//! that commute, and by a small hash table.

use super::board::{BAR, Board, POINTS, SIDE_MASK, checkers_on};
use super::dice::Dice;

/// An upper bound on plays: multisets of four sources out of fifteen checkers, 18 choose 4.
const MAX_PLAYS: usize = 3060;
/// Slots of the hash table. Rolls of two different numbers have at most 256 plays, rarely more than a
/// hundred.
const SLOTS: usize = 512;
/// Marks an empty slot.
const EMPTY: u16 = u16::MAX;

/// The plays of a roll, in a reusable buffer.
#[derive(Clone, Debug)]
pub struct Plays {
    /// The key of each play; see the description of the module.
    keys: Vec<u128>,
    /// An open-addressing hash table: indices into `keys`. Used for rolls of two different numbers only.
    slots: [u16; SLOTS],
    /// The opponent's checkers before the play.
    other: u128,
}

impl Default for Plays {
    fn default() -> Self {
        Self::new()
    }
}

/// The (wrapping) number that a move adds to a key: `MOVE[die - 1][source]`.
const MOVE: [[u128; BAR + 1]; 6] = {
    let mut moves = [[0; BAR + 1]; 6];
    let mut die = 1;
    while die <= 6 {
        let mut source = 1;
        while source <= BAR {
            let target = source.saturating_sub(die);
            moves[die - 1][source] = (1u128 << (4 * target)).wrapping_sub(1 << (4 * source));
            source += 1;
        }
        die += 1;
    }
    moves
};

/// A turn of which a part of the moves is made.
#[derive(Clone, Copy)]
struct PartialTurn {
    key: u128,
    /// Bit `place` (1 to 25) is set if an own checker is on that place.
    occupied: u32,
}

/// Bit masks of points by the opponent's checkers on them, in the own numbering.
#[derive(Clone, Copy)]
struct OpponentPoints {
    /// Points on which the opponent has at most one checker.
    open: u32,
    /// Points on which the opponent has exactly one checker.
    blots: u32,
}

impl Plays {
    pub fn new() -> Self {
        Self { keys: Vec::with_capacity(MAX_PLAYS), slots: [EMPTY; SLOTS], other: 0 }
    }

    /// Finds all plays of `dice` on `board`. If nothing can be moved, the only play is to pass.
    pub fn find(&mut self, board: &Board, dice: Dice) {
        self.keys.clear();
        self.other = board.other;
        let points = OpponentPoints::new(board.other);
        // Bit 0 is the place of checkers that are off, which do not move.
        let start = PartialTurn { key: board.own, occupied: occupied(board.own) & !1 };
        if dice.is_double() {
            let die = usize::from(dice.high());
            self.doubles(start, &points, die);
        } else {
            self.mixed(start, &points, usize::from(dice.high()), usize::from(dice.low()));
        }
        if self.keys.is_empty() {
            self.keys.push(board.own);
        }
    }

    /// The number of plays: at least one after [`Plays::find`].
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether [`Plays::find`] was never called.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The board after play `i`, seen from the side that rolls next.
    pub fn get(&self, i: usize) -> Board {
        after(self.keys[i], self.other)
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = Board> + '_ {
        self.keys.iter().map(|key| after(*key, self.other))
    }

    /// Adds the plays of a double: up to four moves by `die`.
    fn doubles(&mut self, start: PartialTurn, points: &OpponentPoints, die: usize) {
        let mut longest = 0;
        self.extend_double(start, points, die, BAR as u32, 0, &mut longest);
    }

    /// Extends `turn`, which has `made` moves; the last of these started at place `last`. The rules demand as
    /// many moves as possible, so a play longer than `longest` replaces all shorter plays.
    fn extend_double(
        &mut self,
        turn: PartialTurn,
        points: &OpponentPoints,
        die: usize,
        last: u32,
        made: u32,
        longest: &mut u32,
    ) {
        // The places from which a move can start, up to `last`. They are tried from the highest on.
        let mut sources = turn.sources(points, die) & ((2 << last) - 1);
        if sources == 0 {
            if made > *longest {
                *longest = made;
                self.keys.clear();
            }
            if made == *longest && made > 0 {
                self.keys.push(turn.key);
            }
            return;
        }
        // The fourth move is the last one: only its key is needed.
        if made == 3 {
            if *longest < 4 {
                *longest = 4;
                self.keys.clear();
            }
            while sources != 0 {
                let source = 31 - sources.leading_zeros();
                sources ^= 1 << source;
                self.keys.push(turn.moved_key(points, source as usize, die));
            }
            return;
        }
        while sources != 0 {
            let source = 31 - sources.leading_zeros();
            sources ^= 1 << source;
            let next = turn.moved(points, source as usize, die);
            self.extend_double(next, points, die, source, made + 1, longest);
        }
    }

    /// Adds the plays of a roll of two different numbers.
    fn mixed(&mut self, start: PartialTurn, points: &OpponentPoints, high: usize, low: usize) {
        self.slots.fill(EMPTY);
        let (high_sources, low_sources) = (start.sources(points, high), start.sources(points, low));
        for source in bits(high_sources) {
            let turn = start.moved(points, source, high);
            for next in bits(turn.sources(points, low)) {
                self.add(turn.moved_key(points, next, low));
            }
        }
        // In the other order, moves that commute lead to plays found above. A new play is possible only if
        // the first move enables the second: it moves the same checker (`!was_there`), enters the last
        // checker from the bar (`is_entering`), or brings the last checker home, so that the second can bear
        // off (`next <= high`).
        let is_entering = start.occupied >> BAR != 0;
        for source in bits(low_sources) {
            let turn = start.moved(points, source, low);
            for next in bits(turn.sources(points, high)) {
                // Whether the second move could have been made first: by a checker that was on its place
                // already.
                let was_there = checkers_on(start.key, next) > u8::from(next == source);
                if is_entering || !was_there || next <= high {
                    self.add(turn.moved_key(points, next, high));
                }
            }
        }
        if self.keys.is_empty() {
            // Only one number can be played: the larger one, if possible.
            let (sources, die) = if high_sources != 0 { (high_sources, high) } else { (low_sources, low) };
            for source in bits(sources) {
                self.keys.push(start.moved_key(points, source, die));
            }
        }
    }

    /// Adds a play unless it was found before.
    fn add(&mut self, key: u128) {
        // The halves are rotated against each other, so that equal halves do not cancel. Then multiplicative
        // hashing with the golden ratio as a 64-bit fraction: the top bits are the slot.
        let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
        let mut slot = (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())) as usize;
        loop {
            // Slots hold indices into `keys`; the next one is tried if another play has this slot.
            let play = self.slots[slot];
            if play == EMPTY {
                self.slots[slot] = self.keys.len() as u16;
                self.keys.push(key);
                return;
            }
            if self.keys[usize::from(play)] == key {
                return;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

impl OpponentPoints {
    fn new(other: u128) -> Self {
        let in_own_numbering = |mask: u32| mask.reverse_bits() >> (31 - BAR);
        let occupied = in_own_numbering(occupied(other));
        let blocked = in_own_numbering(occupied_twice(other));
        let points = (1 << (POINTS + 1)) - 2;
        Self { open: points & !blocked, blots: points & occupied & !blocked }
    }
}

impl PartialTurn {
    /// Mask of the places from which an own checker may move by `die`.
    #[inline]
    fn sources(&self, points: &OpponentPoints, die: usize) -> u32 {
        /// The bits of the places 0 to 6.
        const HOME: u32 = (1 << 7) - 1;
        let sources = self.occupied & (points.open << die);
        if self.occupied >> BAR != 0 {
            return sources & 1 << BAR;
        }
        if self.occupied & !HOME != 0 || self.occupied == 0 {
            return sources;
        }
        // Bearing off: from the die's point, or from the highest occupied point if that is lower.
        let highest = 31 - self.occupied.leading_zeros();
        sources | self.occupied & 1 << die | if highest < die as u32 { 1 << highest } else { 0 }
    }

    /// The key after a move from `source` by `die`.
    #[inline]
    fn moved_key(&self, points: &OpponentPoints, source: usize, die: usize) -> u128 {
        let target = source.saturating_sub(die);
        let hit = u64::from(points.blots >> target & 1);
        // The hit of point 1 is bit 104 = 64 + 39 + 1. Place 0 is never a blot.
        let hit = u128::from(hit << 39 << target) << 64;
        self.key.wrapping_add(MOVE[die - 1][source]) | hit
    }

    /// The turn after a move from `source` by `die`.
    #[inline]
    fn moved(&self, points: &OpponentPoints, source: usize, die: usize) -> Self {
        let key = self.moved_key(points, source, die);
        let remaining = u32::from(checkers_on(key, source) > 0) << source;
        let target = source.saturating_sub(die);
        Self { key, occupied: (self.occupied & !(1 << source) | remaining | 1 << target) & !1 }
    }
}

/// The number of single moves in every legal play of `dice` on `board`: 0 to 4.
pub fn playable_moves(board: &Board, dice: Dice) -> u32 {
    let points = OpponentPoints::new(board.other);
    let start = PartialTurn { key: board.own, occupied: occupied(board.own) & !1 };
    // The first order is that of a double; the others are those of two different numbers.
    let orders = [[dice.high(); 2], [dice.high(), dice.low()], [dice.low(), dice.high()]];
    let (orders, max_moves) = if dice.is_double() { (&orders[..1], 4) } else { (&orders[1..], 2) };
    let longest = |order: &[u8; 2]| longest_sequence(start, &points, *order, max_moves);
    orders.iter().map(longest).max().unwrap_or(0)
}

/// The length of the longest sequence of at most `remaining` moves, with `die` and `then` alternating.
fn longest_sequence(turn: PartialTurn, points: &OpponentPoints, [die, then]: [u8; 2], remaining: u32) -> u32 {
    let mut longest = 0;
    if remaining > 0 {
        for source in bits(turn.sources(points, usize::from(die))) {
            let next = turn.moved(points, source, usize::from(die));
            longest = longest.max(1 + longest_sequence(next, points, [then, die], remaining - 1));
            if longest == remaining {
                break;
            }
        }
    }
    longest
}

/// The board of a play's key, seen from the side that rolls next.
#[inline]
fn after(key: u128, mut other: u128) -> Board {
    // The hit points are above the 26 places of four bits each.
    let hits = (key >> 104) as u32;
    if hits != 0 {
        for hit in bits(hits) {
            // Bit 0 is point 1, the opponent's point 24.
            other = other - (1 << (4 * (24 - hit))) + (1 << (4 * BAR));
        }
    }
    Board { own: other, other: key & SIDE_MASK }
}

/// Mask of the places with a checker.
#[inline]
fn occupied(side: u128) -> u32 {
    every_fourth_bit(side | side >> 1 | side >> 2 | side >> 3)
}

/// Mask of the places with two or more checkers.
#[inline]
fn occupied_twice(side: u128) -> u32 {
    every_fourth_bit(side >> 1 | side >> 2 | side >> 3)
}

/// Gathers bits 0, 4, 8, ... into consecutive bits.
#[inline]
fn every_fourth_bit(bits: u128) -> u32 {
    let half = |x: u64| {
        let x = x & 0x1111_1111_1111_1111;
        let x = (x | x >> 3) & 0x0303_0303_0303_0303;
        let x = (x | x >> 6) & 0x000f_000f_000f_000f;
        let x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
        (x | x >> 24) as u32 & 0xffff
    };
    half(bits as u64) | half((bits >> 64) as u64) << 16
}

/// Indices of the set bits, lowest first.
#[inline]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < 32).then_some(bit as usize)
    })
}
