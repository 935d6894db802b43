//! Interval arithmetic: bounds of the results of operations from bounds of their operands. They hold in both
//! classes of bits.
//!
//! Rounding keeps the order of numbers, so the bounds of a sum or a product are those of its corners, rounded
//! as the operation itself rounds. What is no number is kept apart, because comparisons treat it differently.

use std::f32::consts::{LN_2, LOG2_E, PI};

use super::{Binary, Unary};
use crate::limits::LARGEST;

/// Bounds of a number, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    pub low: f32,
    pub high: f32,
    /// Whether it may also be no number.
    pub may_be_nan: bool,
}

/// The largest value of sine and cosine, and of an exponential that should be at most one.
const ABOVE_ONE: f32 = 1.000_001;

impl Range {
    pub(super) const ANY: Self = Self { low: f32::NEG_INFINITY, high: f32::INFINITY, may_be_nan: true };

    pub(crate) fn new(low: f32, high: f32) -> Self {
        if low <= high { Self { low, high, may_be_nan: false } } else { Self::ANY }
    }

    /// Whether a number is within the bounds.
    pub fn contains(&self, x: f32) -> bool {
        if x.is_nan() { self.may_be_nan } else { self.low <= x && x <= self.high }
    }

    /// Whether it is always this number.
    pub(crate) fn is(&self, x: f32) -> bool {
        self.low == x && self.is_constant()
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.low == self.high && !self.may_be_nan
    }

    /// Whether a truth value may be true.
    pub(crate) fn may_hold(&self) -> bool {
        self.high > 0.0 || self.may_be_nan
    }

    /// Whether a number may be one that ends an episode by a fault.
    pub(crate) fn may_be_out_of_range(&self) -> bool {
        self.low < -LARGEST || self.high > LARGEST || self.may_be_nan
    }

    pub(crate) fn hull(self, other: Self) -> Self {
        Self {
            low: if other.low < self.low { other.low } else { self.low },
            high: if other.high > self.high { other.high } else { self.high },
            may_be_nan: self.may_be_nan || other.may_be_nan,
        }
    }

    fn or_nan(self, may_be_nan: bool) -> Self {
        Self { may_be_nan: self.may_be_nan || may_be_nan, ..self }
    }

    /// What is left of it in a state: an episode with another number has ended by a fault.
    pub(super) fn of_state(self) -> Self {
        Self::new(self.low.clamp(-LARGEST, LARGEST), self.high.clamp(-LARGEST, LARGEST))
    }

    /// The numbers of it from `low` to `high`; all of them if there are none.
    pub(super) fn within(self, low: f32, high: f32) -> Self {
        let (low, high) = (self.low.max(low), self.high.min(high));
        if low <= high { Self { low, high, ..self } } else { self }
    }

    /// The smallest range with all these corners. A corner that is no number tells nothing about the bounds.
    pub(super) fn around(corners: &[f32]) -> Self {
        if corners.iter().any(|x| x.is_nan()) {
            return Self::ANY;
        }
        let of = |x: f32| Self::new(x, x);
        corners.iter().fold(of(corners[0]), |all, x| all.hull(of(*x)))
    }

    fn corners(self, other: Self, f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
        [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)]
            .map(|(x, y)| f(x, y))
    }

    fn is_bounded(self) -> bool {
        self.low > f32::NEG_INFINITY && self.high < f32::INFINITY
    }

    fn largest(self) -> f32 {
        self.low.abs().max(self.high.abs())
    }

    pub(super) fn negated(self) -> Self {
        Self { low: -self.high, high: -self.low, ..self }
    }

    fn plus(self, other: Self) -> Self {
        let opposite = |a: Self, b: Self| a.low == f32::NEG_INFINITY && b.high == f32::INFINITY;
        let (low, high) = (self.low + other.low, self.high + other.high);
        Self {
            low: if low.is_nan() { f32::NEG_INFINITY } else { low },
            high: if high.is_nan() { f32::INFINITY } else { high },
            may_be_nan: self.may_be_nan || other.may_be_nan || opposite(self, other) || opposite(other, self),
        }
    }

    fn times(self, other: Self) -> Self {
        // A corner of zero and infinity is no number. The products near it have zero on their other side.
        let product = |x: f32, y: f32| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        let of_nothing = |a: Self, b: Self| a.low <= 0.0 && a.high >= 0.0 && !b.is_bounded();
        let may_be_nan =
            self.may_be_nan || other.may_be_nan || of_nothing(self, other) || of_nothing(other, self);
        Self::around(&self.corners(other, product)).or_nan(may_be_nan)
    }

    /// `self * b + c` in both classes of bits.
    pub(super) fn multiply_add(self, b: Self, c: Self) -> Self {
        let mut range = self.times(b).plus(c);
        // Rounded once.
        for c in [c.low, c.high] {
            for x in self.corners(b, |x, y| x.mul_add(y, c)) {
                if !x.is_nan() {
                    range = range.hull(Self::new(x, x));
                }
            }
        }
        range
    }

    pub(super) fn over(self, divisor: Self) -> Self {
        let has_zero = divisor.low <= 0.0 && divisor.high >= 0.0;
        let are_infinite = !self.is_bounded() && !divisor.is_bounded();
        if has_zero {
            return Self::ANY;
        }
        let may_be_nan = self.may_be_nan || divisor.may_be_nan || are_infinite;
        Self::around(&self.corners(divisor, |x, y| x / y)).or_nan(may_be_nan)
    }

    /// A divisor that has passed the check for zero.
    pub(super) fn without_zero(self) -> Self {
        let tiny = f32::from_bits(1);
        let low = if self.low == 0.0 { tiny } else { self.low };
        let high = if self.high == 0.0 { -tiny } else { self.high };
        if low <= high { Self { low, high, ..self } } else { Self::ANY }
    }

    pub(super) fn unary(self, f: Unary) -> Self {
        let Self { low, high, may_be_nan } = self;
        let range = match f {
            Unary::Abs => {
                let has_zero = low <= 0.0 && high >= 0.0;
                let least = if has_zero { 0.0 } else { low.abs().min(high.abs()) };
                Self::new(least, self.largest())
            }
            Unary::Floor => Self::new(low.floor(), high.floor()),
            Unary::Not => Self::new(1.0 - high, 1.0 - low),
            Unary::Sqrt if high < 0.0 => Self::ANY,
            Unary::Sqrt => Self::new(low.max(0.0).sqrt(), high.sqrt()).or_nan(low < 0.0),
            // To powers of two around the results, which every platform computes alike.
            Unary::Exp => {
                let power = |exponent: f32| {
                    let biased = exponent.clamp(-200.0, 200.0) as i64 + 1023;
                    f64::from_bits((biased as u64) << 52) as f32
                };
                let below = power((low * LOG2_E - 1e-3).floor());
                let above = power((high * LOG2_E + 1e-3).ceil()).max(f32::MIN_POSITIVE);
                // Denormal results and the largest ones are less precise.
                let below = if below < f32::MIN_POSITIVE { 0.0 } else { below.min(f32::MAX) };
                Self::new(below, if high <= 0.0 { above.min(ABOVE_ONE) } else { above })
            }
            Unary::Log if high < 0.0 => Self::ANY,
            Unary::Log => {
                let exponent = |x: f32| ((f64::from(x).to_bits() >> 52) as i32 - 1023) as f32;
                let least = if low > 0.0 { exponent(low) * LN_2 - 1e-3 } else { f32::NEG_INFINITY };
                let most = if high < f32::INFINITY { (exponent(high) + 1.0) * LN_2 + 1e-3 } else { high };
                Self::new(least, if high == 0.0 { f32::NEG_INFINITY } else { most }).or_nan(low < 0.0)
            }
            Unary::Sin | Unary::Cos => Self::new(-ABOVE_ONE, ABOVE_ONE).or_nan(!self.is_bounded()),
            Unary::Tanh => {
                Self::new(if low >= 0.0 { 0.0 } else { -1.0 }, if high <= 0.0 { 0.0 } else { 1.0 })
            }
            // Half a turn either way and a little more; angles within it stay as they are. Large angles are
            // wrapped less precisely.
            Unary::Wrap if self.largest() < PI - 1e-5 => self,
            Unary::Wrap => {
                let most = PI + 1e-5 + self.largest() * 1e-12;
                Self::new(-most, most).or_nan(!self.is_bounded())
            }
        };
        range.or_nan(may_be_nan)
    }

    pub(super) fn binary(self, f: Binary, other: Self) -> Self {
        let (a, b) = (self, other);
        let truth = |may: bool, must: bool| Self::new(f32::from(u8::from(must)), f32::from(u8::from(may)));
        let are_numbers = !a.may_be_nan && !b.may_be_nan;
        let is_less = |a: Self, b: Self| truth(a.low < b.high, a.high < b.low && are_numbers);
        let is_equal = || {
            truth(a.low <= b.high && b.low <= a.high, a.is_constant() && b.is_constant() && a.low == b.low)
        };
        match f {
            Binary::Add => a.plus(b),
            Binary::Sub => a.plus(b.negated()),
            Binary::Mul => a.times(b),
            Binary::Div => a.over(b),
            // If the first one is no number, the result is the second one.
            Binary::Min | Binary::And => Self {
                low: a.low.min(b.low),
                high: if a.may_be_nan { b.high } else { a.high.min(b.high) },
                may_be_nan: b.may_be_nan,
            },
            Binary::Max | Binary::Or => Self {
                low: if a.may_be_nan { b.low } else { a.low.max(b.low) },
                high: a.high.max(b.high),
                may_be_nan: b.may_be_nan,
            },
            Binary::Less => is_less(a, b),
            Binary::AtMost => is_less(b, a).unary(Unary::Not),
            Binary::Equal => is_equal(),
            Binary::NotEqual => is_equal().unary(Unary::Not),
        }
    }
}
