//! The best libraries for a matrix product, behind one safe face, so that benches can measure ours
//! against them. They are here because their own interfaces take pointers.

/// `out = a * b` by the crate `gemm`, all `n` by `n` and row-major.
pub fn gemm(out: &mut [f32], a: &[f32], b: &[f32], n: usize) {
    check(out, a, b, n);
    let (rows, cols) = (n as isize, 1);
    // SAFETY: each slice holds n * n floats, which the strides never leave, and `out` is borrowed alone.
    unsafe {
        gemm::gemm(
            n,
            n,
            n,
            out.as_mut_ptr(),
            cols,
            rows,
            false,
            a.as_ptr(),
            cols,
            rows,
            b.as_ptr(),
            cols,
            rows,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}

/// `out = a * b` by the crate `matrixmultiply`, all `n` by `n` and row-major.
pub fn matrixmultiply(out: &mut [f32], a: &[f32], b: &[f32], n: usize) {
    check(out, a, b, n);
    let (rows, cols) = (n as isize, 1);
    // SAFETY: each slice holds n * n floats, which the strides never leave, and `out` is borrowed alone.
    unsafe {
        matrixmultiply::sgemm(
            n,
            n,
            n,
            1.0,
            a.as_ptr(),
            rows,
            cols,
            b.as_ptr(),
            rows,
            cols,
            0.0,
            out.as_mut_ptr(),
            rows,
            cols,
        );
    }
}

fn check(out: &[f32], a: &[f32], b: &[f32], n: usize) {
    assert!(out.len() == n * n && a.len() == n * n && b.len() == n * n, "not {n} by {n}");
}

#[cfg(test)]
mod tests {
    use crate::gemm::{Mat, gemm};

    #[test]
    fn they_compute_what_we_compute() {
        let n = 17;
        let a: Vec<f32> = (0..n * n).map(|i| (i % 7) as f32 - 3.0).collect();
        let b: Vec<f32> = (0..n * n).map(|i| (i % 5) as f32 - 2.0).collect();
        let [mut ours, mut first, mut second] = [vec![0.0; n * n], vec![1.0; n * n], vec![2.0; n * n]];
        gemm(&mut ours, Mat::new(&a, n, n), Mat::new(&b, n, n), false);
        super::gemm(&mut first, &a, &b, n);
        super::matrixmultiply(&mut second, &a, &b, n);
        assert!(ours == first && ours == second); // small whole numbers: exact in any order
    }
}
