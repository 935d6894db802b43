//! Plays games of the shipped network against itself with some noise, as people err, and judges every
//! decision. Writes one JSON object for each game: a match of the tool `analyse`, as the page reads it.
//! `scripts/backgammon-pool.mjs` chooses the positions of the page's daily set from them.
//!
//! `cargo run --release -p learnery-backgammon --example daily_pool -- GAMES PLIES`

use std::env;
use std::error::Error;

use learnery_backgammon::networks::TrainedNetwork;
use learnery_backgammon::{Analyse, AnalyseInput};
use learnery_backgammon_play::players::{Lookahead, LookaheadPlayer};
use learnery_kernels::rng::Stream;
use learnery_lab::{Checkpoint, Job, NamedText};
use learnery_match_files::{MatchRecord, Recorder, write_mat};
use learnery_worlds::backgammon::matches::{Answer, Rules};
use learnery_worlds::backgammon::{Dice, Plays};

/// The scale in points of the noise that is added to the equity of each play.
const NOISE_SCALE: f32 = 0.05;
/// A side doubles if its chance to win is at least a number that is drawn anew in each turn, from this range.
const DOUBLE_FROM: [f32; 2] = [0.62, 0.92];
/// A side takes if its chance to win is at least a number from this range.
const TAKE_FROM: [f32; 2] = [0.14, 0.34];
/// The names of the players in the files.
const PLAYERS: [&str; 2] = ["Light", "Dark"];

/// The ids of the random-number streams of dice, of noise, and of cube actions.
const STREAMS: [u32; 3] = [1, 2, 3];

#[allow(clippy::print_stdout)] // It prints what it makes.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [games, plies] = arguments.as_slice() else {
        return Err("expected the numbers of games and of plies".into());
    };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../models/backgammon.safetensors");
    let checkpoint = Checkpoint::from_bytes(&std::fs::read(path)?)?;
    let network = TrainedNetwork::from_checkpoint(&checkpoint)?;
    for game in 0..games.parse()? {
        let bytes = write_mat(&self_play(&network, game)?, None).into_bytes();
        let input = AnalyseInput { file: "game.mat".into(), plies: plies.parse()? };
        let file = NamedText { name: "game.mat".into(), bytes };
        let output = Job::<Analyse>::begin(&checkpoint, input, Some(file))?.answer()?;
        println!("{}", serde_json::to_string(&output.shown)?);
    }
    Ok(())
}

/// A money game with the cube.
fn self_play(network: &TrainedNetwork, game: u64) -> Result<MatchRecord, Box<dyn Error>> {
    let [dice, play_noise, cube_noise] = STREAMS.map(|id| Stream::new(0, id));
    let mut recorder = Recorder::new(PLAYERS, Rules::Money { jacoby: true, beavers: false })?;
    let mut player = LookaheadPlayer::new(network, Lookahead { plies: 0 });
    let mut plays = Plays::new();
    recorder.begin_game()?;
    let mut side = (game % 2) as usize;
    for turn in 0.. {
        let Some(board) = recorder.board() else { break };
        if turn > 0 && recorder.session().owner().is_none_or(|owner| owner == side) {
            let [doubles, takes, ..] = cube_noise.uniform4(game, turn);
            let between = |[low, high]: [f32; 2], u: f32| low + (high - low) * u;
            let wins = player.value(network, &board).0[0];
            if wins >= between(DOUBLE_FROM, doubles) {
                recorder.double(side)?;
                let is_taken = 1.0 - wins >= between(TAKE_FROM, takes);
                recorder.answer(1 - side, if is_taken { Answer::Take } else { Answer::Pass })?;
                if !is_taken {
                    break;
                }
            }
        }
        let dice = Dice::for_turn(dice, game, turn);
        plays.find(&board, dice);
        // Different for all turns of all games.
        let stream_of_turn = (game << 16) + turn;
        // Equities of the opponent, who rolls next, minus Gumbel noise. So the play with the lowest sum is
        // drawn from the softmax of the players' equities over `NOISE_SCALE` (the Gumbel-max trick).
        let noisy = player.ranked(network, &board, &plays, None).into_iter().map(|(i, value, _)| {
            let u = play_noise.uniform(stream_of_turn, i as u64).max(f32::MIN_POSITIVE);
            (i, value.equity() + NOISE_SCALE * (-u.ln()).ln())
        });
        let chosen = noisy.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(i, _)| i);
        recorder.play(side, dice, plays.get(chosen))?;
        side = 1 - side;
    }
    Ok(recorder.finish())
}
