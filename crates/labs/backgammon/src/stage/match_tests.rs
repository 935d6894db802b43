//! Tests of matches on the stage: a match by scripted decisions, the Crawford game, money with the Jacoby
//! rule, refused commands, an agent that decides about the cube, resignations, and the file of a match under
//! way.

use learnery_backgammon_play::analysis::MatchAnalysis;
use learnery_backgammon_play::cube::{self, Analysis, CubePlayer};
use learnery_match_files::{Action, GameRecord, MatchRecord};
use learnery_nn::Weights;

use super::tests::{path, untrained, with_version};
use super::*;
use crate::afterstates::Network;
use crate::match_view::{CubeChoice, MatchStep, MatchView};
use crate::view::StageView;

const ROLL: BackgammonCommand = BackgammonCommand::Roll;
const DOUBLE: BackgammonCommand = BackgammonCommand::Double;
const TAKE: BackgammonCommand = BackgammonCommand::Take;
const PASS: BackgammonCommand = BackgammonCommand::Pass;
/// The time between two frames, longer than on the page, so that games are quick. A turn is shown for 1.6
/// seconds, which are 22 frames; the 21 rolls of a cube decision are valued in eleven.
const FRAME_SECONDS: f64 = 0.07;

/// What the page gets of the stage, and the part of it that is about the match.
struct Seen {
    view: StageView,
    state: MatchView,
}

/// A stage with a match and an untrained network.
struct Table {
    network: Network,
    weights: Weights,
    stage: Stage,
}

impl Table {
    /// Begins a match, or a money session if `length` is 0.
    fn new(seed: u32, length: u8, beavers: bool) -> Self {
        Self::with_network(untrained(), seed, length, beavers)
    }

    fn with_network((network, weights): (Network, Weights), seed: u32, length: u8, beavers: bool) -> Self {
        let stage = Stage::new(with_version(&network, &weights, 0), Stream::new(seed, 0));
        let mut table = Self { network, weights, stage };
        let begin = BackgammonCommand::NewMatch { players: Players::Learner, length, beavers };
        table.send(begin).expect("a match");
        table
    }

    fn send(&mut self, command: BackgammonCommand) -> Result<(), String> {
        let learner = with_version(&self.network, &self.weights, 0);
        self.stage.apply(learner, command).map(drop).map_err(|e| e.to_string())
    }

    /// The match so far as a file.
    fn file(&mut self) -> String {
        let learner = with_version(&self.network, &self.weights, 0);
        self.stage.apply(learner, BackgammonCommand::Save).expect("a match").expect("a file")
    }

    fn view(&self) -> Seen {
        let view = self.stage.view();
        let state = view.match_play.clone().expect("a match");
        Seen { view, state }
    }

    /// Lets time pass until the user has to do something.
    fn until_asked(&mut self) {
        for _ in 0..100_000 {
            if self.stage.awaits_user() {
                return;
            }
            let learner = with_version(&self.network, &self.weights, 0);
            self.stage.animate(learner, FRAME_SECONDS);
        }
        panic!("the user is not asked");
    }

    /// The match as the saved file has it.
    fn saved(&mut self) -> MatchRecord {
        let text = self.file();
        learnery_match_files::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}\n{text}")).record
    }

    /// Lets time pass, plays the user's rolls, and begins the next game. Returns when the user is asked about
    /// the cube, at the end of each game, and with `after_each_frame` after each frame.
    fn go_on(&mut self, after_each_frame: bool) -> Seen {
        for _ in 0..1_000_000 {
            let Seen { view, state } = self.view();
            if view.awaits {
                let play = BackgammonCommand::Play { turn: view.turn, steps: path(&view, false) };
                self.send(play).expect("a legal play");
            } else if state.step == MatchStep::NextGame {
                self.send(BackgammonCommand::Next).expect("another game");
            }
            let learner = with_version(&self.network, &self.weights, 0);
            self.stage.animate(learner, FRAME_SECONDS);
            let Seen { view, state } = self.view();
            let asks_about_cube = !view.awaits && self.stage.awaits_user();
            if after_each_frame
                || asks_about_cube
                || matches!(state.step, MatchStep::NextGame | MatchStep::Over)
            {
                return Seen { view, state };
            }
        }
        panic!("nothing happens");
    }

    /// Plays to the end of the game. The user does `turn` where it may double, and answers doubles with
    /// `answer`.
    fn play_game(&mut self, turn: &BackgammonCommand, answer: &BackgammonCommand) -> Seen {
        let mut seen = self.go_on(false);
        loop {
            match seen.state.step {
                MatchStep::DoubleOrRoll => self.send(turn.clone()).expect("a legal decision"),
                MatchStep::Answer => self.send(answer.clone()).expect("a legal decision"),
                MatchStep::Play => {}
                MatchStep::NextGame | MatchStep::Over => return seen,
            }
            // A pass may have ended the game.
            let now = self.view();
            let is_over = matches!(now.state.step, MatchStep::NextGame | MatchStep::Over);
            seen = if is_over { now } else { self.go_on(false) };
        }
    }
}

#[test]
fn match_is_played_to_its_end_with_the_cube() {
    let mut table = Table::new(5, 3, false);
    let Seen { view, state: opening } = table.view();
    assert_eq!((opening.length, opening.cube, opening.owner, opening.crawford), (3, 1, None, false));
    assert!(view.dice[0] != view.dice[1], "nobody doubles before the opening roll");
    let (mut games, mut before) = (0, [0; 2]);
    let Seen { view: end, state } = loop {
        let Seen { view: end, state } = table.play_game(&DOUBLE, &TAKE);
        games += 1;
        assert_eq!(end.score.iter().sum::<u32>() - before.iter().sum::<u32>(), state.points);
        assert_eq!(
            state.points,
            state.cube * if state.passed { 1 } else { u32::from(end.result.unsigned_abs()) }
        );
        assert!(!state.crawford || (state.cube == 1 && !state.passed));
        before = end.score;
        if state.step == MatchStep::Over {
            break Seen { view: end, state };
        }
        assert_eq!(state.winner, None);
    };
    let winner = usize::from(state.winner.expect("a winner"));
    assert!(end.score[winner] >= 3 && end.score[1 - winner] < 3);
    assert!(table.send(BackgammonCommand::Next).is_err_and(|e| e.contains("over")));
    let record = table.stage.match_play.as_ref().expect("a match").record();
    assert_eq!((record.games().len(), record.score()), (games, end.score));
    let actions = record.games().iter().flat_map(GameRecord::entries);
    assert!(actions.clone().any(|entry| entry.player == 0 && entry.action == Action::Double));
    // The match can be left for single games.
    table.send(BackgammonCommand::NewGame { players: Players::Learner }).expect("a single game");
    let single = table.stage.view();
    assert!(single.match_play.is_none() && single.score == [0, 0]);
}

#[test]
fn nobody_doubles_in_the_crawford_game() {
    for seed in 0..40 {
        let mut table = Table::new(seed, 3, false);
        let Seen { view: mut end, mut state } = table.play_game(&ROLL, &PASS);
        while state.step != MatchStep::Over && end.score.iter().all(|points| *points != 2) {
            Seen { view: end, state } = table.play_game(&ROLL, &PASS);
        }
        if state.step == MatchStep::Over {
            continue;
        }
        assert!(!state.crawford);
        loop {
            let Seen { state, .. } = table.go_on(true);
            assert!(
                state.crawford
                    && matches!(state.step, MatchStep::Play | MatchStep::NextGame | MatchStep::Over)
            );
            assert!(table.send(DOUBLE).is_err());
            if state.step != MatchStep::Play {
                return;
            }
        }
    }
    panic!("no match came to a Crawford game");
}

#[test]
fn gammons_count_for_money_once_the_cube_is_turned() {
    let mut table = Table::new(1, 0, false);
    let mut gammons = [0; 2];
    for game in 0..60 {
        let turn = if game % 2 == 0 { ROLL } else { DOUBLE };
        let Seen { view: end, state } = table.play_game(&turn, &TAKE);
        assert_eq!((state.length, state.winner), (0, None));
        let counted = if state.passed || state.cube == 1 { 1 } else { u32::from(end.result.unsigned_abs()) };
        assert_eq!(state.points, state.cube * counted);
        gammons[usize::from(state.cube > 1)] += u32::from(!state.passed && end.result.abs() > 1);
    }
    assert!(gammons[0] > 0 && gammons[1] > 0, "{gammons:?}");
}

#[test]
fn beaver_turns_the_cube_twice() {
    let mut table = Table::new(2, 0, true);
    loop {
        let Seen { state, .. } = table.go_on(false);
        match state.step {
            MatchStep::DoubleOrRoll => table.send(ROLL).expect("legal"),
            MatchStep::Answer => break,
            _ => {}
        }
    }
    let Seen { state: before, .. } = table.view();
    table.send(BackgammonCommand::Beaver).expect("legal");
    let Seen { view, state } = table.view();
    assert_eq!((state.cube, state.owner, state.step), (4 * before.cube, Some(SOUTH), MatchStep::Play));
    assert!(view.dice[0] > 0, "the side that doubled rolls");
}

#[test]
fn illegal_decisions_are_refused() {
    let mut table = Table::new(3, 5, false);
    for length in [26, 255] {
        let command = BackgammonCommand::NewMatch { players: Players::Learner, length, beavers: true };
        assert_eq!(table.send(command).map_err(|e| e.contains("1 to 25 points")), Err(true));
    }
    let new_match = |players| BackgammonCommand::NewMatch { players, length: 5, beavers: false };
    assert!(table.send(new_match(Players::Watch)).is_err_and(|e| e.contains("needs a player")));
    assert!(table.send(new_match(Players::Expert)).is_err_and(|e| e.contains("invited")));
    let Seen { view, state } = table.view();
    assert_eq!((view.players, state.length), (Players::Learner, 5), "nothing was lost");
    let mut asked = 0;
    while asked < 20 {
        let Seen { view, state } = table.go_on(true);
        let owns_or_centred = state.owner != Some(1);
        match state.step {
            MatchStep::DoubleOrRoll if state.actor == SOUTH => {
                assert!(owns_or_centred && view.dice == [0, 0] && view.steps.0.is_empty());
                let play = BackgammonCommand::Play { turn: view.turn, steps: Vec::new() };
                assert!(table.send(play).is_err());
                assert!(table.send(TAKE).is_err_and(|e| e.contains("no double awaits")));
                assert!(table.send(BackgammonCommand::Next).is_err());
                let command = if asked % 4 == 3 { DOUBLE } else { ROLL };
                table.send(command).expect("legal");
                asked += 1;
            }
            MatchStep::Answer if state.actor == SOUTH => {
                assert!(table.send(ROLL).is_err());
                assert!(table.send(DOUBLE).is_err());
                let beaver = BackgammonCommand::Beaver;
                assert!(table.send(beaver).is_err_and(|e| e.contains("beavers")));
                table.send(PASS).expect("legal");
            }
            _ => {
                for command in [DOUBLE, ROLL, TAKE, BackgammonCommand::Undo] {
                    assert!(table.send(command).is_err());
                }
            }
        }
        if state.step == MatchStep::Over {
            table.send(new_match(Players::Learner)).expect("another match");
        }
    }
    table.send(BackgammonCommand::NewGame { players: Players::Learner }).expect("a single game");
    for command in [DOUBLE, ROLL, TAKE] {
        assert!(table.send(command).is_err_and(|e| e.contains("begin a match")));
    }
}

#[test]
fn cube_is_decided_and_judged_by_lookahead_in_slices() {
    let mut table = Table::new(4, 0, false);
    let (mut agents, mut users) = (0, 0);
    for _ in 0..100_000 {
        let Seen { state, .. } = table.view();
        if state.step == MatchStep::DoubleOrRoll {
            let stage = &table.stage;
            let stakes = stage.match_play.as_ref().and_then(|m| m.stakes(stage.side)).expect("stakes");
            let network = NetworkRef::Afterstates(&table.network, &table.weights);
            let mut player = CubePlayer::new(&network, 1);
            // The reference: all rolls at once.
            let analysis = Analysis::new(&mut player, &network, &stage.board, &stakes);
            let (action, _) = analysis.decision.best().expect("a decision");
            if state.actor == SOUTH {
                table.send(ROLL).expect("legal");
                // It is judged a few frames later, unless the game ends before.
                let mut review = None;
                while review.is_none() && !matches!(table.go_on(true).state.step, MatchStep::NextGame) {
                    review = table.view().state.cube_review;
                }
                let Some(review) = review else { continue };
                users += 1;
                let best = if action == cube::Action::Double { CubeChoice::Double } else { CubeChoice::Roll };
                assert_eq!((review.chosen, review.best), (CubeChoice::Roll, best));
                let cost = analysis.equity(analysis.decision.utility())
                    - analysis.equity(analysis.decision.no_double);
                assert!(best == CubeChoice::Roll || (f64::from(review.cost) - cost).abs() < 1e-6);
                assert_eq!(review.cost > 0.0, best == CubeChoice::Double && cost > 0.0);
            } else {
                let turn = table.stage.past.len();
                let decided = loop {
                    let Seen { state, .. } = table.go_on(true);
                    if state.step != MatchStep::DoubleOrRoll {
                        break state.step;
                    }
                };
                assert_eq!(turn, table.stage.past.len());
                assert_eq!(decided == MatchStep::Answer, action == cube::Action::Double);
                agents += 1;
            }
        }
        if table.go_on(true).state.step == MatchStep::Answer && table.stage.awaits_user() {
            table.send(TAKE).expect("legal");
        }
        if agents >= 4 && users >= 10 {
            return;
        }
    }
    panic!("{agents} decisions of the agent, {users} of the user");
}

#[test]
fn match_that_was_played_can_be_analysed_by_its_file() {
    let mut table = Table::new(6, 7, false);
    while table.play_game(&DOUBLE, &TAKE).state.step != MatchStep::Over {}
    let file = table.file();
    let analysis = MatchAnalysis::read(file.as_bytes(), 0).expect("a good file");
    let record = table.stage.match_play.as_ref().expect("a match").record();
    assert_eq!(analysis.record().players(), record.players());
    let score = |record: &MatchRecord| (record.games().len(), record.score());
    assert_eq!(score(analysis.record()), score(record));
    let plays = record.games().iter().flat_map(GameRecord::entries);
    let plays = plays.filter(|entry| matches!(entry.action, Action::Play { .. })).count();
    assert!(plays > 20 && analysis.decisions() >= plays, "{plays} {}", analysis.decisions());
}

#[test]
fn user_resigns_what_the_agent_accepts() {
    let resign = |loss| BackgammonCommand::Resign { loss };
    // A match in which the user begins.
    let mut tables = (0..20).map(|seed| Table::new(seed, 5, false));
    let mut table = tables.find(|table| table.view().view.awaits).expect("one of two sides begins");
    for loss in [0, 4] {
        assert!(table.send(resign(loss)).is_err_and(|e| e.contains("1, 2 or 3 points")));
    }
    table.send(resign(1)).expect("a single game");
    let Seen { view, state } = table.view();
    assert_eq!((state.step, state.resigned, state.passed), (MatchStep::NextGame, true, false));
    assert_eq!((state.points, view.result, view.score), (1, -1, [0, 1]));
    assert_eq!((view.dice, view.awaits, view.steps.0.len(), view.plays), ([0, 0], false, 0, 0));
    assert!(table.send(resign(1)).is_err_and(|e| e.contains("only in your turn")));
    let file = table.saved();
    assert_eq!(file.players(), &["Visitor", "Learnery"].map(String::from));
    let entries = file.games()[0].entries();
    assert!(matches!(entries.last().expect("a roll").action, Action::Roll { .. }), "{entries:?}");
    assert_eq!(file.score(), [0, 1]);

    table.send(BackgammonCommand::Next).expect("another game");
    table.until_asked();
    while table.view().state.step == MatchStep::Answer {
        assert!(table.send(resign(1)).is_err_and(|e| e.contains("only in your turn")));
        table.send(TAKE).expect("legal");
        table.until_asked();
    }
    let board = table.stage.board;
    let mut own = board.own_places();
    own[6] -= 1;
    own[0] += 1;
    table.stage.board = Board::new(&own, &board.other_places()).expect("a board");
    assert!(table.send(resign(2)).is_err_and(|e| e.contains("cannot lose a gammon")));
    table.stage.board = board;
    // A gammon is certain.
    table.stage.outlook = Outcomes([0.0, 0.0, 0.0, 1.0, 0.0]);
    assert!(table.send(resign(1)).is_err_and(|e| e.contains("declined")));
    table.send(resign(2)).expect("a gammon");
    let Seen { view, state } = table.view();
    assert_eq!((state.points, view.result, view.score), (2 * state.cube, -2, [0, 1 + 2 * state.cube]));
    assert_eq!(table.saved().score(), view.score);
    // There is nothing to resign in a single game.
    table.send(BackgammonCommand::NewGame { players: Players::Learner }).expect("a single game");
    assert!(table.send(resign(1)).is_err_and(|e| e.contains("only a game of a match")));
    assert!(table.send(BackgammonCommand::Save).is_err_and(|e| e.contains("only a match")));
}

#[test]
fn match_can_be_saved_at_every_moment() {
    let mut table = Table::new(8, 3, false);
    let mut offered = 0;
    for _ in 0..600 {
        let Seen { state, .. } = table.go_on(true);
        match state.step {
            MatchStep::DoubleOrRoll if state.actor == SOUTH => table.send(DOUBLE).expect("legal"),
            MatchStep::Answer if state.actor == SOUTH => table.send(TAKE).expect("legal"),
            MatchStep::Over => break,
            _ => {}
        }
        offered += u32::from(table.view().state.step == MatchStep::Answer);
        let file = table.saved();
        let record = table.stage.match_play.as_ref().expect("a match").record();
        assert_eq!((file.games().len(), file.score()), (record.games().len(), record.score()));
    }
    assert!(offered > 0);
}

#[test]
fn agent_of_a_paused_match_decides_about_the_cube_after_one_command() {
    let mut table = Table::new(1, 5, false);
    table.send(BackgammonCommand::Tempo { seconds: 0.0 }).expect("it can be paused");
    let mut decisions = 0;
    for _ in 0..200 {
        let Seen { view, state } = table.view();
        match state.step {
            MatchStep::Over => break,
            MatchStep::Play if view.awaits => {
                let play = BackgammonCommand::Play { turn: view.turn, steps: path(&view, false) };
                table.send(play).expect("a legal play");
            }
            MatchStep::DoubleOrRoll if state.actor == SOUTH => table.send(ROLL).expect("legal"),
            MatchStep::Answer if state.actor == SOUTH => table.send(TAKE).expect("legal"),
            MatchStep::DoubleOrRoll => {
                table.send(BackgammonCommand::Next).expect("the agent's turn");
                for _ in 0..1000 {
                    let learner = with_version(&table.network, &table.weights, 0);
                    table.stage.animate(learner, FRAME_SECONDS);
                }
                let Seen { view: after, state } = table.view();
                assert!(state.step != MatchStep::DoubleOrRoll && after.turn == view.turn, "it has decided");
                decisions += 1;
            }
            _ => table.send(BackgammonCommand::Next).expect("what comes next"),
        }
    }
    assert!(decisions > 3, "{decisions}");
}
