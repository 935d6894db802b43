//! Local search (stochastic hill climbing) on the hard circuit, in which every gate is its most likely kind
//! of the sixteen that its logits weight. One try changes the kind of a random live gate (one that an output
//! depends on) and runs the automaton. The change is kept if fewer cells are wrong at the end (the mutation
//! of cartesian genetic programming: Miller and Thomson, 2000).
//!
//! Gradient descent brings a checkerboard to within a few wrong cells. The remaining errors lie in gates
//! whose softmax is saturated: their gradients are close to zero, and the logits of other kinds are far below
//! the largest. A try runs on bits and costs a tenth of an epoch or less. A change swaps the logits of the
//! two kinds, so gradient descent can continue from an accepted one.

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;

use crate::automaton::Network;
use crate::circuit::GateKind;
use crate::experiment::Experiment;
use crate::proof::{Scenario, ScenarioRandom};
use crate::purpose;

/// Number of grids in a scenario if the experiment's initial states are random.
const RANDOM_GRIDS: usize = 4;
/// The larger grid is this many times as wide as the training grid, and has this many times as many steps.
const LARGER_GRID_FACTOR: usize = 2;

/// This bit is set in a search's number where it selects the random numbers of a scenario (initial states and
/// active cells). The numbers that select gates and kinds use the plain search number, which counts epochs.
/// There are far fewer than 2^39 of those, so the two never coincide.
const SCENARIO_RUN: u64 = 1 << 39;

/// The search that may follow an epoch of training. [`Self::begin`] starts it, and [`Self::step`] is called
/// while [`Self::is_running`]. It changes the logits of the network in place.
pub struct LocalSearch {
    /// The training grid and, if the target is defined for any size, a larger grid.
    scenarios: Vec<Scenario>,
    /// The index of the scenario in use. The larger grid follows once no cell of the training grid is wrong.
    scenario: usize,
    stream: Stream,
    /// The number of this search, which selects its random numbers.
    number: u64,
    /// The number of each gate's kind (its truth table), one for each gate.
    kinds: Vec<u8>,
    /// Whether an output depends on the gate, one for each gate.
    is_live: Vec<bool>,
    /// The live gates; only these are changed.
    candidates: Vec<u32>,
    /// Wrong cells of the current circuit in the current scenario; `None` until they are counted.
    wrong: Option<u64>,
    tries_left: u32,
    /// Tries made in this search.
    tries: u64,
    /// Changes kept since the last call of [`Self::take_accepted`].
    pub(super) accepted: u64,
}

impl LocalSearch {
    /// A local search for networks with this one's wiring and target. `steps` is the number of steps in
    /// training.
    pub fn new(network: &Network, steps: usize, seed: u32) -> Self {
        let size = network.experiment.setup().size;
        // The number of grids, and whether the target is defined for grids of any size.
        let (grid_count, has_any_size) = match network.experiment {
            // One grid of 3x3 cells for each of the 512 neighbourhoods.
            Experiment::Life => (512, false),
            Experiment::Checkerboard | Experiment::Async => (RANDOM_GRIDS, network.drawn_target.is_none()),
            Experiment::Figure | Experiment::Letter => (1, false),
        };
        let mut scenarios = vec![Scenario::new(network, [size; 2], grid_count, vec![steps])];
        if has_any_size {
            scenarios.push(Scenario::new(
                network,
                [LARGER_GRID_FACTOR * size; 2],
                1,
                vec![LARGER_GRID_FACTOR * steps],
            ));
        }
        let gates = network.circuits.gates();
        Self {
            scenarios,
            scenario: 0,
            stream: Stream::new(seed, purpose::LOCAL_SEARCH),
            number: 0,
            kinds: vec![0; gates],
            is_live: vec![false; gates],
            candidates: Vec::with_capacity(gates),
            wrong: None,
            tries_left: 0,
            tries: 0,
            accepted: 0,
        }
    }

    /// Begins a search of at most `tries` tries. `number` selects its random numbers.
    pub fn begin(&mut self, network: &Network, number: u64, tries: u32) {
        network.most_likely_kinds(&mut self.kinds, None);
        network.circuits.mark_live(&self.kinds, &mut self.is_live);
        self.candidates.clear();
        self.candidates.extend((0..).zip(&self.is_live).filter(|(_, live)| **live).map(|(gate, _)| gate));
        (self.number, self.tries_left, self.tries) = (number, tries, 0);
        (self.scenario, self.wrong) = (0, None);
    }

    pub fn is_running(&self) -> bool {
        self.tries_left > 0
    }

    /// Returns the number of changes kept since the last call.
    pub fn take_accepted(&mut self) -> u64 {
        std::mem::take(&mut self.accepted)
    }

    /// Tries one change. The first step in each scenario only counts the wrong cells of the unchanged
    /// circuit. `fire_rate` is the probability that a cell is active, in experiments in which not all are.
    pub fn step(&mut self, network: &mut Network, fire_rate: f64) {
        let Some(wrong_before) = self.wrong else {
            self.measure(network, fire_rate);
            return;
        };
        // Each try uses two random numbers: 0 for the gate, 1 for the new kind.
        let below = |draw: u64, n: usize| self.stream.below(self.number, 2 * self.tries + draw, n as u32);
        let gate = self.candidates[below(0, self.candidates.len()) as usize] as usize;
        let old = usize::from(self.kinds[gate]);
        // Any of the other fifteen kinds.
        let new = (old + 1 + below(1, KINDS - 1) as usize) % KINDS;
        let change = [GateKind::ALL[old], GateKind::ALL[new]];
        network.circuits.swap_kinds(gate, change, &mut network.logits);
        let wrong = self.count_wrong(network, fire_rate);
        if wrong < wrong_before {
            self.wrong = Some(wrong);
            self.kinds[gate] = new as u8;
            self.accepted += 1;
        } else {
            // Undoes the change: swapping the same logits again restores them.
            network.circuits.swap_kinds(gate, change, &mut network.logits);
        }
        self.tries += 1;
        self.tries_left = if self.wrong == Some(0) { 0 } else { self.tries_left - 1 };
    }

    /// Counts the wrong cells of the unchanged circuit. If there are none, the search goes on to the larger
    /// grid, or ends.
    fn measure(&mut self, network: &Network, fire_rate: f64) {
        let wrong = self.count_wrong(network, fire_rate);
        if wrong > 0 {
            self.wrong = Some(wrong);
        } else if self.scenario + 1 < self.scenarios.len() {
            self.scenario += 1;
        } else {
            self.tries_left = 0;
        }
    }

    /// Runs the automaton and counts the cells that are wrong at the end.
    fn count_wrong(&mut self, network: &Network, fire_rate: f64) -> u64 {
        let scenario = &mut self.scenarios[self.scenario];
        // All changes of a search are tried on the same initial states and active cells.
        let random = ScenarioRandom::new(self.stream, self.number | SCENARIO_RUN);
        scenario.begin(network, random);
        // A scenario of local search has a single round.
        for step in 0..scenario.rounds()[0] {
            scenario.step(network, fire_rate, random, step);
        }
        scenario.count_wrong()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{LogicConfig, Parameters};
    use crate::training::Trainer;

    /// Steps of the automaton in every test.
    const STEPS: usize = 4;

    /// A network of random gates whose target is the state it reaches itself, so that no cell is wrong.
    fn perfect_network(experiment: Experiment, parameters: Parameters, seed: u32) -> Network {
        let config = LogicConfig { experiment, parameters, initial_noise: 4.0, ..LogicConfig::default() };
        let mut network = Network::new(&config, seed);
        let setup = experiment.setup();
        let mut scenario = Scenario::new(&network, [setup.size; 2], 1, vec![STEPS]);
        let random = ScenarioRandom::new(Stream::new(seed, purpose::LOCAL_SEARCH), 0);
        scenario.begin(&network, random);
        (0..STEPS).for_each(|step| scenario.step(&network, 1.0, random, step));
        network.drawn_target = Some((0..setup.shown).map(|channel| scenario.channel(channel)).collect());
        network
    }

    fn kinds(network: &Network) -> Vec<u8> {
        let mut kinds = vec![0; network.circuits.gates()];
        network.most_likely_kinds(&mut kinds, None);
        kinds
    }

    fn live_gates(network: &Network) -> Vec<bool> {
        let mut live = vec![false; network.circuits.gates()];
        network.circuits.mark_live(&kinds(network), &mut live);
        live
    }

    /// Changes a gate's kind from number `old` to `new`.
    fn change(network: &mut Network, gate: usize, [old, new]: [u8; 2]) {
        let kinds = [GateKind::from_number(old), GateKind::from_number(new)];
        network.circuits.swap_kinds(gate, kinds, &mut network.logits);
    }

    #[test]
    fn swapping_kinds_changes_one_gate_and_swapping_again_undoes_it() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let mut network = perfect_network(Experiment::Letter, parameters, 1);
            let (logits, before) = (network.logits.clone(), kinds(&network));
            for gate in (0..before.len()).step_by(97) {
                // Each of the fifteen other kinds.
                for by in 1..16 {
                    let swapped = [before[gate], (before[gate] + by) % 16];
                    change(&mut network, gate, swapped);
                    let mut expected = before.clone();
                    expected[gate] = swapped[1];
                    assert!(kinds(&network) == expected, "gate {gate}, {swapped:?}");
                    change(&mut network, gate, swapped);
                    assert!(network.logits == logits);
                }
            }
        }
    }

    #[test]
    fn dead_gates_do_not_influence_any_cell() {
        let mut network = perfect_network(Experiment::Letter, Parameters::Kinds, 2);
        let (kinds, live) = (kinds(&network), live_gates(&network));
        let dead: Vec<usize> = (0..kinds.len()).filter(|gate| !live[*gate]).collect();
        // The test means something: there are dead gates, and most gates are live.
        assert!(dead.len() > 100 && dead.len() < kinds.len() / 2, "{} of {}", dead.len(), kinds.len());
        let mut search = LocalSearch::new(&network, STEPS, 1);
        for gate in dead.into_iter().step_by(50) {
            // An arbitrary other kind. Changes are not undone, so they add up.
            change(&mut network, gate, [kinds[gate], (kinds[gate] + 7) % 16]);
            assert_eq!(search.count_wrong(&network, 1.0), 0, "gate {gate}");
        }
    }

    #[test]
    fn local_search_repairs_broken_gates_and_never_makes_a_circuit_worse() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let mut network = broken(perfect_network(Experiment::Letter, parameters, 3), 40);
            let mut search = LocalSearch::new(&network, STEPS, 1);
            let initially = search.count_wrong(&network, 1.0);
            assert!(initially > 20, "only {initially} cells are wrong");
            let mut before = initially;
            // Four searches of 100 tries.
            for number in 0..4 {
                search.begin(&network, number, 100);
                while search.is_running() {
                    search.step(&mut network, 1.0);
                }
                let now = LocalSearch::new(&network, STEPS, 1).count_wrong(&network, 1.0);
                assert_eq!(Some(now), search.wrong);
                assert!(
                    now <= before && (now == before) == (search.take_accepted() == 0),
                    "{before} to {now}"
                );
                before = now;
            }
            assert!(before < initially, "nothing was repaired");
        }
    }

    #[test]
    fn local_search_leaves_a_perfect_network_alone() {
        let mut network = perfect_network(Experiment::Letter, Parameters::Kinds, 4);
        let logits = network.logits.clone();
        let mut search = LocalSearch::new(&network, STEPS, 1);
        search.begin(&network, 1, 100);
        while search.is_running() {
            search.step(&mut network, 1.0);
        }
        assert!(network.logits == logits && search.tries == 0);
    }

    /// The network with the last `gates` of its live gates inverted (all four answers of the truth table),
    /// except the very last gate.
    fn broken(mut network: Network, gates: usize) -> Network {
        let (kinds, live) = (kinds(&network), live_gates(&network));
        for gate in (0..kinds.len() - 1).rev().filter(|gate| live[*gate]).take(gates) {
            change(&mut network, gate, [kinds[gate], 15 - kinds[gate]]);
        }
        network
    }

    #[test]
    fn training_with_local_search_is_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
        let config = LogicConfig {
            experiment: Experiment::Letter,
            batch: 1,
            steps: STEPS as u32,
            learning_rate: 1e-4,
            local_search_tries: 100,
            ..LogicConfig::default()
        };
        const SEED: u32 = 5;
        let epochs = |trainer: &mut Trainer, count: usize| -> u64 {
            let epoch = |trainer: &mut Trainer| while !trainer.step(&config, SEED) {};
            (0..count).for_each(|_| epoch(trainer));
            trainer.take_accepted_changes()
        };
        let begin = || {
            let network = broken(perfect_network(Experiment::Letter, Parameters::Kinds, 3), 3);
            Trainer::new(&config, network, SEED)
        };
        let run = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start");
            pool.install(|| {
                let mut trainer = begin();
                let accepted = epochs(&mut trainer, 24);
                (accepted, trainer.network().logits.clone())
            })
        };
        let (all_accepted, logits) = run(1);
        assert!(all_accepted > 0, "no change was accepted");
        assert!(run(3) == (all_accepted, logits.clone()), "another number of threads");
        // The same 24 epochs as 10 before and 14 after a checkpoint. A unit here is one epoch, so there were
        // 10 units.
        let mut first = begin();
        let accepted = epochs(&mut first, 10);
        assert!(accepted < all_accepted, "{accepted} of {all_accepted}");
        let mut second = Trainer::new(&config, first.network().clone(), SEED);
        second.restore(&first.to_tensors(), 10).expect("it is whole");
        assert_eq!(accepted + epochs(&mut second, 14), all_accepted);
        assert!(second.network().logits == logits, "continued from a checkpoint");
    }
}
