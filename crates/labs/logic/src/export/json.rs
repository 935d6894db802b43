//! Writes a circuit as JSON: its netlist (gates and the wires between them), the settings of its grid and the
//! run that it comes from. A part of the file, `about`, describes wires, gates and outputs. The text is
//! written by hand, so that each gate has a line of its own.

use super::{NEIGHBOUR_NAMES, Origin};
use crate::circuit::Netlist;

/// The text of the file for this circuit.
pub fn to_json(netlist: &Netlist, origin: &Origin) -> String {
    let setup = origin.setup();
    let list = |items: &[String]| items.join(",\n    ");
    // The lines are ours, and contain no character that JSON escapes.
    let quoted = |line: &String| format!("\"{line}\"");
    let mut about: Vec<String> = origin.lines(netlist).iter().map(quoted).collect();
    about.push(
        "\"Wires are numbered: 9 * channel + place of the neighbourhood, then the gates in their order.\""
            .into(),
    );
    about.push(
        "\"A gate is [kind, a, b]: bit 3 - (2 a + b) of kind, the lowest being bit 0, is its answer.\""
            .into(),
    );
    about.push("\"An output is the wire of a channel's next value.\"".into());
    let gates: Vec<String> = netlist
        .gates
        .iter()
        .map(|gate| format!("[{}, {}, {}]", gate.kind.number(), gate.inputs[0], gate.inputs[1]))
        .collect();
    let outputs: Vec<String> = netlist.outputs.iter().map(ToString::to_string).collect();
    format!(
        r#"{{
  "format": "learnery logic circuit",
  "version": 1,
  "about": [
    {}
  ],
  "experiment": "{}",
  "seed": {},
  "epochs": {},
  "size": {},
  "periodic": {},
  "fire_rate": {},
  "channels": {},
  "shown": {},
  "places": ["{}"],
  "gates": [
    {}
  ],
  "outputs": [{}]
}}
"#,
        list(&about),
        origin.experiment.name(),
        origin.seed,
        origin.epochs,
        setup.size,
        setup.periodic,
        origin.fire_rate,
        netlist.channels,
        setup.shown,
        NEIGHBOUR_NAMES.join("\", \""),
        list(&gates),
        outputs.join(", "),
    )
}
