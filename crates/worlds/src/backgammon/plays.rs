//! Every position that a throw can lead to, each once.
//!
//! While a turn is played, all that changes is one's own checkers and which opposing blots were hit: 104 bits for 26
//! places of four, and 24 bits for the points on which somebody was hit. So a play is one number of 128 bits, two plays
//! are the same where their numbers are, and the opponent's checkers are put right when a play is taken out.
//!
//! **Doubles.** The same four moves in any order lead to the same place, and sorted from the rear forward they are
//! always legal if they are in any order: entering and gathering at home come first of themselves. Different sets of
//! moves lead to different places, since a move from each place shifts checkers in a way that no others together do. So
//! trying sources that never increase finds every play once, and nothing need be compared.
//!
//! **Two numbers.** Both orders are tried, because a checker may go on with either number first and hit on either
//! way; plays that both orders share are left out by a test where that is cheap, and by a small hash table in the end.

use super::board::{BAR, Board, POINTS, SIDE, count};
use super::dice::Dice;

/// Room for plays: four moves of one of fifteen checkers or fewer, in any order, is at most 3,060.
const MOST: usize = 3060;
/// Slots of the hash table: few positions have more than a hundred plays of a mixed throw, none more than 256.
const SLOTS: usize = 512;
const FREE: u16 = u16::MAX;

/// The boards that a throw leads to, in a buffer that can be used again and again.
#[derive(Clone, Debug)]
pub struct Plays {
    keys: Vec<u128>,
    slots: [u16; SLOTS],
    /// The opponent's checkers before the play.
    other: u128,
}

impl Default for Plays {
    fn default() -> Self {
        Self::new()
    }
}

/// What a move adds to the bits of a side: `STEP[die - 1][source]`.
const STEP: [[u128; BAR + 1]; 6] = {
    let mut steps = [[0; BAR + 1]; 6];
    let mut die = 1;
    while die <= 6 {
        let mut source = 1;
        while source <= BAR {
            let target = source.saturating_sub(die);
            steps[die - 1][source] = (1u128 << (4 * target)).wrapping_sub(1 << (4 * source));
            source += 1;
        }
        die += 1;
    }
    steps
};

/// A turn as far as it has been played.
#[derive(Clone, Copy)]
struct Turn {
    /// One's checkers, and above them a bit for each point on which a blot was hit.
    key: u128,
    /// The places from which a checker can start: bit `place`, 1 to 25.
    occupied: u32,
}

/// What the opponent's checkers say about one's own points, a bit each.
#[derive(Clone, Copy)]
struct Ground {
    /// Points that are not held by two or more.
    open: u32,
    /// Points with a single checker to be hit.
    blots: u32,
}

impl Plays {
    /// An empty list.
    pub fn new() -> Self {
        Self { keys: Vec::with_capacity(MOST), slots: [FREE; SLOTS], other: 0 }
    }

    /// Finds all plays of `dice` on `board`. Where nothing can be moved there is one: to stay.
    pub fn find(&mut self, board: &Board, dice: Dice) {
        self.keys.clear();
        self.other = board.other;
        let ground = Ground::of(board.other);
        let start = Turn { key: board.own, occupied: occupied(board.own) & !1 };
        if dice.is_double() {
            let die = usize::from(dice.high());
            self.doubles(start, &ground, die);
        } else {
            self.mixed(start, &ground, usize::from(dice.high()), usize::from(dice.low()));
        }
        if self.keys.is_empty() {
            self.keys.push(board.own);
        }
    }

    /// How many plays there are; at least one once they were looked for.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether nothing has been looked for yet.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The board after play `i`, seen from the side that rolls next: the other one.
    pub fn get(&self, i: usize) -> Board {
        after(self.keys[i], self.other)
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Board> + '_ {
        self.keys.iter().map(|key| after(*key, self.other))
    }

    /// Two or three moves of a double find fewer plays, so those of the most moves replace all before.
    fn doubles(&mut self, start: Turn, ground: &Ground, die: usize) {
        let mut most = 0;
        self.go_on(start, ground, die, BAR as u32, 0, &mut most);
    }

    /// Plays on from `turn`, in which `made` moves were made, the last of them from `last`.
    fn go_on(&mut self, turn: Turn, ground: &Ground, die: usize, last: u32, made: u32, most: &mut u32) {
        let mut sources = turn.sources(ground, die) & ((2 << last) - 1);
        if sources == 0 {
            if made > *most {
                *most = made;
                self.keys.clear();
            }
            if made == *most && made > 0 {
                self.keys.push(turn.key);
            }
            return;
        }
        if made == 3 {
            if *most < 4 {
                *most = 4;
                self.keys.clear();
            }
            while sources != 0 {
                let source = 31 - sources.leading_zeros();
                sources ^= 1 << source;
                self.keys.push(turn.moved_key(ground, source as usize, die));
            }
            return;
        }
        while sources != 0 {
            let source = 31 - sources.leading_zeros();
            sources ^= 1 << source;
            let next = turn.moved(ground, source as usize, die);
            self.go_on(next, ground, die, source, made + 1, most);
        }
    }

    fn mixed(&mut self, start: Turn, ground: &Ground, high: usize, low: usize) {
        self.slots.fill(FREE);
        let (firsts, seconds) = (start.sources(ground, high), start.sources(ground, low));
        for source in bits(firsts) {
            let turn = start.moved(ground, source, high);
            for next in bits(turn.sources(ground, low)) {
                self.add(turn.moved_key(ground, next, low));
            }
        }
        // The other order finds the same plays, but where the first move is what makes the second possible: it brings
        // the checker, enters the last one, or gathers all at home.
        let entering = start.occupied >> BAR != 0;
        for source in bits(seconds) {
            let turn = start.moved(ground, source, low);
            for next in bits(turn.sources(ground, high)) {
                let its_own = count(start.key, next) > u8::from(next == source);
                if entering || !its_own || next <= high {
                    self.add(turn.moved_key(ground, next, high));
                }
            }
        }
        if self.keys.is_empty() {
            // One number only: the larger one if it can be played.
            let (sources, die) = if firsts != 0 { (firsts, high) } else { (seconds, low) };
            for source in bits(sources) {
                self.keys.push(start.moved_key(ground, source, die));
            }
        }
    }

    /// Adds a play unless it is there.
    fn add(&mut self, key: u128) {
        let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
        let mut slot = (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - SLOTS.ilog2())) as usize;
        loop {
            let there = self.slots[slot];
            if there == FREE {
                self.slots[slot] = self.keys.len() as u16;
                self.keys.push(key);
                return;
            }
            if self.keys[usize::from(there)] == key {
                return;
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

impl Ground {
    fn of(other: u128) -> Self {
        let turned = |mask: u32| mask.reverse_bits() >> (31 - BAR);
        let some = turned(occupied(other));
        let held = turned(several(other));
        let points = (1 << (POINTS + 1)) - 2;
        Self { open: points & !held, blots: points & some & !held }
    }
}

impl Turn {
    /// The places from which a checker may move by `die`.
    #[inline]
    fn sources(&self, ground: &Ground, die: usize) -> u32 {
        const HOME: u32 = (1 << 7) - 1;
        let sources = self.occupied & (ground.open << die);
        if self.occupied >> BAR != 0 {
            return sources & 1 << BAR;
        }
        if self.occupied & !HOME != 0 || self.occupied == 0 {
            return sources;
        }
        // All at home: off from the point of the die, or from the highest where that is lower.
        let highest = 31 - self.occupied.leading_zeros();
        sources | self.occupied & 1 << die | if highest < die as u32 { 1 << highest } else { 0 }
    }

    /// The bits after a checker has moved.
    #[inline]
    fn moved_key(&self, ground: &Ground, source: usize, die: usize) -> u128 {
        let target = source.saturating_sub(die);
        let hit = u64::from(ground.blots >> target & 1);
        // The bit of a hit on point 1 is the first above the checkers; of place 0 there is none.
        let hit = u128::from(hit << 39 << target) << 64;
        self.key.wrapping_add(STEP[die - 1][source]) | hit
    }

    /// The turn after a checker has moved.
    #[inline]
    fn moved(&self, ground: &Ground, source: usize, die: usize) -> Self {
        let key = self.moved_key(ground, source, die);
        let left = u32::from(count(key, source) > 0) << source;
        let target = source.saturating_sub(die);
        Self { key, occupied: (self.occupied & !(1 << source) | left | 1 << target) & !1 }
    }
}

/// How many moves of `dice` can be played on `board`: what a side is told of its turn before it chooses.
pub fn playable_moves(board: &Board, dice: Dice) -> u32 {
    let ground = Ground::of(board.other);
    let start = Turn { key: board.own, occupied: occupied(board.own) & !1 };
    let orders = [[dice.high(); 2], [dice.high(), dice.low()], [dice.low(), dice.high()]];
    let (orders, moves) = if dice.is_double() { (&orders[..1], 4) } else { (&orders[1..], 2) };
    let longest = |order: &[u8; 2]| longest(start, &ground, *order, moves);
    orders.iter().map(longest).max().unwrap_or(0)
}

/// The most moves of at most `left` that can follow, the next of `die` and then of `then`.
fn longest(turn: Turn, ground: &Ground, [die, then]: [u8; 2], left: u32) -> u32 {
    let mut most = 0;
    if left > 0 {
        for source in bits(turn.sources(ground, usize::from(die))) {
            let next = turn.moved(ground, source, usize::from(die));
            most = most.max(1 + longest(next, ground, [then, die], left - 1));
            if most == left {
                break;
            }
        }
    }
    most
}

/// The board after a play, seen from the side that rolls next.
#[inline]
fn after(key: u128, mut other: u128) -> Board {
    let hits = (key >> 104) as u32;
    if hits != 0 {
        for hit in bits(hits) {
            // Bit 0 is point 1, which is the opponent's 24.
            other = other - (1 << (4 * (24 - hit))) + (1 << (4 * BAR));
        }
    }
    Board { own: other, other: key & SIDE }
}

/// The places with a checker, a bit each.
#[inline]
fn occupied(side: u128) -> u32 {
    gathered(side | side >> 1 | side >> 2 | side >> 3)
}

/// The places with two or more.
#[inline]
fn several(side: u128) -> u32 {
    gathered(side >> 1 | side >> 2 | side >> 3)
}

/// The first bit of every four.
#[inline]
fn gathered(bits: u128) -> u32 {
    let half = |x: u64| {
        let x = x & 0x1111_1111_1111_1111;
        let x = (x | x >> 3) & 0x0303_0303_0303_0303;
        let x = (x | x >> 6) & 0x000f_000f_000f_000f;
        let x = (x | x >> 12) & 0x0000_00ff_0000_00ff;
        (x | x >> 24) as u32 & 0xffff
    };
    half(bits as u64) | half((bits >> 64) as u64) << 16
}

/// The places of the set bits, the lowest first.
#[inline]
fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < 32).then_some(bit as usize)
    })
}
