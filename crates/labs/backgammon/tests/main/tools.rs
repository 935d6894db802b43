//! Tests of the tools. A job that is asked several questions answers each as a new job would; an interrupt
//! ends a step early, with what is complete; some tools need no network; the tool `scores` agrees with the
//! tool `cube`.

use std::fmt::Debug;

use learnery_backgammon::{
    Analyse, AnalyseInput, Backgammon, BestInput, ChooseBest, CubeAtScores, CubeDecision, CubeInput,
    EvaluateInput, EvaluatePosition, LegalPlaysInput, ListLegalPlays, MatchTable, MeasureRates, PlaysInput,
    RankPlays, RatesInput, RollOut, RolloutInput, ScoresInput, TableInput,
};
use learnery_lab::{AskAgain, Budget, Checkpoint, Entry, Interrupt, Job, NamedText, Session};
use serde_json::json;

/// Position IDs: of the start position, and of the position after the opening 8/5 6/5.
const START: &str = "4HPwATDgc/ABMA";
const OTHER: &str = "sGfwATDgc/ABMA";
const MATCH: &[u8] = include_bytes!("../../../../../tests/golden/backgammon/match.mat");

/// An untrained network.
fn source() -> Checkpoint {
    let settings = json!({"hidden": 8, "second": 4, "race": 4, "games": 4, "horizon": 4, "replay": 64});
    Session::start(Entry::of::<Backgammon>(), &settings, 0).expect("good settings").save()
}

/// The second question of a job has the answer that it has alone, even if a bad question was refused before
/// the answer. The bad one comes without a file.
fn assert_second_answer_is_independent<T: AskAgain>(
    source: &Checkpoint,
    inputs: [T::Input; 2],
    bad: T::Input,
    file: Option<NamedText>,
) where
    T::Output: PartialEq + Debug,
{
    let [first, second] = inputs;
    let mut asked = Job::<T>::begin(source, first, file.clone()).expect("a good question");
    asked.answer().expect("an answer");
    let mut alone = Job::<T>::begin(source, second.clone(), file.clone()).expect("a good question");
    asked.ask_again(second, file).expect("a good question");
    assert!(asked.ask_again(bad, None).is_err(), "{}", T::ABOUT.id);
    assert_eq!(asked.answer().expect("an answer"), alone.answer().expect("an answer"), "{}", T::ABOUT.id);
}

#[test]
fn next_question_is_answered_as_if_it_were_the_first() {
    let source = source();
    let bad = || "nonsense".to_owned();
    let [one, two] = [START, OTHER].map(str::to_owned);
    let [one_roll, two_roll] = [START, OTHER].map(|id| format!("{id} 3 1"));
    let evaluate = |position, plies| EvaluateInput { position, plies };
    assert_second_answer_is_independent::<EvaluatePosition>(
        &source,
        [evaluate(one.clone(), 0), evaluate(two.clone(), 1)],
        evaluate(bad(), 0),
        None,
    );
    let plays = |position, plies| PlaysInput { position, plies, cube: plies > 0, also: String::new() };
    assert_second_answer_is_independent::<RankPlays>(
        &source,
        [plays(one_roll.clone(), 1), plays(two_roll.clone(), 0)],
        plays(bad(), 0),
        None,
    );
    let also = |play: &str| PlaysInput { also: play.into(), ..plays(one_roll.clone(), 1) };
    assert_second_answer_is_independent::<RankPlays>(
        &source,
        [plays(one_roll.clone(), 0), also("24/20")],
        also("24/19"),
        None,
    );
    let cube = |position, plies| CubeInput { position, plies };
    assert_second_answer_is_independent::<CubeDecision>(
        &source,
        [cube(one.clone(), 0), cube(two.clone(), 1)],
        cube(bad(), 1),
        None,
    );
    let best = |position, plies, simulations| BestInput { position, plies, simulations };
    let questions = [best(one_roll.clone(), 0, 4), best(two_roll.clone(), 1, 0)];
    assert_second_answer_is_independent::<ChooseBest>(&source, questions, best(bad(), 1, 0), None);
    let questions = [best(one_roll.clone(), 1, 0), best(two_roll.clone(), 0, 4)];
    assert_second_answer_is_independent::<ChooseBest>(&source, questions, best(bad(), 0, 4), None);
    let legal = |position| LegalPlaysInput { position };
    assert_second_answer_is_independent::<ListLegalPlays>(
        &source,
        [legal(one_roll), legal(two_roll)],
        legal(bad()),
        None,
    );
    let rollout = |position, games| RolloutInput { position, games, truncate: 2, ..RolloutInput::default() };
    assert_second_answer_is_independent::<RollOut>(
        &source,
        [rollout(one, 2), rollout(two, 3)],
        rollout(bad(), 2),
        None,
    );
    // The two questions are the same: a job that has ended starts again. The bad one has no file.
    let analyse = |plies| AnalyseInput { file: "a.mat".into(), plies };
    let file = NamedText { name: "a.mat".into(), bytes: MATCH.to_vec() };
    assert_second_answer_is_independent::<Analyse>(&source, [analyse(0), analyse(0)], analyse(0), Some(file));
}

#[test]
fn raised_interrupt_ends_a_step_with_what_is_complete() {
    let source = source();
    let raised = || Interrupt::new(|| true);
    let input = RolloutInput { position: START.into(), games: 100_000_000, ..RolloutInput::default() };
    let mut rollout = Job::<RollOut>::begin(&source, input, None).expect("a good question");
    rollout.interrupt_by(raised());
    rollout.advance(&mut Budget::steps(1), &mut |_| {}).expect("a step");
    assert_eq!(rollout.partial(), None, "no game is complete");
    let file = NamedText { name: "a.mat".into(), bytes: MATCH.to_vec() };
    let input = AnalyseInput { file: "a.mat".into(), plies: 2 };
    let mut analysis = Job::<Analyse>::begin(&source, input, Some(file)).expect("a good question");
    analysis.interrupt_by(raised());
    analysis.advance(&mut Budget::steps(1), &mut |_| {}).expect("a step");
    // Unlike a rollout, an analysis has a partial answer before anything is judged.
    let partial = analysis.partial().expect("a partial answer");
    assert!(partial.judged < partial.decisions && partial.text.contains("stopped after"), "{}", partial.text);
}

#[test]
fn tools_without_a_network_need_no_source() {
    let table = Job::<MatchTable>::without_network(TableInput {}, None).and_then(|mut job| job.answer());
    let table = table.expect("the table");
    // Chances before and after the Crawford game, up to matches to 25 points; at equal scores they are even.
    assert_eq!((table.before.len(), table.after[0]), (25, 0.5));
    assert!((table.before[4][4] - 0.5).abs() < 1e-9);
    let refused = Job::<MeasureRates>::without_network(RatesInput::default(), None).err();
    assert!(refused.is_some_and(|error| error.to_string() == "`rates` needs a network"));
}

/// What the tool `cube` says of the same position at each score.
#[test]
fn scores_are_those_of_single_decisions() {
    let source = source();
    let input = ScoresInput { position: START.into(), plies: 1, away: 3 };
    let answered = Job::<CubeAtScores>::begin(&source, input.clone(), None).and_then(|mut job| job.answer());
    let scores = answered.expect("an answer");
    assert_eq!(scores.decisions.len(), 9);
    for decision in &scores.decisions {
        // The start position in a match to 3 points.
        let [own, other] = decision.away.map(|away| 3 - away);
        let position = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:{own}:{other}:0:3:10");
        let alone = Job::<CubeDecision>::begin(&source, CubeInput { position, plies: 1 }, None);
        let cube = alone.and_then(|mut job| job.answer()).expect("an answer");
        assert_eq!(decision.verdict, cube.verdict, "{:?}", decision.away);
        assert_eq!(decision.action, cube.analysis["action"].as_str());
        assert_eq!(Some(decision.no_double), cube.analysis["no_double"].as_f64());
    }
    // Nobody may double at one point each, and a side that needs one point wins nothing by it.
    assert!(
        scores.decisions[0].action.is_none() && scores.text.contains("\n   1  -  -  -\n"),
        "{}",
        scores.text
    );
    let rolled = ScoresInput { position: format!("{START} 3 1"), ..input };
    let refused = Job::<CubeAtScores>::begin(&source, rolled, None).and_then(|mut job| job.answer());
    assert!(refused.is_err_and(|error| error.to_string().contains("before the roll")));
}
