//! A learned circuit written down for others: as Verilog, C, WGSL or JSON. Each text says where it came from and what its
//! numbers mean, and needs nothing else to be used.

mod c;
mod json;
#[cfg(test)]
mod tests;
mod verilog;
mod wgsl;

use learnery_lab::{Checkpoint, LabError};
use serde::{Deserialize, Serialize};

use super::drawing::LogicExport;
use super::experiment::{Experiment, Setup};
use super::hard::Gate;
use super::netlist::Netlist;
use super::network::Network;
use super::prune::prune;
use super::wiring::NEIGHBOURHOOD;

/// A language to write circuits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicFormat"))]
pub enum Format {
    /// A module for a cell and one for a grid.
    Verilog,
    /// The netlist.
    Json,
    /// A compute shader that steps 32 grids at once.
    Wgsl,
    /// A program that steps a grid.
    C,
}

impl Format {
    /// What files in it are called.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Verilog => "v",
            Self::Json => "json",
            Self::Wgsl => "wgsl",
            Self::C => "c",
        }
    }
}

/// Where a circuit came from.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// What it grows.
    pub experiment: Experiment,
    /// The seed of its run.
    pub seed: u32,
    /// Epochs that it learned.
    pub epochs: u64,
    /// How often its cells act.
    pub fire_rate: f64,
    /// Gates of a cell before any pruning.
    pub before: usize,
}

impl Origin {
    fn setup(&self) -> Setup {
        self.experiment.setup()
    }

    fn name(&self) -> &'static str {
        match self.experiment {
            Experiment::Life => "life",
            Experiment::Checkerboard => "checkerboard",
            Experiment::Async => "async",
            Experiment::Figure => "figure",
            Experiment::Letter => "letter",
        }
    }

    /// What every text begins with, line by line.
    fn lines(&self, netlist: &Netlist) -> Vec<String> {
        let Self { seed, epochs, before, .. } = self;
        let (setup, gates) = (self.setup(), netlist.gates.len());
        let deep = netlist.levels().into_iter().max().unwrap_or(0);
        let edges = if setup.periodic { "meet" } else { "end: what is beyond them is 0" };
        let mut lines = vec![
            "What one cell of a cellular automaton computes, learned with Learnery.".to_owned(),
            format!("Experiment {}, seed {seed}, {epochs} epochs.", self.name()),
            format!(
                "{gates} gates of {before}, {deep} deep. {} channels; the first {} shown.",
                netlist.channels, setup.shown
            ),
            format!("It learned on a grid of {0} by {0} cells, whose edges {edges}.", setup.size),
        ];
        if self.fire_rate < 1.0 {
            lines.push(format!(
                "In a step a cell acts with probability {}, and else stays as it is.",
                self.fire_rate
            ));
        }
        lines
    }
}

/// The circuit in a language.
pub fn export(netlist: &Netlist, origin: &Origin, format: Format) -> String {
    match format {
        Format::Verilog => verilog::verilog(netlist, origin),
        Format::Json => json::json(netlist, origin),
        Format::Wgsl => wgsl::wgsl(netlist, origin),
        Format::C => c::c(netlist, origin),
    }
}

/// The circuit of a checkpoint, which may be a network alone, in a language; with all its gates where they are asked for.
pub fn of_checkpoint(checkpoint: &Checkpoint, full: bool, format: Format) -> Result<LogicExport, LabError> {
    let (config, network) = Network::of(checkpoint)?;
    let size = config.experiment.setup().size;
    // The lab counts cells that took a step.
    let each = u64::from(config.batch) * u64::from(config.steps) * (size * size) as u64;
    let (seed, epochs) = (checkpoint.header.seed, checkpoint.header.work / each);
    Ok(of_network(&network, seed, epochs, config.fire_rate, full, format))
}

/// The circuit of a network in a language.
pub fn of_network(
    network: &Network,
    seed: u32,
    epochs: u64,
    fire_rate: f64,
    full: bool,
    format: Format,
) -> LogicExport {
    let whole = Netlist::of(&network.brain, &network.logits);
    let origin =
        Origin { experiment: network.experiment, seed, epochs, fire_rate, before: whole.gates.len() };
    let netlist = if full { whole } else { prune(&whole) };
    LogicExport { name: file_name(&origin, format), text: export(&netlist, &origin, format) }
}

/// What to call the file.
pub fn file_name(origin: &Origin, format: Format) -> String {
    format!("{}-{}.{}", origin.name(), origin.seed, format.extension())
}

/// The places of a neighbourhood in reading order.
const PLACES: [&str; NEIGHBOURHOOD] = ["nw", "n", "ne", "w", "own", "e", "sw", "s", "se"];

/// What a wire is called in all languages.
fn name(netlist: &Netlist, wire: u32) -> String {
    let wire = wire as usize;
    match wire.checked_sub(netlist.inputs()) {
        None => format!("c{}_{}", wire / NEIGHBOURHOOD, PLACES[wire % NEIGHBOURHOOD]),
        Some(gate) => format!("g{gate}"),
    }
}

/// The wires of the neighbourhood that anything reads.
fn inputs(netlist: &Netlist) -> impl Iterator<Item = u32> {
    let read = netlist.read();
    (0..netlist.inputs() as u32).filter(move |wire| read[*wire as usize])
}

/// A gate's value, in operators that Verilog, C and WGSL have in common, and never two of them without brackets.
fn value(netlist: &Netlist, gate: &Gate, [zero, ones]: [&str; 2]) -> String {
    let [a, b] = gate.inputs.map(|wire| name(netlist, wire));
    match gate.kind {
        0 => zero.to_owned(),
        1 => format!("{a} & {b}"),
        2 => format!("{a} & ~{b}"),
        3 => a,
        4 => format!("~{a} & {b}"),
        5 => b,
        6 => format!("{a} ^ {b}"),
        7 => format!("{a} | {b}"),
        8 => format!("~({a} | {b})"),
        9 => format!("~({a} ^ {b})"),
        10 => format!("~{b}"),
        11 => format!("{a} | ~{b}"),
        12 => format!("~{a}"),
        13 => format!("~{a} | {b}"),
        14 => format!("~({a} & {b})"),
        _ => ones.to_owned(),
    }
}

/// A text with `lines` in front, each behind `comment`.
fn begin(comment: &str, lines: &[String]) -> String {
    lines.iter().map(|line| format!("{comment} {line}\n")).collect()
}
