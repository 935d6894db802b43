//! The probability of a given story: the sum over all its derivations, found by exhaustive parsing.

use super::Stories;
use super::grammar::{Alternative, Item, Rows, UNBOUND};

/// The derivations of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::text) struct Derivations {
    pub(in crate::text) count: u64,
    /// The sum of their probabilities.
    pub(in crate::text) probability: f64,
}

impl Derivations {
    fn scaled(self, factor: f64) -> Self {
        Self { probability: self.probability * factor, ..self }
    }

    fn plus(self, other: Self) -> Self {
        Self { count: self.count + other.count, probability: self.probability + other.probability }
    }
}

/// The continuation after a rule: the rest of the alternative that expanded it, and so on outwards (a linked stack).
struct Continuation<'a> {
    items: &'a [Item],
    next: Option<&'a Self>,
}

impl Stories {
    /// The surprisal (negative log probability) of a story in bits; `None` if the grammar cannot generate it. Much
    /// slower than generating a story.
    pub fn surprisal(&self, story: &str) -> Option<f64> {
        let derivations = self.derivations(story);
        (derivations.count > 0).then(|| -derivations.probability.log2())
    }

    pub(in crate::text) fn derivations(&self, story: &str) -> Derivations {
        self.alternatives(0, None, &UNBOUND, story)
    }

    fn alternatives(&self, rule: usize, then: Option<&Continuation>, rows: &Rows, rest: &str) -> Derivations {
        let allowed = || self.grammar.rules[rule].iter().filter(|one| self.grammar.allows(one, rows));
        let total: u32 = allowed().map(|one| one.weight).sum();
        let derivations = |one: &Alternative| {
            self.items(&one.items, then, rows, rest).scaled(f64::from(one.weight) / f64::from(total))
        };
        allowed().map(derivations).fold(Derivations::default(), Derivations::plus)
    }

    fn items(&self, items: &[Item], then: Option<&Continuation>, rows: &Rows, rest: &str) -> Derivations {
        let Some((item, items)) = items.split_first() else {
            return match then {
                Some(then) => self.items(then.items, then.next, rows, rest),
                None if rest.is_empty() => Derivations { count: 1, probability: 1.0 },
                None => Derivations::default(),
            };
        };
        let mut word = String::new();
        match item {
            Item::Text(text) => word.push_str(text),
            Item::Say(cell, format) => format.write(self.grammar.cell(*cell, rows), &mut word),
            Item::Rule(rule) => {
                return self.alternatives(*rule, Some(&Continuation { items, next: then }), rows, rest);
            }
            Item::Draw { table, matching, bind, format } => {
                let eligible = self.grammar.eligible(*table, *matching, rows);
                let probability = 1.0 / eligible.clone().count() as f64;
                let mut sum = Derivations::default();
                for row in eligible {
                    word.clear();
                    format.write(&self.grammar.tables[*table].rows[usize::from(row)][0], &mut word);
                    if let Some(rest) = rest.strip_prefix(&word) {
                        let mut rows = *rows;
                        if let Some(variable) = bind {
                            rows[*variable] = row;
                        }
                        sum = sum.plus(self.items(items, then, &rows, rest).scaled(probability));
                    }
                }
                return sum;
            }
        }
        rest.strip_prefix(&word).map_or(Derivations::default(), |rest| self.items(items, then, rows, rest))
    }
}
