//! Self-play on many machines: a job is a table of games for one unit, its result the turns that were played.
//! The learner replays them as it replays its own, so both ways cannot drift apart.

mod actor;
mod body;
#[cfg(not(target_family = "wasm"))]
mod learner;
#[cfg(not(target_family = "wasm"))]
mod policy;
#[cfg(test)]
mod tests;

pub use actor::SelfPlayActor;

/// What a fleet has played of the unit under way.
#[cfg(not(target_family = "wasm"))]
pub struct Shared {
    /// The result of each table; `None` while it is missing.
    results: Vec<Option<Vec<u8>>>,
}

#[cfg(not(target_family = "wasm"))]
impl Shared {
    /// The fraction of the tables with a result.
    pub fn fraction(&self) -> f32 {
        let taken = self.results.iter().filter(|result| result.is_some()).count();
        taken as f32 / self.results.len() as f32
    }
}
