//! Sequences of turns as text.

use super::moves::{Puzzle, State, Turn};

/// The most turns of a sequence that is read, so that a text from outside cannot take long.
pub const MAX_SEQUENCE: usize = 10_000;

impl Puzzle {
    /// Reads a sequence. Each turn is one letter, then `2` if it is a half turn, then `'` or `’` for the
    /// inverse. Spaces do not matter.
    pub fn parse(&self, text: &str) -> Result<Vec<Turn>, String> {
        let mut rest = text.chars().filter(|letter| !letter.is_whitespace()).peekable();
        let mut turns = Vec::new();
        while let Some(letter) = rest.next() {
            let mut name = String::from(letter);
            if let Some(times) = rest.next_if(char::is_ascii_digit) {
                name.push(times);
            }
            let inverse = rest.next_if(|next| matches!(next, '\'' | '’')).is_some();
            let turn = (0..self.turns() as Turn).find(|turn| self.turn_name(*turn) == name);
            let turn = turn.ok_or_else(|| {
                let names: Vec<&str> = self.table.turns.iter().map(|(name, _)| *name).collect();
                format!("`{name}` is not a turn; turns are {}, alone or followed by ' or 2", names.join(" "))
            })?;
            turns.push(if inverse { self.inverse(turn) } else { turn });
            if turns.len() > MAX_SEQUENCE {
                return Err(format!("more than {MAX_SEQUENCE} turns"));
            }
        }
        Ok(turns)
    }

    /// A sequence as text.
    pub fn format(&self, turns: &[Turn]) -> String {
        turns.iter().map(|turn| self.turn_name(*turn)).collect::<Vec<_>>().join(" ")
    }

    /// The same sequence with neighbouring turns of a face merged into one. Two turns of a face are
    /// neighbours also if every turn between them commutes with the later one, as turns of the opposite face
    /// of a cube do. The number of turns of the result is the length of the sequence in the half-turn metric.
    pub fn merged(&self, turns: &[Turn]) -> Vec<Turn> {
        let all = || 0..self.turns() as Turn;
        let together = |a: Turn, b: Turn| self.after_all(&self.solved(), &[a, b]);
        let commute = |a: Turn, b: Turn| together(a, b) == together(b, a);
        let mut merged: Vec<Turn> = Vec::new();
        for turn in turns.iter().copied() {
            let passed = merged
                .iter()
                .rev()
                .take_while(|other| self.face(**other) != self.face(turn) && commute(**other, turn));
            let at = merged.len() - passed.count();
            match at.checked_sub(1).filter(|at| self.face(merged[*at]) == self.face(turn)) {
                None => merged.push(turn),
                Some(at) => {
                    let both = together(merged[at], turn);
                    match all().find(|one| self.after(&self.solved(), *one) == both) {
                        Some(one) => merged[at] = one,
                        // The two turns cancel out.
                        None => _ = merged.remove(at),
                    }
                }
            }
        }
        merged
    }

    /// The state after a sequence of turns.
    pub fn after_all(&self, state: &State, turns: &[Turn]) -> State {
        turns.iter().fold(*state, |state, turn| self.after(&state, *turn))
    }
}
