//! A grammar of texts that remember: rules with alternatives, tables of words, and variables that hold a row of a table, so
//! that a name comes back with its pronoun and a key is found where it was lost.
//!
//! ```text
//! @hero they, them                  a table and the names of its further columns
//! Ada, Bea : she, her               rows that share what stands in those columns
//! = story                           a rule; its alternatives follow, a line each
//! 2 {h=hero} lit {a lamp}.          drawn twice as often as an alternative without a number
//! [h.they=she h.them!=him] {^h.they} left.      only where this is so
//! ```
//! In braces: `rule`; `table`, any row of it; `x=table`, a row to be remembered as `x`; `x` or `x.column` of a row that is
//! remembered; `table|column=x.column`, any row that is alike in this. `a` before it writes "a" or "an", `^` a capital. `_`
//! begins an alternative that is empty or begins with a blank.

/// The most variables a grammar can have.
pub(super) const VARIABLES: usize = 16;

/// The row that each variable holds.
pub(super) type Rows = [u8; VARIABLES];

/// No variable holds a row before it is bound; a table has no row of this number.
pub(super) const UNBOUND: Rows = [u8::MAX; VARIABLES];

/// What rules a text of stories follows.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    pub(super) tables: Vec<Table>,
    pub(super) rules: Vec<Vec<Alternative>>,
    /// The table that each variable holds a row of.
    pub(super) variables: Vec<usize>,
}

/// Words and what goes with them.
#[derive(Debug)]
pub(super) struct Table {
    /// The word itself and then the columns. // [rows][columns]
    pub(super) rows: Vec<Vec<String>>,
}

/// One way to go on.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) weight: u32,
    pub(super) guards: Vec<Guard>,
    pub(super) items: Vec<Item>,
}

/// What must be so of a row that is remembered.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) cell: Cell,
    pub(super) value: String,
    pub(super) equal: bool,
}

/// A column of the row that a variable holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) variable: usize,
    pub(super) column: usize,
}

#[derive(Debug)]
pub(super) enum Item {
    Text(String),
    Rule(usize),
    /// A row is drawn and written: any, or one that is alike in a column.
    Draw {
        table: usize,
        alike: Option<(usize, Cell)>,
        bind: Option<usize>,
        look: Look,
    },
    Say(Cell, Look),
}

/// How a word is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) article: bool,
    pub(super) capital: bool,
}

impl Look {
    /// Adds a word to `out`.
    pub(super) fn write(self, word: &str, out: &mut String) {
        let begin = out.len();
        if self.article {
            out.push_str(if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an " } else { "a " });
        }
        out.push_str(word);
        if self.capital
            && let Some(first) = out.get_mut(begin..=begin)
        {
            first.make_ascii_uppercase();
        }
    }
}

impl Grammar {
    /// Whether an alternative may be drawn.
    pub(super) fn allows(&self, alternative: &Alternative, rows: &Rows) -> bool {
        alternative.guards.iter().all(|guard| (self.cell(guard.cell, rows) == guard.value) == guard.equal)
    }

    /// What stands in a cell.
    pub(super) fn cell(&self, cell: Cell, rows: &Rows) -> &str {
        let table = self.variables[cell.variable];
        &self.tables[table].rows[usize::from(rows[cell.variable])][cell.column]
    }

    /// The rows that may be drawn.
    pub(super) fn eligible<'a>(
        &'a self,
        table: usize,
        alike: Option<(usize, Cell)>,
        rows: &'a Rows,
    ) -> impl Iterator<Item = u8> + Clone + 'a {
        let wanted = alike.map(|(column, cell)| (column, self.cell(cell, rows)));
        let fits = move |row: &Vec<String>| wanted.is_none_or(|(column, value)| row[column] == value);
        (0..).zip(&self.tables[table].rows).filter(move |(_, row)| fits(row)).map(|(number, _)| number)
    }
}
