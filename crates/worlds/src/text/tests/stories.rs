//! Tests of the stories: the computed entropy agrees with enumerating all texts of a small grammar and with the mean
//! surprisal of samples; samples are well formed; and little of the entropy depends on long-range memory.

use std::collections::{BTreeMap, BTreeSet};

use learnery_kernels::rng::Stream;

use crate::text::stories::Stories;
use crate::text::stories::memory::bits_beyond_window;

/// A grammar that uses every construction and has few texts.
const SMALL: &str = "\
@who they
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
[w.they=she p.home!=sea] She took it to the {s=spot|home=p.home} of the {p}
2 [p.home=sea] {^w.they} left
[w.they=he] {w} and {w.they} {p} {more}
{^p} ate
= more
5 x
[w=Carl] y
[p=ray] z
";

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
    // Enough samples that every text occurs.
    let texts = sample(&stories, 200_000);
    let (mut total, mut bits, mut bytes, mut chi_squared) = (0.0, 0.0, 0.0, 0.0_f64);
    for (text, times) in &texts {
        let found = stories.derivations(text);
        assert_eq!(found.count, 1, "{text}");
        total += found.probability;
        bits -= found.probability * found.probability.log2();
        bytes += found.probability * text.len() as f64;
        let expected = found.probability * 200_000.0;
        chi_squared += (f64::from(*times) - expected).powi(2) / expected;
    }
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    assert!((bits - stories.entropy()).abs() < 1e-10, "{bits} and {}", stories.entropy());
    assert!((bytes - stories.expected_bytes()).abs() < 1e-10, "{bytes} and {}", stories.expected_bytes());
    // The chi-squared statistic has about this mean, and a variance of twice the mean.
    let mean = texts.len() as f64;
    assert!((chi_squared - mean).abs() < 4.0 * (2.0 * mean).sqrt(), "{chi_squared} for {mean} texts");
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
        let found = stories.derivations(&text);
        // With an ambiguous grammar, the entropy of the text would be below that of the choices.
        assert_eq!(found.count, 1, "{text}");
        let bits = -found.probability.log2();
        (sum, squares) = (sum + bits, squares + bits * bits);
        let length = text.len() as f64;
        (bytes, byte_squares) = (bytes + length, byte_squares + length * length);
    }
    let within = |what: &str, exact: f64, sum: f64, squares: f64| {
        let mean = sum / f64::from(count);
        let deviation = ((squares / f64::from(count) - mean * mean) / f64::from(count)).sqrt();
        assert!((mean - exact).abs() < 4.0 * deviation, "{what}: {mean} ± {deviation}, and exactly {exact}");
    };
    within("bits", stories.entropy(), sum, squares);
    within("bytes", stories.expected_bytes(), bytes, byte_squares);
    assert!((stories.entropy_rate() - stories.entropy() / stories.expected_bytes()).abs() < 1e-15);
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
fn invalid_grammars_are_rejected_with_the_line() {
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
    for (grammar, sentence) in cases {
        let error = Stories::parse(grammar).expect_err(sentence);
        assert!(error.contains(sentence), "{error}");
    }
}

/// A network with a context of 128 characters must be able to come close to the entropy, which assumes unlimited
/// memory.
#[test]
fn stories_need_little_memory_beyond_a_window_of_112_characters() {
    let stories = Stories::new();
    let fraction = |window| bits_beyond_window(&stories, window, 3000) / stories.entropy();
    // The second figure shows that memory matters at all. The last line: 1,000 characters hold any story.
    let [far, near] = [fraction(112), fraction(56)];
    assert!(far < 0.015, "{:.2} % of the entropy depends on text more than 112 characters back", 100.0 * far);
    assert!(near > 0.15, "only {:.2} % depends on text more than 56 characters back", 100.0 * near);
    assert!(bits_beyond_window(&stories, 1000, 300) < 1e-9);
}
