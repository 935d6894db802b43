//! How probable a story is: it is read in every way in which the grammar could have made it.

use super::Stories;
use super::grammar::{Alternative, Item, Rows, UNBOUND};

/// What reading a text by the grammar finds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::text) struct Found {
    /// How many ways there are to make the text.
    pub(in crate::text) ways: u64,
    /// Their probability.
    pub(in crate::text) probability: f64,
}

impl Found {
    fn times(self, share: f64) -> Self {
        Self { probability: self.probability * share, ..self }
    }

    fn or(self, other: Self) -> Self {
        Self { ways: self.ways + other.ways, probability: self.probability + other.probability }
    }
}

/// What is to come when a rule is at its end.
struct Then<'a> {
    items: &'a [Item],
    next: Option<&'a Self>,
}

impl Stories {
    /// How many bits one story carries; nothing where no such story is told. It looks for every way to tell it, so it is
    /// slow beside the telling.
    pub fn surprisal(&self, story: &str) -> Option<f64> {
        let found = self.find(story);
        (found.ways > 0).then(|| -found.probability.log2())
    }

    pub(in crate::text) fn find(&self, story: &str) -> Found {
        self.alternatives(0, None, &UNBOUND, story)
    }

    fn alternatives(&self, rule: usize, then: Option<&Then>, rows: &Rows, rest: &str) -> Found {
        let allowed = || self.grammar.rules[rule].iter().filter(|one| self.grammar.allows(one, rows));
        let total: u32 = allowed().map(|one| one.weight).sum();
        let found = |one: &Alternative| {
            self.items(&one.items, then, rows, rest).times(f64::from(one.weight) / f64::from(total))
        };
        allowed().map(found).fold(Found::default(), Found::or)
    }

    fn items(&self, items: &[Item], then: Option<&Then>, rows: &Rows, rest: &str) -> Found {
        let Some((item, items)) = items.split_first() else {
            return match then {
                Some(then) => self.items(then.items, then.next, rows, rest),
                None if rest.is_empty() => Found { ways: 1, probability: 1.0 },
                None => Found::default(),
            };
        };
        let mut word = String::new();
        match item {
            Item::Text(text) => word.push_str(text),
            Item::Say(cell, look) => look.write(self.grammar.cell(*cell, rows), &mut word),
            Item::Rule(rule) => {
                return self.alternatives(*rule, Some(&Then { items, next: then }), rows, rest);
            }
            Item::Draw { table, alike, bind, look } => {
                let eligible = self.grammar.eligible(*table, *alike, rows);
                let share = 1.0 / eligible.clone().count() as f64;
                let mut sum = Found::default();
                for row in eligible {
                    word.clear();
                    look.write(&self.grammar.tables[*table].rows[usize::from(row)][0], &mut word);
                    if let Some(rest) = rest.strip_prefix(&word) {
                        let mut rows = *rows;
                        if let Some(variable) = bind {
                            rows[*variable] = row;
                        }
                        sum = sum.or(self.items(items, then, &rows, rest).times(share));
                    }
                }
                return sum;
            }
        }
        rest.strip_prefix(&word).map_or(Found::default(), |rest| self.items(items, then, rows, rest))
    }
}
