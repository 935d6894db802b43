//! The circuits of a cell, which are the network that is learned. Every cell has channels (values between 0
//! and 1). Perception kernels are small circuits that read one channel of the 3x3 neighbourhood; all kernels
//! are applied to every channel. The update circuit reads the cell's channels and all outputs of the kernels,
//! and computes the cell's next channels.
//!
//! The wires of a circuit are fixed at random. What is learned is what each gate computes: its logits weight
//! the sixteen kinds of two-input gates. Soft gates mix the kinds by these weights; a hard gate is the most
//! likely kind.

use learnery_kernels::gates::Wiring;
use learnery_kernels::rng::Stream;

use super::layers::{COEFS_PER_GATE, GateLayers};
use super::wiring::{arrange_neighbours, distinct_pairs, interleaved, neighbour_pairs, passes_second_input};
use crate::circuit::{CENTRE, Gate, GateKind, HardAutomaton, NEIGHBOURHOOD, Netlist, input_wire};
use crate::config::{InitialKernels, Parameters};
use crate::experiment::Experiment;

/// Both circuits draw their wiring from one stream of random numbers. Layer i of perception uses index i of
/// the stream, and layer i of the update circuit index `UPDATE_WIRING_INDEX + i`. Perception has fewer
/// layers than this.
const UPDATE_WIRING_INDEX: u64 = 64;

/// Shapes and wiring, without parameters. Arrays over gates or logits hold the entries of perception first,
/// then those of the update circuit, each in the order that [`GateLayers`] describes.
#[derive(Clone, Debug)]
pub struct CellCircuits {
    pub channels: usize,
    kernels: usize,
    /// How many different kernels there are initially. At the beginning of training each gate passes on one
    /// of its two inputs, so each output of a kernel equals one neighbour. The bits of a number, the kernel's
    /// *direction*, choose the inputs ([`passes_second_input`]), so kernels of different directions pass on
    /// different neighbours. Kernel k has direction `k % directions`.
    directions: usize,
    /// The gates of all kernels as one circuit, interleaved: gate j of kernel 0, gate j of kernel 1, and so
    /// on (see [`interleaved`]).
    pub perception: GateLayers,
    /// The update circuit. Its inputs are the cell's channels, then the outputs of perception channel by
    /// channel.
    pub update: GateLayers,
}

impl CellCircuits {
    /// The circuits of an experiment.
    pub fn new(
        experiment: Experiment,
        parameters: Parameters,
        initial: InitialKernels,
        wires: Stream,
    ) -> Self {
        let setup = experiment.setup();
        let neighbours = match initial {
            InitialKernels::Identical => &[],
            InitialKernels::AllDirections => setup.initial_neighbours,
        };
        let sizes = [setup.perception, setup.update];
        Self::with_layers(setup.channels, setup.kernels, sizes, parameters, neighbours, wires)
    }

    /// Circuits with these numbers of gates in each layer of a kernel, and in each layer of the update
    /// circuit. `initial_neighbours` are the neighbours that each direction passes on; if it is empty, all
    /// kernels initially pass on the same neighbours.
    ///
    /// Shapes: `initial_neighbours [directions][outputs of a kernel]`.
    pub fn with_layers(
        channels: usize,
        kernels: usize,
        [perception, update]: [&[usize]; 2],
        parameters: Parameters,
        initial_neighbours: &[&[u32]],
        wires: Stream,
    ) -> Self {
        // The number of values that the next layer can read.
        let mut width = NEIGHBOURHOOD;
        // The pairs of values that the gates of each layer read, for one kernel.
        let pairs = perception.iter().enumerate().map(|(i, &gates)| {
            let pairs = match i {
                0 => neighbour_pairs(wires, 0),
                _ => distinct_pairs(width, gates, wires, i as u64),
            };
            assert_eq!(pairs.len(), gates, "the first layer of perception has a gate for each neighbour");
            width = gates;
            pairs
        });
        let mut pairs: Vec<Vec<[u32; 2]>> = pairs.collect();
        arrange_neighbours(&mut pairs, initial_neighbours);
        // The same layers again, now repeated for all kernels.
        let mut width = NEIGHBOURHOOD;
        let layers = pairs.iter().enumerate().map(|(i, pairs)| {
            let wiring = interleaved(width, pairs, kernels, i == 0);
            width = pairs.len();
            wiring
        });
        let perception = GateLayers::new(layers.collect(), parameters);
        let mut width = channels + channels * perception.outputs();
        let layers = update.iter().enumerate().map(|(i, &gates)| {
            let pairs = distinct_pairs(width, gates, wires, UPDATE_WIRING_INDEX + i as u64);
            let wiring = Wiring::new(width, pairs);
            width = gates;
            wiring
        });
        let update = GateLayers::new(layers.collect(), parameters);
        assert_eq!(update.outputs(), channels, "the update computes the next channels");
        Self { channels, kernels, directions: initial_neighbours.len().max(1), perception, update }
    }

    /// The two values that each gate reads, as indices into the values of the layer before.
    ///
    /// Shape: `[gates, 2]`.
    pub fn wires(&self) -> Vec<u32> {
        let wirings = self.perception.wirings().chain(self.update.wirings());
        wirings.flat_map(Wiring::pairs).flatten().copied().collect()
    }

    /// The same circuits with other wires, or `None` if a wire is out of range.
    ///
    /// Shapes: `wires [gates, 2]`.
    pub fn rewired(&self, wires: &[u32]) -> Option<Self> {
        let (perception, update) = wires.split_at_checked(2 * self.perception.gates())?;
        let (perception, update) = (self.perception.rewired(perception)?, self.update.rewired(update)?);
        Some(Self { perception, update, ..*self })
    }

    pub fn gates(&self) -> usize {
        self.perception.gates() + self.update.gates()
    }

    /// Number of logits.
    pub fn logits(&self) -> usize {
        self.perception.logits() + self.update.logits()
    }

    /// Splits logits into those of perception and those of the update circuit.
    pub fn split_logits<'a>(&self, logits: &'a [f32]) -> (&'a [f32], &'a [f32]) {
        logits.split_at(self.perception.logits())
    }

    /// Initial logits, without noise: in each gate, the kind that passes on one input has a logit of
    /// `certainty`, and all others have 0. In perception, the direction of the kernel chooses the input
    /// ([`passes_second_input`]); in the update circuit it is the first.
    pub fn pass_through_logits(&self, certainty: f32) -> Vec<f32> {
        let mut logits = vec![0.0; self.logits()];
        let (perception, update) = logits.split_at_mut(self.perception.logits());
        // The gates of all kernels are interleaved, so the kernel of a gate is `gate % kernels`.
        let direction = |gate: usize| gate % self.kernels % self.directions;
        let passes_second = |layer, gate| passes_second_input(direction(gate), layer);
        self.perception.init_pass_through(perception, certainty, passes_second);
        self.update.init_pass_through(update, certainty, |_, _| false);
        logits
    }

    /// Discretises the gates whose noise is below `fraction`: changes their logits so that each becomes
    /// purely its kind in `kinds`.
    ///
    /// Shapes: `noise, kinds [gates]`.
    pub fn discretise(&self, noise: &[f32], fraction: f32, kinds: &[u8], logits: &mut [f32]) {
        let perception_gates = self.perception.gates();
        // Here and below, `_p` marks the part of perception, and `_u` that of the update circuit.
        let (logits_p, logits_u) = logits.split_at_mut(self.perception.logits());
        self.perception.discretise(
            &noise[..perception_gates],
            fraction,
            &kinds[..perception_gates],
            logits_p,
        );
        self.update.discretise(&noise[perception_gates..], fraction, &kinds[perception_gates..], logits_u);
    }

    /// Changes a gate's most likely kind from `kinds[0]` to `kinds[1]` by swapping logits. A second call with
    /// the same arguments restores the old logits.
    pub fn swap_kinds(&self, gate: usize, kinds: [GateKind; 2], logits: &mut [f32]) {
        let (logits_p, logits_u) = logits.split_at_mut(self.perception.logits());
        match gate.checked_sub(self.perception.gates()) {
            None => self.perception.swap_kinds(gate, kinds, logits_p),
            Some(gate) => self.update.swap_kinds(gate, kinds, logits_u),
        }
    }

    /// Marks the gates that an output of their circuit depends on if all gates are of these kinds.
    ///
    /// Shapes: `kinds [gates] -> live [gates]`.
    pub fn mark_live(&self, kinds: &[u8], live: &mut [bool]) {
        let (kinds_p, kinds_u) = kinds.split_at(self.perception.gates());
        let (live_p, live_u) = live.split_at_mut(self.perception.gates());
        self.perception.mark_live(kinds_p, live_p);
        self.update.mark_live(kinds_u, live_u);
    }

    /// Computes the four coefficients of each gate from the gate's logits (see [`GateLayers`]).
    ///
    /// Shape of the result: `coefs [4 * gates]`.
    pub fn coefficients(&self, logits: &[f32], coefs: &mut [f32]) {
        let (logits_p, logits_u) = self.split_logits(logits);
        let (coefs_p, coefs_u) = coefs.split_at_mut(COEFS_PER_GATE * self.perception.gates());
        self.perception.coefficients(logits_p, coefs_p);
        self.update.coefficients(logits_u, coefs_u);
    }

    /// Computes the gradient with respect to the logits from the gradient with respect to the coefficients.
    pub fn logit_gradient(&self, logits: &[f32], d_coefs: &[f32], d_logits: &mut [f32]) {
        let (logits_p, logits_u) = self.split_logits(logits);
        let (d_coefs_p, d_coefs_u) = d_coefs.split_at(COEFS_PER_GATE * self.perception.gates());
        let (d_logits_p, d_logits_u) = d_logits.split_at_mut(self.perception.logits());
        self.perception.logit_gradient(logits_p, d_coefs_p, d_logits_p);
        self.update.logit_gradient(logits_u, d_coefs_u, d_logits_u);
    }

    /// Computes the number of each gate's most likely kind, and optionally the kind's probability.
    ///
    /// Shape of the result: `each [gates]`.
    pub fn most_likely_kinds(&self, logits: &[f32], kinds: &mut [u8], probabilities: Option<&mut [f32]>) {
        let (logits_p, logits_u) = self.split_logits(logits);
        let perception_gates = self.perception.gates();
        let (kinds_p, kinds_u) = kinds.split_at_mut(perception_gates);
        let (probabilities_p, probabilities_u) =
            probabilities.map(|all| all.split_at_mut(perception_gates)).unzip();
        self.perception.most_likely_kinds(logits_p, kinds_p, probabilities_p);
        self.update.most_likely_kinds(logits_u, kinds_u, probabilities_u);
    }

    /// All gates of a cell as one netlist: the kernels on channel 0, the kernels on channel 1, and so on,
    /// then the update circuit. Every gate has the placeholder kind [`GateKind::False`].
    pub fn netlist_without_kinds(&self) -> Netlist {
        let mut netlist = Netlist { channels: self.channels, gates: Vec::new(), outputs: Vec::new() };
        // The wires that the next layer of the update circuit reads: first the cell's own channels, then what
        // the kernels compute.
        let mut update: Vec<u32> = (0..self.channels).map(|channel| input_wire(channel, CENTRE)).collect();
        for channel in 0..self.channels {
            let mut wires: Vec<u32> = (0..NEIGHBOURHOOD).map(|k| input_wire(channel, k)).collect();
            for wiring in self.perception.wirings() {
                wires = push_layer(&mut netlist, wiring.pairs(), &wires);
            }
            update.extend(wires);
        }
        for wiring in self.update.wirings() {
            update = push_layer(&mut netlist, wiring.pairs(), &update);
        }
        netlist.outputs = update;
        netlist
    }

    /// The hard circuit of a cell as one netlist: every gate is of its most likely kind.
    pub fn netlist(&self, logits: &[f32]) -> Netlist {
        let mut netlist = self.netlist_without_kinds();
        let mut kinds = vec![0; netlist.gates.len()];
        self.most_likely_netlist_kinds(logits, &mut kinds);
        let gates = netlist.gates.iter_mut().zip(kinds);
        gates.for_each(|(gate, kind)| gate.kind = GateKind::from_number(kind));
        netlist
    }

    /// Computes the number of the most likely kind of each gate, in the order of the netlist.
    ///
    /// Shape of the result: `[gates of the netlist]`.
    fn most_likely_netlist_kinds(&self, logits: &[f32], kinds: &mut [u8]) {
        self.write_netlist_kinds(kinds, |once| self.most_likely_kinds(logits, once, None));
    }

    /// Writes the number of each gate's kind, in the order of the netlist. `write` fills a slice that has one
    /// entry for each gate of the circuits; the netlist holds copies of the kernels.
    ///
    /// Shape: `[gates of the netlist]`.
    pub(crate) fn write_netlist_kinds(&self, kinds: &mut [u8], write: impl FnOnce(&mut [u8])) {
        // The netlist holds the kernels once for each channel, then the update circuit. So its end, from the
        // kernels on the last channel on, holds every gate once; the kernels on the other channels are
        // copies.
        let (copies, once) = kinds.split_at_mut((self.channels - 1) * self.perception.gates());
        write(once);
        let kernels = &once[..self.perception.gates()];
        copies.chunks_exact_mut(kernels.len()).for_each(|copy| copy.copy_from_slice(kernels));
    }

    /// `count` grids of zeros with every gate of its most likely kind, to be updated by
    /// [`Self::discretise_into`].
    pub fn hard_automaton(
        &self,
        logits: &[f32],
        size: [usize; 2],
        periodic: bool,
        count: usize,
    ) -> HardAutomaton {
        let mut automaton =
            HardAutomaton::with_replaceable_kinds(self.netlist(logits), size, periodic, count);
        self.discretise_into(logits, &mut automaton);
        automaton
    }

    /// Replaces the gates of an automaton made by [`Self::hard_automaton`] by the most likely kinds of
    /// `logits`.
    pub fn discretise_into(&self, logits: &[f32], automaton: &mut HardAutomaton) {
        automaton.replace_kinds(|kinds| self.most_likely_netlist_kinds(logits, kinds));
    }
}

/// Adds a layer of gates and returns the wires of their values. A pair holds indices into `inputs`, the wires
/// of the layer before.
fn push_layer(netlist: &mut Netlist, pairs: &[[u32; 2]], inputs: &[u32]) -> Vec<u32> {
    let push = |pair: &[u32; 2]| {
        netlist.gates.push(Gate { kind: GateKind::False, inputs: pair.map(|index| inputs[index as usize]) });
        netlist.wires() as u32 - 1
    };
    pairs.iter().map(push).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of the published automata (Miotti et al., 2025), in the order of [`Experiment::ALL`].
    #[test]
    fn circuits_have_as_many_gates_and_inputs_as_published() {
        let cells = Experiment::ALL.map(|experiment| {
            let wires = Stream::new(1, 0);
            CellCircuits::new(experiment, Parameters::Kinds, InitialKernels::AllDirections, wires)
        });
        assert_eq!(cells.each_ref().map(CellCircuits::gates), [2543, 3040, 4064, 4540, 4600]);
        assert_eq!(cells.each_ref().map(|cell| cell.update.inputs()), [17, 264, 264, 640, 576]);
    }
}
