//! The entropy of a grammar's texts, and how long they are: exactly, without drawing one.
//!
//! What may come next depends on what is remembered, and of that only on the columns that some condition reads. Rows that are
//! alike in all of those make one kind, so there are few states however long the tables. The probability of each state
//! flows through the rules from left to right; wherever something is drawn, the entropy of that draw counts with the
//! probability of being there, and so does the mean length of what is written (Shannon, "A mathematical theory of
//! communication", 1948: the entropy of a sequence is the sum of those of its choices, each given what came before).
//!
//! Texts have the entropy of the choices that make them as long as no text can be made in two ways; tests hold that.

use std::collections::BTreeMap;

use super::grammar::{Cell, Grammar, Item, Look, Rows, UNBOUND};

/// How probable it is to be somewhere with these rows remembered, the first of its kind for each.
type Flow = BTreeMap<Rows, f64>;

/// What is known of all texts of a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Measure {
    /// The entropy of a text, in bits.
    pub(super) bits: f64,
    /// Its mean length.
    pub(super) bytes: f64,
}

/// Measures a grammar. Panics where something is said before it is known, or nothing may come next: such a grammar makes no
/// texts.
pub(super) fn measure(grammar: &Grammar) -> Measure {
    let mut measuring = Measuring { grammar, kinds: kinds(grammar), sum: Measure::default() };
    measuring.rule(0, Flow::from([(UNBOUND, 1.0)]));
    measuring.sum
}

/// For each row of each table, the first row of its kind.
fn kinds(grammar: &Grammar) -> Vec<Vec<u8>> {
    let mut columns = vec![Vec::new(); grammar.tables.len()];
    let mut read = |cell: Cell| columns[grammar.variables[cell.variable]].push(cell.column);
    let mut drawn = Vec::new();
    for alternative in grammar.rules.iter().flatten() {
        alternative.guards.iter().for_each(|guard| read(guard.cell));
        for item in &alternative.items {
            if let Item::Draw { table, alike: Some((column, cell)), .. } = item {
                read(*cell);
                drawn.push((*table, *column));
            }
        }
    }
    for (table, column) in drawn {
        columns[table].push(column);
    }
    let first = |(table, columns): (&super::grammar::Table, &Vec<usize>)| {
        let alike = |a: &Vec<String>, b: &Vec<String>| columns.iter().all(|column| a[*column] == b[*column]);
        table
            .rows
            .iter()
            .map(|row| table.rows.iter().position(|other| alike(row, other)).unwrap_or(0) as u8)
            .collect()
    };
    grammar.tables.iter().zip(&columns).map(first).collect()
}

struct Measuring<'a> {
    grammar: &'a Grammar,
    kinds: Vec<Vec<u8>>,
    sum: Measure,
}

impl Measuring<'_> {
    fn rule(&mut self, rule: usize, flow: Flow) -> Flow {
        let alternatives = &self.grammar.rules[rule];
        let mut branches = vec![Flow::new(); alternatives.len()];
        for (rows, share) in flow {
            let weights: Vec<u32> = alternatives
                .iter()
                .map(
                    |alternative| {
                        if self.grammar.allows(alternative, &rows) { alternative.weight } else { 0 }
                    },
                )
                .collect();
            let total: u32 = weights.iter().sum();
            assert!(total > 0, "nothing may come next");
            for (weight, branch) in weights.into_iter().zip(&mut branches).filter(|(weight, _)| *weight > 0) {
                let probability = f64::from(weight) / f64::from(total);
                self.sum.bits -= share * probability * probability.log2();
                *branch.entry(rows).or_insert(0.0) += share * probability;
            }
        }
        let mut out = Flow::new();
        for (alternative, branch) in alternatives.iter().zip(branches) {
            for (rows, share) in self.items(&alternative.items, branch) {
                *out.entry(rows).or_insert(0.0) += share;
            }
        }
        out
    }

    fn items(&mut self, items: &[Item], mut flow: Flow) -> Flow {
        for item in items {
            match item {
                Item::Text(text) => self.sum.bytes += flow.values().sum::<f64>() * text.len() as f64,
                Item::Rule(rule) => flow = self.rule(*rule, flow),
                Item::Say(cell, look) => {
                    for (rows, share) in &flow {
                        let table = self.grammar.variables[cell.variable];
                        let kind = rows[cell.variable];
                        let same = (0..).zip(&self.kinds[table]).filter(|(_, other)| **other == kind);
                        self.sum.bytes +=
                            share * self.mean_length(table, cell.column, *look, same.map(|(row, _)| row));
                    }
                }
                Item::Draw { table, alike, bind, look } => {
                    let mut after = Flow::new();
                    for (rows, share) in flow {
                        let eligible = self.grammar.eligible(*table, *alike, &rows);
                        let count = eligible.clone().count() as f64;
                        assert!(count > 0.0, "no row may be drawn");
                        self.sum.bits += share * count.log2();
                        self.sum.bytes += share * self.mean_length(*table, 0, *look, eligible.clone());
                        for row in eligible {
                            let mut rows = rows;
                            if let Some(variable) = bind {
                                rows[*variable] = self.kinds[*table][usize::from(row)];
                            }
                            *after.entry(rows).or_insert(0.0) += share / count;
                        }
                    }
                    flow = after;
                }
            }
        }
        flow
    }

    /// Of a column of these rows, as it is written.
    fn mean_length(&self, table: usize, column: usize, look: Look, rows: impl Iterator<Item = u8>) -> f64 {
        let (mut bytes, mut count, mut word) = (0, 0, String::new());
        for row in rows {
            word.clear();
            look.write(&self.grammar.tables[table].rows[usize::from(row)][column], &mut word);
            bytes += word.len();
            count += 1;
        }
        bytes as f64 / f64::from(count)
    }
}
