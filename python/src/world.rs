//! `learnery._native.World`: the rules of a world, built-in or from a text.

use learnery_world_rules::Severity;
use pyo3::prelude::*;
use serde_json::json;

use crate::errors::value_error;
use crate::rules::{ActionShape, Rules};

/// The rules of a world. They never change.
#[pyclass(frozen, module = "learnery._native")]
pub struct World {
    pub rules: Rules,
}

#[pymethods]
impl World {
    /// The built-in world with Gymnasium's ID.
    #[staticmethod]
    fn built_in(id: &str) -> PyResult<Self> {
        Ok(Self { rules: Rules::built_in(id).map_err(value_error)? })
    }

    /// The world of a text. The error lists everything that is wrong with it.
    #[staticmethod]
    fn compile(py: Python<'_>, text: &str) -> PyResult<Self> {
        Ok(Self { rules: py.detach(|| Rules::compile(text)).map_err(value_error)? })
    }

    /// What the rules say about the world, as JSON.
    fn describe(&self) -> String {
        let spec = self.rules.world.spec();
        let parameters = spec.parameters.iter().map(|parameter| {
            let (name, value) = (&parameter.name, parameter.value);
            json!({ "name": name, "value": value, "low": parameter.low, "high": parameter.high })
        });
        let choices = match self.rules.actions() {
            ActionShape::Choice(choices) => Some(choices),
            ActionShape::Numbers(_) => None,
        };
        let bounds = (0..spec.actions.count()).map(|i| <[f32; 2]>::from(spec.actions.bounds(i)));
        let warnings = self.rules.world.warnings().iter();
        let warnings = warnings.filter(|warning| warning.severity == Severity::Warning);
        json!({
            "title": spec.title,
            "about": spec.about,
            "parameters": parameters.collect::<Vec<_>>(),
            "observations": spec.observations.iter().map(|seen| &seen.name).collect::<Vec<_>>(),
            "choices": choices,
            "bounds": bounds.collect::<Vec<_>>(),
            "limit": spec.limit,
            "solved": spec.solved,
            "seconds_per_step": spec.seconds_per_step,
            "warnings": warnings.map(|each| format!("line {}: {}", each.line, each.message)).collect::<Vec<_>>(),
        })
        .to_string()
    }
}
