//! One state being solved: an anytime search that notes improvements, and ends early if a solution is known
//! to be a shortest one.

use learnery_worlds::puzzle::{State, Turn};

use super::network::Network;
use super::plan::SearchPlan;
use super::search::{AnytimeSearch, count};
use super::shortest::is_shortest;
use crate::beam::RemoteGuide;

/// A state being solved.
pub struct Solving {
    plan: SearchPlan,
    start: State,
    search: AnytimeSearch,
    /// Improvements of the search that `note` has seen.
    improvements: u32,
    is_done: bool,
}

impl Solving {
    pub fn begin(network: &Network, plan: SearchPlan, start: &State) -> Self {
        let search = plan.begin(network, start);
        Self { is_done: search.is_done(), plan, start: *start, search, improvements: 0 }
    }

    /// The searches so far.
    pub fn search(&self) -> &AnytimeSearch {
        &self.search
    }

    pub fn plan(&self) -> &SearchPlan {
        &self.plan
    }

    /// Whether no shorter solution is looked for any more.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Does a step. Returns the number of turns of a solution that is shorter than all before.
    pub fn step(&mut self, network: &Network) -> Option<usize> {
        self.search.step(network);
        self.note(network)
    }

    /// Like [`Solving::step`], with a guide that answers later. Returns `None` while the guide is busy.
    pub fn step_remotely<G: RemoteGuide + ?Sized>(
        &mut self,
        network: &Network,
        guide: &mut G,
    ) -> Result<Option<Option<usize>>, G::Error> {
        Ok(self.search.step_remotely(guide)?.then(|| self.note(network)))
    }

    /// Looks whether the solution has improved.
    fn note(&mut self, network: &Network) -> Option<usize> {
        self.is_done = self.search.is_done();
        let [_, improvements] = self.search.searches();
        if improvements == self.improvements {
            return None;
        }
        self.improvements = improvements;
        let (puzzle, best, metric) = (network.puzzle(), self.best()?, self.plan.metric());
        let turns = count(puzzle, best, metric);
        // Further searches could only find a shorter one.
        self.is_done |= is_shortest(puzzle, &self.start, best, metric);
        Some(turns)
    }

    /// The shortest solution so far.
    pub fn best(&self) -> Option<&[Turn]> {
        self.search.best()
    }
}
