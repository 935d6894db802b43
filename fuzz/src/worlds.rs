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

/// Reads choices from bytes; behind the last one all choices are 0.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn next(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn number(&mut self, depth: u32) -> String {
        let leaves = ["x", "y", "u", "p", "1", "0.5", "-2", "pi"];
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
                let f = f[usize::from(self.next()) % f.len()];
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
        if depth == 0 || choice < 120 {
            let sign = ["<", "<=", "==", "!="][usize::from(choice) % 4];
            return format!("({} {sign} {})", self.number(depth), self.number(depth));
        }
        let word = ["and", "or"][usize::from(choice) % 2];
        format!("({} {word} {})", self.truth(depth - 1), self.truth(depth - 1))
    }
}

/// The bytes choose formulas.
pub fn world_code(data: &[u8]) {
    let mut c = Choices(data.iter());
    let text = format!(
        "world \"w\"\nparam p = 0.5 from 0 to 1\nstate x = uniform(-2, 2)\nstate y = normal(0, 1)\n\
         action u from -1 to 1\nx' = {}\ny' = {}\nreward {}\nobserve x, y\nlimit 6",
        c.number(4),
        c.number(5),
        c.number(4),
    );
    match World::compile(&text) {
        Ok(world) => step_beside_the_reference(&Arc::new(world), 5),
        Err(errors) => {
            let is_certain = |message: &str| message.contains("always") || message.contains("outside");
            assert!(errors.iter().all(|error| is_certain(&error.message)), "{}", render(&text, &errors));
        }
    }
}
