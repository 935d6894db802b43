//! How much of a story depends on long-range memory: an upper bound on the extra bits per story that a model
//! needs if it sees only the last `window` characters.
//!
//! In the grammar, variables such as the hero are bound to rows of tables, and later choices depend on these
//! rows. A choice counts if the word of the row that it depends on does not occur in the window. Then all
//! information that the row gives about the choice counts, as if nothing else in the window gave a hint.

use std::collections::BTreeSet;

use learnery_kernels::math::double;
use learnery_kernels::rng::Stream;

use super::grammar::{Cell, Item, MAX_VARIABLES};
use super::{Stories, StoryGenerator, UNBOUND};

/// Returns the bound in bits per story, as the mean over `count` stories.
pub(in crate::text) fn bits_beyond_window(stories: &Stories, window: usize, count: u64) -> f64 {
    let bits = |index| {
        // Any seed and stream will do.
        let stream = Stream::new(7, 3);
        let generator = StoryGenerator { grammar: &stories.grammar, stream, index, drawn: 0, rows: UNBOUND };
        let last_named = [None; MAX_VARIABLES];
        let mut tracker = Tracker { generator, window, last_named, text: String::new(), bits: 0.0 };
        tracker.expand_rule(0);
        tracker.bits
    };
    (0..count).map(bits).sum::<f64>() / count as f64
}

/// Generates a story and adds up the bits that depend on names outside the window.
struct Tracker<'a> {
    generator: StoryGenerator<'a>,
    window: usize,
    /// For each variable: the end of the last occurrence of its row's word.
    last_named: [Option<usize>; MAX_VARIABLES],
    text: String,
    bits: f64,
}

impl Tracker<'_> {
    /// Records a choice that depends on a variable: there are `options_without` options for a model that does
    /// not know the row of the variable, and `options_with` for a model that does.
    fn record_choice(&mut self, variable: usize, options_without: f64, options_with: f64) {
        if self.last_named[variable].is_none_or(|end| self.text.len() - end > self.window) {
            self.bits += double::log2(options_without / options_with);
        }
    }

    /// Expands a rule like [`StoryGenerator::expand_rule`], with the same random numbers.
    fn expand_rule(&mut self, rule: usize) {
        let (grammar, rows) = (self.generator.grammar, self.generator.rows);
        let alternatives = &grammar.rules[rule];
        // The total weight of all alternatives, or only of those whose guards hold.
        let total_weight = |only_allowed: bool| -> u32 {
            alternatives
                .iter()
                .filter(|one| !only_allowed || grammar.allows(one, &rows))
                .map(|one| one.weight)
                .sum()
        };
        let guards = alternatives.iter().flat_map(|one| &one.guards).map(|guard| guard.cell.variable);
        for variable in guards.collect::<BTreeSet<_>>() {
            self.record_choice(variable, total_weight(false).into(), total_weight(true).into());
        }
        let mut remaining = self.generator.below(total_weight(true));
        let chosen = alternatives.iter().filter(|one| grammar.allows(one, &rows)).find(|one| {
            let is_chosen = remaining < one.weight;
            // Wraps around only for the chosen alternative, after which nothing reads it.
            remaining = remaining.wrapping_sub(one.weight);
            is_chosen
        });
        for item in chosen.map_or(&[][..], |one| &one.items) {
            match item {
                Item::Text(text) => self.text.push_str(text),
                Item::Rule(rule) => self.expand_rule(*rule),
                Item::Cell(cell, format) => {
                    let word = grammar.cell(*cell, &self.generator.rows);
                    let table = &grammar.tables[grammar.variables[cell.variable]].rows;
                    let equal_rows = table.iter().filter(|row| row[cell.column] == word).count();
                    self.record_choice(cell.variable, table.len() as f64, equal_rows as f64);
                    format.write(word, &mut self.text);
                    if cell.column == 0 {
                        self.last_named[cell.variable] = Some(self.text.len());
                    }
                }
                Item::Draw { table, matching, bind, format } => {
                    let rows = self.generator.rows;
                    let eligible: Vec<u8> = grammar.eligible(*table, *matching, &rows).collect();
                    if let Some((_, Cell { variable, .. })) = matching {
                        let all = grammar.tables[*table].rows.len();
                        self.record_choice(*variable, all as f64, eligible.len() as f64);
                    }
                    let row = eligible[self.generator.below(eligible.len() as u32) as usize];
                    format.write(&grammar.tables[*table].rows[usize::from(row)][0], &mut self.text);
                    if let Some(variable) = bind {
                        self.generator.rows[*variable] = row;
                        self.last_named[*variable] = Some(self.text.len());
                    }
                }
            }
        }
    }
}
