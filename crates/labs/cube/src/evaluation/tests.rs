use std::collections::HashSet;

use learnery_kernels::rng::Stream;
use learnery_worlds::cube::SOLVED;

use super::*;
use crate::config::{CubeConfig, Method, TurnMetric};
use crate::policy::greedy_turn;

fn evaluate(config: &CubeConfig, within: usize) -> (Network, StateSpace, Evaluator) {
    let network = Network::new(config, Stream::new(3, 3));
    let space = StateSpace::new(config.metric.to_rules(), config.uses_symmetry());
    let mut evaluator = Evaluator::new(&network, &space);
    evaluator.begin(&network, within);
    while !evaluator.step(&network, &space) {}
    (network, space, evaluator)
}

/// The slow reference: turns a cube until it is solved or repeats a state with the same last turn. Returns the number of
/// turns; `None` if the cube is never solved.
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

/// Both ways to rank states are tested: the reachable states (starting from states within 3 turns of solved) and all states
/// (14 is the largest distance). The networks are untrained, so they solve few states.
#[test]
fn evaluation_agrees_with_following_each_path_alone() {
    let mut solved = 0;
    for (learner, metric) in [
        (Method::Dqn, TurnMetric::Quarter),
        (Method::Davi, TurnMetric::Half),
        (Method::Efficientcube, TurnMetric::Half),
    ] {
        let config = CubeConfig { learner, metric, hidden_1: 8, hidden_2: 0, ..CubeConfig::default() };
        let (network, space, near) = evaluate(&config, 3);
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
        assert_eq!(near.evaluation, expected, "{learner:?}");
        let counts = |e: &GreedyEvaluation, d: usize| (e.states[d], e.solved[d], e.excess[d]);
        for d in 0..=3 {
            assert_eq!(counts(&all.evaluation, d), counts(&expected, d));
        }
        solved += expected.solved.iter().sum::<u64>();
    }
    assert!(solved > 3, "nothing but solved cubes was solved");
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
    evaluator.pass = Pass::RankAllStates(0);
    while !evaluator.step(&network, &space) {}
    let evaluation = evaluator.evaluation();
    assert_eq!((evaluation.solved_fraction(), evaluation.mean_excess()), (1.0, 0.0));
    assert_eq!(evaluation.states.map(|n| n as u32).as_slice(), known.counts());
}
