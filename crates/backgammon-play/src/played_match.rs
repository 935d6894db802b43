//! A match of two players with the doubling cube, turn by turn. It can be stopped after any turn, and its
//! record can be written as a match file.

use learnery_kernels::rng::Stream;
use learnery_match_files::{MatchRecord, Recorder, Refusal};
use learnery_worlds::backgammon::matches::{Answer, Illegal, Rules, Session};
use learnery_worlds::backgammon::{Board, Dice, Plays};

use crate::Evaluator;
use crate::cube::{Action, Analysis, CubePlayer};
use crate::purpose::MATCH_DICE;

/// A match under way between two players with the same kind of evaluator. They are numbered 0 and 1.
pub struct PlayedMatch<S> {
    recorder: Recorder,
    players: [CubePlayer<S>; 2],
    dice: Stream,
    /// Turns played in the current game. This count and the game's number select the next dice.
    turns: u64,
    plays: Plays,
}

impl<S> PlayedMatch<S> {
    /// Begins a match to `length` points. Both players look `plies` rolls ahead, in plays and with the cube.
    /// `seed` selects the dice. Every call of
    /// [`PlayedMatch::play_turn`] needs the same evaluators in the same order.
    pub fn new<E: Evaluator<Scratch = S>>(
        evaluators: [&E; 2],
        names: [&str; 2],
        length: u8,
        plies: u8,
        seed: u32,
    ) -> Result<Self, Illegal> {
        Ok(Self {
            recorder: Recorder::new(names, Rules::Match { length })?,
            players: evaluators.map(|evaluator| CubePlayer::new(evaluator, plies)),
            dice: Stream::new(seed, MATCH_DICE),
            turns: 0,
            plays: Plays::new(),
        })
    }

    pub fn record(&self) -> &MatchRecord {
        self.recorder.record()
    }

    /// The score, and who has won.
    pub fn session(&self) -> &Session {
        self.recorder.session()
    }

    /// Games that have ended.
    pub fn games_played(&self) -> usize {
        self.record().games().len() - usize::from(self.recorder.board().is_some())
    }

    /// Plays a turn: a double if the player wants one, then, unless it is passed, a roll and a play. Nobody
    /// doubles before the opening roll. The first turn after the end of a game begins the next one. Nothing happens once the match is over.
    pub fn play_turn<E: Evaluator<Scratch = S>>(&mut self, evaluators: [&E; 2]) -> Result<(), Refusal> {
        if self.session().winner().is_some() {
            return Ok(());
        }
        let board = match self.recorder.board() {
            Some(board) => board,
            None => {
                self.recorder.begin_game()?;
                self.turns = 0;
                Board::START
            }
        };
        let game = self.record().games().len() as u64;
        // Each side begins with probability one half. `u64::MAX` is not the number of any turn.
        let opener = || (self.dice.block(game, u64::MAX)[0] & 1) as usize;
        let player = self.recorder.on_turn().unwrap_or_else(opener);
        if self.turns > 0 && self.offer_double(evaluators, player, &board)? == Some(Answer::Pass) {
            return Ok(());
        }
        let dice = Dice::for_turn(self.dice, game, self.turns);
        self.plays.find(&board, dice);
        let Ok(stakes) = self.session().stakes(player) else { return Ok(()) };
        let (index, _) = self.players[player].choose(evaluators[player], &board, &self.plays, &stakes);
        self.recorder.play(player, dice, self.plays.get(index))?;
        self.turns += 1;
        Ok(())
    }

    /// Lets the player on roll double if it may and wants to. Returns the other player's answer, which its own
    /// values decide.
    fn offer_double<E: Evaluator<Scratch = S>>(
        &mut self,
        evaluators: [&E; 2],
        player: usize,
        board: &Board,
    ) -> Result<Option<Answer>, Refusal> {
        let Ok(stakes) = self.session().stakes(player) else { return Ok(None) };
        let mut best_by = |judge: usize| {
            Analysis::new(&mut self.players[judge], evaluators[judge], board, &stakes).decision.best()
        };
        let Some((Action::Double, _)) = best_by(player) else { return Ok(None) };
        let Some((_, response)) = best_by(1 - player) else { return Ok(None) };
        let answer = Answer::from(response);
        self.recorder.double(player)?;
        self.recorder.answer(1 - player, answer)?;
        Ok(Some(answer))
    }
}

#[cfg(test)]
mod tests {
    use learnery_match_files::{Action, Ending, GameRecord, read, write_mat};

    use super::*;
    use crate::test_evaluator::TestEvaluator;

    /// Games of random values take long, so they are ended by the cube. A large spread makes players double.
    const BOLD: TestEvaluator = TestEvaluator { spread: 0.9 };
    const NAMES: [&str; 2] = ["First", "Second"];

    fn played(evaluators: [&TestEvaluator; 2], length: u8, plies: u8, seed: u32) -> PlayedMatch<()> {
        let mut played = PlayedMatch::new(evaluators, NAMES, length, plies, seed).expect("a legal length");
        while played.session().winner().is_none() {
            played.play_turn(evaluators).expect("legal actions");
        }
        played
    }

    #[test]
    fn match_is_played_to_its_end_and_its_file_has_the_same_record() {
        for (length, plies, seed) in [(1, 0, 1), (3, 1, 2), (7, 0, 3)] {
            let played = played([&BOLD; 2], length, plies, seed);
            let winner = played.session().winner().expect("a winner");
            assert!(played.session().score()[winner] >= u32::from(length));
            assert_eq!(played.games_played(), played.record().games().len());
            let file = read(write_mat(played.record(), None).as_bytes()).expect("a file that can be read");
            assert_eq!(file.record.games(), played.record().games());
            assert_eq!(file.record.players(), played.record().players());
        }
    }

    #[test]
    fn same_seed_gives_the_same_match_and_another_seed_other_dice() {
        let [a, b, c] = [5, 5, 6].map(|seed| played([&BOLD; 2], 3, 0, seed));
        assert_eq!(a.record(), b.record());
        assert_ne!(a.record(), c.record());
    }

    /// A player that doubles and passes by its own values, whatever those of the other are.
    #[test]
    fn each_player_decides_about_the_cube_by_its_own_values() {
        let timid = TestEvaluator { spread: 0.0 };
        let played = played([&BOLD, &timid], 5, 0, 7);
        let entries = played.record().games().iter().flat_map(GameRecord::entries);
        let doubles_of = |player| {
            entries.clone().filter(|e| e.player == player && matches!(e.action, Action::Double)).count()
        };
        assert!(doubles_of(0) > 0);
        // An even position is neither doubled nor passed.
        let passed =
            |game: &GameRecord| game.end().is_some_and(|end| end.ending == Ending::Passed && end.winner == 0);
        assert!(!played.record().games().iter().any(passed));
    }

    #[test]
    fn nobody_doubles_in_the_crawford_game() {
        let played = played([&BOLD; 2], 3, 0, 4);
        for game in played.record().games().iter().filter(|game| game.start().is_crawford()) {
            assert!(game.entries().iter().all(|entry| !matches!(entry.action, Action::Double)));
        }
    }

    #[test]
    fn match_that_is_over_stays_as_it_is() {
        let mut played = played([&BOLD; 2], 1, 0, 1);
        let record = played.record().clone();
        played.play_turn([&BOLD; 2]).expect("nothing to do");
        assert_eq!(*played.record(), record);
    }
}
