//! How much of a story only those know who remember more of it than the last so many letters: what is said about a row,
//! where none of its names was said since. What that may cost them is counted in full, as if nothing else betrayed it.

use std::collections::BTreeSet;

use learnery_kernels::rng::Stream;

use super::grammar::{Cell, Item, VARIABLES};
use super::{Stories, Telling, UNBOUND};

/// Bits of a story that a reader may lose who remembers so many letters, in the mean of `count` stories.
pub(in crate::text) fn forgotten(stories: &Stories, letters: usize, count: u64) -> f64 {
    let lost = |index| {
        let stream = Stream::new(7, 3);
        let telling = Telling { grammar: &stories.grammar, stream, index, drawn: 0, rows: UNBOUND };
        let mut reader = Reader { telling, letters, said: [None; VARIABLES], text: String::new(), lost: 0.0 };
        reader.rule(0);
        reader.lost
    };
    (0..count).map(lost).sum::<f64>() / count as f64
}

/// Who hears a story being told.
struct Reader<'a> {
    telling: Telling<'a>,
    letters: usize,
    /// Where the name of each variable's row was said last.
    said: [Option<usize>; VARIABLES],
    text: String,
    /// In bits.
    lost: f64,
}

impl Reader<'_> {
    /// Counts that one of `all` came where memory would have left `few`.
    fn depends(&mut self, variable: usize, all: f64, few: f64) {
        if self.said[variable].is_none_or(|said| self.text.len() - said > self.letters) {
            self.lost += (all / few).log2();
        }
    }

    fn rule(&mut self, rule: usize) {
        let (grammar, rows) = (self.telling.grammar, self.telling.rows);
        let alternatives = &grammar.rules[rule];
        let weight = |allowed: bool| -> u32 {
            alternatives
                .iter()
                .filter(|one| !allowed || grammar.allows(one, &rows))
                .map(|one| one.weight)
                .sum()
        };
        let guards = alternatives.iter().flat_map(|one| &one.guards).map(|guard| guard.cell.variable);
        for variable in guards.collect::<BTreeSet<_>>() {
            self.depends(variable, weight(false).into(), weight(true).into());
        }
        let mut left = self.telling.below(weight(true));
        let chosen = alternatives.iter().filter(|one| grammar.allows(one, &rows)).find(|one| {
            let here = left < one.weight;
            left = left.wrapping_sub(one.weight);
            here
        });
        for item in chosen.map_or(&[][..], |one| &one.items) {
            match item {
                Item::Text(text) => self.text.push_str(text),
                Item::Rule(rule) => self.rule(*rule),
                Item::Say(cell, look) => {
                    let word = grammar.cell(*cell, &self.telling.rows);
                    let table = &grammar.tables[grammar.variables[cell.variable]].rows;
                    let alike = table.iter().filter(|row| row[cell.column] == word).count();
                    self.depends(cell.variable, table.len() as f64, alike as f64);
                    look.write(word, &mut self.text);
                    if cell.column == 0 {
                        self.said[cell.variable] = Some(self.text.len());
                    }
                }
                Item::Draw { table, alike, bind, look } => {
                    let rows = self.telling.rows;
                    let eligible: Vec<u8> = grammar.eligible(*table, *alike, &rows).collect();
                    if let Some((_, Cell { variable, .. })) = alike {
                        let all = grammar.tables[*table].rows.len();
                        self.depends(*variable, all as f64, eligible.len() as f64);
                    }
                    let row = eligible[self.telling.below(eligible.len() as u32) as usize];
                    look.write(&grammar.tables[*table].rows[usize::from(row)][0], &mut self.text);
                    if let Some(variable) = bind {
                        self.telling.rows[*variable] = row;
                        self.said[*variable] = Some(self.text.len());
                    }
                }
            }
        }
    }
}
