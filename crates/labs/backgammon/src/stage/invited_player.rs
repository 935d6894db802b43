//! The invited player, an opponent on the page's board: a trained network that the page sends as a checkpoint
//! of this lab (a saved run).

use learnery_lab::{Checkpoint, LabError};

use crate::networks::TrainedNetwork;

/// Reads a checkpoint.
pub fn read(file: &[u8]) -> Result<TrainedNetwork, LabError> {
    Checkpoint::from_bytes(file)
        .and_then(|checkpoint| TrainedNetwork::from_checkpoint(&checkpoint))
        .map_err(|e| LabError::Command(format!("the invited player: {e}")))
}

#[cfg(test)]
pub mod tests {
    use learnery_kernels::rng::Stream;
    use learnery_lab::{Context, Header, Lab};

    use serde_json::Value;

    use super::super::{Stage, StageNetwork};
    use super::*;
    use crate::about::ABOUT;
    use crate::{Backgammon, BackgammonCommand, BackgammonConfig, Players};

    /// A checkpoint of a run that has just begun, with the network only: no replay buffer and no optimiser.
    /// `lab` is the lab that the checkpoint claims.
    pub fn checkpoint(lab: &str) -> Vec<u8> {
        checkpoint_of(lab, 1)
    }

    /// [`checkpoint`] of a run with this seed, which gives other weights.
    fn checkpoint_of(lab: &str, seed: u32) -> Vec<u8> {
        let config =
            BackgammonConfig { games: 2, hidden: 8, second: 4, race: 8, replay: 8, ..Default::default() };
        let Ok(Value::Object(settings)) = serde_json::to_value(&config) else {
            panic!("settings are a table")
        };
        let cx = Context { config: &config, seed, unit: 0 };
        let run = Backgammon::new(cx).expect("a run");
        let header = Header {
            lab: lab.into(),
            config: settings,
            seed,
            units: 0,
            work: 0,
            solved_at: None,
            network_only: true,
            changes: Vec::new(),
            devices: Vec::new(),
            network_since: None,
            scalars: Value::Null,
        };
        Checkpoint { header, tensors: run.save().tensors }.network_only().to_bytes()
    }

    /// Begins some games of the user against `players`, up to the user's first turn. Returns the agent's last
    /// play in each, and the user's candidate plays with their values. `learner` and `invited` are seeds.
    fn begun_games(players: Players, learner: u32, invited: u32) -> Vec<String> {
        let player = |seed: u32| checkpoint_of(ABOUT.id, seed);
        let network = read(&player(learner)).expect("a player");
        let learner = StageNetwork { network: network.as_network(), version: 0 };
        let mut stage = Stage::new(learner, Stream::new(1, 0));
        let invite = BackgammonCommand::Invite { checkpoint: player(invited) };
        stage.apply(learner, invite).expect("a player");
        let mut begun_by_agent = 0;
        // Of eight games the agent begins some.
        let games = (0..8).map(|_| {
            stage.apply(learner, BackgammonCommand::NewGame { players }).expect("a game");
            // Long enough for the agent's first play to be shown.
            for _ in 0..10 {
                stage.animate(learner, 2.0);
            }
            let view = stage.view();
            assert!(view.players == players && view.awaits && !view.candidates.is_empty());
            begun_by_agent += usize::from(view.turn > 0);
            format!("{:?} {:?}", view.last, view.candidates)
        });
        let games = games.collect();
        assert!(begun_by_agent > 0, "the agent has made a play");
        games
    }

    #[test]
    fn invited_player_plays_on_the_stage_instead_of_the_learner() {
        let [invited, learner] = [1, 2];
        let games = begun_games(Players::Expert, learner, invited);
        assert_eq!(games, begun_games(Players::Learner, invited, learner));
        assert_ne!(games, begun_games(Players::Learner, learner, invited));
    }

    #[test]
    fn another_invited_player_values_the_plays_anew() {
        let player = |seed: u32| checkpoint_of(ABOUT.id, seed);
        let network = read(&player(1)).expect("a player");
        let learner = StageNetwork { network: network.as_network(), version: 0 };
        let mut stage = Stage::new(learner, Stream::new(1, 0));
        let values_of = |stage: &mut Stage, seed: u32| {
            stage.apply(learner, BackgammonCommand::Invite { checkpoint: player(seed) }).expect("a player");
            format!("{:?}", stage.view().outlook)
        };
        values_of(&mut stage, 2);
        stage.apply(learner, BackgammonCommand::NewGame { players: Players::Expert }).expect("a game");
        let [before, other, again] = [2, 3, 2].map(|seed| values_of(&mut stage, seed));
        assert!(before != other && before == again, "{before} {other} {again}");
    }

    #[test]
    fn file_that_is_no_player_is_rejected() {
        let rejection = |file: &[u8]| read(file).err().expect("no player").to_string();
        // As when a command comes without its file.
        assert!(rejection(b"").contains("the invited player"));
        assert!(rejection(b"foo").contains("the invited player"));
        assert!(rejection(&checkpoint("control")).contains("the lab `control`"));
        let mut damaged = checkpoint(ABOUT.id);
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(rejection(&damaged).contains("damaged"));
    }
}
