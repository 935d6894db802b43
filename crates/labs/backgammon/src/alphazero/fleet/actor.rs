//! Plays a table of games for a unit, somewhere in a fleet.

use learnery_lab::fleet::{Actor, Refusal};
use learnery_lab::{Budget, LabError};
use learnery_nn::Tensors;

use super::body;
use crate::alphazero::network::Network;
use crate::alphazero::self_play::{Context, GAMES_PER_GROUP, GameGroup, Streams};
use crate::alphazero::settings::AlphaZeroSettings;

/// Plays jobs of self-play.
pub struct SelfPlayActor {
    settings: AlphaZeroSettings,
    streams: Streams,
    network: Network,
    group: GameGroup,
    is_playing: bool,
}

impl SelfPlayActor {
    pub fn new(settings: AlphaZeroSettings, seed: u32, network: &Tensors) -> Result<Self, LabError> {
        let network = Network::from_tensors(settings.policy, network)?;
        let streams = Streams::new(seed);
        let context = Context { settings: &settings, streams: &streams, network: &network };
        let group = GameGroup::new(&context, GAMES_PER_GROUP.min(settings.games));
        Ok(Self { settings, streams, network, group, is_playing: false })
    }
}

impl Actor for SelfPlayActor {
    fn begin(&mut self, job: &[u8]) -> Result<(), Refusal> {
        let games = body::read_games(job)?;
        if games.len() > self.settings.games {
            return Err(Refusal::Damaged(format!("the run has {} games only", self.settings.games)));
        }
        let Self { settings, streams, network, group, .. } = self;
        group.begin_unit(&Context { settings, streams, network }, games);
        self.is_playing = true;
        Ok(())
    }

    fn advance(&mut self, budget: &mut Budget) -> Option<Vec<u8>> {
        let Self { settings, streams, network, group, .. } = self;
        let context = Context { settings, streams, network };
        while self.is_playing && budget.allows() {
            self.is_playing = group.step(&context, settings.rounds_per_step());
            budget.spend();
            if !self.is_playing {
                return Some(body::write_result(group.played(), group.games()));
            }
        }
        None
    }

    fn work(&self) -> Vec<(&'static str, u64)> {
        let counts = self.group.counts();
        vec![("turns", counts.turns_played), ("finished games", counts.games)]
    }

    fn load(&mut self, network: &Tensors) -> Result<(), LabError> {
        self.is_playing = false;
        self.network = Network::from_tensors(self.settings.policy, network)?;
        Ok(())
    }
}
