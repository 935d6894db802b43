//! An external player of GNU Backgammon (gnubg), which asks it over a socket what to play. It answers the
//! requests of one connection with any evaluator. The protocol is in
//! [`learnery_worlds::backgammon::external_player`]; `learnery backgammon serve` has the socket.

use std::sync::Arc;

use learnery_worlds::backgammon::external_player::{
    Answer, BoardOptions, Evaluation, FibsBoard, Request, Setting,
};
use learnery_worlds::backgammon::matches::{NoDouble, Scoring, Stakes};
use learnery_worlds::backgammon::{Dice, Plays, Win, moves};

use crate::Evaluator;
use crate::cube::{Action, Analysis, CubePlayer, Decision, Payoffs, Response};
use crate::players::checked_plies;

/// What the player calls itself.
const ENGINE: &str = "learnery-backgammon";
/// Utilities this close are equal.
const ROUNDING_TOLERANCE: f64 = 1e-6;

/// Decides for whichever side a request is about, so it can play both sides of a game.
pub struct ExternalPlayer<E: Evaluator> {
    evaluator: Arc<E>,
    player: CubePlayer<E::Scratch>,
    plies: u8,
    /// The rules where a request does not say them.
    rules: BoardOptions,
    plays: Plays,
}

impl<E: Evaluator> ExternalPlayer<E> {
    /// An error is a sentence about the plies.
    pub fn new(evaluator: Arc<E>, plies: u8, rules: BoardOptions) -> Result<Self, String> {
        let player = CubePlayer::new(&*evaluator, checked_plies(plies)?);
        Ok(Self { evaluator, player, plies, rules, plays: Plays::new() })
    }

    /// Answers a line, without a line break at the end. What is wrong with the line becomes the answer.
    /// `None` if the client ends the connection.
    pub fn answer(&mut self, line: &str) -> Option<String> {
        let answer = match Request::parse(line, &self.rules) {
            Ok(Request::Exit) => return None,
            Ok(Request::Version) => {
                Ok(Answer::Version { engine: ENGINE, software: env!("CARGO_PKG_VERSION") })
            }
            Ok(Request::Help) => Ok(Answer::NoHelp),
            Ok(Request::Set(Setting::Interface { new })) => Ok(Answer::Interface { new }),
            Ok(Request::Set(Setting::Debug { on: false })) => Ok(Answer::DebugOff),
            Ok(Request::Set(Setting::Debug { on: true })) => Err("there is no debug output".into()),
            Ok(Request::Decide { board, options }) => self.decide(&board, &options),
            Ok(Request::Evaluate { board, options, evaluation }) => {
                self.evaluate(&board, &options, evaluation)
            }
            Err(error) => Err(error.to_string()),
        };
        Some(answer.unwrap_or_else(Answer::Error).to_string())
    }

    fn decide(&mut self, request: &FibsBoard, options: &BoardOptions) -> Result<Answer, String> {
        let stakes = request.stakes(options).map_err(|e| e.to_string())?;
        match (request.doubled, options.resignation, request.dice) {
            (true, _, _) => self.answer_double(request, &stakes),
            (false, Some(win), _) => Ok(self.answer_resignation(request, &stakes, win)),
            (false, None, Some(dice)) => self.play(request, dice, &stakes),
            (false, None, None) => {
                let analysis = self.analysis(request, &stakes);
                let doubles = analysis.decision.best().is_some_and(|(action, _)| action == Action::Double);
                Ok(if doubles { Answer::Double } else { Answer::Roll })
            }
        }
    }

    fn analysis(&mut self, request: &FibsBoard, stakes: &Stakes) -> Analysis {
        Analysis::new(&mut self.player, &*self.evaluator, &request.board, stakes)
    }

    fn play(&mut self, request: &FibsBoard, dice: Dice, stakes: &Stakes) -> Result<Answer, String> {
        self.plays.find(&request.board, dice);
        let (choice, _) = self.player.choose(&*self.evaluator, &request.board, &self.plays, stakes);
        let play_moves = moves(&request.board, dice, &self.plays.get(choice));
        // Cannot fail, because the play comes from `Plays`.
        play_moves.map(Answer::Play).ok_or_else(|| "the play has no moves".into())
    }

    /// The answer of the other side to a double by the side on roll. The side that doubled may do that where
    /// it is useless, but not where it is against the rules.
    fn answer_double(&mut self, request: &FibsBoard, stakes: &Stakes) -> Result<Answer, String> {
        match stakes.no_double() {
            // The other side has beavered, and one of the sides decides whether to go on. The board does not
            // say which. Both have just turned the cube because they want it higher, so both take.
            Some(NoDouble::NoAccess) => return Ok(Answer::Take),
            Some(refusal @ (NoDouble::Crawford | NoDouble::Highest)) => return Err(refusal.to_string()),
            // A useless double and an ordinary one are answered like any other.
            Some(NoDouble::Dead) | None => {}
        }
        let valued = self.player.value(&*self.evaluator, &request.board, &[*stakes, stakes.doubled()]);
        let [no_double, taken] = valued.utilities[..] else { return Err("a double has no value".into()) };
        let decision = Decision::new(self.player.table(), stakes, no_double, Some(taken));
        Ok(match decision.response() {
            Some((Response::Pass, _)) => Answer::Drop,
            Some((Response::Beaver, _)) => Answer::Beaver,
            Some((Response::Take, _)) | None => Answer::Take,
        })
    }

    /// Accepts if the side on roll loses by its resignation at least what the position is worth to the other
    /// side.
    fn answer_resignation(&mut self, request: &FibsBoard, stakes: &Stakes, win: Win) -> Answer {
        let expected = self.analysis(request, stakes).decision.utility();
        let resigned = Payoffs::new(self.player.table(), stakes).lost[win as usize];
        if resigned <= expected + ROUNDING_TOLERANCE { Answer::Accept } else { Answer::Reject }
    }

    /// The value of a position before the roll. Dice and a double that awaits its answer do not matter.
    fn evaluate(
        &mut self,
        request: &FibsBoard,
        options: &BoardOptions,
        evaluation: Evaluation,
    ) -> Result<Answer, String> {
        let stakes = request.stakes(options).map_err(|e| e.to_string())?;
        let plies = checked_plies(evaluation.plies.unwrap_or(self.plies))?;
        let evaluator = &*self.evaluator;
        let mut other_depth = (plies != self.plies).then(|| CubePlayer::new(evaluator, plies));
        let player = other_depth.as_mut().unwrap_or(&mut self.player);
        let analysis = Analysis::new(player, evaluator, &request.board, &stakes);
        let value = match (stakes.scoring, evaluation.cubeful) {
            (Scoring::Money { .. }, true) => analysis.equity(analysis.decision.utility()),
            // Like gnubg's, without the Jacoby rule.
            (Scoring::Money { .. }, false) => f64::from(analysis.outcomes.equity()),
            (Scoring::Match { .. }, true) => analysis.decision.utility(),
            (Scoring::Match { .. }, false) => analysis.cubeless(),
        };
        let [win, gammon, backgammon, lost_gammon, lost_backgammon] = analysis.outcomes.0.map(f64::from);
        Ok(Answer::Evaluation([win, gammon, backgammon, lost_gammon, lost_backgammon, value]))
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::backgammon::Board;

    use super::*;
    use crate::outcomes::Outcomes;
    use crate::test_evaluator::TestEvaluator;

    fn player(plies: u8) -> ExternalPlayer<TestEvaluator> {
        let evaluator = Arc::new(TestEvaluator { spread: 0.1 });
        ExternalPlayer::new(evaluator, plies, BoardOptions::default()).expect("a possible depth")
    }

    /// A bear-off, in which the exact chances are known: the side on roll (player 1 of gnubg, positive
    /// numbers) has `own` checkers on its ace point, the other side has `other` on its own. `header` is the
    /// match length (0 for money) and both scores, `rest` are the numbers from the dice on.
    fn bear_off(header: &str, own: u8, other: u8, rest: &str) -> String {
        let (zeros, other) = ("0:".repeat(22), format!("-{other}"));
        format!("board:a:b:{header}:0:{own}:{zeros}{other}:0:1:{rest}:1:-1:0:25:0:0:0:0:0:0:0:1")
    }

    fn answers(request: &str) -> Vec<String> {
        (0..=2).map(|plies| player(plies).answer(request).expect("an answer")).collect()
    }

    #[test]
    fn cube_decisions_are_exact_in_a_bear_off() {
        // The side on roll bears off its last two checkers, so it doubles and the other side passes.
        let cube = |doubled| format!("0:0:0:0:1:1:1:{doubled}");
        for (header, own, answer, response) in [
            ("0:0:0", 2, "double", "drop"),
            // Three checkers are off at once with a double only, in one of six rolls.
            ("0:0:0", 3, "roll", "beaver"),
            // In a match there are no beavers. The side on roll has four points of five, so its cube is dead.
            ("5:0:4", 2, "roll", "take"),
        ] {
            let sure = answers(&bear_off(header, own, 1, &cube(0)));
            assert_eq!(sure, [answer; 3], "{header} {own}");
            // While a double awaits its answer, gnubg exchanges the scores.
            let header = if header == "5:0:4" { "5:4:0" } else { header };
            assert_eq!(answers(&bear_off(header, own, 1, &cube(1))), [response; 3], "{header} {own}");
        }
        // After a beaver both sides want to go on.
        assert_eq!(answers(&bear_off("0:0:0", 3, 1, "0:0:0:0:2:0:1:1")), ["take"; 3]);
    }

    #[test]
    fn plays_and_passes_are_legal() {
        assert_eq!(answers(&bear_off("0:0:0", 2, 1, "3:1:3:1:1:1:1:0")), ["1/off 1/off"; 3]);
        // Two checkers on the bar before six made points: no play.
        let places = format!("{}{}2", "0:".repeat(19), "-2:".repeat(6));
        let closed = format!("board:a:b:0:0:0:{places}:1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1");
        assert_eq!(answers(&closed), [""; 3]);
    }

    /// Knows that a side with one checker left wins a gammon.
    struct LastChecker;

    impl Evaluator for LastChecker {
        type Scratch = ();

        fn scratch(&self) {}

        fn value(&self, board: &Board, (): &mut ()) -> Outcomes {
            let own_checkers: u8 = board.own_places()[1..].iter().sum();
            let gammon = Outcomes([1.0, 1.0, 0.0, 0.0, 0.0]);
            let value = if own_checkers == 1 { gammon } else { gammon.flipped() };
            Outcomes::exact(board).unwrap_or(value)
        }

        fn values_of_boards(&self, _: &Board, boards: &[Board], (): &mut (), out: &mut Vec<Outcomes>) {
            out.clear();
            out.extend(boards.iter().map(|board| self.value(board, &mut ())));
        }

        fn values_of_plays(&self, _: &Board, plays: &Plays, (): &mut (), out: &mut Vec<Outcomes>) {
            out.clear();
            out.extend(plays.iter().map(|board| self.value(&board, &mut ())));
        }
    }

    #[test]
    fn resignations_are_accepted_where_nothing_is_lost() {
        // The other side wins for sure, and it wins a gammon, because the side on roll has not borne off a
        // checker.
        let places = format!("{}15:{}-1:0", "0:".repeat(17), "0:".repeat(6));
        let board = format!("board:a:b:3:0:0:{places}:1:0:0:0:0:1:0:1:0:1:-1:0:25:0:0:0:0:0:0:0:1");
        for (points, answer) in [(1, "reject"), (2, "accept"), (3, "accept")] {
            for plies in 0..=2 {
                let rules = BoardOptions::default();
                let mut player = ExternalPlayer::new(Arc::new(LastChecker), plies, rules).expect("a depth");
                let answered = player.answer(&format!("{board} resignation {points}"));
                assert_eq!(answered.as_deref(), Some(answer), "{points} points, {plies} plies");
            }
        }
    }

    #[test]
    fn evaluation_has_the_scale_of_gnubg() {
        // Every roll bears off the last two checkers.
        let board = bear_off("0:0:0", 2, 1, "0:0:0:0:1:1:1:0");
        let sure = "1.000000 0.000000 0.000000 0.000000 0.000000 1.000000";
        for options in ["", " cubeful", " plies 2 cubeless", " plies 0 cubeful jacobyrule off"] {
            assert_eq!(answers(&format!("evaluation fibsboard {board}{options}")), [sure; 3], "{options}");
        }
        // In a match the last number is the chance to win the match: 1 away and this game won.
        let won = bear_off("5:0:4", 2, 1, "0:0:0:0:1:1:1:0");
        assert_eq!(answers(&format!("evaluation fibsboard {won} cubeful")), [sure; 3]);
        assert_eq!(answers(&format!("evaluation fibsboard {won} cubeless")), [sure; 3]);
        let deep = answers(&format!("evaluation fibsboard {board} plies 3"));
        assert!(deep.iter().all(|answer| answer == "Error: 3 plies; expected 0 to 2"), "{deep:?}");
    }

    #[test]
    fn other_requests_are_answered() {
        let mut player = player(0);
        let mut answer = |line: &str| player.answer(line);
        let version = answer("version").expect("an answer");
        assert!(version.starts_with("Interface: 2\nRFBF: 0\nEngine: learnery-backgammon\n"), "{version}");
        assert_eq!(answer("set debug off").as_deref(), Some("Debug output OFF"));
        assert_eq!(answer("exit"), None);
        for line in ["", "nonsense", "set debug on", "board:a:b"] {
            let text = answer(line).expect("an answer");
            assert!(text.starts_with("Error: ") && !text.contains('\n'), "{line}: {text}");
        }
        // Nobody doubles in the Crawford game.
        let crawford = bear_off("5:4:0", 2, 1, "0:0:0:0:1:1:1:1").trim_end_matches('1').to_owned() + "0";
        assert_eq!(answer(&crawford).as_deref(), Some("Error: nobody may double in the Crawford game"));
    }
}
