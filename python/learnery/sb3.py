"""The worlds for Stable-Baselines3, which has an interface of its own for vector environments.

    import learnery.sb3
    from stable_baselines3 import PPO

    PPO("MlpPolicy", learnery.sb3.make("CartPole-v1", 64)).learn(100_000)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv  # type: ignore[import-not-found]

import learnery.vector

__all__ = ["WorldsVecEnv", "make"]

Indices = None | int | Iterable[int]


def make(id: str | None = None, num_envs: int = 1, **options: Any) -> WorldsVecEnv:
    """Makes `num_envs` worlds as `learnery.vector.make` does, with the same options except `autoreset_mode` and `copy`."""
    return WorldsVecEnv(id, num_envs, **options)


class WorldsVecEnv(VecEnv):  # type: ignore[misc]
    """A batch of worlds with the same rules.

    The info of a world whose episode has ended has `terminal_observation`, `TimeLimit.truncated`, and the return and the length
    of the episode as `episode`, as with Stable-Baselines3's own monitor, and with a text `is_success` and `fault` as in
    `learnery.gym`.
    """

    def __init__(self, id: str | None = None, num_envs: int = 1, **options: Any) -> None:
        self.envs = learnery.vector.make(id, num_envs, autoreset_mode="SameStep", **options)
        super().__init__(num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._actions: npt.NDArray[Any] | None = None
        #: When the worlds were made, from which `t` of an episode is counted, as in Stable-Baselines3's
        #: monitor.
        self._begin = time.monotonic()
        #: The return and the length of the episode of each world so far.
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, dtype=np.int64)

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Sets the seed of the next reset: that of world `i` is `seed + i`."""
        return super().seed(self.envs.np_random_seed if seed is None else seed)  # type: ignore[no-any-return]

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts an episode in every world."""
        # `_seeds` is what `seed` has set: one for each world, or `None` for all.
        seeds = None if any(seed is None for seed in self._seeds) else self._seeds
        observations, _ = self.envs.reset(seed=seeds)
        # They count for one reset only.
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        return observations

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions of the next step."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Steps every world."""
        if self._actions is None:
            raise ValueError("step_async has not been called")
        observations, rewards, terminations, truncations, infos = self.envs.step(self._actions)
        self._actions = None
        self._returns += rewards
        self._lengths += 1
        dones = terminations | truncations
        found: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            found[i] = {
                "terminal_observation": infos["final_obs"][i],
                "TimeLimit.truncated": bool(truncations[i] and not terminations[i]),
                "episode": {
                    "r": float(self._returns[i]),
                    "l": int(self._lengths[i]),
                    "t": round(time.monotonic() - self._begin, 6),
                },
            }
            final_info = infos["final_info"]
            if "is_success" in final_info:
                found[i]["is_success"] = bool(final_info["is_success"][i])
            if "fault" in final_info and final_info["_fault"][i]:
                found[i]["fault"] = final_info["fault"][i]
        self._returns[dones] = 0
        self._lengths[dones] = 0
        return observations, rewards, dones, found

    def close(self) -> None:
        """Frees the worlds."""
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of each of these worlds, as `learnery.vector` has it."""
        values = self.envs.get_attr(attr_name)
        return [values[i] for i in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Changes a constant of all worlds."""
        self._check_all(indices)
        self.envs.set_attr(attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of each of these worlds, as `call` of `learnery.vector` does."""
        values = self.envs.call(method_name, *method_args, **method_kwargs)
        return [values[i] for i in self._get_indices(indices)]

    def get_images(self) -> Sequence[npt.NDArray[np.uint8] | None]:
        """A picture of each world, if they were made with `render_mode="rgb_array"`."""
        return self.envs.call("render")

    def _check_all(self, indices: Indices) -> None:
        if len(set(self._get_indices(indices))) != self.num_envs:
            raise ValueError("the worlds of a batch have the same constants; leave out the indices")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Worlds are wrapped in nothing; their infos have `episode` all the same."""
        return [False] * len(list(self._get_indices(indices)))
