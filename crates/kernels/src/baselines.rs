//! Baselines for benches: safe functions around the fastest known libraries for matrix products, with which
//! our kernels are compared. They are in this crate because the interfaces of the libraries take raw
//! pointers.

/// `out = a * b` by the crate `gemm`.
/// Shapes: `size [m, k, n], a [m, k], b [k, n] -> out [m, n]`, row-major.
pub fn gemm(out: &mut [f32], a: &[f32], b: &[f32], size: [usize; 3]) {
    check(out, a, b, size);
    let [m, k, n] = size;
    let (a_row, b_row) = (k as isize, n as isize);
    // The library prefers column-major outputs, so the transposed product is computed, as its own interface
    // does.
    let multiply = gemm_f32::gemm::f32::get_gemm_fn();
    // out = old_factor * out + new_factor * product; without `accumulate`, the old values are not read.
    let (accumulate, old_factor, new_factor) = (false, 0.0, 1.0);
    // Only complex numbers are conjugated.
    let conjugate = false;
    // Of each matrix, the function takes the pointer, then the column stride, then the row stride.
    // SAFETY: each slice holds its whole matrix (checked above), the strides stay inside it, and `out` is
    // borrowed mutably.
    unsafe {
        multiply(
            n,
            m,
            k,
            out.as_mut_ptr(),
            b_row,
            1,
            accumulate,
            b.as_ptr(),
            b_row,
            1,
            a.as_ptr(),
            a_row,
            1,
            old_factor,
            new_factor,
            conjugate,
            conjugate,
            conjugate,
            gemm_common::Parallelism::None,
        );
    }
}

/// `out = a * b` by the crate `matrixmultiply`.
/// Shapes: `size [m, k, n], a [m, k], b [k, n] -> out [m, n]`, row-major.
pub fn matrixmultiply(out: &mut [f32], a: &[f32], b: &[f32], size: [usize; 3]) {
    check(out, a, b, size);
    let [m, k, n] = size;
    let (a_row, b_row) = (k as isize, n as isize);
    // out = old_factor * out + new_factor * product
    let (new_factor, old_factor) = (1.0, 0.0);
    // Of each matrix, the function takes the pointer, then the row stride, then the column stride.
    // SAFETY: each slice holds its whole matrix (checked above), the strides stay inside it, and `out` is
    // borrowed mutably.
    unsafe {
        matrixmultiply::sgemm(
            m,
            k,
            n,
            new_factor,
            a.as_ptr(),
            a_row,
            1,
            b.as_ptr(),
            b_row,
            1,
            old_factor,
            out.as_mut_ptr(),
            b_row,
            1,
        );
    }
}

/// Panics unless each slice holds exactly its matrix.
fn check(out: &[f32], a: &[f32], b: &[f32], [m, k, n]: [usize; 3]) {
    assert!(out.len() == m * n && a.len() == m * k && b.len() == k * n, "not {m} by {k} by {n}");
}
