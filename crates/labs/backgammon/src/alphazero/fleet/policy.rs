//! Checks the policies in a result, as far as that is possible without their searches.

use crate::alphazero::sample::{KEPT_PLAYS, ONE, Sample};
use crate::alphazero::turns::{Impossible, PlayedTurn};

/// Refuses a turn whose policy no search gives: its shares belong to different plays in their order, and sum
/// to one. A network whose weights are not numbers gives an empty policy.
pub fn check_policy(turn: &PlayedTurn) -> Result<(), Impossible> {
    if turn.sample.count == 0 {
        return Ok(());
    }
    problem(&turn.sample, turn.plays).map_or(Ok(()), |problem| Err(Impossible::new(&turn.game, problem)))
}

/// What is wrong with a policy; `None` if it is possible.
fn problem(sample: &Sample, plays: usize) -> Option<&'static str> {
    let kept = usize::from(sample.count);
    if kept > KEPT_PLAYS {
        return Some("has a policy over too many plays");
    }
    let (chosen, shares) = (&sample.plays[..kept], &sample.probabilities[..kept]);
    if chosen.iter().any(|play| usize::from(*play) >= plays) {
        return Some("has a policy over plays that do not exist");
    }
    // With more plays than are kept, the most probable come first, and of equal ones the earlier.
    let is_ascending = chosen.is_sorted_by(|a, b| a < b);
    let by_share = chosen.iter().zip(shares).is_sorted_by(|a, b| a.1 >= b.1);
    let is_whole = is_ascending && (kept < KEPT_PLAYS || sum(shares) + kept as u32 >= ONE as u32);
    if !is_whole && (kept < KEPT_PLAYS || plays <= KEPT_PLAYS || !by_share || has_twice(chosen)) {
        return Some("has a policy whose plays are out of order");
    }
    // Each share is rounded, and so is the policy itself.
    let (sum, margin) = (sum(shares), kept as u32 + 2);
    let least = if is_whole { ONE as u32 } else { ONE as u32 * kept as u32 / plays as u32 };
    if sum > ONE as u32 + margin || sum + margin < least {
        return Some("has a policy whose shares do not sum to one");
    }
    None
}

fn sum(shares: &[u16]) -> u32 {
    shares.iter().map(|share| u32::from(*share)).sum()
}

fn has_twice(plays: &[u16]) -> bool {
    plays.iter().enumerate().any(|(i, play)| plays[..i].contains(play))
}
