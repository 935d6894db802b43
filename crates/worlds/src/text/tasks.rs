//! Exercises with exact answers: a question, and what must follow it.
//!
//! ```text
//! copy      lkaq>lkaq        sort       lkaq>aklq       modular addition   71+45=19   (modulo 97)
//! reverse   lkaq>qakl        parity     10110=1         brackets           ([]{>})    (what closes it)
//! addition  123+456=579
//! ```
//! A problem is a pure function of (stream, index). An eighth of all questions, chosen by a hash of the question, are never
//! drawn for training, so that whoever answers them has understood and not remembered.

use learnery_kernels::rng::Stream;
use serde::{Deserialize, Serialize};

use super::TextError;
use super::answers::{self, BRACKETS, Open, push_number};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Task {
    /// Say the letters again.
    Copy,
    /// Say them from the last to the first.
    Reverse,
    /// Say them in the order of the alphabet.
    Sort,
    /// Add two numbers.
    Addition,
    /// Add two numbers below a modulus, and say what is left of the sum.
    ModularAddition,
    /// Close all brackets that are open.
    Brackets,
    /// Say whether the ones are odd in number.
    Parity,
}

/// Which questions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Those to learn from.
    Training,
    /// Those to be judged by.
    HeldOut,
}

/// A question and its answer. In a text they follow each other, and a line break follows the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// With the sign that asks for the answer.
    pub question: String,
    /// Without the line break.
    pub answer: String,
}

/// A task of one size, and how its answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exercise {
    task: Task,
    size: u32,
    backwards: bool,
}

impl Task {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Copy,
        Self::Reverse,
        Self::Sort,
        Self::Addition,
        Self::ModularAddition,
        Self::Brackets,
        Self::Parity,
    ];

    /// The smallest and the largest size: the most letters or brackets, the digits of a number, the modulus, the bits.
    pub fn sizes(self) -> [u32; 2] {
        match self {
            Self::Copy | Self::Reverse | Self::Sort => [2, 48],
            Self::Addition => [1, 12],
            Self::ModularAddition => [7, 997],
            Self::Brackets => [4, 48],
            Self::Parity => [6, 48],
        }
    }

    /// The characters of its problems.
    pub fn alphabet(self) -> &'static str {
        match self {
            Self::Copy | Self::Reverse | Self::Sort => "\n>abcdefghijklmnopqrstuvwxyz",
            Self::Addition | Self::ModularAddition => "\n+0123456789=",
            Self::Brackets => "\n()>[]{}",
            Self::Parity => "\n01=",
        }
    }

    /// The sign that asks for the answer.
    pub fn sign(self) -> char {
        match self {
            Self::Addition | Self::ModularAddition | Self::Parity => '=',
            Self::Copy | Self::Reverse | Self::Sort | Self::Brackets => '>',
        }
    }
}

impl Exercise {
    /// A task of a size. `backwards` writes sums from the last digit to the first, as they are worked out; it says nothing for
    /// other tasks.
    pub fn new(task: Task, size: u32, backwards: bool) -> Result<Self, TextError> {
        let [least, most] = task.sizes();
        if !(least..=most).contains(&size) {
            return Err(TextError(format!("{task:?} takes a size from {least} to {most}, not {size}")));
        }
        Ok(Self { task, size, backwards: backwards && task == Task::Addition })
    }

    /// What is to be done.
    pub fn task(&self) -> Task {
        self.task
    }

    /// The characters of the longest problem, its line break among them.
    pub fn longest(&self) -> usize {
        let size = self.size as usize;
        let digits = (self.size - 1).max(1).ilog10() as usize + 1;
        match self.task {
            Task::Copy | Task::Reverse | Task::Sort | Task::Brackets => 2 * size + 2,
            Task::Addition => 3 * size + 4,
            Task::ModularAddition => 3 * digits + 3,
            Task::Parity => size + 3,
        }
    }

    /// Whether a question is kept back from training.
    pub fn held_out(question: &str) -> bool {
        // FNV-1a, and the mixing that its upper bits need.
        let hash = question.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61 == 0
    }

    /// Problem `index` of a part, in place of what `out` held.
    pub fn problem(&self, stream: Stream, index: u64, part: Split, out: &mut Problem) {
        let mut attempt = 0;
        loop {
            out.question.clear();
            self.draw(&mut Draws { stream, index, next: attempt << 32 }, &mut out.question);
            if Self::held_out(&out.question) == (part == Split::HeldOut) {
                break;
            }
            attempt += 1;
        }
        out.answer.clear();
        self.solve(&out.question, &mut out.answer).expect("a question that was drawn has an answer");
    }

    /// The answer to a question that somebody thought of, with its sign or without.
    pub fn answer(&self, question: &str) -> Result<Problem, TextError> {
        let mut problem = Problem { question: question.trim().to_owned(), answer: String::new() };
        if !problem.question.ends_with(self.task.sign()) {
            problem.question.push(self.task.sign());
        }
        self.solve(&problem.question, &mut problem.answer)?;
        Ok(problem)
    }

    /// Whether `given` is the answer to `question`, with a line break after it or without.
    pub fn check(&self, question: &str, given: &str) -> bool {
        let mut answer = String::new();
        self.solve(question, &mut answer).is_ok() && given.strip_suffix('\n').unwrap_or(given) == answer
    }

    fn draw(&self, draws: &mut Draws, out: &mut String) {
        match self.task {
            Task::Copy | Task::Reverse | Task::Sort => {
                for _ in 0..=draws.below(self.size) {
                    out.push((b'a' + draws.below(26) as u8) as char);
                }
            }
            Task::Addition => {
                for sign in ["+", ""] {
                    // Nine digits at a time: a draw has 32 bits.
                    let number = (0..self.size).step_by(9).fold(0, |number, begin| {
                        let ten = 10_u32.pow((self.size - begin).min(9));
                        number * u64::from(ten) + u64::from(draws.below(ten))
                    });
                    push_number(out, number, false);
                    out.push_str(sign);
                }
            }
            Task::ModularAddition => {
                for sign in ["+", ""] {
                    push_number(out, u64::from(draws.below(self.size)), false);
                    out.push_str(sign);
                }
            }
            Task::Brackets => {
                let mut open = Open::default();
                for _ in 0..=draws.below(self.size) {
                    let closed = if draws.below(2) == 0 { open.pop() } else { None };
                    out.push(match closed {
                        Some(kind) => BRACKETS[usize::from(kind)][1],
                        None => {
                            let kind = draws.below(3);
                            open.push(kind as u8);
                            BRACKETS[kind as usize][0]
                        }
                    });
                }
            }
            Task::Parity => {
                for _ in 0..self.size {
                    out.push(if draws.below(2) == 0 { '0' } else { '1' });
                }
            }
        }
        out.push(self.task.sign());
    }

    /// Adds the answer to `out`.
    fn solve(&self, question: &str, out: &mut String) -> Result<(), TextError> {
        let given = question.strip_suffix(self.task.sign()).unwrap_or(question);
        answers::add(self.task, self.size, self.backwards, given, out)
    }
}

/// The random numbers of one problem, in their order.
struct Draws {
    stream: Stream,
    index: u64,
    next: u64,
}

impl Draws {
    fn below(&mut self, n: u32) -> u32 {
        self.next += 1;
        self.stream.below(self.index, self.next, n)
    }
}
