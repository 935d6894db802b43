//! `learnery._native.CubeNetwork`: solves a 2x2x2 or a 3x3x3 with the network of a cube checkpoint.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use learnery_lab::{Checkpoint as Saved, LabError};
use learnery_labs::cube::large::{Network, SearchPlan, count, network_of, notation, read_state};
use learnery_labs::cube::{
    PuzzleName, Solver, TurnMetric, held_from_stickers, parse, settings_of, shortest_solution,
};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::checkpoint::Checkpoint;
use crate::errors::value_error;
use crate::threads::compute;

/// The network of either puzzle. The solver of the 2x2x2 has buffers.
#[derive(Clone)]
enum AnyNetwork {
    Small(Arc<Mutex<Solver>>),
    Large(Arc<Network>, TurnMetric),
}

/// A network that solves cubes.
#[pyclass(frozen, module = "learnery._native")]
pub struct CubeNetwork {
    network: AnyNetwork,
}

/// A solution: its notation, its turns, and the turns of a shortest one, which is known for the 2x2x2 only.
type Solution = (String, usize, Option<usize>);

/// The input of the network, and its output.
type Inference<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f32>>);

#[pymethods]
impl CubeNetwork {
    /// `metric`, what counts as one turn, is `quarter` or `half`, or as in training.
    #[new]
    fn new(py: Python<'_>, checkpoint: &Checkpoint, metric: Option<&str>) -> PyResult<Self> {
        let metric = match metric {
            None => None,
            Some("quarter") => Some(TurnMetric::Quarter),
            Some("half") => Some(TurnMetric::Half),
            Some(other) => {
                return Err(value_error(format!("there is no metric `{other}`; there are quarter and half")));
            }
        };
        Ok(Self { network: checkpoint.read(py, |saved| open(saved, metric))? })
    }

    #[getter]
    fn puzzle(&self) -> &'static str {
        match self.network {
            AnyNetwork::Small(_) => "2x2x2",
            AnyNetwork::Large(..) => "3x3x3",
        }
    }

    /// The input of the network for what a scramble leads to or what stickers show, and what the network says
    /// of it.
    fn infer<'py>(
        &self,
        py: Python<'py>,
        scramble: &str,
        stickers: Option<&str>,
    ) -> PyResult<Inference<'py>> {
        let (input, output) = match &self.network {
            AnyNetwork::Small(solver) => {
                let state = stickers.map_or_else(|| parse(scramble), held_from_stickers);
                let state = state.map_err(value_error)?.state;
                let solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
                (solver.graph_input(state), solver.graph_output(state))
            }
            AnyNetwork::Large(network, _) => {
                let puzzle = network.puzzle();
                let state = read_state(puzzle, scramble, stickers).map_err(value_error)?;
                let input = state[..puzzle.places()].iter().map(|value| i64::from(*value)).collect();
                (input, network.graph_output(&state))
            }
        };
        Ok((PyArray1::from_vec(py, input), PyArray1::from_vec(py, output)))
    }

    /// Solves what a scramble leads to, or what stickers show: with a beam of a width or for some seconds.
    fn solve(
        &self,
        py: Python<'_>,
        scramble: String,
        stickers: Option<String>,
        beam: Option<usize>,
        seconds: Option<f64>,
    ) -> PyResult<Option<Solution>> {
        let network = self.network.clone();
        let solved = compute(py, move |stop| match &network {
            AnyNetwork::Small(solver) => {
                let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
                solve_small(&mut solver, &scramble, stickers.as_deref(), beam)
            }
            AnyNetwork::Large(network, metric) => {
                let plan = match seconds {
                    Some(_) => {
                        SearchPlan::widening(network, beam.unwrap_or(SearchPlan::FIRST_WIDTH), *metric)
                    }
                    None => SearchPlan::fixed(network, beam.unwrap_or(SearchPlan::FIRST_WIDTH), *metric),
                };
                let start = read_state(network.puzzle(), &scramble, stickers.as_deref())?;
                let begin = Instant::now();
                let mut search = plan.begin(network, &start);
                let is_late = || seconds.is_some_and(|seconds| begin.elapsed().as_secs_f64() >= seconds);
                while !search.is_done() && !is_late() && !stop.is_requested() {
                    search.step(network);
                }
                let puzzle = network.puzzle();
                Ok(search
                    .best()
                    .map(|best| (notation(puzzle, best, *metric), count(puzzle, best, *metric), None)))
            }
        })?;
        solved.map_err(value_error)
    }
}

fn open(saved: &Saved, metric: Option<TurnMetric>) -> Result<AnyNetwork, LabError> {
    if settings_of(saved)?.puzzle == PuzzleName::Three {
        let network = Arc::new(network_of(saved)?);
        return Ok(AnyNetwork::Large(network, metric.unwrap_or(TurnMetric::Quarter)));
    }
    Ok(AnyNetwork::Small(Arc::new(Mutex::new(Solver::open(saved, metric)?))))
}

/// Solves a 2x2x2 greedily, or with a beam.
fn solve_small(
    solver: &mut Solver,
    scramble: &str,
    stickers: Option<&str>,
    beam: Option<usize>,
) -> Result<Option<Solution>, String> {
    // The cube with its orientation in the user's hand, in which the turns of the solution are named.
    let held = stickers.map_or_else(|| parse(scramble), held_from_stickers)?;
    let least = shortest_solution(held.state, solver.metric()).len();
    let found = solver.solve(held.state, beam);
    Ok(found.map(|turns| {
        let names: Vec<String> = turns.iter().map(|turn| held.name(*turn)).collect();
        (names.join(" "), turns.len(), Some(least))
    }))
}
