//! The invited player, an opponent on the page's board: a trained network that the page sends as a checkpoint
//! of this lab (a saved run), in base 64.

use learnery_lab::{Checkpoint, LabError};

use crate::networks::TrainedNetwork;

/// Reads a checkpoint in base 64.
pub fn read(text: &str) -> Result<TrainedNetwork, LabError> {
    let with_context = |e: LabError| LabError::Command(format!("the invited player: {e}"));
    let not_base64 = || LabError::Command("its file is not in base 64".into());
    let bytes = decode_base64(text).ok_or_else(not_base64).map_err(with_context)?;
    Checkpoint::from_bytes(&bytes)
        .and_then(|checkpoint| TrainedNetwork::from_checkpoint(&checkpoint))
        .map_err(with_context)
}

/// Decodes base 64 with the standard alphabet (RFC 4648). The padding at the end may be missing.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 2);
    // Four digits of six bits are three bytes.
    for group in digits.chunks(4) {
        let mut word = 0u32;
        for c in group {
            word = word << 6 | u32::from(digit(*c)?);
        }
        // The last group may be shorter.
        word <<= 6 * (4 - group.len());
        let [_, three_bytes @ ..] = word.to_be_bytes();
        // Two digits encode one byte, three digits two bytes. A single digit is rejected below.
        bytes.extend_from_slice(&three_bytes[..group.len() * 6 / 8]);
    }
    (digits.len() % 4 != 1).then_some(bytes)
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

    #[test]
    fn base64_is_decoded_and_bad_base64_is_rejected() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")]
        {
            assert_eq!(decode_base64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode_base64("+/+/"), Some(vec![0xfb, 0xff, 0xbf]));
        assert_eq!(decode_base64("Zm9vY"), None);
        assert_eq!(decode_base64("Zm9 "), None);
    }

    /// Encodes in base 64, without the padding at the end.
    pub fn encode(bytes: &[u8]) -> String {
        let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let text = |three: &[u8]| {
            let word =
                three.iter().chain(&[0; 2]).take(3).fold(0, |word, byte| word << 8 | usize::from(*byte));
            (0..=three.len()).map(move |i| char::from(digits[word >> (18 - 6 * i) & 63])).collect::<String>()
        };
        bytes.chunks(3).map(text).collect()
    }

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
        let player = |seed: u32| encode(&checkpoint_of(ABOUT.id, seed));
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
        let player = |seed: u32| encode(&checkpoint_of(ABOUT.id, seed));
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
        let rejection = |text: &str| read(text).err().expect("no player").to_string();
        assert!(rejection("§").contains("base 64"));
        // Three bytes that are no checkpoint.
        assert!(rejection("Zm9v").contains("the invited player"));
        assert!(rejection(&encode(&checkpoint("control"))).contains("the lab `control`"));
        let mut damaged = checkpoint(ABOUT.id);
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(rejection(&encode(&damaged)).contains("damaged"));
    }
}
