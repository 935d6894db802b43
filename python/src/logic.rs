//! `learnery._native.Circuit`: the hard circuit of a logic checkpoint, in which each gate is its most likely
//! kind. It steps grids of cells.

use std::sync::Arc;

use learnery_labs::logic::{DecidedCircuit, Gate, HardAutomaton};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyArray4, PyReadonlyArray3, PyReadonlyArray4};
use pyo3::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::compute;

/// The circuit of one cell. It never changes.
#[pyclass(frozen, module = "learnery._native")]
pub struct Circuit {
    circuit: Arc<DecidedCircuit>,
}

#[pymethods]
impl Circuit {
    /// The circuit pruned, or with all of its gates if `full`.
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint, full: bool) -> PyResult<Self> {
        let circuit = checkpoint.read(py, |saved| DecidedCircuit::of_checkpoint(saved, full))?;
        Ok(Self { circuit: Arc::new(circuit) })
    }

    #[getter]
    fn experiment(&self) -> &'static str {
        self.circuit.experiment.name()
    }

    /// Width and height of the training grid.
    #[getter]
    fn size(&self) -> usize {
        self.circuit.experiment.setup().size
    }

    #[getter]
    fn periodic(&self) -> bool {
        self.circuit.experiment.setup().periodic
    }

    #[getter]
    fn channels(&self) -> usize {
        self.circuit.netlist.channels
    }

    #[getter]
    fn shown(&self) -> usize {
        self.circuit.experiment.setup().shown
    }

    #[getter]
    fn fire_rate(&self) -> f64 {
        self.circuit.fire_rate
    }

    /// The gates: kind and the two wires that each reads.
    ///
    /// Shape: `[gates, 3]`.
    fn gates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let gates = &self.circuit.netlist.gates;
        let number = |gate: &Gate| {
            let [a, b] = gate.inputs.map(i64::from);
            [i64::from(gate.kind.number()), a, b]
        };
        PyArray1::from_vec(py, gates.iter().flat_map(number).collect()).reshape([gates.len(), 3])
    }

    /// The wire of each channel's next value.
    ///
    /// Shape: `[channels]`.
    fn outputs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let outputs = self.circuit.netlist.outputs.iter().copied().map(i64::from);
        PyArray1::from_vec(py, outputs.collect())
    }

    /// Runs some steps. In each, only the cells change that `active` names, if there is one.
    ///
    /// Shapes: `states [grids, height, width, channels], active [grids, height, width] -> as states`.
    fn run<'py>(
        &self,
        py: Python<'py>,
        states: PyReadonlyArray4<'py, bool>,
        steps: u32,
        active: Option<PyReadonlyArray3<'py, bool>>,
        periodic: bool,
    ) -> PyResult<Bound<'py, PyArray4<bool>>> {
        let shape = states.shape();
        let &[grids, height, width, channels] = shape else {
            return Err(value_error(format!("states have four axes, not the shape {shape:?}")));
        };
        if channels != self.channels() || states.len() == 0 {
            let expected = self.channels();
            return Err(value_error(format!(
                "states need the shape [grids, height, width, {expected}] with at least one cell, not {shape:?}"
            )));
        }
        if let Some(active) = active.as_ref().filter(|active| active.shape() != &shape[..3]) {
            let (active, expected) = (active.shape(), &shape[..3]);
            return Err(value_error(format!("active needs the shape {expected:?}, not {active:?}")));
        }
        let states = states.as_slice()?.to_vec();
        let active = active.map(|active| active.as_slice().map(<[bool]>::to_vec)).transpose()?;
        let circuit = self.circuit.clone();
        let next = compute(py, move |stop| {
            let active = active.as_deref();
            let mut automaton = HardAutomaton::new(circuit.netlist.clone(), [width, height], periodic, grids);
            write_states(&mut automaton, &states, channels);
            for _ in 0..steps {
                if stop.is_requested() {
                    break;
                }
                automaton.step(active);
            }
            read_states(&automaton, states.len(), channels)
        })?;
        PyArray1::from_vec(py, next).reshape([grids, height, width, channels])
    }
}

/// Sets the cells of all grids.
///
/// Shapes: `states [grids, height, width, channels]`.
fn write_states(automaton: &mut HardAutomaton, states: &[bool], channels: usize) {
    for channel in 0..channels {
        automaton.set_channel(channel, states.iter().skip(channel).step_by(channels).copied());
    }
}

/// The cells of all grids.
///
/// Shape of the result: `[grids, height, width, channels]`.
fn read_states(automaton: &HardAutomaton, length: usize, channels: usize) -> Vec<bool> {
    let mut states = vec![false; length];
    for channel in 0..channels {
        let cells = states.iter_mut().skip(channel).step_by(channels);
        cells.zip(automaton.channel(channel)).for_each(|(cell, value)| *cell = value);
    }
    states
}
