//! `learnery._native.ControlNetwork`: actor and critic of a control checkpoint, for arrays of observations.

use learnery_labs::control::TrainedNetwork;
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::current_pool;

/// Actor and critic. They never change.
#[pyclass(frozen, module = "learnery._native")]
pub struct ControlNetwork {
    network: TrainedNetwork,
}

#[pymethods]
impl ControlNetwork {
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint) -> PyResult<Self> {
        Ok(Self { network: checkpoint.read(py, TrainedNetwork::from_checkpoint)? })
    }

    /// Gymnasium's ID of the world, or the title of a world of the user's own.
    #[getter]
    fn world(&self) -> &str {
        self.network.task().title()
    }

    /// Whether an action is an integer; otherwise it is one or more numbers.
    #[getter]
    fn is_discrete(&self) -> bool {
        self.network.task().is_discrete()
    }

    /// The actor's outputs.
    ///
    /// Shapes: `[rows, inputs] -> [rows, outputs]`.
    fn actor<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = observations.shape()[0];
        let outputs = self.compute(py, &observations, TrainedNetwork::actor)?;
        outputs.reshape([rows, self.network.outputs()])
    }

    /// The critic's values.
    ///
    /// Shapes: `[rows, inputs] -> [rows]`.
    fn critic<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        self.compute(py, &observations, TrainedNetwork::critic)
    }

    /// The most probable actions.
    ///
    /// Shapes: `[rows, inputs] -> [rows, numbers]`.
    fn act<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows = observations.shape()[0];
        let actions = self.compute(py, &observations, TrainedNetwork::act)?;
        actions.reshape([rows, self.network.numbers()])
    }
}

impl ControlNetwork {
    /// Calls `compute` with the observations on the pool, without the GIL, and returns its numbers as one
    /// flat array.
    fn compute<'py>(
        &self,
        py: Python<'py>,
        observations: &PyReadonlyArray2<'py, f32>,
        compute: fn(&TrainedNetwork, &[f32]) -> Vec<f32>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let (width, inputs) = (observations.shape()[1], self.network.inputs());
        if width != inputs {
            return Err(value_error(format!("an observation has {inputs} numbers, not {width}")));
        }
        let observations = observations.as_slice()?;
        let computed =
            py.detach(|| Ok::<_, PyErr>(current_pool()?.install(|| compute(&self.network, observations))))?;
        Ok(PyArray1::from_vec(py, computed))
    }
}
