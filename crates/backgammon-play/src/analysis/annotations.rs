//! The match as a `.mat` file with comments on errors and on lucky and unlucky rolls. Programs that read such
//! files skip comments.

use learnery_match_files::{Choice, Decision, write_mat};

use super::MatchAnalysis;
use super::judgement::{Judged, Judgement};
use super::ratings::{LuckClass, Severity};
use super::report::Amounts;

/// A smaller error gets no comment.
const MIN_COMMENTED_ERROR: f64 = 0.0005;

impl MatchAnalysis {
    /// The text of an annotated file.
    pub fn mat(&self) -> String {
        let comment = |decision: &Decision<'_>| {
            let judgement = self.judgement_of(decision)?;
            let mut parts: Vec<String> = Vec::new();
            let error = judgement.error();
            if error.equity > MIN_COMMENTED_ERROR {
                let amounts = Amounts { is_percent: self.match_length().is_some() };
                let severity =
                    Severity::of(error.equity).map_or_else(String::new, |s| format!("{}, ", s.words()));
                parts.push(format!("{severity}error {}: {}", amounts.total(error), judgement.words()));
            }
            let luck = judgement.luck().map_or(0.0, |luck| luck.equity);
            let class = LuckClass::of(luck);
            if class != LuckClass::Neither {
                parts.push(format!("{} roll, {luck:+.3}", class.words()));
            }
            (!parts.is_empty()).then(|| parts.join("; "))
        };
        let mut text = format!("; Analysed by Learnery. {}.\n", self.heading());
        for (name, statistics) in self.record.players().iter().zip(&self.statistics().players) {
            text += &statistics.report().comment(name);
        }
        text + &write_mat(&self.record, Some(&comment))
    }

    /// The judgement of a decision of the record, if it is judged.
    fn judgement_of(&self, decision: &Decision<'_>) -> Option<&Judgement> {
        let is_same_decision = |judgement: &&Judgement| {
            (judgement.game, judgement.entry) == (decision.game, decision.entry)
                && is_about(judgement, &decision.choice)
        };
        let first = self.judgements.partition_point(|j| (j.game, j.entry) < (decision.game, decision.entry));
        // An entry has at most two judgements: of the cube decision before a roll, and of the roll.
        self.judgements[first..].iter().take(2).find(is_same_decision)
    }
}

/// Whether a judgement of the same entry is about this choice: a cube decision and the roll after it share an
/// entry.
fn is_about(judgement: &Judgement, choice: &Choice<'_>) -> bool {
    let is_cube = |judged: &Judged| matches!(judged, Judged::Cube(_));
    is_cube(&judgement.judged) == matches!(choice, Choice::Cube { .. })
}
