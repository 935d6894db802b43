//! What happens when a run is given another world of the user's own, or other values of its parameters.

use learnery_kernels::rng::Stream;
use learnery_lab::{Context, DeviceWait, Lab, LabError, Status};

use super::{OwnWorld, Parameters};
use crate::collector::Collector;
use crate::config::ControlConfig;
use crate::evaluation::Evaluator;
use crate::network::Network;
use crate::purpose;
use crate::stage::Stage;
use crate::task::Task;
use crate::training::{Control, MoveToDevice};

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
            let mut run = Self::assemble(cx, Network::new(config, Task::Own(own), seed));
            run.go_to_device(cx, self.move_there.clone())?;
            *self = run;
            return Ok(());
        }
        if let Some(reason) = present.mismatch(&own) {
            return Err(LabError::Command(format!(
                "this run cannot go on in the new world: {reason}; start a new run"
            )));
        }
        self.fetch_from_device(cx)?;
        self.fault_sentence = None;
        self.network.set_task(Task::Own(own.clone()));
        let mut collector = Collector::new(config, seed, &self.network);
        collector.go_on(&self.collector, &own, own.has_states_of(&present));
        let before = std::mem::replace(&mut self.collector, collector);
        if let Err(error) = self.go_to_device(cx, self.move_there.clone()) {
            // The device still has the run in the old world.
            self.network.set_task(Task::Own(present));
            self.collector = before;
            return Err(error);
        }
        drop(before);
        let stream = Stream::new(seed, purpose::TRAINING_EVALUATION);
        self.evaluator = Evaluator::new(&self.network, stream, config.eval_episodes as usize);
        if let Stage::Own(stage) = &mut self.stage {
            stage.set_world(&self.network, &own);
        }
        Ok(())
    }

    /// Fetches the whole run from the GPU, if it computes there.
    fn fetch_from_device(&mut self, cx: Context<ControlConfig>) -> Result<(), LabError> {
        let mut wait = DeviceWait::default();
        loop {
            match self.fetch_state(cx) {
                Status::Ready => return Ok(()),
                Status::Failed => return Err(LabError::Device(self.failure().unwrap_or_default())),
                _ => {}
            }
            // A browser must not block. Its worker has prepared a save, so nothing is left to fetch.
            if !wait.pause() {
                return Err(LabError::Device("the GPU is not ready".into()));
            }
        }
    }

    /// Continues on the GPU to which `move_there` moves runs, if there is one. Where the GPU compiles the
    /// rules in the background, the run is on no device from now on, until `Lab::use_gpu` moves it there
    /// again.
    fn go_to_device(
        &mut self,
        cx: Context<ControlConfig>,
        move_there: Option<MoveToDevice>,
    ) -> Result<(), LabError> {
        let Some(move_there) = move_there else { return Ok(()) };
        self.device = match move_there(cx.config, self) {
            Err(LabError::Compiling) => None,
            started => Some(started?),
        };
        self.move_there = Some(move_there);
        Ok(())
    }
}
