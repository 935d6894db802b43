"""Trains PPO on Gymnasium's LunarLander, and measures it in fresh episodes without exploration.

    pip install "gymnasium[box2d]"
    python python/examples/lunar_lander.py --seed 0
"""

from __future__ import annotations

import argparse
import statistics

import gymnasium
from gymnasium.vector import AutoresetMode, VectorEnv

import learnery

ID = "LunarLander-v3"
#: Gymnasium calls an episode a solution from this return on.
SOLVED = 200
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
    """Environments that begin the next episode in the step that ends one. Gymnasium's default works as well."""
    kwargs = {"autoreset_mode": AutoresetMode.SAME_STEP}
    return gymnasium.make_vec(ID, count, vectorization_mode="sync", vector_kwargs=kwargs)


def measure(agent: learnery.ControlAgent, episodes: int) -> list[float]:
    """The returns of the first episode in each of so many environments, started with seeds that training never used."""
    envs = environments(episodes)
    observations, _ = envs.reset(seed=1_000_000)
    returns, running = [0.0] * episodes, [True] * episodes
    while any(running):
        observations, rewards, terminations, truncations, _ = envs.step(agent.act(observations))
        for i in range(episodes):
            returns[i] += float(rewards[i]) if running[i] else 0.0
            running[i] = running[i] and not (terminations[i] or truncations[i])
    return returns


def main() -> None:
    """Trains and measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--units", type=int, default=100)
    parser.add_argument("--envs", type=int, default=16)
    arguments = parser.parse_args()
    run = learnery.train(
        "control", SETTINGS | {"anneal": arguments.units}, arguments.seed, env=environments(arguments.envs), units=arguments.units, progress=True
    )
    returns = measure(run.agent(), 100)
    error = statistics.stdev(returns) / len(returns) ** 0.5
    solutions = sum(value >= SOLVED for value in returns)
    print(f"{run.work:,} steps: mean return {statistics.mean(returns):.0f} ± {error:.0f} (standard error)")
    print(f"{solutions} of {len(returns)} episodes reach {SOLVED}")


if __name__ == "__main__":
    main()
