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

import copy as copies
import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ClosedEnvironmentError, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from learnery import _native, _spaces
from learnery._checks import integer
from learnery._files import AnyPath
from learnery._rules import Rules

__all__ = ["IDS", "WorldsVectorEnv", "make"]

#: Gymnasium's IDs of the worlds.
IDS = tuple(_spaces.BUILT_IN)

#: Limits of the arguments. So many worlds are far more than are of use, and a mistyped number beyond them
#: would only exhaust the memory.
_MOST_ENVS = 1 << 24
_MOST_THREADS = 1024
_MOST_STEPS = 2**31 - 1
_MOST_SEED = 2**64 - 1

#: Width and height of pictures, in pixels.
_PICTURE = (720, 400)

#: What a step returns: observations, rewards, terminations, truncations, infos.
Results = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


def make(
    id: str | None = None,
    num_envs: int = 1,
    *,
    world: AnyPath | None = None,
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    copy: bool = True,
    num_threads: int = 1,
    max_episode_steps: int | None = None,
    render_mode: str | None = None,
    **constants: float,
) -> WorldsVectorEnv:
    """Makes `num_envs` worlds: those with Gymnasium's ID `id`, one of `IDS`, or those of a text.

    Args:
        id: Gymnasium's ID, such as `"CartPole-v1"`.
        num_envs: The number of worlds.
        world: The rules of a world of your own: a text, or the path of one.
        autoreset_mode: When a world whose episode has ended starts the next one; see Gymnasium's `AutoresetMode`.
        copy: Whether `reset` and `step` return copies. With `copy=False` they return the arrays that the worlds write
            into, valid until the next call of `reset`, `step` or `set_states`.
        num_threads: The number of threads that step the worlds. It changes no bit of any result.
        max_episode_steps: The steps after which an episode is truncated; those of the rules if it is left out.
        render_mode: `"rgb_array"` if `render` is to return pictures.
        constants: Values of the world's constants, such as `gravity=5.0`: attributes of Gymnasium's environment, or
            parameters of the text.
    """
    return WorldsVectorEnv(
        id,
        num_envs,
        world=world,
        autoreset_mode=autoreset_mode,
        copy=copy,
        num_threads=num_threads,
        max_episode_steps=max_episode_steps,
        render_mode=render_mode,
        **constants,
    )


class WorldsVectorEnv(VectorEnv[npt.NDArray[np.float32], npt.NDArray[Any], npt.NDArray[Any]]):
    """A batch of worlds with the same rules. Make it with `learnery.vector.make`."""

    def __init__(
        self,
        id: str | None = None,
        num_envs: int = 1,
        *,
        world: AnyPath | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int = 1,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **constants: float,
    ) -> None:
        if (id is None) == (world is None):
            raise ValueError("expected either an id or a world")
        if id is not None and id not in IDS:
            raise ValueError(f"there is no world {id!r}; there are {', '.join(IDS)}")
        self.num_envs = integer("num_envs", num_envs, 1, _MOST_ENVS)
        threads = integer("num_threads", num_threads, 1, _MOST_THREADS)
        if max_episode_steps is not None:
            max_episode_steps = integer("max_episode_steps", max_episode_steps, 1, _MOST_STEPS)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"there is no render_mode {render_mode!r}; there is 'rgb_array'")
        mode = AutoresetMode(autoreset_mode)
        rules = Rules(id, None) if world is None else Rules.of_text(world)
        self.rules = rules
        #: Whether the rules tell successes and faults. Those of worlds with Gymnasium's IDs do not.
        self._tells_ends = world is not None
        self.autoreset_mode = mode
        self.render_mode = render_mode
        fps = max(1, round(1 / rules.seconds_per_step))
        self.metadata = {"autoreset_mode": mode, "render_modes": ["rgb_array"], "render_fps": fps}
        self.spec = _spec(id, max_episode_steps)
        self._constants = rules.completed(constants)
        #: With the rules and the constants, all that `_made` needs to make the worlds.
        self._made_of = (threads, max_episode_steps)
        self.single_observation_space, self.single_action_space = _spaces.spaces(rules, self._constants)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.copy = copy
        #: Whether `reset` or `set_states` has been called.
        self._has_episodes = False
        #: The last actions, for pictures.
        self._last_actions: npt.NDArray[Any] | None = None
        #: `None` once the environment is closed.
        self._worlds: _native.Worlds | None = self._made()
        #: The arrays that `step` writes: observations, rewards, terminations, truncations.
        self._arrays = self._arrays_of(self._worlds)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts new episodes and returns their observations.

        Args:
            seed: World `i` gets the seed `seed + i`, and the first episode of that seed. A sequence names the seed of
                each world. Without a seed, a world starts its next episode. Seeds have 64 bits.
            options: `{"reset_mask": mask}` resets the worlds with a true value in the array `mask` only.
        """
        worlds = self._open_worlds()
        mask = self._mask(options)
        if mask is not None and not self._has_episodes:
            raise ResetNeeded("the first call of reset resets all worlds: leave out the option reset_mask")
        if seed is None and not self._has_episodes:
            # A random number, which the user can read and repeat. Gymnasium's have 128 bits.
            seed = (self.np_random_seed or 0) & _MOST_SEED
        seeds = self._seeds(seed)
        if seed is not None and not isinstance(seed, (Sequence, np.ndarray)):
            super().reset(seed=operator.index(seed))
        worlds.reset(seeds, mask)
        self._has_episodes = True
        return self._given(self._arrays[0]), {}

    def step(self, actions: npt.ArrayLike) -> Results:
        """Steps every world and returns observations, rewards, terminations, truncations and infos.

        In the mode `SAME_STEP`, `infos["final_obs"][i]` is the last observation of the episode that world `i` finished.

        If a text says the rules, then where an episode has ended, `infos["is_success"][i]` tells whether it succeeded; if
        the rules failed, such as by a division by zero, `infos["fault"][i]` is a sentence with the line. `_is_success` and
        `_fault` say which worlds these are of, and without any they are missing. In the mode `SAME_STEP` they are in
        `infos["final_info"]`, as with Gymnasium.
        """
        worlds = self._worlds
        if worlds is None or not self._has_episodes:
            worlds = self._open_worlds()  # raises if the environment is closed
            raise ResetNeeded("reset has not been called")
        # Actions like those that the space samples are taken as they are; others are converted, or refused.
        if not worlds.step(actions):
            worlds.step(self._converted(actions))
        if self.render_mode is not None:
            self._last_actions = np.array(self._converted(actions)).reshape(self.num_envs, -1)
        infos = self._ends(worlds) if self._tells_ends else {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = self._final_infos(worlds, infos)
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

    def render(self) -> tuple[npt.NDArray[np.uint8], ...] | None:
        """A picture of each world, `[height, width, 3]`, if it was made with `render_mode="rgb_array"`.

        A trail joins the positions at which pictures of the episode were made, so call it after every step.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render needs the render_mode 'rgb_array'")
            return None
        worlds = self._open_worlds()
        if not self._has_episodes:
            raise ResetNeeded("reset has not been called")
        actions = self._last_actions
        return tuple(
            worlds.paint(i, [] if actions is None else actions[i].tolist(), *_PICTURE) for i in range(self.num_envs)
        )

    def verdict(self, i: int) -> tuple[bool | None, str | None]:
        """Whether the episode that world `i` finished in the last step was a success, and what went wrong in its rules.

        Worlds with Gymnasium's IDs say neither.
        """
        return self._open_worlds().verdict(i)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each world: a constant, `state`, `spec`, `metadata`, `render_mode` or a space."""
        worlds = self._open_worlds()
        if name in self._constants:
            return (self._constants[name],) * self.num_envs
        if name == "state":
            return tuple(worlds.states()[0])
        own = {"observation_space": self.single_observation_space, "action_space": self.single_action_space}
        if name in own or name in ("spec", "metadata", "render_mode"):
            return (own[name] if name in own else getattr(self, name),) * self.num_envs
        raise AttributeError(f"{self.rules.name} has no attribute {name!r}; it has {', '.join(self._constants)}, state")

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls `render` of each world, or returns an attribute of each."""
        if name != "render":
            found = self.get_attr(name)
            if args or kwargs:
                raise TypeError(f"{name} takes no arguments")
            return found
        return self.render(*args, **kwargs) or (None,) * self.num_envs

    def set_attr(self, name: str, values: Any) -> None:
        """Changes a constant of all worlds from the next step on: a number, or one for each world, all equal.

        The spaces do not change with it.
        """
        worlds = self._open_worlds()
        if name not in self._constants:
            raise AttributeError(f"{self.rules.name} has no attribute {name!r} to set; it has {', '.join(self._constants)}")
        if isinstance(values, (list, tuple, np.ndarray)):
            if len(values) != self.num_envs:
                raise ValueError(f"there are {len(values)} values of {name} for {self.num_envs} worlds")
            if any(value != values[0] for value in values):
                raise ValueError(f"the worlds of a batch have the same {name}")
            values = values[0]
        constants = self._constants | {name: self.rules.completed({name: values})[name]}
        worlds.set_constants(list(constants.values()))
        self._constants = constants

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"_worlds": None, "_arrays": [array.copy() for array in self._arrays]}
        if self._worlds is not None:
            state["_saved"] = self._worlds.save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        arrays, saved = state.pop("_arrays"), state.pop("_saved", None)
        self.__dict__ |= state
        self._arrays = tuple(arrays)
        if saved is None:
            return
        self._worlds = self._made()
        self._worlds.restore(saved)
        self._arrays = self._arrays_of(self._worlds)
        for array, content in zip(self._arrays, arrays):
            array[...] = content

    def close_extras(self, **kwargs: Any) -> None:
        """Frees the worlds."""
        self._worlds = None

    def _made(self) -> _native.Worlds:
        """The worlds at the start of their first episodes."""
        threads, max_steps = self._made_of
        constants = list(self._constants.values())
        return _native.Worlds(self.rules.native, self.num_envs, self.autoreset_mode.value, threads, constants, max_steps)

    def _open_worlds(self) -> _native.Worlds:
        if self._worlds is None:
            raise ClosedEnvironmentError("the vector environment is closed")
        return self._worlds

    @staticmethod
    def _arrays_of(worlds: _native.Worlds) -> tuple[npt.NDArray[Any], ...]:
        return worlds.observations, worlds.rewards, worlds.terminations, worlds.truncations

    # What `reset` and `set_states` return of an array that the worlds write.
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
        if isinstance(seed, str) or not isinstance(seed, (Sequence, np.ndarray)):
            first = integer("seed", seed, 0, _MOST_SEED)
            return [(first + i) % 2**64 for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds for {self.num_envs} worlds")
        return [
            None if each is None else integer(f"the seed of world {i}", each, 0, _MOST_SEED) for i, each in enumerate(seed)
        ]

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

    def _ends(self, worlds: _native.Worlds) -> dict[str, Any]:
        """What the rules say about the episodes that ended in the last step, as Gymnasium has infos."""
        ended, successes, faults = worlds.verdicts()
        if not ended.any():
            return {}
        infos: dict[str, Any] = {"is_success": successes, "_is_success": ended}
        if faults:
            fault, mask = np.full(self.num_envs, None, dtype=object), np.zeros(self.num_envs, dtype=np.bool_)
            for i, sentence in faults:
                fault[i], mask[i] = sentence, True
            infos |= {"fault": fault, "_fault": mask}
        return infos

    def _final_infos(self, worlds: _native.Worlds, final_info: dict[str, Any]) -> dict[str, Any]:
        """`final_obs` and `final_info` of the episodes that ended in the last step, as Gymnasium has them."""
        ended, observations = worlds.ended()
        if not len(ended):
            return {}
        final_obs = np.full(self.num_envs, None, dtype=object)
        for i, observation in zip(ended, observations):
            final_obs[i] = observation
        mask = np.zeros(self.num_envs, dtype=np.bool_)
        mask[ended] = True
        return {"final_obs": final_obs, "_final_obs": mask, "final_info": final_info, "_final_info": mask.copy()}


def _spec(id: str | None, max_episode_steps: int | None) -> EnvSpec | None:
    """Gymnasium's specification of the world, which texts have none of."""
    if id is None:
        return None
    spec = gymnasium.spec(id)
    if max_episode_steps is not None:
        spec = copies.deepcopy(spec)
        spec.max_episode_steps = max_episode_steps
    return spec
