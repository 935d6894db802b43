//! The learner of a run whose games a fleet plays. It learns meanwhile, as on one machine; at the end of the
//! unit the tables take what was played.

use learnery_lab::fleet::{Learner, Refusal};
use learnery_lab::{LabError, Status};
use learnery_nn::Tensors;
use learnery_worlds::backgammon::Plays;
use rayon::prelude::*;

use super::policy::check_policy;
use super::{Shared, body};
use crate::alphazero::learner::{AlphaZeroLearner, MAX_POSITIONS_PER_STEP};
use crate::alphazero::sample::KEPT_PLAYS;
use crate::alphazero::self_play::Context;
use crate::alphazero::table::Table;
use crate::alphazero::turns::{GameState, Impossible, Rules, replay};

/// The most bytes of a turn: roll, number of plays and play, search value, length of the policy, its entries
/// (a share of two bytes and a step of up to three), round.
const MAX_TURN_BYTES: usize = 1 + 2 * 2 + 2 + 1 + KEPT_PLAYS * (2 + 3) + 5;

fn refusal_of(Impossible { game, turn, problem }: Impossible) -> Refusal {
    Refusal::Impossible(format!("turn {turn} of game {game} {problem}"))
}

impl AlphaZeroLearner {
    /// Leaves self-play to a fleet, between two units.
    pub fn share(&mut self) -> Result<(), LabError> {
        debug_assert!(!self.unit_under_way, "a run is shared between two units");
        if self.device.is_some() {
            return Err(LabError::Fleet(
                "a run on a GPU rounds otherwise than a fleet; share it on the CPU".into(),
            ));
        }
        self.groups = Vec::new();
        self.shared = Some(Shared { results: vec![None; self.tables.len()] });
        Ok(())
    }

    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// One step: begins the unit, learns from some of its minibatches, or ends it. Waits if only results of
    /// the fleet are missing.
    pub(in crate::alphazero) fn step_of_shared_run(&mut self) -> Status {
        if !self.unit_under_way {
            self.begin_unit();
            self.shared = Some(Shared { results: vec![None; self.tables.len()] });
            return Status::Ready;
        }
        let Self { settings, network, replay, optimiser, unit, shared, .. } = self;
        let per_step = (MAX_POSITIONS_PER_STEP / settings.batch).max(1) as u64;
        let minibatches = per_step.min(unit.minibatches - unit.minibatches_done);
        if minibatches > 0 {
            let updates = self.updates..self.updates + minibatches;
            updates.for_each(|update| optimiser.step(network, replay, settings, update));
            self.updates += minibatches;
            unit.minibatches_done += minibatches;
            return Status::Ready;
        }
        let results: Option<Vec<&[u8]>> =
            shared.iter().flat_map(|shared| &shared.results).map(Option::as_deref).collect();
        let Some(results) = results else { return Status::Waiting };
        let context = Context { settings, streams: &self.streams, network: &self.player };
        self.tables.par_iter_mut().zip(results).with_max_len(1).for_each(|(table, result)| {
            let (turns, _) = body::read_result(result, table.len()).expect("a result that was checked");
            table.take(&context, turns);
        });
        self.collect_samples_and_plan();
        Status::UnitFinished
    }
}

impl Learner for AlphaZeroLearner {
    fn jobs(&self) -> u32 {
        self.tables.len() as u32
    }

    fn open_jobs(&self) -> Option<Vec<u32>> {
        let shared = self.shared.as_ref().filter(|_| self.unit_under_way)?;
        let open = (0..).zip(&shared.results).filter(|(_, result)| result.is_none());
        Some(open.map(|(index, _)| index).collect())
    }

    fn weights(&self) -> Tensors {
        self.player.weights.to_tensors()
    }

    fn job(&self, index: u32) -> Vec<u8> {
        body::write_games(self.tables[index as usize].games())
    }

    fn parts(&self, index: u32) -> u32 {
        self.tables[index as usize].len() as u32
    }

    fn job_of_parts(&self, index: u32, parts: &[u32]) -> Vec<u8> {
        let games: Vec<_> = self.tables[index as usize].games().collect();
        let chosen: Vec<_> = parts.iter().filter_map(|part| games.get(*part as usize)).copied().collect();
        body::write_games(chosen.into_iter())
    }

    fn parts_agree(&self, index: u32, result: &[u8], parts: &[u32], again: &[u8]) -> bool {
        let result = body::read_result(result, self.tables[index as usize].len());
        let (Ok((turns, _)), Ok((again, _))) = (result, body::read_result(again, parts.len())) else {
            return false;
        };
        parts.iter().zip(again).all(|(part, again)| turns.get(*part as usize) == Some(&again))
    }

    fn max_result_bytes(&self) -> usize {
        /// The most bytes of the length of a game's turns, a number of 32 bits with seven bits to a byte.
        const LENGTH_BYTES: usize = 5;
        let games = self.tables.iter().map(Table::len).max().unwrap_or_default();
        games * (self.settings.turns as usize * MAX_TURN_BYTES + LENGTH_BYTES) + body::HASH_BYTES
    }

    fn check(&self, index: u32, result: &[u8]) -> Result<(), Refusal> {
        let table = &self.tables[index as usize];
        let (turns, hash) = body::read_result(result, table.len())?;
        let rules = Rules { settings: &self.settings, streams: &self.streams };
        let mut plays = Plays::new();
        let games = table
            .games()
            .zip(turns)
            .map(|(game, turns)| replay(&rules, game, turns, &mut plays, check_policy));
        let games: Vec<GameState> = games.collect::<Result<_, _>>().map_err(refusal_of)?;
        if body::hash_of(games.into_iter()) != hash {
            return Err(Refusal::Impossible(
                "its games end in other positions than its plays lead to".into(),
            ));
        }
        Ok(())
    }

    fn take(&mut self, index: u32, result: &[u8]) {
        if let Some(shared) = &mut self.shared {
            shared.results[index as usize] = Some(result.to_vec());
        }
    }

    fn revoke(&mut self, index: u32) {
        if let Some(shared) = &mut self.shared {
            shared.results[index as usize] = None;
        }
    }
}
