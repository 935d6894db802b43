//! Recipes of all labs: the shared cases of links (`tests/golden/recipes.json`, which the page's tests read
//! too), runs with data of the user's own, and hostile files and links.

use learnery_lab::{Checkpoint, Recipe, Session};
use learnery_labs::{LABS, find};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Cases {
    good: Vec<Good>,
    bad: Vec<Bad>,
}

#[derive(Deserialize)]
struct Good {
    what: String,
    link: String,
    /// The link as it is written again, if it differs.
    written: Option<String>,
    recipe: Value,
}

#[derive(Deserialize)]
struct Bad {
    what: String,
    link: String,
    /// A word that the error contains.
    names: String,
}

fn read_cases() -> Cases {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/recipes.json");
    serde_json::from_slice(&std::fs::read(path).expect("the cases")).expect("a table of cases")
}

#[test]
fn links_of_the_shared_cases_are_read_and_written_again() {
    for Good { what, link, written, recipe } in read_cases().good {
        let read = Recipe::from_link(&link, LABS).unwrap_or_else(|e| panic!("{what}: {e}"));
        let mut file = recipe;
        file["recipe"] = json!(1);
        assert_eq!(Recipe::from_json(&file.to_string(), LABS).expect(&what), read, "{what}");
        let entry = find(&read.lab).expect("a lab");
        assert_eq!(read.to_link(entry).expect(&what), written.unwrap_or(link.clone()), "{what}");
        // A whole address, as it is copied from a browser.
        let address = format!("https://example.org/learnery/{link}");
        assert_eq!(Recipe::from_link(&address, LABS).expect(&what), read, "{what}");
    }
}

#[test]
fn bad_links_of_the_shared_cases_are_refused_in_one_sentence() {
    for Bad { what, link, names } in read_cases().bad {
        let error = Recipe::from_link(&link, LABS).expect_err(&what).to_string();
        assert!(error.contains(&names) && !error.contains('\n'), "{what}: {error}");
    }
}

/// A world as a link of the page holds it: a command as JSON, compressed, in base64url.
const PACKED_WORLD: &str =
    "q1YqqSxIVbJSKs8vyklR0lHKS8wFcV3yS5R0lEpSK0pgcgoxIMEYJSUdpYLEosTc1JLUomIlq2ql9MTMPCUrIz3T2loA";

#[test]
fn data_in_links_are_those_of_the_page() {
    let link = format!(
        "#/control?seed=1&world=own&change=2:clip=0.3&units=3&data=0:{PACKED_WORLD}&data=2:{PACKED_WORLD}"
    );
    let recipe = Recipe::from_link(&link, LABS).expect("a good link");
    let world =
        json!({ "name": "Dot", "parameters": { "gain": 2.5 }, "text": "world \"Dot\"", "type": "world" });
    let changes: Vec<_> = recipe.changes.iter().map(|change| (change.unit, change.settings.len())).collect();
    assert_eq!(changes, [(0, 0), (2, 1)]);
    assert!(recipe.changes.iter().all(|change| change.data.as_ref() == Some(&world)));
    let written = recipe.to_link(find("control").expect("a lab")).expect("it is short");
    assert_eq!(Recipe::from_link(&written, LABS).expect("our own link"), recipe);
    let long = format!("0:{}", "A".repeat(8_001));
    // Without a unit, without data (twice), with a unit that is no number, with data that cannot be unpacked,
    // and with too many data.
    for wrong in ["", "0", "0:", "x:AAAA", "0:A", "0:AAAA", "0:é", "0:eJw", long.as_str()] {
        let error = Recipe::from_link(&format!("#/control?world=own&data={wrong}"), LABS).expect_err(wrong);
        assert!(error.to_string().contains("data"), "{wrong}: {error}");
    }
}

/// Advances to the end of the recipe.
fn repeat(recipe: &Recipe) -> Session {
    let mut session = recipe.start(find(&recipe.lab).expect("a lab")).expect("its settings are good");
    for _ in 0..recipe.units.expect("an end") {
        recipe.apply_changes(&mut session).expect("its changes are good");
        session.advance_unit();
    }
    recipe.apply_changes(&mut session).expect("its changes are good");
    session
}

/// The text of a user, with characters of its own.
fn text() -> String {
    (0..400).map(|i| format!("line {i}: {} bright foxes jump over {} lazy dogs\n", i % 7, i % 5)).collect()
}

/// A link of the editor holds no run: read as one, it would train the lab's default world.
#[test]
fn link_that_opens_a_world_in_the_editor_is_no_recipe() {
    let refused = |packed: &str| {
        let link = format!("https://example.org/#/control?show=world.{packed}");
        Recipe::from_link(&link, LABS).expect_err("it holds no run").to_string()
    };
    for packed in [PACKED_WORLD, &PACKED_WORLD[..30]] {
        let error = refused(packed);
        assert!(error.contains("holds no run") && error.contains("--world FILE"), "{error}");
    }
    // Any other `show=` only says what the page shows first, such as a prompt. A recipe leaves it out.
    for shown in ["language?show=text.%20Once", "control?show=world", "cube?show=U"] {
        Recipe::from_link(&format!("#/{shown}"), LABS).unwrap_or_else(|e| panic!("{shown}: {e}"));
    }
}

#[test]
fn own_text_goes_into_a_recipe_and_a_short_one_into_a_link() {
    let entry = find("language").expect("a lab");
    let settings = json!({ "source": "text", "width": 8, "layers": 1, "heads": 2, "batch": 4, "updates": 1,
        "length": 16, "judge_every": 2, "judge_size": 20 });
    let mut session = Session::start(*entry, &settings, 5).expect("good settings");
    session.apply(json!({ "type": "text", "name": "foxes.txt", "text": text() })).expect("a good text");
    session.advance_unit();
    session.reseed(6).expect("any seed is good");
    session.advance_unit();
    let checkpoint = session.save();
    let change = &checkpoint.header.changes[0];
    assert!(change.unit == 0 && change.data.as_ref().is_some_and(|data| data.command.is_none()));

    let recipe = Recipe::of_checkpoint(entry, &checkpoint, Some("fused")).expect("a recipe");
    assert_eq!(recipe.changes[0].data.as_ref().expect("data")["text"], text());
    assert_eq!(recipe.class(), Some("fused"));
    let link = recipe.to_link(entry).expect("the text is short");
    let mut from_link = Recipe::from_link(&link, LABS).expect("our own link");
    from_link.bits.clone_from(&recipe.bits); // a link has only its first digits
    assert_eq!(from_link, recipe);
    let mut long = recipe.clone();
    // Digits of a generator, which cannot be compressed far.
    let digits: String =
        (0..9_000_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40).to_string()).collect();
    long.changes[0].data = Some(json!({ "type": "text", "name": "digits", "text": digits }));
    assert!(long.to_link(entry).expect_err("a long text").to_string().contains("recipe file"));
    let read = Recipe::from_json(&recipe.to_json(), LABS).expect("our own file");
    assert_eq!(read, recipe);
    assert_eq!(repeat(&read).fingerprint(), checkpoint.fingerprint());

    // Of two long texts only the last is kept.
    session.apply(json!({ "type": "text", "name": "again.txt", "text": text().repeat(2) })).expect("good");
    let error = Recipe::of_checkpoint(entry, &session.save(), None).expect_err("a lost text").to_string();
    assert!(error.contains("replaced later"), "{error}");
}

#[test]
fn drawn_targets_go_into_a_recipe() {
    let entry = find("logic").expect("a lab");
    let settings = json!({ "experiment": "figure", "batch": 1, "steps": 2, "epochs": 1 });
    let mut session = Session::start(*entry, &settings, 5).expect("good settings");
    session.advance_unit();
    let error =
        session.apply(json!({ "type": "target", "planes": "01" })).expect_err("too few cells").to_string();
    let cells: usize =
        error.split(' ').filter_map(|word| word.parse().ok()).max().expect("the number of cells");
    for unit in 1..3 {
        let planes: String = (0..cells).map(|cell| if cell % (unit + 2) == 0 { '1' } else { '0' }).collect();
        session.apply(json!({ "type": "target", "planes": planes })).expect("a good target");
        session.advance_unit();
    }
    session.advance(&mut learnery_lab::Budget::steps(1));
    assert!(session.is_mid_unit());
    let blank = json!({ "type": "target", "planes": "0".repeat(cells) });
    assert!(
        session.apply(blank).expect_err("a unit is in progress").to_string().contains("between two units")
    );
    let checkpoint = session.save();
    let recipe = Recipe::of_checkpoint(entry, &checkpoint, None).expect("a recipe");
    assert_eq!(recipe.changes.iter().map(|change| change.unit).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(repeat(&recipe).fingerprint(), checkpoint.fingerprint());
}

/// After a warm restart a run depends on its network alone. So a run that continued from a file with only a
/// network can be repeated by a recipe if it made a warm restart there.
#[test]
fn run_that_continued_from_a_network_has_a_recipe_if_it_made_a_warm_restart() {
    let entry = find("backgammon").expect("a lab");
    let settings = json!({ "games": 8, "horizon": 4, "hidden": 8, "second": 4, "replay": 64, "batch": 16, "eval_every": 0 });
    let mut session = Session::start(*entry, &settings, 5).expect("good settings");
    (0..2).for_each(|_| _ = session.advance_unit());
    let network = session.save().network_only();
    // A warm restart in the first unit after the network (unit 3), one unit later, and none.
    for (restart_at, is_repeatable) in [(3, true), (4, false), (0, false)] {
        let mut continued = Session::resume(*entry, &network).expect("its own network");
        continued.configure(&json!({ "warm_restart_at": restart_at })).expect("a good change");
        // Before the restart nothing is known of it yet.
        assert!(Recipe::of_checkpoint(entry, &continued.save(), None).is_err());
        (0..3).for_each(|_| _ = continued.advance_unit());
        let checkpoint = continued.save();
        match Recipe::of_checkpoint(entry, &checkpoint, None) {
            Ok(recipe) => assert!(is_repeatable && repeat(&recipe).fingerprint() == checkpoint.fingerprint()),
            Err(error) => {
                assert!(
                    !is_repeatable && error.to_string().contains("only a network, after unit 2"),
                    "{error}"
                );
            }
        }
    }
    // A warm restart after a second network does not say how the first one was trained.
    let mut second = Session::resume(*entry, &network).expect("its own network");
    second.advance_unit();
    let mut third = Session::resume(*entry, &second.save().network_only()).expect("its own network");
    third.configure(&json!({ "warm_restart_at": 4 })).expect("a good change");
    third.advance_unit();
    assert!(Recipe::of_checkpoint(entry, &third.save(), None).is_err());
}

/// Pseudo-random numbers below a bound, by a linear congruential generator (Knuth).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

#[test]
fn mutated_links_and_files_are_refused_in_one_sentence_or_survive_a_round_trip() {
    const PARTS: &[&str] = &[
        "&clip=0.3",
        "&seed=8",
        "&gamma=0.5",
        "&change=90:clip=0.1",
        " ",
        "0",
        "&",
        "=",
        ":",
        ",",
        "#",
        "?",
        "%",
        "%00",
        "%E2%80%AE",
        "%ff",
        "+",
        "-0",
        "1e999",
        "NaN",
        "seed",
        "change=",
        "change=3:",
        "units=",
        "bits=",
        "clip=0.1",
        "seed=7",
        "18446744073709551616",
        "\u{202e}",
        "é",
        "\n",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "null",
        "recipe",
        "__proto__",
    ];
    let cases = read_cases();
    let mut corpus: Vec<(String, bool)> = Vec::new();
    for Good { link, recipe, .. } in cases.good {
        let mut file = recipe;
        file["recipe"] = json!(1);
        corpus.push((link, true));
        corpus.push((file.to_string(), false));
    }
    corpus.extend(cases.bad.into_iter().map(|bad| (bad.link, true)));
    let mut random = Random(1);
    let mut accepted = 0;
    for _ in 0..6000 {
        let (text, is_link) = corpus[random.below(corpus.len())].clone();
        let mut characters: Vec<char> = text.chars().collect();
        for _ in 0..1 + random.below(2) {
            let at = random.below(characters.len() + 1);
            let part: Vec<char> = PARTS[random.below(PARTS.len())].chars().collect();
            let removed = random.below(2) * random.below(4).min(characters.len() - at);
            characters.splice(at..at + removed, part);
        }
        let text: String = characters.into_iter().collect();
        let read = if is_link { Recipe::from_link(&text, LABS) } else { Recipe::from_json(&text, LABS) };
        match read {
            Ok(recipe) => {
                accepted += 1;
                assert_eq!(Recipe::from_json(&recipe.to_json(), LABS).expect(&text), recipe, "{text}");
                if let Ok(link) = recipe.to_link(find(&recipe.lab).expect("a lab")) {
                    let mut reread = Recipe::from_link(&link, LABS).expect(&link);
                    // A link has only the first digits of a fingerprint.
                    reread.bits.clone_from(&recipe.bits);
                    assert_eq!(reread, recipe, "{text}");
                }
            }
            Err(error) => {
                let sentence = error.to_string();
                let is_printable = !sentence.chars().any(|c| c.is_control() || c == '\u{202e}');
                assert!(
                    !sentence.is_empty() && sentence.len() < 600 && is_printable,
                    "{text:?}: {sentence:?}"
                );
            }
        }
    }
    assert!(accepted > 20, "only {accepted} mutations were good");
}

/// To repeat the run takes hours, so only what the recipe says is compared with what the file of the network
/// says.
#[test]
fn recipe_of_the_shipped_backgammon_network_is_that_of_its_file() {
    let entry = find("backgammon").expect("a lab");
    let network = include_bytes!("../../../../models/backgammon.safetensors");
    let mut checkpoint = Checkpoint::from_bytes(network).expect("our own file");
    // A file with a network alone has no recipe, because it has no fingerprint.
    checkpoint.header.network_only = false;
    let mut of_file = Recipe::of_checkpoint(entry, &checkpoint, None).expect("a recipe");
    let written = include_str!("../../../../models/backgammon.recipe.json");
    let written = Recipe::from_json(written, LABS).expect("our own file");
    of_file.bits.clone_from(&written.bits);
    assert_eq!(of_file, written);
}
