//! The surprisal of a story: minus the logarithm of the probability that the grammar generates it. That
//! probability is the sum over all derivations (ways to generate the story), which are found by exhaustive
//! parsing. The language lab compares a network's loss on held-out stories with their surprisal; tests
//! compare its mean with the entropy that `entropy.rs` computes.

use learnery_kernels::math::double;

use super::Stories;
use super::grammar::{Alternative, Item, Rows, UNBOUND};

/// The number of derivations of a text, and their probability.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::text) struct Derivations {
    pub(in crate::text) count: u64,
    /// The sum of the probabilities of the derivations.
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

/// The items to parse after a rule: the rest of the alternative that contains the rule, then the rest of the
/// alternative around that, and so on (a linked stack).
struct Continuation<'a> {
    items: &'a [Item],
    next: Option<&'a Self>,
}

impl Stories {
    /// The surprisal of a story in bits; `None` if the grammar cannot generate it. Much slower than
    /// generating a story.
    pub fn surprisal(&self, story: &str) -> Option<f64> {
        let derivations = self.derivations(story);
        (derivations.count > 0).then(|| -double::log2(derivations.probability))
    }

    /// All derivations of a story.
    pub(in crate::text) fn derivations(&self, story: &str) -> Derivations {
        self.derivations_of_rule(0, None, &UNBOUND, story)
    }

    /// The derivations of `rest` from a rule and the items after it (`then`).
    fn derivations_of_rule(
        &self,
        rule: usize,
        then: Option<&Continuation>,
        rows: &Rows,
        rest: &str,
    ) -> Derivations {
        let allowed = || self.grammar.rules[rule].iter().filter(|one| self.grammar.allows(one, rows));
        let total: u32 = allowed().map(|one| one.weight).sum();
        let derivations = |one: &Alternative| {
            self.derivations_of_items(&one.items, then, rows, rest)
                .scaled(f64::from(one.weight) / f64::from(total))
        };
        allowed().map(derivations).fold(Derivations::default(), Derivations::plus)
    }

    /// The derivations of `rest` from `items` and the items after them (`then`).
    fn derivations_of_items(
        &self,
        items: &[Item],
        then: Option<&Continuation>,
        rows: &Rows,
        rest: &str,
    ) -> Derivations {
        let Some((item, items)) = items.split_first() else {
            return match then {
                Some(then) => self.derivations_of_items(then.items, then.next, rows, rest),
                None if rest.is_empty() => Derivations { count: 1, probability: 1.0 },
                None => Derivations::default(),
            };
        };
        let mut word = String::new();
        match item {
            Item::Text(text) => word.push_str(text),
            Item::Cell(cell, format) => format.write(self.grammar.cell(*cell, rows), &mut word),
            Item::Rule(rule) => {
                return self.derivations_of_rule(
                    *rule,
                    Some(&Continuation { items, next: then }),
                    rows,
                    rest,
                );
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
                        sum =
                            sum.plus(self.derivations_of_items(items, then, &rows, rest).scaled(probability));
                    }
                }
                return sum;
            }
        }
        rest.strip_prefix(&word)
            .map_or(Derivations::default(), |rest| self.derivations_of_items(items, then, rows, rest))
    }
}
