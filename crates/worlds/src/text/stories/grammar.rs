//! The grammar that generates short stories: a probabilistic context-free grammar with tables of words, and
//! with variables that are bound to rows of tables. Variables give stories memory: the hero's name and
//! pronoun stay the same. This file has the syntax, the data types and the lookups that all passes over a
//! grammar share.
//!
//! ```text
//! @hero they, them                  a table and the names of its additional columns
//! Ada, Bea : she, her               rows, and the values that they share in those columns
//! = story                           a rule; its alternatives follow, one a line
//! 2 {h=hero} lit {a lamp}.          an alternative of weight 2; the default is 1
//! [h.they=she h.them!=him] {^h.they} left.      an alternative with guards
//! ```
//! Items in braces: `rule` expands a rule; `table` draws a row uniformly and writes its word; `x=table` also
//! binds the row to `x`; `table|column=x.column` draws among the rows whose column matches; `x` and
//! `x.column` write a cell of a bound row. The prefix `a ` writes the article "a" or "an", and `^` a capital.
//! `_` at the beginning is skipped, so that an alternative can be empty or begin with a space.

/// The maximum number of variables.
pub(super) const MAX_VARIABLES: usize = 16;

/// The row to which each variable is bound.
pub(super) type Rows = [u8; MAX_VARIABLES];

/// The binding in which no variable is bound. The index is above the last row of every table.
pub(super) const UNBOUND: Rows = [u8::MAX; MAX_VARIABLES];

/// A parsed grammar. Rule 0 is the start symbol.
#[derive(Debug, Default)]
pub(super) struct Grammar {
    pub(super) tables: Vec<Table>,
    pub(super) rules: Vec<Vec<Alternative>>,
    /// The table of each variable.
    pub(super) variables: Vec<usize>,
}

/// A table of words, with further columns such as pronouns.
#[derive(Debug)]
pub(super) struct Table {
    /// Column 0 is the word.
    /// Shape: `[rows][columns]`.
    pub(super) rows: Vec<Vec<String>>,
}

/// One alternative of a rule. An expansion chooses among the alternatives whose guards all hold, with
/// probabilities proportional to the weights.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) weight: u32,
    pub(super) guards: Vec<Guard>,
    pub(super) items: Vec<Item>,
}

/// A condition on an alternative: the cell is equal to `value`, or not equal if `equal` is false.
#[derive(Debug)]
pub(super) struct Guard {
    pub(super) cell: Cell,
    pub(super) value: String,
    pub(super) equal: bool,
}

/// A cell of a table: a column of the row to which a variable is bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) variable: usize,
    pub(super) column: usize,
}

/// A piece of an alternative.
#[derive(Debug)]
pub(super) enum Item {
    Text(String),
    Rule(usize),
    /// Draw a row uniformly and write its word. With `matching`, only rows whose column equals a cell are
    /// eligible. With `bind`, the row is then bound to a variable.
    Draw {
        table: usize,
        matching: Option<(usize, Cell)>,
        bind: Option<usize>,
        format: Format,
    },
    /// Write a cell.
    Cell(Cell, Format),
}

/// How a word is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) article: bool,
    pub(super) capital: bool,
}

impl Format {
    /// Appends a word to `out`.
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
    /// Whether all guards of an alternative hold.
    pub(super) fn allows(&self, alternative: &Alternative, rows: &Rows) -> bool {
        alternative.guards.iter().all(|guard| (self.cell(guard.cell, rows) == guard.value) == guard.equal)
    }

    /// The content of a cell.
    pub(super) fn cell(&self, cell: Cell, rows: &Rows) -> &str {
        let table = self.variables[cell.variable];
        &self.tables[table].rows[usize::from(rows[cell.variable])][cell.column]
    }

    /// The rows among which a draw chooses.
    pub(super) fn eligible<'a>(
        &'a self,
        table: usize,
        matching: Option<(usize, Cell)>,
        rows: &'a Rows,
    ) -> impl Iterator<Item = u8> + Clone + 'a {
        let required = matching.map(|(column, cell)| (column, self.cell(cell, rows)));
        let matches = move |row: &Vec<String>| required.is_none_or(|(column, value)| row[column] == value);
        (0..).zip(&self.tables[table].rows).filter(move |(_, row)| matches(row)).map(|(number, _)| number)
    }
}
