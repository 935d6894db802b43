"""Learnery's worlds as Gymnasium's vector environments.

>>> import learnery.vector
>>> envs = learnery.vector.make("CartPole-v1", num_envs=4)
>>> envs
WorldsVectorEnv(CartPole-v1, num_envs=4)
>>> observations, infos = envs.reset(seed=0)
>>> observations.shape
(4, 4)
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from learnery import _native, _spaces
from learnery._checks import integer

__all__ = ["IDS", "WorldsVectorEnv", "make"]

#: Gymnasium's IDs of the worlds.
IDS = tuple(_spaces.SPACES)

#: Far more worlds than pay, and few enough that their memory can be had.
_MOST_ENVS = 1 << 24
_MOST_THREADS = 1024

Results = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


def make(
    id: str,
    num_envs: int = 1,
    *,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    copy: bool = True,
    num_threads: int = 1,
) -> WorldsVectorEnv:
    """Makes `num_envs` worlds with Gymnasium's ID `id`: one of `IDS`.

    Args:
        id: Gymnasium's ID, such as `"CartPole-v1"`.
        num_envs: The number of worlds.
        autoreset_mode: When a world whose episode has ended starts the next one; see Gymnasium's `AutoresetMode`.
        copy: Whether `reset` and `step` return copies. With `copy=False` they return the arrays that the worlds write
            into, valid until the next call of `reset`, `step` or `set_states`.
        num_threads: The number of threads that step the worlds. It changes no bit of any result.
    """
    return WorldsVectorEnv(id, num_envs, autoreset_mode=autoreset_mode, copy=copy, num_threads=num_threads)


class WorldsVectorEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[Any], npt.NDArray[Any]]):
    """A batch of worlds of one kind. Make it with `learnery.vector.make`."""

    def __init__(
        self,
        id: str,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
    ) -> None:
        if id not in _spaces.SPACES:
            raise ValueError(f"there is no world {id!r}; there are {', '.join(IDS)}")
        self.num_envs = integer("num_envs", num_envs, 1, _MOST_ENVS)
        threads = integer("num_threads", num_threads, 1, _MOST_THREADS)
        mode = AutoresetMode(autoreset_mode)
        self.autoreset_mode = mode
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.spec = gymnasium.spec(id)
        self.single_observation_space, self.single_action_space = _spaces.SPACES[id]()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.copy = copy
        self._worlds: _native.Worlds | None = _native.Worlds(id, self.num_envs, mode.value, threads)
        #: What `step` returns: observations, rewards, terminations, truncations.
        self._arrays = self._arrays_of(self._worlds)
        self._has_episodes = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts new episodes and returns their observations.

        Args:
            seed: World `i` gets the seed `seed + i`, and the first episode of that seed. A sequence names the seed of
                each world. Without a seed, a world starts its next episode.
            options: `{"reset_mask": mask}` resets the worlds with a true value in the array `mask` only.
        """
        worlds = self._open_worlds()
        mask = self._mask(options)
        if mask is not None and not self._has_episodes:
            raise ResetNeeded("the first call of reset resets all worlds: leave out the option reset_mask")
        if seed is None and not self._has_episodes:
            # A random number, which the user can read and repeat.
            seed = self.np_random_seed
        elif isinstance(seed, (int, np.integer)):
            super().reset(seed=_seed(seed))
        worlds.reset(self._seeds(seed), mask)
        self._has_episodes = True
        return self._given(self._arrays[0]), {}

    def step(self, actions: npt.ArrayLike) -> Results:
        """Steps every world and returns observations, rewards, terminations, truncations and infos.

        In the mode `SAME_STEP`, `infos["final_obs"][i]` is the last observation of the episode that world `i` finished.
        """
        worlds = self._worlds
        if worlds is None or not self._has_episodes:
            worlds = self._open_worlds()
            raise ResetNeeded("reset has not been called")
        if not worlds.step(actions):
            worlds.step(self._converted(actions))
        infos = self._final_infos(worlds) if self.autoreset_mode == AutoresetMode.SAME_STEP else {}
        observations, rewards, terminations, truncations = self._arrays
        if self.copy:
            return observations.copy(), rewards.copy(), terminations.copy(), truncations.copy(), infos
        return observations, rewards, terminations, truncations, infos

    def states(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
        """The states of the worlds, `[num_envs, state]`, and the number of steps in each episode.

        The numbers of a state are those of Gymnasium's environment, in its order.
        """
        return self._open_worlds().states()

    def set_states(self, states: npt.ArrayLike, steps: npt.ArrayLike = 0) -> npt.NDArray[np.float32]:
        """Continues each episode in the state `states[i]`, after `steps[i]` steps, and returns the observations."""
        worlds = self._open_worlds()
        counts = np.asarray(steps)
        if counts.dtype.kind not in "iu" or np.any(counts < 0) or np.any(counts >= 2**32):
            raise ValueError("steps must be integers that are not negative")
        counts = np.ascontiguousarray(np.broadcast_to(counts, (self.num_envs,)), dtype=np.uint32)
        worlds.set_states(np.ascontiguousarray(states, dtype=np.float32), counts)
        self._has_episodes = True
        return self._given(self._arrays[0])

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the worlds."""
        self._worlds = None

    def _open_worlds(self) -> _native.Worlds:
        if self._worlds is None:
            raise ClosedEnvironmentError("the vector environment is closed")
        return self._worlds

    @staticmethod
    def _arrays_of(worlds: _native.Worlds) -> tuple[npt.NDArray[Any], ...]:
        return worlds.observations, worlds.rewards, worlds.terminations, worlds.truncations

    def _given(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return array.copy() if self.copy else array

    def _mask(self, options: dict[str, Any] | None) -> list[bool] | None:
        """The worlds that `options` name, or None for all."""
        unknown = sorted(set(options or ()) - {"reset_mask"})
        if unknown:
            raise ValueError(f"there is no option {unknown[0]!r}; there is reset_mask")
        if not options:
            return None
        mask = np.asarray(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(
                f"reset_mask must be an array of {self.num_envs} booleans, not of {mask.dtype} with the shape {mask.shape}"
            )
        if not mask.any():
            raise ValueError("reset_mask names no world")
        return [bool(each) for each in mask]

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None] | None:
        """The seed of each world."""
        if seed is None:
            return None
        if isinstance(seed, (int, np.integer)):
            first = _seed(seed)
            return [(first + i) % 2**64 for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} worlds")
        return [None if each is None else _seed(each) % 2**64 for each in seed]

    def _converted(self, actions: npt.ArrayLike) -> npt.NDArray[Any]:
        """`actions` as an array like those that the action space samples."""
        space = self.action_space
        array = np.asarray(actions)
        if array.shape != space.shape:
            raise ValueError(f"actions must have the shape {space.shape}, not {array.shape}")
        kinds, words = ("iu", "integers") if space.dtype == np.int64 else ("fiu", "floats")
        if array.dtype.kind not in kinds:
            raise ValueError(f"actions must be {words}, not {array.dtype}")
        return np.ascontiguousarray(array, dtype=space.dtype)

    def _final_infos(self, worlds: _native.Worlds) -> dict[str, Any]:
        """`final_obs` and `final_info` of the episodes that ended in the last step, as Gymnasium has them."""
        ended, observations = worlds.ended()
        if not len(ended):
            return {}
        final_obs = np.full(self.num_envs, None, dtype=object)
        for i, observation in zip(ended, observations):
            final_obs[i] = observation
        mask = np.zeros(self.num_envs, dtype=np.bool_)
        mask[ended] = True
        # The worlds have no infos of their own.
        return {"final_obs": final_obs, "_final_obs": mask, "final_info": {}, "_final_info": mask.copy()}


def _seed(value: int) -> int:
    try:
        seed = operator.index(value)
    except TypeError:
        raise ValueError(f"a seed must be an integer, not {value!r}") from None
    if seed < 0:
        raise ValueError(f"a seed must not be negative: {seed}")
    return seed
