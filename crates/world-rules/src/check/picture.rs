//! Compiles the `draw` statements of a world's text. Each number of a shape (a coordinate, a radius) becomes
//! a node of the operation graph, which holds all formulas of the world, so that the picture follows the
//! state.
//!
//! The functions return `None` if something is wrong with the text, or if it has grown too large. A mistake
//! has been reported by then, here or by the parser; a text that is too large is reported once, at the end
//! ([`Checker::spend`]).

use super::scope::Checker;
use super::value::Value;
use crate::diagnostics::Span;
use crate::frame::{Camera, Role};
use crate::graph::{Binary, Id, Ternary, Unary};
use crate::limits::{MAX_POINTS, MAX_SHAPES};
use crate::syntax::ast::{Expr, Kind, Property, Shape, Statement};
use crate::world::{Drawing, FormKind};

/// A text without a size has this one, in the units of the picture.
const DEFAULT_TEXT_SIZE: f32 = 0.1;
/// The least and the most points of a trail, which has one point for each step of the world. A given length
/// is clipped to this range.
const TRAIL_LENGTHS: [f32; 2] = [2.0, 1000.0];
const DEFAULT_TRAIL_LENGTH: usize = 100;

/// The picture of a world while it is compiled.
#[derive(Default)]
pub(super) struct Picture {
    pub camera: Option<Camera>,
    pub drawings: Vec<Drawing>,
    /// The nodes of all drawings in a row. For each drawing: those of its form, its width and its condition,
    /// if it has them.
    pub numbers: Vec<Id>,
    points: usize,
    trails: usize,
}

/// A point as two nodes.
type Point = [Id; 2];

impl<'a> Checker<'a, '_, '_> {
    pub(super) fn camera(&mut self, at: &Expr<'a>, height: &Expr<'a>) -> Option<Camera> {
        // Both are checked before either returns, so that both problems are reported.
        let (at_ids, height_value) = (self.point(at), self.constant(height));
        let ([x, y], height_value) = (at_ids?, height_value?);
        let (Some(x), Some(y)) = (self.graph.value(x), self.graph.value(y)) else {
            self.problems.error(at.span, "the camera does not move: expected two numbers that never change");
            return None;
        };
        if height_value <= 0.0 {
            self.problems.error(height.span, "the height of the picture must be above 0");
            return None;
        }
        Some(Camera { at: [x, y], height: height_value })
    }

    pub(super) fn draw(&mut self, picture: &mut Picture, statement: &Statement<'a>) -> Option<()> {
        match &statement.kind {
            Kind::For { range, body } => {
                for i in self.range(range)? {
                    let id = self.graph.constant(i as f32);
                    self.locals.push(range.variable.text, Value::number(id));
                    let drawn = self.draw(picture, body);
                    self.locals.pop();
                    drawn?;
                }
                Some(())
            }
            Kind::Draw(shape) => self.shape(picture, shape, statement.span),
            // Other statements draw nothing, and are compiled elsewhere.
            _ => Some(()),
        }
    }

    fn shape(&mut self, picture: &mut Picture, shape: &Shape<'a>, span: Span) -> Option<()> {
        // Each shape counts towards the size of the text, also those that a loop repeats.
        if !self.spend() {
            return None;
        }
        if picture.drawings.len() == MAX_SHAPES {
            self.problems.error(span, format!("a picture has at most {MAX_SHAPES} shapes"));
            return None;
        }
        let given = |name: &str| shape.properties.iter().find(|(given, _)| given.text == name);
        let role = match given("color") {
            // The parser has refused unknown colours.
            Some((_, Property::Word(word))) => {
                Role::ALL.iter().find(|(name, _)| *name == word.text).map_or(Role::Ink, |(_, role)| *role)
            }
            _ => Role::Ink,
        };
        let when = match given("when") {
            Some((_, Property::Value(e))) => Some(self.truth(e)?),
            _ => None,
        };
        let width = self.optional(shape, "width")?;
        let mut form_numbers: Vec<Id> = Vec::new();
        let form = match shape.kind.text {
            "line" => {
                form_numbers.extend(self.point_of(shape, "from")?);
                form_numbers.extend(self.point_of(shape, "to")?);
                FormKind::Line
            }
            "circle" => {
                form_numbers.extend(self.point_of(shape, "at")?);
                // The parser has refused a circle without a radius.
                form_numbers.push(self.optional(shape, "radius")??);
                FormKind::Circle
            }
            "rectangle" => {
                form_numbers.extend(self.point_of(shape, "at")?);
                form_numbers.extend(self.point_of(shape, "size")?);
                let turn = self.optional(shape, "turn")?;
                form_numbers.push(turn.unwrap_or_else(|| self.graph.constant(0.0)));
                FormKind::Rectangle
            }
            "text" => {
                form_numbers.extend(self.point_of(shape, "at")?);
                let size = self.optional(shape, "size")?;
                form_numbers.push(size.unwrap_or_else(|| self.graph.constant(DEFAULT_TEXT_SIZE)));
                let value = self.optional(shape, "value")?;
                form_numbers.extend(value);
                let text = shape.text.map_or(String::new(), |text| text.text.to_owned());
                FormKind::Text { text, has_value: value.is_some() }
            }
            "trail" => {
                form_numbers.extend(self.point_of(shape, "at")?);
                picture.trails += 1;
                let length = match given("length") {
                    Some((_, Property::Value(e))) => {
                        let [least, most] = TRAIL_LENGTHS;
                        self.constant(e)?.clamp(least, most) as usize
                    }
                    _ => DEFAULT_TRAIL_LENGTH,
                };
                FormKind::Trail { length, trail: picture.trails - 1 }
            }
            // The parser has refused other words.
            kind => {
                debug_assert!(matches!(kind, "polygon" | "polyline"));
                let points = self.points(shape)?;
                picture.points += points.len();
                if picture.points > MAX_POINTS {
                    self.problems.error(span, format!("a picture has at most {MAX_POINTS} points"));
                    return None;
                }
                form_numbers.extend(points.into_iter().flatten());
                if kind == "polygon" { FormKind::Polygon } else { FormKind::Polyline }
            }
        };
        picture.drawings.push(Drawing {
            role,
            form,
            numbers: form_numbers.len(),
            has_width: width.is_some(),
            has_condition: when.is_some(),
        });
        picture.numbers.extend(form_numbers.into_iter().chain(width).chain(when));
        Some(())
    }

    /// A property that is a number. The outer `None`: its expression is wrong. The inner one: it is not
    /// given.
    fn optional(&mut self, shape: &Shape<'a>, name: &str) -> Option<Option<Id>> {
        match shape.properties.iter().find(|(given, _)| given.text == name) {
            Some((_, Property::Value(e))) => Some(Some(self.number(e)?)),
            _ => Some(None),
        }
    }

    fn point_of(&mut self, shape: &Shape<'a>, name: &str) -> Option<Point> {
        match shape.properties.iter().find(|(given, _)| given.text == name) {
            Some((_, Property::Value(e))) => self.point(e),
            // The parser has refused a shape without it.
            _ => None,
        }
    }

    fn point(&mut self, e: &Expr<'a>) -> Option<Point> {
        let value = self.numbers(e)?;
        if let [x, y] = value.ids[..] {
            return Some([x, y]);
        }
        self.expected("a point, such as `(x, 1)`", &value, e.span);
        None
    }

    /// The points of a polygon or polyline, turned around (0, 0) and moved.
    fn points(&mut self, shape: &Shape<'a>) -> Option<Vec<Point>> {
        let Some((_, Property::Points(given))) =
            shape.properties.iter().find(|(given, _)| given.text == "points")
        else {
            return None;
        };
        let mut points = Vec::new();
        for (e, range) in given {
            let Some(range) = range else {
                points.push(self.point(e)?);
                continue;
            };
            for i in self.range(range)? {
                let id = self.graph.constant(i as f32);
                self.locals.push(range.variable.text, Value::number(id));
                let point = self.point(e);
                self.locals.pop();
                points.push(point?);
            }
        }
        if let Some(turn) = self.optional(shape, "turn")? {
            let g = &mut self.graph;
            let (sin, cos) = (g.unary(Unary::Sin, turn), g.unary(Unary::Cos, turn));
            for [x, y] in &mut points {
                let (along, up) = (g.binary(Binary::Mul, *x, cos), g.binary(Binary::Mul, *y, cos));
                let turned = g.multiply_add(Ternary::NegMulAdd, *y, sin, along);
                *y = g.multiply_add(Ternary::MulAdd, *x, sin, up);
                *x = turned;
            }
        }
        if shape.properties.iter().any(|(given, _)| given.text == "at") {
            let [at_x, at_y] = self.point_of(shape, "at")?;
            for [x, y] in &mut points {
                *x = self.graph.binary(Binary::Add, *x, at_x);
                *y = self.graph.binary(Binary::Add, *y, at_y);
            }
        }
        Some(points)
    }
}
