//! The tool `export`: writes the hard circuit of a cell (every gate its most likely kind) as Verilog, C, WGSL
//! or JSON.

use learnery_lab::{LabError, NamedText, Source, Tool, ToolAbout, ToolProgress, ToolStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::automaton::Network;
use crate::export::{Format, LogicExport, export};
use crate::lab::Logic;

/// What to write.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicExportInput"))]
pub struct ExportInput {
    /// The language.
    pub format: Format,
    /// All gates, also those that can be left out.
    pub full: bool,
}

/// An export that has begun.
pub struct Export {
    source: Source<Logic>,
    network: Network,
    input: ExportInput,
}

impl Tool for Export {
    const ABOUT: ToolAbout = ToolAbout {
        id: "export",
        title: "Export",
        help: "Writes the learned circuit of one cell as Verilog, C, WGSL or JSON.",
        counts: "files",
        in_tab: true,
    };
    type Lab = Logic;
    type Input = ExportInput;
    const INPUT: &'static str = include_str!("export.json");
    type Event = ();
    type Output = LogicExport;

    fn begin(source: Source<Logic>, input: ExportInput, _: Option<NamedText>) -> Result<Self, LabError> {
        let network = Network::from_tensors(&source.config, &source.network)?;
        Ok(Self { source, network, input })
    }

    fn step(&mut self, _: &mut dyn FnMut(())) -> Result<ToolStatus<LogicExport>, LabError> {
        let Source { config, seed, work, .. } = &self.source;
        let size = config.experiment.setup().size;
        // The work of this lab is counted in steps of single cells.
        let work_per_epoch = u64::from(config.batch) * u64::from(config.steps) * size as u64 * size as u64;
        let (epochs, rate) = (work / work_per_epoch, config.fire_rate);
        let ExportInput { format, full } = self.input;
        Ok(ToolStatus::Done(export(&self.network, *seed, epochs, rate, full, format)))
    }

    fn progress(&self) -> ToolProgress {
        // The export is a single step, so nobody sees it half done.
        ToolProgress { share: 0.0, count: 0 }
    }
}
