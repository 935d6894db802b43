//! Saves the collector of deep Q-learning (its attempts to solve cubes, failed scrambles and curriculum) in a
//! checkpoint, and restores it. A file may be damaged or made up, so all values are checked.

use learnery_lab::LabError;
use learnery_nn::Tensors;
use learnery_worlds::cube::{STATES, TURNS, Turn};

use super::{
    Collector, Episode, MAX_FAILED_SCRAMBLES, MAX_PATIENCE, MAX_SCRAMBLE, PendingTransition, Scramble,
};
use crate::config::CubeConfig;
use crate::counters::checked;

/// How many numbers of an episode are saved. [`Collector::to_tensors`] has their order.
const EPISODE_COLUMNS: usize = 6;

impl Collector {
    pub fn to_tensors(&self) -> Tensors {
        let mut tensors = Tensors::new();
        let columns =
            |e: &Episode| [e.state, e.start.state, e.start.length, u32::from(e.is_retry), e.turns, e.pending];
        let cubes: Vec<u32> = self.episodes.iter().flat_map(columns).collect();
        tensors.insert("cubes", &[self.episodes.len(), EPISODE_COLUMNS], &cubes);
        let failed: Vec<u32> = self.failed.iter().flat_map(|start| [start.state, start.length]).collect();
        tensors.insert("failures", &[failed.len()], &failed);
        let n = self.pending.len();
        let recent: Vec<u32> = self.pending.iter().flat_map(|p| [p.state, u32::from(p.turn)]).collect();
        tensors.insert("recent", &[n, 2], &recent);
        let returns: Vec<f32> = self.pending.iter().flat_map(|p| [p.reward, p.discount]).collect();
        tensors.insert("returns", &[n, 2], &returns);
        let counters =
            [u64::from(self.level), self.level_episodes, self.level_solved, self.steps, self.started];
        tensors.insert("counters", &[5], &counters);
        tensors
    }

    /// Continues from [`Collector::to_tensors`] of a checkpoint. Rejects impossible cubes and counters.
    pub fn restore(&mut self, config: &CubeConfig, tensors: &Tensors) -> Result<(), LabError> {
        let cubes: Vec<u32> = tensors.get("cubes", &[self.episodes.len(), EPISODE_COLUMNS])?;
        let failed: Vec<u32> = tensors.get_vec("failures")?;
        let recent: Vec<u32> = tensors.get("recent", &[self.pending.len(), 2])?;
        let returns: Vec<f32> = tensors.get("returns", &[self.pending.len(), 2])?;
        let counters: Vec<u64> = tensors.get("counters", &[5])?;
        let turn_count = config.metric.to_rules().turns().min(TURNS) as u32;
        let is_state = |state: u32| (state as usize) < STATES;
        let is_scramble = |state, length| is_state(state) && length <= MAX_SCRAMBLE;
        // Columns: state, start state, start length, is it a retry, turns, pending transitions.
        let is_episode = |c: &[u32]| {
            is_state(c[0])
                && is_scramble(c[1], c[2])
                && c[3] <= 1
                && c[4] < MAX_SCRAMBLE + MAX_PATIENCE
                // The last `n_step - 1` turns are pending, or all turns if there are fewer: a turn with
                // `n_step` rewards is complete and has gone to the replay buffer.
                && c[5] as usize == (c[4] as usize).min(self.n_step - 1)
        };
        let are_consistent = cubes.chunks_exact(EPISODE_COLUMNS).all(is_episode)
            && failed.len().is_multiple_of(2)
            && failed.len() <= 2 * MAX_FAILED_SCRAMBLES
            && failed.chunks_exact(2).all(|f| is_scramble(f[0], f[1]))
            && recent.chunks_exact(2).all(|r| is_state(r[0]) && r[1] < turn_count)
            && returns.iter().all(|x| x.is_finite());
        if !are_consistent {
            return Err(LabError::Checkpoint("its cubes are inconsistent".into()));
        }
        // In the order of `to_tensors`. An array can be taken apart by name, a vector cannot.
        let [level, level_episodes, level_solved, steps, started] = [0, 1, 2, 3, 4].map(|i| counters[i]);
        let (steps, started) = (checked("steps", steps)?, checked("episodes", started)?);
        // Each cube has an episode that is not finished; all other episodes started have finished.
        let has_contradiction = !(1..=u64::from(MAX_SCRAMBLE)).contains(&level)
            || level_solved > level_episodes
            || started < self.episodes.len() as u64
            || level_episodes > started - self.episodes.len() as u64;
        if has_contradiction {
            return Err(LabError::Checkpoint("the counters of its cubes contradict each other".into()));
        }
        let scramble = |state, length| Scramble { state, length };
        for (episode, c) in self.episodes.iter_mut().zip(cubes.chunks_exact(EPISODE_COLUMNS)) {
            let [state, from, length, is_retry, turns, pending] = [0, 1, 2, 3, 4, 5].map(|i| c[i]);
            let start = scramble(from, length);
            *episode = Episode { state, start, is_retry: is_retry == 1, turns, pending };
        }
        self.failed.clear();
        self.failed.extend(failed.chunks_exact(2).map(|f| scramble(f[0], f[1])));
        let pairs = recent.chunks_exact(2).zip(returns.chunks_exact(2));
        for (pending, (r, f)) in self.pending.iter_mut().zip(pairs) {
            *pending = PendingTransition { state: r[0], turn: r[1] as Turn, reward: f[0], discount: f[1] };
        }
        self.level = level as u32;
        (self.level_episodes, self.level_solved) = (level_episodes, level_solved);
        (self.steps, self.started) = (steps, started);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use learnery_worlds::cube::STATES;

    use super::super::MAX_SCRAMBLE;
    use super::super::tests::collector;

    #[test]
    fn failed_scrambles_survive_a_round_trip_and_damaged_ones_are_refused() {
        let (config, network, mut before, mut replay) = collector(0.5);
        (0..50).for_each(|_| before.step(&config, &network, 0, &mut replay));
        assert!(!before.failed.is_empty() && before.episodes.iter().any(|episode| episode.is_retry));
        let mut tensors = before.to_tensors();
        let (.., mut after, _) = collector(0.5);
        after.restore(&config, &tensors).expect("it is our own");
        assert_eq!((&after.episodes, &after.failed), (&before.episodes, &before.failed));
        // Half an entry, a state that does not exist, a scramble that is too long.
        for damaged in [vec![1], vec![STATES as u32, 5], vec![1, MAX_SCRAMBLE + 1]] {
            tensors.insert("failures", &[damaged.len()], &damaged);
            assert!(after.restore(&config, &tensors).is_err());
        }
    }

    #[test]
    fn contradictory_counters_are_refused() {
        let (config, network, mut collector, mut replay) = collector(0.5);
        (0..50).for_each(|_| collector.step(&config, &network, 0, &mut replay));
        let good = collector.to_tensors();
        collector.restore(&config, &good).expect("it is our own");
        let counters: Vec<u64> = good.get("counters", &[5]).expect("it is there");
        // The index of a counter (level, episodes and solved episodes of the level, steps, episodes started)
        // and a value that it cannot have. 40 cubes have started 40 episodes at least.
        for (i, value) in
            [(0, 0), (0, 31), (1, u64::MAX), (2, u64::MAX), (3, u64::MAX), (4, 39), (4, u64::MAX)]
        {
            let mut changed = counters.clone();
            changed[i] = value;
            let mut tensors = good.clone();
            tensors.insert("counters", &[5], &changed);
            let error = collector.restore(&config, &tensors).expect_err("it was accepted").to_string();
            assert!(error.contains("counter"), "{error}");
        }
        let mut cubes: Vec<u32> = good.get("cubes", &[40, 6]).expect("it is there");
        // The number of turns (column 4) of the first cube.
        cubes[4] = u32::MAX;
        let mut tensors = good.clone();
        tensors.insert("cubes", &[40, 6], &cubes);
        assert!(collector.restore(&config, &tensors).is_err());
    }
}
