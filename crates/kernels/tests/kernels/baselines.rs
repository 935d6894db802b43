//! The libraries that the benches compare with compute the same products.

use learnery_kernels::baselines;
use learnery_kernels::gemm::{Mat, gemm};

#[test]
fn baselines_agree_with_gemm() {
    let size @ [m, k, n] = [17, 12, 9];
    let a: Vec<f32> = (0..m * k).map(|i| (i % 7) as f32 - 3.0).collect();
    let b: Vec<f32> = (0..k * n).map(|i| (i % 5) as f32 - 2.0).collect();
    // The old contents differ, because a product must overwrite them.
    let [mut ours, mut first, mut second] = [vec![3.0; m * n], vec![1.0; m * n], vec![2.0; m * n]];
    let accumulate = false;
    gemm(&mut ours, Mat::new(&a, m, k), Mat::new(&b, k, n), accumulate);
    baselines::gemm(&mut first, &a, &b, size);
    baselines::matrixmultiply(&mut second, &a, &b, size);
    // Products and sums of small whole numbers are exact in any order.
    assert!(ours == first && ours == second);
}
