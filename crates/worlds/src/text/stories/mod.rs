//! Stories: short, of people and animals and what they carry, all different, and so made that the entropy of the text is
//! known exactly. No reader of the text, however clever, needs fewer bits in the mean, so it is the floor under what is learned.
//!
//! The stories are written in `stories.txt` with the words of `words.txt`, in the language that `grammar.rs` explains.

mod entropy;
mod grammar;
#[cfg(test)]
pub(super) mod reach;
mod reading;
mod surprisal;

use learnery_kernels::rng::Stream;

use entropy::{Measure, measure};
use grammar::{Grammar, Item, Rows, UNBOUND};

/// The teller of stories.
#[derive(Debug)]
pub struct Stories {
    grammar: Grammar,
    measure: Measure,
}

impl Default for Stories {
    fn default() -> Self {
        Self::new()
    }
}

impl Stories {
    /// The stories that this project tells.
    pub fn new() -> Self {
        Self::read(concat!(include_str!("words.txt"), include_str!("stories.txt")))
            .expect("the grammar that the tests read")
    }

    pub(super) fn read(grammar: &str) -> Result<Self, String> {
        let grammar = reading::read(grammar)?;
        let measure = measure(&grammar);
        Ok(Self { grammar, measure })
    }

    /// Adds story `index` to `out`, an empty line after it.
    pub fn write_story(&self, stream: Stream, index: u64, out: &mut String) {
        let mut telling = Telling { grammar: &self.grammar, stream, index, drawn: 0, rows: UNBOUND };
        telling.rule(0, out);
    }

    /// The entropy of a story, in bits.
    pub fn entropy(&self) -> f64 {
        self.measure.bits
    }

    /// The mean length of a story.
    pub fn expected_bytes(&self) -> f64 {
        self.measure.bytes
    }

    /// Bits a byte of endless stories: nobody can foretell them better.
    pub fn entropy_rate(&self) -> f64 {
        self.measure.bits / self.measure.bytes
    }
}

/// A story that is being told.
struct Telling<'a> {
    grammar: &'a Grammar,
    stream: Stream,
    index: u64,
    drawn: u64,
    rows: Rows,
}

impl Telling<'_> {
    fn below(&mut self, n: u32) -> u32 {
        self.drawn += 1;
        self.stream.below(self.index, self.drawn, n)
    }

    fn rule(&mut self, rule: usize, out: &mut String) {
        let grammar = self.grammar;
        let rows = self.rows;
        let allowed = || grammar.rules[rule].iter().filter(|one| grammar.allows(one, &rows));
        let mut left = self.below(allowed().map(|one| one.weight).sum());
        let chosen = allowed().find(|one| {
            let here = left < one.weight;
            left = left.wrapping_sub(one.weight);
            here
        });
        for item in chosen.map_or(&[][..], |one| &one.items) {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Rule(rule) => self.rule(*rule, out),
                Item::Say(cell, look) => look.write(grammar.cell(*cell, &self.rows), out),
                Item::Draw { table, alike, bind, look } => {
                    let rows = self.rows;
                    let mut eligible = grammar.eligible(*table, *alike, &rows);
                    let row = self.below(eligible.clone().count() as u32);
                    let row = eligible.nth(row as usize).unwrap_or(0);
                    look.write(&grammar.tables[*table].rows[usize::from(row)][0], out);
                    if let Some(variable) = bind {
                        self.rows[*variable] = row;
                    }
                }
            }
        }
    }
}
