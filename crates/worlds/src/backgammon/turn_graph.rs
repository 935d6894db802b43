//! A turn as a person plays it: one checker after the other, in any order that leads to a legal end.
//!
//! The ways through a turn are a graph. A node is what stands on the board with the dice that are left, a step plays
//! one die. What leads nowhere is left out, so a person can neither get stuck nor break the rules about how much must be
//! played, and whoever lets one play needs no rules.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{BAR, Board};
use super::dice::Dice;
use super::notation::moved;
use super::plays::Plays;

/// One die played. Node 0 is the board before the turn; a node that no step leaves is the end of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnStep {
    /// Where it is possible.
    pub node: u16,
    /// The checker's place in the numbering of the side that plays; 25 is the bar.
    pub from: u8,
    /// Where it goes; 0 is off.
    pub to: u8,
    /// Whether it hits somebody there.
    pub hit: bool,
    /// Where it leads.
    pub next: u16,
}

/// A board and the dice still to be played, each so many times: the larger, the smaller.
type Node = (Board, [u8; 2]);

/// All ways through a turn, nodes in the order of the dice played; of two dice that bear off the same checker the larger
/// comes first. None where nothing can be moved.
pub fn turn_graph(board: &Board, dice: Dice) -> Vec<TurnStep> {
    let numbers = [dice.high(), dice.low()];
    let mut nodes: Vec<Node> = vec![(*board, if dice.is_double() { [4, 0] } else { [1, 1] })];
    let mut known = BTreeMap::from([(nodes[0], 0)]);
    let mut tried = Vec::new();
    let mut node = 0;
    while node < nodes.len() {
        let (here, left) = nodes[node];
        for (which, die) in numbers.into_iter().enumerate().filter(|(which, _)| left[*which] > 0) {
            let mut rest = left;
            rest[which] -= 1;
            for from in (1..=BAR).rev().filter(|from| here.own(*from) > 0) {
                let Some((there, hit)) = moved(&here, from, die) else { continue };
                let next = *known.entry((there, rest)).or_insert_with(|| {
                    nodes.push((there, rest));
                    nodes.len() - 1
                });
                tried.push((node, from, from.saturating_sub(usize::from(die)), hit, next));
            }
        }
        node += 1;
    }
    let mut plays = Plays::new();
    plays.find(board, dice);
    let ends: BTreeSet<Board> = plays.iter().map(|play| play.flipped()).collect();
    // Steps lead to later nodes only, so going back every node is judged after all that follow it.
    let mut leads = vec![false; nodes.len()];
    let mut goes_on = vec![false; nodes.len()];
    let mut last = tried.len();
    for node in (0..nodes.len()).rev() {
        while last > 0 && tried[last - 1].0 == node {
            last -= 1;
            goes_on[node] |= leads[tried[last].4];
        }
        leads[node] = goes_on[node] || node > 0 && ends.contains(&nodes[node].0);
    }
    let mut count = 0;
    let number = |leads: &bool| {
        count += u16::from(*leads);
        count.saturating_sub(1)
    };
    let numbers: Vec<u16> = leads.iter().map(number).collect();
    let good = tried.into_iter().filter(|(node, .., next)| leads[*node] && leads[*next]);
    good.map(|(node, from, to, hit, next)| TurnStep {
        node: numbers[node],
        from: from as u8,
        to: to as u8,
        hit,
        next: numbers[next],
    })
    .collect()
}
