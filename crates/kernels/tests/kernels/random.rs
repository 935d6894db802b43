//! Random numbers: the same bits on every instruction set, equal to golden values, and with the right
//! distributions.

use crate::{assert_same, on_every_isa};
use learnery_kernels::reference;
use learnery_kernels::rng::Stream;

/// The seed is 77 and the stream id 3, both arbitrary; [`GOLDEN`] depends on them.
const STREAM: Stream = Stream::new(77, 3);

#[test]
fn fill_uniform_matches_single_calls_bit_for_bit() {
    on_every_isa(|isa| {
        for len in (0..150).chain([1000, 4099]) {
            for index in [0, 5, u64::MAX - 1] {
                // One value before the filled slice, so that its start is not aligned.
                let (mut got, mut expected) = (vec![0.0; len + 1], vec![0.0; len + 1]);
                STREAM.fill_uniform(index, &mut got[1..]);
                reference::fill_uniform(&STREAM, index, &mut expected[1..]);
                assert_same(isa, &got, &expected);
            }
        }
    });
}

#[test]
fn fill_normal_matches_single_calls_bit_for_bit() {
    on_every_isa(|isa| {
        for len in (0..150).chain([1000, 4099]) {
            for index in [0, 5, u64::MAX - 1] {
                let (mut got, mut expected) = (vec![0.0; len + 1], vec![0.0; len + 1]);
                STREAM.fill_normal(index, &mut got[1..]);
                for (sub, block) in expected[1..].chunks_mut(4).enumerate() {
                    block.copy_from_slice(&STREAM.normal4(index, sub as u64)[..block.len()]);
                }
                assert_same(isa, &got, &expected);
            }
        }
    });
}

/// Slices that begin anywhere, also where the low word of the sub-index wraps within a vector.
#[test]
fn fills_from_a_sub_index_match_single_calls_bit_for_bit() {
    on_every_isa(|isa| {
        for sub in [1, (1 << 32) - 5, (3 << 32) - 16, u64::MAX - 2] {
            let mut got = vec![0.0; 150];
            STREAM.fill_uniform_from(7, sub, &mut got);
            let blocks = (0..).map(|i| STREAM.uniform4(7, sub.wrapping_add(i)));
            let expected: Vec<f32> = blocks.flatten().take(got.len()).collect();
            assert_same(isa, &got, &expected);
            STREAM.fill_normal_from(7, sub, &mut got);
            let blocks = (0..).map(|i| STREAM.normal4(7, sub.wrapping_add(i)));
            let expected: Vec<f32> = blocks.flatten().take(got.len()).collect();
            assert_same(isa, &got, &expected);
        }
    });
}

/// A block of random numbers is selected by an index and a sub-index of 64 bits each, whose halves are the
/// four words of the Philox counter.
#[test]
fn normal4_uses_all_bits_of_index_and_sub_index() {
    on_every_isa(|isa| {
        let base = STREAM.normal4(0, 0);
        for bit in 0..64 {
            assert_ne!(STREAM.normal4(1 << bit, 0), base, "bit {bit} of the index on {isa}");
            assert_ne!(STREAM.normal4(0, 1 << bit), base, "bit {bit} of the sub-index on {isa}");
        }
    });
}

#[test]
fn normal2_is_a_prefix_of_normal4() {
    on_every_isa(|_| assert_eq!(STREAM.normal2(9, 9), STREAM.normal4(9, 9)[..2]));
}

/// A thousand numbers of each distribution (uniform, normal, Gumbel, Dirichlet), one distribution after the
/// other. They must have the same bits on every instruction set, fused or not.
fn sample_of_each_distribution() -> Vec<f32> {
    let mut out = vec![0.0; 4 * 1000];
    let [uniform, normal, gumbel, dirichlet] = out.as_chunks_mut::<1000>().0 else { unreachable!() };
    STREAM.fill_uniform(1, uniform);
    STREAM.fill_normal(2, normal);
    STREAM.fill_gumbel(3, gumbel);
    for (i, sample) in dirichlet.chunks_mut(50).enumerate() {
        STREAM.fill_dirichlet(i as u64, [0.03, 0.3, 1.0, 4.0][i % 4], sample);
    }
    out
}

/// The first four numbers of each distribution in [`sample_of_each_distribution`], as bits. This code
/// computed them once. They may not change, because runs and tests with a given seed depend on them.
const GOLDEN: [u32; 16] = [
    0x3eb405a2, 0x3f4291bc, 0x3f5fe559, 0x3f42b67d, 0xbfd50262, 0x3e32656d, 0xbf26dea1, 0x3ef70da3,
    0xbeec5c85, 0xbf389cf3, 0x3fbaf04c, 0x3f489f51, 0x00005f15, 0x3c8b8d18, 0x26d33427, 0x1391840a,
];
/// The checksum over the bits of all its numbers: rotate left by five, then XOR.
const GOLDEN_CHECKSUM: u32 = 0xc439b9a2;

#[test]
fn random_numbers_have_golden_bits_on_every_isa() {
    on_every_isa(|isa| {
        let bits: Vec<u32> = sample_of_each_distribution().into_iter().map(f32::to_bits).collect();
        let first: Vec<u32> = bits.chunks(1000).flat_map(|sample| &sample[..4]).copied().collect();
        let checksum = bits.iter().fold(0u32, |sum, bits| sum.rotate_left(5) ^ bits);
        assert_eq!((first.as_slice(), checksum), (GOLDEN.as_slice(), GOLDEN_CHECKSUM), "on {isa}");
    });
}

/// The critical value of [`kolmogorov_smirnov`]: a correct sample exceeds it with probability 0.001.
const KS_CRITICAL: f64 = 1.95;

/// The Kolmogorov-Smirnov statistic of `x` against `cdf` (the largest distance between the two distribution
/// functions), times the square root of the sample size.
fn kolmogorov_smirnov(mut x: Vec<f32>, cdf: impl Fn(f64) -> f64) -> f64 {
    x.sort_by(f32::total_cmp);
    let n = x.len() as f64;
    let distance = |(i, v): (usize, &f32)| {
        let c = cdf(f64::from(*v));
        (c - i as f64 / n).abs().max((c - (i + 1) as f64 / n).abs())
    };
    x.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

/// The standard normal distribution function, by Simpson's rule from 0 to |x|.
fn normal_cdf(x: f64) -> f64 {
    // Beyond 9, the density is negligible.
    let (steps, upper) = (200, x.abs().min(9.0));
    let density = |i: usize| (-(upper * i as f64 / steps as f64).powi(2) / 2.0).exp();
    let weight = |i: usize| if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
    let integral = (0..=steps).map(|i| weight(i) * density(i)).sum::<f64>() * upper / (3 * steps) as f64;
    0.5 + (integral / std::f64::consts::TAU.sqrt()).copysign(x)
}

#[test]
fn uniform_normal_and_gumbel_numbers_have_their_distributions() {
    let n = 60_000;
    let sample = |fill: fn(&Stream, u64, &mut [f32])| {
        let mut x = vec![0.0; n];
        fill(&STREAM, 8, &mut x);
        x
    };
    let uniform = sample(Stream::fill_uniform);
    assert!(uniform.iter().all(|v| (0.0..1.0).contains(v)));
    assert!(kolmogorov_smirnov(uniform, |x| x) < KS_CRITICAL);
    let normal = sample(Stream::fill_normal);
    // Moments 1 to 4 of the standard normal distribution are 0, 1, 0 and 3; the tolerances are about 3 to 6
    // standard errors at this sample size.
    let moment = |k: i32| normal.iter().map(|v| f64::from(*v).powi(k)).sum::<f64>() / n as f64;
    assert!(moment(1).abs() < 0.012 && (moment(2) - 1.0).abs() < 0.02, "{} {}", moment(1), moment(2));
    assert!(moment(3).abs() < 0.04 && (moment(4) - 3.0).abs() < 0.12, "{} {}", moment(3), moment(4));
    // Box-Muller computes two numbers from one radius and one angle. They must still be uncorrelated.
    for lag in 1..5 {
        let product = |i: usize| f64::from(normal[i]) * f64::from(normal[i + lag]);
        let covariance = (0..n - lag).map(product).sum::<f64>() / n as f64;
        assert!(covariance.abs() < 0.012, "covariance {covariance} at distance {lag}");
    }
    assert!(kolmogorov_smirnov(normal, normal_cdf) < KS_CRITICAL);
    let gumbel = sample(Stream::fill_gumbel);
    assert!(gumbel.iter().all(|v| v.is_finite()));
    assert!(kolmogorov_smirnov(gumbel, |x| (-(-x).exp()).exp()) < KS_CRITICAL);
}

/// Compares means and variances of seven components; for two components, the whole distribution.
#[test]
fn dirichlet_samples_have_their_distribution() {
    for alpha in [0.03, 0.3, 1.0, 2.5, 10.0] {
        let (k, samples) = (7, 20_000);
        let mut all = vec![0.0; k * samples];
        for (i, sample) in all.chunks_mut(k).enumerate() {
            STREAM.fill_dirichlet(i as u64, alpha, sample);
            assert!((sample.iter().sum::<f32>() - 1.0).abs() < 1e-5 && sample.iter().all(|v| *v >= 0.0));
        }
        let mean = 1.0 / k as f64;
        let variance = mean * (1.0 - mean) / (k as f64 * f64::from(alpha) + 1.0);
        for j in 0..k {
            let component = || all.iter().skip(j).step_by(k).map(|v| f64::from(*v));
            let got = component().sum::<f64>() / samples as f64;
            assert!(
                (got - mean).abs() < 4.0 * (variance / samples as f64).sqrt(),
                "mean {got} of {j}, alpha {alpha}"
            );
            let sample_variance = component().map(|v| (v - mean).powi(2)).sum::<f64>() / samples as f64;
            assert!(
                (sample_variance / variance - 1.0).abs() < 0.06,
                "variance {sample_variance}, not {variance}, alpha {alpha}"
            );
        }
    }
    // Of two components with alpha one, each is uniform; with alpha two, x has the distribution 3 x^2 - 2
    // x^3.
    for (alpha, cdf) in [(1.0, (|x| x) as fn(f64) -> f64), (2.0, |x| x * x * (3.0 - 2.0 * x))] {
        let first = |i: u64| {
            let mut sample = [0.0; 2];
            STREAM.fill_dirichlet(i, alpha, &mut sample);
            sample[0]
        };
        assert!(kolmogorov_smirnov((0..40_000).map(first).collect(), cdf) < KS_CRITICAL, "alpha {alpha}");
    }
}

#[test]
fn shuffle_is_fisher_yates() {
    on_every_isa(|isa| {
        for len in (0..70).chain([255, 256, 257, 1000]) {
            let (mut got, mut expected): (Vec<u32>, Vec<u32>) = ((0..len).collect(), (0..len).collect());
            STREAM.shuffle(9, &mut got);
            for i in (1..expected.len()).rev() {
                expected.swap(i, STREAM.below(9, i as u64, i as u32 + 1) as usize);
            }
            assert_eq!(got, expected, "{len} on {isa}");
        }
    });
}
