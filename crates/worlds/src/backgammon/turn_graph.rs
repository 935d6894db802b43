//! A turn as a graph of single moves, for a user interface in which a person moves one checker after the
//! other.
//!
//! A node is a board together with the dice still to be played; an edge plays one die. Edges that lead to no
//! legal play are removed, so a person cannot get stuck or break the rules on how many dice must be played,
//! and the user interface needs no rules of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{BAR, Board};
use super::dice::Dice;
use super::notation::moved;
use super::plays::Plays;

/// An edge: one checker moved by one die. Node 0 is the board before the turn; a node without outgoing edges
/// ends the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnStep {
    /// The node that the edge leaves.
    pub node: u16,
    /// The place that the checker leaves, in the numbering of the side that plays; 25 is the bar.
    pub from: u8,
    /// The place that the checker reaches; 0 is off.
    pub to: u8,
    pub hit: bool,
    /// The node that the edge reaches.
    pub next: u16,
}

/// A board, and how often the larger and the smaller number of the roll are still to be played.
type Node = (Board, [u8; 2]);

/// Returns the edges of a turn's graph, sorted by node; none if nothing can be moved. Every edge leads to a
/// node of a higher number. If both dice bear off the same checker, the edge of the larger die comes first.
pub fn turn_graph(board: &Board, dice: Dice) -> Vec<TurnStep> {
    let numbers = [dice.high(), dice.low()];
    let mut nodes: Vec<Node> = vec![(*board, if dice.is_double() { [4, 0] } else { [1, 1] })];
    let mut known = BTreeMap::from([(nodes[0], 0)]);
    // All moves, legal or not: (node, from, to, hit, next node).
    let mut candidates = Vec::new();
    let mut node = 0;
    while node < nodes.len() {
        let (board, to_play) = nodes[node];
        for (which, die) in numbers.into_iter().enumerate().filter(|(which, _)| to_play[*which] > 0) {
            let mut rest = to_play;
            rest[which] -= 1;
            for from in (1..=BAR).rev().filter(|from| board.own(*from) > 0) {
                let Some((after, hit)) = moved(&board, from, die) else { continue };
                let next = *known.entry((after, rest)).or_insert_with(|| {
                    nodes.push((after, rest));
                    nodes.len() - 1
                });
                candidates.push((node, from, from.saturating_sub(usize::from(die)), hit, next));
            }
        }
        node += 1;
    }
    let mut plays = Plays::new();
    plays.find(board, dice);
    let ends: BTreeSet<Board> = plays.iter().map(|play| play.flipped()).collect();
    // Edges lead to later nodes only, so a backward pass decides every node after its successors.
    let mut leads_to_end = vec![false; nodes.len()];
    let mut has_successor = vec![false; nodes.len()];
    // Candidates are sorted by node. Those from `last` on have been examined.
    let mut last = candidates.len();
    for node in (0..nodes.len()).rev() {
        while last > 0 && candidates[last - 1].0 == node {
            last -= 1;
            has_successor[node] |= leads_to_end[candidates[last].4];
        }
        leads_to_end[node] = has_successor[node] || node > 0 && ends.contains(&nodes[node].0);
    }
    // The remaining nodes are numbered consecutively.
    let mut count = 0;
    let number = |is_kept: &bool| {
        count += u16::from(*is_kept);
        count.saturating_sub(1)
    };
    let numbers: Vec<u16> = leads_to_end.iter().map(number).collect();
    let kept = candidates.into_iter().filter(|(node, .., next)| leads_to_end[*node] && leads_to_end[*next]);
    kept.map(|(node, from, to, hit, next)| TurnStep {
        node: numbers[node],
        from: from as u8,
        to: to as u8,
        hit,
        next: numbers[next],
    })
    .collect()
}
