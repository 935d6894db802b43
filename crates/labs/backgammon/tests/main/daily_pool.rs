//! The page's positions of the day (`www/labs/backgammon/trainer/pool.json`): the trainer asks the tool
//! `plays` what each play of a card costs, so its answers must be those of the analysis that made the cards.

use learnery_backgammon::{PlaysInput, RankPlays};
use learnery_lab::Job;
use serde_json::Value;

use crate::shipped;

const POOL: &[u8] = include_bytes!("../../../../../www/labs/backgammon/trainer/pool.json");

/// Every eighth play is asked about, because each takes a search.
const STRIDE: usize = 8;
/// Cards have four decimals; the rest is for what differs between classes of bits.
const TOLERANCE: f64 = 2e-4;

/// The position of a card as an XGID, as the page writes it (`www/labs/backgammon/set-up/xgid.ts`).
fn xgid(decision: &Value) -> String {
    let number = |name: &str| decision[name].as_i64().expect("a number");
    let letter = |count: &Value| match count.as_i64().expect("a count") {
        0 => '-',
        count @ 1.. => (b'A' + count as u8 - 1) as char,
        count => (b'a' + (-count) as u8 - 1) as char,
    };
    let places: String = decision["board"].as_array().expect("a board").iter().map(letter).collect();
    let sign_of = |player: i64| if player == 0 { 1 } else { -1 };
    let owner = decision["owner"].as_i64().map_or(0, sign_of);
    let cube = number("cube").ilog2();
    let (turn, dice) = (sign_of(number("player")), [0, 1].map(|i| decision["dice"][i].to_string()).concat());
    // All cards are of money games with the Jacoby rule and without beavers (scripts/backgammon-pool.mjs).
    format!("XGID={places}:{cube}:{owner}:{turn}:{dice}:0:0:1:0:10")
}

#[test]
fn cards_cost_what_the_trainer_says() {
    let network = shipped::checkpoint();
    let pool: Vec<Value> = serde_json::from_slice(POOL).expect("cards");
    let plays = pool.iter().filter(|card| card["decision"]["cubeReview"].is_null());
    // Beginning a job reads the network, so one job answers all.
    let mut job: Option<Job<RankPlays>> = None;
    let (mut asked, mut changed) = (0, Vec::new());
    for card in plays.step_by(STRIDE) {
        let decision = &card["decision"];
        let [played, best] = [0, 1].map(|i| decision["notations"][i].as_str().expect("a play"));
        let plies = card["plies"].as_u64().expect("plies") as u8;
        let input = PlaysInput { position: xgid(decision), plies, cube: true, also: played.into() };
        let begun = match &mut job {
            Some(job) => job.ask_again(input, None),
            None => Job::begin(&network, input, None).map(|begun| job = Some(begun)),
        };
        let answered = begun.and_then(|()| job.as_mut().expect("begun").answer());
        let answer = answered.expect("an answer").plays;
        let judged = |play: &str| {
            let found = answer.iter().find(|listed| listed.play == play && listed.plies == plies);
            found.map(|listed| listed.equity)
        };
        let cost = decision["cost"].as_f64().expect("a cost");
        match judged(played).zip(judged(best)) {
            Some((played, best))
                if (best - played - cost).abs() < TOLERANCE && answer[0].equity - best < TOLERANCE => {}
            found => changed.push(format!("{found:?} instead of a difference of {cost}: {decision}")),
        }
        asked += 1;
    }
    assert!(asked > 30, "{asked}");
    // After a change of the shipped network the pool has to be made again (scripts/backgammon-pool.mjs).
    assert!(changed.is_empty(), "{} of {asked}: {changed:#?}", changed.len());
}
