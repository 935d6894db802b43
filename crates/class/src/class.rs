//! The state of a class: its task, and its pupils with what they have sent. A pupil is a browser tab that has
//! joined. `api.rs` decides who may do what, and calls the methods here.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::messages::{Answer, LessonAnswers, MAX_ANSWERS, Measured, Progress, Refused, ResultCode, Task};
use crate::text::{MAX_NAME, is_plain};

/// The most pupils that are in the class at the same time.
pub const MAX_PUPILS: usize = 60;
/// The most pupils that are kept, those that have left included. It bounds the memory.
const MAX_KEPT_PUPILS: usize = 240;
/// A tab that sends nothing for this long is silent. Browsers let hidden tabs send once a minute.
const SILENCE: Duration = Duration::from_secs(90);
/// A tab that is closed says that it leaves. A request that it had sent before may arrive up to this much
/// later, and does not mean that the pupil is back.
const ON_ITS_WAY: Duration = Duration::from_secs(2);

struct Pupil {
    /// By which the server knows the tab.
    token: String,
    /// The number of the pupil by the order of joining, from 1 on. It is also the seed that its tab gets.
    seat: u32,
    name: String,
    /// When its last request came.
    seen: Instant,
    /// When it left; `None` while it is in the class.
    left: Option<Instant>,
    /// How far its run is, as the tab says; `None` before the tab has said so.
    progress: Option<Progress>,
    /// The unit in which a run of its tab has done the challenge of the class, as the tab says.
    challenge: Option<u32>,
    /// The result code that it has handed in.
    result: Option<String>,
    /// Its answers to questions of the class.
    answers: Vec<Answer>,
    /// The answers of a lesson that it has handed in.
    lesson: Vec<Answer>,
    /// The measurements of a lesson that it has handed in.
    measured: Measured,
}

/// A class.
pub struct Class {
    /// The code with which pupils join.
    pub code: String,
    /// The token of the teacher's page, which may see everything.
    pub teacher: String,
    /// The address with which pupils reach the server, which ends with a slash.
    address: String,
    /// What the class does; `None` until the teacher has chosen a task.
    task: Option<Task>,
    /// In the order of their seats.
    pupils: Vec<Pupil>,
    /// The seat of the next pupil that joins. Seats are not given away again.
    next_seat: u32,
}

impl Class {
    pub fn new(code: String, teacher: String, address: String) -> Self {
        Self { code, teacher, address, task: None, pupils: Vec::new(), next_seat: 1 }
    }

    /// The address with which pupils reach the server, which ends with a slash.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Gives every pupil this task from now on. If it has another link (another run or lesson), everything
    /// that was sent for the old one is dropped. If only its question is another one, nothing is.
    pub fn open(&mut self, task: Task) -> Result<(), Refused> {
        task.check()?;
        if self.task.as_ref().is_none_or(|known| known.link != task.link) {
            for pupil in &mut self.pupils {
                pupil.progress = None;
                pupil.challenge = None;
                pupil.result = None;
                pupil.answers.clear();
                pupil.lesson.clear();
                pupil.measured = Measured::default();
            }
        }
        self.task = Some(task);
        Ok(())
    }

    /// Adds a pupil with the token by which its tab will be known. Returns what the tab needs to know: the
    /// standing of the class ([`Self::standing`]), its token, its seat and its seed.
    pub fn join(&mut self, name: &str, token: String, now: Instant) -> Result<Value, Refused> {
        if !is_plain(name, MAX_NAME) {
            return Err("The name is not allowed: it may have 24 visible characters.");
        }
        let here = self.pupils.iter().filter(|pupil| pupil.left.is_none()).count();
        if here >= MAX_PUPILS || self.pupils.len() >= MAX_KEPT_PUPILS {
            return Err("The class is full.");
        }
        let seat = self.next_seat;
        self.next_seat += 1;
        self.pupils.push(Pupil {
            token: token.clone(),
            seat,
            name: name.to_owned(),
            seen: now,
            left: None,
            progress: None,
            challenge: None,
            result: None,
            answers: Vec::new(),
            lesson: Vec::new(),
            measured: Measured::default(),
        });
        let mut joined = self.standing();
        joined["token"] = token.into();
        joined["seat"] = seat.into();
        joined["seed"] = seat.into();
        Ok(joined)
    }

    /// Whether this is the token of a pupil. If so, the pupil is seen now. A pupil that has left is then in
    /// the class again, unless it left so shortly before that the request may be older ([`ON_ITS_WAY`]).
    pub fn sees(&mut self, token: &str, now: Instant) -> bool {
        let Some(pupil) = self.pupil(token) else { return false };
        pupil.seen = now;
        pupil.left = pupil.left.filter(|left| now.saturating_duration_since(*left) < ON_ITS_WAY);
        true
    }

    /// Notes that a pupil leaves. It stays in the teacher's table.
    pub fn leave(&mut self, token: &str, now: Instant) {
        if let Some(pupil) = self.pupil(token) {
            pupil.left = Some(now);
        }
    }

    /// Takes the progress of a pupil's run, in place of the last.
    pub fn progress(&mut self, token: &str, progress: Progress) -> Result<(), Refused> {
        progress.check()?;
        self.set(token, |pupil| {
            // A challenge that was done stays done, also if the tab begins another run.
            pupil.challenge = progress.challenge.or(pupil.challenge);
            pupil.progress = Some(progress);
        })
    }

    /// Takes a result code. The server does not read it: the teacher's page does, and checks it.
    pub fn result(&mut self, token: &str, result: ResultCode) -> Result<(), Refused> {
        result.check()?;
        self.set(token, |pupil| pupil.result = Some(result.code))
    }

    /// Takes an answer. A later one to the same question replaces it.
    pub fn answer(&mut self, token: &str, answer: Answer) -> Result<(), Refused> {
        answer.check()?;
        let pupil = self.pupil(token).ok_or("This tab has not joined.")?;
        match pupil.answers.iter().position(|each| each.question == answer.question) {
            Some(known) => pupil.answers[known] = answer,
            None if pupil.answers.len() < MAX_ANSWERS => pupil.answers.push(answer),
            None => return Err("There are too many answers already."),
        }
        Ok(())
    }

    /// Takes a pupil's answers to the lesson that the class does, and what the lesson has measured. They
    /// replace what the pupil has handed in before, so an answer that was taken back is gone.
    pub fn hand_in_lesson(&mut self, token: &str, lesson: LessonAnswers) -> Result<(), Refused> {
        lesson.check()?;
        if self.task.as_ref().is_none_or(|task| task.link != lesson.link) {
            return Err("The class does something else now, so nothing was handed in.");
        }
        self.set(token, |pupil| {
            pupil.lesson = lesson.answers;
            pupil.measured = lesson.measured;
        })
    }

    /// Takes a pupil out of the class, with all that came from it.
    pub fn remove(&mut self, seat: u32) {
        self.pupils.retain(|pupil| pupil.seat != seat);
    }

    /// How far the class is, for a pupil: its task, how many pupils there are, and the medians of the units
    /// and of the last values of the runs that train the task (null if there are none).
    pub fn standing(&self) -> Value {
        let here = self.pupils.iter().filter(|pupil| pupil.left.is_none());
        let on_task =
            |progress: &&Progress| self.task.as_ref().is_some_and(|task| task.trains(&progress.recipe));
        let runs = || here.clone().filter_map(|pupil| pupil.progress.as_ref()).filter(on_task);
        let units = median(runs().map(|run| f64::from(run.units)).collect());
        let values = median(runs().filter_map(|run| run.curve.values.last().copied()).collect());
        json!({ "task": self.task, "pupils": here.clone().count(), "units": units, "value": values })
    }

    /// The standing of the class for one pupil's tab, with what the server has of this pupil: `told` (whether
    /// it has progress), `answers` and `measured` (how many answers and results of a lesson). A new task
    /// resets all three. Then the tab sends its progress again, and tells the pupil that the answers are
    /// gone.
    pub fn standing_of(&mut self, token: &str) -> Value {
        let known = self
            .pupil(token)
            .map(|pupil| (pupil.progress.is_some(), pupil.lesson.len(), pupil.measured.count()));
        let (has_progress, answers, measured) = known.unwrap_or_default();
        let mut standing = self.standing();
        standing["told"] = has_progress.into();
        standing["answers"] = answers.into();
        standing["measured"] = measured.into();
        standing
    }

    /// Everything that the teacher's page shows.
    pub fn state(&self, now: Instant) -> Value {
        let pupils: Vec<Value> = self.pupils.iter().map(|pupil| pupil.state(now)).collect();
        json!({ "code": self.code, "address": self.address, "task": self.task, "pupils": pupils })
    }

    fn pupil(&mut self, token: &str) -> Option<&mut Pupil> {
        self.pupils.iter_mut().find(|pupil| pupil.token == token)
    }

    /// Changes the pupil with this token.
    fn set(&mut self, token: &str, change: impl FnOnce(&mut Pupil)) -> Result<(), Refused> {
        self.pupil(token).map(change).ok_or("This tab has not joined.")
    }
}

impl Pupil {
    /// What the teacher's page shows of this pupil. The token is not among it.
    fn state(&self, now: Instant) -> Value {
        let is_silent = now.saturating_duration_since(self.seen) > SILENCE;
        let state = match (self.left.is_some(), is_silent) {
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
            "challenge": self.challenge,
            "result": self.result,
            "answers": self.answers,
            "lesson": self.lesson,
            "measured": self.measured,
        })
    }
}

/// The median: the middle of some numbers, or the mean of the middle two. `None` if there are no numbers.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len() % 2 == 1 { upper } else { f64::midpoint(values[middle - 1], upper) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::Curve;

    fn class() -> Class {
        let mut class = Class::new("K7QM".into(), "teacher".into(), "http://a/".into());
        class.open(Task { link: "control?worlds=16".into(), question: "Why?".into() }).unwrap();
        class
    }

    fn progress(units: u32, values: &[f64]) -> Progress {
        let all = (1..).take(values.len()).collect();
        let curve = Curve { units: all, values: values.to_vec() };
        let recipe = "control?worlds=16".into();
        Progress {
            recipe,
            seed: 9,
            metric: "score".into(),
            target: Some(490.0),
            units,
            bits: "fused".into(),
            curve,
            challenge: None,
        }
    }

    #[test]
    fn class_has_seats_by_the_order_of_joining_and_is_full_with_sixty() {
        let (mut class, now) = (class(), Instant::now());
        for seat in 1..=60 {
            let joined = class.join("A", format!("t{seat}"), now).unwrap();
            assert_eq!((joined["seat"].as_u64(), joined["seed"].as_u64()), (Some(seat), Some(seat)));
        }
        assert_eq!(class.join("A", "more".into(), now), Err("The class is full."));
        class.leave("t7", now);
        let late = class.join("Late", "late".into(), now).unwrap();
        assert_eq!((late["seat"].as_u64(), late["pupils"].as_u64()), (Some(61), Some(60)));
        // The seat of one that left is not given away, and it may come back to a full class.
        assert!(class.sees("t7", now + ON_ITS_WAY));
        assert!(!class.sees("nobody", now));
        class.leave("t8", now);
        class.leave("late", now);
        for i in 0..MAX_KEPT_PUPILS {
            _ = class.join("B", format!("n{i}"), now);
            class.leave(&format!("n{i}"), now);
        }
        assert_eq!(class.pupils.len(), MAX_KEPT_PUPILS);
    }

    #[test]
    fn one_that_leaves_stays_in_the_table_and_a_late_one_sees_where_the_class_is() {
        let (mut class, now) = (class(), Instant::now());
        for (name, value) in [("A", 10.0), ("B", 30.0), ("C", 80.0)] {
            class.join(name, name.into(), now).unwrap();
            class.progress(name, progress(20, &[1.0, value])).unwrap();
        }
        class.leave("B", now);
        assert!(class.sees("B", now), "a request that was on its way undoes nothing");
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
        assert_eq!(
            (&state["pupils"][1]["seed"], &state["pupils"][1]["progress"]["seed"]),
            (&json!(2), &json!(9))
        );
        assert_eq!(class.standing_of("A")["told"], true);
        // With another question the runs go on, and another task is begun without the runs of the last one.
        class.open(Task { link: "control?worlds=16".into(), question: "How?".into() }).unwrap();
        assert_eq!(class.state(later)["pupils"][0]["progress"]["units"], 20);
        // A challenge that was done stays done, also in the next run of the same tab.
        for (units, challenge) in [(30, Some(25)), (5, None)] {
            class.progress("A", Progress { challenge, ..progress(units, &[1.0]) }).unwrap();
        }
        assert_eq!(class.state(later)["pupils"][0]["challenge"], 25);
        class.open(Task { link: "cube".into(), question: String::new() }).unwrap();
        let pupil = &class.state(later)["pupils"][0];
        assert_eq!((&pupil["progress"], &pupil["challenge"]), (&Value::Null, &Value::Null));
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
        assert!(class.progress("A", progress(65, &[1.0; 65])).is_err());
        assert!(class.progress("nobody", progress(0, &[])).is_err());
        let result = |code: &str| ResultCode { code: code.into() };
        assert!(class.result("A", result("LC1.00000000.AA")).is_ok());
        assert!(class.result("A", result("<b>")).is_err());
        let answer = |question: &str, text: &str| Answer { question: question.into(), text: text.into() };
        assert!(class.answer("A", answer("Why?", "So.")).is_ok());
        assert!(class.answer("A", answer("Why?", "Because.")).is_ok());
        assert_eq!(
            class.state(now)["pupils"][0]["answers"],
            json!([{ "question": "Why?", "text": "Because." }])
        );
        assert!(class.answer("A", answer("Why?", "\u{202e}")).is_err());
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
        let ticked = || Measured { checks: vec!["seen".into()], blocks: vec![] };
        let of = |link: &str, answers: Vec<Answer>| LessonAnswers {
            link: link.into(),
            answers,
            measured: ticked(),
        };
        let answer = |question: &str, text: &str| Answer { question: question.into(), text: text.into() };
        let eight = |text: &str| (0..8).map(|i| answer(&format!("{i}?"), text)).collect::<Vec<_>>();
        let mut lesson = |answers: Vec<Answer>| class.hand_in_lesson("A", of("lesson/control", answers));
        assert!(lesson(eight("x")).is_ok());
        assert!(lesson(vec![answer("0?", "x"), answer("0?", "y")]).is_err());
        // The class's own question has a place beside them, and nobody else can hand in for this pupil.
        assert!(class.answer("A", answer("Why?", "So.")).is_ok());
        assert!(class.hand_in_lesson("nobody", of("lesson/control", vec![])).is_err());
        // Nor are the answers of another lesson taken.
        assert!(class.hand_in_lesson("A", of("lesson/cube", vec![answer("0?", "x")])).is_err());
        let standing = class.standing_of("A");
        assert_eq!((&standing["answers"], &standing["measured"]), (&json!(8), &json!(1)));
        let state = class.state(now);
        let pupil = &state["pupils"][0];
        assert_eq!(
            (pupil["lesson"][7]["question"].as_str(), pupil["answers"][0]["text"].as_str()),
            (Some("7?"), Some("So."))
        );
        assert_eq!(pupil["measured"], json!({ "checks": ["seen"], "blocks": [] }));
        class.hand_in_lesson("A", of("lesson/control", vec![answer("0?", "y")])).unwrap();
        assert_eq!(class.state(now)["pupils"][0]["lesson"], json!([{ "question": "0?", "text": "y" }]));
        class.open(task("lesson/cube")).unwrap();
        assert_eq!(class.standing_of("A")["answers"], 0);
        assert_eq!(class.state(now)["pupils"][0]["measured"]["checks"], json!([]));
        // An answer that was on its way when the class went on is not taken for the next lesson.
        assert!(class.hand_in_lesson("A", of("lesson/control", eight("x"))).is_err());
    }
}
