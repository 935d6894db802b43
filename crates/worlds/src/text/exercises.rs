//! Algorithmic exercises: questions with exact answers. The *sign* (`=` or `>`) separates the question from
//! the answer.
//!
//! ```text
//! copy      lkaq>lkaq        sort       lkaq>aklq       modular addition   71+45=19   (modulo 97)
//! reverse   lkaq>qakl        parity     10110=1         brackets           ([]{>})    (the closing brackets)
//! addition  123+456=579
//! ```
//! A problem is a pure function of (stream, index). An eighth of all questions, chosen by a hash of the
//! question, is held out from training, so that accuracy on them measures generalisation and not memory.

use learnery_kernels::rng::Stream;

use super::TextError;
use super::answers::{self, BRACKETS, BracketStack, push_number};
use super::task::Task;

/// The split from which questions are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    Training,
    HeldOut,
}

/// A question and its answer. Training text is the question, the answer and a line break.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// Ends with the task's sign, `=` or `>`.
    pub question: String,
    /// Without the line break.
    pub answer: String,
}

/// A task with its size; see [`Task::sizes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exercise {
    task: Task,
    size: u32,
    /// Whether sums are written from the least significant digit on.
    backwards: bool,
}

impl Exercise {
    /// With `backwards`, the sums of additions are written from the least significant digit on, the order in
    /// which they are computed. It has no effect on other tasks.
    pub fn new(task: Task, size: u32, backwards: bool) -> Result<Self, TextError> {
        let [min, max] = task.sizes();
        if !(min..=max).contains(&size) {
            return Err(TextError(format!("{task:?} needs a size from {min} to {max}, not {size}")));
        }
        Ok(Self { task, size, backwards: backwards && task == Task::Addition })
    }

    pub fn task(&self) -> Task {
        self.task
    }

    /// An upper bound on the length of a problem in characters: the question with its sign, the answer and
    /// the line break.
    pub fn max_length(&self) -> usize {
        let size = self.size as usize;
        // Digits of the largest number below the modulus.
        let digits = (self.size - 1).max(1).ilog10() as usize + 1;
        match self.task {
            Task::Copy | Task::Reverse | Task::Sort | Task::Brackets => 2 * size + 2,
            // Both numbers with the plus, and a sum that may have a digit more.
            Task::Addition => 3 * size + 4,
            Task::ModularAddition => 3 * digits + 3,
            // The answer is one digit.
            Task::Parity => size + 3,
        }
    }

    /// Whether a question belongs to the held-out split. The split is by a hash of the question, so equal
    /// questions are always in the same split. An eighth of all questions is held out.
    pub fn is_held_out(question: &str) -> bool {
        // FNV-1a, then a multiplication that mixes its upper bits.
        let hash = question.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        // The upper three bits are zero for an eighth of all hashes.
        (hash ^ (hash >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61 == 0
    }

    /// Writes problem `index` of a split to `out`, by rejection sampling: until a question belongs to the
    /// split, another one is drawn.
    pub fn problem(&self, stream: Stream, index: u64, split: Split, out: &mut Problem) {
        let mut attempt = 0;
        loop {
            out.question.clear();
            // Every attempt has 2^32 random numbers of its own.
            let mut random = RandomNumbers { stream, index, last_taken: attempt << 32 };
            self.draw(&mut random, &mut out.question);
            if Self::is_held_out(&out.question) == (split == Split::HeldOut) {
                break;
            }
            attempt += 1;
        }
        out.answer.clear();
        self.solve(&out.question, &mut out.answer).expect("generated questions are valid");
    }

    /// Solves a question that the user typed, with or without its sign.
    pub fn answer(&self, question: &str) -> Result<Problem, TextError> {
        let mut problem = Problem { question: question.trim().to_owned(), answer: String::new() };
        if !problem.question.ends_with(self.task.sign()) {
            problem.question.push(self.task.sign());
        }
        self.solve(&problem.question, &mut problem.answer)?;
        Ok(problem)
    }

    /// Whether `answer` is the correct answer to `question`, with or without a line break.
    pub fn check(&self, question: &str, answer: &str) -> bool {
        let mut correct = String::new();
        self.solve(question, &mut correct).is_ok() && answer.strip_suffix('\n').unwrap_or(answer) == correct
    }

    /// Appends a random question with its sign.
    fn draw(&self, random: &mut RandomNumbers, out: &mut String) {
        match self.task {
            Task::Copy | Task::Reverse | Task::Sort => {
                for _ in 0..=random.below(self.size) {
                    out.push((b'a' + random.below(26) as u8) as char);
                }
            }
            Task::Addition => {
                // Two numbers; the plus follows the first.
                for suffix in ["+", ""] {
                    // Nine digits at a time, because a random number has 32 bits.
                    let number = (0..self.size).step_by(9).fold(0, |number, begin| {
                        let power = 10_u32.pow((self.size - begin).min(9));
                        number * u64::from(power) + u64::from(random.below(power))
                    });
                    push_number(out, number, false);
                    out.push_str(suffix);
                }
            }
            Task::ModularAddition => {
                for suffix in ["+", ""] {
                    push_number(out, u64::from(random.below(self.size)), false);
                    out.push_str(suffix);
                }
            }
            Task::Brackets => {
                let mut open = BracketStack::default();
                for _ in 0..=random.below(self.size) {
                    // One half of the time, closes the last open bracket if there is one; else opens a
                    // bracket.
                    let closed = if random.below(2) == 0 { open.pop() } else { None };
                    out.push(match closed {
                        Some(kind) => BRACKETS[usize::from(kind)][1],
                        None => {
                            let kind = random.below(3);
                            open.push(kind as u8);
                            BRACKETS[kind as usize][0]
                        }
                    });
                }
            }
            Task::Parity => {
                for _ in 0..self.size {
                    out.push(if random.below(2) == 0 { '0' } else { '1' });
                }
            }
        }
        out.push(self.task.sign());
    }

    /// Appends the answer to `out`.
    fn solve(&self, question: &str, out: &mut String) -> Result<(), TextError> {
        let question = question.strip_suffix(self.task.sign()).unwrap_or(question);
        answers::solve(self.task, self.size, self.backwards, question, out)
    }
}

/// The random numbers of one problem.
struct RandomNumbers {
    stream: Stream,
    /// The index of the problem.
    index: u64,
    /// The sub-index of the last number taken.
    last_taken: u64,
}

impl RandomNumbers {
    /// The next random number from 0 to `n - 1`.
    fn below(&mut self, n: u32) -> u32 {
        self.last_taken += 1;
        self.stream.below(self.index, self.last_taken, n)
    }
}
