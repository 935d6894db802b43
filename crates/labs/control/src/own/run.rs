//! A run that is given a world, or other values of its parameters.

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, LabError};

use super::{OwnWorld, Parameters};
use crate::collector::Collector;
use crate::config::ControlConfig;
use crate::evaluation::Evaluator;
use crate::network::Network;
use crate::purpose;
use crate::stage::Stage;
use crate::task::Task;
use crate::training::Control;

impl Control {
    /// Learns the world of this text from now on.
    ///
    /// Before the first unit the whole run is made anew. Later, the network stays, so the agent must see and
    /// do as many things as before; the episodes go on where the new rules allow it.
    pub(crate) fn set_world(
        &mut self,
        cx: Context<ControlConfig>,
        name: &str,
        text: &str,
        parameters: &Parameters,
    ) -> Result<(), LabError> {
        let Context { config, seed, .. } = cx;
        let Task::Own(present) = self.network.task().clone() else {
            return Err(LabError::Command(format!(
                "this run learns {}; to learn a world of your own, start a run with the preset `own`",
                self.network.task().title()
            )));
        };
        let own = OwnWorld::new(name, text, parameters).map_err(LabError::Command)?;
        if self.collector.steps_taken() == 0 {
            *self = Self::assemble(cx, Network::new(config, Task::Own(own), seed));
            return Ok(());
        }
        if let Some(reason) = present.mismatch(&own) {
            return Err(LabError::Command(format!(
                "this run cannot go on in the new world: {reason}; start a new run"
            )));
        }
        self.network.set_task(Task::Own(own.clone()));
        let mut collector = Collector::new(config, seed, &self.network);
        collector.go_on(&self.collector, &own, own.has_states_of(&present));
        self.collector = collector;
        let stream = Stream::new(seed, purpose::TRAINING_EVALUATION);
        self.evaluator = Evaluator::new(&self.network, stream, config.eval_episodes as usize);
        if let Stage::Own(stage) = &mut self.stage {
            stage.set_world(&self.network, &own);
        }
        Ok(())
    }
}
