//! Ids of the random-number streams of this crate: the second argument of `Stream::new`. They determine the
//! bits of every measurement and rollout and must not change. The other ids of backgammon are those of the
//! lab.

/// Dice of the games that measure the rates of the match equity table.
pub const RATES: u32 = 7;
/// Dice of rollouts.
pub const ROLLOUT_DICE: u32 = 8;
/// The shuffled order of the first two rolls of rollouts, which are stratified (distributed evenly).
pub const ROLLOUT_STRATA: u32 = 9;
/// Dice of a match that two networks play.
pub const MATCH_DICE: u32 = 10;
