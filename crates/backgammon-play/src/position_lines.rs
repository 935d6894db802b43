//! Positions and dice as people and programs write them, and answers about them: legal plays, values, best
//! plays, cube decisions.
//!
//! A position is a GNU Backgammon position ID, optionally with a match ID behind a colon, or an XGID. Every
//! position, in a request or in an answer, is seen from the side that rolls next.

use std::fmt;

use learnery_match_files::excerpt;
use learnery_worlds::backgammon::matches::{Scoring, Stakes};
use learnery_worlds::backgammon::{Board, Dice, MatchId, Plays, Xgid};

use crate::Evaluator;
use crate::analysis::play_text;
use crate::cube::{Analysis, CubePlayer, Payoffs, ValuedPlay};
use crate::game::Turn;
use crate::outcomes::Outcomes;
use crate::players::{Lookahead, LookaheadPlayer, MAX_SIMULATIONS, SearchPlayer, checked_plies};

/// A parsed request: a position and optional dice.
struct Request {
    board: Board,
    dice: Option<Dice>,
    /// The dice in the order of the line; if they come from an ID, the larger one first; zeros if there are
    /// none.
    dice_order: [u8; 2],
    /// What the game is played for, if the ID says it; or why that is impossible.
    stakes: Option<Result<Stakes, String>>,
}

impl Request {
    fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace();
        let mut request = Self::parse_position(words.next().unwrap_or_default())?;
        let rest: Vec<&str> = words.collect();
        match rest[..] {
            [] => {}
            [a, b] => {
                let refuse = |word: &str| format!("`{}` is not a die; expected 1 to 6", excerpt(word));
                let die = |word: &str| word.parse().map_err(|_| refuse(word));
                let (a, b) = (die(a)?, die(b)?);
                let dice = Dice::new(a, b);
                request.dice = Some(dice.ok_or_else(|| format!("dice {a} and {b}; expected 1 to 6 each"))?);
                request.dice_order = [a, b];
            }
            _ => {
                let rest = excerpt(&rest.join(" "));
                return Err(format!("`{rest}` follows the position; expected two dice"));
            }
        }
        match request.board.result() {
            None => Ok(request),
            Some(_) => Err("the game is over in this position".into()),
        }
    }

    fn parse_position(id: &str) -> Result<Self, String> {
        let with_position = |e: &dyn fmt::Display| format!("position `{}`: {e}", excerpt(id));
        if id.starts_with("XGID=") {
            let Xgid { board, dice, stakes, .. } = Xgid::parse(id).map_err(|e| with_position(&e))?;
            return Ok(Self::new(board, dice, Some(stakes.map_err(|e| with_position(&e)))));
        }
        let (position, match_id) = match id.split_once(':') {
            Some((position, match_id)) => (position, Some(match_id)),
            None => (id, None),
        };
        let board = Board::from_position_id(position).map_err(|e| with_position(&e))?;
        let match_id = match_id.map(MatchId::parse).transpose().map_err(|e| with_position(&e))?;
        let stakes = match_id.map(|match_id| match_id.stakes().map_err(|e| with_position(&e)));
        Ok(Self::new(board, match_id.and_then(|match_id| match_id.dice()), stakes))
    }

    fn new(board: Board, dice: Option<Dice>, stakes: Option<Result<Stakes, String>>) -> Self {
        Self { board, dice, dice_order: dice.map_or([0; 2], |dice| [dice.high(), dice.low()]), stakes }
    }

    /// The stakes of a game in a match; `None` for money, and where the ID says nothing.
    fn match_stakes(&self) -> Result<Option<Stakes>, String> {
        let stakes = self.stakes.clone().transpose()?;
        Ok(stakes.filter(|stakes| matches!(stakes.scoring, Scoring::Match { .. })))
    }

    /// The stakes of a game with a cube. A position ID alone means money without the Jacoby rule and a cube
    /// in the middle.
    fn any_stakes(&self) -> Result<Stakes, String> {
        self.stakes.clone().unwrap_or_else(|| Ok(Stakes::money(false, false)))
    }

    fn required_dice(&self) -> Result<Dice, String> {
        self.dice.ok_or_else(|| "there are no dice; expected a position and two dice".into())
    }
}

/// Reads `POSITION` or `POSITION D1 D2`. The position may come with dice of its own.
pub fn position_and_dice(line: &str) -> Result<(Board, Option<Dice>), String> {
    Request::parse(line).map(|request| (request.board, request.dice))
}

/// The legal plays of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalPlays {
    pub board: Board,
    /// In the order of the request.
    pub dice: [u8; 2],
    /// The positions after the plays, seen from the other side. Where no checker can move, passing is a play.
    pub after: Vec<Board>,
}

impl LegalPlays {
    /// Reads the request `POSITION D1 D2`.
    pub fn of(line: &str) -> Result<Self, String> {
        let request = Request::parse(line)?;
        let dice = request.required_dice()?;
        let mut plays = Plays::new();
        plays.find(&request.board, dice);
        Ok(Self { board: request.board, dice: request.dice_order, after: plays.iter().collect() })
    }

    /// The position after the play with this notation.
    pub fn after_play(&self, notation: &str) -> Option<Board> {
        let dice = Dice::new(self.dice[0], self.dice[1])?;
        self.after.iter().find(|after| play_text(&self.board, dice, after) == notation).copied()
    }
}

/// Answers the request `POSITION D1 D2` with the position, the dice in the order of the request, and the
/// number of different plays. If `list` is true, the positions that the plays lead to follow.
pub fn plays(line: &str, list: bool) -> Result<String, String> {
    let LegalPlays { board, dice: [first, second], after } = LegalPlays::of(line)?;
    let mut answer = format!("{} {first} {second} {}", board.position_id(), after.len());
    if list {
        for board in after {
            answer.push(' ');
            answer.push_str(&board.position_id());
        }
    }
    Ok(answer)
}

/// Answers requests about values and best plays with an evaluator, such as a trained network.
pub struct Oracle<E: Evaluator> {
    evaluator: E,
    plies: u8,
    player: LookaheadPlayer<E::Scratch>,
    /// Decides about the cube, and chooses plays in matches.
    cube_player: CubePlayer<E::Scratch>,
    /// If present, plays are chosen by tree search instead of by `player`.
    search: Option<SearchPlayer<E::Scratch>>,
    plays: Plays,
}

impl<E: Evaluator> Oracle<E> {
    /// Answers with `plies` plies of lookahead. An error is a sentence about them.
    pub fn new(evaluator: E, plies: u8) -> Result<Self, String> {
        let plies = checked_plies(plies)?;
        let player = LookaheadPlayer::new(&evaluator, Lookahead { plies });
        let cube_player = CubePlayer::new(&evaluator, plies);
        Ok(Self { evaluator, plies, player, cube_player, search: None, plays: Plays::new() })
    }

    /// From now on, answers with `plies` plies of lookahead.
    pub fn set_plies(&mut self, plies: u8) -> Result<(), String> {
        if plies != self.plies {
            let plies = checked_plies(plies)?;
            self.player = LookaheadPlayer::new(&self.evaluator, Lookahead { plies });
            self.cube_player = CubePlayer::new(&self.evaluator, plies);
            self.plies = plies;
        }
        Ok(())
    }

    /// From now on, chooses plays by tree search with `simulations` simulations.
    pub fn set_tree_search(&mut self, simulations: u32) -> Result<(), String> {
        if !(1..=MAX_SIMULATIONS).contains(&simulations) {
            return Err(format!("{simulations} simulations; expected 1 to {MAX_SIMULATIONS}"));
        }
        self.search = Some(SearchPlayer::new(&self.evaluator, simulations));
        Ok(())
    }

    /// From now on, chooses plays by lookahead.
    pub fn set_lookahead(&mut self) {
        self.search = None;
    }

    /// The position of the request `POSITION`, and its value for the side on roll.
    pub fn value(&mut self, line: &str) -> Result<(Board, Outcomes), String> {
        let board = Request::parse(line)?.board;
        Ok((board, self.player.value(&self.evaluator, &board)))
    }

    /// Analyses the cube decision of the side on roll. A position ID alone means money without the Jacoby
    /// rule and a cube in the middle.
    pub fn cube(&mut self, line: &str) -> Result<Analysis, String> {
        let stakes = Request::parse(line)?.any_stakes()?;
        self.cube_at(line, &stakes)
    }

    /// Analyses the cube decision of the side on roll with other stakes than those of the position.
    pub fn cube_at(&mut self, line: &str, stakes: &Stakes) -> Result<Analysis, String> {
        let request = Request::parse(line)?;
        if request.dice.is_some() {
            return Err("the dice are rolled already; a cube decision comes before the roll".into());
        }
        Ok(Analysis::new(&mut self.cube_player, &self.evaluator, &request.board, stakes))
    }

    /// The best play of the request `POSITION D1 D2`. If the position has a match score, it is the best for
    /// the match, with the cube, and the equity counts a single game at the present cube as 1.
    pub fn best_play(&mut self, line: &str) -> Result<BestPlay, String> {
        let request = Request::parse(line)?;
        let (board, dice) = (request.board, request.required_dice()?);
        let match_stakes = request.match_stakes()?;
        self.plays.find(&board, dice);
        let plays = self.plays.len();
        let (after, equity) = if let Some(stakes) = match_stakes {
            if self.search.is_some() {
                return Err("tree search knows no match score; expected a position without one".into());
            }
            let (choice, utility) = self.cube_player.choose(&self.evaluator, &board, &self.plays, &stakes);
            let equity = Payoffs::new(self.cube_player.table(), &stakes).equity(utility);
            (self.plays.get(choice), equity)
        } else if let Some(search) = &mut self.search {
            let (after, points) = search.choose(&self.evaluator, Turn { board, dice });
            (after, f64::from(points))
        } else {
            let (choice, value) = self.player.choose(&self.evaluator, &board, &self.plays);
            (self.plays.get(choice), f64::from(value.flipped().equity()))
        };
        Ok(BestPlay { board, dice, after, equity, plays })
    }

    /// All plays of the request `POSITION D1 D2`, the best first, without tree search. Those that are best
    /// without lookahead are valued with it; the others follow.
    pub fn ranked_plays(&mut self, line: &str, options: RankOptions) -> Result<Vec<RankedPlay>, String> {
        let request = Request::parse(line)?;
        let (board, dice) = (request.board, request.required_dice()?);
        let stakes = if options.cube { Some(request.any_stakes()?) } else { request.match_stakes()? };
        let Self { evaluator, player, cube_player, plays, .. } = self;
        plays.find(&board, dice);
        let plays = &*plays;
        let always = options.also.and_then(|also| plays.iter().position(|after| after == also));
        let ranked_play = |index, equity, outcomes, is_deep| {
            let play = BestPlay { board, dice, after: plays.get(index), equity, plays: plays.len() };
            RankedPlay { play, outcomes, is_deep }
        };
        Ok(match stakes {
            Some(stakes) => {
                let payoffs = Payoffs::new(cube_player.table(), &stakes);
                let ranked = cube_player.ranked(evaluator, &board, plays, &stakes, always).into_iter();
                let listed = |(play, is_deep): (ValuedPlay, bool)| {
                    ranked_play(play.index, payoffs.equity(play.utility), play.outcomes, is_deep)
                };
                ranked.map(listed).collect()
            }
            None => {
                let ranked = player.ranked(evaluator, &board, plays, always).into_iter();
                let listed = |(index, value, is_deep): (usize, Outcomes, bool)| {
                    let outcomes = value.flipped();
                    ranked_play(index, f64::from(outcomes.equity()), outcomes, is_deep)
                };
                ranked.map(listed).collect()
            }
        })
    }
}

/// How plays are ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RankOptions {
    /// Values plays with the cube for money too, as the analysis of a match does. Without it equities are
    /// those of [`Oracle::best_play`].
    pub cube: bool,
    /// The position after a play that is valued with lookahead even if it is not among the best without.
    pub also: Option<Board>,
}

/// A play among all plays of a roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedPlay {
    pub play: BestPlay,
    /// Cubeless chances of the side that plays.
    pub outcomes: Outcomes,
    /// Whether its value has lookahead.
    pub is_deep: bool,
}

/// The answer to a request for the best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestPlay {
    /// The position before the play, seen from the side that plays.
    pub board: Board,
    pub dice: Dice,
    /// The position after the play, seen from the other side.
    pub after: Board,
    /// The equity of the play for the side that plays.
    pub equity: f64,
    /// The number of different plays.
    pub plays: usize,
}

impl BestPlay {
    /// The play in standard notation, such as `8/5 6/5`.
    pub fn notation(&self) -> String {
        play_text(&self.board, self.dice, &self.after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::MAX_PLIES;
    use crate::test_evaluator::TestEvaluator;

    #[test]
    fn positions_are_read_in_every_form() {
        // The start position and the roll 3 1: as a position ID and dice, with a match ID without dice, with
        // a match ID that has the dice, and as an XGID.
        for line in [
            "4HPwATDgc/ABMA 3 1",
            "4HPwATDgc/ABMA:cAkAAAAAAAAA 3 1",
            "4HPwATDgc/ABMA:cIkFAAAAAAAA",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        ] {
            assert_eq!(plays(line, false), Ok("4HPwATDgc/ABMA 3 1 16".into()), "{line}");
        }
        let listed = plays("4HPwATDgc/ABMA 3 1", true).expect("a good request");
        // Position, two dice and the number of plays, then 16 plays. Among them is the usual opening 8/5 6/5.
        assert!(listed.split(' ').count() == 4 + 16 && listed.contains(" sGfwATDgc/ABMA"), "{listed}");
        // Where no checker can move, passing is the only play.
        assert_eq!(plays("bfcOAAD8+gYAQA 6 3", true), Ok("bfcOAAD8+gYAQA 6 3 1 /PoGAEBt9w4AAA".into()));
    }

    #[test]
    fn plays_answer_has_the_dice_in_the_order_of_the_request() {
        for dice in ["3 1", "1 3", "6 6", "2 5", "5 2"] {
            let answer = plays(&format!("4HPwATDgc/ABMA {dice}"), false).expect("a good request");
            assert!(answer.starts_with(&format!("4HPwATDgc/ABMA {dice} ")), "{dice}: {answer}");
        }
        // Dice in the request take precedence over dice in an ID.
        let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
        assert_eq!(plays(&format!("{xgid} 1 3"), false), Ok("4HPwATDgc/ABMA 1 3 16".into()));
    }

    #[test]
    fn position_of_a_finished_game_is_rejected() {
        let mut own = [0; 26];
        own[1] = 2;
        let finished = Board::new(&own, &[0; 26]).expect("a good board");
        for board in [finished, finished.flipped()] {
            let answer = plays(&format!("{} 2 1", board.position_id()), false);
            assert_eq!(answer, Err("the game is over in this position".into()));
        }
    }

    fn oracle(plies: u8) -> Oracle<TestEvaluator> {
        Oracle::new(TestEvaluator { spread: 0.1 }, plies).expect("a possible depth")
    }

    #[test]
    fn oracle_answers_for_the_side_on_roll() {
        // One checker each on point 1: the side on roll wins. Against fifteen checkers, none of them borne
        // off, it wins a gammon.
        let [mut one, mut all] = [[0; 26]; 2];
        (one[1], all[6]) = (1, 15);
        for plies in 0..=MAX_PLIES {
            let mut oracle = oracle(plies);
            for (own, other, outcomes, equity) in
                [(one, one, [1.0, 0.0, 0.0, 0.0, 0.0], 1.0), (one, all, [1.0, 1.0, 0.0, 0.0, 0.0], 2.0)]
            {
                let board = Board::new(&own, &other).expect("a good board");
                let id = board.position_id();
                assert_eq!(oracle.value(&id), Ok((board, Outcomes(outcomes))), "{plies} plies");
                let best = oracle.best_play(&format!("{id} 2 1")).expect("a good request");
                assert_eq!((best.equity, best.plays), (equity, 1));
            }
        }
        assert!(oracle(0).best_play("4HPwATDgc/ABMA").is_err_and(|e| e.contains("no dice")));
    }

    #[test]
    fn ranked_plays_begin_with_the_best_one() {
        // For money, and at a match score.
        for line in ["4HPwATDgc/ABMA 3 1", "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:1:0:7:10"] {
            for plies in 0..=MAX_PLIES {
                let mut oracle = oracle(plies);
                let (best, ranked) = (
                    oracle.best_play(line),
                    oracle.ranked_plays(line, RankOptions::default()).expect("a good request"),
                );
                assert_eq!(Ok(ranked[0].play), best, "{line}, {plies} plies");
                assert_eq!((ranked.len(), ranked[0].is_deep), (16, plies > 0));
                let deep = ranked.iter().take_while(|play| play.is_deep).count();
                for part in [&ranked[..deep], &ranked[deep..]] {
                    assert!(
                        part.is_sorted_by(|a, b| a.play.equity >= b.play.equity),
                        "{line}, {plies} plies"
                    );
                }
                assert!(ranked[deep..].iter().all(|play| !play.is_deep));
            }
        }
        assert!(
            oracle(0)
                .ranked_plays("4HPwATDgc/ABMA", RankOptions::default())
                .is_err_and(|e| e.contains("no dice"))
        );
    }

    /// Each side has five checkers left, on points 3, 5 and 6. The bear-off table has the exact value, with
    /// or without lookahead.
    #[test]
    fn lookahead_from_an_exact_value_gives_the_same_value() {
        let mut places = [0; 26];
        (places[3], places[5], places[6]) = (2, 2, 1);
        let id = Board::new(&places, &places).expect("a good board").position_id();
        let rounded = |plies| {
            let (_, outcomes) = oracle(plies).value(&id).expect("a good request");
            outcomes.0.map(|chance| format!("{chance:.5}"))
        };
        let answers: Vec<[String; 5]> = (0..=MAX_PLIES).map(rounded).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    }

    #[test]
    fn depth_can_be_changed_between_questions() {
        let line = "4HPwATDgc/ABMA 3 1";
        let mut changed = oracle(0);
        for plies in [1, 0, 2] {
            changed.set_plies(plies).expect("a possible depth");
            assert_eq!(changed.best_play(line), oracle(plies).best_play(line), "{plies} plies");
        }
        changed.set_tree_search(8).expect("a possible search");
        changed.set_lookahead();
        assert_eq!(changed.best_play(line), oracle(2).best_play(line));
        assert!(changed.set_plies(3).is_err_and(|e| e.contains("expected 0 to 2")));
    }

    #[test]
    fn cube_takes_the_stakes_of_either_id() {
        let mut oracle = oracle(0);
        // gnubg's match ID: a match to 7, 3 to 5, cube of 4 with player 1, player 0 on roll with dice;
        // without them here.
        let id = MatchId { dice: None, ..MatchId::parse("EgHgADAAKAAE").expect("a match ID") };
        let analysis = oracle.cube(&format!("4HPwATDgc/ABMA:{}", id.id())).expect("a good request");
        assert_eq!(Ok(analysis.stakes), id.stakes());
        let alone = oracle.cube("4HPwATDgc/ABMA").expect("a good request");
        assert_eq!(alone.stakes, Stakes::money(false, false));
        let same =
            oracle.cube("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10").expect("a good request");
        assert_eq!(alone, same);
        // While a double awaits its answer, the decision is that of the side that doubled.
        let doubled =
            oracle.cube("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10").expect("a good request");
        assert_eq!(alone, doubled);
        for line in
            ["", "4HPwATDgc/ABMA 3 1", "4HPwATDgc/ABMA:cAkAAAAAAAA", "XGID=x", "4HPwATDgc/ABMA:////////////"]
        {
            let answer = oracle.cube(line).map(|analysis| analysis.verdict());
            assert!(answer.as_ref().is_err_and(|e| !e.contains('\n')), "{line}: {answer:?}");
        }
    }

    #[test]
    fn bad_requests_are_rejected() {
        for (line, sentence) in [
            ("4HPwATDgc/ABM 3 1", "14 characters; this has 13"),
            ("4HPwATDgc/ABMA", "there are no dice"),
            ("4HPwATDgc/ABMA 3", "`3` follows the position; expected two dice"),
            ("4HPwATDgc/ABMA 3 7", "expected 1 to 6"),
            ("4HPwATDgc/ABMA x 7", "`x` is not a die"),
            ("4HPwATDgc/ABMA -1 7", "`-1` is not a die"),
            ("4HPwATDgc/ABMA 999999999999 7", "is not a die"),
            ("4HPwATDgc/ABMA:AAAA 3 1", "12 characters"),
            ("/////////////w 3 1", "at most 15"),
            ("XGID=x 3 1", "colons"),
        ] {
            let answer = plays(line, false);
            assert!(answer.as_ref().is_err_and(|e| e.contains(sentence)), "{line}: {answer:?}");
        }
    }

    #[test]
    fn bad_requests_are_quoted_in_part_and_printably() {
        let hostile = format!("\u{1b}[31m\u{202e}{}", "x".repeat(100_000));
        for line in [
            hostile.clone(),
            format!("XGID={hostile}"),
            format!("4HPwATDgc/ABMA:{hostile}"),
            format!("4HPwATDgc/ABMA {hostile}"),
            format!("4HPwATDgc/ABMA {hostile} 1"),
            format!("4HPwATDgc/ABMA {}", format!("{hostile} ").repeat(5)),
        ] {
            let error = plays(&line, false).expect_err("a bad request");
            let is_printable = |c: char| !c.is_control() && c != '\u{202e}';
            assert!(error.chars().count() < 250 && error.chars().all(is_printable), "{error:?}");
        }
    }
}
