//! Solvers of the exercises (copying, sorting, addition and so on, see [`Task`]): they compute the answer
//! from the text of a question, whether it was generated or typed by the user.

use super::TextError;
use super::task::Task;

/// The kinds of brackets, opening and closing.
pub(super) const BRACKETS: [[char; 2]; 3] = [['(', ')'], ['[', ']'], ['{', '}']];

/// A stack of up to 64 open brackets, without heap allocation. The kind of the bracket at depth `i` from the
/// top is bit `i` of `kinds[0]` plus twice bit `i` of `kinds[1]`.
#[derive(Default)]
pub(super) struct BracketStack {
    kinds: [u64; 2],
    depth: u32,
}

impl BracketStack {
    pub(super) fn push(&mut self, kind: u8) {
        for (bits, bit) in self.kinds.iter_mut().zip([kind & 1, kind >> 1]) {
            *bits = *bits << 1 | u64::from(bit);
        }
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) -> Option<u8> {
        self.depth = self.depth.checked_sub(1)?;
        let [low, high] = self.kinds.each_mut().map(|bits| {
            let bit = (*bits & 1) as u8;
            *bits >>= 1;
            bit
        });
        Some(low | high << 1)
    }
}

/// Appends the decimal digits of a number, with `backwards` from the least significant digit on.
pub(super) fn push_number(out: &mut String, number: u64, backwards: bool) {
    let digits = number.checked_ilog10().unwrap_or(0);
    for i in 0..=digits {
        let power = if backwards { i } else { digits - i };
        out.push(char::from(b'0' + (number / 10_u64.pow(power) % 10) as u8));
    }
}

/// Appends the answer to `question`, which does not include the sign (`=` or `>`). `size` is the size of the
/// exercise; see [`Task::sizes`].
pub(super) fn solve(
    task: Task,
    size: u32,
    backwards: bool,
    question: &str,
    out: &mut String,
) -> Result<(), TextError> {
    let count = question.chars().count();
    // For all tasks whose size is a number of characters; the others check their numbers.
    let has_valid_length = (1..=size as usize).contains(&count);
    match task {
        Task::Copy | Task::Reverse | Task::Sort => {
            if !has_valid_length || !question.bytes().all(|byte| byte.is_ascii_lowercase()) {
                return invalid(format!("please type one to {size} letters from a to z"));
            }
            match task {
                Task::Copy => out.push_str(question),
                Task::Reverse => out.extend(question.chars().rev()),
                // The only other task here is sorting: the matches of each letter, in alphabetical order.
                _ => out.extend(('a'..='z').flat_map(|letter| question.matches(letter))),
            }
        }
        Task::Addition => {
            let Some([left, right]) = two_numbers(question)
                .filter(|numbers| numbers.iter().all(|number| *number < 10_u64.pow(size)))
            else {
                return invalid(format!("please type two numbers of at most {size} digits, such as 7+5"));
            };
            push_number(out, left + right, backwards);
        }
        Task::ModularAddition => {
            let modulus = u64::from(size);
            let Some([left, right]) =
                two_numbers(question).filter(|numbers| numbers.iter().all(|number| *number < modulus))
            else {
                return invalid(format!("please type two numbers below {size}, such as 6+3"));
            };
            push_number(out, (left + right) % modulus, false);
        }
        Task::Brackets => {
            let mut open = BracketStack::default();
            let is_balanced_so_far =
                |bracket: char| match BRACKETS.iter().position(|kind| kind.contains(&bracket)) {
                    Some(kind) if BRACKETS[kind][0] == bracket => {
                        open.push(kind as u8);
                        true
                    }
                    Some(kind) => open.pop() == Some(kind as u8),
                    None => false,
                };
            if !has_valid_length || !question.chars().all(is_balanced_so_far) {
                return invalid(format!(
                    "please type one to {size} brackets, closing only the bracket that was opened last"
                ));
            }
            while let Some(kind) = open.pop() {
                out.push(BRACKETS[usize::from(kind)][1]);
            }
        }
        Task::Parity => {
            if count != size as usize || !question.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
                return invalid(format!("please type {size} zeros and ones"));
            }
            out.push(char::from(b'0' + (question.matches('1').count() % 2) as u8));
        }
    }
    Ok(())
}

/// An error for the user.
fn invalid(sentence: String) -> Result<(), TextError> {
    Err(TextError(sentence))
}

/// Parses two numbers with a plus sign between them.
fn two_numbers(question: &str) -> Option<[u64; 2]> {
    let (left, right) = question.split_once('+')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    Some([number(left)?, number(right)?])
}
