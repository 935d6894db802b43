//! The parser of the grammars that generate stories; `grammar.rs` describes their syntax. Error messages
//! begin with the line number.

use std::collections::HashMap;

use super::grammar::{Alternative, Cell, Format, Grammar, Guard, Item, MAX_VARIABLES, Table};

/// The state of parsing.
#[derive(Default)]
struct Parser {
    grammar: Grammar,
    // The number of each name in the grammar.
    tables: HashMap<String, usize>,
    rules: HashMap<String, usize>,
    variables: HashMap<String, usize>,
    /// The names of the columns of each table; column 0, the word, has an empty name.
    columns: Vec<Vec<String>>,
    /// The table or rule to which the current line belongs.
    section: Option<Section>,
}

/// A table or rule, by its number.
#[derive(Clone, Copy)]
enum Section {
    Table(usize),
    Rule(usize),
}

/// Parses a grammar. Its first rule is the start symbol.
pub(super) fn parse(text: &str) -> Result<Grammar, String> {
    let mut parser = Parser::default();
    let lines = || text.lines().zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let at = |number: i32| move |problem: String| format!("line {number}: {problem}");
    // Two passes, because names may be used before they are defined.
    for (line, number) in lines() {
        parser.declare(line).map_err(at(number))?;
    }
    for (line, number) in lines() {
        parser.parse_line(line).map_err(at(number))?;
    }
    let Parser { grammar, tables, rules, .. } = parser;
    if grammar.rules.is_empty() {
        return Err("there is no rule".to_owned());
    }
    if let Some(number) = grammar.rules.iter().position(Vec::is_empty) {
        return Err(format!("rule {:?} has no alternative", name_of(&rules, number)));
    }
    if let Some(number) = grammar.tables.iter().position(|table| table.rows.is_empty()) {
        return Err(format!("table {:?} has no row", name_of(&tables, number)));
    }
    Ok(grammar)
}

/// Splits a text at commas into trimmed, non-empty items.
fn split_list(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty())
}

/// Splits a line into pairs of literal text and the content of the braces after it.
fn split_parts(line: &str) -> Result<Vec<(&str, Option<&str>)>, String> {
    let mut parts = Vec::new();
    let mut rest = line;
    while let Some((text, after)) = rest.split_once('{') {
        let (body, after) = after.split_once('}').ok_or("a brace is not closed")?;
        parts.push((text, Some(body)));
        rest = after;
    }
    parts.push((rest, None));
    Ok(parts)
}

/// The number of a name; the error says `what` the name should be.
fn look_up(names: &HashMap<String, usize>, name: &str, what: &str) -> Result<usize, String> {
    names.get(name).copied().ok_or_else(|| format!("there is no {what} {name:?}"))
}

/// The name with this number.
fn name_of(names: &HashMap<String, usize>, number: usize) -> &str {
    names.iter().find(|(_, other)| **other == number).map_or("", |(name, _)| name)
}

impl Parser {
    /// First pass: declares the table or rule that a line opens, or the variables that a line binds.
    fn declare(&mut self, line: &str) -> Result<(), String> {
        if let Some(header) = line.strip_prefix('@') {
            let (name, columns) = header.split_once(' ').unwrap_or((header, ""));
            let number = self.tables.len();
            self.check_unused(name)?;
            self.tables.insert(name.to_owned(), number);
            self.grammar.tables.push(Table { rows: Vec::new() });
            self.columns.push(std::iter::once(String::new()).chain(split_list(columns)).collect());
        } else if let Some(name) = line.strip_prefix("= ") {
            let number = self.rules.len();
            self.check_unused(name)?;
            self.rules.insert(name.to_owned(), number);
            self.grammar.rules.push(Vec::new());
        } else {
            for body in split_parts(line)?.into_iter().filter_map(|(_, body)| body) {
                let (_, body) = format_prefix(body);
                let Some((name, table)) = body.split('|').next().and_then(|draw| draw.split_once('=')) else {
                    continue;
                };
                let table = look_up(&self.tables, table, "table above")?;
                if !self.variables.contains_key(name) {
                    self.check_unused(name)?;
                }
                let variable = *self.variables.entry(name.to_owned()).or_insert(self.grammar.variables.len());
                // A variable with the next free number is new.
                if variable == self.grammar.variables.len() {
                    self.grammar.variables.push(table);
                }
                if self.grammar.variables[variable] != table || variable >= MAX_VARIABLES {
                    return Err(format!(
                        "{name:?} is also bound to rows of another table, or there are more than {MAX_VARIABLES} variables"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Returns an error if the name is already declared.
    fn check_unused(&self, name: &str) -> Result<(), String> {
        if [&self.tables, &self.rules, &self.variables].iter().any(|names| names.contains_key(name)) {
            return Err(format!("{name:?} is declared twice"));
        }
        Ok(())
    }

    /// Second pass: parses a line.
    fn parse_line(&mut self, line: &str) -> Result<(), String> {
        if let Some(header) = line.strip_prefix('@') {
            self.section = Some(Section::Table(self.tables[header.split(' ').next().unwrap_or_default()]));
            return Ok(());
        }
        if let Some(name) = line.strip_prefix("= ") {
            self.section = Some(Section::Rule(self.rules[name]));
            return Ok(());
        }
        match self.section {
            None => Err("no table or rule begins before it".to_owned()),
            Some(Section::Table(table)) => self.parse_rows(table, line),
            Some(Section::Rule(rule)) => {
                let alternative = self.parse_alternative(line)?;
                self.grammar.rules[rule].push(alternative);
                Ok(())
            }
        }
    }

    /// Parses a line of a table: words, and after a colon the values that these words share in the additional
    /// columns.
    fn parse_rows(&mut self, table: usize, line: &str) -> Result<(), String> {
        let (words, values) = line.split_once(':').unwrap_or((line, ""));
        let values: Vec<String> = split_list(values).collect();
        if values.len() + 1 != self.columns[table].len() {
            return Err(format!(
                "{} values behind the colon; the table has {} columns beside the word",
                values.len(),
                self.columns[table].len() - 1
            ));
        }
        let rows = &mut self.grammar.tables[table].rows;
        rows.extend(split_list(words).map(|word| std::iter::once(word).chain(values.clone()).collect()));
        // Rows are stored as bytes, of which the last value means "not bound".
        if rows.len() >= usize::from(u8::MAX) {
            return Err("the table has more than 254 rows".to_owned());
        }
        Ok(())
    }

    /// Parses a line of a rule: weight, guards and items.
    fn parse_alternative(&self, line: &str) -> Result<Alternative, String> {
        let (mut weight, mut rest) = (1, line);
        if let Some((number, after)) = line.split_once(' ')
            && let Ok(number) = number.parse()
        {
            (weight, rest) = (number, after);
        }
        let mut guards = Vec::new();
        if let Some(inside) = rest.strip_prefix('[') {
            let (inside, after) = inside.split_once(']').ok_or("a bracket is not closed")?;
            guards = inside.split(' ').map(|guard| self.parse_guard(guard)).collect::<Result<_, _>>()?;
            rest = after.trim_start();
        }
        let mut items = Vec::new();
        // A leading `_` stands for nothing. Behind it, a text can begin with a space, and an alternative can
        // be empty.
        for (text, body) in split_parts(rest.strip_prefix('_').unwrap_or(rest))? {
            if !text.is_empty() {
                items.push(Item::Text(text.replace("\\n", "\n")));
            }
            if let Some(body) = body {
                items.push(self.parse_item(body)?);
            }
        }
        Ok(Alternative { weight, guards, items })
    }

    /// Parses `x.column=value` or `x.column!=value`.
    fn parse_guard(&self, text: &str) -> Result<Guard, String> {
        let (cell, value) = text.split_once('=').ok_or("a guard has no `=` or `!=`")?;
        let (cell, equal) = cell.strip_suffix('!').map_or((cell, true), |cell| (cell, false));
        Ok(Guard { cell: self.parse_cell(cell)?, value: value.to_owned(), equal })
    }

    /// Parses `x` or `x.column`.
    fn parse_cell(&self, text: &str) -> Result<Cell, String> {
        let (name, column) = text.split_once('.').unwrap_or((text, ""));
        let variable = look_up(&self.variables, name, "variable")?;
        Ok(Cell { variable, column: self.column_number(self.grammar.variables[variable], column)? })
    }

    /// The number of a table's column.
    fn column_number(&self, table: usize, name: &str) -> Result<usize, String> {
        self.columns[table]
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| format!("there is no column {name:?}"))
    }

    /// Parses the content of braces.
    fn parse_item(&self, body: &str) -> Result<Item, String> {
        let (format, body) = format_prefix(body);
        if let Some(rule) = self.rules.get(body) {
            return if format == Format::default() {
                Ok(Item::Rule(*rule))
            } else {
                Err(format!("{body:?} is a rule; only words of tables take `^` or `a `"))
            };
        }
        let (draw, matching) =
            body.split_once('|').map_or((body, None), |(draw, matching)| (draw, Some(matching)));
        let (bind, name) = draw.split_once('=').map_or((None, draw), |(bind, name)| (Some(bind), name));
        let Some(&table) = self.tables.get(name) else {
            return Ok(Item::Cell(self.parse_cell(body)?, format));
        };
        let bind = bind.map(|name| look_up(&self.variables, name, "variable")).transpose()?;
        let matching = matching.map(|matching| {
            let (column, cell) = matching.split_once('=').ok_or("there is no `=` behind the `|`")?;
            Ok::<_, String>((self.column_number(table, column)?, self.parse_cell(cell)?))
        });
        Ok(Item::Draw { table, matching: matching.transpose()?, bind, format })
    }
}

/// Splits the prefixes `^` and `a ` off the content of braces.
fn format_prefix(body: &str) -> (Format, &str) {
    let (body, capital) = body.strip_prefix('^').map_or((body, false), |body| (body, true));
    let (body, article) = body.strip_prefix("a ").map_or((body, false), |body| (body, true));
    (Format { article, capital }, body)
}
