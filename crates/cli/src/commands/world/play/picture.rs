//! The picture of a world in a terminal: shapes in Braille dots, each colour by its role.

use std::f64::consts::TAU;

use learnery_world_rules::{Form, Role, Shape};
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::text::Line as TextLine;
use ratatui::widgets::canvas::{Canvas, Context, Line, Points};

use super::game::Game;

/// Braille dots of a character, in columns and rows.
const DOTS: [f64; 2] = [2.0, 4.0];

/// Corners that stand for a circle.
const CIRCLE_CORNERS: usize = 48;

/// The most dots of one shape, in case the world draws something far larger than the picture.
const MAX_DOTS: f64 = 4e5;

type Point = [f64; 2];

fn colour(role: Role) -> Color {
    match role {
        // The usual colour of text, whatever the theme of the terminal.
        Role::Ink => Color::Reset,
        Role::Muted => Color::Gray,
        Role::Faint => Color::DarkGray,
        Role::Accent => Color::Cyan,
        Role::Second => Color::Yellow,
        Role::Good => Color::Green,
        Role::Bad => Color::Red,
    }
}

/// Draws the world of a game.
pub fn draw(frame: &mut Frame, area: Rect, game: &Game) {
    if area.is_empty() {
        return;
    }
    let picture = game.frame();
    let [columns, rows] = [f64::from(area.width) * DOTS[0], f64::from(area.height) * DOTS[1]];
    let [x, y] = picture.camera.at.map(f64::from);
    let height = f64::from(picture.camera.height);
    let dot = height / rows;
    let width = dot * columns;
    let canvas = Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([x - width / 2.0, x + width / 2.0])
        .y_bounds([y - height / 2.0, y + height / 2.0])
        .paint(|context| {
            let view = View {
                dot,
                low: [x - width / 2.0, y - height / 2.0],
                high: [x + width / 2.0, y + height / 2.0],
            };
            for shape in &picture.shapes {
                view.draw(context, shape, game);
                // A later shape covers the colours of earlier ones.
                context.layer();
            }
        });
    frame.render_widget(canvas, area);
}

/// What is seen of the world, in the world's units of length.
struct View {
    /// The size of a dot.
    dot: f64,
    /// The lower left corner.
    low: Point,
    /// The upper right corner.
    high: Point,
}

impl View {
    fn draw(&self, context: &mut Context, shape: &Shape, game: &Game) {
        let colour = colour(shape.role);
        let width = shape.width.map(f64::from);
        match &shape.form {
            Form::Line { from, to } => self.lines(context, &[wide(from), wide(to)], width, colour),
            Form::Polyline(points) => self.lines(context, &all(points), width, colour),
            Form::Circle { at, radius } => {
                let corner = |i: usize| {
                    let angle = TAU * i as f64 / CIRCLE_CORNERS as f64;
                    let [x, y] = wide(at);
                    [x + f64::from(*radius) * angle.cos(), y + f64::from(*radius) * angle.sin()]
                };
                self.polygon(context, (0..CIRCLE_CORNERS).map(corner).collect(), width, colour);
            }
            Form::Rectangle { at, size, turn } => {
                let (sin, cos) = f64::from(*turn).sin_cos();
                let [x, y] = wide(at);
                let [w, h] = wide(size).map(|length| length / 2.0);
                let corner = |[u, v]: Point| [x + u * cos - v * sin, y + u * sin + v * cos];
                let corners = [[-w, -h], [w, -h], [w, h], [-w, h]].map(corner);
                self.polygon(context, corners.to_vec(), width, colour);
            }
            Form::Polygon(points) => self.polygon(context, all(points), width, colour),
            Form::Trail { trail, .. } => {
                self.lines(context, &all(&game.trail(*trail).collect::<Vec<_>>()), width, colour);
            }
            Form::Text { at, text, value, .. } => {
                let value = value.map_or_else(String::new, |x| format!(" {}", three_digits(x)));
                let text = format!("{text}{value}");
                let [x, y] = wide(at);
                context.print(x, y, TextLine::styled(text, colour));
            }
        }
    }

    /// Lines from each point to the next.
    fn lines(&self, context: &mut Context, points: &[Point], width: Option<f64>, colour: Color) {
        for pair in points.windows(2) {
            let [[x1, y1], [x2, y2]] = [pair[0], pair[1]];
            let (length, half) = ((x2 - x1).hypot(y2 - y1), width.unwrap_or(0.0) / 2.0);
            // A line narrower than one and a half dots needs no more than the dots drawn below.
            if half > 0.75 * self.dot && length > 0.0 {
                // Across the line, as long as half of its width.
                let [u, v] = [(y1 - y2) / length * half, (x2 - x1) / length * half];
                self.fill(
                    context,
                    &[[x1 + u, y1 + v], [x2 + u, y2 + v], [x2 - u, y2 - v], [x1 - u, y1 - v]],
                    colour,
                );
            }
            context.draw(&Line::new(x1, y1, x2, y2, colour));
        }
    }

    /// A polygon: its line if it has a width, otherwise filled.
    fn polygon(&self, context: &mut Context, mut points: Vec<Point>, width: Option<f64>, colour: Color) {
        if width.is_none() {
            self.fill(context, &points, colour);
        }
        points.extend(points.first().copied());
        self.lines(context, &points, width, colour);
    }

    /// Fills a polygon by the even-odd rule, a row of dots after the other.
    fn fill(&self, context: &mut Context, points: &[Point], colour: Color) {
        let mut dots = Vec::new();
        let rows = ((self.high[1] - self.low[1]) / self.dot).round() as usize;
        for row in 0..rows {
            // The middle of the row.
            let y = self.low[1] + (row as f64 + 0.5) * self.dot;
            let mut crossings: Vec<f64> = edges(points)
                .filter(|([_, y1], [_, y2])| (*y1 <= y) != (*y2 <= y))
                .map(|([x1, y1], [x2, y2])| x1 + (y - y1) / (y2 - y1) * (x2 - x1))
                .collect();
            crossings.sort_by(f64::total_cmp);
            // The dots whose middles are between the crossings, and in the picture.
            for pair in crossings.chunks_exact(2) {
                let first = ((pair[0].max(self.low[0]) - self.low[0]) / self.dot - 0.5).ceil().max(0.0);
                let last = ((pair[1].min(self.high[0]) - self.low[0]) / self.dot - 0.5).floor();
                let mut column = first;
                while column <= last && (dots.len() as f64) < MAX_DOTS {
                    dots.push((self.low[0] + (column + 0.5) * self.dot, y));
                    column += 1.0;
                }
            }
        }
        context.draw(&Points::new(&dots, colour));
    }
}

/// A number with three significant digits, as the page shows it.
fn three_digits(x: f32) -> f64 {
    format!("{x:.2e}").parse().unwrap_or_default()
}

/// The edges of a polygon.
fn edges(points: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// A point in double precision.
fn wide(point: &[f32; 2]) -> Point {
    point.map(f64::from)
}

fn all(points: &[[f32; 2]]) -> Vec<Point> {
    points.iter().map(wide).collect()
}
