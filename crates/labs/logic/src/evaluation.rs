//! The evaluation of a checkpoint: a proof with as many initial states as the options say. A proof runs the
//! network with hard gates (each replaced by its most likely kind) and counts wrong cells. Its parts are
//! different tests, such as random initial states and a larger grid.

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
    // The option is called `games` in every lab.
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
    let metrics = proof.parts().iter().map(|part| (part.name, 100.0 * part.fraction_right(), "% right"));
    Ok(Report { summary, metrics: metrics.collect() })
}
