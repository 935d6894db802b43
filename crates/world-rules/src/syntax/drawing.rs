//! What to draw: `draw KIND PROPERTY VALUE ...`.

use super::ast::{Name, Property, Shape};
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, Reported};
use crate::diagnostics::nearest;
use crate::frame::Role;

/// The kinds of shape, each with the properties that it must have and those that it may have. All have
/// `color` and `when`.
const SHAPES: &[(&str, &[&str], &[&str])] = &[
    ("line", &["from", "to"], &["width"]),
    ("circle", &["at", "radius"], &["width"]),
    ("rectangle", &["at", "size"], &["turn", "width"]),
    ("polygon", &["points"], &["at", "turn", "width"]),
    ("polyline", &["points"], &["at", "turn", "width"]),
    ("text", &["at"], &["size", "value"]),
    ("trail", &["at"], &["length", "width"]),
];

impl<'a> Parser<'a, '_, '_> {
    /// What stands behind `draw`.
    pub(super) fn shape(&mut self) -> Parsed<Shape<'a>> {
        let names = || SHAPES.iter().map(|(name, ..)| *name);
        let token = self.token();
        let TokenKind::Name(word) = token.kind else {
            return Err(self.expected(&format!("one of: {}", names().collect::<Vec<_>>().join(", "))));
        };
        let Some((_, required, optional)) = SHAPES.iter().find(|(name, ..)| *name == word) else {
            let help = match nearest(word, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            self.problems.error_with_help(token.span, format!("`{word}` cannot be drawn"), help);
            return Err(Reported);
        };
        self.at += 1;
        let kind = Name { text: word, span: token.span };
        let mut text = None;
        if word == "text" {
            let token = self.token();
            let TokenKind::Text(content) = token.kind else { return Err(self.expected("a text in quotes")) };
            self.at += 1;
            text = Some(Name { text: content, span: token.span });
        }
        let mut properties: Vec<(Name<'a>, Property<'a>)> = Vec::new();
        loop {
            let token = self.token();
            let TokenKind::Name(property) = token.kind else { break };
            let allowed = || required.iter().chain(*optional).chain(&["color", "when"]).copied();
            if !allowed().any(|name| name == property) {
                let help = match nearest(property, allowed()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has: {}", allowed().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("a {word} has no property `{property}`");
                self.problems.error_with_help(token.span, message, help);
                return Err(Reported);
            }
            if properties.iter().any(|(name, _)| name.text == property) {
                self.problems.error(token.span, format!("`{property}` is given twice"));
                return Err(Reported);
            }
            self.at += 1;
            properties.push((Name { text: property, span: token.span }, self.property(property)?));
        }
        if let Some(missing) =
            required.iter().find(|name| !properties.iter().any(|(given, _)| given.text == **name))
        {
            return Err(self.expected(&format!("`{missing}`, which every {word} needs")));
        }
        Ok(Shape { kind, text, properties })
    }

    fn property(&mut self, name: &str) -> Parsed<Property<'a>> {
        match name {
            "color" => {
                let token = self.token();
                let roles = || Role::ALL.iter().map(|(name, _)| *name);
                let TokenKind::Name(word) = token.kind else { return Err(self.expected("a colour")) };
                if !roles().any(|role| role == word) {
                    let help = match nearest(word, roles()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are: {}", roles().collect::<Vec<_>>().join(", ")),
                    };
                    let message = format!("`{word}` is no colour of the theme");
                    self.problems.error_with_help(token.span, message, help);
                    return Err(Reported);
                }
                self.at += 1;
                Ok(Property::Word(Name { text: word, span: token.span }))
            }
            "points" => {
                let mut points = Vec::new();
                loop {
                    let point = self.expression()?;
                    let range = if self.accept_word("for") { Some(self.range()?) } else { None };
                    points.push((point, range));
                    if !self.accept_symbol(",") {
                        return Ok(Property::Points(points));
                    }
                }
            }
            _ => Ok(Property::Value(self.expression()?)),
        }
    }
}
