//! What the functions of the language compute, compared with double precision.

use learnery_kernels::rng::Stream;

use crate::support::{compile, with_every_isa};

/// Observations of a world with the state `x`, `y`.
fn observe(seen: &str, x: f32, y: f32) -> Vec<f32> {
    let text = format!(
        "world \"w\"\nstate x = 0\nstate y = 0\naction u from 0 to 1\nx' = u\nreward 1\nlimit 9\nobserve {seen}"
    );
    let looked = compile(&text).look(&[], &[x, y]);
    assert_eq!(looked.fault, None, "{seen} of {x} and {y}");
    looked.observation
}

#[test]
fn functions_agree_with_double_precision() {
    type Function = fn(f64, f64) -> f64;
    let functions: &[(&str, Function)] = &[
        ("abs(x)", |x, _| x.abs()),
        ("sign(x)", |x, _| x.signum()),
        ("floor(x)", |x, _| x.floor()),
        ("round(x)", |x, _| (x + 0.5).floor()),
        ("sqrt(abs(x))", |x, _| x.abs().sqrt()),
        ("exp(x)", |x, _| x.exp()),
        ("ln(abs(x))", |x, _| x.abs().ln()),
        ("sin(x)", |x, _| x.sin()),
        ("cos(x)", |x, _| x.cos()),
        ("tan(x / 4)", |x, _| (x / 4.0).tan()),
        ("tanh(x)", |x, _| x.tanh()),
        ("atan2(y, x)", |x, y| y.atan2(x)),
        ("min(x, y, 1)", |x, y| x.min(y).min(1.0)),
        ("max([x, y, 1])", |x, y| x.max(y).max(1.0)),
        ("clamp(x, -1, 2)", |x, _| x.clamp(-1.0, 2.0)),
        ("x % 2.5", |x, _| x.rem_euclid(2.5)),
        ("x^3", |x, _| x.powi(3)),
        ("x^-2", |x, _| x.powi(-2)),
        ("abs(x)^1.7", |x, _| x.abs().powf(1.7)),
        ("abs(x)^0.5", |x, _| x.abs().sqrt()),
        ("sum(i * x for i in 0..4)", |x, _| 6.0 * x),
        ("sum([x, y] * [y, 2])", |x, y| x * y + 2.0 * y),
        ("if -1 < x < 1 then 1 else 2", |x, _| if x.abs() < 1.0 { 1.0 } else { 2.0 }),
        ("if x > 0 and not (y > 0) or x > 3 then 1 else 0", |x, y| {
            f64::from(u8::from((x > 0.0 && y <= 0.0) || x > 3.0))
        }),
        ("-x^2", |x, _| -(x * x)),
        ("2 - x - y", |x, y| 2.0 - x - y),
        ("8 / x / y", |x, y| 8.0 / x / y),
        ("[3, 1, 4, 1, 5][abs(x)]", |x, _| [3.0, 1.0, 4.0, 1.0, 5.0][x.abs() as usize]),
        ("[x, y, 7, 8, 9][abs(x)]", |x, y| [x, y, 7.0, 8.0, 9.0][x.abs() as usize]),
    ];
    let all: Vec<&str> = functions.iter().map(|(text, _)| *text).collect();
    let random = Stream::new(2, 2);
    with_every_isa(|_| {
        for i in 0..100 {
            let [x, y] = [0, 1].map(|k| 9.8 * random.uniform(i, k) - 4.9);
            // A world has at most 32 observations.
            for (text, value) in all.iter().zip(observe(&all.join(", "), x, y)) {
                let function = functions.iter().find(|(known, _)| known == text).expect("a function").1;
                let exact = function(f64::from(x), f64::from(y));
                let error = (f64::from(value) - exact).abs() / exact.abs().max(1.0);
                assert!(error < 1e-6, "{text} of {x} and {y}: {value} and {exact}");
            }
        }
    });
}

#[test]
fn brackets_of_arguments_may_span_lines() {
    let text = "world \"w\"\nlet f(\n  a,\n  b\n) = a - 2 * b\nstate x = 0\naction u from 0 to 1\nx' = u\n\
        reward 1\nlimit 9\nobserve f(\n  x,\n  3)";
    assert_eq!(compile(text).look(&[], &[1.0]).observation, [-5.0]);
}

#[test]
fn angles_reach_all_directions() {
    for i in 0..=64 {
        let angle = (f64::from(i) / 32.0 - 1.0) * std::f64::consts::PI;
        let seen =
            observe("atan2(y, x), wrap(5 * pi), atan2(0 * x, 0 * y)", angle.cos() as f32, angle.sin() as f32);
        assert!((f64::from(seen[0]).sin() - angle.sin()).abs() < 1e-6, "{angle}");
        assert!((f64::from(seen[0]).cos() - angle.cos()).abs() < 1e-6, "{angle}");
        assert!((seen[1].abs() - std::f32::consts::PI).abs() < 1e-5);
        assert_eq!(seen[2], 0.0);
    }
}
