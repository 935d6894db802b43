//! Thresholds and names of GNU Backgammon 1.07: those of ratings are in its manual ("Threshold for ratings"),
//! those of errors and luck are what its command `show analysis` says (its manual has older ones). Errors and
//! luck are equities.

/// A decision not to double is close if doubling would lose less than this.
pub const CLOSE_CUBE: f64 = 0.16;

/// The rating on FIBS, an old backgammon server, of a player without errors.
const FIBS_FLAWLESS: f64 = 2050.0;

/// How bad an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Doubtful,
    Bad,
    VeryBad,
}

impl Severity {
    pub const ALL: [Self; 3] = [Self::Doubtful, Self::Bad, Self::VeryBad];

    /// The severity of an error; `None` for a small one.
    pub fn of(error: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|severity| error > severity.threshold())
    }

    fn threshold(self) -> f64 {
        match self {
            Self::Doubtful => 0.03,
            Self::Bad => 0.06,
            Self::VeryBad => 0.12,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::Doubtful => "doubtful",
            Self::Bad => "bad",
            Self::VeryBad => "very bad",
        }
    }
}

/// How lucky a roll is, or with ten times the mean luck a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuckClass {
    VeryUnlucky,
    Unlucky,
    Neither,
    Lucky,
    VeryLucky,
}

impl LuckClass {
    pub const ALL: [Self; 5] =
        [Self::VeryUnlucky, Self::Unlucky, Self::Neither, Self::Lucky, Self::VeryLucky];

    pub fn of(luck: f64) -> Self {
        const GOOD: f64 = 0.3;
        const VERY_GOOD: f64 = 0.6;
        match luck {
            luck if luck > VERY_GOOD => Self::VeryLucky,
            luck if luck > GOOD => Self::Lucky,
            luck if luck < -VERY_GOOD => Self::VeryUnlucky,
            luck if luck < -GOOD => Self::Unlucky,
            _ => Self::Neither,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::VeryUnlucky => "very unlucky",
            Self::Unlucky => "unlucky",
            Self::Neither => "neither",
            Self::Lucky => "lucky",
            Self::VeryLucky => "very lucky",
        }
    }
}

/// How well a player plays, from the error for each decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rating {
    Supernatural,
    WorldClass,
    Expert,
    Advanced,
    Intermediate,
    CasualPlayer,
    Beginner,
    Awful,
}

impl Rating {
    /// The ratings from the best on, and the errors below which they are given.
    const THRESHOLDS: [(Self, f64); 7] = [
        (Self::Supernatural, 0.002),
        (Self::WorldClass, 0.005),
        (Self::Expert, 0.008),
        (Self::Advanced, 0.012),
        (Self::Intermediate, 0.018),
        (Self::CasualPlayer, 0.026),
        (Self::Beginner, 0.035),
    ];

    pub fn of(error_rate: f64) -> Self {
        let found = Self::THRESHOLDS.into_iter().find(|(_, below)| error_rate < *below);
        found.map_or(Self::Awful, |(rating, _)| rating)
    }

    /// GNU Backgammon's name.
    pub fn words(self) -> &'static str {
        match self {
            Self::Supernatural => "Supernatural",
            Self::WorldClass => "World class",
            Self::Expert => "Expert",
            Self::Advanced => "Advanced",
            Self::Intermediate => "Intermediate",
            Self::CasualPlayer => "Casual player",
            Self::Beginner => "Beginner",
            Self::Awful => "Awful!",
        }
    }
}

/// An estimate of the rating on FIBS from the errors for each unforced play and each cube decision, in
/// matches of `length` points (a regression by Kees van den Doel).
pub fn fibs_rating(play_error: f64, cube_error: f64, length: u8) -> f64 {
    let n = f64::from(length);
    FIBS_FLAWLESS - play_error * (8798.0 + 25526.0 / n) - cube_error * (863.0 - 519.0 / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_those_of_the_manual() {
        let expected = [
            (0.0, Rating::Supernatural),
            (0.002, Rating::WorldClass),
            (0.0079, Rating::Expert),
            (0.008, Rating::Advanced),
            (0.0179, Rating::Intermediate),
            (0.0259, Rating::CasualPlayer),
            (0.03, Rating::Beginner),
            (0.035, Rating::Awful),
        ];
        for (rate, rating) in expected {
            assert_eq!(Rating::of(rate), rating, "{rate}");
        }
        assert_eq!(
            [0.03, 0.05, 0.1, 0.2].map(Severity::of),
            [None, Some(Severity::Doubtful), Some(Severity::Bad), Some(Severity::VeryBad)]
        );
        assert_eq!([-0.7, -0.4, 0.3, 0.31, 0.61].map(LuckClass::of), LuckClass::ALL);
    }

    /// GNU Backgammon says 11.8 for this player of a match to 3 points: 3.7686 lost in 32 unforced plays.
    #[test]
    fn fibs_rating_is_that_of_gnu_backgammon() {
        let rating = fibs_rating(3.768_616_7 / 32.0, 0.0, 3);
        assert!((rating - 11.806).abs() < 0.01, "{rating}");
    }
}
