//! Pictures as flat arrays: the shapes that a text draws, as the page gets them. `README.md` has the format.

use learnery_world_rules::{Form, Frame, Role, Shape};

/// A picture, or several one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// For each shape: its form, its role, its width (NaN if it has none), the count of its numbers, and
    /// these.
    pub numbers: Vec<f32>,
    /// The texts of shapes, which refer to them by their index.
    pub texts: Vec<String>,
}

impl Picture {
    /// Adds the shapes of a frame.
    pub fn add(&mut self, frame: &Frame) {
        frame.shapes.iter().for_each(|shape| self.add_shape(shape));
    }

    fn add_shape(&mut self, Shape { role, width, form }: &Shape) {
        let role = Role::ALL.iter().position(|(_, known)| known == role).unwrap_or_default();
        let (form, numbers): (u8, Vec<f32>) = match form {
            Form::Line { from, to } => (0, [*from, *to].concat()),
            Form::Circle { at, radius } => (1, vec![at[0], at[1], *radius]),
            Form::Rectangle { at, size, turn } => (2, vec![at[0], at[1], size[0], size[1], *turn]),
            Form::Polygon(points) => (3, points.concat()),
            Form::Polyline(points) => (4, points.concat()),
            Form::Text { at, size, text, value } => {
                let index = self.texts.iter().position(|known| known == text).unwrap_or_else(|| {
                    self.texts.push(text.clone());
                    self.texts.len() - 1
                });
                (5, vec![at[0], at[1], *size, index as f32, value.unwrap_or(f32::NAN)])
            }
            Form::Trail { at, length, trail } => (6, vec![at[0], at[1], *length as f32, *trail as f32]),
        };
        let head = [f32::from(form), role as f32, width.unwrap_or(f32::NAN), numbers.len() as f32];
        self.numbers.extend(head);
        self.numbers.extend(numbers);
    }
}
