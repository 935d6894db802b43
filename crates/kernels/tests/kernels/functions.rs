//! Elementary functions (`tanh`, `exp`, `log`, `sigmoid`, `sin`, `cos`): error bounds over their whole range,
//! special values, independence of the position in a slice, and equal bits of the scalar and vector versions.

use crate::{Source, assert_same, on_every_isa};
use learnery_kernels::{activation, math, reference};

/// The function under test, applied to a slice in place.
type SliceFunction = fn(&mut [f32]);
/// The same function in double precision, from the standard library.
type ReferenceFunction = fn(f64) -> f64;

const FUNCTIONS: [(&str, SliceFunction, ReferenceFunction); 6] = [
    ("tanh", activation::tanh, f64::tanh),
    ("exp", activation::exp, f64::exp),
    ("log", activation::log, f64::ln),
    ("sigmoid", activation::sigmoid, reference::sigmoid),
    ("sin", activation::sin, f64::sin),
    ("cos", activation::cos, f64::cos),
];

/// The unit in the last place (ULP): the distance of neighbouring `f32` values at `y`. 127 is the exponent
/// bias and 23 the number of mantissa bits of `f32`; denormal numbers have the exponent field 0 and the
/// spacing of exponent 1.
fn ulp(y: f64) -> f64 {
    let exponent_field = (y.abs().min(f64::from(f32::MAX)) as f32).to_bits() >> 23;
    2f64.powi(exponent_field.max(1) as i32 - 127 - 23)
}

/// The error bound stated in [`learnery_kernels::simd::math`], at the exact result `y`. It is relative (in
/// ULP) except for sine and cosine: near their zeros, the rounding of the argument reduction is many
/// ULP, so their bound is absolute.
fn error_bound(name: &str, y: f64) -> f64 {
    match name {
        "tanh" => 6.0 * ulp(y),
        "exp" => 1.1 * ulp(y),
        "log" => ulp(y),
        "sigmoid" => 3.0 * ulp(y),
        "sin" | "cos" => 1e-7,
        _ => unreachable!("no bound for {name}"),
    }
}

/// Arguments at which an implementation changes or its result overflows, underflows or saturates.
const EDGES: [f32; 8] = [
    f32::MIN_POSITIVE, // the smallest normal number
    8192.0,            // the end of the fast argument reduction of sine and cosine
    88.722_84,         // exp overflows above
    103.972_08,        // exp of the negative rounds to zero beyond
    87.336_55,         // exp of the negative is denormal beyond
    9.010_913,         // tanh rounds to one
    1.0,               // log changes its sign
    f32::MAX,
];

/// Every 2003rd of all bit patterns (so numbers of every magnitude, infinities and NaN), two dense grids
/// around zero (to ±10.8 and to ±130), and the 600 values around each of [`EDGES`], with both signs.
fn test_points() -> Vec<f32> {
    let mut x: Vec<f32> = (0..u32::MAX).step_by(2003).map(f32::from_bits).collect();
    x.extend((-400_000..400_000).map(|i| i as f32 * 2.7e-5));
    x.extend((-100_000..100_000).map(|i| i as f32 * 0.001_3));
    for edge in EDGES {
        for near in edge.to_bits() - 300..edge.to_bits() + 300 {
            x.extend([f32::from_bits(near), -f32::from_bits(near)]);
        }
    }
    x
}

#[test]
fn function_errors_stay_within_the_stated_bounds() {
    let x = test_points();
    for (name, function, reference) in FUNCTIONS {
        let expected: Vec<f64> = x.iter().map(|&x| reference(f64::from(x))).collect();
        on_every_isa(|isa| {
            let mut got = x.clone();
            function(&mut got);
            for ((x, y), exact) in x.iter().zip(&got).zip(&expected) {
                // Results that round to infinity, and NaN, must match exactly.
                let rounded = *exact as f32;
                let within_bound = if rounded.is_finite() && y.is_finite() {
                    (f64::from(*y) - exact).abs() <= error_bound(name, *exact)
                } else {
                    rounded == *y || (rounded.is_nan() && y.is_nan())
                };
                assert!(within_bound, "{name}({x:e}) is {y:e} and should be {exact:e} on {isa}");
                let bounded_by_one = matches!(name, "tanh" | "sigmoid" | "sin" | "cos");
                assert!(!bounded_by_one || y.is_nan() || y.abs() <= 1.0, "{name}({x:e}) is {y:e} on {isa}");
            }
        });
    }
}

#[test]
fn functions_map_special_values_correctly() {
    /// Name, function, and pairs of argument and result. 1e-40 is a denormal number.
    type Row = (&'static str, SliceFunction, &'static [(f32, f32)]);
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
        for (name, function, pairs) in table {
            for &(x, y) in pairs.iter().chain(&[(f32::NAN, f32::NAN)]) {
                let mut got = [x];
                function(&mut got);
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
            let x = source.numbers_with_special_values(len + 3);
            for (name, function, _) in FUNCTIONS {
                let mut alone = x.clone();
                alone.iter_mut().for_each(|v| function(std::slice::from_mut(v)));
                for start in 0..3 {
                    let mut together = x.clone();
                    function(&mut together[start..start + len]);
                    let what = format!("{name} of {len} values from {start} on {isa}");
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
        let x = Source::new(2).numbers_with_special_values(500);
        let check = |name: &str, vector: SliceFunction, scalar: fn(f32) -> f32| {
            let mut expected = x.clone();
            vector(&mut expected);
            let got: Vec<f32> = x.iter().map(|&x| scalar(x)).collect();
            assert_same(&format!("{name} on {isa}"), &got, &expected);
        };
        check("tanh", activation::tanh, math::tanh);
        check("exp", activation::exp, math::exp);
        check("log", activation::log, math::log);
        check("sin", activation::sin, |x| math::sin_cos(x).0);
        check("cos", activation::cos, |x| math::sin_cos(x).1);
        let (mut sines, mut cosines) = (x.clone(), x.clone());
        activation::sin_cos(&x, &mut sines, &mut cosines);
        let (expected_sines, expected_cosines): (Vec<_>, Vec<_>) =
            x.iter().map(|&x| math::sin_cos(x)).unzip();
        assert_same(isa, &sines, &expected_sines);
        assert_same(isa, &cosines, &expected_cosines);
    });
}

/// Instruction sets with a fused multiply-add compute the same operations in the same order on vectors of
/// another length.
#[test]
#[cfg(target_arch = "x86_64")]
fn fused_instruction_sets_give_the_same_bits() {
    use learnery_kernels::simd::{Isa, force_isa};
    let x = Source::new(3).numbers_with_special_values(10_000);
    for (name, function, _) in FUNCTIONS {
        let mut results = Vec::new();
        for isa in Isa::available().filter(|isa| !matches!(isa, Isa::Portable(_))) {
            force_isa(Some(isa));
            let mut y = x.clone();
            function(&mut y);
            results.push(y);
            force_isa(None);
        }
        for other in results.iter().skip(1) {
            assert_same(name, other, &results[0]);
        }
    }
}
