//! The exact entropy and expected length of the texts that a grammar generates, without sampling. The grammar
//! has tables of words; its variables are bound to rows of tables, so that a hero keeps a name.
//!
//! By the chain rule (Shannon, "A mathematical theory of communication", 1948) the entropy of a text is the
//! sum of the conditional entropies of all random choices that make it. A choice depends on the bound rows,
//! but only on the columns that some guard (condition) or match reads. Rows that agree in all these columns
//! form one *class*. A state is the binding of all variables to classes, so there are few states however long
//! the tables are.
//!
//! One pass carries the probability of each state through the rules from left to right. Every choice adds its
//! entropy, and every piece of text its expected length, both weighted by the probability of the state.
//!
//! The entropy of the choices is the entropy of the text only if the grammar is unambiguous: no text has two
//! derivations. Tests check this.

use std::collections::BTreeMap;

use learnery_kernels::math::double;

use super::grammar::{Cell, Format, Grammar, Item, Rows, UNBOUND};

/// The probability of each state (binding of the variables). A variable is bound to the first row of its
/// class, which represents all rows of the class.
type Distribution = BTreeMap<Rows, f64>;

/// Statistics over all texts of a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TextStatistics {
    /// The entropy of a text in bits.
    pub(super) bits: f64,
    /// The expected length of a text in bytes.
    pub(super) bytes: f64,
}

/// Computes the entropy and the expected length. Panics if a variable is read before it is bound or a choice
/// has no option.
pub(super) fn text_statistics(grammar: &Grammar) -> TextStatistics {
    let mut pass = Pass { grammar, classes: row_classes(grammar), sum: TextStatistics::default() };
    pass.expand_rule(0, Distribution::from([(UNBOUND, 1.0)]));
    pass.sum
}

/// Returns, for each row of each table, the first row of its class.
///
/// Shape: `[tables][rows]`.
fn row_classes(grammar: &Grammar) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); grammar.tables.len()];
    let mut read = |cell: Cell| columns[grammar.variables[cell.variable]].push(cell.column);
    let mut matched = Vec::new();
    for alternative in grammar.rules.iter().flatten() {
        alternative.guards.iter().for_each(|guard| read(guard.cell));
        for item in &alternative.items {
            if let Item::Draw { table, matching: Some((column, cell)), .. } = item {
                read(*cell);
                matched.push((*table, *column));
            }
        }
    }
    for (table, column) in matched {
        columns[table].push(column);
    }
    let first_rows = |(table, columns): (&super::grammar::Table, &Vec<usize>)| {
        let same_class =
            |a: &Vec<String>, b: &Vec<String>| columns.iter().all(|column| a[*column] == b[*column]);
        table
            .rows
            .iter()
            // A row is of its own class, so the position is always found.
            .map(|row| table.rows.iter().position(|other| same_class(row, other)).unwrap_or(0) as u8)
            .collect()
    };
    grammar.tables.iter().zip(&columns).map(first_rows).collect()
}

/// One pass through the rules from left to right, which adds up the statistics.
struct Pass<'a> {
    grammar: &'a Grammar,
    /// The result of [`row_classes`].
    classes: Vec<Vec<u8>>,
    sum: TextStatistics,
}

impl Pass<'_> {
    /// Expands a rule in all states. Returns the probability of each state afterwards.
    fn expand_rule(&mut self, rule: usize, states: Distribution) -> Distribution {
        let alternatives = &self.grammar.rules[rule];
        let mut branches = vec![Distribution::new(); alternatives.len()];
        for (rows, state_probability) in states {
            let weights: Vec<u32> = alternatives
                .iter()
                .map(
                    |alternative| {
                        if self.grammar.allows(alternative, &rows) { alternative.weight } else { 0 }
                    },
                )
                .collect();
            let total: u32 = weights.iter().sum();
            assert!(total > 0, "no alternative is allowed");
            for (weight, branch) in weights.into_iter().zip(&mut branches).filter(|(weight, _)| *weight > 0) {
                let probability = f64::from(weight) / f64::from(total);
                self.sum.bits -= state_probability * probability * double::log2(probability);
                *branch.entry(rows).or_insert(0.0) += state_probability * probability;
            }
        }
        let mut out = Distribution::new();
        for (alternative, branch) in alternatives.iter().zip(branches) {
            for (rows, state_probability) in self.expand_items(&alternative.items, branch) {
                *out.entry(rows).or_insert(0.0) += state_probability;
            }
        }
        out
    }

    /// Like [`Pass::expand_rule`], for a sequence of items.
    fn expand_items(&mut self, items: &[Item], mut states: Distribution) -> Distribution {
        for item in items {
            match item {
                Item::Text(text) => self.sum.bytes += states.values().sum::<f64>() * text.len() as f64,
                Item::Rule(rule) => states = self.expand_rule(*rule, states),
                Item::Cell(cell, format) => {
                    for (rows, state_probability) in &states {
                        let table = self.grammar.variables[cell.variable];
                        let class = rows[cell.variable];
                        let same_class =
                            (0..).zip(&self.classes[table]).filter(|(_, other)| **other == class);
                        self.sum.bytes += state_probability
                            * self.mean_length(table, cell.column, *format, same_class.map(|(row, _)| row));
                    }
                }
                Item::Draw { table, matching, bind, format } => {
                    let mut after = Distribution::new();
                    for (rows, state_probability) in states {
                        let eligible = self.grammar.eligible(*table, *matching, &rows);
                        let count = eligible.clone().count() as f64;
                        assert!(count > 0.0, "no row matches");
                        self.sum.bits += state_probability * double::log2(count);
                        self.sum.bytes +=
                            state_probability * self.mean_length(*table, 0, *format, eligible.clone());
                        for row in eligible {
                            let mut rows = rows;
                            if let Some(variable) = bind {
                                rows[*variable] = self.classes[*table][usize::from(row)];
                            }
                            *after.entry(rows).or_insert(0.0) += state_probability / count;
                        }
                    }
                    states = after;
                }
            }
        }
        states
    }

    /// The mean length in bytes of a formatted column, over the given rows.
    fn mean_length(
        &self,
        table: usize,
        column: usize,
        format: Format,
        rows: impl Iterator<Item = u8>,
    ) -> f64 {
        let (mut bytes, mut count, mut word) = (0, 0, String::new());
        for row in rows {
            word.clear();
            format.write(&self.grammar.tables[table].rows[usize::from(row)][column], &mut word);
            bytes += word.len();
            count += 1;
        }
        bytes as f64 / f64::from(count)
    }
}
