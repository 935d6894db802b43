//! The state of a class: its task, and its pupils with what they have sent. Who may do what is in `api.rs`.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::text::{MAX_ANSWER, MAX_NAME, MAX_QUESTION, is_link, is_plain};

/// The most pupils at a time, and over the whole session with those that have left.
pub const MAX_PUPILS: usize = 60;
const MAX_EVER: usize = 240;
/// The most points of a curve.
const MAX_POINTS: usize = 64;
/// The most answers of a pupil to questions of the class, and as many to those of a lesson.
const MAX_ANSWERS: usize = 8;
/// The longest link of a run, result code and name of a metric, in bytes.
const MAX_LINK: usize = 9_000;
const MAX_CODE: usize = 9_000;
const MAX_METRIC: usize = 64;
/// No metric is larger.
const MAX_VALUE: f64 = 1e12;
/// A tab that sends nothing for this long is silent. Browsers let hidden tabs send once a minute.
const SILENCE: Duration = Duration::from_secs(90);
/// The characters of a class's code: no vowels, so that it is no word, and nothing that looks like another.
const CODE_CHARACTERS: &[u8] = b"23456789BCDFGHJKMNPQRSTVWXZ";
const CODE_LENGTH: usize = 4;

/// What every pupil does: the link of a run without its seed or that of a lesson, and a question.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub link: String,
    pub question: String,
}

/// Where a run is. All of it is what the pupil's tab says.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The run's link without its seed and its end.
    recipe: String,
    metric: String,
    target: Option<f64>,
    units: u32,
    bits: String,
    curve: Curve,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    units: Vec<u32>,
    values: Vec<f64>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    question: String,
    text: String,
}

/// The answers of a lesson, all at once.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonAnswers {
    /// The link of the lesson, as the task has it.
    link: String,
    answers: Vec<Answer>,
}

struct Pupil {
    token: String,
    seat: u32,
    name: String,
    /// When something came from it last.
    seen: Instant,
    left: bool,
    progress: Option<Progress>,
    /// The result code that it has handed in.
    result: Option<String>,
    /// Its answers to questions of the class.
    answers: Vec<Answer>,
    /// The answers of a lesson that it has handed in.
    lesson: Vec<Answer>,
}

/// A sentence that says why something is refused.
pub type Refused = &'static str;

pub struct Class {
    /// With which pupils join.
    pub code: String,
    /// With which the teacher's page sees everything.
    pub teacher: String,
    /// The address with which pupils reach the server, which ends with a slash.
    address: String,
    task: Option<Task>,
    pupils: Vec<Pupil>,
    next_seat: u32,
}

impl Class {
    pub fn new(code: String, teacher: String, address: String) -> Self {
        Self { code, teacher, address, task: None, pupils: Vec::new(), next_seat: 1 }
    }

    /// Gives every pupil this task from now on. Results and answers of another run or lesson are dropped; another
    /// question drops nothing.
    pub fn open(&mut self, task: Task) -> Result<(), Refused> {
        if !is_link(&task.link, MAX_LINK) {
            return Err("The link is not allowed.");
        }
        if !task.question.is_empty() && !is_plain(&task.question, MAX_QUESTION) {
            return Err("The question is not allowed.");
        }
        if self.task.as_ref().is_none_or(|known| known.link != task.link) {
            for pupil in &mut self.pupils {
                pupil.progress = None;
                pupil.result = None;
                pupil.answers.clear();
                pupil.lesson.clear();
            }
        }
        self.task = Some(task);
        Ok(())
    }

    /// Adds a pupil, with the token by which its tab is known. Returns what the tab needs to know.
    pub fn join(&mut self, name: &str, token: String, now: Instant) -> Result<Value, Refused> {
        if !is_plain(name, MAX_NAME) {
            return Err("The name is not allowed: it may have 24 visible characters.");
        }
        let here = self.pupils.iter().filter(|pupil| !pupil.left).count();
        if here >= MAX_PUPILS || self.pupils.len() >= MAX_EVER {
            return Err("The class is full.");
        }
        let seat = self.next_seat;
        self.next_seat += 1;
        self.pupils.push(Pupil {
            token: token.clone(),
            seat,
            name: name.to_owned(),
            seen: now,
            left: false,
            progress: None,
            result: None,
            answers: Vec::new(),
            lesson: Vec::new(),
        });
        let mut joined = self.standing();
        joined["token"] = token.into();
        joined["seat"] = seat.into();
        joined["seed"] = seat.into();
        Ok(joined)
    }

    /// Whether this is the token of a pupil. It counts as a sign of life.
    pub fn sees(&mut self, token: &str, now: Instant) -> bool {
        let found = self.pupil(token);
        if let Some(pupil) = found {
            pupil.seen = now;
            pupil.left = false;
            return true;
        }
        false
    }

    pub fn leave(&mut self, token: &str) {
        if let Some(pupil) = self.pupil(token) {
            pupil.left = true;
        }
    }

    pub fn progress(&mut self, token: &str, progress: Progress) -> Result<(), Refused> {
        let Progress { recipe, metric, target, units, bits, curve } = &progress;
        let is_value = |value: &f64| value.is_finite() && value.abs() <= MAX_VALUE;
        let has_order = curve.units.windows(2).all(|pair| pair[0] < pair[1]);
        let is_curve = curve.units.len() == curve.values.len()
            && curve.units.len() <= MAX_POINTS
            && curve.units.last().is_none_or(|last| last <= units);
        let is_allowed = is_link(recipe, MAX_LINK)
            && is_link(metric, MAX_METRIC)
            && target.as_ref().is_none_or(is_value)
            && ["fused", "plain", "gpu"].contains(&bits.as_str())
            && is_curve
            && has_order
            && curve.values.iter().all(is_value);
        if !is_allowed {
            return Err("This progress is not allowed.");
        }
        self.set(token, |pupil| pupil.progress = Some(progress))
    }

    /// Takes a result code. What is in it, the teacher's page reads and checks.
    pub fn result(&mut self, token: &str, code: String) -> Result<(), Refused> {
        if !is_link(&code, MAX_CODE) || !code.starts_with("LC1.") {
            return Err("This is no result code.");
        }
        self.set(token, |pupil| pupil.result = Some(code))
    }

    /// Takes an answer. A later one to the same question replaces it.
    pub fn answer(&mut self, token: &str, answer: Answer) -> Result<(), Refused> {
        if !answer.is_allowed() {
            return Err(ANSWER_NOT_ALLOWED);
        }
        let pupil = self.pupil(token).ok_or("This tab has not joined.")?;
        match pupil.answers.iter().position(|each| each.question == answer.question) {
            Some(known) => pupil.answers[known] = answer,
            None if pupil.answers.len() < MAX_ANSWERS => pupil.answers.push(answer),
            None => return Err("There are too many answers already."),
        }
        Ok(())
    }

    /// Takes the answers of the lesson that the class does, one to each question. They replace those that were
    /// handed in before, so an answer that was taken back is gone.
    pub fn hand_in_lesson(&mut self, token: &str, handed_in: LessonAnswers) -> Result<(), Refused> {
        let LessonAnswers { link, answers } = handed_in;
        if self.task.as_ref().is_none_or(|task| task.link != link) {
            return Err("The class does something else now, so nothing was handed in.");
        }
        if answers.len() > MAX_ANSWERS {
            return Err("There are too many answers.");
        }
        if !answers.iter().all(Answer::is_allowed) {
            return Err(ANSWER_NOT_ALLOWED);
        }
        let mut questions: Vec<&str> = answers.iter().map(|answer| answer.question.as_str()).collect();
        questions.sort_unstable();
        if questions.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("A question has two answers.");
        }
        self.set(token, |pupil| pupil.lesson = answers)
    }

    /// Takes a pupil out of the class, with all that came from it.
    pub fn remove(&mut self, seat: u32) {
        self.pupils.retain(|pupil| pupil.seat != seat);
    }

    /// Where the class is, for a pupil: what it trains, how many there are, and the medians of those that
    /// train the task.
    pub fn standing(&self) -> Value {
        let here = self.pupils.iter().filter(|pupil| !pupil.left);
        let on_task = |progress: &&Progress| self.task.as_ref().is_some_and(|t| t.link == progress.recipe);
        let runs = || here.clone().filter_map(|pupil| pupil.progress.as_ref()).filter(on_task);
        let units = median(runs().map(|run| f64::from(run.units)).collect());
        let values = median(runs().filter_map(|run| run.curve.values.last().copied()).collect());
        json!({ "task": self.task, "pupils": here.clone().count(), "units": units, "value": values })
    }

    /// The same for a pupil's tab that is known, with what is here of it: whether its progress is, and how many
    /// answers of a lesson. If the teacher has begun something else meanwhile, the tab tells of its run again,
    /// also if that has stopped, and says that its answers are gone.
    pub fn standing_of(&mut self, token: &str) -> Value {
        let known = self.pupil(token).map(|pupil| (pupil.progress.is_some(), pupil.lesson.len()));
        let (has_progress, answers) = known.unwrap_or_default();
        let mut standing = self.standing();
        standing["told"] = has_progress.into();
        standing["answers"] = answers.into();
        standing
    }

    /// Everything, for the teacher's page.
    pub fn state(&self, now: Instant) -> Value {
        let pupils: Vec<Value> = self.pupils.iter().map(|pupil| pupil.state(now)).collect();
        json!({ "code": self.code, "address": self.address, "task": self.task, "pupils": pupils })
    }

    fn pupil(&mut self, token: &str) -> Option<&mut Pupil> {
        self.pupils.iter_mut().find(|pupil| pupil.token == token)
    }

    fn set(&mut self, token: &str, change: impl FnOnce(&mut Pupil)) -> Result<(), Refused> {
        self.pupil(token).map(change).ok_or("This tab has not joined.")
    }
}

const ANSWER_NOT_ALLOWED: Refused =
    "An answer is not allowed: it may have 280 visible characters, and its question 140.";

impl Answer {
    fn is_allowed(&self) -> bool {
        is_plain(&self.question, MAX_QUESTION) && is_plain(&self.text, MAX_ANSWER)
    }
}

impl Pupil {
    fn state(&self, now: Instant) -> Value {
        let is_silent = now.saturating_duration_since(self.seen) > SILENCE;
        let state = match (self.left, is_silent) {
            (true, _) => "left",
            (_, true) => "silent",
            _ => "here",
        };
        json!({
            "seat": self.seat,
            "seed": self.seat,
            "name": self.name,
            "state": state,
            "progress": self.progress,
            "result": self.result,
            "answers": self.answers,
            "lesson": self.lesson,
        })
    }
}

/// The middle of some numbers, or the mean of the middle two; `None` for none.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}

/// A code for the board, drawn at random.
pub fn new_code() -> String {
    let letter = |byte: u8| char::from(CODE_CHARACTERS[usize::from(byte) % CODE_CHARACTERS.len()]);
    random::<CODE_LENGTH>().into_iter().map(letter).collect()
}

/// A token that nobody can guess: 128 random bits.
pub fn new_token() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Random bytes of the operating system.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system has random numbers");
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> Class {
        let mut class = Class::new("K7QM".into(), "teacher".into(), "http://a/".into());
        class.open(Task { link: "control?worlds=16".into(), question: "Why?".into() }).unwrap();
        class
    }

    fn progress(units: u32, values: &[f64]) -> Progress {
        let all = (1..).take(values.len()).collect();
        let curve = Curve { units: all, values: values.to_vec() };
        let recipe = "control?worlds=16".into();
        Progress { recipe, metric: "score".into(), target: Some(490.0), units, bits: "fused".into(), curve }
    }

    #[test]
    fn class_has_seats_by_the_order_of_joining_and_is_full_with_sixty() {
        let (mut class, now) = (class(), Instant::now());
        for seat in 1..=60 {
            let joined = class.join("A", format!("t{seat}"), now).unwrap();
            assert_eq!((joined["seat"].as_u64(), joined["seed"].as_u64()), (Some(seat), Some(seat)));
        }
        assert_eq!(class.join("A", "more".into(), now), Err("The class is full."));
        class.leave("t7");
        let late = class.join("Late", "late".into(), now).unwrap();
        assert_eq!((late["seat"].as_u64(), late["pupils"].as_u64()), (Some(61), Some(60)));
        // The seat of one that left is not given away, and it may come back to a full class.
        assert!(class.sees("t7", now));
        assert!(!class.sees("nobody", now));
        class.leave("t8");
        class.leave("late");
        for i in 0..MAX_EVER {
            _ = class.join("B", format!("n{i}"), now);
            class.leave(&format!("n{i}"));
        }
        assert_eq!(class.pupils.len(), MAX_EVER);
    }

    #[test]
    fn one_that_leaves_stays_in_the_table_and_a_late_one_sees_where_the_class_is() {
        let (mut class, now) = (class(), Instant::now());
        for (name, value) in [("A", 10.0), ("B", 30.0), ("C", 80.0)] {
            class.join(name, name.into(), now).unwrap();
            class.progress(name, progress(20, &[1.0, value])).unwrap();
        }
        class.leave("B");
        let late = class.join("D", "D".into(), now).unwrap();
        assert_eq!(late["task"]["question"], "Why?");
        assert_eq!(
            (&late["pupils"], &late["units"], &late["value"]),
            (&json!(3), &json!(20.0), &json!(45.0))
        );
        let later = now + SILENCE + Duration::from_secs(1);
        assert!(class.sees("A", later));
        let state = class.state(later);
        let states: Vec<_> = state["pupils"].as_array().unwrap().iter().map(|p| &p["state"]).collect();
        assert_eq!(states, ["here", "left", "silent", "silent"]);
        assert_eq!(state["pupils"][1]["progress"]["curve"]["values"], json!([1.0, 30.0]));
        assert_eq!(class.standing_of("A")["told"], true);
        // With another question the runs go on, and another task is begun without the runs of the last one.
        class.open(Task { link: "control?worlds=16".into(), question: "How?".into() }).unwrap();
        assert_eq!(class.state(later)["pupils"][0]["progress"]["units"], 20);
        class.open(Task { link: "cube".into(), question: String::new() }).unwrap();
        assert_eq!(class.state(later)["pupils"][0]["progress"], Value::Null);
        assert_eq!(class.standing_of("A")["told"], false);
        class.remove(2);
        assert_eq!(class.state(later)["pupils"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn what_no_tab_sends_is_refused() {
        let (mut class, now) = (class(), Instant::now());
        class.join("A", "A".into(), now).unwrap();
        assert!(class.progress("A", progress(64, &[1.0; 64])).is_ok());
        assert!(class.progress("A", progress(0, &[])).is_ok());
        let changes: [fn(&mut Progress); 11] = [
            |p| p.curve.values.push(1.0),
            |p| p.curve.units.swap(0, 1),
            |p| p.curve.units[1] = 99,
            |p| p.curve.values[0] = f64::INFINITY,
            |p| p.curve.values[0] = f64::NAN,
            |p| p.curve.values[0] = 1e13,
            |p| p.target = Some(f64::NAN),
            |p| p.bits = "gold".into(),
            |p| p.recipe = "x".repeat(MAX_LINK + 1),
            |p| p.recipe = "a b".into(),
            |p| p.metric.clear(),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut wrong = progress(3, &[1.0, 2.0, 3.0]);
            change(&mut wrong);
            assert!(class.progress("A", wrong).is_err(), "change {i}");
        }
        assert!(class.progress("A", progress(65, &[1.0; 65])).is_err());
        assert!(class.progress("nobody", progress(0, &[])).is_err());
        assert!(class.result("A", "LC1.00000000.AA".into()).is_ok());
        for code in ["", "LC1", "<b>", "LC1.é", &format!("LC1.{}", "A".repeat(MAX_CODE))] {
            assert!(class.result("A", code.into()).is_err(), "{code}");
        }
        let answer = |question: &str, text: &str| Answer { question: question.into(), text: text.into() };
        assert!(class.answer("A", answer("Why?", "So.")).is_ok());
        assert!(class.answer("A", answer("Why?", "Because.")).is_ok());
        assert_eq!(
            class.state(now)["pupils"][0]["answers"],
            json!([{ "question": "Why?", "text": "Because." }])
        );
        assert!(class.answer("A", answer("Why?", "\u{202e}")).is_err());
        assert!(class.answer("A", answer("Why?", &"x".repeat(281))).is_err());
        for i in 0..9 {
            assert_eq!(class.answer("A", answer(&format!("{i}"), "x")).is_ok(), i < MAX_ANSWERS - 1);
        }
        for name in ["", "\u{202e}A", &"x".repeat(25)] {
            assert!(class.join(name, "t".into(), now).is_err());
        }
        assert!(class.open(Task { link: String::new(), question: String::new() }).is_err());
        assert!(class.open(Task { link: "cube".into(), question: "\u{7}".into() }).is_err());
    }

    #[test]
    fn answers_of_a_lesson_replace_each_other_and_go_with_the_task() {
        let (mut class, now) = (class(), Instant::now());
        class.join("A", "A".into(), now).unwrap();
        let task = |link: &str| Task { link: link.into(), question: String::new() };
        class.open(task("lesson/control")).unwrap();
        let of = |link: &str, answers: Vec<Answer>| LessonAnswers { link: link.into(), answers };
        let answer = |question: &str, text: &str| Answer { question: question.into(), text: text.into() };
        let eight = |text: &str| (0..8).map(|i| answer(&format!("{i}?"), text)).collect::<Vec<_>>();
        let mut lesson = |answers: Vec<Answer>| class.hand_in_lesson("A", of("lesson/control", answers));
        assert!(lesson(eight("x")).is_ok());
        let wrong: [Vec<Answer>; 4] = [
            eight("x").into_iter().chain([answer("8?", "x")]).collect(),
            vec![answer("0?", "x"), answer("1?", "x"), answer("0?", "y")],
            vec![answer("0?", &"x".repeat(281))],
            vec![answer(&"x".repeat(141), "x")],
        ];
        for (i, answers) in wrong.into_iter().enumerate() {
            assert!(lesson(answers).is_err(), "{i}");
        }
        // The class's own question has a place beside them, and nobody else can hand in for this pupil.
        assert!(class.answer("A", answer("Why?", "So.")).is_ok());
        assert!(class.hand_in_lesson("nobody", of("lesson/control", vec![])).is_err());
        // Nor are the answers of another lesson taken.
        assert!(class.hand_in_lesson("A", of("lesson/cube", vec![answer("0?", "x")])).is_err());
        assert_eq!(class.standing_of("A")["answers"], 8);
        let state = class.state(now);
        let pupil = &state["pupils"][0];
        assert_eq!(
            (pupil["lesson"][7]["question"].as_str(), pupil["answers"][0]["text"].as_str()),
            (Some("7?"), Some("So."))
        );
        class.hand_in_lesson("A", of("lesson/control", vec![answer("0?", "y")])).unwrap();
        assert_eq!(class.state(now)["pupils"][0]["lesson"], json!([{ "question": "0?", "text": "y" }]));
        class.open(task("lesson/cube")).unwrap();
        assert_eq!(class.standing_of("A")["answers"], 0);
        // An answer that was on its way when the class went on is not taken for the next lesson.
        assert!(class.hand_in_lesson("A", of("lesson/control", eight("x"))).is_err());
    }

    #[test]
    fn codes_and_tokens_are_drawn() {
        assert_eq!(new_code().len(), CODE_LENGTH);
        assert!(new_code().bytes().all(|byte| CODE_CHARACTERS.contains(&byte)));
        assert_eq!(new_token().len(), 32);
        assert_ne!(new_token(), new_token());
    }
}
