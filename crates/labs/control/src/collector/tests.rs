//! Which actions reach the worlds of a rollout.

use learnery_kernels::math;
use learnery_worlds::control::Kind;

use super::*;
use crate::bounds::ActionBounds;
use crate::task::Task;
use crate::world::World;

/// The worlds step with the policy's numbers after the clip, or with their hyperbolic tangents. Deviations
/// are large, so that many numbers lie beyond the bounds.
#[test]
fn worlds_take_clipped_or_squashed_actions() {
    let pendulum = Kind::Pendulum;
    for action_bounds in [ActionBounds::Clipped, ActionBounds::Squashed] {
        let config = ControlConfig {
            world: World::Pendulum,
            worlds: 70,
            horizon: 1,
            hidden: 8,
            initial_spread: 3.0,
            action_bounds,
            ..ControlConfig::default()
        };
        let network = Network::new(&config, Task::new(config.world), 2);
        let mut collector = Collector::new(&config, 2, &network);
        let mut beyond = 0;
        for _ in 0..9 {
            let (before, _) = collector.drawn_worlds(70);
            assert!(collector.step(&network, &config));
            let (after, _) = collector.drawn_worlds(70);
            // Records lie in the order of the worlds, because a rollout has a single step.
            for (i, (before, after)) in before.chunks(2).zip(after.chunks(2)).enumerate() {
                let number = collector.records().get(i)[network.inputs()];
                let torque = match action_bounds {
                    ActionBounds::Clipped => number.clamp(-2.0, 2.0),
                    ActionBounds::Squashed => 2.0 * math::tanh(number),
                };
                assert_eq!(pendulum.step(before, torque).state, after, "{action_bounds:?}: {number}");
                beyond += usize::from(number.abs() > 2.0);
            }
        }
        assert!(beyond > 200, "{beyond} numbers are beyond the bounds");
    }
}
