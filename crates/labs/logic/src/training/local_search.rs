//! Local search (stochastic hill climbing) on the decided circuit: a live gate is given another kind, the automaton runs
//! with decided gates, and the change is kept if fewer cells are wrong at the end (the mutation of cartesian genetic
//! programming: Miller and Thomson, 2000).
//!
//! Gradient descent brings a checkerboard to within a few wrong cells. What is left lies in gates that are all but decided,
//! whose gradients are close to zero and whose other kinds are far away in logits. Trying a change costs one run of bits, a
//! tenth of an epoch or less. The two kinds swap their logits, so training continues from the changed gate.

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;

use crate::automaton::Network;
use crate::circuit::GateKind;
use crate::experiment::Experiment;
use crate::proof::Scenario;
use crate::purpose;

/// Grids that a change is tried on, where initial states are random.
const GRIDS: usize = 4;
/// How many times as wide the larger grid is, on which circuits are tried that are right on the training grid.
const LARGER: usize = 2;

/// Keeps the random numbers of local search apart from others of its stream.
const INDEX_OFFSET: u64 = 1 << 40;

pub struct LocalSearch {
    /// The training grid and, where the target fits any size, a larger one.
    scenarios: Vec<Scenario>,
    /// The scenario in use.
    scenario: usize,
    stream: Stream,
    /// The number of this search, which selects its random numbers.
    index: u64,
    /// The numbers of all gates' kinds, and whether the outputs depend on the gates. // each [gates]
    kinds: Vec<u8>,
    live: Vec<bool>,
    /// The live gates.
    candidates: Vec<u32>,
    /// Wrong cells of the circuit as it is; meaningful only once `measured`.
    wrong: u64,
    measured: bool,
    tries_left: u32,
    tried: u64,
    accepted: u64,
}

impl LocalSearch {
    /// For networks of this wiring and target.
    pub fn new(network: &Network, steps: usize, seed: u32) -> Self {
        let size = network.experiment.setup().size;
        let (count, any_size) = match network.experiment {
            Experiment::Life => (512, false),
            Experiment::Checkerboard | Experiment::Async => (GRIDS, network.drawn_target.is_none()),
            Experiment::Figure | Experiment::Letter => (1, false),
        };
        let mut scenarios = vec![Scenario::new(network, [size; 2], count, vec![steps])];
        if any_size {
            scenarios.push(Scenario::new(network, [LARGER * size; 2], 1, vec![LARGER * steps]));
        }
        let gates = network.circuits.gates();
        Self {
            scenarios,
            scenario: 0,
            stream: Stream::new(seed, purpose::LOCAL_SEARCH),
            index: 0,
            kinds: vec![0; gates],
            live: vec![false; gates],
            candidates: Vec::with_capacity(gates),
            wrong: 0,
            measured: false,
            tries_left: 0,
            tried: 0,
            accepted: 0,
        }
    }

    /// Begins search number `index` with at most this many tries.
    pub fn begin(&mut self, network: &Network, index: u64, tries: u32) {
        network.decide(&mut self.kinds, None);
        network.circuits.mark_live(&self.kinds, &mut self.live);
        self.candidates.clear();
        self.candidates.extend((0..).zip(&self.live).filter(|(_, live)| **live).map(|(gate, _)| gate));
        (self.index, self.tries_left, self.tried) = (index, tries, 0);
        (self.scenario, self.measured) = (0, false);
    }

    pub fn is_running(&self) -> bool {
        self.tries_left > 0
    }

    /// Changes accepted since the last call.
    pub fn take_accepted(&mut self) -> u64 {
        std::mem::take(&mut self.accepted)
    }

    /// Tries one change. The first step of a search, and of each scenario, counts the wrong cells of the circuit as it is.
    pub fn step(&mut self, network: &mut Network, fire_rate: f64) {
        if !self.measured {
            self.wrong = self.count_wrong(network, fire_rate);
            self.measured = self.wrong > 0;
            // A circuit without a wrong cell goes on to the larger grid, or is finished.
            match self.scenario + 1 < self.scenarios.len() {
                _ if self.measured => {}
                true => self.scenario += 1,
                false => self.tries_left = 0,
            }
            return;
        }
        let below = |draw: u64, n: usize| self.stream.below(self.index, 2 * self.tried + draw, n as u32);
        let gate = self.candidates[below(0, self.candidates.len()) as usize] as usize;
        let old = usize::from(self.kinds[gate]);
        let new = (old + 1 + below(1, KINDS - 1) as usize) % KINDS;
        let change = [GateKind::ALL[old], GateKind::ALL[new]];
        network.circuits.swap_kinds(gate, change, &mut network.logits);
        let wrong = self.count_wrong(network, fire_rate);
        if wrong < self.wrong {
            self.wrong = wrong;
            self.kinds[gate] = new as u8;
            self.accepted += 1;
        } else {
            network.circuits.swap_kinds(gate, change, &mut network.logits);
        }
        self.tried += 1;
        self.tries_left = if self.wrong == 0 { 0 } else { self.tries_left - 1 };
    }

    fn count_wrong(&mut self, network: &Network, fire_rate: f64) -> u64 {
        let scenario = &mut self.scenarios[self.scenario];
        // All changes of a search are tried on the same initial states and active cells.
        scenario.begin(network, self.stream, self.index << 1 | INDEX_OFFSET);
        for step in 0..scenario.rounds()[0] {
            scenario.step(network, fire_rate, self.stream, self.index << 1 | 1 | INDEX_OFFSET, step);
        }
        scenario.count_wrong()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{LogicConfig, Parameters};
    use crate::training::Trainer;

    const STEPS: usize = 4;

    /// A network of random gates whose target is its own result, so that no cell is wrong.
    fn perfect_network(experiment: Experiment, parameters: Parameters, seed: u32) -> Network {
        let config = LogicConfig { experiment, parameters, scatter: 4.0, ..LogicConfig::default() };
        let mut network = Network::new(&config, seed);
        let setup = experiment.setup();
        let mut scenario = Scenario::new(&network, [setup.size; 2], 1, vec![STEPS]);
        let stream = Stream::new(seed, purpose::LOCAL_SEARCH);
        scenario.begin(&network, stream, 0);
        (0..STEPS).for_each(|step| scenario.step(&network, 1.0, stream, 0, step));
        network.drawn_target = Some((0..setup.shown).map(|channel| scenario.channel(channel)).collect());
        network
    }

    fn kinds(network: &Network) -> Vec<u8> {
        let mut kinds = vec![0; network.circuits.gates()];
        network.decide(&mut kinds, None);
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
        assert!(dead.len() > 100 && dead.len() < kinds.len() / 2, "{} of {}", dead.len(), kinds.len());
        let mut search = LocalSearch::new(&network, STEPS, 1);
        for gate in dead.into_iter().step_by(50) {
            change(&mut network, gate, [kinds[gate], (kinds[gate] + 7) % 16]);
            assert_eq!(search.count_wrong(&network, 1.0), 0, "gate {gate}");
        }
    }

    #[test]
    fn local_search_repairs_broken_gates_and_never_makes_a_circuit_worse() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let mut network = broken(perfect_network(Experiment::Letter, parameters, 3), 40);
            let mut search = LocalSearch::new(&network, STEPS, 1);
            let at_first = search.count_wrong(&network, 1.0);
            assert!(at_first > 20, "{at_first} cells are wrong");
            let mut before = at_first;
            for index in 0..4 {
                search.begin(&network, index, 100);
                while search.is_running() {
                    search.step(&mut network, 1.0);
                }
                let now = LocalSearch::new(&network, STEPS, 1).count_wrong(&network, 1.0);
                assert_eq!(now, search.wrong);
                assert!(
                    now <= before && (now == before) == (search.take_accepted() == 0),
                    "{before} to {now}"
                );
                before = now;
            }
            assert!(before < at_first, "nothing was repaired");
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
        assert!(network.logits == logits && search.tried == 0);
    }

    /// The network with this many of its live gates turned into their opposites.
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
        let whole = run(1);
        assert!(whole.0 > 0, "no change was accepted");
        assert!(run(3) == whole, "another number of threads");
        let mut first = begin();
        let accepted = epochs(&mut first, 10);
        assert!(accepted < whole.0, "{accepted} of {}", whole.0);
        let mut second = Trainer::new(&config, first.network().clone(), SEED);
        second.restore(&first.to_tensors(), 10).expect("it is whole");
        assert_eq!(accepted + epochs(&mut second, 14), whole.0);
        assert!(second.network().logits == whole.1, "continued from a checkpoint");
    }
}
