//! Mending: what the decided circuit still gets wrong is put right gate by gate. A gate that something depends on becomes
//! another kind, all cells take their steps, and where fewer of them are wrong in the end it stays so (Miller and Thomson,
//! "Cartesian genetic programming", 2000, which grows circuits by nothing else).
//!
//! Gradients bring undecided gates to within a few wrong cells of the goal and then have little to say: what is left is in gates
//! that are as good as decided, each of them a leap away. A leap costs a run of bits, a tenth of an epoch or less. The new kind takes
//! the logits of the old one and the other way round, so learning goes on from there.

use learnery_kernels::gates::KINDS;
use learnery_kernels::rng::Stream;

use super::experiment::Experiment;
use super::network::Network;
use super::purpose;
use super::trial::Trial;

/// Grids that a change is tried on where they begin at random.
const GRIDS: usize = 4;
/// How many times as wide the larger grid is, for circuits that do everything right on the one they learn on.
const LARGER: usize = 2;

/// Who mends.
pub struct Mender {
    /// The grid that is learned on and, where it may be of any size, a larger one.
    trials: Vec<Trial>,
    /// The one in use.
    trial: usize,
    stream: Stream,
    /// Which mending this is.
    index: u64,
    /// Kinds of all gates, and those that what is shown depends on.
    kinds: Vec<u8>,
    needed: Vec<bool>,
    candidates: Vec<u32>,
    /// Cells that are wrong as it is.
    wrong: u64,
    /// Changes that may be tried yet, and those that were.
    left: u32,
    tried: u64,
    kept: u64,
    /// Whether it is known what is wrong.
    begun: bool,
}

impl Mender {
    /// For networks of these wires, with what they are to become.
    pub fn new(network: &Network, steps: usize, seed: u32) -> Self {
        let setup = network.experiment.setup();
        let size = setup.size;
        let (count, any_size) = match network.experiment {
            Experiment::Life => (512, false),
            Experiment::Checkerboard | Experiment::Async => (GRIDS, network.drawn.is_none()),
            Experiment::Figure | Experiment::Letter => (1, false),
        };
        let mut trials = vec![Trial::new(network, [size; 2], count, vec![steps])];
        if any_size {
            trials.push(Trial::new(network, [LARGER * size; 2], 1, vec![LARGER * steps]));
        }
        let gates = network.brain.gates();
        Self {
            trials,
            trial: 0,
            stream: Stream::new(seed, purpose::MENDING),
            index: 0,
            kinds: vec![0; gates],
            needed: vec![false; gates],
            candidates: Vec::with_capacity(gates),
            wrong: 0,
            left: 0,
            tried: 0,
            kept: 0,
            begun: false,
        }
    }

    /// Begins mending number `index`, which tries so many changes at most.
    pub fn begin(&mut self, network: &Network, index: u64, tries: u32) {
        let brain = &network.brain;
        brain.decide(&network.logits, &mut self.kinds, None);
        brain.needed(&self.kinds, &mut self.needed);
        self.candidates.clear();
        self.candidates.extend((0..).zip(&self.needed).filter(|(_, needed)| **needed).map(|(gate, _)| gate));
        (self.index, self.left, self.tried, self.trial, self.begun) = (index, tries, 0, 0, false);
    }

    /// Whether there is something left to try.
    pub fn is_at_work(&self) -> bool {
        self.left > 0
    }

    /// Changes that were kept since this was asked last.
    pub fn take_kept(&mut self) -> u64 {
        std::mem::take(&mut self.kept)
    }

    /// Tries one change; first of all, finds out what is wrong.
    pub fn step(&mut self, network: &mut Network, rate: f64) {
        if !self.begun {
            self.wrong = self.judge(network, rate);
            self.begun = self.wrong > 0;
            // What is right here is asked for more, where there is more to ask for.
            match self.trial + 1 < self.trials.len() {
                _ if self.begun => {}
                true => self.trial += 1,
                false => self.left = 0,
            }
            return;
        }
        let below = |place: u64, n: usize| self.stream.below(self.index, 2 * self.tried + place, n as u32);
        let gate = self.candidates[below(0, self.candidates.len()) as usize] as usize;
        let old = usize::from(self.kinds[gate]);
        let new = (old + 1 + below(1, KINDS - 1) as usize) % KINDS;
        network.brain.exchange(gate, [old, new], &mut network.logits);
        let wrong = self.judge(network, rate);
        if wrong < self.wrong {
            self.wrong = wrong;
            self.kinds[gate] = new as u8;
            self.kept += 1;
        } else {
            network.brain.exchange(gate, [old, new], &mut network.logits);
        }
        self.tried += 1;
        self.left = if self.wrong == 0 { 0 } else { self.left - 1 };
    }

    /// Cells that are wrong in the end.
    fn judge(&mut self, network: &Network, rate: f64) -> u64 {
        let trial = &mut self.trials[self.trial];
        // All changes of a mending are tried on the same starts.
        trial.begin(network, self.stream, self.index << 1 | 1 << 40);
        for step in 0..trial.legs[0] {
            trial.step(network, rate, self.stream, self.index << 1 | 1 | 1 << 40, step);
        }
        trial.wrong()
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::{LogicConfig, Parameters};
    use super::super::trainer::Trainer;
    use super::*;

    const STEPS: usize = 4;

    /// A network of random gates, and as its target what it makes of its start.
    fn contented(experiment: Experiment, parameters: Parameters, seed: u32) -> Network {
        let config = LogicConfig { experiment, parameters, scatter: 4.0, ..LogicConfig::default() };
        let mut network = Network::new(&config, seed);
        let setup = experiment.setup();
        let mut trial = Trial::new(&network, [setup.size; 2], 1, vec![STEPS]);
        let stream = Stream::new(seed, purpose::MENDING);
        trial.begin(&network, stream, 0);
        (0..STEPS).for_each(|step| trial.step(&network, 1.0, stream, 0, step));
        network.drawn = Some((0..setup.shown).map(|channel| trial.shown_as(channel)).collect());
        network
    }

    fn kinds(network: &Network) -> Vec<u8> {
        let mut kinds = vec![0; network.brain.gates()];
        network.brain.decide(&network.logits, &mut kinds, None);
        kinds
    }

    #[test]
    fn a_change_of_kind_is_one_and_can_be_taken_back() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let mut network = contented(Experiment::Letter, parameters, 1);
            let (logits, before) = (network.logits.clone(), kinds(&network));
            for gate in (0..before.len()).step_by(97) {
                for by in 1..KINDS {
                    let change = [usize::from(before[gate]), (usize::from(before[gate]) + by) % KINDS];
                    network.brain.exchange(gate, change, &mut network.logits);
                    let mut expected = before.clone();
                    expected[gate] = change[1] as u8;
                    assert!(kinds(&network) == expected, "gate {gate}, {change:?}");
                    network.brain.exchange(gate, change, &mut network.logits);
                    assert!(network.logits == logits);
                }
            }
        }
    }

    #[test]
    fn what_is_not_needed_changes_nothing() {
        let mut network = contented(Experiment::Letter, Parameters::Kinds, 2);
        let kinds = kinds(&network);
        let mut needed = vec![false; kinds.len()];
        network.brain.needed(&kinds, &mut needed);
        let idle: Vec<usize> = (0..kinds.len()).filter(|gate| !needed[*gate]).collect();
        assert!(idle.len() > 100 && idle.len() < kinds.len() / 2, "{} of {}", idle.len(), kinds.len());
        let mut mender = Mender::new(&network, STEPS, 1);
        for gate in idle.into_iter().step_by(50) {
            let old = usize::from(kinds[gate]);
            network.brain.exchange(gate, [old, (old + 7) % KINDS], &mut network.logits);
            assert_eq!(mender.judge(&network, 1.0), 0, "gate {gate}");
        }
    }

    #[test]
    fn what_was_broken_is_mended_in_part_at_least_and_never_made_worse() {
        for parameters in [Parameters::Kinds, Parameters::Table] {
            let mut network = broken(contented(Experiment::Letter, parameters, 3), 40);
            let mut mender = Mender::new(&network, STEPS, 1);
            let at_first = mender.judge(&network, 1.0);
            assert!(at_first > 20, "{at_first} cells are wrong");
            let mut before = at_first;
            for index in 0..4 {
                mender.begin(&network, index, 100);
                while mender.is_at_work() {
                    mender.step(&mut network, 1.0);
                }
                let now = Mender::new(&network, STEPS, 1).judge(&network, 1.0);
                assert_eq!(now, mender.wrong);
                assert!(now <= before && (now == before) == (mender.take_kept() == 0), "{before} to {now}");
                before = now;
            }
            assert!(before < at_first, "nothing was mended");
        }
    }

    #[test]
    fn what_is_right_is_left_alone() {
        let mut network = contented(Experiment::Letter, Parameters::Kinds, 4);
        let logits = network.logits.clone();
        let mut mender = Mender::new(&network, STEPS, 1);
        mender.begin(&network, 1, 100);
        while mender.is_at_work() {
            mender.step(&mut network, 1.0);
        }
        assert!(network.logits == logits && mender.tried == 0);
    }

    /// The network with some gates that are needed turned into others.
    fn broken(mut network: Network, gates: usize) -> Network {
        let kinds = kinds(&network);
        let mut needed = vec![false; kinds.len()];
        network.brain.needed(&kinds, &mut needed);
        for gate in (0..kinds.len() - 1).rev().filter(|gate| needed[*gate]).take(gates) {
            let old = usize::from(kinds[gate]);
            network.brain.exchange(gate, [old, KINDS - 1 - old], &mut network.logits);
        }
        network
    }

    #[test]
    fn a_run_that_mends_is_the_same_on_any_number_of_threads_and_from_any_checkpoint() {
        let config = LogicConfig {
            experiment: Experiment::Letter,
            batch: 1,
            steps: STEPS as u32,
            learning_rate: 1e-4,
            mend: 100,
            ..LogicConfig::default()
        };
        let epochs = |trainer: &mut Trainer, count: usize| -> u64 {
            let epoch = |trainer: &mut Trainer| while !trainer.step(&config) {};
            (0..count).for_each(|_| epoch(trainer));
            trainer.take_mended()
        };
        let begin =
            || Trainer::new(&config, broken(contented(Experiment::Letter, Parameters::Kinds, 3), 3), 5);
        let run = |threads: usize| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("there are threads");
            pool.install(|| {
                let mut trainer = begin();
                let mended = epochs(&mut trainer, 24);
                (mended, trainer.network().logits.clone())
            })
        };
        let whole = run(1);
        assert!(whole.0 > 0, "nothing was mended");
        assert!(run(3) == whole, "another number of threads");
        // In two sittings, the second of which begins where mending goes on.
        let mut first = begin();
        let mended = epochs(&mut first, 10);
        assert!(mended < whole.0, "{mended} of {}", whole.0);
        let mut second = Trainer::new(&config, first.network().clone(), 5);
        second.restore(&first.to_tensors()).expect("it is whole");
        assert_eq!(mended + epochs(&mut second, 14), whole.0);
        assert!(second.network().logits == whole.1, "continued");
    }
}
