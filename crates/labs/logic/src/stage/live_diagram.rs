//! The diagram that the page draws of the circuit that training has at the moment. The diagram shows the
//! pruned circuit (without gates that do not matter). Pruning is slow, so the diagram is renewed at most
//! twice a second, and only if a gate has changed.

use crate::automaton::Network;
use crate::circuit::CircuitDiagram;

/// The shortest time between two prunings.
const PRUNING_INTERVAL_SECONDS: f64 = 0.5;

pub struct LiveDiagram {
    /// `None` until the first animation frame.
    diagram: Option<CircuitDiagram>,
    /// The kinds of the gates that `diagram` was made from.
    kinds: Vec<u8>,
    /// Seconds since the last pruning.
    seconds_since_pruning: f64,
}

impl LiveDiagram {
    pub fn new() -> Self {
        Self { diagram: None, kinds: Vec::new(), seconds_since_pruning: PRUNING_INTERVAL_SECONDS }
    }

    /// The diagram; `None` until the first animation frame.
    pub fn get(&self) -> Option<&CircuitDiagram> {
        self.diagram.as_ref()
    }

    /// Makes the next update prune even if all kinds are the same. For another network, whose wiring may
    /// differ.
    pub fn forget_kinds(&mut self) {
        self.kinds.clear();
    }

    /// Makes the next frame update the diagram, however short the time since the last update.
    pub fn update_in_next_frame(&mut self) {
        self.seconds_since_pruning = PRUNING_INTERVAL_SECONDS;
    }

    /// Lets `seconds` pass and updates the diagram if it is time. The network has `shown` shown channels.
    pub fn advance(&mut self, network: &Network, shown: usize, seconds: f64) {
        self.seconds_since_pruning += seconds;
        if self.seconds_since_pruning >= PRUNING_INTERVAL_SECONDS {
            self.seconds_since_pruning = 0.0;
            self.update(network, shown);
        }
    }

    /// Prunes the circuit again if the kind of any gate has changed.
    fn update(&mut self, network: &Network, shown: usize) {
        let mut kinds = vec![0; network.circuits.gates()];
        network.most_likely_kinds(&mut kinds, None);
        if kinds != self.kinds {
            let version = self.diagram.as_ref().map_or(0, |diagram| diagram.circuit.version) + 1;
            self.diagram = Some(CircuitDiagram::new(&network.netlist(), shown, version));
            self.kinds = kinds;
        }
    }
}
