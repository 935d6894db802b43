//! Exports the circuit of a cell as Verilog, C, WGSL or JSON. The circuit is hard: every gate is its most
//! likely kind. Every exported file is self-contained: it names the run that the circuit comes from and
//! explains its own format.

mod c;
mod json;
#[cfg(test)]
mod tests;
mod verilog;
mod wgsl;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::automaton::Network;
use crate::circuit::{Gate, GateKind, NEIGHBOURHOOD, Netlist, prune};
use crate::experiment::{Experiment, Setup};

/// A language to export circuits in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS), ts(rename = "LogicFormat"))]
pub enum Format {
    /// A module for a cell and one for a grid.
    #[default]
    Verilog,
    /// The netlist.
    Json,
    /// A compute shader that steps 32 grids at once.
    Wgsl,
    /// A program that steps a grid.
    C,
}

impl Format {
    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Verilog => "v",
            Self::Json => "json",
            Self::Wgsl => "wgsl",
            Self::C => "c",
        }
    }
}

/// An exported file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
pub struct LogicExport {
    /// A name for the file.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Where a circuit came from.
#[derive(Clone, Copy, Debug)]
struct Origin {
    experiment: Experiment,
    /// The seed of its run.
    seed: u32,
    /// Epochs it was trained for.
    epochs: u64,
    /// The probability that a cell updates in a step.
    fire_rate: f64,
    /// Number of gates of a cell before pruning (the removal of gates that do not matter).
    gates_before: usize,
}

impl Origin {
    fn setup(&self) -> Setup {
        self.experiment.setup()
    }

    /// The description that every file begins with, line by line.
    fn lines(&self, netlist: &Netlist) -> Vec<String> {
        let Self { seed, epochs, gates_before, .. } = self;
        let (setup, gates) = (self.setup(), netlist.gates.len());
        let depth = netlist.depths().into_iter().max().unwrap_or(0);
        let edges = if setup.periodic { "edges wrap around" } else { "beyond the edges all cells are 0" };
        let mut lines = vec![
            "The circuit of one cell of a cellular automaton, learned with Learnery.".to_owned(),
            format!("Experiment {}, seed {seed}, {epochs} epochs.", self.experiment.name()),
            format!("{gates} of {gates_before} gates, logic depth {depth}."),
            format!("{} channels, of which the first {} are shown.", netlist.channels, setup.shown),
            format!("Trained on a grid of {0} by {0} cells; {edges}.", setup.size),
        ];
        if self.fire_rate < 1.0 {
            let rate = self.fire_rate;
            lines.push(format!(
                "In each step a cell updates with probability {rate}, or else keeps its state."
            ));
        }
        lines
    }
}

/// The content of the exported file.
fn export_text(netlist: &Netlist, origin: &Origin, format: Format) -> String {
    match format {
        Format::Verilog => verilog::to_verilog(netlist, origin),
        Format::Json => json::to_json(netlist, origin),
        Format::Wgsl => wgsl::to_wgsl(netlist, origin),
        Format::C => c::to_c(netlist, origin),
    }
}

/// Exports the hard circuit of a network: pruned, or with all gates if `full`. `seed`, `epochs` and
/// `fire_rate` are those of the run, which the file names.
pub fn export(
    network: &Network,
    seed: u32,
    epochs: u64,
    fire_rate: f64,
    full: bool,
    format: Format,
) -> LogicExport {
    let whole = network.netlist();
    let gates_before = whole.gates.len();
    let origin = Origin { experiment: network.experiment, seed, epochs, fire_rate, gates_before };
    let netlist = if full { whole } else { prune(&whole) };
    LogicExport { name: file_name(&origin, format), text: export_text(&netlist, &origin, format) }
}

fn file_name(origin: &Origin, format: Format) -> String {
    format!("{}-{}.{}", origin.experiment.name(), origin.seed, format.extension())
}

/// Names of the cells of a neighbourhood in reading order.
const NEIGHBOUR_NAMES: [&str; NEIGHBOURHOOD] = ["nw", "n", "ne", "w", "own", "e", "sw", "s", "se"];

/// The name of a wire in all languages: channel and neighbour of an input, or the number of a gate.
fn wire_name(netlist: &Netlist, wire: u32) -> String {
    let wire = wire as usize;
    match wire.checked_sub(netlist.inputs()) {
        None => format!("c{}_{}", wire / NEIGHBOURHOOD, NEIGHBOUR_NAMES[wire % NEIGHBOURHOOD]),
        Some(gate) => format!("g{gate}"),
    }
}

/// The input wires that a gate or an output reads.
fn used_inputs(netlist: &Netlist) -> impl Iterator<Item = u32> {
    let used = netlist.used_wires();
    (0..netlist.inputs() as u32).filter(move |wire| used[*wire as usize])
}

/// A gate as an expression of operators that Verilog, C and WGSL share. `zero` and `ones` are the constants
/// of the language. Operands are names, so the only brackets are those around an expression that is inverted.
fn expression(netlist: &Netlist, gate: &Gate, [zero, ones]: [&str; 2]) -> String {
    let [a, b] = gate.inputs.map(|wire| wire_name(netlist, wire));
    match gate.kind {
        GateKind::False => zero.to_owned(),
        GateKind::And => format!("{a} & {b}"),
        GateKind::AAndNotB => format!("{a} & ~{b}"),
        GateKind::A => a,
        GateKind::NotAAndB => format!("~{a} & {b}"),
        GateKind::B => b,
        GateKind::Xor => format!("{a} ^ {b}"),
        GateKind::Or => format!("{a} | {b}"),
        GateKind::Nor => format!("~({a} | {b})"),
        GateKind::Xnor => format!("~({a} ^ {b})"),
        GateKind::NotB => format!("~{b}"),
        GateKind::AOrNotB => format!("{a} | ~{b}"),
        GateKind::NotA => format!("~{a}"),
        GateKind::NotAOrB => format!("~{a} | {b}"),
        GateKind::Nand => format!("~({a} & {b})"),
        GateKind::True => ones.to_owned(),
    }
}

/// The lines as comments, which begin with `comment`.
fn header(comment: &str, lines: &[String]) -> String {
    lines.iter().map(|line| format!("{comment} {line}\n")).collect()
}
