//! The evaluation of a checkpoint: a proof of its network with as many initial states as the options say.

use learnery_kernels::rng::Stream;
use learnery_lab::{Evaluation, LabError, Report};
use learnery_nn::Tensors;

use crate::automaton::Network;
use crate::config::{LogicConfig, LogicEvalOptions};
use crate::proof::Proof;
use crate::purpose;

/// Runs the proof and reports the wrong cells of each of its parts.
pub fn evaluate(
    config: &LogicConfig,
    network: &Tensors,
    evaluation: &Evaluation<LogicEvalOptions>,
) -> Result<Report, LabError> {
    let network = Network::from_tensors(config, network)?;
    let stream = Stream::new(evaluation.seed, purpose::EVALUATION);
    let initial_states = evaluation.options.games as usize;
    let mut proof = Proof::new(&network, config.steps as usize, initial_states, stream);
    while !proof.step(&network, config.fire_rate) {}
    let mut summary = String::from("with hard gates: ");
    for (i, part) in proof.parts().iter().enumerate() {
        summary += if i > 0 { "; " } else { "" };
        summary += part.name;
        match part.wrong {
            0 => summary += " exact",
            wrong => summary += &format!(" {wrong} of {} cells wrong", part.cells),
        }
    }
    let figures = proof.parts().iter().map(|part| (part.name, 100.0 * part.fraction_right(), "% right"));
    Ok(Report { summary, figures: figures.collect() })
}
