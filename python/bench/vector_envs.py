"""Measures steps per second of vector environments through Python, beside those of other libraries.

    pip install envpool==1.2.5 gymnax==1.0.1 six
    python python/bench/vector_envs.py

A step takes actions from an array and gives observations, rewards, terminations, truncations and infos. The actions are
random and prepared. All environments take turns, in rounds, on the same cores, and the best round of each counts: other work
on the machine makes a round slower, never faster. EnvPool and gymnax (with JAX) are measured where they are installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import learnery.vector

#: The least duration of a measurement in each round, in seconds.
SECONDS = 0.002
#: Arrays of actions, which are used in turn: few enough to stay in the processor's cache.
ACTIONS = 16

#: Takes step `i` in all worlds of an environment, with the actions `i % ACTIONS`.
Step = Callable[[int], Any]


def actions_of(envs: Any, worlds: int) -> list[np.ndarray]:
    """`ACTIONS` arrays of random actions for this number of worlds."""
    space = gymnasium.vector.utils.batch_space(envs.single_action_space, worlds)
    space.seed(0)
    return [space.sample() for _ in range(ACTIONS)]


def gymnasium_step(envs: gymnasium.vector.VectorEnv) -> Step:
    envs.reset(seed=0)
    actions = actions_of(envs, envs.num_envs)
    return lambda i: envs.step(actions[i % ACTIONS])


def ours(id: str, worlds: int, threads: int, copy: bool) -> Step:
    return gymnasium_step(learnery.vector.make(id, worlds, copy=copy, num_threads=threads))


def envpool_step(id: str, worlds: int, threads: int) -> Step:
    import envpool

    envs = envpool.make(id, env_type="gymnasium", num_envs=worlds, num_threads=threads, seed=0)
    envs.reset()
    like = gymnasium.make(id)
    space = gymnasium.vector.utils.batch_space(like.action_space, worlds)
    space.seed(0)
    # EnvPool takes 32-bit actions; the spaces of Gymnasium sample 64-bit integers.
    kind = np.int32 if isinstance(like.action_space, gymnasium.spaces.Discrete) else np.float32
    actions = [space.sample().astype(kind) for _ in range(ACTIONS)]
    return lambda i: envs.step(actions[i % ACTIONS])


def gymnax_step(id: str, worlds: int) -> Step:
    import gymnax
    import jax

    env, parameters = gymnax.make(id)
    key = jax.random.split(jax.random.key(0), worlds)
    _, state = jax.vmap(env.reset, in_axes=(0, None))(key, parameters)
    step = jax.jit(jax.vmap(env.step, in_axes=(0, 0, 0, None)))
    like = gymnasium.make(id)
    space = gymnasium.vector.utils.batch_space(like.action_space, worlds)
    space.seed(0)
    actions = [space.sample() for _ in range(ACTIONS)]

    def run(i: int) -> None:
        nonlocal state
        _, state, *rest = jax.block_until_ready(step(key, state, actions[i % ACTIONS], parameters))

    return run


def environments(id: str, worlds: int, threads: int) -> dict[str, tuple[int, Callable[[], Step]]]:
    """The environments to measure: for each name, the number of worlds and what makes its `Step`."""
    # Gymnasium steps one world after the other, so more of them only make a round longer.
    few = min(worlds, 64)
    all: dict[str, tuple[int, Callable[[], Step]]] = {
        "learnery, `copy=False`": (worlds, lambda: ours(id, worlds, threads, False)),
        "learnery, `copy=True`": (worlds, lambda: ours(id, worlds, threads, True)),
        "learnery, one world": (1, lambda: ours(id, 1, 1, False)),
        "Gymnasium, `SyncVectorEnv`": (
            few,
            lambda: gymnasium_step(gymnasium.make_vec(id, few, vectorization_mode="sync")),
        ),
    }
    if gymnasium.spec(id).vector_entry_point:
        all["Gymnasium, `vector_entry_point`"] = (
            worlds,
            lambda: gymnasium_step(gymnasium.make_vec(id, worlds, vectorization_mode="vector_entry_point")),
        )
    if importlib.util.find_spec("envpool"):
        all["EnvPool"] = (worlds, lambda: envpool_step(id, worlds, threads))
    if importlib.util.find_spec("gymnax"):
        all["gymnax"] = (worlds, lambda: gymnax_step(id, worlds))
    return all


def seconds_of_step(step: Step, seconds: float) -> float:
    """Steps for at least this time, and at least `ACTIONS` times. Returns the seconds of one step."""
    done, elapsed, begin = 0, 0.0, time.perf_counter()
    while done == 0 or elapsed < seconds:
        # The clock is read once for all of these, because reading it for each would add to a step of a
        # microsecond.
        for i in range(ACTIONS):
            step(i)
        done += ACTIONS
        elapsed = time.perf_counter() - begin
    return elapsed / done


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--id", default="CartPole-v1", choices=learnery.vector.IDS)
    parser.add_argument("--worlds", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1, help="threads of learnery and EnvPool, and cores for all")
    parser.add_argument("--rounds", type=int, default=200)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.threads])
    names = environments(arguments.id, arguments.worlds, arguments.threads)
    steps = {name: make() for name, (_, make) in names.items()}
    best = dict.fromkeys(names, float("inf"))
    for step in steps.values():
        seconds_of_step(step, 0.0)  # JAX compiles in the first call.
    for _ in range(arguments.rounds):
        for name, step in steps.items():
            best[name] = min(best[name], seconds_of_step(step, SECONDS))
    print(f"{arguments.id} on {arguments.threads} of {os.cpu_count()} cores, the best of {arguments.rounds} rounds\n")
    print("| environment | worlds | microseconds of a call | million steps a second |")
    print("|---|--:|--:|--:|")
    for name, (worlds, _) in names.items():
        print(f"| {name} | {worlds} | {best[name] * 1e6:.2f} | {worlds / best[name] / 1e6:.4g} |")


if __name__ == "__main__":
    main()
