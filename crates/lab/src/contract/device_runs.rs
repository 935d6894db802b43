//! Runs on the GPU: cases of the contract there, and the tests in which a lab compares a run with that of the
//! CPU.

use std::sync::Arc;

use learnery_gpu::{Gpu, Precision};
use serde_json::Value;

use super::Case;
use crate::{Entry, Session, Status};

impl Case {
    /// The same case with all runs on this GPU.
    #[must_use]
    pub fn on_gpu(self, gpu: &Gpu) -> Self {
        let gpu = gpu.clone();
        let place = move |session: &mut Session| session.use_gpu(&gpu, Precision::F32);
        Self { place_on_device: Some(Arc::new(place)), ..self }
    }
}

/// The seed of these runs.
const SEED: u32 = 3;

/// Starts a run on this GPU, or on the CPU.
pub fn start_on(gpu: Option<&Gpu>, lab: Entry, settings: &Value) -> Session {
    let mut session = Session::start(lab, settings, SEED).expect("the settings are valid");
    if let Some(gpu) = gpu {
        session.use_gpu(gpu, Precision::F32).expect("the device can be used");
    }
    session
}

/// Runs until this many units (training iterations) are done.
pub fn run_until(session: &mut Session, units: u64) {
    while session.units() < units {
        assert_eq!(session.advance_unit().status, Status::UnitFinished, "{:?}", session.failure());
    }
}

/// The values of a metric in all units.
pub fn metric_history(session: &Session, name: &str) -> Vec<f64> {
    let metrics = session.entry().about.metrics;
    let index = metrics.iter().position(|spec| spec.name == name).expect("a metric of the lab");
    session.history().columns()[index].clone()
}
