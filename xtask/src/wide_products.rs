//! Finds `(a * b) as f64` where nothing shows that the product is computed in a wide type. In a tab `usize`
//! has 32 bits, and release builds wrap. `product([a, b])` or `a as u64 * b as u64` multiply in the wide
//! type. This is a search in the text, which knows no types: it does not see a product that is widened in a
//! later statement.

use std::fs;
use std::path::Path;

use anyhow::Result;

/// Types that hold more than the 32 bits of a tab's `usize`.
const WIDE_TYPES: [&str; 5] = ["f64", "u64", "i64", "u128", "i128"];

/// Methods whose result has the type of what they are called on, so that `(a * b).max(c) as f64` is found
/// too.
const TYPE_KEEPING_METHODS: [&str; 6] =
    ["max", "min", "clamp", "div_ceil", "next_multiple_of", "next_power_of_two"];

/// One sentence for each such product in the Rust files below `folder`, tests left out.
pub fn check(folder: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if !["tests", "benches"].iter().any(|name| path.ends_with(name)) {
                problems.extend(check(&path)?);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            for (line, text) in narrow_products(&fs::read_to_string(&path)?) {
                let path = path.display();
                problems.push(format!(
                    "{path}:{line}: `({text})` is multiplied before it is widened, and wraps in a tab: use \
                     `learnery_kernels::product`, or widen the factors"
                ));
            }
        }
    }
    Ok(problems)
}

/// The line and text of each product in brackets that is cast to a wide type. Unit tests at the end of a file
/// are left out.
fn narrow_products(source: &str) -> Vec<(usize, String)> {
    let tests_begin = source.find("#[cfg(test)]\nmod tests {").unwrap_or(source.len());
    let source = &source[..tests_begin];
    let mut found = Vec::new();
    for (at, _) in source.match_indices(") as ") {
        let is_wide = WIDE_TYPES.iter().any(|name| {
            let rest = source[at..].strip_prefix(") as ").and_then(|rest| rest.strip_prefix(name));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
        let line_start = source[..at].rfind('\n').map_or(0, |newline| newline + 1);
        if !is_wide || source[line_start..at].contains("//") {
            continue;
        }
        if let Some(text) = text_in_brackets(source, at).filter(|text| is_narrow_product(text)) {
            let line = source[..at].matches('\n').count() + 1;
            found.push((line, text.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    found
}

/// The text in the brackets that end at `close`. For `(a * b).max(c)`, whose method keeps the type, it is the
/// receiver `a * b`; for other calls it is `None`.
fn text_in_brackets(source: &str, close: usize) -> Option<&str> {
    let open = opening_bracket(source, close)?;
    let before = &source[..open];
    let receiver = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
    let name = &before[receiver.len()..];
    // `f::<T>(…)` is a call too, and `m!(…)` a macro.
    if name.is_empty() && !before.ends_with(['>', '!']) {
        return Some(&source[open + 1..close]);
    }
    let receiver = receiver.strip_suffix('.').filter(|_| TYPE_KEEPING_METHODS.contains(&name))?.trim_end();
    if receiver.ends_with(')') { text_in_brackets(source, receiver.len() - 1) } else { None }
}

/// The index of the bracket that the one at `close` closes.
fn opening_bracket(source: &str, close: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in source[..=close].char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i);
        }
    }
    None
}

/// Whether an expression multiplies, and neither a cast nor a floating-point literal shows that it does so in
/// a wide type. rustfmt puts spaces around the operator `*`, and none after a dereference.
fn is_narrow_product(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let multiplies = words.iter().skip(1).any(|word| *word == "*");
    let names_wide_type = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| WIDE_TYPES.contains(&word) || word == "f32");
    multiplies && !names_wide_type && !text.split([' ', '(', ')', ',']).any(is_float)
}

/// Whether a word is a floating-point literal, such as `2.0` or `1.`, and not a field (`self.0.rows`) or a
/// range (`0..n`).
fn is_float(word: &str) -> bool {
    let word = word.trim_start_matches('-');
    word.starts_with(|c: char| c.is_ascii_digit())
        && word
            .split_once('.')
            .is_some_and(|(_, rest)| !rest.starts_with(|c: char| c == '.' || c.is_alphabetic()))
}

#[cfg(test)]
mod tests {
    use super::narrow_products;

    fn texts(source: &str) -> Vec<String> {
        narrow_products(source).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn products_that_are_widened_afterwards_are_found() {
        let source = "let flops = (groups(&self.gpu) * self.loops * OPERATIONS) as f64;";
        assert_eq!(texts(source), ["groups(&self.gpu) * self.loops * OPERATIONS"]);
        assert_eq!(texts("f(4.0, (a\n    * b[i]) as u64)"), ["a * b[i]"]);
        assert_eq!(texts("(a * b).max(1) as f64"), ["a * b"]);
        assert_eq!(texts("(self.0.rows * conv1.width) as f64"), ["self.0.rows * conv1.width"]);
        assert_eq!(narrow_products("\n\nlet x = (a * b) as i64;")[0].0, 3);
    }

    #[test]
    fn products_in_a_wide_type_pass() {
        for source in [
            "let x = a as f64 * b as f64;",
            "(a as u64 * b as u64) as f64",
            "(2.0 * x).round() as i64",
            "product([a, b * c]) as f64",
            "(*a + b) as f64",
            "(a * b) as usize",
            "(a * b) as u64x8",
            "// (a * b) as f64",
            "#[cfg(test)]\nmod tests {\n(a * b) as f64",
        ] {
            assert!(texts(source).is_empty(), "{source}");
        }
    }
}
