//! The part of the horizontal axis that is shown. Zoomed in, it either follows the newest values or stays
//! where it was moved to.

/// The narrowest part that can be shown, as a fraction of the whole axis.
const MIN_SHOWN_FRACTION: f64 = 1e-4;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zoom {
    /// The width of the part; `None` for all.
    width: Option<f64>,
    /// The right edge of the part; `None` for the newest value.
    right: Option<f64>,
}

impl Zoom {
    /// Whether everything is shown.
    pub fn shows_all(self) -> bool {
        self.width.is_none()
    }

    /// The edges of the part, if the newest values are at `newest`.
    pub fn edges(self, newest: f64) -> (f64, f64) {
        let right = self.right.unwrap_or(newest);
        self.width.map_or((0.0, newest), |width| ((right - width).max(0.0), right))
    }

    /// How many times as wide as the part everything is.
    pub fn times(self, newest: f64) -> f64 {
        self.width.map_or(1.0, |width| newest / width)
    }

    /// Shows half of the part, at its right end.
    pub fn zoom_in(&mut self, newest: f64) {
        let width = self.width.unwrap_or(newest) / 2.0;
        if width > MIN_SHOWN_FRACTION * newest {
            self.width = Some(width);
        }
    }

    /// Shows twice as much.
    pub fn zoom_out(&mut self, newest: f64) {
        let Some(width) = self.width.map(|width| 2.0 * width) else { return };
        if width >= newest {
            *self = Self::default();
        } else {
            self.width = Some(width);
            self.right = self.right.map(|right| right.max(width));
        }
    }

    /// Moves the part by a quarter of its width, to the left or to the right.
    pub fn pan(&mut self, newest: f64, to_the_right: bool) {
        let Some(width) = self.width else { return };
        let step = if to_the_right { width / 4.0 } else { -width / 4.0 };
        let right = (self.right.unwrap_or(newest) + step).max(width);
        self.right = (right < newest).then_some(right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoom_follows_the_newest_values_until_it_is_moved() {
        let mut zoom = Zoom::default();
        assert_eq!((zoom.edges(100.0), zoom.shows_all()), ((0.0, 100.0), true));
        zoom.pan(100.0, false);
        assert!(zoom.shows_all(), "there is nothing to move to");
        zoom.zoom_in(100.0);
        zoom.zoom_in(100.0);
        assert_eq!((zoom.edges(100.0), zoom.times(100.0)), ((75.0, 100.0), 4.0));
        assert_eq!(zoom.edges(200.0), (175.0, 200.0));
        zoom.pan(200.0, false);
        assert_eq!(zoom.edges(200.0), (168.75, 193.75));
        assert_eq!(zoom.edges(300.0), (168.75, 193.75));
        (0..100).for_each(|_| zoom.pan(300.0, false));
        assert_eq!(zoom.edges(300.0), (0.0, 25.0));
        zoom.zoom_out(300.0);
        assert_eq!(zoom.edges(300.0), (0.0, 50.0));
        (0..100).for_each(|_| zoom.pan(300.0, true));
        assert_eq!(zoom.edges(400.0), (350.0, 400.0));
        (0..10).for_each(|_| zoom.zoom_out(400.0));
        assert_eq!(zoom, Zoom::default());
        (0..100).for_each(|_| zoom.zoom_in(400.0));
        assert!(zoom.times(400.0) <= 1.0 / MIN_SHOWN_FRACTION);
        // Nothing is there yet.
        let mut empty = Zoom::default();
        empty.zoom_in(0.0);
        assert!(empty.shows_all());
    }
}
