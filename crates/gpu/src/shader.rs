//! The preprocessor of kernels, and the kernels that every learner uses. A kernel is a file of WGSL in a
//! folder `wgsl/` beside what plans it. The preprocessor makes one WGSL module of the file and of constants,
//! such as the size of a tile:
//!
//! - Every constant `NAME` is declared as `const NAME = <value>u;`.
//! - `#include name` inserts the file `name.wgsl`, or a text that the program has generated
//!   ([`Shader::with_part`]), unless it has been inserted before.
//! - `#if CONDITION`, `#else`, `#end` choose lines. A condition is `NAME`, `NAME > 1`, `NAME < 1`,
//!   `NAME == 1` or `NAME % 4 == 0`.
//! - `#for i COUNT` … `#end` repeats lines with `$i` replaced by 0 to COUNT - 1. COUNT is a constant or a
//!   number, or one divided by another, as in `ROWS / 2`. Lines repeated for separate variables keep values
//!   in registers, where an array with a computed index would lie in memory and have every index checked. No
//!   counter's name may begin with the name of another counter, because names are replaced as text.
//! - A module with the constant `HALF` = 1 begins with `enable f16;`, which WGSL allows nowhere else. One
//!   with `COOPERATIVE` = 1 enables cooperative matrices there too.

use std::fmt::Write;

use crate::Sources;

/// The kernels that every learner uses, and what kernels include.
pub const SOURCES: Sources = crate::kernel_sources!(
    "wgsl":
    "adam",
    "column_sums",
    "gradient_norm",
    "layer_norm",
    "math",
    "matmul",
    "optimiser_state",
    "peak",
    "philox",
    "product",
    "reduce",
    "relu_backward",
    "sum_parts",
    "update",
    // Cooperative matrices, which browsers do not have.
    #[cfg(not(target_family = "wasm"))]
    "cooperative_operands",
    #[cfg(not(target_family = "wasm"))]
    "matmul_cooperative",
    #[cfg(not(target_family = "wasm"))]
    "round_halves",
    // Benchmarks and tests.
    #[cfg(not(target_family = "wasm"))]
    "random_words",
    #[cfg(not(target_family = "wasm"))]
    "stream",
);

/// The version of the kernels, which a checkpoint names. It is raised whenever a change of a kernel or of a
/// plan alters bits.
pub const KERNEL_VERSION: u32 = 2;

/// A constant of a kernel: its name and value.
pub type Constant = (&'static str, u32);

/// The constant of kernels that may compute with 16-bit floats; 1 if they do.
pub const HALF: &str = "HALF";

/// The constant of kernels that may compute with cooperative matrices; 1 if they do.
pub const COOPERATIVE: &str = "COOPERATIVE";

/// How a kernel uses a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Uniform,
    Read,
    ReadWrite,
}

/// A kernel's WGSL module, and the bindings that it declares: number and access, in the order of the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shader {
    pub text: String,
    pub bindings: Vec<(u32, Access)>,
}

impl Shader {
    /// Builds the module of kernel `name` of these sources, or of this crate, with these constants.
    ///
    /// # Panics
    /// If there is no such kernel, or its text is malformed. The tests build every kernel.
    pub fn new(sources: &Sources, name: &str, constants: &[Constant]) -> Self {
        Self::of_texts(Texts { sources, part: None }, name, constants)
    }

    /// [`Shader::new`] with a generated text, which the kernel includes under a name.
    ///
    /// # Panics
    /// If there is no such kernel, or its text is malformed. The tests build every kernel.
    pub fn with_part(sources: &Sources, name: &str, constants: &[Constant], part: (&str, &str)) -> Self {
        Self::of_texts(Texts { sources, part: Some(part) }, name, constants)
    }

    fn of_texts(texts: Texts, name: &str, constants: &[Constant]) -> Self {
        let mut text = String::new();
        if constants.contains(&(HALF, 1)) {
            text.push_str("enable f16;\n");
        }
        if constants.contains(&(COOPERATIVE, 1)) {
            text.push_str("enable wgpu_cooperative_matrix;\n");
        }
        for (name, value) in constants {
            writeln!(text, "const {name} = {value}u;").expect("a string takes everything");
        }
        let mut included = Vec::new();
        let lines: Vec<&str> = texts.find(name).lines().collect();
        expand(&mut text, texts, &lines, constants, &[], &mut included);
        Self::of_text(text)
    }

    /// The module of a complete text.
    pub fn of_text(text: String) -> Self {
        let bindings = declared_bindings(&text);
        Self { text, bindings }
    }
}

/// The texts that a kernel is made of.
#[derive(Clone, Copy)]
struct Texts<'a> {
    sources: &'a Sources,
    /// A generated text and its name.
    part: Option<(&'a str, &'a str)>,
}

impl<'a> Texts<'a> {
    fn find(self, name: &str) -> &'a str {
        match self.part {
            Some((known, text)) if known == name => text,
            _ => {
                let (text, _) = self.sources.find(name);
                text
            }
        }
    }
}

/// Appends the expansion of `lines` to `out`. `counters` are the counters of the loops around these lines,
/// with their present values.
fn expand(
    out: &mut String,
    texts: Texts,
    lines: &[&str],
    constants: &[Constant],
    counters: &[(&str, u32)],
    included: &mut Vec<String>,
) {
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("#include") => {
                if !included.iter().any(|name| name == words[1]) {
                    included.push(words[1].to_owned());
                    let inner: Vec<&str> = texts.find(words[1]).lines().collect();
                    expand(out, texts, &inner, constants, counters, included);
                }
                at += 1;
            }
            Some("#if") => {
                let BlockEnds { otherwise, end } = find_block_ends(lines, at);
                let chosen = if is_true(&words[1..], constants) {
                    &lines[at + 1..otherwise.unwrap_or(end)]
                } else {
                    otherwise.map_or(&lines[..0], |otherwise| &lines[otherwise + 1..end])
                };
                expand(out, texts, chosen, constants, counters, included);
                at = end + 1;
            }
            Some("#for") => {
                let end = find_block_ends(lines, at).end;
                for i in 0..loop_count(&words[2..], constants) {
                    let mut counters = counters.to_vec();
                    counters.push((words[1], i));
                    expand(out, texts, &lines[at + 1..end], constants, &counters, included);
                }
                at = end + 1;
            }
            _ => {
                let mut text = (*line).to_owned();
                for (counter, i) in counters {
                    text = text.replace(&format!("${counter}"), &i.to_string());
                }
                out.push_str(&text);
                out.push('\n');
                at += 1;
            }
        }
    }
}

/// The lines at which the parts of a block end.
struct BlockEnds {
    /// The index of the `#else`, if there is one.
    otherwise: Option<usize>,
    /// The index of the `#end`.
    end: usize,
}

/// Finds the ends of the block that begins at line `first`.
fn find_block_ends(lines: &[&str], first: usize) -> BlockEnds {
    let mut depth = 0;
    let mut otherwise = None;
    for (i, line) in lines.iter().enumerate().skip(first) {
        match line.split_whitespace().next() {
            Some("#if" | "#for") => depth += 1,
            Some("#else") if depth == 1 => otherwise = Some(i),
            Some("#end") => {
                depth -= 1;
                if depth == 0 {
                    return BlockEnds { otherwise, end: i };
                }
            }
            _ => {}
        }
    }
    panic!("no #end of `{}`", lines[first])
}

/// The value of a constant or a number.
fn value_of(word: &str, constants: &[Constant]) -> u32 {
    let constant = constants.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    constant.or_else(|| word.parse().ok()).unwrap_or_else(|| panic!("`{word}` has no value"))
}

/// The number of repetitions of a loop.
fn loop_count(words: &[&str], constants: &[Constant]) -> u32 {
    match *words {
        [count] => value_of(count, constants),
        [count, "/", divisor] => value_of(count, constants) / value_of(divisor, constants),
        _ => panic!("the count `{}` is not understood", words.join(" ")),
    }
}

/// Evaluates a condition.
fn is_true(words: &[&str], constants: &[Constant]) -> bool {
    let value = |word: &str| value_of(word, constants);
    match *words {
        [name] => value(name) != 0,
        [name, "==", number] => value(name) == value(number),
        [name, ">", number] => value(name) > value(number),
        [name, "<", number] => value(name) < value(number),
        [name, "%", divisor, "==", number] => value(name) % value(divisor) == value(number),
        _ => panic!("the condition `{}` is not understood", words.join(" ")),
    }
}

/// Reads the declarations of bindings, which each take one line.
fn declared_bindings(text: &str) -> Vec<(u32, Access)> {
    let mut bindings: Vec<(u32, Access)> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("@group(0) @binding("))
        .map(|rest| {
            let (number, declaration) = rest.split_once(") var<").expect("a binding is declared in one line");
            let access = match declaration.split('>').next() {
                Some("uniform") => Access::Uniform,
                Some("storage, read") => Access::Read,
                Some("storage, read_write") => Access::ReadWrite,
                other => panic!("a binding of an unknown kind: {other:?}"),
            };
            (number.parse().expect("a binding has a number"), access)
        })
        .collect();
    bindings.sort_unstable_by_key(|(number, _)| *number);
    bindings
}
