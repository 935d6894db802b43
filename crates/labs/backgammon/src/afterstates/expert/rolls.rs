//! What a side can do with each of the 21 rolls: hit blots and make points.
//!
//! The rolls are counted for all points at once: bit p of a word stands for point p, and a counter of all
//! points is a word for each of its digits ([`PointCounts`]).

use learnery_worlds::backgammon::{BAR, Dice};

use super::{BAR_MASK, ORDERED_ROLLS, POINTS_MASK, Side, highest};

/// Numbers of rolls, of the 36 ordered ones, with which a side can do something.
#[derive(Default)]
pub(super) struct Rolls {
    /// For each point, the rolls that can hit a blot there.
    pub hits: PointCounts,
    /// For each point that the side has not made, the rolls that can make it: bring two checkers there.
    pub points: PointCounts,
    /// The rolls that can hit.
    pub hitting: u32,
    /// The rolls that can hit one or another of several blots.
    pub choices: u32,
    /// The rolls that can make a point on a blot.
    pub pointing: u32,
    /// The sum over the rolls of the pips that the opponent loses to the best hit.
    pub loss: u32,
}

/// The points that a roll can change. The rule that both dice must be played if possible is ignored.
#[derive(Clone, Copy, Default)]
struct Reached {
    /// Blots (single checkers) that the roll can hit, each by itself.
    hits: u32,
    /// Points that the roll can make.
    points: u32,
}

impl Rolls {
    /// Counts the rolls of a side; the points that they make only with `has_points`.
    pub fn new(side: &Side, has_points: bool) -> Self {
        let mut rolls = Self::default();
        if side.blots == 0 && !has_points {
            return rolls;
        }
        let mut reached_by = [Reached::default(); Dice::ALL.len()];
        let moves = Moves::new(side);
        for (reached_by, dice) in reached_by.iter_mut().zip(Dice::ALL) {
            *reached_by = moves.by_roll(dice);
            let Reached { hits, points } = *reached_by;
            if hits != 0 {
                let ways = u32::from(dice.ways());
                rolls.hitting += ways;
                // An opponent's checker that is hit on place p of this side loses p pips.
                rolls.loss += ways * highest(hits) as u32;
                rolls.choices += if hits.count_ones() > 1 { ways } else { 0 };
                rolls.pointing += if hits & points == 0 { 0 } else { ways };
            }
        }
        if has_points {
            rolls.hits = PointCounts::new(&reached_by.map(|reached| reached.hits));
            rolls.points = PointCounts::new(&reached_by.map(|reached| reached.points));
        }
        rolls
    }
}

/// The moves of a side by one die.
struct Moves<'a> {
    side: &'a Side,
    /// Places that are not blocked.
    open: u32,
    /// Places with checkers, the bar excluded.
    inside: u32,
    /// The places of `inside` with a single checker.
    single: u32,
    /// Checkers on the bar.
    bar: u8,
    /// By the number of the die (index 0 is not used), the places that checkers inside reach.
    reached: [u32; 7],
    /// By the number of the die (index 0 is not used), the place on which a checker enters from the bar.
    entered: [u32; 7],
}

impl<'a> Moves<'a> {
    fn new(side: &'a Side) -> Self {
        let inside = side.occupied & !BAR_MASK;
        let open = POINTS_MASK & !side.blocked;
        Self {
            side,
            open,
            inside,
            single: inside & !side.made,
            bar: side.places[BAR],
            reached: std::array::from_fn(|die| inside >> die & open),
            entered: std::array::from_fn(|die| BAR_MASK >> die & open),
        }
    }

    fn by_roll(&self, dice: Dice) -> Reached {
        let (a, b) = (usize::from(dice.high()), usize::from(dice.low()));
        let Reached { hits, points } = if dice.is_double() {
            self.by_double(a)
        } else if self.bar == 0 {
            let [by_a, by_b] = [self.reached[a], self.reached[b]];
            let any = by_a | by_b | (by_a >> b | by_b >> a) & self.open;
            // The second checker of a point comes from one place, or both checkers come from different
            // places.
            Reached { hits: any, points: self.single & any | by_a & by_b }
        } else if self.bar == 1 {
            let (one, other) = (self.after_entering(a, b), self.after_entering(b, a));
            Reached { hits: one.hits | other.hits, points: one.points | other.points }
        } else {
            let entered = self.entered[a] | self.entered[b];
            Reached { hits: entered, points: self.single & entered }
        };
        Reached { hits: hits & self.side.blots, points: points & !self.side.made }
    }

    /// What is reached if the checker on the bar enters with one die, and then any checker moves by the
    /// other.
    fn after_entering(&self, first: usize, second: usize) -> Reached {
        let entered = self.entered[first];
        if entered == 0 {
            return Reached::default();
        }
        let any = entered | self.reached[second] | entered >> second & self.open;
        // A point is made by a checker that joins a single one, or the one that has entered.
        Reached { hits: any, points: self.single & any | entered & self.reached[second] }
    }

    /// What is reached by up to four moves of one die. Checkers on the bar enter first.
    fn by_double(&self, die: usize) -> Reached {
        let entered = if self.bar > 0 { self.entered[die] } else { 0 };
        if self.bar > 0 && entered == 0 {
            return Reached::default();
        }
        // The moves that are left once all checkers on the bar have entered.
        let moves = 4 - usize::from(self.bar.min(4));
        let moved = |from: u32| from >> die & self.open;
        // The places that a checker reaches by one move, by two, and so on.
        let mut steps = [0; 4];
        let mut from = self.inside | entered;
        for step in &mut steps[..moves] {
            from = moved(from);
            *step = from;
        }
        let any = entered | steps[0] | steps[1] | steps[2] | steps[3];
        // Two checkers on a place: they come from the bar, or the second one joins the first.
        let entered_point = if self.bar > 1 { entered } else { self.single & entered };
        let mut points = self.single & any | entered_point;
        // Two checkers come from the same place, by a move or by two each.
        let pairs = self.side.made | entered_point;
        points |= if moves >= 2 { moved(pairs) } else { 0 };
        points |= if moves >= 4 { moved(moved(pairs)) } else { 0 };
        // Two checkers come from different places: one move and two, or one and three.
        points |= if moves >= 3 { steps[0] & steps[1] } else { 0 };
        points |= if moves >= 4 { steps[0] & steps[2] } else { 0 };
        Reached { hits: any, points }
    }
}

/// A number of ordered rolls for each point, in binary: word i has the digits of value 2^i.
#[derive(Default)]
pub(super) struct PointCounts {
    digits: [u32; DIGITS],
}

/// Digits of a number up to 36.
const DIGITS: usize = 6;

impl PointCounts {
    /// Counts the rolls of each point. `rolls` are the points of each roll, in the order of [`Dice::ALL`].
    fn new(rolls: &[u32; Dice::ALL.len()]) -> Self {
        // A double is one ordered roll, any other roll is two.
        let doubles = count_7(std::array::from_fn(|i| if i < 6 { rolls[DOUBLES[i]] } else { 0 }));
        let others = count_15(std::array::from_fn(|i| rolls[OTHERS[i]]));
        let mut digits = [doubles[0], 0, 0, 0, 0, 0];
        let mut carry = 0;
        for (i, digit) in digits.iter_mut().enumerate().skip(1) {
            let digit_of = |digits: &[u32], i: usize| digits.get(i).copied().unwrap_or(0);
            // A roll of two different numbers counts twice, so its digits have twice the value.
            [*digit, carry] = add([digit_of(&doubles, i), digit_of(&others, i - 1), carry]);
        }
        Self { digits }
    }

    /// Writes the fraction of all ordered rolls for each of the points 1 to 24.
    pub fn write(&self, out: &mut [f32]) {
        out.fill(0.0);
        let mut rest = self.digits.iter().fold(0, |any, digit| any | digit);
        while rest != 0 {
            let point = rest.trailing_zeros();
            // Clears the lowest bit.
            rest &= rest - 1;
            let digits = self.digits.iter().rev();
            let count = digits.fold(0, |count, digit| count << 1 | (digit >> point & 1));
            out[point as usize - 1] = count as f32 / ORDERED_ROLLS;
        }
    }
}

/// The indices of the doubles and of the other rolls in [`Dice::ALL`].
const DOUBLES: [usize; 6] = indices(true);
const OTHERS: [usize; 15] = indices(false);

const fn indices<const N: usize>(doubles: bool) -> [usize; N] {
    let (mut found, mut n, mut i) = ([0; N], 0, 0);
    while i < Dice::ALL.len() {
        if Dice::ALL[i].is_double() == doubles {
            found[n] = i;
            n += 1;
        }
        i += 1;
    }
    assert!(n == N);
    found
}

/// The sum of three words of one value, bit by bit: a word of that value, and one of twice the value.
fn add([a, b, c]: [u32; 3]) -> [u32; 2] {
    [a ^ b ^ c, a & b | c & (a | b)]
}

/// For each bit, how many of the words have it, as a binary number: a word for each of its digits.
fn count_7([a, b, c, d, e, f, g]: [u32; 7]) -> [u32; 3] {
    let ([abc, two_0], [def, two_1]) = (add([a, b, c]), add([d, e, f]));
    let [one, two_2] = add([abc, def, g]);
    let [two, four] = add([two_0, two_1, two_2]);
    [one, two, four]
}

/// As [`count_7`], for fifteen words.
fn count_15(words: [u32; 15]) -> [u32; 4] {
    let (halves, rest) = words.as_chunks::<7>();
    let ([one_0, two_0, four_0], [one_1, two_1, four_1]) = (count_7(halves[0]), count_7(halves[1]));
    let [one, two_2] = add([one_0, one_1, rest[0]]);
    let [two, four_2] = add([two_0, two_1, two_2]);
    let [four, eight] = add([four_0, four_1, four_2]);
    [one, two, four, eight]
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::{Board, Plays};

    use super::super::sides;
    use super::super::tests::boards;
    use super::*;

    /// The points that a roll can hit and make, found by its plays.
    fn reached_by_plays(board: &Board, dice: Dice, plays: &mut Plays) -> Reached {
        let mut reached = Reached::default();
        plays.find(board, dice);
        for after in plays.iter() {
            // After a play, the other side is on roll.
            for point in 1..=24 {
                let (own_before, other_before) = (board.own(point), board.other(BAR - point));
                let (own_after, other_after) = (after.other(point), after.own(BAR - point));
                let was_hit = other_before == 1 && other_after == 0 && after.own(BAR) > board.other(BAR);
                reached.hits |= u32::from(was_hit) << point;
                reached.points |= u32::from(own_before < 2 && own_after >= 2) << point;
            }
        }
        reached
    }

    #[test]
    fn rolls_reach_the_points_that_plays_hit_and_make() {
        let mut plays = Plays::new();
        let (mut compared, mut hits, mut points, mut bar) = (0, 0, 0, 0);
        for board in boards() {
            let [side, _] = sides(&board);
            for dice in Dice::ALL {
                let (ours, theirs) =
                    (Moves::new(&side).by_roll(dice), reached_by_plays(&board, dice, &mut plays));
                compared += 1;
                bar += u32::from(board.own(BAR) > 0);
                hits += u32::from(ours.hits == theirs.hits);
                points += u32::from(ours.points == theirs.points);
                // Everything that plays reach is found. What is found beyond that is forbidden by the rule
                // that both dice must be played if possible.
                assert_eq!(theirs.hits & !ours.hits, 0, "{board:?} {dice:?}");
            }
        }
        // Shown only if the test fails or with `--nocapture`.
        println!("{compared} rolls, {bar} from the bar: hits {hits}, points {points}");
        assert!(compared > 20_000 && bar > 2000);
        assert!(
            hits * 100 >= compared * 98 && points * 100 >= compared * 95,
            "{hits} {points} of {compared}"
        );
    }

    #[test]
    fn counts_are_the_sums_over_the_rolls() {
        for board in boards().into_iter().step_by(7) {
            for side in sides(&board) {
                let rolls = Rolls::new(&side, true);
                let (mut hits, mut points) = ([0.0; 24], [0.0; 24]);
                rolls.hits.write(&mut hits);
                rolls.points.write(&mut points);
                let (mut hitting, mut pointing) = (0, 0);
                for point in 1..=24 {
                    let count = |on: &dyn Fn(Reached) -> u32| -> u32 {
                        let ways = |dice: &Dice| {
                            (on(Moves::new(&side).by_roll(*dice)) >> point & 1) * u32::from(dice.ways())
                        };
                        Dice::ALL.iter().map(ways).sum()
                    };
                    assert_eq!(hits[point - 1] * ORDERED_ROLLS, count(&|reached| reached.hits) as f32);
                    assert_eq!(points[point - 1] * ORDERED_ROLLS, count(&|reached| reached.points) as f32);
                }
                for dice in Dice::ALL {
                    let Reached { hits, points } = Moves::new(&side).by_roll(dice);
                    hitting += if hits == 0 { 0 } else { u32::from(dice.ways()) };
                    pointing += if hits & points == 0 { 0 } else { u32::from(dice.ways()) };
                }
                assert_eq!((rolls.hitting, rolls.pointing), (hitting, pointing));
            }
        }
    }
}
