//! Exercises: every answer is what a slow reading of the question gives, and what is held out is never learned from.

use std::collections::HashSet;

use learnery_kernels::rng::Stream;

use crate::text::{Exercise, Problem, Split, Task, Tokenizer};

fn problems(exercise: &Exercise, part: Split, count: u64) -> Vec<Problem> {
    let mut problem = Problem::default();
    (0..count)
        .map(|index| {
            exercise.problem(Stream::new(3, 9), index, part, &mut problem);
            problem.clone()
        })
        .collect()
}

/// The answer by another way, the last digit first where sums are written backwards.
fn slow_answer(task: Task, size: u32, backwards: bool, asked: &str) -> String {
    let numbers = || asked.split('+').map(|number| number.parse::<u128>().expect("a number"));
    match task {
        Task::Copy => asked.to_owned(),
        Task::Reverse => asked.chars().fold(String::new(), |text, letter| format!("{letter}{text}")),
        Task::Sort => {
            let mut letters: Vec<char> = asked.chars().collect();
            letters.sort_unstable();
            letters.into_iter().collect()
        }
        Task::Addition => {
            let sum = numbers().sum::<u128>().to_string();
            if backwards { sum.chars().rev().collect() } else { sum }
        }
        Task::ModularAddition => (numbers().sum::<u128>() % u128::from(size)).to_string(),
        Task::Brackets => {
            // What closes itself is crossed out until nothing does.
            let mut left = asked.to_owned();
            while let Some(at) = ["()", "[]", "{}"].iter().find_map(|two| left.find(two)) {
                left.replace_range(at..at + 2, "");
            }
            left.chars()
                .rev()
                .map(|open| match open {
                    '(' => ')',
                    '[' => ']',
                    _ => '}',
                })
                .collect()
        }
        Task::Parity => asked.bytes().fold(0, |parity, bit| parity ^ (bit - b'0')).to_string(),
    }
}

#[test]
fn answers_are_right_at_every_size() {
    for task in Task::ALL {
        let [least, most] = task.sizes();
        let tokenizer = Tokenizer::characters(task.alphabet());
        for size in [least, least + 1, (least + most) / 2, most] {
            for backwards in [false, true] {
                let exercise = Exercise::new(task, size, backwards).expect("a size that there is");
                let mut longest = 0;
                for Problem { question, answer } in problems(&exercise, Split::Training, 300) {
                    let asked = question.strip_suffix(task.sign()).expect("the sign at the end");
                    assert_eq!(answer, slow_answer(task, size, backwards, asked), "{question}");
                    assert!(exercise.check(&question, &answer));
                    assert!(exercise.check(&question, &format!("{answer}\n")));
                    assert!(!exercise.check(&question, &format!("{answer}0")));
                    assert_eq!(
                        exercise.answer(asked).expect("a question"),
                        Problem { question: question.clone(), answer: answer.clone() }
                    );
                    assert!(tokenizer.covers(&format!("{question}{answer}\n")));
                    longest = longest.max(question.len() + answer.len() + 1);
                }
                assert!(longest <= exercise.longest(), "{task:?} {size}: {longest}");
            }
        }
        assert!(Exercise::new(task, least - 1, false).is_err());
        assert!(Exercise::new(task, most + 1, false).is_err());
    }
}

#[test]
fn longest_is_the_length_of_the_longest() {
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
        let exercise = Exercise::new(task, size, false).expect("a size that there is");
        assert!(exercise.longest() >= text.len(), "{task:?}");
        assert!(exercise.longest() <= text.len() + 1, "{task:?}");
    }
}

#[test]
fn what_is_held_out_is_never_learned_from() {
    for task in Task::ALL {
        for size in [task.sizes()[0], task.sizes()[0] + 3] {
            let exercise = Exercise::new(task, size, false).expect("a size that there is");
            let ask = |part| {
                problems(&exercise, part, 2000)
                    .into_iter()
                    .map(|problem| problem.question)
                    .collect::<HashSet<_>>()
            };
            let (training, held_out) = (ask(Split::Training), ask(Split::HeldOut));
            assert!(training.is_disjoint(&held_out));
            assert!(held_out.len() > 4, "{task:?} {size}: {}", held_out.len());
        }
    }
    // About an eighth.
    let exercise = Exercise::new(Task::ModularAddition, 97, false).expect("a size that there is");
    let all = (0..97).flat_map(|a| (0..97).map(move |b| format!("{a}+{b}=")));
    let held = all.filter(|question| Exercise::held_out(question)).count();
    assert!((held as f64 / 9409.0 - 0.125).abs() < 0.02, "{held}");
    assert_eq!(exercise.task(), Task::ModularAddition);
}

#[test]
fn questions_that_make_no_sense_get_a_sentence() {
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
        let exercise = Exercise::new(task, 8, false).expect("a size that there is");
        let error = exercise.answer(question).expect_err(question).to_string();
        assert!(error.starts_with("ask with"), "{error}");
        assert!(!exercise.check(question, ""));
    }
    let exercise = Exercise::new(Task::Addition, 3, false).expect("a size that there is");
    assert_eq!(exercise.answer(" 17+5= ").expect("a question").answer, "22");
}
