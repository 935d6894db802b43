//! No number of a world leaves its bounds (`World::bounds`), from which warnings follow. They are compared
//! with many random steps of the reference, with parameters and actions anywhere in their ranges.

use std::f32::consts::PI;
use std::fs;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Bounds, Episode, Moment, Outcome, Range, World};

use crate::support::{compile, files, path, with_every_isa};

/// A number in a range, often one of its ends.
fn within(low: f32, high: f32, u: [f32; 4]) -> f32 {
    match u[0] {
        ..0.2 => low,
        0.2..0.4 => high,
        _ => (low + (high - low) * u[1]).clamp(low, high),
    }
}

fn assert_within(numbers: &[f32], ranges: &[Range], what: &str, text: &str) {
    assert_eq!(numbers.len(), ranges.len());
    for (i, (x, range)) in numbers.iter().zip(ranges).enumerate() {
        assert!(range.contains(*x), "{what} {i} is {x}, not in {range:?}\n{text}");
    }
}

/// Steps through episodes and looks at all numbers. Returns the number of steps.
fn walk(world: &World, bounds: &Bounds, episodes: u32, steps: u32, seed: u32, text: &str) -> u32 {
    let (stream, random) = (Stream::new(seed, 1), Stream::new(seed, 2));
    let mut count = 0;
    for episode in 0..episodes {
        let parameters: Vec<f32> = (0..)
            .zip(&world.spec().parameters)
            .map(|(i, p)| within(p.low, p.high, random.uniform4(u64::from(episode), i)))
            .collect();
        let moment = Moment { stream, world: 0, episode, step: 0 };
        if world.begin(&parameters, moment).fault.is_some() {
            assert!(bounds.may_fault, "a beginning has a fault\n{text}");
            continue;
        }
        let mut run = Episode::begin(world, &parameters, moment);
        assert_within(&run.last().state, &bounds.state, "state", text);
        for step in 0..steps {
            // Some episodes repeat one action, which leads further than random ones.
            let sub = if episode % 2 == 0 { step } else { 0 };
            let action: Vec<f32> = (0..world.spec().actions.count())
                .map(|i| {
                    let (low, high) = world.spec().actions.bounds(i);
                    let index = 1_000_000 + u64::from(episode) * 4 + i as u64;
                    let x = within(low, high, random.uniform4(index, u64::from(sub)));
                    if world.spec().actions.count() == 1 && high - low > 1.5 { x.round() } else { x }
                })
                .collect();
            let stepped = run.step(action);
            count += 1;
            if stepped.fault.is_some() {
                assert!(bounds.may_fault, "a fault: {:?}\n{text}", stepped.fault);
                break;
            }
            assert_within(&stepped.state, &bounds.state, "state", text);
            assert_within(&[stepped.reward], &[bounds.reward], "reward", text);
            assert_within(&stepped.observation, &bounds.observations, "observation", text);
            match stepped.outcome {
                Outcome::Failed => assert!(bounds.may_fail, "it fails\n{text}"),
                Outcome::Succeeded => assert!(bounds.may_succeed, "it succeeds\n{text}"),
                Outcome::Truncated => {}
                Outcome::Running => continue,
            }
            break;
        }
    }
    count
}

#[test]
fn no_number_of_an_example_or_a_challenge_leaves_its_bounds() {
    with_every_isa(|_| {
        for file in files("examples", "world").into_iter().chain(files("challenges", "world")) {
            let text = fs::read_to_string(&file).expect("a text can be read");
            let world = compile(&text);
            let bounds = world.bounds().expect("an example is small");
            let steps = walk(&world, &bounds, 20, 300, 3, &text);
            assert!(steps > 100, "{steps} steps of {}", file.display());
        }
    });
}

/// The texts of the corpus of the fuzzer. That of other targets is compared by the fuzzer itself.
#[test]
fn no_number_of_a_hostile_text_leaves_its_bounds() {
    let mut steps = 0;
    for file in fs::read_dir(path("../../fuzz/corpus/world_text")).expect("the folder can be listed") {
        let text = fs::read(file.expect("a file").path()).expect("a text can be read");
        let text = String::from_utf8_lossy(&text).into_owned();
        if let Ok(world) = World::compile(&text)
            && let Some(bounds) = world.bounds()
        {
            steps += walk(&world, &bounds, 20, 50, 4, &text);
        }
    }
    assert!(steps > 1_000, "{steps} steps");
}

/// A random formula of what an interval has to know; `depth` is how deep it may be nested.
fn formula(random: &Stream, next: &mut u64, depth: u32) -> String {
    let [a, b, ..] = random.block(*next, 9);
    *next += 1;
    let leaves = [
        "x",
        "y",
        "u",
        "p",
        "0",
        "1",
        "-2",
        "0.5",
        "1e20",
        "-1e30",
        "3e-30",
        "uniform(-1, 2)",
        "normal(0, 1)",
    ];
    if depth == 0 || a % 5 == 0 {
        return leaves[b as usize % leaves.len()].into();
    }
    let mut of = |depth: u32| formula(random, next, depth - 1);
    let (x, y, z) = (of(depth), of(depth), of(depth));
    match b % 24 {
        0 => format!("({x} + {y})"),
        1 => format!("({x} - {y})"),
        2 => format!("({x} * {y})"),
        3 => format!("({x} / {y})"),
        4 => format!("({x} * {y} + {z})"),
        5 => format!("({x} - {y} * {z})"),
        6 => format!("({x} * {y} - {z})"),
        7 => format!("min({x}, {y})"),
        8 => format!("max({x}, {y})"),
        9 => format!("clamp({x}, {y}, {z})"),
        10 => format!("abs({x})"),
        11 => format!("floor({x})"),
        12 => format!("sqrt({x})"),
        13 => format!("exp({x})"),
        14 => format!("ln({x})"),
        15 => format!("sin({x})"),
        16 => format!("tanh({x})"),
        17 => format!("wrap({x})"),
        18 => format!("({x} % {y})"),
        19 => format!("[1, 5, {z}, 2][{x}]"),
        20 => format!("[1, 5, -3][{x}]"),
        21 => format!("(if {x} < {y} then {x} else {z})"),
        22 => format!("(if abs({x}) <= {y} and not ({x} > {z} or {x} == 1) then {x} else {y})"),
        _ => format!("({x} ^ {y})"),
    }
}

#[test]
fn no_number_of_a_random_world_leaves_its_bounds() {
    let random = Stream::new(11, 3);
    let (mut next, mut steps, mut narrow) = (0, 0, 0);
    for i in 0..3_000 {
        let mut of = |depth| formula(&random, &mut next, depth);
        let (rule, other, reward) = (of(3), of(2), of(2));
        // Half of the worlds are kept within bounds, as most texts of people are.
        let rule = if i % 2 == 0 { format!("clamp({rule}, -2, 3)") } else { rule };
        let text = format!(
            "world \"w\"\nparam p = 1 from -1 to 2\nstate x = uniform(-1, 1)\nstate y = normal(0, 1)\n\
             action u from -1 to 1\nx' = {rule}\ny' = clamp({other}, -1e3, 1e3)\nreward {reward}\n\
             fail when x > 2\nsucceed when x * y < -4\nobserve x, y, x + y\nlimit 9"
        );
        let Ok(world) = World::compile(&text) else { continue };
        let bounds = world.bounds().expect("a small world");
        steps += walk(&world, &bounds, 12, 9, i, &text);
        narrow += u32::from(bounds.state[0].low > -1e6 && bounds.state[0].high < 1e6);
    }
    // Neither do most steps end at once, nor are all bounds trivial.
    assert!(steps > 40_000 && narrow > 1_000, "{steps} steps, {narrow} worlds with narrow bounds");
}

#[test]
fn bounds_are_as_narrow_as_warnings_need_them() {
    let of = |rules: &str| {
        let text = format!(
            "world \"w\"\nparam size = 9 from 5 to 20\nstate x = 0\nstate v = 0\n\
             action u from -1 to 1\n{rules}\nreward x'\nlimit 9"
        );
        compile(&text).bounds().expect("a small world").state[0]
    };
    for (rules, low, high) in [
        ("x' = clamp(x + u, -1, 1)", -1.0, 1.0),
        ("x' = min(max(x + u, -size), size)", -20.0, 20.0),
        ("x' = if x + u > 3 then 3 else if x + u < -2 then -2 else x + u", -2.0, 3.0),
        ("x' = if x + u >= -2 and x + u <= 7 then x + u else x", -2.0, 7.0),
        ("x' = if abs(x + u) > 4 then x else x + u", -4.0, 4.0),
        ("x' = if not (x + u < 0 or x + u > size) then x + u else x", 0.0, 20.0),
        ("x' = wrap(x + u)", -PI, PI),
        ("x' = floor(2.5 * abs(u))", 0.0, 2.0),
        ("x' = [4, 6, 5][1 + u]", 0.0, 6.0),
        ("x' = 3 * tanh(x + v)\nv' = v + u", -3.0, 3.0),
        ("x' = sqrt(size)", 0.0, 4.473),
        ("x' = x", 0.0, 0.0),
    ] {
        let range = of(rules);
        let is_near = |a: f32, b: f32| (a - b).abs() < 1e-3;
        assert!(is_near(range.low, low) && is_near(range.high, high), "{rules}: {range:?}");
    }
    // Friction keeps a speed within bounds that no line names.
    let range = of("x' = 0.9 * x + u");
    assert!(range.low < -9.99 && range.low > -20.0 && range.high > 9.99 && range.high < 20.0, "{range:?}");
    // Counting ends where a number and the next one are two apart. What doubles ends by a fault.
    assert_eq!(of("x' = x + 1").high, 16_777_216.0);
    assert_eq!(of("x' = 2 * x + u").high, 1e30);
}
