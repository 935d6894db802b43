//! The answers to exercises, worked out from the text of the question alone: whoever asks, and however it was drawn.

use super::TextError;
use super::tasks::Task;

/// What opens and what closes.
pub(super) const BRACKETS: [[char; 2]; 3] = [['(', ')'], ['[', ']'], ['{', '}']];

/// What is to be closed yet, the last first: a stack without a heap.
#[derive(Default)]
pub(super) struct Open {
    kinds: [u64; 2],
    depth: u32,
}

impl Open {
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

/// Adds the digits of a number, `backwards` from the last to the first.
pub(super) fn push_number(out: &mut String, number: u64, backwards: bool) {
    let digits = number.checked_ilog10().unwrap_or(0);
    for place in 0..=digits {
        let power = if backwards { place } else { digits - place };
        out.push(char::from(b'0' + (number / 10_u64.pow(power) % 10) as u8));
    }
}

/// Adds the answer to `question`, which comes without its sign.
pub(super) fn add(
    task: Task,
    size: u32,
    backwards: bool,
    question: &str,
    out: &mut String,
) -> Result<(), TextError> {
    let count = question.chars().count();
    let fits = (1..=size as usize).contains(&count);
    match task {
        Task::Copy | Task::Reverse | Task::Sort => {
            if !fits || !question.bytes().all(|byte| byte.is_ascii_lowercase()) {
                return refuse(format!("ask with one to {size} letters from a to z"));
            }
            match task {
                Task::Copy => out.push_str(question),
                Task::Reverse => out.extend(question.chars().rev()),
                _ => out.extend(('a'..='z').flat_map(|letter| question.matches(letter))),
            }
        }
        Task::Addition => {
            let Some([left, right]) = two_numbers(question)
                .filter(|numbers| numbers.iter().all(|number| *number < 10_u64.pow(size)))
            else {
                return refuse(format!("ask with two numbers of at most {size} digits, such as 7+5"));
            };
            push_number(out, left + right, backwards);
        }
        Task::ModularAddition => {
            let modulus = u64::from(size);
            let Some([left, right]) =
                two_numbers(question).filter(|numbers| numbers.iter().all(|number| *number < modulus))
            else {
                return refuse(format!("ask with two numbers below {size}, such as 6+3"));
            };
            push_number(out, (left + right) % modulus, false);
        }
        Task::Brackets => {
            let mut open = Open::default();
            let right = |bracket: char| match BRACKETS.iter().position(|kind| kind.contains(&bracket)) {
                Some(kind) if BRACKETS[kind][0] == bracket => {
                    open.push(kind as u8);
                    true
                }
                Some(kind) => open.pop() == Some(kind as u8),
                None => false,
            };
            if !fits || !question.chars().all(right) {
                return refuse(format!(
                    "ask with one to {size} brackets, none closed that is not the last open one"
                ));
            }
            while let Some(kind) = open.pop() {
                out.push(BRACKETS[usize::from(kind)][1]);
            }
        }
        Task::Parity => {
            if count != size as usize || !question.bytes().all(|byte| matches!(byte, b'0' | b'1')) {
                return refuse(format!("ask with {size} zeros and ones"));
            }
            out.push(char::from(b'0' + (question.matches('1').count() % 2) as u8));
        }
    }
    Ok(())
}

fn refuse(sentence: String) -> Result<(), TextError> {
    Err(TextError(sentence))
}

/// Digits, a plus and digits.
fn two_numbers(question: &str) -> Option<[u64; 2]> {
    let (left, right) = question.split_once('+')?;
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    Some([number(left)?, number(right)?])
}
