//! A canvas of pixels on which shapes are filled with smooth edges. Coordinates are in pixels, from the top
//! left.

/// The horizontal lines at which each row of pixels is sampled where a polygon is filled. Along a line, the
/// covered part of a pixel is exact.
const SAMPLES: usize = 4;

pub type Point = [f64; 2];

/// Red, green, blue.
pub type Color = [u8; 3];

pub struct Canvas {
    width: usize,
    height: usize,
    /// Shape: `[height, width, 3]`.
    pixels: Vec<u8>,
}

impl Canvas {
    pub fn new(width: usize, height: usize, background: Color) -> Self {
        Self { width, height, pixels: background.repeat(width * height) }
    }

    pub fn into_pixels(self) -> Vec<u8> {
        self.pixels
    }

    /// A line with round ends.
    pub fn line(&mut self, from: Point, to: Point, width: f64, color: Color) {
        let radius = width / 2.0;
        let low = [from[0].min(to[0]) - radius, from[1].min(to[1]) - radius];
        let high = [from[0].max(to[0]) + radius, from[1].max(to[1]) + radius];
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        self.cover(low, high, color, |[x, y]| {
            let [x, y] = [x - from[0], y - from[1]];
            let share = if square > 0.0 { (x * along[0] + y * along[1]) / square } else { 0.0 };
            let share = share.clamp(0.0, 1.0);
            (x - share * along[0]).hypot(y - share * along[1]) - radius
        });
    }

    pub fn disc(&mut self, at: Point, radius: f64, color: Color) {
        let (low, high) = ([at[0] - radius, at[1] - radius], [at[0] + radius, at[1] + radius]);
        self.cover(low, high, color, |[x, y]| (x - at[0]).hypot(y - at[1]) - radius);
    }

    pub fn ring(&mut self, at: Point, radius: f64, width: f64, color: Color) {
        let reach = radius + width / 2.0;
        let (low, high) = ([at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach]);
        self.cover(low, high, color, |[x, y]| ((x - at[0]).hypot(y - at[1]) - radius).abs() - width / 2.0);
    }

    /// A polygon, filled by the even-odd rule: a place is inside if a ray from it crosses the edge an odd
    /// number of times.
    pub fn polygon(&mut self, points: &[Point], color: Color) {
        let ys = points.iter().map(|point| point[1]);
        let (low, high) = (ys.clone().fold(f64::INFINITY, f64::min), ys.fold(f64::NEG_INFINITY, f64::max));
        let width = self.width as f64;
        // Nothing of it is on the canvas.
        if points.iter().all(|point| point[0] < 0.0) || points.iter().all(|point| point[0] > width) {
            return;
        }
        let mut cover = vec![0.0_f32; self.width];
        let mut crossings = Vec::new();
        for row in pixel_range(low, high, self.height) {
            cover.fill(0.0);
            for sample in 0..SAMPLES {
                let y = row as f64 + (sample as f64 + 0.5) / SAMPLES as f64;
                crossings.clear();
                for (i, a) in points.iter().enumerate() {
                    let b = points[(i + 1) % points.len()];
                    if (a[1] <= y) != (b[1] <= y) {
                        crossings.push(a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]));
                    }
                }
                crossings.sort_unstable_by(f64::total_cmp);
                for pair in crossings.as_chunks::<2>().0 {
                    for x in pixel_range(pair[0], pair[1], self.width) {
                        let inside = pair[1].min(x as f64 + 1.0) - pair[0].max(x as f64);
                        cover[x] += inside.max(0.0) as f32 / SAMPLES as f32;
                    }
                }
            }
            for (x, share) in cover.iter().enumerate().filter(|(_, share)| **share > 0.0) {
                self.blend(x, row, share.min(1.0), color);
            }
        }
    }

    /// Fills a shape within a box. `distance` is that of a point from the shape's edge, in pixels, negative
    /// inside. Near the edge, the part of a pixel that is covered is about 1/2 minus the distance of its
    /// centre, so the edge is smooth.
    fn cover(&mut self, low: Point, high: Point, color: Color, distance: impl Fn(Point) -> f64) {
        for y in pixel_range(low[1] - 1.0, high[1] + 1.0, self.height) {
            for x in pixel_range(low[0] - 1.0, high[0] + 1.0, self.width) {
                let share = 0.5 - distance([x as f64 + 0.5, y as f64 + 0.5]);
                if share > 0.0 {
                    self.blend(x, y, share.min(1.0) as f32, color);
                }
            }
        }
    }

    /// Mixes a colour into a pixel; `share` is the covered part of it, from 0 to 1.
    fn blend(&mut self, x: usize, y: usize, share: f32, color: Color) {
        let at = (y * self.width + x) * 3;
        for (pixel, color) in self.pixels[at..at + 3].iter_mut().zip(color) {
            let mixed = f32::from(*pixel) * (1.0 - share) + f32::from(color) * share;
            *pixel = mixed.round() as u8;
        }
    }
}

/// The pixels of a row or column that a range touches.
fn pixel_range(low: f64, high: f64, count: usize) -> std::ops::Range<usize> {
    // Conversions of floats saturate, so ranges that are far outside are no problem.
    let (begin, end) = (low.floor().max(0.0) as usize, high.ceil().max(0.0) as usize);
    begin.min(count)..end.min(count)
}
