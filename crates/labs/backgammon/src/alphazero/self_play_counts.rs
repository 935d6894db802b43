//! Counters of AlphaZero's self-play: turns, games, gammons and searches.

use learnery_search::SearchCounts;

/// Counters of self-play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfPlayCounts {
    /// Turns played.
    pub turns_played: u64,
    /// Games that ended.
    pub games: u64,
    /// Turns of the games that ended.
    pub turns: u64,
    /// Games that ended with a gammon or a backgammon.
    pub gammons: u64,
    /// Counters of the tree searches.
    pub search: SearchCounts,
}

impl SelfPlayCounts {
    pub fn add(&mut self, other: &Self) {
        self.turns_played += other.turns_played;
        self.games += other.games;
        self.turns += other.turns;
        self.gammons += other.gammons;
        self.search += other.search;
    }

    /// Returns what was counted since `earlier`, an earlier value of the same counters.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let (now, then) = (self.search, earlier.search);
        Self {
            turns_played: self.turns_played - earlier.turns_played,
            games: self.games - earlier.games,
            turns: self.turns - earlier.turns,
            gammons: self.gammons - earlier.gammons,
            search: SearchCounts {
                values: now.values - then.values,
                policies: now.policies - then.policies,
                cache_hits: now.cache_hits - then.cache_hits,
                simulations: now.simulations - then.simulations,
            },
        }
    }
}
