//! Tests of the searches on small bear-off positions of backgammon, whose exact values are known from a
//! table. The table is also the evaluator of the searches.

use std::collections::HashMap;

use learnery_kernels::rng::Stream;
use learnery_search::{
    AfterstateEvaluator, Chance, Evaluator, Expectimax, Game, Noise, Options, Plies, PolicyRequest,
    SearchBatch,
};
use learnery_worlds::backgammon::{Board, Dice, Plays};

use super::{Backgammon, Turn};

/// The exact value, for the side about to roll, of every board in which each side has one to three checkers,
/// all on its first four points. The other checkers are borne off. Values are points divided by three, as in
/// [`Backgammon`].
struct Table {
    values: HashMap<Board, f32>,
}

impl Table {
    fn new() -> Self {
        let mut sides = Vec::new();
        // Each `code` has four fields of two bits: the number of checkers on each of the points 1 to 4.
        for code in 0..4u32.pow(4) {
            // The checkers of one side: index 0 is off (`Board::new` ignores it), 1 to 24 are the points, 25
            // is the bar.
            let mut places = [0u8; 26];
            (0..4).for_each(|i| places[i + 1] = (code >> (2 * i) & 3) as u8);
            if (1..=3).contains(&places.iter().sum::<u8>()) {
                sides.push(places);
            }
        }
        let pips = |places: &[u8; 26]| places.iter().zip(0..).map(|(n, p)| u32::from(*n) * p).sum::<u32>();
        let mut pairs: Vec<(u32, Board)> = Vec::new();
        for own in &sides {
            for other in &sides {
                let board = Board::new(own, other).expect("there is room for all");
                pairs.push((pips(own) + pips(other), board));
            }
        }
        // Every turn lowers the pip count, so this order visits successors first.
        pairs.sort_unstable();
        let mut table = Self { values: HashMap::new() };
        for (_, board) in pairs {
            let value: f32 = (0..21)
                .map(|i| {
                    Backgammon.chance_probabilities()[i]
                        * table.state_value(&Turn { board, dice: Dice::ALL[i] })
                })
                .sum();
            table.values.insert(board, value);
        }
        table
    }

    /// The exact value of a state for the side to move.
    fn state_value(&self, turn: &Turn) -> f32 {
        let mut plays = Plays::new();
        plays.find(&turn.board, turn.dice);
        plays.iter().map(|play| self.play_value(&play)).fold(f32::NEG_INFINITY, f32::max)
    }

    /// The exact value of an afterstate for the side that played.
    fn play_value(&self, play: &Board) -> f32 {
        Backgammon.terminal_value(play).unwrap_or_else(|| -self.values[play])
    }

    /// At most sixty states in which the best and the worst play have different values.
    fn turns(&self) -> Vec<Turn> {
        let mut boards: Vec<Board> = self.values.keys().copied().collect();
        boards.sort_unstable();
        let turns = boards.iter().flat_map(|board| Dice::ALL.map(|dice| Turn { board: *board, dice }));
        let gap = |turn: &Turn| {
            let mut plays = Plays::new();
            plays.find(&turn.board, turn.dice);
            let worst = plays.iter().map(|play| self.play_value(&play)).fold(f32::INFINITY, f32::min);
            self.state_value(turn) - worst
        };
        // A step of 97 spreads the states over all boards and rolls.
        turns.step_by(97).filter(|turn| gap(turn) > 1e-4).take(60).collect()
    }
}

/// Exact values with a random policy (any stream of random numbers will do).
impl Evaluator<Backgammon> for &Table {
    fn embedding_size(&self) -> usize {
        0
    }

    fn values(&mut self, turns: &[Turn], values: &mut [f32], _: &mut [f32]) {
        turns.iter().zip(values).for_each(|(turn, value)| *value = self.state_value(turn));
    }

    fn logits(&mut self, _: PolicyRequest<Backgammon>, logits: &mut [f32]) {
        Stream::new(7, 7).fill_uniform(logits.len() as u64, logits);
    }
}

impl AfterstateEvaluator<Backgammon> for &Table {
    fn afterstate_values(&mut self, plays: &[Board], values: &mut [f32]) {
        plays.iter().zip(values).for_each(|(play, value)| *value = self.play_value(play));
    }
}

#[test]
fn tree_search_with_exact_values_never_gets_worse_with_more_simulations() {
    let table = Table::new();
    let turns = table.turns();
    assert!(turns.len() > 20, "{}", turns.len());
    for chance in [Chance::Sampled, Chance::LowDiscrepancy, Chance::Exhaustive] {
        for noise in [Noise::None, Noise::Gumbel { considered: 16 }] {
            // The mean loss of value by the chosen plays.
            let regret = |simulations| {
                let options = Options { simulations, chance, noise, cpuct: 0.5, ..Options::default() };
                // A cache of 2^14 evaluations.
                let mut batch = SearchBatch::new(&Backgammon, turns.len(), options, 0, Some(14));
                (0..).zip(&turns).for_each(|(i, turn)| batch.begin(&Backgammon, i, *turn, i as u64));
                batch.run(&Backgammon, &mut &table);
                let regrets = turns.iter().enumerate().map(|(i, turn)| {
                    let root = batch.root(i);
                    table.state_value(turn) - table.play_value(&root.plays()[root.best()])
                });
                regrets.sum::<f32>() / turns.len() as f32
            };
            // Only exhaustive chance nodes have no sampling error: their regret is zero but for rounding. The
            // other bounds were measured.
            let is_exact = chance == Chance::Exhaustive;
            let slack = if is_exact { 1e-6 } else { 1e-3 };
            let regrets = [1, 8, 64, 512].map(regret);
            assert!(
                regrets.windows(2).all(|pair| pair[1] <= pair[0] + slack),
                "{chance:?} {noise:?} {regrets:?}"
            );
            let bound = if is_exact { 1e-6 } else { 3e-3 };
            assert!(regrets[3] < bound, "{chance:?} {noise:?} {regrets:?}");
        }
    }
}

#[test]
fn expectimax_with_exact_values_plays_bear_offs_perfectly() {
    let table = Table::new();
    let mut search = Expectimax::default();
    for turn in &table.turns() {
        // 100 is more than the plays of any of the states, so none is filtered.
        for plies in [Plies::One, Plies::Two { plays: 100 }] {
            let best = search.search(&Backgammon, &mut &table, turn, plies);
            assert!((search.values()[best] - table.state_value(turn)).abs() < 1e-5);
            assert!((table.play_value(&search.plays()[best]) - table.state_value(turn)).abs() < 1e-5);
        }
    }
}
