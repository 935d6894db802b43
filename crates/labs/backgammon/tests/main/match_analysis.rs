//! The analysis of a match with the shipped network beside GNU Backgammon's at 2 plies. The match and its
//! judgement are what `scripts/compare_match_analysis.py FOLDER --matches 1 --seed 5` wrote.

use learnery_backgammon_play::analysis::{Judged, Judgement, MatchAnalysis};
use serde_json::Value;

use crate::shipped;

const MATCH: &[u8] = include_bytes!("../../../../../tests/golden/backgammon/match.mat");
const JUDGED: &str = include_str!("../../../../../tests/golden/backgammon/match.json");

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn kind(judgement: &Judgement) -> &'static str {
    match judgement.judged {
        Judged::Play(_) => "play",
        Judged::Roll { .. } => "roll",
        Judged::Cube(_) => "cube",
        Judged::Answer(_) => "answer",
    }
}

/// The same decisions are found, with equal counts and nearly equal luck and error rates, and what loses much
/// by GNU Backgammon's judgement loses something by ours.
#[test]
fn shipped_network_finds_the_errors_that_gnu_backgammon_finds() {
    let network = shipped::network();
    let mut analysis = MatchAnalysis::read(MATCH, 1).expect("a good file");
    analysis.run(&network, usize::MAX, &|| false);
    let theirs: Value = serde_json::from_str(JUDGED).expect("JSON");

    for (player, statistics) in analysis.statistics().players.iter().enumerate() {
        let expected = &theirs["players"][player];
        let numbers = [statistics.plays, statistics.unforced.number, statistics.cube_decisions];
        assert_eq!(numbers.map(f64::from), [0, 1, 2].map(|i| number(&expected["numbers"][i])));
        // The sum over some 150 rolls, each judged by another network without lookahead.
        let luck = statistics.luck.total.equity;
        assert!((luck - number(&expected["luck"])).abs() < 1.0, "{luck} {expected}");
        let rate = statistics.error_rate().expect("decisions").equity;
        let rate_there = number(&theirs["rates"][player]);
        assert!((rate - rate_there).abs() < 0.008, "{rate} {rate_there}");
    }

    // Game, action, kind and error of each decision.
    let judged = theirs["judged"].as_array().expect("a list");
    assert_eq!(judged.len(), analysis.judgements().len());
    let mut large = 0;
    for (ours, theirs) in analysis.judgements().iter().zip(judged) {
        let place = (number(&theirs[0]), number(&theirs[1]), theirs[2].as_str());
        assert_eq!((ours.game as f64 + 1.0, ours.entry as f64 + 1.0, Some(kind(ours))), place);
        let (error, error_there) = (ours.error().equity, number(&theirs[3]));
        if error_there > 0.2 {
            assert!(error > 0.05, "{error} {theirs}");
            large += 1;
        }
    }
    // As many decisions of the file lose more than 0.2.
    assert_eq!(large, 13);
}
