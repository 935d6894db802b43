//! `learnery._native.BackgammonNetwork`: what a backgammon checkpoint says about positions, plays and cubes.

use std::sync::{Arc, Mutex, PoisonError};

use learnery_backgammon_play::{Oracle, plays as plays_of};
use learnery_lab::LabError;
use learnery_labs::backgammon::networks::TrainedNetwork;
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::{Stop, compute};

/// A network and how far it looks ahead. A position is a line of text.
#[pyclass(frozen, module = "learnery._native")]
pub struct BackgammonNetwork {
    /// Answers questions on the pool's threads, one at a time.
    oracle: Arc<Mutex<Oracle<TrainedNetwork>>>,
    /// The same network once more, because `oracle` owns its own and is locked while it computes. Only
    /// `inputs` uses it.
    network: TrainedNetwork,
}

/// The best play: notation, the position that it leads to, equity, number of plays.
type Best = (String, String, f64, usize);

#[pymethods]
impl BackgammonNetwork {
    /// Looks `plies` plies ahead. Chooses plays by tree search if there are `simulations`.
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint, plies: u8, simulations: Option<u32>) -> PyResult<Self> {
        let (oracle, network) = checkpoint.read(py, |saved| {
            let mut oracle =
                Oracle::new(TrainedNetwork::from_checkpoint(saved)?, plies).map_err(LabError::Evaluation)?;
            if let Some(simulations) = simulations {
                oracle.set_tree_search(simulations).map_err(LabError::Evaluation)?;
            }
            Ok((oracle, TrainedNetwork::from_checkpoint(saved)?))
        })?;
        Ok(Self { oracle: Arc::new(Mutex::new(oracle)), network })
    }

    /// The network that values a position, by its name, and its inputs.
    fn inputs<'py>(
        &self,
        py: Python<'py>,
        position: &str,
    ) -> PyResult<(&'static str, Bound<'py, PyArray1<f32>>)> {
        let (name, inputs) = self.network.inputs(position).map_err(value_error)?;
        Ok((name, PyArray1::from_vec(py, inputs)))
    }

    /// The position as a position ID, the outcome probabilities of the side on roll, and their equity.
    fn value(&self, py: Python<'_>, position: String) -> PyResult<(String, [f32; 5], f32)> {
        let (board, value) = self.ask(py, move |oracle| oracle.value(&position))?;
        Ok((board.position_id(), value.0, value.equity()))
    }

    /// The best play.
    fn best_play(&self, py: Python<'_>, position: String) -> PyResult<Best> {
        let best = self.ask(py, move |oracle| oracle.best_play(&position))?;
        Ok((best.notation(), best.after.position_id(), best.equity, best.plays))
    }

    /// The cube decision of the side on roll, as JSON and as text.
    fn cube(&self, py: Python<'_>, position: String) -> PyResult<(String, String)> {
        let analysis = self.ask(py, move |oracle| oracle.cube(&position))?;
        Ok((analysis.json().to_string(), analysis.text()))
    }
}

impl BackgammonNetwork {
    /// Asks the oracle on the pool, without the GIL. Its errors become `ValueError`s.
    fn ask<R: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Oracle<TrainedNetwork>) -> Result<R, String> + Send + 'static,
    ) -> PyResult<R> {
        let oracle = self.oracle.clone();
        // Its buffers are written anew by each question, so a panic leaves nothing behind.
        let answer = move |_: &Stop| question(&mut oracle.lock().unwrap_or_else(PoisonError::into_inner));
        compute(py, answer)?.map_err(value_error)
    }
}

/// The positions that the plays of a position and dice lead to.
#[pyfunction]
pub fn backgammon_plays(position: &str) -> PyResult<Vec<String>> {
    let list_positions = true;
    let answer = plays_of(position, list_positions).map_err(value_error)?;
    // The position, two dice and the number of plays come first.
    Ok(answer.split(' ').skip(4).map(str::to_owned).collect())
}
