//! The messages that the tabs of pupils and the teacher's page send (the bodies of requests to `api.rs`), and
//! checks of them: any machine in the network may send anything, so sizes, numbers and characters are all
//! bounded. `www/class/server.ts` sends them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::text::{MAX_ANSWER, MAX_QUESTION, is_link, is_plain};

/// The most points of a curve.
const MAX_POINTS: usize = 64;
/// The most answers of a pupil to questions of the class, and the most to those of a lesson.
pub const MAX_ANSWERS: usize = 8;
/// The longest link, result code, and name of a metric or a setting, in bytes.
const MAX_LINK: usize = 9_000;
const MAX_CODE: usize = 9_000;
const MAX_METRIC: usize = 64;
// In a lesson (docs/lessons.md), blocks train runs, and checks are ticked by what was measured.
/// The most results of blocks and checks of a lesson that are taken.
const MAX_RESULTS: usize = 30;
const MAX_CHECKS: usize = 40;
/// The most settings and runs of a block.
const MAX_SETTINGS: usize = 8;
const MAX_RUNS: u32 = 20;
/// The longest name of a block or a check of a lesson, in bytes.
const MAX_BLOCK_NAME: usize = 24;
/// The largest magnitude of a value. No metric or setting of a lab is larger.
const MAX_VALUE: f64 = 1e12;

/// A sentence that says why something is refused.
pub type Refused = &'static str;

/// What every pupil does. `link` is that of a run without its seed, or of a lesson. `question` may be empty.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    pub link: String,
    pub question: String,
}

impl Task {
    /// Whether a run with this recipe trains the task. The task's link is then the recipe, perhaps with what
    /// the page hides and a challenge at its end.
    pub fn trains(&self, recipe: &str) -> bool {
        self.link.strip_prefix(recipe).is_some_and(|rest| {
            let part = rest.strip_prefix(['?', '&']).unwrap_or_default();
            rest.is_empty() || ["hide=", "challenge="].iter().any(|name| part.starts_with(name))
        })
    }

    /// Refuses a link or a question that is too long or has characters that are not allowed.
    pub fn check(&self) -> Result<(), Refused> {
        if !is_link(&self.link, MAX_LINK) {
            return Err("The link is not allowed.");
        }
        if !self.question.is_empty() && !is_plain(&self.question, MAX_QUESTION) {
            return Err("The question is not allowed.");
        }
        Ok(())
    }
}

/// How far a run is, as the pupil's tab says.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// The run's link without its seed and without the unit at which it ends.
    pub recipe: String,
    /// The seed at its start. It need not be the pupil's seat, because a pupil may start another run.
    pub seed: u32,
    /// The metric that stands for the run: that of its goal, or without one that of the lab's first chart.
    pub metric: String,
    /// The value of this metric at which the goal is reached; `None` for a run without a goal.
    pub target: Option<f64>,
    /// Units (training iterations) that the run has done.
    pub units: u32,
    /// How the tab rounds (its class of bits): `fused`, `plain` or `gpu`. Only runs that round alike have the
    /// same fingerprint.
    pub bits: String,
    pub curve: Curve,
    /// The unit in which the run has done the challenge of the class; `None` if it has not. The class keeps
    /// it beside the progress (`Pupil::challenge`), so it is not written again here.
    #[serde(default, skip_serializing)]
    pub challenge: Option<u32>,
}

/// The values of the metric after these units, of which there are equally many, in ascending order.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    pub units: Vec<u32>,
    pub values: Vec<f64>,
}

impl Progress {
    /// Refuses progress that no tab sends.
    pub fn check(&self) -> Result<(), Refused> {
        let Self { recipe, seed: _, metric, target, units, bits, curve, challenge } = self;
        let is_ascending = curve.units.windows(2).all(|pair| pair[0] < pair[1]);
        let is_curve = curve.units.len() == curve.values.len()
            && curve.units.len() <= MAX_POINTS
            && curve.units.last().is_none_or(|last| last <= units);
        let is_allowed = is_link(recipe, MAX_LINK)
            && is_link(metric, MAX_METRIC)
            && target.as_ref().is_none_or(is_value)
            && ["fused", "plain", "gpu"].contains(&bits.as_str())
            && challenge.is_none_or(|unit| unit <= *units)
            && is_curve
            && is_ascending
            && curve.values.iter().all(is_value);
        if is_allowed { Ok(()) } else { Err("This progress is not allowed.") }
    }
}

/// The code of a run's result (`www/class/code.ts`).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultCode {
    pub code: String,
}

impl ResultCode {
    /// Refuses what cannot be a code. The teacher's page reads a code and checks what it says.
    pub fn check(&self) -> Result<(), Refused> {
        let is_code = is_link(&self.code, MAX_CODE) && self.code.starts_with("LC1.");
        if is_code { Ok(()) } else { Err("This is no result code.") }
    }
}

/// A pupil's answer to a question of the class or of a lesson.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub question: String,
    pub text: String,
}

impl Answer {
    /// Refuses texts that are too long or that cannot be shown.
    pub fn check(&self) -> Result<(), Refused> {
        let is_allowed = is_plain(&self.question, MAX_QUESTION) && is_plain(&self.text, MAX_ANSWER);
        let refused = "An answer is not allowed: it may have 280 visible characters, and its question 140.";
        if is_allowed { Ok(()) } else { Err(refused) }
    }
}

/// What a pupil hands in of a lesson: answers to the lesson's questions, and what the lesson has measured.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LessonAnswers {
    /// The link of the lesson, as the task has it.
    pub link: String,
    /// At most one answer to each question.
    pub answers: Vec<Answer>,
    #[serde(default)]
    pub measured: Measured,
}

/// What a lesson has measured in a pupil's tab, as the tab says. Blocks and checks are sent by the names that
/// they have in the lesson's text. The teacher's page has the same text, and shows its words for them, none
/// of the pupil's.
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The names of the checks that are ticked.
    pub checks: Vec<String>,
    /// The results of the blocks. A block can have several, each with other settings, the latest one last.
    pub blocks: Vec<BlockResult>,
}

/// The result of a block of a lesson: of one run, or of several with different seeds. Of several, `units` and
/// `value` are medians.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlockResult {
    /// The name of the block in the lesson's text.
    pub block: String,
    pub metric: String,
    /// The number of runs.
    pub runs: u32,
    /// How many of them have reached the goal.
    pub reached: u32,
    /// Units (training iterations) of the longest run.
    pub trained: u32,
    /// Units until the goal; `None` if half of the runs or fewer have reached it.
    pub units: Option<f64>,
    /// The last value of the metric; `None` if it was never measured.
    pub value: Option<f64>,
    /// The settings that the lesson lets pupils change, as far as they are numbers.
    pub settings: BTreeMap<String, f64>,
}

impl Measured {
    /// The number of results: ticked checks, and those of blocks.
    pub fn count(&self) -> usize {
        self.checks.len() + self.blocks.len()
    }

    /// Refuses measurements that no tab sends.
    pub fn check(&self) -> Result<(), Refused> {
        let Self { checks, blocks } = self;
        let mut known = BTreeSet::new();
        let is_repeated = |i: usize, each: &BlockResult| {
            blocks[..i].iter().any(|other| other.block == each.block && other.settings == each.settings)
        };
        let is_allowed = checks.len() <= MAX_CHECKS
            && blocks.len() <= MAX_RESULTS
            && checks.iter().all(|name| is_name(name) && known.insert(name))
            && blocks.iter().enumerate().all(|(i, each)| each.is_allowed() && !is_repeated(i, each));
        if is_allowed { Ok(()) } else { Err("The results of the lesson could not be taken.") }
    }
}

impl BlockResult {
    fn is_allowed(&self) -> bool {
        let Self { block, metric, runs, reached, trained: _, units, value, settings } = self;
        is_name(block)
            && is_link(metric, MAX_METRIC)
            && (1..=MAX_RUNS).contains(runs)
            && reached <= runs
            && units.as_ref().is_none_or(is_value)
            && value.as_ref().is_none_or(is_value)
            && settings.len() <= MAX_SETTINGS
            && settings.iter().all(|(name, value)| is_link(name, MAX_METRIC) && is_value(value))
    }
}

/// Whether this can be a name in a lesson: a letter, then letters, digits and hyphens.
fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= MAX_BLOCK_NAME
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn is_value(value: &f64) -> bool {
    value.is_finite() && value.abs() <= MAX_VALUE
}

impl LessonAnswers {
    /// Refuses answers or measurements that no tab sends.
    pub fn check(&self) -> Result<(), Refused> {
        if self.answers.len() > MAX_ANSWERS {
            return Err("There are too many answers.");
        }
        self.answers.iter().try_for_each(Answer::check)?;
        let mut questions: Vec<&str> = self.answers.iter().map(|answer| answer.question.as_str()).collect();
        questions.sort_unstable();
        if questions.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("A question has two answers.");
        }
        self.measured.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(points: u32) -> Progress {
        let curve = Curve { units: (1..=points).collect(), values: vec![1.0; points as usize] };
        let recipe = "control?worlds=16".into();
        let (metric, bits) = ("score".into(), "fused".into());
        Progress {
            recipe,
            seed: 1,
            metric,
            target: Some(490.0),
            units: points,
            bits,
            curve,
            challenge: Some(points),
        }
    }

    fn answer(question: &str, text: &str) -> Answer {
        Answer { question: question.into(), text: text.into() }
    }

    #[test]
    fn progress_that_no_tab_sends_is_refused() {
        assert!(progress(64).check().is_ok() && progress(0).check().is_ok());
        assert!(progress(65).check().is_err());
        let changes: [fn(&mut Progress); 12] = [
            |p| p.challenge = Some(4),
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
            let mut wrong = progress(3);
            change(&mut wrong);
            assert!(wrong.check().is_err(), "change {i}");
        }
    }

    #[test]
    fn result_code_is_told_from_other_texts() {
        let check = |code: &str| ResultCode { code: code.into() }.check();
        assert!(check("LC1.00000000.AA").is_ok());
        for code in ["", "LC1", "<b>", "LC1.é", &format!("LC1.{}", "A".repeat(MAX_CODE))] {
            assert!(check(code).is_err(), "{code}");
        }
    }

    #[test]
    fn task_has_a_link_and_may_have_a_question() {
        let check =
            |link: &str, question: &str| Task { link: link.into(), question: question.into() }.check();
        assert!(check("lesson/cube", "").is_ok() && check("cube", "Why?").is_ok());
        let task = |link: &str| Task { link: link.into(), question: String::new() };
        assert!(task("cube").trains("cube") && task("cube?challenge=A~x>=1").trains("cube"));
        assert!(task("cube?seed=1&challenge=A").trains("cube?seed=1"));
        assert!(task("cube?hide=rules").trains("cube"));
        assert!(task("cube?seed=1&hide=rules&challenge=A").trains("cube?seed=1"));
        assert!(!task("cube?seed=1").trains("cube") && !task("cube").trains("cube?seed=1"));
        assert!(check("", "").is_err() && check("a b", "").is_err() && check("cube", "\u{7}").is_err());
    }

    #[test]
    fn answers_have_limits_and_a_lesson_has_one_to_each_question() {
        assert!(answer("Why?", "So.").check().is_ok());
        assert!(answer("Why?", &"x".repeat(281)).check().is_err());
        assert!(answer(&"x".repeat(141), "x").check().is_err());
        assert!(answer("Why?", "\u{202e}").check().is_err());
        let check = |answers: Vec<Answer>| {
            LessonAnswers { link: "lesson/cube".into(), answers, measured: Measured::default() }.check()
        };
        let many = |count: usize| (0..count).map(|i| answer(&format!("{i}?"), "x")).collect::<Vec<_>>();
        assert!(check(many(MAX_ANSWERS)).is_ok() && check(vec![]).is_ok());
        assert!(check(many(MAX_ANSWERS + 1)).is_err());
        assert!(check(vec![answer("0?", "x"), answer("1?", "x"), answer("0?", "y")]).is_err());
        assert!(check(vec![answer("0?", "")]).is_err());
    }

    fn block(name: &str) -> BlockResult {
        BlockResult {
            block: name.into(),
            metric: "evalReturn".into(),
            runs: 10,
            reached: 3,
            trained: 40,
            units: None,
            value: Some(9.4),
            settings: BTreeMap::from([("learning_rate".into(), 0.03)]),
        }
    }

    #[test]
    fn results_of_a_lesson_that_no_tab_sends_are_refused() {
        let many = |count: usize| (0..count).map(|i| format!("a{i}")).collect::<Vec<_>>();
        let measured = |checks: usize, blocks: usize| Measured {
            checks: many(checks),
            blocks: many(blocks).iter().map(|name| block(name)).collect(),
        };
        assert!(measured(0, 0).check().is_ok() && measured(MAX_CHECKS, MAX_RESULTS).check().is_ok());
        assert!(
            measured(MAX_CHECKS + 1, 0).check().is_err() && measured(0, MAX_RESULTS + 1).check().is_err()
        );
        // A block has a result for each choice of its settings.
        let mut tries = measured(0, 2);
        tries.blocks[1].block = tries.blocks[0].block.clone();
        assert!(tries.check().is_err());
        tries.blocks[1].settings.insert("learning_rate".into(), 0.1);
        assert!(tries.check().is_ok());
        let changes: [fn(&mut Measured); 15] = [
            |m| m.checks[0] = m.checks[1].clone(),
            |m| m.checks[0].clear(),
            |m| m.checks[0] = "<b>".into(),
            |m| m.checks[0] = "A".into(),
            |m| m.checks[0] = "a".repeat(25),
            |m| m.blocks[0].block = m.blocks[1].block.clone(),
            |m| m.blocks[0].block = "1a".into(),
            |m| m.blocks[0].metric = "a b".into(),
            |m| m.blocks[0].runs = 0,
            |m| m.blocks[0].runs = 21,
            |m| m.blocks[0].reached = 11,
            |m| m.blocks[0].units = Some(f64::NAN),
            |m| m.blocks[0].value = Some(1e13),
            |m| _ = m.blocks[0].settings.insert("\u{202e}".into(), 1.0),
            |m| m.blocks[0].settings.extend((0..8).map(|i| (format!("s{i}"), 1.0))),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut wrong = measured(2, 2);
            change(&mut wrong);
            assert!(wrong.check().is_err(), "change {i}");
        }
    }
}
