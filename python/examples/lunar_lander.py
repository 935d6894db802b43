"""Trains PPO on Gymnasium's LunarLander, and measures it in fresh episodes without exploration.

From the root of the repository:

    pip install ./python "gymnasium[box2d]>=1.1"
    python python/examples/lunar_lander.py --seed 0
"""

from __future__ import annotations

import argparse
import statistics
from contextlib import closing

import gymnasium
from gymnasium.vector import AutoresetMode, VectorEnv

import learnery

ID = "LunarLander-v3"
#: Gymnasium calls an episode a solution from this return on.
SOLVED = 200
#: Environment i of the measurement begins with this seed plus i, and one of the training with the seed of the run plus i.
FIRST_MEASURED_SEED = 1_000_000
SETTINGS = {
    "horizon": 512,
    "hidden": 64,
    "epochs": 6,
    "minibatches": 32,
    "learning_rate": 1e-3,
    "gamma": 0.999,
    "gae_lambda": 0.98,
    "entropy_weight": 0.01,
}


def environments(count: int) -> VectorEnv:
    """Environments that begin the next episode in the step that ends one.

    Those of Gymnasium's default begin it in a step of its own, from which nothing can be learned.
    """
    kwargs = {"autoreset_mode": AutoresetMode.SAME_STEP}
    return gymnasium.make_vec(ID, count, vectorization_mode="sync", vector_kwargs=kwargs)


def measure(agent: learnery.ControlAgent, episodes: int) -> list[float]:
    """The returns of the first episode in each of so many environments, started with seeds that training never used."""
    returns, running = [0.0] * episodes, [True] * episodes
    with closing(environments(episodes)) as envs:
        observations, _ = envs.reset(seed=FIRST_MEASURED_SEED)
        while any(running):
            # Always the most probable action.
            observations, rewards, terminations, truncations, _ = envs.step(agent.act(observations))
            for i in range(episodes):
                returns[i] += float(rewards[i]) if running[i] else 0.0
                running[i] = running[i] and not (terminations[i] or truncations[i])
    return returns


def main() -> None:
    """Trains and measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the run: it determines the network and the first episodes")
    units_help = f"of training, each of {SETTINGS['horizon']} steps of every environment; the learning rate falls to a tenth over them"
    parser.add_argument("--units", type=int, default=100, help=units_help)
    parser.add_argument("--envs", type=int, default=16, help="environments that are trained in")
    arguments = parser.parse_args()
    if arguments.seed + arguments.envs > FIRST_MEASURED_SEED:
        parser.error(f"--seed plus --envs may be at most {FIRST_MEASURED_SEED}: from there on, seeds are for the measurement")
    settings = SETTINGS | {"anneal": arguments.units}
    with closing(environments(arguments.envs)) as envs:
        run = learnery.train("control", settings, arguments.seed, env=envs, units=arguments.units, progress=True)
    returns = measure(run.agent(), 100)
    error = statistics.stdev(returns) / len(returns) ** 0.5
    solutions = sum(value >= SOLVED for value in returns)
    print(f"{run.work:,} steps: mean return {statistics.mean(returns):.0f} ± {error:.0f} (standard error)")
    print(f"{solutions} of {len(returns)} episodes reach {SOLVED}")


if __name__ == "__main__":
    main()
