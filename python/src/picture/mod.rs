//! Pictures of worlds as pixels: what the statements `draw` of a text say, on a light background.

mod canvas;
mod font;

use std::collections::{HashMap, VecDeque};

use learnery_world_rules::{Camera, Form, Frame, Role, Shape};

use canvas::{Canvas, Color, Point};

const BACKGROUND: Color = [255, 255, 255];

/// The width in pixels of a line for which the text says none, and the least width of every line.
const USUAL_WIDTH: f64 = 2.0;
const LEAST_WIDTH: f64 = 1.0;

/// The last positions of the trails of one world, by the number of the trail in the text, the oldest first.
#[derive(Default)]
pub struct Trails(HashMap<usize, VecDeque<[f32; 2]>>);

impl Trails {
    /// Adds the positions of a frame.
    pub fn extend(&mut self, frame: &Frame) {
        for shape in &frame.shapes {
            if let Form::Trail { at, length, trail } = shape.form {
                let positions = self.0.entry(trail).or_default();
                positions.push_back(at);
                while positions.len() > length {
                    positions.pop_front();
                }
            }
        }
    }
}

/// Paints a frame.
/// Shape: `[height, width, 3]`.
pub fn paint(frame: &Frame, trails: &Trails, width: usize, height: usize) -> Vec<u8> {
    let view = View::new(frame.camera, width, height);
    let mut canvas = Canvas::new(width, height, BACKGROUND);
    for shape in &frame.shapes {
        paint_shape(&mut canvas, &view, shape, trails);
    }
    canvas.into_pixels()
}

/// How coordinates of the world become those of pixels.
struct View {
    /// The place of the world that the camera looks at.
    middle: Point,
    /// Where the picture shows it: its own middle, in pixels.
    center: Point,
    /// Pixels of a unit of the world.
    scale: f64,
}

impl View {
    fn new(camera: Camera, width: usize, height: usize) -> Self {
        Self {
            middle: camera.at.map(f64::from),
            center: [width as f64 / 2.0, height as f64 / 2.0],
            scale: height as f64 / f64::from(camera.height),
        }
    }

    fn point(&self, at: [f32; 2]) -> Point {
        let [x, y] = at.map(f64::from);
        [
            self.center[0] + (x - self.middle[0]) * self.scale,
            // A world's heights grow upwards.
            self.center[1] - (y - self.middle[1]) * self.scale,
        ]
    }

    fn length(&self, length: f32) -> f64 {
        f64::from(length) * self.scale
    }

    fn line_width(&self, width: Option<f32>) -> f64 {
        width.map_or(USUAL_WIDTH, |width| self.length(width).max(LEAST_WIDTH))
    }
}

fn paint_shape(canvas: &mut Canvas, view: &View, shape: &Shape, trails: &Trails) {
    let (color, width) = (color_of(shape.role), view.line_width(shape.width));
    match &shape.form {
        Form::Line { from, to } => canvas.line(view.point(*from), view.point(*to), width, color),
        Form::Circle { at, radius } => match shape.width {
            None => canvas.disc(view.point(*at), view.length(radius.abs()), color),
            Some(_) => canvas.ring(view.point(*at), view.length(radius.abs()), width, color),
        },
        Form::Rectangle { at, size, turn } => {
            let corner = |x: f32, y: f32| {
                let (x, y) = (f64::from(x * size[0] / 2.0), f64::from(y * size[1] / 2.0));
                let (sin, cos) = f64::from(*turn).sin_cos();
                [at[0] + (x * cos - y * sin) as f32, at[1] + (x * sin + y * cos) as f32]
            };
            let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            paint_polygon(canvas, view, &corners, shape, width);
        }
        Form::Polygon(points) => paint_polygon(canvas, view, points, shape, width),
        Form::Polyline(points) => paint_lines(canvas, view, points, width, color),
        Form::Text { at, size, text, value } => {
            let text = match value {
                Some(value) => format!("{text} {}", three_digits(*value)),
                None => text.clone(),
            };
            font::write(canvas, view.point(*at), view.length(*size), &text, color);
        }
        Form::Trail { trail, .. } => {
            let positions = trails.0.get(trail).into_iter().flatten();
            paint_lines(canvas, view, &positions.copied().collect::<Vec<_>>(), width, color);
        }
    }
}

/// A number with three significant digits, as the page writes it.
fn three_digits(value: f32) -> String {
    let rounded: f64 = format!("{value:.2e}").parse().unwrap_or_default();
    // Adding zero turns -0 into 0, which is written without a sign.
    (rounded + 0.0).to_string()
}

fn paint_polygon(canvas: &mut Canvas, view: &View, points: &[[f32; 2]], shape: &Shape, width: f64) {
    let color = color_of(shape.role);
    if shape.width.is_none() {
        let points: Vec<Point> = points.iter().map(|at| view.point(*at)).collect();
        canvas.polygon(&points, color);
        return;
    }
    let closed: Vec<[f32; 2]> = points.iter().chain(points.first()).copied().collect();
    paint_lines(canvas, view, &closed, width, color);
}

fn paint_lines(canvas: &mut Canvas, view: &View, points: &[[f32; 2]], width: f64, color: Color) {
    for pair in points.windows(2) {
        canvas.line(view.point(pair[0]), view.point(pair[1]), width, color);
    }
}

/// The colours of the page's light theme.
fn color_of(role: Role) -> Color {
    match role {
        Role::Ink => [0x15, 0x19, 0x1c],
        Role::Muted => [0x66, 0x6f, 0x76],
        Role::Faint => [0xe3, 0xe8, 0xe4],
        Role::Accent => [0x07, 0x7a, 0x5a],
        Role::Second => [0x7b, 0x4b, 0xb8],
        Role::Good => [0x1f, 0x68, 0xad],
        Role::Bad => [0xb2, 0x46, 0x15],
    }
}
