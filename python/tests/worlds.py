"""What several tests share: Gymnasium's environments beside ours, and actions."""

from __future__ import annotations

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import golden
import learnery.vector

#: The texts of the example worlds.
WORLDS = sorted((golden.ROOT / "crates/world-rules/examples").glob("*.world"))
IDS = learnery.vector.IDS
MODES = tuple(AutoresetMode)


def sync(id: str, num_envs: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP) -> SyncVectorEnv:
    """Gymnasium's environments."""
    return SyncVectorEnv(
        [lambda: gymnasium.make(id, disable_env_checker=True) for _ in range(num_envs)], autoreset_mode=mode
    )


def same(one, other) -> bool:
    """Whether the results of two calls are equal to the bit."""
    return data_equivalence(one, other, exact=True)


def copy_states(theirs: SyncVectorEnv, states: np.ndarray) -> None:
    """Puts Gymnasium's environments into these states. Numbers with single precision are exact in double precision."""
    for env, state in zip(theirs.envs, states):
        env.unwrapped.state = state.astype(np.float64)


def elapsed_steps(theirs: SyncVectorEnv) -> list[int]:
    return [env.get_wrapper_attr("_elapsed_steps") for env in theirs.envs]


def actions_for(id: str, states: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Actions that reach the goal, or the time limit of CartPole, in the first world, and random ones in the others."""
    count = len(states)
    if id == "Pendulum-v1":
        # Some are outside of the interval, to which they are clipped.
        return rng.uniform(-3, 3, (count, 1)).astype(np.float32)
    actions = rng.integers(0, 2 if id == "CartPole-v1" else 3, count)
    if id == "CartPole-v1":
        actions[0] = states[0] @ [0.05, 0.1, 1.0, 0.3] > 0
    else:
        # Pushes in the direction of the velocity pump energy into the world.
        velocity = states[0][1] if id == "MountainCar-v0" else states[0][3]
        actions[0] = 0 if velocity < 0 else 2
    return actions
