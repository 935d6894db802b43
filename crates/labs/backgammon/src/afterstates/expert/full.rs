//! The inputs of one side that only `inputs = full` has: where its rolls hit and make points, and what its
//! counts say together. A hit is worth more the more points of the home board are made, for example; such
//! products take a network many neurons.

use learnery_worlds::backgammon::BAR;

use super::rolls::Rolls;
use super::{LAST_HOME_POINT, ORDERED_ROLLS, PIPS_SCALE, PRIME_SCALE, Side, highest};

/// Inputs of one side: the rolls that hit on each point, those that make each point, and the combined counts.
pub(super) const FULL_PER_SIDE: usize = 2 * POINTS + COMBINED_COUNTS;
const POINTS: usize = 24;
const COMBINED_COUNTS: usize = 24;
/// The opponent's home board, in the numbering of this side.
const FAR_HOME: std::ops::RangeInclusive<usize> = 19..=24;
/// The bits of six neighbouring points, shifted to the lowest of them.
const SIX_POINTS_MASK: u32 = 0b11_1111;
// Divisors that bring the inputs to about 1.
const SQUARED_PIPS_SCALE: f32 = 50.0;
const SPARE_PIPS_SCALE: f32 = 50.0;
const HOME_SPARE_PIPS_SCALE: f32 = 20.0;
const GAP_SCALE: f32 = 12.0;
const CHECKERS_SCALE: f32 = 15.0;
const PIPS_TO_HOME_SCALE: f32 = 100.0;
const FEW_CHECKERS_SCALE: f32 = 4.0;

/// Writes the inputs of a side.
pub(super) fn full_inputs(side: &Side, opponent: &Side, rolls: &Rolls, out: &mut [f32]) {
    let (hits, rest) = out.split_at_mut(POINTS);
    let (points, combined) = rest.split_at_mut(POINTS);
    rolls.hits.write(hits);
    rolls.points.write(points);
    combined.copy_from_slice(&combined_counts(side, opponent, rolls));
}

/// Sums over the checkers of a side.
#[derive(Default)]
struct Sums {
    checkers: f32,
    pips: f32,
    /// Pips of the checkers beyond two on a place, outside the home board and in it.
    spares: f32,
    home_spares: f32,
    /// The pips that all checkers need to come home.
    to_home: f32,
    /// Between two neighbouring occupied places, the pips beyond the six that a die reaches.
    gaps: f32,
    /// Checkers whose next occupied place ahead is at most six pips away.
    linked: f32,
    /// The sum over the checkers that are far behind of the squared probability that a checker cannot move by
    /// both dice.
    trapped: f32,
}

fn sums(side: &Side) -> Sums {
    /// Checkers on these places are far behind.
    const FIRST_FAR_PLACE: usize = 16;
    let mut sums = Sums::default();
    let mut rest = side.occupied;
    // The place before, and its checkers. Places rise.
    let mut ahead: Option<usize> = None;
    while rest != 0 {
        let place = rest.trailing_zeros() as usize;
        // Clears the lowest bit.
        rest &= rest - 1;
        let n = f32::from(side.places[place]);
        let pips = place as f32;
        sums.checkers += n;
        sums.pips += pips * n;
        let spares = pips * (n - 2.0).max(0.0);
        if place <= LAST_HOME_POINT {
            sums.home_spares += spares;
        } else {
            sums.spares += if place < BAR { spares } else { 0.0 };
            sums.to_home += (place - LAST_HOME_POINT) as f32 * n;
        }
        if let Some(ahead) = ahead {
            let distance = (place - ahead) as f32;
            sums.gaps += (distance - 6.0).max(0.0);
            sums.linked += if distance <= 6.0 { n } else { 0.0 };
        }
        if place >= FIRST_FAR_PLACE {
            let stuck = 1.0 - side.escapes(place) / ORDERED_ROLLS;
            sums.trapped += n * stuck * stuck;
        }
        ahead = Some(place);
    }
    sums
}

fn combined_counts(side: &Side, opponent: &Side, rolls: &Rolls) -> [f32; COMBINED_COUNTS] {
    let own = sums(side);
    let hits = rolls.hitting as f32 / ORDERED_ROLLS;
    let loss = rolls.loss as f32 / (ORDERED_ROLLS * PIPS_SCALE);
    let choices = rolls.choices as f32 / ORDERED_ROLLS;
    let (closed, opponent_closed) = (side.closed(), opponent.closed());
    let on_bar = f32::from(side.places[BAR]);
    // Checkers in the opponent's home board and on the bar.
    let far = |side: &Side| -> f32 { side.places[*FAR_HOME.start()..].iter().map(|n| f32::from(*n)).sum() };
    let anchors = side.made >> FAR_HOME.start();
    let home_blots = (1..=LAST_HOME_POINT).filter(|place| side.places[*place] == 1).count() as f32;
    [
        // The rolls that can hit one or another of several blots, and those that make a point on a blot.
        choices,
        rolls.pointing as f32 / ORDERED_ROLLS,
        // How far the checkers behind the mean are from it.
        squared_pips_behind(side, own.pips / own.checkers.max(1.0))
            / (own.checkers.max(1.0) * SQUARED_PIPS_SCALE),
        // Checkers that can move without giving up a point.
        own.spares / SPARE_PIPS_SCALE,
        own.home_spares / HOME_SPARE_PIPS_SCALE,
        // Whether the checkers support each other.
        own.gaps / GAP_SCALE,
        own.linked / CHECKERS_SCALE,
        // Anchors: points made in the opponent's home board, and the rearmost of them.
        anchors.count_ones() as f32 / 2.0,
        if anchors == 0 { 0.0 } else { (FAR_HOME.start() + highest(anchors)) as f32 / 24.0 },
        // Primes, complete or not: the points made of the six before the opponent's rearmost checker, and of
        // the best six.
        squared(blocks_before(side, side.opponent_rear) / PRIME_SCALE),
        squared(
            // Six points begin on point 19 at the latest.
            (1..=19).map(|first| (side.made >> first & SIX_POINTS_MASK).count_ones()).max().unwrap_or(0)
                as f32
                / PRIME_SCALE,
        ),
        // Hits together with the home boards of both sides.
        hits * closed,
        hits * closed * closed,
        loss * closed,
        hits * opponent_closed,
        choices * closed,
        hits * home_blots / 3.0,
        // The opponent's checkers that the home board is there to hold.
        closed * far(opponent) / FEW_CHECKERS_SCALE,
        own.trapped / FEW_CHECKERS_SCALE,
        // The lead in the race, beside the luck that is still to come.
        lead(own.pips, sums(opponent).pips),
        home_blots / 3.0,
        // What this side still needs to save a gammon.
        squared(own.to_home / PIPS_TO_HOME_SCALE),
        // The probability that not all of two checkers on the bar can enter, or the one that is there.
        fails_to_enter(on_bar, opponent_closed),
        opponent_closed * on_bar.min(2.0),
    ]
}

fn squared(x: f32) -> f32 {
    x * x
}

/// The sum over the checkers behind the mean place of their squared distance from it.
fn squared_pips_behind(side: &Side, mean: f32) -> f32 {
    let behind = |place: usize| squared((place as f32 - mean).max(0.0)) * f32::from(side.places[place]);
    (1..=BAR).map(behind).sum()
}

/// The points made among the six that an opponent's checker on this place has before it.
fn blocks_before(side: &Side, place: usize) -> f32 {
    (side.made >> (place + 1) & SIX_POINTS_MASK).count_ones() as f32
}

/// How far a side leads in the race, from 0 (level or behind) to 1: half the lead in pips over the square
/// root of all pips, to which the spread of luck is proportional, squashed to below 1.
fn lead(pips: f32, opponent_pips: f32) -> f32 {
    let x = 0.5 * (opponent_pips - pips).max(0.0) / (pips + opponent_pips).max(1.0).sqrt();
    x / (1.0 + x)
}

/// The probability that not all checkers on the bar enter, of which two count. `closed` is the fraction of
/// points that are made against them.
fn fails_to_enter(on_bar: f32, closed: f32) -> f32 {
    match on_bar {
        0.0 => 0.0,
        1.0 => closed * closed,
        _ => 1.0 - (1.0 - closed) * (1.0 - closed),
    }
}
