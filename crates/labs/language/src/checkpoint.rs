//! Saves and restores a run. A checkpoint whose counters contradict each other is rejected. Some tensors have
//! old names: `diary` holds the samples of the run, `verdict` the result of the last evaluation, `places` the
//! version of the position encoding.

use learnery_lab::{Checkpoint, Context, LabError, State};
use learnery_nn::Tensors;
use serde_json::json;

use super::config::LanguageConfig;
use super::evaluation::EvaluationResult;
use super::network::Network;
use super::run::Language;
use super::training_data::{TrainingData, split_corpus};

impl Network {
    /// Restores the network of a checkpoint. The checkpoint may contain a network alone.
    pub fn from_checkpoint(checkpoint: &Checkpoint) -> Result<Self, LabError> {
        // Rejects a checkpoint of another lab.
        let config = checkpoint.settings::<Language>()?;
        Self::from_tensors(&config, &checkpoint.tensors.under("network/"))
    }
}

/// Converts an error to one about the user's text in a checkpoint.
fn damaged_text(error: LabError) -> LabError {
    LabError::Checkpoint(format!("its text cannot be used: {error}"))
}

/// Rejects counters with fewer updates than units, because every unit makes at least one update.
fn check_units(units: u64, updates: u64) -> Result<(), LabError> {
    if units <= updates {
        return Ok(());
    }
    Err(LabError::Checkpoint(format!(
        "its counters contradict each other: {units} iterations, but only {updates} `updates`"
    )))
}

impl Language {
    /// Saves the run. Must be called between two units.
    pub(crate) fn to_state(&self) -> State {
        let mut tensors = Tensors::new();
        tensors.absorb("network/", self.network.to_tensors());
        tensors.absorb("learner/", self.learner.to_tensors());
        tensors.absorb("diary/", self.samples.to_tensors());
        // Both are empty without a text of the user's own, see `saved_data`.
        let (name, text) = self.data.name_and_text().unwrap_or_default();
        tensors.insert("text/name", &[name.len()], name.as_bytes());
        tensors.insert("text/bytes", &[text.len()], text.as_bytes());
        let EvaluationResult { bits, excess, exact } = self.evaluation;
        // A tensor cannot hold `None`.
        let or_nan = |value: Option<f64>| value.unwrap_or(f64::NAN);
        tensors.insert("verdict", &[3], &[bits, excess, exact].map(or_nan));
        State { scalars: json!({}), tensors }
    }

    /// Restores what [`Language::to_state`] saved.
    pub(crate) fn from_state(cx: Context<LanguageConfig>, state: &State) -> Result<Self, LabError> {
        let Context { config, seed, unit } = cx;
        let tensors = &state.tensors;
        let network = Network::from_tensors(config, &tensors.under("network/"))?;
        let data = saved_data(config, seed, &network, tensors)?;
        let mut run = Self::assemble(config, seed, network, data);
        run.learner.restore(&tensors.under("learner/"))?;
        check_units(unit, run.learner.updates())?;
        run.samples.restore(&run.network, &tensors.under("diary/"), unit, run.learner.tokens())?;
        let not_nan = |value: f64| (!value.is_nan()).then_some(value);
        let verdict: Vec<f64> = tensors.get("verdict", &[3])?;
        run.evaluation = EvaluationResult {
            bits: not_nan(verdict[0]),
            excess: not_nan(verdict[1]),
            exact: not_nan(verdict[2]),
        };
        Ok(run)
    }

    /// Continues training a network that was trained on `tokens` tokens, from a checkpoint that holds nothing
    /// else of its run. Learning-rate schedule and batches go on from there; the optimiser state is new.
    pub(crate) fn from_network(
        cx: Context<LanguageConfig>,
        network: &Tensors,
        tokens: u64,
    ) -> Result<Self, LabError> {
        let Context { config, seed, unit } = cx;
        let network = Network::from_tensors(config, network)?;
        let data = TrainingData::new(config, seed)?;
        let mut run = Self::assemble(config, seed, network, data);
        run.learner.resume_at(tokens)?;
        check_units(unit, run.learner.updates())?;
        Ok(run)
    }
}

/// The training data of a checkpoint: the user's text if it contains one, otherwise the data for its
/// settings.
fn saved_data(
    config: &LanguageConfig,
    seed: u32,
    network: &Network,
    tensors: &Tensors,
) -> Result<TrainingData, LabError> {
    let name: Vec<u8> = tensors.get_vec("text/name")?;
    let text: Vec<u8> = tensors.get_vec("text/bytes")?;
    if text.is_empty() {
        return TrainingData::new(config, seed);
    }
    if config.source.task().is_some() {
        return Err(LabError::Checkpoint("it holds a text, but its settings ask for a task".into()));
    }
    let name = String::from_utf8_lossy(&name).into_owned();
    let corpus = split_corpus(&name, &text).map_err(damaged_text)?;
    let length = network.net.shape().context;
    TrainingData::own_text(&name, corpus, &network.tokenizer, length, seed).map_err(damaged_text)
}

#[cfg(test)]
mod tests {
    use learnery_lab::{Entry, Session, Status};
    use serde_json::Value;

    use super::*;

    /// Settings of a network so small that a unit takes milliseconds.
    fn settings() -> Value {
        json!({
            "size": 3, "width": 8, "layers": 1, "heads": 2, "batch": 5, "updates": 1, "judge_every": 1, "judge_size": 20
        })
    }

    /// A checkpoint after four units of one update each.
    fn trained() -> Checkpoint {
        let mut session = Session::start(Entry::of::<Language>(), &settings(), 0).expect("valid settings");
        for _ in 0..4 {
            session.advance_unit();
        }
        session.save()
    }

    /// The error of a checkpoint that cannot be continued.
    fn refusal(checkpoint: &Checkpoint) -> String {
        let result = Session::resume(Entry::of::<Language>(), checkpoint);
        result.err().expect("the checkpoint is refused").to_string()
    }

    #[test]
    fn checkpoint_with_another_position_encoding_is_refused() {
        let mut checkpoint = trained();
        assert!(Session::resume(Entry::of::<Language>(), &checkpoint).is_ok());
        checkpoint.tensors.insert("network/places", &[1], &[1u8]);
        assert!(refusal(&checkpoint).contains("encodes positions"));
        assert!(Network::from_checkpoint(&checkpoint).is_err());
    }

    #[test]
    fn checkpoint_with_absurd_counters_is_refused_by_name() {
        let good = trained();
        for (name, value, expected) in [
            ("learner/updates", u64::MAX, "updates"),
            ("learner/updates", 5, "contradict"),
            ("learner/tokens", u64::MAX, "contradict"),
            ("learner/tokens", 0, "contradict"),
            ("learner/t", u64::MAX, "optimiser"),
            ("learner/t", 5, "optimiser"),
        ] {
            let mut checkpoint = good.clone();
            checkpoint.tensors.insert(name, &[1], &[value]);
            let sentence = refusal(&checkpoint);
            assert!(sentence.contains(expected) && !sentence.contains('\n'), "{name} = {value}: {sentence}");
        }
        let mut checkpoint = good.clone();
        checkpoint.header.units = 5;
        assert!(refusal(&checkpoint).contains("5 iterations"));

        let mut checkpoint = good.network_only();
        checkpoint.header.work = u64::MAX;
        assert!(refusal(&checkpoint).contains("updates"));
    }

    #[test]
    fn checkpoint_with_impossible_sample_iterations_is_refused() {
        let good = trained();
        let pages: Vec<u64> =
            good.tensors.get("diary/pages", &[4, 3]).expect("samples after 1, 2 and 4 units");
        assert_eq!(pages[..3], [1, 2, 4]);
        // `pages` has four rows of three samples: entries 0 to 2 are the units, 3 to 5 the tokens seen, 6 to
        // 8 the lengths of the prompts, 9 to 11 those of the samples. Units must be increasing powers of two
        // that lie in the past.
        for (index, value) in [(0, 0), (0, 3), (1, 1), (2, 8), (2, u64::MAX), (5, u64::MAX), (9, u64::MAX)] {
            let mut checkpoint = good.clone();
            let mut changed = pages.clone();
            changed[index] = value;
            checkpoint.tensors.insert("diary/pages", &[4, 3], &changed);
            assert!(refusal(&checkpoint).contains("pages"), "entry {index} = {value}");
        }
    }

    #[test]
    fn checkpoint_of_a_task_with_a_text_is_refused() {
        let mut checkpoint = trained();
        checkpoint.tensors.insert("text/bytes", &[4000], &[b'1'; 4000]);
        assert!(refusal(&checkpoint).contains("ask for a task"));
    }

    #[test]
    fn run_resumed_from_a_network_keeps_its_counters_and_continues() {
        let good = trained();
        let mut session =
            Session::resume(Entry::of::<Language>(), &good.network_only()).expect("it continues");
        assert_eq!((session.units(), session.work()), (4, good.header.work));
        assert_eq!(session.advance_unit().status, Status::UnitFinished);
        let saved = session.save();
        assert!(Session::resume(Entry::of::<Language>(), &saved).is_ok());
    }
}
