//! The learner as a whole: the same bits however it is run, and games that are what they should be.

use learnery_lab::{Budget, State, Status};

use super::*;
use crate::outcomes::Outcomes;

/// Small enough for a test; several turns of learning a unit.
fn small() -> Dials {
    Dials { games: 70, turns: 30, simulations: 6, batch: 96, memory: 3000, reuse: 0.5, ..Dials::default() }
}

fn units(run: &mut AlphaZero, n: u64) {
    for _ in 0..n {
        while run.advance(&mut Budget::unlimited()) != Status::Unit {}
    }
}

fn loaded(seed: u32, state: &State) -> Result<AlphaZero, LabError> {
    AlphaZero::load(small(), seed, &state.scalars, &state.tensors)
}

fn threads<R: Send>(n: usize, work: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads can start").install(work)
}

/// States are long; what differs is named.
fn same(a: &State, b: &State) {
    assert_eq!(a.scalars, b.scalars);
    let other = b.tensors.iter();
    let differ = a.tensors.iter().zip(other).find(|(a, b)| a != b).map(|((name, _), _)| name);
    assert_eq!(differ, None);
    assert!(a == b);
}

#[test]
fn threads_slices_and_breaks_change_nothing() {
    let run = |n| {
        threads(n, || {
            let mut run = AlphaZero::new(small(), 3);
            units(&mut run, 5);
            (run.save(), run.report().0.games)
        })
    };
    let (whole, games) = run(1);
    assert!(games > 0);
    same(&run(3).0, &whole);

    let mut run = AlphaZero::new(small(), 3);
    for unit in 0..5 {
        while run.advance(&mut Budget::steps(1)) != Status::Unit {}
        if unit == 1 || unit == 3 {
            run = loaded(3, &run.save()).expect("what was saved is whole");
        }
    }
    assert!(run.updates > 0);
    same(&run.save(), &whole);
}

/// What is played with a network is what was learned before the unit.
#[test]
fn learning_and_playing_overlap() {
    let mut run = AlphaZero::new(small(), 1);
    units(&mut run, 4);
    let before = run.network.weights.flat().to_vec();
    while run.plan.done == 0 {
        assert_eq!(run.advance(&mut Budget::steps(1)), Status::Ready);
    }
    assert!(run.network.weights.flat() != &before[..] && run.player.weights.flat() == &before[..]);
}

#[test]
fn no_game_is_lost_or_counted_twice() {
    let mut run = AlphaZero::new(small(), 9);
    let (mut games, mut turns, mut made) = (0, 0, 0);
    for unit in 0..6 {
        units(&mut run, 1);
        let tally = run.report().0;
        (games, turns) = (games + tally.games, turns + tally.turns);
        made += 70 * 30;
        if unit % 2 == 0 {
            run = loaded(9, &run.save()).expect("what was saved is whole");
        }
    }
    let under_way: u32 = run.turns().map(|(_, turn)| turn).sum();
    assert_eq!(turns + u64::from(under_way), made);
    // Seat i plays the games i, i + 70, ...: what has begun is what is over and what is under way.
    let begun: u64 = (0..70).map(|i| run.number_at(i) / 70).sum();
    assert_eq!(begun, games);
    assert!(games > 70);
}

/// Every game that is remembered has two sides and one result.
#[test]
fn results_are_seen_from_the_side_to_move() {
    let mut run = AlphaZero::new(small(), 2);
    units(&mut run, 5);
    let samples: Vec<_> = run.memory.iter().copied().collect();
    assert!(samples.len() > 1000);
    let mut ends = 0;
    for pair in samples.windows(2) {
        let (later, earlier) = (&pair[0], &pair[1]);
        let [later, earlier] = [later, earlier].map(|sample| (sample.turn, sample.came().equity()));
        assert!(later.1 != 0.0);
        // Games are remembered from their last turn to their first.
        let begins = later.0.board == learnery_worlds::backgammon::Board::START && earlier.1 > 0.0;
        if later.1 != -earlier.1 {
            assert!(begins, "{later:?} {earlier:?}");
        }
        ends += u32::from(begins);
    }
    assert!(ends > 10);
}

/// What came of a turn is what the network says of the next one where nothing is to be learned from the end.
#[test]
fn what_comes_of_a_turn_is_as_lambda_says() {
    let game = |lambda| {
        // Nothing is learned in the first unit, so that the network is what it was.
        let mut run = AlphaZero::new(Dials { lambda, turns: 200, memory: 20_000, ..small() }, 2);
        units(&mut run, 1);
        let samples: Vec<_> = run.memory.iter().copied().collect();
        let end = samples.iter().position(|s| s.turn.board == learnery_worlds::backgammon::Board::START);
        (run, samples[..=end.expect("a whole game")].to_vec())
    };
    let (_, ends) = game(1.0);
    let (run, nexts) = game(0.0);
    let (_, mixed) = game(0.6);
    let mut work = Work::new(&run.network.plan);
    let mut judge = Judge { plan: &run.network.plan, weights: &run.network.weights, work: &mut work };
    // From the last turn back.
    let mut came = ends[0].came();
    assert!(ends.len() > 20 && came.equity() > 0.0);
    for ((end, next), mixed) in ends.iter().zip(&nexts).zip(&mixed) {
        let near = |a: Outcomes, b: Outcomes| a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() < 1e-3);
        assert_eq!((end.turn, end.turn), (next.turn, mixed.turn));
        assert!(near(mixed.came(), came), "{:?} {came:?}", mixed.came());
        judge.work.rows().take(1).for_each(|row| see(&end.turn, row));
        judge.run(1);
        let told = judge.told(1).next().expect("a row");
        came = mixed.came().mixed(0.6, &told).flipped();
    }
    assert!(ends.iter().all(|s| s.came().equity().abs() >= 1.0));
    assert!(nexts[1..].iter().all(|s| s.came().equity().abs() < 0.3));
}

#[test]
fn damaged_states_are_refused() {
    let mut run = AlphaZero::new(small(), 2);
    units(&mut run, 3);
    let good = run.save();
    let refused = |change: &dyn Fn(&mut State)| {
        let mut state = good.clone();
        change(&mut state);
        let sentence = loaded(2, &state).err().map(|e| e.to_string());
        assert!(sentence.is_some_and(|s| s.starts_with("checkpoint: ")));
    };
    for name in ["memory/boards", "table0/boards", "table1/numbers", "table0/records/turns", "adam/m"] {
        refused(&|state| {
            assert!(state.tensors.remove(name));
        });
    }
    refused(&|state| state.scalars["updates"] = json!(-1));
    refused(&|state| state.tensors.insert("table0/numbers", &[64], &[1u64; 64]));
    refused(&|state| state.tensors.insert("table0/boards", &[256], &[u64::MAX; 256]));
    refused(&|state| state.tensors.insert("table0/lengths", &[64], &[u64::MAX; 64]));
}
