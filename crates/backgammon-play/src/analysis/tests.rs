//! Judgements beside slower ways to get the same numbers, partial results, and what must not change them.

use std::sync::atomic::{AtomicUsize, Ordering};

use learnery_match_files::read;
use learnery_worlds::backgammon::matches::{Answer, Stakes};
use learnery_worlds::backgammon::{Board, Dice, Plays};
use serde_json::Value;

use super::report::{COLUMN_WIDTH, LABEL_WIDTH};
use super::tasks::TaskChoice;
use super::*;
use crate::cube::{CubePlayer, Decision, MatchEquityTable, Payoffs, opposite};
use crate::test_evaluator::TestEvaluator;

/// Cubes by both players, a pass, a Crawford game, a roll that nobody played.
const MATCH: &str = "\
; [EventDate \"2026.11.22\"]

 3 point match

 Game 1
 Ada : 0                        Ben : 0
  1) 21: 6/4 4/3                 65: 24/18 18/13
  2) 32: 13/11 6/3               66: 13/7 13/7 13/7 13/7
  3) 31: 8/5 8/7                 43: 24/20* 20/17*
  4) 53: 25/20 25/22              Doubles => 2
  5)  Takes                      43: 7/3* 6/3
  6) 62: 25/23 13/7              52: 17/15 15/10
                                  Wins 2 points

 Game 2
 Ada : 0                        Ben : 2
  1) 61: 13/7 8/7                52: 13/8 24/22
  2) 43: 24/20 13/10             66: 13/7 13/7 13/7 13/7
  3) 11: 6/5 6/5 8/7 8/7         31: 8/5* 6/5*
      Wins 1 point

 Game 3
 Ada : 1                        Ben : 2
  1)                             41: 24/23 13/9
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 4
 Ada : 2                        Ben : 2
  1) 52: 13/8 13/11              64: 24/14
  2) 33: ????
";

/// A money session with a beaver.
const SESSION: &str = "\
unlimited game

 Game 1
 Ada : 0                        Ben : 0
  1) 61: 13/7 8/7                52: 24/22 13/8
  2)  Doubles => 2                Beavers => 4
  3) 31: 8/5 6/5                 62: 13/7 13/11
";

/// Plays differ much.
const EVALUATOR: TestEvaluator = TestEvaluator { spread: 1.0 };

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool")
}

fn new(text: &str, plies: u8) -> MatchAnalysis {
    MatchAnalysis::read(text.as_bytes(), plies).expect("a good file")
}

fn judged(text: &str, plies: u8) -> MatchAnalysis {
    let mut analysis = new(text, plies);
    analysis.run(&EVALUATOR, usize::MAX, &|| false);
    assert!(analysis.is_finished());
    analysis
}

/// The utility of a play for the side that makes it: the other side acts best with the cube, and is valued
/// alone.
fn slow_utility(player: &mut CubePlayer<()>, after: &Board, stakes: &Stakes) -> f64 {
    let theirs = stakes.flipped();
    let may_double = theirs.no_double().is_none();
    let stay = player.value(&EVALUATOR, after, &[theirs]).utilities[0];
    let doubled = may_double.then(|| player.value(&EVALUATOR, after, &[theirs.doubled()]).utilities[0]);
    opposite(stakes, Decision::new(MatchEquityTable::shared(), &theirs, stay, doubled).utility())
}

#[test]
fn play_errors_are_those_of_every_play_valued_alone() {
    let plies = 0;
    let mut player = CubePlayer::new(&EVALUATOR, plies);
    let mut plays = Plays::new();
    let mut errors = 0;
    for judgement in [judged(MATCH, plies), judged(SESSION, plies)].iter().flat_map(MatchAnalysis::judgements)
    {
        let Judged::Play(play) = &judgement.judged else { continue };
        plays.find(&judgement.board, play.dice);
        let stakes = &judgement.stakes;
        let mut utility = |after: &Board| slow_utility(&mut player, after, stakes);
        let all: Vec<f64> = plays.iter().map(|after| utility(&after)).collect();
        let best = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lost = best - utility(&play.played.after);
        assert_eq!(play.plays, all.len());
        assert!((play.error.utility - lost).abs() < 1e-5, "{play:?} {lost}");
        let payoffs = Payoffs::new(MatchEquityTable::shared(), stakes);
        let equity = payoffs.equity(best) - payoffs.equity(best - lost);
        assert!((play.error.equity - equity).abs() < 1e-4, "{play:?} {equity}");
        errors += u32::from(lost > 0.01);
    }
    assert!(errors > 5, "{errors}");
}

#[test]
fn lookahead_values_both_plays_and_never_prefers_what_was_played_to_itself() {
    let mut player = CubePlayer::new(&EVALUATOR, 1);
    for judgement in judged(MATCH, 1).judgements() {
        let Judged::Play(play) = &judgement.judged else { continue };
        for value in [play.played, play.best] {
            let slow = slow_utility(&mut player, &value.after, &judgement.stakes);
            assert!((value.value.utility - slow).abs() < 1e-6, "{value:?} {slow}");
        }
        assert!(play.error.utility >= 0.0 && play.error.equity >= 0.0, "{play:?}");
        assert_eq!(play.error.utility == 0.0, play.played == play.best);
    }
}

#[test]
fn luck_is_zero_on_average() {
    for task in new(MATCH, 0).tasks.iter().chain(&new(SESSION, 0).tasks) {
        let (TaskChoice::Play { .. } | TaskChoice::Roll { .. }) = task.choice else { continue };
        let mut judge = Judge::new(&EVALUATOR, 0);
        let mut luck = |task: &Task, dice: Dice| {
            let choice = TaskChoice::Roll { dice };
            let judgement = judge.judge(&Task { choice, ..task.clone() }, &|| false).expect("not stopped");
            judgement.luck().expect("a roll has luck").utility
        };
        let mut mean = 0.0;
        if task.is_opening() {
            let other = Task { stakes: task.stakes.flipped(), ..task.clone() };
            for dice in Dice::ALL.into_iter().filter(|dice| !dice.is_double()) {
                mean += (luck(task, dice) - luck(&other, dice)) / 30.0;
            }
        } else {
            Dice::ALL.iter().for_each(|dice| mean += f64::from(dice.ways()) / 36.0 * luck(task, *dice));
            // The mean after a roll is what one ply of lookahead says.
            let mut player = CubePlayer::new(&EVALUATOR, 1);
            let expected = player.value(&EVALUATOR, &task.board, &[task.stakes]).utilities[0];
            let mut plays = Plays::new();
            // Any roll will do; number 4 is 3 2.
            plays.find(&task.board, Dice::ALL[4]);
            let mut player = CubePlayer::new(&EVALUATOR, 0);
            let rolled = player.choose(&EVALUATOR, &task.board, &plays, &task.stakes).1;
            assert!((luck(task, Dice::ALL[4]) - (rolled - expected)).abs() < 1e-6);
        }
        assert!(mean.abs() < 1e-6, "{mean}");
    }
}

#[test]
fn cube_errors_follow_from_the_utilities_of_the_actions() {
    let mut seen = [0; 3];
    for judgement in [judged(MATCH, 1), judged(SESSION, 1)].iter().flat_map(MatchAnalysis::judgements) {
        let (decision, error, expected) = match &judgement.judged {
            Judged::Cube(cube) => {
                let taken = cube.decision.double_take.expect("valued");
                let beavered = cube.decision.double_beaver.unwrap_or(taken);
                let doubled = taken.min(beavered).min(cube.decision.double_pass);
                let best = doubled.max(cube.decision.no_double);
                seen[usize::from(cube.doubled)] += 1;
                let chosen = if cube.doubled { doubled } else { cube.decision.no_double };
                assert!(cube.counts || !cube.doubled);
                (cube.decision, cube.error, best - chosen)
            }
            Judged::Answer(answer) => {
                let taken = answer.decision.double_take.expect("valued");
                let beavered = answer.decision.double_beaver.unwrap_or(taken);
                seen[2] += 1;
                let chosen = match answer.answer {
                    Answer::Take => taken,
                    Answer::Pass => answer.decision.double_pass,
                    Answer::Beaver => beavered,
                };
                let best = taken.min(beavered).min(answer.decision.double_pass);
                (answer.decision, answer.error, chosen - best)
            }
            Judged::Play(_) | Judged::Roll { .. } => continue,
        };
        assert!((error.utility - expected).abs() < 1e-8 && error.utility >= 0.0, "{decision:?} {expected}");
        assert_eq!(judgement.error(), error);
    }
    // Decisions not to double, doubles, answers.
    assert_eq!(seen, [9, 3, 3]);
}

#[test]
fn statistics_add_up() {
    let analysis = judged(MATCH, 0);
    let statistics = analysis.statistics();
    let [ada, ben] = &statistics.players;
    // Counted in the text of the match.
    assert_eq!([ada.plays, ben.plays], [9, 10]);
    // The last roll was not played.
    assert_eq!([ada.luck.number, ben.luck.number], [10, 10]);
    assert_eq!([ada.rolls.iter().sum::<u32>(), ben.rolls.iter().sum()], [10, 10]);
    assert_eq!([ada.doubles, ada.takes, ada.passes, ada.beavers], [1, 1, 0, 0]);
    assert_eq!([ben.doubles, ben.takes, ben.passes, ben.beavers], [1, 0, 1, 0]);
    for (player, statistics) in statistics.players.iter().enumerate() {
        let own = || analysis.judgements().iter().filter(|judgement| judgement.player == player);
        let error: f64 = own().map(|judgement| judgement.error().equity).sum();
        assert!((statistics.error().equity - error).abs() < 1e-9);
        let rate = statistics.error_rate().expect("decisions").equity;
        assert!((rate * f64::from(statistics.decisions()) - error).abs() < 1e-9);
        let counted = own().filter(|judgement| match &judgement.judged {
            Judged::Play(play) => play.plays > 1,
            Judged::Cube(cube) => cube.counts,
            Judged::Answer(_) => true,
            Judged::Roll { .. } => false,
        });
        assert_eq!(statistics.decisions(), counted.count() as u32);
    }
    // The score before the last game is even, and it has not ended.
    let result = analysis.result().expect("all is judged");
    assert!((result.actual - 0.5).abs() < 1e-12, "{result:?}");
    let money = judged(SESSION, 0);
    assert_eq!(money.result().map(|result| result.actual), Some(0.0));
    assert_eq!(money.statistics().players[1].beavers, 1);
}

#[test]
fn result_does_not_depend_on_threads_or_steps() {
    let run = |threads: usize| {
        let mut analysis = new(MATCH, 1);
        pool(threads).install(|| analysis.run(&EVALUATOR, usize::MAX, &|| false));
        analysis.judgements().to_vec()
    };
    let one = run(1);
    assert_eq!(one, run(3));
    let mut sliced = new(MATCH, 1);
    while !sliced.is_finished() {
        sliced.run(&EVALUATOR, 7, &|| false);
    }
    assert_eq!(sliced.judgements(), one);
    let mut stepped = new(MATCH, 1);
    while let Some(judgement) = stepped.step(&EVALUATOR).cloned() {
        assert_eq!(judgement, one[stepped.judgements().len() - 1]);
    }
    assert_eq!(stepped.judgements(), one);
}

#[test]
fn stopped_analysis_says_what_it_has_and_continues() {
    let whole = judged(MATCH, 1);
    let mut analysis = new(MATCH, 1);
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Ordering::Relaxed) > 60;
    pool(2).install(|| analysis.run(&EVALUATOR, usize::MAX, &stop));
    let judged = analysis.judgements().len();
    assert!(judged > 0 && !analysis.is_finished(), "{judged}");
    assert_eq!(analysis.judgements(), &whole.judgements()[..judged]);
    let words = format!("stopped after {judged} of {} decisions", analysis.decisions());
    assert!(analysis.text().contains(&words) && analysis.mat().contains(&words), "{}", analysis.text());
    assert_eq!(
        (&analysis.json()["complete"], &analysis.json()["result"]),
        (&Value::Bool(false), &Value::Null)
    );
    // Nothing is judged yet.
    assert!(new(MATCH, 1).text().contains("stopped after 0 of"));
    analysis.run(&EVALUATOR, usize::MAX, &|| false);
    assert_eq!(analysis.judgements(), whole.judgements());
    assert_eq!(analysis.text(), whole.text());
}

#[test]
fn annotated_file_is_the_same_match() {
    for text in [MATCH, SESSION] {
        let analysis = judged(text, 0);
        let annotated = analysis.mat();
        let again = read(annotated.as_bytes()).expect("our own file").record;
        assert_eq!(again.games(), analysis.record().games());
        assert_eq!(
            (again.players(), again.rules()),
            (analysis.record().players(), analysis.record().rules())
        );
        let commented = analysis.judgements().iter().filter(|j| j.error().equity > 0.0005).count();
        let is_error =
            |line: &&str| line.starts_with("; ") && line.contains(" error ") && !line.contains("rate");
        assert_eq!(annotated.lines().filter(is_error).count(), commented, "{annotated}");
    }
    assert!(judged(MATCH, 0).mat().contains("\n; 1.1 Ada: "));
}

/// The cells of both players in a row of the report's table below a heading.
fn cells<'a>(table: &'a str, heading: &str, label: &str) -> [&'a str; 2] {
    let mut below = table.lines().skip_while(|line| line.trim_end() != heading);
    let row = below.find(|line| line.starts_with(label)).expect("a row with this label");
    let (first, second) = row.split_at(LABEL_WIDTH).1.split_at(COLUMN_WIDTH);
    [first.trim(), second.trim()]
}

/// The number at the beginning of a text.
fn number(text: &str) -> f64 {
    text.split([' ', ':']).next().and_then(|number| number.parse().ok()).expect("a number")
}

/// What the page shows, the table, the JSON and the annotated file, each written by code of its own.
#[test]
fn report_table_json_and_annotated_file_have_the_same_numbers() {
    let (mut commented, mut worst) = (0, 0);
    for text in [MATCH, SESSION] {
        let analysis = judged(text, 1);
        let (file, table, json) = (analysis.mat(), analysis.text(), analysis.json());
        let rates = cells(&table, "All decisions", "Error for each decision");
        let errors = cells(&table, "All decisions", "Error, equity");
        let lucks = cells(&table, "Luck", "Luck, equity");
        let ratings = cells(&table, "All decisions", "Rating");
        for (player, name) in analysis.record().players().iter().enumerate() {
            let report = analysis.statistics().players[player].report();
            let fields = &json["players"][player];
            let field = |name: &str| fields[name]["equity"].as_f64().expect("an equity");

            // The file tells both totals in a line.
            let start = format!("; {name}: error rate ");
            let line = file.lines().find_map(|line| line.strip_prefix(&start)).expect("a line of the player");
            let (rate, rest) = line.split_once(" (").expect("a rating");
            let (rating, luck) = rest.split_once("), luck ").expect("the luck");
            assert_eq!((rate, rating), (rates[player], ratings[player]), "{line}");
            assert_eq!(Some(rate), report.error_rate.map(|rate| format!("{rate:.1}")).as_deref());
            assert_eq!((Some(rating), fields["rating"].as_str()), (report.rating, Some(rating)));
            assert!((number(rate) - 1000.0 * field("error_rate")).abs() < 0.0501, "{rate} {fields}");
            assert!(lucks[player].starts_with(luck), "{line} {}", lucks[player]);
            assert_eq!(luck, format!("{:+.3}", report.luck));
            assert!((number(luck) - field("luck")).abs() < 0.000_501, "{luck} {fields}");
            assert_eq!(fields["decisions"], report.decisions);

            // Its comments add up to the error of all decisions. Each is rounded, and there are none of the
            // smallest errors.
            let is_about_player = |line: &&str| line.split(' ').nth(2) == Some(&format!("{name}:"));
            let comments = file.lines().filter(|line| line.starts_with("; ")).filter(is_about_player);
            let told: Vec<f64> = comments
                .filter_map(|line| line.split_once(" error "))
                .map(|(_, error)| number(error))
                .collect();
            let sum: f64 = told.iter().sum();
            let own = analysis.judgements().iter().filter(|judgement| judgement.player == player).count();
            let rounding = 0.000_5 * own as f64;
            commented += told.len();
            assert!((sum - field("error")).abs() <= rounding, "{sum} {fields}");
            assert!((number(errors[player]) - sum).abs() <= rounding + 0.000_5, "{sum} {table}");
            assert!((f64::from(report.cost) - field("error")).abs() < 1e-5, "{report:?}");
        }
        // The worst decisions of the table are comments of the file, with the same amounts.
        for (what, amount) in table.lines().filter_map(|line| line.trim_start().split_once("; loses ")) {
            assert!(file.contains(&format!("error {amount}: {what}")), "{what}, {amount}\n{file}");
            worst += 1;
        }
    }
    assert!(commented > 8 && worst > 6, "{commented} {worst}");
}

/// The names and kinds of all fields.
fn schema(value: &Value, path: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| schema(value, &format!("{path}.{name}"), out));
        }
        Value::Array(items) => items.iter().for_each(|value| schema(value, &format!("{path}[]"), out)),
        Value::Null => {}
        Value::Bool(_) => out.push(format!("{path}: bool")),
        Value::Number(_) => out.push(format!("{path}: number")),
        Value::String(_) => out.push(format!("{path}: text")),
    }
}

/// A change of the fields must be one that readers can live with: new fields only.
#[test]
fn json_has_the_fields_that_it_had() {
    let mut fields = Vec::new();
    for text in [MATCH, SESSION] {
        schema(&judged(text, 0).json(), "", &mut fields);
    }
    fields.sort_unstable();
    fields.dedup();
    let expected: Vec<&str> = include_str!("json_fields.txt").lines().collect();
    assert_eq!(fields, expected, "\n{}", fields.join("\n"));
}

#[test]
fn bad_files_are_refused_with_their_line() {
    for (from, to, words) in [
        ("8/5 8/7", "8/5 8/6", "line 9 "),
        ("3 point match", "3 point", "line 5 "),
        ("Doubles => 2\n  5)", "Doubles => 8\n  5)", "line 10 "),
        ("Ada : 1 ", "Ada : 2 ", "line 23 "),
    ] {
        let text = MATCH.replacen(from, to, 1);
        assert_ne!(text, MATCH);
        let error = MatchAnalysis::read(text.as_bytes(), 0).expect_err("a bad file").to_string();
        assert!(error.contains(words) && !error.contains('\n'), "{error}");
    }
    assert!(MatchAnalysis::read(b"", 0).is_err());
    assert!(MatchAnalysis::check(&EVALUATOR, 3).is_err_and(|e| e.contains("expected 0 to 2")));
}
