//! Compares the plays of one roll by a rollout.

use learnery_backgammon_play::rollout::{Rollout, RolloutOptions, best_at_one_ply};
use learnery_backgammon_play::{Evaluator, Worth};
use learnery_worlds::backgammon::{Board, Dice};

/// How many plays are compared, and how precisely.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The most plays, and by how many points they are behind the best at one ply at most.
    pub plays: usize,
    pub margin: f64,
    /// Rolls after which the network values the position.
    pub rolls: u32,
    /// Games between two looks at the differences: a multiple of 36, so that every first roll is as frequent
    /// as it should be.
    pub step: u64,
    /// The fewest and the most games from each play that is not given up.
    pub games: [u64; 2],
    /// The games end once both standard errors are at most these: that of the equity of the best play, and
    /// those of the differences to it.
    pub errors: [f64; 2],
}

impl Effort {
    pub const OPENING: Self =
        Self { plays: 6, margin: 0.08, rolls: 7, step: 72, games: [288, 1296], errors: [0.003, 0.003] };
    pub const REPLY: Self =
        Self { plays: 4, margin: 0.08, rolls: 5, step: 36, games: [72, 576], errors: [0.01, 0.006] };
    /// Less at the scores of a match, which fewer visitors of the page open.
    pub const REPLY_AT_SCORE: Self =
        Self { plays: 3, margin: 0.06, games: [36, 216], errors: [0.012, 0.009], ..Self::REPLY };
}

/// A play that is behind by more than so many standard errors of the difference is given up.
const CLEARLY_BEHIND: f64 = 4.0;
/// Selects the dice.
const SEED: u32 = 20_261_128;

/// A roll to be played.
#[derive(Clone)]
pub struct Decision {
    pub score: &'static str,
    /// What gammons count for the side that rolls.
    pub worth: Worth,
    /// The first roll and its play, to which this is the reply.
    pub opening: Option<(Dice, String)>,
    pub board: Board,
    pub dice: Dice,
}

/// A play, and what was found out about it.
#[derive(Clone, Debug)]
pub struct Found {
    pub play: String,
    /// How far it is behind the best play, and the standard error of that. A play that was given up is
    /// compared by the games that were played until then.
    pub behind: [f64; 2],
    pub games: u64,
    /// The equity and its standard error.
    pub equity: [f64; 2],
}

/// The plays of a roll, the best first.
pub fn compare(network: &impl Evaluator, decision: &Decision, effort: Effort) -> Result<Vec<Found>, String> {
    let Decision { worth, board, dice, .. } = decision;
    let plays = best_at_one_ply(network, board, *dice, *worth, effort.plays, effort.margin);
    let [least, most] = effort.games;
    let options = RolloutOptions {
        games: most,
        truncate: Some(effort.rolls),
        seed: SEED,
        worth: *worth,
        ..RolloutOptions::default()
    };
    let mut rollout = Rollout::of_plays(network, board, *dice, &plays, options)?;
    let mut found = Vec::new();
    loop {
        rollout.step(network, effort.step, &|| false, &mut |_| ());
        let best = rollout.best();
        let differences: Vec<(f64, f64)> =
            (0..rollout.candidates()).map(|i| rollout.difference(best, i)).collect();
        let is_kept = |i: usize| i == best || differences[i].0 <= CLEARLY_BEHIND * differences[i].1;
        let (left, behind): (Vec<usize>, Vec<usize>) = (0..rollout.candidates()).partition(|i| is_kept(*i));
        let of = |rollout: &Rollout, i: usize| {
            let ((behind, error), estimate) = (differences[i], rollout.estimates()[i]);
            Found {
                play: rollout.candidate(i).1.unwrap_or_default().to_owned(),
                behind: [behind, error],
                games: rollout.games(),
                equity: [estimate.equity, estimate.error],
            }
        };
        let is_precise = rollout.estimates()[best].error <= effort.errors[0]
            && left.iter().all(|i| differences[*i].1 <= effort.errors[1]);
        found.extend(behind.iter().map(|i| of(&rollout, *i)));
        if rollout.ending().is_some() || (is_precise && rollout.games() >= least) {
            found.extend(left.iter().map(|i| of(&rollout, *i)));
            break;
        }
        rollout.retain(&|i| is_kept(i));
    }
    found.sort_by(|a, b| a.behind[0].total_cmp(&b.behind[0]));
    Ok(found)
}
