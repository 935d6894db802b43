//! Fuzz targets of the language for worlds of one's own.

use std::sync::Arc;

use learnery_kernels::rng::Stream;
use learnery_world_rules::{Bounds, Moment, Outcome, Range, Stepped, World, Worlds, render};

use super::assert_one_line;

/// The bytes are a text. A world is stepped for a while.
pub fn world_text(data: &[u8]) {
    compile_and_step(&String::from_utf8_lossy(data));
}

/// Words and signs of the language; a byte chooses one.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\n",
    "world \"w\"",
    "about \"a\"",
    "param p = 1 from 0 to 2",
    "state x = 0",
    "state v = [1, 2]",
    "state b = true",
    "action a: one, two",
    "action u from -1 to 1",
    "step 0.1",
    "limit 9",
    "let y =",
    "let f(z) =",
    "x' =",
    "v' =",
    "b' =",
    "reward",
    "fail when",
    "succeed when",
    "observe",
    "solved at",
    "camera at (0, 0) height",
    "draw circle at",
    "draw line from",
    "draw polyline points",
    "draw text \"t\" at",
    "radius",
    "color",
    "width",
    "to",
    "size",
    "turn",
    "when",
    "scale",
    "as",
    "for i in",
    "for",
    "in",
    "0..3",
    "..",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "true",
    "x",
    "x'",
    "v",
    "v[0]",
    "b",
    "p",
    "y",
    "y'",
    "z",
    "i",
    "a",
    "u",
    "f(",
    "sum(",
    "min(",
    "sqrt(",
    "ln(",
    "uniform(0, 1)",
    "normal(0, 1)",
    "chance(0.5)",
    "atan2(",
    "clamp(",
    "exp(",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "=",
    "==",
    "<",
    "<=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "0",
    "1",
    "2",
    "-1",
    "0.5",
    "1e30",
    "pi",
    "dt",
];

/// Each byte is a piece of the language.
pub fn world_pieces(data: &[u8]) {
    let pieces = data.iter().map(|byte| PIECES[*byte as usize % PIECES.len()]);
    compile_and_step(&pieces.collect::<Vec<_>>().join(" "));
}

fn compile_and_step(text: &str) {
    let world = match World::compile(text) {
        Ok(world) => Arc::new(world),
        Err(errors) => {
            assert!(!errors.is_empty(), "a refused text without an error");
            for error in &errors {
                assert_one_line(&error.message);
                assert!(error.span.start <= error.span.end && error.line > 0 && error.column > 0);
            }
            render(text, &errors);
            return;
        }
    };
    render(text, world.warnings());
    step_beside_the_reference(&world, 2);
}

/// Compares the first episode of some worlds, step by step.
fn step_beside_the_reference(world: &Arc<World>, steps: u32) {
    const COUNT: usize = 3;
    let stream = Stream::new(5, 5);
    let parameters = world.parameters();
    let numbers = world.spec().actions.count();
    let mut batch = Worlds::new(world.clone(), &parameters, 0..COUNT as u64, stream);
    let moment = |i: usize, step| Moment { stream, world: i as u64, episode: 0, step };
    let mut singles: Vec<_> = (0..COUNT).map(|i| world.begin(&parameters, moment(i, 0))).collect();
    let mut is_running = [true; COUNT];
    let bounds = world.bounds();
    let mut seen = vec![0.0; COUNT * world.spec().observations.len()];
    let mut state = vec![0.0; world.spec().state.len()];
    for step in 1..=steps {
        let actions: Vec<f32> = (0..COUNT * numbers).map(|i| (i % 2) as f32).collect();
        batch.step(&actions);
        batch.observe(&mut seen);
        for (i, single) in singles.iter_mut().enumerate() {
            if !is_running[i] || single.fault.is_some() {
                is_running[i] = false;
                continue;
            }
            let action = &actions[i * numbers..(i + 1) * numbers];
            let at = moment(i, step);
            let stepped = world.step(&parameters, &single.state, &single.observation, action, at);
            assert!(is_same(batch.reward(i), stepped.reward), "rewards differ");
            if let Some(bounds) = &bounds {
                assert_within(bounds, &stepped);
            }
            assert_eq!(batch.outcome(i) == Outcome::Failed, stepped.failed);
            assert_eq!(batch.outcome(i) == Outcome::Succeeded, stepped.succeeded);
            if batch.outcome(i) != Outcome::Running {
                is_running[i] = false;
                continue;
            }
            batch.state(i, &mut state);
            assert!(state.iter().zip(&stepped.state).all(|(a, b)| is_same(*a, *b)), "states differ");
            let width = stepped.observation.len();
            let ours = &seen[i * width..(i + 1) * width];
            assert!(
                ours.iter().zip(&stepped.observation).all(|(a, b)| is_same(*a, *b)),
                "observations differ"
            );
            (single.state, single.observation) = (stepped.state, stepped.observation);
        }
    }
    let action = vec![0.0; numbers];
    world.picture(&parameters, &state, &action);
}

/// The bounds from which warnings follow hold for every step.
fn assert_within(bounds: &Bounds, stepped: &Stepped) {
    if stepped.fault.is_some() {
        assert!(bounds.may_fault, "a fault that no bounds allow");
        return;
    }
    let holds = |numbers: &[f32], ranges: &[Range]| numbers.iter().zip(ranges).all(|(x, r)| r.contains(*x));
    assert!(holds(&stepped.state, &bounds.state), "a state out of its bounds");
    assert!(holds(&[stepped.reward], &[bounds.reward]), "a reward out of its bounds");
    assert!(holds(&stepped.observation, &bounds.observations), "an observation out of its bounds");
    assert!(bounds.may_fail || !stepped.failed, "an end that never holds");
    assert!(bounds.may_succeed || !stepped.succeeded, "a success that never holds");
}

fn is_same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
}

/// What a formula may be made of at its place in a text.
#[derive(Clone, Copy)]
struct Words {
    numbers: &'static [&'static str],
    truths: &'static [&'static str],
}

/// In the rules of a world with few statements.
const FEW: Words = Words { numbers: &["x", "y", "u", "p", "1", "0.5", "-2", "pi"], truths: &[] };
/// In the rules of a world with all kinds of statements.
const RULES: Words = Words {
    numbers: &[
        "x",
        "y",
        "u",
        "p",
        "1",
        "0.5",
        "-2",
        "z",
        "m",
        "g(x)",
        "v[0]",
        "v[x]",
        "sum(v)",
        "max(v)",
        "dt",
        "1e20",
        "uniform(-1, p)",
        "normal(y, 0.5)",
        "sum(k * x for k in 0..3)",
        "round(z)",
        "atan2(x, y)",
    ],
    truths: &["b", "not b", "chance(p)", "true", "u == x", "all([b, x < 1])", "-1 < x < p"],
};
/// In the reward of such a world.
const REWARD: Words = Words {
    numbers: &[
        "x",
        "x'",
        "y'",
        "u",
        "p",
        "1",
        "-2",
        "z'",
        "m'",
        "v'[1]",
        "sum(v')",
        "uniform(0, 1)",
        "g(z')",
    ],
    truths: &["b", "b'", "chance(0.5)", "u == 1"],
};
/// In ends, observations and pictures, and in the `let`s that they use.
const REACHED: Words = Words {
    numbers: &["x", "y", "z", "p", "1", "0.5", "-2", "v[1]", "v[z]", "min(v)", "dt", "3e9"],
    truths: &["b", "not b", "any([b, z > 1])", "false"],
};
/// In a function.
const FUNCTION: Words = Words { numbers: &["a", "a", "x", "p", "1", "-2", "0.5"], truths: &["b", "a < 1"] };

/// Reads choices from bytes; behind the last one all choices are 0.
struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
    words: Words,
}

impl Choices<'_> {
    fn next(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    fn is_chosen(&mut self) -> bool {
        self.next() % 2 == 1
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::from(self.next()) % all.len()]
    }

    /// A formula with these words.
    fn number_of(&mut self, words: Words, depth: u32) -> String {
        self.words = words;
        self.number(depth)
    }

    fn truth_of(&mut self, words: Words, depth: u32) -> String {
        self.words = words;
        self.truth(depth)
    }

    fn number(&mut self, depth: u32) -> String {
        let leaves = self.words.numbers;
        let choice = self.next();
        if depth == 0 || choice < 60 {
            return leaves[usize::from(choice) % leaves.len()].into();
        }
        let d = depth - 1;
        match choice % 12 {
            op @ 0..5 => {
                let sign = ["+", "-", "*", "/", "%"][usize::from(op)];
                format!("({} {sign} {})", self.number(d), self.number(d))
            }
            5 => format!("({} - {} * {})", self.number(d), self.number(d), self.number(d)),
            6 => format!("({} * {} - {})", self.number(d), self.number(d), self.number(d)),
            7 => {
                let f = ["abs", "floor", "sqrt", "exp", "ln", "sin", "cos", "tan", "tanh", "wrap", "sign"];
                let f = self.one_of(&f);
                format!("{f}({})", self.number(d))
            }
            8 => format!("clamp({}, {}, {})", self.number(d), self.number(d), self.number(d)),
            9 => format!("[1, x, 3][{}]", self.number(d)),
            10 => format!("({} ^ {})", self.number(d), self.number(d)),
            _ => {
                let (condition, a) = (self.truth(d), self.number(d));
                format!("(if {condition} then {a} else {})", self.number(d))
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        let choice = self.next();
        let leaves = self.words.truths;
        if choice >= 200 && !leaves.is_empty() {
            return format!("({})", leaves[usize::from(choice) % leaves.len()]);
        }
        if depth == 0 || choice < 120 {
            let sign = ["<", "<=", "==", "!="][usize::from(choice) % 4];
            return format!("({} {sign} {})", self.number(depth), self.number(depth));
        }
        let word = ["and", "or"][usize::from(choice) % 2];
        format!("({} {word} {})", self.truth(depth - 1), self.truth(depth - 1))
    }

    /// A line that draws.
    fn drawing(&mut self) -> String {
        let repeat = if self.is_chosen() { "for i in 0..3: " } else { "" };
        let mut of = |depth| self.number_of(REACHED, depth);
        let (at, to, size) = (of(2), of(1), of(1));
        let shape = self.one_of(&["line", "circle", "rectangle", "polygon", "polyline", "text", "trail"]);
        let properties = match shape {
            "line" => format!("from ({at}, 0) to (1, {to}) width {size}"),
            "circle" => format!("at ({at}, {to}) radius {size}"),
            "rectangle" => format!("at ({at}, {to}) size ({size}, 1) turn {size}"),
            "polygon" => format!("points (0, {at}), ({to}, 1), (1, 0) at ({size}, 0)"),
            "polyline" => format!("points (k, {at}) for k in 0..4 turn {size} width {to}"),
            "text" => format!("\"t\" at ({at}, {to}) size 0.2 value {size}"),
            _ => format!("at ({at}, {to}) length 9"),
        };
        let color = self.one_of(&["", " color accent", " color bad"]);
        let when =
            if self.is_chosen() { format!(" when {}", self.truth_of(REACHED, 1)) } else { String::new() };
        format!("{repeat}draw {shape} {properties}{color}{when}\n")
    }

    /// A text with all kinds of statements.
    fn all_statements(&mut self) -> String {
        let action = match self.next() % 4 {
            0 => "action u from -1 to 1",
            1 => "action u: one, two",
            2 => "action u: a0, a1, a2, a3, a4",
            _ => "action u from -1 to 1\naction w from 0 to 3",
        };
        let mut text = format!(
            "world \"w\"\nabout \"It has all kinds of statements.\"\nparam p = 0.5 from 0 to 1\n\
             step 0.1 seconds\n{action}\nstate x = uniform(-2, 2)\nstate y = normal(x, 1)\nstate z = {}\n\
             state v = [1, x, 3]\nstate b = {}\n",
            self.one_of(&["0", "p", "floor(3 * x)", "x / y", "if chance(0.3) then 5 else y"]),
            self.one_of(&["true", "false", "chance(p)", "x < y"]),
        );
        text += &format!("let g(a) = {}\n", self.number_of(FUNCTION, 2));
        text += &format!("let m = {}\n", self.number_of(REACHED, 3));
        text += &format!("x' = {}\ny' = {}\n", self.number_of(RULES, 3), self.number_of(RULES, 3));
        if self.is_chosen() {
            text += &format!("z' = clamp({}, -3, 3)\n", self.number_of(RULES, 3));
        }
        text += match self.next() % 4 {
            0 => "",
            1 => "v' = [v[1], v[2], u]\n",
            2 => "v' = v * 0.5 + x\n",
            _ => "v' = [clamp(v[i] + y, -2, 2) for i in 0..3]\n",
        };
        if self.is_chosen() {
            text += &format!("b' = {}\n", self.truth_of(RULES, 2));
        }
        text += &format!("reward {}\n", self.number_of(REWARD, 3));
        for _ in 0..self.next() % 4 {
            let end = self.one_of(&["fail", "succeed"]);
            text += &format!("{end} when {}\n", self.truth_of(REACHED, 2));
        }
        text += self.one_of(&["", "limit 4 steps\n", "limit 1\n"]);
        for _ in 0..self.next() % 3 {
            let scale = self.one_of(&["", " scale 2", " scale 0.5", " as seen"]);
            text += &format!("observe {}{scale}, v\n", self.number_of(REACHED, 2));
        }
        text += self.one_of(&["", "solved at 3\n"]);
        text += self.one_of(&["", "camera at (0, 1) height 4\n"]);
        for _ in 0..self.next() % 4 {
            text += &self.drawing();
        }
        text
    }
}

/// The bytes choose formulas; a first byte of 255 chooses among all kinds of statements.
pub fn world_code(data: &[u8]) {
    let text = match data {
        [255, rest @ ..] => Choices { bytes: rest.iter(), words: RULES }.all_statements(),
        _ => {
            let mut c = Choices { bytes: data.iter(), words: FEW };
            format!(
                "world \"w\"\nparam p = 0.5 from 0 to 1\nstate x = uniform(-2, 2)\nstate y = normal(0, 1)\n\
                 action u from -1 to 1\nx' = {}\ny' = {}\nreward {}\nobserve x, y\nlimit 6",
                c.number(4),
                c.number(5),
                c.number(4),
            )
        }
    };
    match World::compile(&text) {
        Ok(world) => step_beside_the_reference(&Arc::new(world), 5),
        Err(errors) => {
            let is_certain = |message: &str| message.contains("always") || message.contains("outside");
            assert!(errors.iter().all(|error| is_certain(&error.message)), "{}", render(&text, &errors));
        }
    }
}
