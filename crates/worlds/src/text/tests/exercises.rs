//! Tests of the exercises against slow reference solvers, and of the held-out split.

use std::collections::HashSet;

use learnery_kernels::rng::Stream;

use crate::text::{Exercise, Problem, Split, Task, Tokenizer};

fn problems(exercise: &Exercise, split: Split, count: u64) -> Vec<Problem> {
    let mut problem = Problem::default();
    (0..count)
        .map(|index| {
            exercise.problem(Stream::new(3, 9), index, split, &mut problem);
            problem.clone()
        })
        .collect()
}

/// A reference solver. `question` does not include the sign.
fn slow_answer(task: Task, size: u32, backwards: bool, question: &str) -> String {
    let numbers = || question.split('+').map(|number| number.parse::<u128>().expect("a number"));
    match task {
        Task::Copy => question.to_owned(),
        Task::Reverse => question.chars().fold(String::new(), |text, letter| format!("{letter}{text}")),
        Task::Sort => {
            let mut letters: Vec<char> = question.chars().collect();
            letters.sort_unstable();
            letters.into_iter().collect()
        }
        Task::Addition => {
            let sum = numbers().sum::<u128>().to_string();
            if backwards { sum.chars().rev().collect() } else { sum }
        }
        Task::ModularAddition => (numbers().sum::<u128>() % u128::from(size)).to_string(),
        Task::Brackets => {
            // Delete matched pairs until none is left.
            let mut remaining = question.to_owned();
            while let Some(at) = ["()", "[]", "{}"].iter().find_map(|two| remaining.find(two)) {
                remaining.replace_range(at..at + 2, "");
            }
            remaining
                .chars()
                .rev()
                .map(|open| match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                })
                .collect()
        }
        Task::Parity => question.bytes().fold(0, |parity, bit| parity ^ (bit - b'0')).to_string(),
    }
}

#[test]
fn answers_agree_with_the_reference_at_every_size() {
    for task in Task::ALL {
        let [min, max] = task.sizes();
        let tokenizer = Tokenizer::characters(task.alphabet());
        for size in [min, min + 1, (min + max) / 2, max] {
            for backwards in [false, true] {
                let exercise = Exercise::new(task, size, backwards).expect("a valid size");
                let mut longest = 0;
                for Problem { question, answer } in problems(&exercise, Split::Training, 300) {
                    let body = question.strip_suffix(task.sign()).expect("the sign at the end");
                    assert_eq!(answer, slow_answer(task, size, backwards, body), "{question}");
                    assert!(exercise.check(&question, &answer));
                    assert!(exercise.check(&question, &format!("{answer}\n")));
                    assert!(!exercise.check(&question, &format!("{answer}0")));
                    assert_eq!(
                        exercise.answer(body).expect("a valid question"),
                        Problem { question: question.clone(), answer: answer.clone() }
                    );
                    assert!(tokenizer.covers(&format!("{question}{answer}\n")));
                    longest = longest.max(question.len() + answer.len() + 1);
                }
                assert!(longest <= exercise.max_length(), "{task:?} {size}: {longest}");
            }
        }
        assert!(Exercise::new(task, min - 1, false).is_err());
        assert!(Exercise::new(task, max + 1, false).is_err());
    }
}

#[test]
fn max_length_is_tight() {
    let cases = [
        ("999+999=1998\n", Task::Addition, 3),
        ("96+96=95\n", Task::ModularAddition, 97),
        ("9+9=8\n", Task::ModularAddition, 10),
        ("10+10=9\n", Task::ModularAddition, 11),
        ("((((>))))\n", Task::Brackets, 4),
        ("abcd>abcd\n", Task::Copy, 4),
        ("111111=0\n", Task::Parity, 6),
    ];
    for (text, task, size) in cases {
        let exercise = Exercise::new(task, size, false).expect("a valid size");
        assert!(exercise.max_length() >= text.len(), "{task:?}");
        assert!(exercise.max_length() <= text.len() + 1, "{task:?}");
    }
}

#[test]
fn held_out_questions_are_never_drawn_for_training() {
    for task in Task::ALL {
        for size in [task.sizes()[0], task.sizes()[0] + 3] {
            let exercise = Exercise::new(task, size, false).expect("a valid size");
            let questions = |split| {
                problems(&exercise, split, 2000)
                    .into_iter()
                    .map(|problem| problem.question)
                    .collect::<HashSet<_>>()
            };
            let (training, held_out) = (questions(Split::Training), questions(Split::HeldOut));
            assert!(training.is_disjoint(&held_out));
            assert!(held_out.len() > 4, "{task:?} {size}: {}", held_out.len());
        }
    }
    // The held-out fraction of all questions is about an eighth.
    let exercise = Exercise::new(Task::ModularAddition, 97, false).expect("a valid size");
    let all = (0..97).flat_map(|a| (0..97).map(move |b| format!("{a}+{b}=")));
    let held = all.filter(|question| Exercise::is_held_out(question)).count();
    assert!((held as f64 / 9409.0 - 0.125).abs() < 0.02, "{held}");
    assert_eq!(exercise.task(), Task::ModularAddition);
}

#[test]
fn invalid_questions_are_rejected_with_a_reason() {
    let cases = [
        (Task::Copy, "Abc"),
        (Task::Copy, ""),
        (Task::Sort, "a b"),
        (Task::Reverse, "abcdefghi"),
        (Task::Addition, "1+"),
        (Task::Addition, "1+2+3"),
        (Task::Addition, "-1+2"),
        (Task::Addition, "999999999+1"),
        (Task::Addition, "99999999999999999999999+1"),
        (Task::ModularAddition, "8+1"),
        (Task::Brackets, "(]"),
        (Task::Brackets, ")"),
        (Task::Brackets, "x"),
        (Task::Parity, "101"),
        (Task::Parity, "1010102é"),
    ];
    for (task, question) in cases {
        let exercise = Exercise::new(task, 8, false).expect("a valid size");
        let error = exercise.answer(question).expect_err(question).to_string();
        assert!(error.starts_with("please type"), "{error}");
        assert!(!exercise.check(question, ""));
    }
    let exercise = Exercise::new(Task::Addition, 3, false).expect("a valid size");
    assert_eq!(exercise.answer(" 17+5= ").expect("a valid question").answer, "22");
}
