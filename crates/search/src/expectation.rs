//! Search by expectation: what a turn leaves behind is judged as it is, or by what each roll of the other side makes of
//! it (Tesauro, "Temporal difference learning and TD-Gammon", 1995; the expectimax of Michie, 1966).
//!
//! One ply: every play's value is what is said of it at once. Two plies: it is the expectation, over everything that
//! chance may do, of the best answer, each answer judged at once. Everything that has to be judged is collected first and
//! asked in large batches, without recursion.

use crate::Game;
use crate::evaluator::AfterstateEvaluator;

/// How far ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plies {
    /// What a turn leaves behind.
    One,
    /// What every answer to it leaves behind, for so many of the plays that look best at one ply; the others keep what
    /// they had.
    Two {
        /// How many plays.
        plays: usize,
    },
}

/// Most positions that are judged in one go.
const BATCH: usize = 512;

/// Room for a search.
pub struct Expectimax<G: Game> {
    plays: Vec<G::Play>,
    values: Vec<f32>,
    /// Plays from the one that looks best to the worst.
    order: Vec<u32>,
    answers: Answers<G>,
    scratch: G::Scratch,
}

/// The answers to some plays.
struct Answers<G: Game> {
    plays: Vec<G::Play>,
    values: Vec<f32>,
    /// Where those to each thing that chance may do end. // [plays, chances]
    ends: Vec<usize>,
    /// Which answers have not ended the game, and what they leave behind.
    open: Vec<usize>,
    asked: Vec<G::Play>,
    told: Vec<f32>,
    scratch: G::Scratch,
}

impl<G: Game> Default for Expectimax<G> {
    fn default() -> Self {
        let answers = Answers {
            plays: Vec::new(),
            values: Vec::new(),
            ends: Vec::new(),
            open: Vec::new(),
            asked: Vec::new(),
            told: Vec::new(),
            scratch: G::Scratch::default(),
        };
        Self {
            plays: Vec::new(),
            values: Vec::new(),
            order: Vec::new(),
            answers,
            scratch: G::Scratch::default(),
        }
    }
}

impl<G: Game> Expectimax<G> {
    /// Judges every play of `state`. The best is what is returned.
    pub fn search(
        &mut self,
        game: &G,
        judge: &mut impl AfterstateEvaluator<G>,
        state: &G::State,
        plies: Plies,
    ) -> usize {
        let Self { plays, values, order, answers, scratch } = self;
        plays.clear();
        game.plays(state, scratch, plays);
        values.clear();
        values.resize(plays.len(), 0.0);
        answers.judge(game, judge, plays, values);
        order.clear();
        order.extend(0..plays.len() as u32);
        // Of equal ones the first stays first.
        order.sort_unstable_by(|a, b| values[*b as usize].total_cmp(&values[*a as usize]).then(a.cmp(b)));
        if let Plies::Two { plays: most } = plies {
            for play in &order[..most.min(order.len())] {
                let play = *play as usize;
                if game.terminal_value(&plays[play]).is_none() {
                    values[play] = answers.after(game, judge, &plays[play]);
                }
            }
            // Only what was judged alike can be compared.
            let looked = &order[..most.clamp(1, order.len())];
            let best = looked
                .iter()
                .copied()
                .reduce(|best, play| if values[play as usize] > values[best as usize] { play } else { best });
            return best.unwrap_or(0) as usize;
        }
        order[0] as usize
    }

    /// The plays of the last search.
    pub fn plays(&self) -> &[G::Play] {
        &self.plays
    }

    /// What was found for each, for the side that plays.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// What a turn left behind is worth to the side that played, by the best answer to everything that chance may do.
    pub fn after(&mut self, game: &G, judge: &mut impl AfterstateEvaluator<G>, play: &G::Play) -> f32 {
        game.terminal_value(play).unwrap_or_else(|| self.answers.after(game, judge, play))
    }
}

impl<G: Game> Answers<G> {
    fn after(&mut self, game: &G, judge: &mut impl AfterstateEvaluator<G>, play: &G::Play) -> f32 {
        self.ends.clear();
        let mut plays = std::mem::take(&mut self.plays);
        let mut values = std::mem::take(&mut self.values);
        plays.clear();
        for chance in 0..game.chance_probabilities().len() {
            game.plays(&game.next_state(play, chance), &mut self.scratch, &mut plays);
            self.ends.push(plays.len());
        }
        values.clear();
        values.resize(plays.len(), 0.0);
        self.judge(game, judge, &plays, &mut values);
        let mut expected = 0.0;
        let mut begin = 0;
        for (p, end) in game.chance_probabilities().iter().zip(&self.ends) {
            expected += p * values[begin..*end].iter().copied().fold(f32::NEG_INFINITY, f32::max);
            begin = *end;
        }
        (self.plays, self.values) = (plays, values);
        if game.passes_turn(play) { -expected } else { expected }
    }

    /// What each play leaves behind is worth to the side that played: the result where the game is over, else what
    /// `judge` says.
    fn judge(
        &mut self,
        game: &G,
        judge: &mut impl AfterstateEvaluator<G>,
        plays: &[G::Play],
        values: &mut [f32],
    ) {
        self.open.clear();
        self.asked.clear();
        for (i, (play, value)) in plays.iter().zip(values.iter_mut()).enumerate() {
            match game.terminal_value(play) {
                Some(end) => *value = end,
                None => {
                    self.open.push(i);
                    self.asked.push(*play);
                }
            }
        }
        self.told.clear();
        self.told.resize(self.asked.len(), 0.0);
        for (asked, told) in self.asked.chunks(BATCH).zip(self.told.chunks_mut(BATCH)) {
            judge.afterstate_values(asked, told);
        }
        for (i, told) in self.open.iter().zip(&self.told) {
            values[*i] = *told;
        }
    }
}
