//! A picture of one world: shapes in coordinates of the world, with colours by their role in the theme.
//! `World::picture` makes one from a state; the page draws it.

/// What a colour means. The page chooses the colour, for light and dark themes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text and main lines.
    Ink,
    /// Less important lines.
    Muted,
    /// The background of things.
    Faint,
    /// What the agent moves.
    Accent,
    /// A second colour beside it.
    Second,
    Good,
    Bad,
}

impl Role {
    /// All roles with their names in texts.
    pub const ALL: &[(&str, Self)] = &[
        ("ink", Self::Ink),
        ("muted", Self::Muted),
        ("faint", Self::Faint),
        ("accent", Self::Accent),
        ("second", Self::Second),
        ("good", Self::Good),
        ("bad", Self::Bad),
    ];
}

/// Which part of the world is seen. The width follows from the proportions of the surface that is drawn on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// The middle of the picture.
    pub at: [f32; 2],
    /// What is seen of the world from bottom to top.
    pub height: f32,
}

/// One shape of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub role: Role,
    /// The width of lines. A circle, rectangle or polygon without one is filled.
    pub width: Option<f32>,
    pub form: Form,
}

/// What a shape is, with its numbers. Positions are `[x, y]`; y points up.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Line {
        from: [f32; 2],
        to: [f32; 2],
    },
    Circle {
        at: [f32; 2],
        radius: f32,
    },
    /// `at` is the middle; `turn` in radians, anticlockwise.
    Rectangle {
        at: [f32; 2],
        size: [f32; 2],
        turn: f32,
    },
    Polygon(Vec<[f32; 2]>),
    Polyline(Vec<[f32; 2]>),
    /// Plain text, with a number behind it if there is a `value`.
    Text {
        at: [f32; 2],
        size: f32,
        text: String,
        value: Option<f32>,
    },
    /// A line along the last `length` positions of this shape, one for each step. A picture has the newest
    /// position only, so whoever shows pictures keeps and joins them. `trail`, from 0 on, tells trails apart.
    Trail {
        at: [f32; 2],
        length: usize,
        trail: usize,
    },
}

/// A picture. Shapes with a number that is not finite are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    pub camera: Camera,
    pub shapes: Vec<Shape>,
}
