//! Texts that were made to hurt are refused, or run within the limits. Without limits, each of these would
//! overflow the stack, fill the memory or take for ever.

use std::fs;

use learnery_world_rules::limits::{MAX_ASKED, MAX_ERRORS, MAX_EXPANSION, MAX_JUDGED};
use learnery_world_rules::{Severity, World, Worlds, render};

use crate::adversarial;
use crate::support::{compile, files};

/// Compiles a text and prints what is wrong with it. Returns the first error.
fn refused(text: &str) -> String {
    let errors = match World::compile(text) {
        Ok(_) => panic!("a hostile text is a world: {text:.200}"),
        Err(errors) => errors,
    };
    // Behind the last one may be a note that there are more.
    assert!(!errors.is_empty() && errors.len() <= MAX_ERRORS + 1);
    let printed = render(text, &errors);
    assert!(printed.len() < 64 * 1024, "{} bytes of errors", printed.len());
    for line in printed.lines() {
        assert!(line.chars().count() < 600 && !line.chars().any(char::is_control), "{line}");
    }
    let first = errors.iter().find(|error| error.severity == Severity::Error);
    first.expect("an error").message.clone()
}

/// A world with the statements of `rules`.
fn with(rules: &str) -> String {
    format!("world \"w\"\naction push: left, right\nstate x = 0\nreward 1\nlimit 9\n{rules}\n")
}

#[test]
fn brackets_and_signs_are_no_danger_to_the_stack() {
    for piece in ["(", "[", "-", "not ", "if ", "x^", "x[", "sin(", "((", "for i in 0..2: ", "1 + (", "a[0]"]
    {
        let deep = piece.repeat(60_000 / piece.len());
        refused(&with(&format!("let y = {deep}")));
        refused(&with(&deep));
        refused(&with(&format!("draw circle at {deep}")));
        refused(&deep);
    }
    let closed = format!("let y = {}1{}", "(".repeat(30_000), ")".repeat(30_000));
    assert!(refused(&with(&closed)).contains("nesting"));
}

#[test]
fn long_sums_are_worlds_or_have_too_many_operations() {
    compile(&with(&format!("let y = x{}\nx' = y", " + x".repeat(3_000))));
    compile(&with(&format!("x' = x{}", " * 1".repeat(14_000))));
    let powers: String = (0..6_000).map(|i| format!(" + x * {i}")).collect();
    assert!(refused(&with(&format!("x' = x{powers}"))).contains("operations"));
    let conditions = " or x > 1".repeat(6_000);
    compile(&with(&format!("fail when x > 0{conditions}")));
}

#[test]
fn functions_that_call_functions_end() {
    let mut rules = String::from("let f0(a) = a + a\n");
    for i in 1..400 {
        rules += &format!("let f{i}(a) = f{}(a) + f{}(a + {i})\n", i - 1, i - 1);
    }
    let message = refused(&with(&format!("{rules}x' = f399(x)")));
    assert!(message.contains("nesting") || message.contains("too large"), "{message}");
    let wide = "let g(a) = sum(a * i for i in 0..256)\nlet h(a) = sum(g(a + i) for i in 0..256)\n\
                let k(a) = sum(h(a + i) for i in 0..256)\nx' = k(x)";
    assert!(refused(&with(wide)).contains("too large"));
    assert!(refused(&with("let f(a) = f(a)\nx' = f(1)")).contains("below this line"));
}

#[test]
fn thousands_of_statements_are_read_at_once() {
    let chain: String = (1..3_000).map(|i| format!("let a{i} = a{} + x\n", i - 1)).collect();
    compile(&with(&format!("let a0 = x\n{chain}x' = a2900")));
    let values: String = (0..2_000).map(|i| format!("state s{i} = 0\n")).collect();
    assert!(refused(&with(&values)).contains("at most 64"));
    let names: String = (0..3_000).map(|i| format!("let y = unknown{i}\n")).collect();
    refused(&with(&names));
    let parameters: String = (0..2_000).map(|i| format!("param p{i} = 0 from 0 to 1\n")).collect();
    assert!(refused(&with(&parameters)).contains("at most 64"));
}

#[test]
fn tables_loops_and_pictures_have_limits() {
    let table = format!("let t = [{}]", "1, ".repeat(15_000));
    assert!(refused(&with(&table)).contains("at most 256"));
    assert!(refused(&with("let t = [i for i in 0..100000]")).contains("at most 256"));
    assert!(refused(&with("state h = [0 for i in 0..200]")).contains("at most 64"));
    let deep = "for i in 0..256: for j in 0..256: for k in 0..256: draw circle at (i, j) radius k";
    assert!(refused(&with(deep)).contains("shapes"));
    let points = "for i in 0..99: draw polyline points (j, i) for j in 0..256";
    assert!(refused(&with(points)).contains("points"));
    let choices: Vec<String> = (0..5_000).map(|i| format!("c{i}")).collect();
    assert!(refused(&format!("world \"w\"\naction a: {}", choices.join(", "))).contains("16 choices"));
    let seen = "observe x\n".repeat(100);
    assert!(refused(&with(&seen)).contains("at most 32"));
    let draws = "let r = sum(uniform(0, 1) for i in 0..200) + sum(uniform(0, 1) for i in 0..200)";
    assert!(refused(&with(draws)).contains("random numbers"));
}

#[test]
fn numbers_beyond_all_bounds_are_errors_or_faults() {
    assert!(refused(&with("let y = 1e39")).contains("too large"));
    assert!(refused(&with(&format!("let y = {}", "9".repeat(50_000)))).contains("too large"));
    assert!(refused(&with("let y = 1 / 0")).contains("always"));
    refused(&with("let y = t[9]\nlet t = [1]"));
    refused(&with("limit 1e9"));
    refused(&with("step 1e-99"));
    let world = compile(&with("x' = exp(exp(99)) - exp(99)"));
    let mut batch = Worlds::new(world, &[], 0..1, learnery_kernels::rng::Stream::new(1, 1));
    batch.step(&[f32::NAN]);
    assert_eq!(batch.fault(0).expect("a fault").line, 6);
}

#[test]
fn an_action_that_is_no_number_is_a_fault() {
    let world = compile("world \"w\"\naction u from -1 to 1\nstate x = 0\nx' = u\nreward u\nlimit 9");
    let mut batch = Worlds::new(world, &[], 0..2, learnery_kernels::rng::Stream::new(1, 1));
    batch.step(&[f32::NAN, f32::INFINITY]);
    assert_eq!((batch.ended(), batch.reward(1)), (&[0][..], 1.0));
}

#[test]
fn any_script_may_name_things() {
    compile(&with("let угол = x\nlet 角度 = угол\nlet زاوية = 角度\nx' = زاوية"));
    refused(&with("let \u{202e}x = 1"));
    refused(&with("let a\u{0} = 1\n\u{7}\u{1b}[31m"));
    refused(&with(&"é".repeat(30_000)));
    refused(&with(&"\u{1f600}".repeat(16_000)));
    refused(&"\u{feff}".repeat(20_000));
    refused("");
    refused(&"#".repeat(70_000));
    refused(&"x".repeat(65_000));
    refused(&"\"".repeat(65_000));
    refused(&"'".repeat(65_000));
    refused(&"a' = 1\n".repeat(9_000));
}

/// The work is counted, because a time would depend on the machine. `learnery_world_rules`' example `hostile`
/// measures the time of the same texts.
#[test]
fn no_text_takes_more_work_than_the_limits_allow() {
    let most = MAX_EXPANSION + MAX_ASKED + MAX_JUDGED;
    for adversarial::Adversary { name, text } in adversarial::texts() {
        let (_, work) = World::compile_counted(&text);
        // The last part and the last question may go a little beyond a limit.
        assert!(work < most + most / 100, "{name}: {work}");
    }
}

#[test]
fn repeated_lines_take_no_more_work_than_their_number() {
    let linear = ["covered successes", "failures", "next values", "an unknown name among many"];
    let texts = adversarial::texts();
    for name in linear {
        let text = &texts.iter().find(|text| text.name == name).expect("a text of this name").text;
        let (_, work) = World::compile_counted(text);
        assert!(work < 10 * text.len(), "{name}: {work}");
    }
}

#[test]
fn worlds_that_people_write_are_far_from_the_limits_of_work() {
    for file in files("examples", "world").into_iter().chain(files("challenges", "world")) {
        let text = fs::read_to_string(&file).expect("a text can be read");
        let (_, work) = World::compile_counted(&text);
        assert!(work < MAX_EXPANSION.min(MAX_ASKED).min(MAX_JUDGED) / 4, "{}: {work}", file.display());
    }
}

/// What is not found out within the work for it is not warned of, and the text stays a world.
#[test]
fn warnings_end_with_the_work_for_them() {
    let texts = adversarial::texts();
    let text = &texts.iter().find(|text| text.name == "ends at the beginning").expect("the text").text;
    let (world, work) = World::compile_counted(text);
    assert!(work > MAX_JUDGED, "{work}");
    let world = world.expect("a world");
    let is_slip = |warning: &learnery_world_rules::Diagnostic| warning.message.contains("before the step");
    assert!(!world.warnings().iter().any(is_slip), "{:?}", world.warnings());
    // With fewer terms the same slip is found.
    let short = text.split("+abs").take(9).collect::<Vec<_>>().join("+abs");
    let found = compile(&short);
    assert!(found.warnings().iter().any(is_slip));
}

#[test]
fn after_the_most_problems_a_note_says_that_there_are_more() {
    let lines = |count: usize| with(&"fail when z\n".repeat(count));
    let problems = |text: &str| World::compile(text).expect_err("a text with errors");
    let all = problems(&lines(MAX_ERRORS));
    assert!(all.len() == MAX_ERRORS && all.iter().all(|problem| problem.severity == Severity::Error));
    let more = problems(&lines(MAX_ERRORS + 5));
    let note = &more[MAX_ERRORS];
    assert_eq!((more.len(), note.severity), (MAX_ERRORS + 1, Severity::Warning));
    assert_eq!(note.message, "there are more mistakes, one of them here; only 40 are listed");
    assert_eq!(note.line, 6 + MAX_ERRORS);

    let ends = |count: usize| {
        let ends = "succeed when x > 2\n".repeat(count);
        let world = compile(&with(&format!("x' = x + push\nfail when x > 1\n{ends}")));
        world.warnings().to_vec()
    };
    assert_eq!(ends(MAX_ERRORS).len(), MAX_ERRORS);
    let more = ends(MAX_ERRORS + 5);
    assert_eq!(more.len(), MAX_ERRORS + 1);
    assert_eq!(more[MAX_ERRORS].message, "there are more warnings, one of them here; only 40 are listed");
}
