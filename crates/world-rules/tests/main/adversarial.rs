//! Texts that are as long as a text may be and made to take as long as they can: many repeats of each kind of
//! statement, and few lines that stand for much work. The test `hostile` counts the work of each; the example
//! `hostile` measures its time.

use learnery_world_rules::limits::MAX_TEXT_BYTES;

/// A text and its name.
pub struct Adversary {
    pub name: &'static str,
    pub text: String,
}

/// What most texts begin with.
const HEAD: &str = "world \"w\"\naction push: left, right\nstate x = 0\nx' = x + push\nreward x\nlimit 9\n";

/// The same without a rule for the next state.
const REST: &str = "world \"w\"\naction push: left, right\nstate x = 0\nreward x\nlimit 9\n";

/// As many of the pieces as a text has room for after `head` and before `tail`.
fn filled(head: &str, piece: impl Fn(usize) -> String, tail: &str) -> String {
    up_to(usize::MAX, head, piece, tail)
}

/// At most so many of the pieces, as far as a text has room for them.
fn up_to(count: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> String {
    let mut text = head.to_owned();
    for i in 0..count {
        let next = piece(i);
        if text.len() + next.len() + tail.len() > MAX_TEXT_BYTES {
            break;
        }
        text += &next;
    }
    text + tail
}

/// As many of the first pieces as fit in half of a text, then as many of the second ones.
fn halves(head: &str, first: impl Fn(usize) -> String, second: impl Fn(usize) -> String) -> String {
    let room = " ".repeat(MAX_TEXT_BYTES / 2);
    let half = filled(head, first, &room);
    filled(half.trim_end_matches(' '), second, "")
}

/// The statement on as many lines as there is room for.
fn repeated(head: &str, line: &str) -> String {
    filled(head, |_| format!("{line}\n"), "")
}

/// Eight numbers of the state that the action changes, and two conditions that together cover a third one.
fn covered() -> String {
    let mut text = String::from("world \"w\"\naction push: left, right\nlimit 9\n");
    for name in ["x", "a", "b", "c", "d", "e", "f", "g", "h"] {
        text += &format!("state {name} = 0\n{name}' = {name} + push\n");
    }
    let parts: Vec<String> =
        ["x", "a", "b", "c", "d", "e", "f", "g"].map(|name| format!("{name} > 1")).into();
    let all = parts.join(" and ");
    text + &format!("let s = {all}\nlet p = s and h > 1\nlet q = s and not h > 1\n")
}

/// A chain of 64 numbers of the state that all begin with 0. Each is a constant as long as the one before it
/// is one, and the first one is none.
fn chain(body: &str) -> String {
    let mut text =
        String::from("world \"w\"\naction push: left, right\nlimit 9\nstate s0 = 0\ns0' = s0 + push\n");
    for i in 1..64 {
        text += &format!("state s{i} = 0\ns{i}' = s{}\n", i - 1);
    }
    text + body
}

/// All texts. Some are worlds, others are refused.
pub fn texts() -> Vec<Adversary> {
    let mut all = Vec::new();
    let mut add = |name, text: String| {
        assert!(text.len() <= MAX_TEXT_BYTES, "{name} has {} bytes", text.len());
        all.push(Adversary { name, text });
    };
    lines(&mut add);
    conditions(&mut add);
    names(&mut add);
    formulas(&mut add);
    wholes(&mut add);
    all
}

/// One line over and over.
fn lines(add: &mut impl FnMut(&'static str, String)) {
    add("newlines", repeated(HEAD, ""));
    add("comments", repeated(HEAD, "#"));
    add("unknown words", repeated(HEAD, "a"));
    add("unknown long words", repeated(HEAD, "observing_something_else"));
    add("open brackets", repeated(HEAD, "let a = ("));
    add("brackets over lines", filled(&format!("{HEAD}let a = ("), |_| "\n".into(), "1)\n"));
    add("quotes", repeated(HEAD, "\""));
    add("titles", repeated(HEAD, "world \"w\""));
    add("rewards", repeated(HEAD, "reward x"));
    add("rewards behind lets", halves(HEAD, |i| format!("let a{i} = 1\n"), |_| "reward 1\n".into()));
    add("limits", repeated(HEAD, "limit 9"));
    add("parameters", filled(HEAD, |i| format!("param p{i} = 0 from 0 to 1\n"), ""));
    add("states", filled(HEAD, |i| format!("state s{i} = 0\ns{i}' = 1\n"), ""));
    add("next values", repeated(HEAD, "x' = x"));
    add("actions", filled(HEAD, |i| format!("action b{i} from 0 to 1\n"), ""));
    add("choices", filled(&format!("{HEAD}action c: a"), |i| format!(", c{i}"), "\n"));
    add("observations", repeated(HEAD, "observe x"));
    add("observed products", filled(&format!("{HEAD}observe x"), |i| format!(", x * {i}"), "\n"));
    add("cameras", repeated(HEAD, "camera at (0, 1) height 4"));
    add("circles", repeated(HEAD, "draw circle at (x, 0) radius 1"));
    add("circles in loops", repeated(HEAD, "for i in 0..256: draw circle at (x * i, i) radius i when x > i"));
    add("trails", repeated(HEAD, "draw trail at (x, 0)"));
    add("polygons", repeated(HEAD, "draw polygon points (x, i) for i in 0..256 turn x at (x, 1)"));
    add("points", filled(&format!("{HEAD}draw polyline points (x, 0)"), |i| format!(", (x * {i}, 1)"), "\n"));
    add("unknown properties", repeated(HEAD, "draw circle at (x, 0) radios 1"));
    add("unknown shapes", repeated(HEAD, "draw circel at (x, 0) radius 1"));
    add("unknown colours", repeated(HEAD, "draw circle color akzent"));
}

/// Ends and `if`s, about which the warnings ask whether one follows from others.
fn conditions(add: &mut impl FnMut(&'static str, String)) {
    let head = format!("{}reward x\n", covered());
    let covering = format!("{}fail when p\nfail when q\n", covered());
    add(
        "covered successes",
        halves(&head, |_| "fail when p\nfail when q\n".into(), |_| "succeed when s\n".into()),
    );
    // A step has 4,000 operations, so conditions that differ are some hundreds.
    add("covered successes that differ", {
        let failures =
            up_to(480, &head, |i| format!("fail when p and x > {i}\nfail when q and x < {i}\n"), "");
        up_to(480, &failures, |i| format!("succeed when s and x != {i}\n"), "")
    });
    add("successes that nothing covers", {
        let failures = up_to(950, &head, |i| format!("fail when p and x > {i}\n"), "");
        up_to(950, &failures, |i| format!("succeed when s and x != {i}\n"), "")
    });
    add(
        "successes of many cases",
        up_to(
            480,
            &format!("{covering}reward x\n"),
            |i| format!("succeed when (p or q) and (x > {i} or s)\n"),
            "",
        ),
    );
    add("successes of cases that miss by one", {
        let failures =
            up_to(300, &head, |i| format!("fail when p and x < {i}\nfail when q and d < {i}\n"), "");
        up_to(300, &failures, |i| format!("succeed when s and (h > {i} or g < {i})\n"), "")
    });
    add("failures", repeated(&head, "fail when p"));
    add("failures that differ", up_to(1_900, HEAD, |i| format!("fail when x > {i}\n"), ""));
    add(
        "rewarded conditions",
        filled(&format!("{covering}reward 0"), |_| " + (if s then 1 else 0)".into(), "\n"),
    );
    add(
        "rewarded conditions that differ",
        up_to(950, &format!("{covering}reward 0"), |i| format!(" + (if s and x > {i} then 1 else 0)"), "\n"),
    );
    add(
        "rewarded lets",
        filled(&covering, |i| format!("let t{i} = if s then {i} else 0\n"), "reward t0 + t1\n"),
    );
    add(
        "rewarded loops",
        filled(
            &format!("{covering}reward 0"),
            |i| format!(" + sum(if s and x > i + {i} then 1 else 0 for i in 0..256)"),
            "\n",
        ),
    );
    add(
        "rewarded loops of one condition",
        up_to(
            100,
            &format!("{covering}reward 0"),
            |_| " + sum(if s and x > i then 1 else 0 for i in 0..256)".into(),
            "\n",
        ),
    );
    add(
        "nested conditions",
        filled(
            HEAD,
            |i| {
                let open: String = (0..60).map(|k| format!("if x > {k} then {i} else ")).collect();
                format!("let n{i} = {open}1\n")
            },
            "",
        ),
    );
    add("nested conditions of a reward", {
        let open: String = (0..60).map(|_| "if s then 1 else ").collect();
        filled(&format!("{covering}reward 0"), |_| format!(" + ({open}1)"), "\n")
    });
    add("a long and", up_to(1_900, &format!("{HEAD}fail when x > 1"), |i| format!(" and x > {i}"), "\n"));
    add("a long or of ands", {
        let head = format!("{head}succeed when s\nfail when x > 9");
        up_to(1_900, &head, |i| format!(" or p and x > {i}"), "\n")
    });
    add(
        "negations",
        up_to(1_300, &format!("{HEAD}fail when x > 1"), |i| format!(" or not (x > {i} and x > 1)"), "\n"),
    );
    add("comparisons in a row", filled(&format!("{HEAD}fail when x"), |_| "<x".into(), "\n"));
}

/// Names, functions and their arguments.
fn names(add: &mut impl FnMut(&'static str, String)) {
    let square = |f: &str| format!("x' = sum(sum({f} for i in 0..256) for j in 0..256)\n");
    add(
        "a chain of lets",
        filled(
            &format!("{REST}let a0 = x\n"),
            |i| format!("let a{} = a{i} + x\n", i + 1),
            "x' = a900 + push\n",
        ),
    );
    add("unused lets", filled(HEAD, |i| format!("let a{i} = {i}\n"), ""));
    add("unknown names", filled(HEAD, |i| format!("let a{i} = b{i}\n"), ""));
    add("unknown long names", filled(HEAD, |i| format!("let abcdefghijklmn{i} = abcdefghijklmo{i}\n"), ""));
    add("a function of many arguments", {
        let arguments: Vec<String> = (0..3_000).map(|i| format!("a{i}")).collect();
        let head = format!("{REST}let f({}) = a0", arguments.join(","));
        let call = format!("f({})", vec!["x"; 3_000].join(","));
        filled(&head, |_| "+a0".into(), &format!("\n{}", square(&call)))
    });
    add(
        "a function above many lets",
        filled(&format!("{REST}let f(a) = a\n"), |i| format!("let a{i}=1\n"), &square("f(x)")),
    );
    add(
        "a function with an unknown name",
        filled(&format!("{REST}let f(a) = zz\nx' = 0"), |_| "+f(1)".into(), "\n"),
    );
    add(
        "an unknown name among many",
        halves(
            &format!("{REST}let f(a) = abcd\n"),
            |i| format!("let a{i}=1\n"),
            |i| if i == 0 { "x' = 0".into() } else { "+f(1)".into() },
        ),
    );
    add("an unknown name among many in functions", {
        let body = vec!["f(1)"; 600].join("+");
        let head = format!("{REST}let f(a) = abcd\nlet g(a) = {body}\n");
        filled(&head, |i| format!("let a{i}=1\n"), &format!("x' = {}\n", vec!["g(1)"; 200].join("+")))
    });
    add("an unknown function in functions", {
        let wide = vec!["sib(1)"; 500].join("+");
        let body = vec!["f(1)"; 600].join("+");
        format!("{REST}let f(a) = {wide}\nlet g(a) = {body}\nx' = g(1)+g(2)+g(3)\n")
    });
    add("an unknown name in functions", {
        let wide = vec!["sib"; 500].join("+");
        let body = vec!["f(1)"; 600].join("+");
        format!("{REST}let f(a) = {wide}\nlet g(a) = {body}\nx' = g(1)+g(2)+g(3)\n")
    });
    add("silent errors in functions", {
        let wide = vec!["push"; 500].join("+");
        let body = vec!["f(1)"; 600].join("+");
        format!("{REST}let f(a) = {wide}\nlet g(a) = {body}\nlet y = g(1)\nx' = push\n")
    });
    add(
        "vectors as arguments",
        format!(
            "{REST}let v = [x * i for i in 0..256]\nlet f(a) = a[1]\nlet g(a) = f(a) + f(a)\n{}",
            square("g(v)")
        ),
    );
    add("functions of functions", {
        let mut text = format!("{REST}let f0(a) = a + a\n");
        for i in 1..60 {
            text += &format!("let f{i}(a) = f{0}(a) + f{0}(a + {i})\n", i - 1);
        }
        text + "x' = f59(x)\n"
    });
}

/// Formulas of which a few signs stand for many operations.
fn formulas(add: &mut impl FnMut(&'static str, String)) {
    let vectors = format!("{REST}let v = [x * i for i in 0..256]\nlet t = [i for i in 0..256]\n");
    let all = [
        ("elements of a vector", "v[x]"),
        ("elements of a table", "t[x]"),
        ("elements of vectors that differ", "v[x + i + 256 * j]"),
        ("sums of a vector", "sum(v)"),
        ("extremes of a vector", "max(v)"),
        ("truths of a vector", "(if any(v) then 1 else 0)"),
        ("sums of vectors", "(v + v)[0]"),
        ("angles", "atan2(x, x + 1)"),
        ("angles that differ", "atan2(x, i + 256 * j)"),
        ("powers", "x ^ 63"),
        ("powers that differ", "(x + i + 256 * j) ^ 63"),
        ("real powers", "x ^ x"),
        ("signs", "sign(x)"),
        ("remainders", "x % 3"),
        ("tangents", "tan(x)"),
        ("divisions", "1 / x"),
        ("constants", "sin(1)"),
        ("calls of nothing", "clamp(1, 2, 3)"),
    ];
    for (name, e) in all {
        // Sums of equal numbers are few operations, so this is a world if anything of it is one.
        add(name, format!("{vectors}x' = sum(sum({e} for i in 0..256) for j in 0..256)\n"));
    }
    add("long sums of elements", filled(&format!("{vectors}x' = v[x]"), |_| "+v[x]".into(), "\n"));
    add("long sums of sums", filled(&format!("{vectors}x' = 0"), |_| "+sum(v)".into(), "\n"));
    add("faults in unused lets", filled(&format!("{HEAD}let a = 1"), |_| "+1/x".into(), "\n"));
    add("faults in unused lets on lines", filled(HEAD, |i| format!("let a{i} = 1/x\n"), ""));
    add("faults in ends", repeated(HEAD, "fail when 1/x>1"));
    add("a sum of products", up_to(3_900, &format!("{REST}x' = push"), |i| format!(" + x * {i}"), "\n"));
    add("sines", up_to(1_300, &format!("{REST}x' = push"), |i| format!(" + sin(x + {i})"), "\n"));
    add("values that all stay alive", {
        let mut text = String::from(REST);
        for i in 0..1_900 {
            text += &format!("let a{i}=x/{}+push\n", i + 2);
        }
        let names: Vec<String> = (0..1_300).map(|i| format!("a{i}")).collect();
        text + &format!("x' = {}\n", names.join("-"))
    });
    add("deep brackets", filled(HEAD, |i| format!("let a{i} = {}x{}\n", "(".repeat(62), ")".repeat(62)), ""));
    add(
        "random numbers",
        format!("{HEAD}let r = sum(uniform(0, 1) + normal(0, 1) for i in 0..256)\nfail when x > 1\n"),
    );
}

/// What is looked at as a whole: constants of the state, what actions change, beginnings of episodes.
fn wholes(add: &mut impl FnMut(&'static str, String)) {
    let heavy: String = (0..3_600).map(|i| format!(" + s63 * {i}")).collect();
    add("a chain of constants", chain(&format!("reward s0{heavy}\n")));
    let unused = |i: usize| format!("let u{i} = s1 * {i} + s2 * {i} + s3 * {i}\n");
    add("a chain of constants beside unused lets", filled(&chain("reward s0\n"), unused, ""));
    add(
        "a chain of observations",
        chain(&format!(
            "reward s0\nobserve s63{}\n",
            &heavy[..20_000].rsplit_once(" +").map_or("", |it| it.0)
        )),
    );
    let choices: Vec<String> = (0..16).map(|i| format!("c{i}")).collect();
    add(
        "choices of large rules",
        up_to(
            3_900,
            &format!("world \"w\"\naction a: {}\nstate x = 0\nreward x\nlimit 9\nx' = x", choices.join(", ")),
            |i| format!(" + a * {i}"),
            "\n",
        ),
    );
    // The next state is a constant, so all of the condition is computed at the beginning alone.
    add(
        "ends at the beginning",
        filled(
            "world \"w\"\naction push: left, right\nstate x = uniform(1, 2)\nx' = 0\nlimit 9\nstate y = 0\n\
         y' = y + push\nreward if y > 1 then 1 else 0\nsucceed when y > 1\nfail when 9e9 < x",
            |i| format!("+abs(x*{i})"),
            "\n",
        ),
    );
    add("failing powers", up_to(400, &format!("{REST}x' = push"), |i| format!(" + (x + {i}) ^ 0.3"), "\n"));
}
