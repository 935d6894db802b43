//! Single-precision matrix products on strided views, for every transpose that forward and backward need.

/// A read-only matrix view: `rows x cols` with arbitrary strides, so a transpose costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Mat<'a> {
    /// The backing slice; element (i, j) is `data[i * row_stride + j * col_stride]`.
    pub data: &'a [f32],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub cols: usize,
    /// Distance between vertically adjacent elements.
    pub row_stride: usize,
    /// Distance between horizontally adjacent elements.
    pub col_stride: usize,
}

impl<'a> Mat<'a> {
    /// A row-major matrix that fills `data`.
    pub fn new(data: &'a [f32], rows: usize, cols: usize) -> Self {
        assert!(data.len() >= rows * cols, "matrix of {rows}x{cols} over {} values", data.len());
        Self { data, rows, cols, row_stride: cols, col_stride: 1 }
    }

    /// The same data seen transposed.
    pub fn t(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
            ..self
        }
    }

    /// Element (i, j).
    pub fn at(&self, i: usize, j: usize) -> f32 {
        self.data[i * self.row_stride + j * self.col_stride]
    }
}

/// `out = a * b`, or `out += a * b` when `accumulate`. `out` is row-major `[a.rows, b.cols]`.
pub fn gemm(out: &mut [f32], a: Mat, b: Mat, accumulate: bool) {
    assert_eq!(a.cols, b.rows, "inner sizes differ");
    assert!(out.len() >= a.rows * b.cols, "output too small");
    crate::reference::gemm(out, a, b, accumulate);
}
