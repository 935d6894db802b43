//! Baselines for benches: safe functions around the fastest known libraries for matrix products, with which our kernels
//! are compared. They are in this crate because the interfaces of the libraries take raw pointers.

/// `out = a * b` by the crate `gemm`. // size [m, k, n], a [m, k], b [k, n] -> out [m, n], row-major
pub fn gemm(out: &mut [f32], a: &[f32], b: &[f32], size: [usize; 3]) {
    check(out, a, b, size);
    let [m, k, n] = size;
    let (a_row, b_row) = (k as isize, n as isize);
    // The library prefers column-major outputs, so the transposed product is computed, as its own interface does.
    let multiply = gemm_f32::gemm::f32::get_gemm_fn();
    // SAFETY: each slice holds its whole matrix (checked above), the strides stay inside it, and `out` is borrowed
    // mutably. The arguments are sizes; pointer, column stride and row stride of each matrix; whether and with which
    // factors to accumulate; whether to conjugate.
    unsafe {
        multiply(
            n,
            m,
            k,
            out.as_mut_ptr(),
            b_row,
            1,
            false,
            b.as_ptr(),
            b_row,
            1,
            a.as_ptr(),
            a_row,
            1,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
}

/// `out = a * b` by the crate `matrixmultiply`. // size [m, k, n], a [m, k], b [k, n] -> out [m, n], row-major
pub fn matrixmultiply(out: &mut [f32], a: &[f32], b: &[f32], size: [usize; 3]) {
    check(out, a, b, size);
    let [m, k, n] = size;
    let (a_row, b_row) = (k as isize, n as isize);
    // SAFETY: each slice holds its whole matrix (checked above), the strides stay inside it, and `out` is borrowed
    // mutably.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            1.0,
            a.as_ptr(),
            a_row,
            1,
            b.as_ptr(),
            b_row,
            1,
            0.0,
            out.as_mut_ptr(),
            b_row,
            1,
        );
    }
}

fn check(out: &[f32], a: &[f32], b: &[f32], [m, k, n]: [usize; 3]) {
    assert!(out.len() == m * n && a.len() == m * k && b.len() == k * n, "not {m} by {k} by {n}");
}
