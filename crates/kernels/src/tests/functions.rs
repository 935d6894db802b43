//! Elementary functions: error bounds over their whole range, special values, and independence of the position in a
//! slice.

use super::{Source, assert_same, on_every_isa};
use crate::{activation, math, reference};

type Fast = fn(&mut [f32]);
type Truth = fn(f64) -> f64;

const FUNCTIONS: [(&str, Fast, Truth); 6] = [
    ("tanh", activation::tanh, f64::tanh),
    ("exp", activation::exp, f64::exp),
    ("log", activation::log, f64::ln),
    ("sigmoid", activation::sigmoid, reference::sigmoid),
    ("sin", activation::sin, f64::sin),
    ("cos", activation::cos, f64::cos),
];

/// The unit in the last place (ULP) at `y`.
fn ulp(y: f64) -> f64 {
    let exponent = (y.abs().min(f64::from(f32::MAX)) as f32).to_bits() >> 23;
    2f64.powi(exponent.max(1) as i32 - 127 - 23)
}

/// The documented error bound at the exact result `y`.
fn bound(name: &str, y: f64) -> f64 {
    match name {
        "tanh" => 6.0 * ulp(y),
        "exp" => 1.1 * ulp(y),
        "log" => ulp(y),
        "sigmoid" => 3.0 * ulp(y),
        _ => 1e-7,
    }
}

/// Every 2003rd of all floats, and dense points where the functions are interesting.
fn test_points() -> Vec<f32> {
    let mut x: Vec<f32> = (0..u32::MAX).step_by(2003).map(f32::from_bits).collect();
    x.extend((-400_000..400_000).map(|i| i as f32 * 2.7e-5));
    x.extend((-100_000..100_000).map(|i| i as f32 * 0.001_3));
    for edge in [f32::MIN_POSITIVE, 8192.0, 88.722_84, 103.972_08, 87.336_55, 9.010_913, 1.0, f32::MAX] {
        for near in edge.to_bits() - 300..edge.to_bits() + 300 {
            x.extend([f32::from_bits(near), -f32::from_bits(near)]);
        }
    }
    x
}

#[test]
fn function_errors_stay_within_the_stated_bounds() {
    let x = test_points();
    for (name, fast, truth) in FUNCTIONS {
        let expected: Vec<f64> = x.iter().map(|&x| truth(f64::from(x))).collect();
        on_every_isa(|isa| {
            let mut got = x.clone();
            fast(&mut got);
            for ((x, y), t) in x.iter().zip(&got).zip(&expected) {
                // Results that round to infinity, and NaN, must match exactly.
                let rounded = *t as f32;
                let fine = if rounded.is_finite() && y.is_finite() {
                    (f64::from(*y) - t).abs() <= bound(name, *t)
                } else {
                    rounded == *y || (rounded.is_nan() && y.is_nan())
                };
                assert!(fine, "{name}({x:e}) is {y:e} and should be {t:e} on {isa}");
                assert!(y.is_nan() || y.abs() <= 1.0 || !matches!(name, "tanh" | "sigmoid" | "sin" | "cos"));
            }
        });
    }
}

#[test]
fn functions_map_special_values_correctly() {
    type Row = (&'static str, Fast, &'static [(f32, f32)]);
    const INF: f32 = f32::INFINITY;
    let table: [Row; 6] = [
        ("tanh", activation::tanh, &[(-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (1e-40, 1e-40)]),
        ("exp", activation::exp, &[(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, 0.0), (1e-40, 1.0)]),
        ("log", activation::log, &[(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (INF, INF), (-1.0, f32::NAN)]),
        ("sigmoid", activation::sigmoid, &[(0.0, 0.5), (INF, 1.0), (-INF, 0.0)]),
        ("sin", activation::sin, &[(0.0, 0.0), (-0.0, 0.0), (INF, f32::NAN), (1e-40, 1e-40)]),
        ("cos", activation::cos, &[(0.0, 1.0), (-INF, f32::NAN), (1e-40, 1.0)]),
    ];
    on_every_isa(|isa| {
        for (name, fast, pairs) in table {
            for &(x, y) in pairs.iter().chain(&[(f32::NAN, f32::NAN)]) {
                let mut got = [x];
                fast(&mut got);
                assert_same(&format!("{name}({x}) on {isa}"), &got, &[y]);
            }
        }
    });
}

#[test]
fn function_results_do_not_depend_on_the_position() {
    on_every_isa(|isa| {
        let mut source = Source::new(1);
        for len in 0..70 {
            let x = source.wild_numbers(len + 3);
            for (name, fast, _) in FUNCTIONS {
                let mut alone = x.clone();
                alone.iter_mut().for_each(|v| fast(std::slice::from_mut(v)));
                for start in 0..3 {
                    let mut together = x.clone();
                    fast(&mut together[start..start + len]);
                    let what = format!("{name} of {len} from {start} on {isa}");
                    assert_same(&what, &together[start..start + len], &alone[start..start + len]);
                    assert_same(&what, &together[..start], &x[..start]);
                    assert_same(&what, &together[start + len..], &x[start + len..]);
                }
            }
        }
    });
}

#[test]
fn scalar_functions_have_the_bits_of_vector_functions() {
    on_every_isa(|isa| {
        let x = Source::new(2).wild_numbers(500);
        let check = |name: &str, fast: Fast, single: fn(f32) -> f32| {
            let mut expected = x.clone();
            fast(&mut expected);
            let got: Vec<f32> = x.iter().map(|&x| single(x)).collect();
            assert_same(&format!("{name} on {isa}"), &got, &expected);
        };
        check("tanh", activation::tanh, math::tanh);
        check("exp", activation::exp, math::exp);
        check("log", activation::log, math::log);
        check("sin", activation::sin, |x| math::sin_cos(x).0);
        check("cos", activation::cos, |x| math::sin_cos(x).1);
        let (mut sin, mut cos) = (x.clone(), x.clone());
        activation::sin_cos(&x, &mut sin, &mut cos);
        check("sin_cos", activation::sin, |x| math::sin_cos(x).0);
        assert_same(isa, &sin, &x.iter().map(|&x| math::sin_cos(x).0).collect::<Vec<_>>());
        assert_same(isa, &cos, &x.iter().map(|&x| math::sin_cos(x).1).collect::<Vec<_>>());
    });
}

/// Guaranteed by the fixed order of sums and operations.
#[test]
#[cfg(target_arch = "x86_64")]
fn fused_instruction_sets_give_the_same_bits() {
    use crate::simd::{FORCED, Isa};
    let x = Source::new(3).wild_numbers(10_000);
    for (name, fast, _) in FUNCTIONS {
        let mut results = Vec::new();
        for isa in Isa::available().filter(|isa| !matches!(isa, Isa::Portable(_))) {
            FORCED.set(Some(isa));
            let mut y = x.clone();
            fast(&mut y);
            results.push(y);
            FORCED.set(None);
        }
        for other in results.iter().skip(1) {
            assert_same(name, other, &results[0]);
        }
    }
}
