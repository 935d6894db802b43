//! The exhaustive evaluation against a slow reference that follows the greedy policy from one state at a
//! time.

use std::collections::HashSet;

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::SOLVED;

use super::*;
use crate::config::{CubeConfig, Method, TurnMetric};
use crate::small::policy::greedy_turn;

/// Evaluates an untrained network from all states within `max_distance` turns of the solved cube.
fn evaluate(config: &CubeConfig, max_distance: usize) -> (Network, StateSpace, Evaluator) {
    // Any seed and stream will do.
    let network = Network::new(config, Stream::new(3, 3));
    let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
    let mut evaluator = Evaluator::new(&network, &space);
    evaluator.begin(&network, max_distance);
    while !evaluator.step(&network, &space) {}
    (network, space, evaluator)
}

/// The slow reference: follows the greedy policy until the cube is solved or the policy enters a cycle.
/// Returns the number of turns, or `None` for a cycle. Policy and cycle depend on the state and the last
/// turn.
fn solution_length(policy: &GreedyPolicy, start: State) -> Option<usize> {
    let metric = policy.space.metric();
    let (mut state, mut last, mut length) = (start, None, 0);
    let mut seen = HashSet::new();
    let mut scratch = policy.network.scratch();
    let mut scores = vec![0.0; metric.turns()];
    while state != SOLVED {
        policy.score(state, &mut scratch, &mut scores);
        let turn = greedy_turn(&scores, last, metric);
        state = turns().after(state, turn);
        last = Some(turn);
        length += 1;
        if !seen.insert((state, turn)) {
            return None;
        }
    }
    Some(length)
}

/// The evaluator ranks the turns of all states in advance if it starts from all states (no state is further
/// than 14 quarter turns), and of the states that it reaches if it starts from few. Both must agree with the
/// reference. Untrained networks solve few states.
#[test]
fn evaluation_agrees_with_the_reference() {
    let mut solved = 0;
    for (learner, metric) in [
        (Method::Dqn, TurnMetric::Quarter),
        (Method::Davi, TurnMetric::Half),
        (Method::Efficientcube, TurnMetric::Half),
    ] {
        let config = CubeConfig { learner, metric, hidden_1: 8, hidden_2: 0, ..CubeConfig::default() };
        let (network, space, few) = evaluate(&config, 3);
        let (_, _, all) = evaluate(&config, 14);
        assert_eq!(all.evaluation.states.iter().sum::<u64>() as usize, STATES);
        let policy = GreedyPolicy { network: &network, space: &space, distances: all.estimated_distances() };
        let mut expected = GreedyEvaluation::default();
        for state in 0..STATES as State {
            let distance = distances(space.metric()).of(state);
            if distance <= 3 {
                expected.states[distance] += 1;
                if let Some(length) = solution_length(&policy, state) {
                    expected.solved[distance] += 1;
                    expected.excess[distance] += (length - distance) as u64;
                }
            }
        }
        assert_eq!(few.evaluation, expected, "{learner:?}");
        let counts = |e: &GreedyEvaluation, d: usize| (e.states[d], e.solved[d], e.excess[d]);
        for d in 0..=3 {
            assert_eq!(counts(&all.evaluation, d), counts(&expected, d));
        }
        solved += expected.solved.iter().sum::<u64>();
    }
    // Each of the three networks solves the solved cube in zero turns; that alone would test nothing.
    assert!(solved > 3, "no scrambled cube was solved");
}

#[test]
fn true_distances_solve_every_state_by_a_shortest_path() {
    let config = CubeConfig::default();
    let (network, space, mut evaluator) = evaluate(&config, 1);
    evaluator.begin(&network, 14);
    let known = distances(space.metric());
    for node in 0..space.nodes() as u32 {
        evaluator.estimates[node as usize] = known.of(space.state(node)) as f32;
    }
    // The estimates are replaced by true distances, so the pass that makes estimates is left out.
    evaluator.pass = Pass::RankAllStates(0);
    while !evaluator.step(&network, &space) {}
    let evaluation = evaluator.evaluation();
    assert_eq!((evaluation.solved_fraction(), evaluation.mean_excess()), (1.0, 0.0));
    assert_eq!(evaluation.states.map(|n| n as u32).as_slice(), known.counts());
}
