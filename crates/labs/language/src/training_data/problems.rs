//! Problems of a task with exact answers, such as `12+34=46`, one problem in each row of a batch. A task with
//! its size (such as sums of two-digit numbers) is an `Exercise`.

use learnery_kernels::rng::Stream;
use learnery_nn::transformer::IGNORE;
use learnery_worlds::text::{Exercise, Problem, Split, Tokenizer};

/// The number of a training problem has this many low bits for the row in its batch. The maximum of 1024 rows
/// needs ten.
const ROW_BITS: u32 = 16;

/// The number of the problem in row `row` of training batch `batch`. No two rows of a run share a number.
pub fn training_index(batch: u64, row: u64) -> u64 {
    (batch << ROW_BITS) + row
}

/// An endless sequence of problems, each determined by the stream and its number.
pub struct Problems {
    exercise: Exercise,
    stream: Stream,
    /// Buffers for the current problem and its tokens, so that generating a problem does not allocate.
    problem: Problem,
    tokens: Vec<u16>,
}

impl Problems {
    pub fn new(exercise: Exercise, stream: Stream) -> Self {
        Self { exercise, stream, problem: Problem::default(), tokens: Vec::new() }
    }

    pub fn exercise(&self) -> &Exercise {
        &self.exercise
    }

    /// Problem `index` of the training or the held-out split.
    pub fn problem(&mut self, index: u64, split: Split) -> &Problem {
        self.exercise.problem(self.stream, index, split, &mut self.problem);
        &self.problem
    }

    /// Writes problem `index` as a row, padded with line breaks. Only the answer and the line break after it
    /// are targets, because the question is random and cannot be predicted.
    pub fn row(
        &mut self,
        tokenizer: &Tokenizer,
        index: u64,
        split: Split,
        inputs: &mut [u16],
        targets: &mut [u16],
    ) {
        let Self { exercise, stream, problem, tokens } = self;
        exercise.problem(*stream, index, split, problem);
        tokens.clear();
        tokenizer.encode(&problem.question, tokens);
        let question_length = tokens.len();
        tokenizer.encode(&problem.answer, tokens);
        tokenizer.encode("\n", tokens);
        let line_break = tokens[tokens.len() - 1];
        inputs.fill(line_break);
        targets.fill(IGNORE);
        // The last token is a target only. Target `i` is the token after input `i`, so the first target of
        // the answer belongs to the last input of the question.
        let input_length = tokens.len() - 1;
        inputs[..input_length].copy_from_slice(&tokens[..input_length]);
        targets[question_length - 1..input_length].copy_from_slice(&tokens[question_length..]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::TrainingData;
    use super::*;
    use crate::config::{LanguageConfig, Source};
    use crate::tokenizer::build_tokenizer;

    #[test]
    fn task_rows_have_only_the_answer_as_target() {
        let config = LanguageConfig { source: Source::Addition, size: 3, ..LanguageConfig::default() };
        let tokenizer = build_tokenizer(&config, None).expect("valid settings");
        let mut data = TrainingData::new(&config, 3).expect("valid settings");
        // The longest problem has 12 characters and a line break, which is never an input.
        let length = 12;
        let batch = 7;
        let (mut inputs, mut targets) = (vec![0; 4 * length], vec![0; 4 * length]);
        data.batch(&tokenizer, batch, length, &mut inputs, &mut targets);
        for (row, (inputs, targets)) in (0..).zip(inputs.chunks(length).zip(targets.chunks(length))) {
            let problems = data.problems().expect("a task");
            let problem = problems.problem(training_index(batch, row), Split::Training).clone();
            let counted: Vec<u16> = targets.iter().copied().filter(|target| *target != IGNORE).collect();
            assert_eq!(tokenizer.decode(&counted), format!("{}\n", problem.answer).as_bytes());
            let row_bytes = tokenizer.decode(inputs);
            let expected = format!("{}{}", problem.question, problem.answer);
            assert!(row_bytes.starts_with(expected.as_bytes()), "{expected} in {row_bytes:?}");
            let first_target = targets.iter().position(|target| *target != IGNORE);
            assert_eq!(first_target, Some(problem.question.len() - 1));
        }
    }
}
