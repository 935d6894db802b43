//! Reads a grammar from its text. Every line that cannot be understood is named.

use std::collections::HashMap;

use super::grammar::{Alternative, Cell, Grammar, Guard, Item, Look, Table, VARIABLES};

/// A grammar that is being read.
#[derive(Default)]
struct Reading {
    grammar: Grammar,
    tables: HashMap<String, usize>,
    rules: HashMap<String, usize>,
    variables: HashMap<String, usize>,
    /// Names of the columns of each table, the first of which has none.
    columns: Vec<Vec<String>>,
    /// What the lines belong to.
    place: Option<Place>,
}

#[derive(Clone, Copy)]
enum Place {
    Table(usize),
    Rule(usize),
}

/// Reads a grammar; its first rule is where texts begin.
pub(super) fn read(text: &str) -> Result<Grammar, String> {
    let mut reading = Reading::default();
    let lines = || text.lines().zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let at = |number: i32| move |problem: String| format!("line {number}: {problem}");
    // Names may be used before they are explained.
    for (line, number) in lines() {
        reading.names(line).map_err(at(number))?;
    }
    for (line, number) in lines() {
        reading.line(line).map_err(at(number))?;
    }
    let Reading { grammar, .. } = reading;
    let empty =
        grammar.rules.iter().any(Vec::is_empty) || grammar.tables.iter().any(|table| table.rows.is_empty());
    if grammar.rules.is_empty() || empty {
        return Err("a rule without alternatives, a table without rows, or no rule at all".to_owned());
    }
    Ok(grammar)
}

fn list(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty())
}

/// A line is cut into texts and what stands in braces.
fn parts(line: &str) -> Result<Vec<(&str, Option<&str>)>, String> {
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

fn look_up(names: &HashMap<String, usize>, name: &str, what: &str) -> Result<usize, String> {
    names.get(name).copied().ok_or_else(|| format!("there is no {what} {name:?}"))
}

impl Reading {
    /// Takes note of a table, a rule, or the variables that a line binds.
    fn names(&mut self, line: &str) -> Result<(), String> {
        if let Some(header) = line.strip_prefix('@') {
            let (name, columns) = header.split_once(' ').unwrap_or((header, ""));
            let number = self.tables.len();
            self.fresh(name)?;
            self.tables.insert(name.to_owned(), number);
            self.grammar.tables.push(Table { rows: Vec::new() });
            self.columns.push(std::iter::once(String::new()).chain(list(columns)).collect());
        } else if let Some(name) = line.strip_prefix("= ") {
            let number = self.rules.len();
            self.fresh(name)?;
            self.rules.insert(name.to_owned(), number);
            self.grammar.rules.push(Vec::new());
        } else {
            for body in parts(line)?.into_iter().filter_map(|(_, body)| body) {
                let (_, body) = look(body);
                let Some((name, table)) = body.split('|').next().and_then(|draw| draw.split_once('=')) else {
                    continue;
                };
                let table = look_up(&self.tables, table, "table above")?;
                if !self.variables.contains_key(name) {
                    self.fresh(name)?;
                }
                let variable = *self.variables.entry(name.to_owned()).or_insert(self.grammar.variables.len());
                if variable == self.grammar.variables.len() {
                    self.grammar.variables.push(table);
                }
                if self.grammar.variables[variable] != table || variable >= VARIABLES {
                    return Err(format!("{name:?} holds rows of another table, or is one variable too many"));
                }
            }
        }
        Ok(())
    }

    /// A name means one thing.
    fn fresh(&self, name: &str) -> Result<(), String> {
        if [&self.tables, &self.rules, &self.variables].iter().any(|names| names.contains_key(name)) {
            return Err(format!("{name:?} means something already"));
        }
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(header) = line.strip_prefix('@') {
            self.place = Some(Place::Table(self.tables[header.split(' ').next().unwrap_or_default()]));
            return Ok(());
        }
        if let Some(name) = line.strip_prefix("= ") {
            self.place = Some(Place::Rule(self.rules[name]));
            return Ok(());
        }
        match self.place {
            None => Err("it belongs to no table and no rule".to_owned()),
            Some(Place::Table(table)) => self.rows(table, line),
            Some(Place::Rule(rule)) => {
                let alternative = self.alternative(line)?;
                self.grammar.rules[rule].push(alternative);
                Ok(())
            }
        }
    }

    /// Words, and after a colon what stands in the further columns of all of them.
    fn rows(&mut self, table: usize, line: &str) -> Result<(), String> {
        let (words, values) = line.split_once(':').unwrap_or((line, ""));
        let values: Vec<String> = list(values).collect();
        if values.len() + 1 != self.columns[table].len() {
            return Err(format!("{} further columns are wanted", self.columns[table].len() - 1));
        }
        let rows = &mut self.grammar.tables[table].rows;
        rows.extend(list(words).map(|word| std::iter::once(word).chain(values.clone()).collect()));
        if rows.len() >= usize::from(u8::MAX) {
            return Err("a table with too many rows".to_owned());
        }
        Ok(())
    }

    fn alternative(&self, line: &str) -> Result<Alternative, String> {
        let (mut weight, mut rest) = (1, line);
        if let Some((number, after)) = line.split_once(' ')
            && let Ok(number) = number.parse()
        {
            (weight, rest) = (number, after);
        }
        let mut guards = Vec::new();
        if let Some(inside) = rest.strip_prefix('[') {
            let (inside, after) = inside.split_once(']').ok_or("a bracket is not closed")?;
            guards = inside.split(' ').map(|guard| self.guard(guard)).collect::<Result<_, _>>()?;
            rest = after.trim_start();
        }
        let mut items = Vec::new();
        for (text, body) in parts(rest.strip_prefix('_').unwrap_or(rest))? {
            if !text.is_empty() {
                items.push(Item::Text(text.replace("\\n", "\n")));
            }
            if let Some(body) = body {
                items.push(self.item(body)?);
            }
        }
        Ok(Alternative { weight, guards, items })
    }

    fn guard(&self, text: &str) -> Result<Guard, String> {
        let (cell, value) = text.split_once('=').ok_or("a condition has no sign")?;
        let (cell, equal) = cell.strip_suffix('!').map_or((cell, true), |cell| (cell, false));
        Ok(Guard { cell: self.cell(cell)?, value: value.to_owned(), equal })
    }

    /// `x` or `x.column`.
    fn cell(&self, text: &str) -> Result<Cell, String> {
        let (name, column) = text.split_once('.').unwrap_or((text, ""));
        let variable = look_up(&self.variables, name, "variable")?;
        Ok(Cell { variable, column: self.column(self.grammar.variables[variable], column)? })
    }

    fn column(&self, table: usize, name: &str) -> Result<usize, String> {
        self.columns[table]
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| format!("there is no column {name:?}"))
    }

    fn item(&self, body: &str) -> Result<Item, String> {
        let (look, body) = look(body);
        if let Some(rule) = self.rules.get(body) {
            return if look == Look::default() {
                Ok(Item::Rule(*rule))
            } else {
                Err(format!("{body:?} is a rule, which writes itself"))
            };
        }
        let (draw, alike) = body.split_once('|').map_or((body, None), |(draw, alike)| (draw, Some(alike)));
        let (bind, name) = draw.split_once('=').map_or((None, draw), |(bind, name)| (Some(bind), name));
        let Some(&table) = self.tables.get(name) else { return Ok(Item::Say(self.cell(body)?, look)) };
        let bind = bind.map(|name| look_up(&self.variables, name, "variable")).transpose()?;
        let alike = alike.map(|alike| {
            let (column, cell) = alike.split_once('=').ok_or("a draw is alike in nothing")?;
            Ok::<_, String>((self.column(table, column)?, self.cell(cell)?))
        });
        Ok(Item::Draw { table, alike: alike.transpose()?, bind, look })
    }
}

/// How what stands in braces is to be written, and the rest of it.
fn look(body: &str) -> (Look, &str) {
    let (body, capital) = body.strip_prefix('^').map_or((body, false), |body| (body, true));
    let (body, article) = body.strip_prefix("a ").map_or((body, false), |body| (body, true));
    (Look { article, capital }, body)
}
