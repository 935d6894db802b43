"""Vector environments of Gymnasium, as `learnery.train` learns in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv

#: What became of an episode in a step; 0 if it goes on. `python/src/environments.rs` reads these numbers.
_TERMINATED, _TRUNCATED = 1, 2

#: What `Stepper.step` returns, in the order that it names.
_Step = tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.float32],
    npt.NDArray[np.uint8],
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
]


class Stepper:
    """Steps a vector environment for a run, in whichever way it begins the next episode.

    Observations become rows of float32, and actions come as rows of float32.
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], seed: int) -> None:
        if not isinstance(env, VectorEnv):
            raise ValueError(
                f"env must be a gymnasium.vector.VectorEnv, not {type(env).__name__}; gymnasium.make_vec makes one"
            )
        observations, actions = env.single_observation_space, env.single_action_space
        if not isinstance(observations, Box):
            raise ValueError(f"the observations must be a Box, not {type(observations).__name__}")
        if not isinstance(actions, (Box, Discrete)):
            raise ValueError(f"the actions must be Discrete or a Box, not {type(actions).__name__}")
        if isinstance(actions, Box) and actions.dtype.kind != "f":
            raise ValueError(f"the actions of a Box must be floats, not {actions.dtype}")
        if isinstance(actions, Discrete) and actions.start != 0:
            raise ValueError(f"the actions must be numbered from 0, not from {actions.start}")
        self._env = env
        #: The seed of the next reset; `None` after the first one.
        self._seed: int | None = seed
        self._actions = actions
        mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        self._mode = AutoresetMode(mode) if isinstance(mode, str) else mode
        #: The number of environments, and of the numbers of an observation.
        self.count = int(env.num_envs)
        self.inputs = int(np.prod(observations.shape, dtype=np.int64))
        #: In the mode `NEXT_STEP`: the environments whose next step only begins an episode.
        self._began = np.zeros(self.count, dtype=np.bool_)

    @property
    def name(self) -> str:
        """Gymnasium's ID of the environment, or the name of its class."""
        spec = self._env.spec
        return type(self._env.unwrapped).__name__ if spec is None else str(spec.id)

    @property
    def choices(self) -> int | None:
        """The number of discrete actions; `None` for continuous ones."""
        return int(self._actions.n) if isinstance(self._actions, Discrete) else None

    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The bounds of the numbers of a continuous action."""
        if isinstance(self._actions, Discrete):
            return [], []
        return self._actions.low.ravel().tolist(), self._actions.high.ravel().tolist()

    def start(self) -> npt.NDArray[np.float32]:
        """Begins new episodes. The seed of the run determines the first ones."""
        self._began[:] = False
        observations, _ = self._env.reset(seed=self._seed)
        self._seed = None
        return self._rows(observations)

    def step(self, numbers: npt.NDArray[np.float32]) -> _Step:
        """Takes a step in all environments with the actions `numbers`, `[count, numbers of an action]`.

        Returns observations, rewards, what became of the episodes, last observations of those that ended, and which
        environments only began an episode. Where no episode ended, the last observation has no meaning.
        """
        actions: npt.NDArray[Any]
        if isinstance(self._actions, Discrete):
            actions = numbers[:, 0].astype(self._actions.dtype)
        else:
            actions = numbers.reshape(self.count, *self._actions.shape).astype(self._actions.dtype)
            # A bound in float64 may lie between two numbers of float32.
            actions = np.clip(actions, self._actions.low, self._actions.high)
        observations, rewards, terminations, truncations, infos = self._env.step(actions)
        rows = self._rows(observations)
        rewarded = self._finite("the reward", np.array(rewards, dtype=np.float32).reshape(self.count))
        terminated = np.asarray(terminations, dtype=np.bool_).reshape(self.count)
        truncated = np.asarray(truncations, dtype=np.bool_).reshape(self.count) & ~terminated
        outcomes = np.where(terminated, _TERMINATED, np.where(truncated, _TRUNCATED, 0)).astype(np.uint8)
        ended, began = terminated | truncated, np.zeros(self.count, dtype=np.bool_)
        last = rows
        if self._mode is AutoresetMode.NEXT_STEP:
            # In the step after its end, an environment ignores the action and returns the first observation
            # of the next episode.
            began, self._began = self._began, ended
            outcomes[began], rewarded[began] = 0, 0.0
        elif ended.any():
            if self._mode is AutoresetMode.SAME_STEP:
                last = self._last_rows(rows, truncated, infos)
            else:
                restarted, _ = self._env.reset(options={"reset_mask": ended})
                rows = self._rows(restarted)
        return rows, rewarded, outcomes, last, began

    def _last_rows(
        self, rows: npt.NDArray[np.float32], truncated: npt.NDArray[np.bool_], infos: dict[str, Any]
    ) -> npt.NDArray[np.float32]:
        """`rows` with the last observations of truncated episodes, for the mode `SAME_STEP`.

        Those of terminated episodes are not needed, because nothing is expected after them.
        """
        last = rows.copy()
        if not truncated.any():
            return last
        finals = infos.get("final_obs", infos.get("final_observation"))
        if finals is None:
            raise ValueError("the environments give no `final_obs`, so an episode at its time limit cannot be valued")
        for i in np.flatnonzero(truncated):
            last[i] = np.asarray(finals[i], dtype=np.float32).ravel()
        return self._finite("an observation", last)

    def _rows(self, observations: Any) -> npt.NDArray[np.float32]:
        rows = np.asarray(observations, dtype=np.float32).reshape(self.count, self.inputs)
        # The environment may write the next observations into the same array.
        return self._finite("an observation", np.array(rows, order="C"))

    def _finite(self, what: str, array: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        if not np.isfinite(array).all():
            place = np.argwhere(~np.isfinite(array))[0]
            raise ValueError(f"{what} of environment {place[0]} is {array[tuple(place)]}; expected finite numbers")
        return array
