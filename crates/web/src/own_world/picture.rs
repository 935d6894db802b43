//! A picture as flat lists, which the worker of the page hands on without looking at them.

use learnery_world_rules::{Form, Frame, Role};

/// A number of a shape that is not there.
const ABSENT: f32 = f32::NAN;

/// A picture. `numbers` has the camera's middle (two numbers) and height, then for each shape its kind, its
/// colour (its place in `Role::ALL`), the width of its lines (not a number if it is filled), the count of its
/// own numbers, and these:
///
/// | kind | numbers |
/// |---|---|
/// | 0 line | from, to |
/// | 1 circle | middle, radius |
/// | 2 rectangle | middle, size, turn |
/// | 3 polygon, 4 polyline | points |
/// | 5 text | where, size, value (not a number if it has none), its place in `texts` |
/// | 6 trail | where, length, the number of the trail |
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    pub numbers: Vec<f32>,
    pub texts: Vec<String>,
}

impl Picture {
    pub(super) fn of(frame: &Frame) -> Self {
        let [x, y] = frame.camera.at;
        let mut this = Self { numbers: vec![x, y, frame.camera.height], texts: Vec::new() };
        for shape in &frame.shapes {
            let (kind, own) = this.describe(&shape.form);
            let role = Role::ALL.iter().position(|(_, role)| *role == shape.role).unwrap_or(0);
            this.numbers.extend([kind, role as f32, shape.width.unwrap_or(ABSENT), own.len() as f32]);
            this.numbers.extend(own);
        }
        this
    }

    /// The kind of a shape and its own numbers. A text is put into the list.
    fn describe(&mut self, form: &Form) -> (f32, Vec<f32>) {
        match form {
            Form::Line { from, to } => (0.0, vec![from[0], from[1], to[0], to[1]]),
            Form::Circle { at, radius } => (1.0, vec![at[0], at[1], *radius]),
            Form::Rectangle { at, size, turn } => (2.0, vec![at[0], at[1], size[0], size[1], *turn]),
            Form::Polygon(points) => (3.0, points.as_flattened().to_vec()),
            Form::Polyline(points) => (4.0, points.as_flattened().to_vec()),
            Form::Text { at, size, text, value } => {
                self.texts.push(text.clone());
                let place = self.texts.len() - 1;
                (5.0, vec![at[0], at[1], *size, value.unwrap_or(ABSENT), place as f32])
            }
            Form::Trail { at, length, trail } => (6.0, vec![at[0], at[1], *length as f32, *trail as f32]),
        }
    }
}
