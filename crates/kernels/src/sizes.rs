//! Products of sizes.

/// The product of sizes, such as the operations of a kernel. It cannot wrap: in a tab `usize` has 32 bits,
/// and a product of three ordinary sizes is often larger. `cargo xtask deps` refuses `(a * b) as f64`.
pub fn product<const N: usize>(sizes: [usize; N]) -> f64 {
    sizes.iter().map(|size| *size as f64).product()
}

#[cfg(test)]
mod tests {
    use super::product;

    #[test]
    fn product_of_sizes_may_exceed_32_bits() {
        assert_eq!(product([1 << 20, 1 << 20, 3]), 3.0 * 2f64.powi(40));
        assert_eq!(product([7, 0]), 0.0);
    }
}
