//! `learnery._native.CubeNetwork`: what the network of a cube checkpoint says of a 2x2x2 or a 3x3x3.

use learnery_lab::{Checkpoint as Saved, LabError};
use learnery_labs::cube::large::{Network, network_of, read_state};
use learnery_labs::cube::{PuzzleName, Solver, held_from_stickers, parse, settings_of};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;

/// The network of either puzzle. That of the 2x2x2 comes with its state space.
enum AnyNetwork {
    Small(Box<Solver>),
    Large(Box<Network>),
}

/// The network of a cube checkpoint, for one puzzle.
#[pyclass(frozen, module = "learnery._native")]
pub struct CubeNetwork {
    network: AnyNetwork,
}

/// The input of the network, and its output.
type Inference<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f32>>);

#[pymethods]
impl CubeNetwork {
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<Self> {
        Ok(Self { network: checkpoint.read(py, open)? })
    }

    #[getter]
    fn puzzle(&self) -> &'static str {
        match self.network {
            AnyNetwork::Small(_) => "2x2x2",
            AnyNetwork::Large(..) => "3x3x3",
        }
    }

    /// The network's input for a cube, and its output: a distance, the distances after each turn, or a score
    /// or logit of each turn. If there are `stickers`, `scramble` is not read.
    fn infer<'py>(
        &self,
        py: Python<'py>,
        scramble: &str,
        stickers: Option<&str>,
    ) -> PyResult<Inference<'py>> {
        let (input, output) = match &self.network {
            AnyNetwork::Small(solver) => {
                // How the cube is held does not matter to the network.
                let state = stickers.map_or_else(|| parse(scramble), held_from_stickers);
                let state = state.map_err(value_error)?.state;
                (solver.graph_input(state), solver.graph_output(state))
            }
            AnyNetwork::Large(network) => {
                let puzzle = network.puzzle();
                let state = read_state(puzzle, scramble, stickers).map_err(value_error)?;
                // A state has room for the largest puzzle.
                let input = state[..puzzle.places()].iter().map(|value| i64::from(*value)).collect();
                (input, network.graph_output(&state))
            }
        };
        Ok((PyArray1::from_vec(py, input), PyArray1::from_vec(py, output)))
    }
}

fn open(saved: &Saved) -> Result<AnyNetwork, LabError> {
    Ok(match settings_of(saved)?.puzzle {
        PuzzleName::Two => AnyNetwork::Small(Box::new(Solver::open(saved, None)?)),
        PuzzleName::Three => AnyNetwork::Large(Box::new(network_of(saved)?)),
    })
}
