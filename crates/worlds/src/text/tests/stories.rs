//! Tests of the stories. The computed entropy equals the sum over all texts of a small grammar and agrees
//! with the mean surprisal of samples; samples are well formed; and a predictor with a limited context loses
//! little.

use std::collections::{BTreeMap, BTreeSet};

use learnery_kernels::rng::Stream;

use crate::text::stories::Stories;
use crate::text::stories::memory::bits_beyond_window;

/// A grammar that uses every construction and has few texts. `stories/grammar.rs` describes the syntax.
const SMALL: &str = "\
@who pronoun
Ann, Bea : she
Carl : he
Dot, Eve, Flo : she
@pet home
owl, ant : tree
cod, eel, ray : sea
@spot home
oak, elm : tree
reef : sea
= all
2 {first} {second}.\\n
{first}.\\n
3 {w=who} slept.
= first
{w=who} saw {a p=pet}{end}
{^a p=pet} saw {w=who}{end}
= end
3 _
_ and {pet}
= second
[w.pronoun=she p.home!=sea] She took it to the {s=spot|home=p.home} of the {p}
2 [p.home=sea] {^w.pronoun} left
[w.pronoun=he] {w} and {w.pronoun} {p} {more}
{^p} ate
= more
5 x
[w=Carl] y
[p=ray] z
";

/// The texts of the small grammar that are sampled: enough that each of them occurs.
const SAMPLES: u32 = 200_000;

/// Samples `count` texts and counts each distinct one.
fn sample(stories: &Stories, count: u64) -> BTreeMap<String, u32> {
    let mut texts = BTreeMap::new();
    for index in 0..count {
        let mut text = String::new();
        stories.write_story(Stream::new(11, 4), index, &mut text);
        *texts.entry(text).or_insert(0) += 1;
    }
    texts
}

#[test]
fn entropy_agrees_with_all_texts_of_a_small_grammar() {
    let stories = Stories::parse(SMALL).expect("a grammar");
    let texts = sample(&stories, u64::from(SAMPLES));
    let (mut total, mut bits, mut bytes, mut chi_squared) = (0.0, 0.0, 0.0, 0.0_f64);
    for (text, observed) in &texts {
        let derivations = stories.derivations(text);
        assert_eq!(derivations.count, 1, "ambiguous: {text}");
        total += derivations.probability;
        bits -= derivations.probability * derivations.probability.log2();
        bytes += derivations.probability * text.len() as f64;
        let expected = derivations.probability * f64::from(SAMPLES);
        chi_squared += (f64::from(*observed) - expected).powi(2) / expected;
    }
    // The probabilities sum to one, so every text has occurred.
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    assert!((bits - stories.entropy()).abs() < 1e-10, "{bits} and {}", stories.entropy());
    assert!((bytes - stories.expected_bytes()).abs() < 1e-10, "{bytes} and {}", stories.expected_bytes());
    // For n texts the chi-squared statistic has n - 1 degrees of freedom: mean n - 1 and variance about 2
    // (n - 1).
    let mean = (texts.len() - 1) as f64;
    assert!((chi_squared - mean).abs() < 4.0 * (2.0 * mean).sqrt(), "{chi_squared}, expected {mean}");
    // The grammar cannot produce this text, because only pets eat.
    assert!(stories.surprisal("Ann ate.\n").is_none());
}

#[test]
fn entropy_is_the_mean_surprisal_of_samples() {
    let stories = Stories::new();
    let (count, mut text) = (4000_u32, String::new());
    let [mut sum, mut squares, mut bytes, mut byte_squares] = [0.0; 4];
    for index in 0..u64::from(count) {
        text.clear();
        stories.write_story(Stream::new(1, 2), index, &mut text);
        let derivations = stories.derivations(&text);
        // `entropy` is that of the derivations. It is that of the texts only if each text has one derivation.
        assert_eq!(derivations.count, 1, "ambiguous: {text}");
        let bits = -derivations.probability.log2();
        (sum, squares) = (sum + bits, squares + bits * bits);
        let length = text.len() as f64;
        (bytes, byte_squares) = (bytes + length, byte_squares + length * length);
    }
    let assert_mean_agrees = |what: &str, exact: f64, sum: f64, squares: f64| {
        let mean = sum / f64::from(count);
        let standard_error = ((squares / f64::from(count) - mean * mean) / f64::from(count)).sqrt();
        assert!(
            (mean - exact).abs() < 4.0 * standard_error,
            "{what}: the mean is {mean} ± {standard_error}, the exact value {exact}"
        );
    };
    assert_mean_agrees("bits per story", stories.entropy(), sum, squares);
    assert_mean_agrees("bytes per story", stories.expected_bytes(), bytes, byte_squares);
    assert!((stories.entropy_rate() - stories.entropy() / stories.expected_bytes()).abs() < 1e-15);
    // Bits per byte, and bytes per story.
    assert!((0.25..0.9).contains(&stories.entropy_rate()));
    assert!((200.0..500.0).contains(&stories.expected_bytes()));
}

#[test]
fn stories_are_well_formed_and_distinct() {
    let stories = sample(&Stories::new(), 3000);
    assert_eq!(stories.len(), 3000);
    let mut lengths = BTreeSet::new();
    for story in stories.keys() {
        lengths.insert(story.len());
        let line = story.strip_suffix("\n\n").expect("an empty line at the end");
        assert!(!line.contains(['\n', '{', '}', '_', '|', '[', ']']) && !line.contains("  "), "{line}");
        assert!(
            line.is_ascii()
                && line.ends_with(['.', '"'])
                && line.starts_with(|c: char| c == '"' || c.is_uppercase())
        );
        assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        for (start, _) in line.match_indices(['.', '!', '?']) {
            let next = line[start + 1..].trim_start_matches(['"', ' ']).chars().next();
            assert!(
                next.is_none_or(|next| next.is_uppercase() || line[start + 1..].starts_with("\" ")),
                "{line}"
            );
        }
        for word in [" a ", "A ", " an ", "An "] {
            for (start, _) in line.match_indices(word) {
                let vowel = line[start + word.len()..].starts_with(['a', 'e', 'i', 'o', 'u']);
                assert_eq!(vowel, word.contains('n'), "{line}");
            }
        }
        // There is one hero, so only one set of pronouns.
        let has = |words: &[&str]| words.iter().any(|word| line.contains(word));
        let she = has(&[" she ", " her ", "She ", "Her "]);
        let he = has(&[" he ", " his ", " him ", "He ", "His "]);
        assert!(!(she && he), "{line}");
    }
    assert!(
        *lengths.first().expect("stories") > 150 && *lengths.last().expect("stories") < 900,
        "{lengths:?}"
    );
}

#[test]
fn invalid_grammars_are_rejected_with_the_reason() {
    let cases = [
        ("", "there is no rule"),
        ("text", "line 1: no table or rule begins before it"),
        ("= a\n", "rule \"a\" has no alternative"),
        ("@t\n= a\nx", "table \"t\" has no row"),
        ("= a\n{b}", "line 2: there is no variable \"b\""),
        ("= a\n{x=t}", "line 2: there is no table above \"t\""),
        ("@t\nb\n= a\n{x=t|c=x}", "line 4: there is no column \"c\""),
        ("@t\nb\n= a\n{x=t} {x.c}", "line 4: there is no column \"c\""),
        ("@t c\nb\n= a\nx", "line 2: 0 values behind the colon"),
        ("@t\nb\n= a\n{t", "line 4: a brace is not closed"),
        ("@t\nb\n= a\n[x=b y", "line 4: a bracket is not closed"),
        ("@t\nb\n= a\n{^a}", "line 4: \"a\" is a rule"),
        ("@t\nb\n= t\nx", "line 3: \"t\" is declared twice"),
    ];
    for (grammar, message) in cases {
        let error = Stories::parse(grammar).expect_err(message);
        assert!(error.contains(message), "{error}");
    }
}

/// The language lab's network sees 128 characters, and the entropy it is compared with assumes unlimited
/// memory. So a predictor that sees 112 characters, a little less, must lose almost nothing.
#[test]
fn stories_need_little_memory_beyond_112_characters() {
    let stories = Stories::new();
    let lost_fraction = |window| bits_beyond_window(&stories, window, 3000) / stories.entropy();
    let lost = lost_fraction(112);
    assert!(
        lost < 0.015,
        "{:.2} % of the entropy depends on text more than 112 characters back",
        100.0 * lost
    );
    // Memory matters: half of that window loses much.
    let lost = lost_fraction(56);
    assert!(lost > 0.15, "only {:.2} % depends on text more than 56 characters back", 100.0 * lost);
    // A window that holds any story loses nothing.
    assert!(bits_beyond_window(&stories, 1000, 300) < 1e-9);
}
