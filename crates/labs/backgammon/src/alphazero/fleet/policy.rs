//! Checks the policies in a result, as far as that is possible without their searches.

use crate::alphazero::sample::{FIXED_POINT_ONE, KEPT_PLAYS, Sample};
use crate::alphazero::turns::{Impossible, PlayedTurn};

/// Refuses a turn whose policy no search gives: its shares belong to different plays in their order, and sum
/// to one. A network whose weights are not numbers gives an empty policy.
pub fn check_policy(turn: &PlayedTurn) -> Result<(), Impossible> {
    if turn.sample.count == 0 {
        return Ok(());
    }
    find_problem(&turn.sample, turn.plays).map_or(Ok(()), |problem| Err(Impossible::new(&turn.game, problem)))
}

/// Says what is wrong with a policy; `None` if it is possible.
fn find_problem(sample: &Sample, plays: usize) -> Option<&'static str> {
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
    let is_descending_by_share = shares.is_sorted_by(|a, b| a >= b);
    // Whether no play was left out.
    let is_whole =
        is_ascending && (kept < KEPT_PLAYS || sum_of(shares) + kept as u32 >= FIXED_POINT_ONE as u32);
    if !is_whole && (kept < KEPT_PLAYS || plays <= KEPT_PLAYS || !is_descending_by_share || has_twice(chosen))
    {
        return Some("has a policy whose plays are out of order");
    }
    // Each share is rounded, and so is the policy itself.
    let (sum, margin) = (sum_of(shares), kept as u32 + 2);
    // The kept plays are the most probable ones, so their part of the sum is at least their part of the
    // plays.
    let least_sum =
        if is_whole { FIXED_POINT_ONE as u32 } else { FIXED_POINT_ONE as u32 * kept as u32 / plays as u32 };
    if sum > FIXED_POINT_ONE as u32 + margin || sum + margin < least_sum {
        return Some("has a policy whose shares do not sum to one");
    }
    None
}

fn sum_of(shares: &[u16]) -> u32 {
    shares.iter().map(|share| u32::from(*share)).sum()
}

fn has_twice(plays: &[u16]) -> bool {
    plays.iter().enumerate().any(|(i, play)| plays[..i].contains(play))
}
