"""The agent of the control lab: PPO's actor and critic."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from learnery import _native
from learnery._agent import Agent
from learnery._tools import ControlTools


class ControlAgent(ControlTools, Agent):  # type: ignore[misc]  # its `ask` is narrower than the general one
    """An agent of CartPole, MountainCar, Pendulum or Acrobot, or of a world of the user's own.

    Observations are those of Gymnasium's world or of the text, an array `[numbers]` of one or `[worlds, numbers]` of many.
    """

    lab = "control"

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        super().__init__(checkpoint)
        self._network = _native.ControlNetwork(checkpoint)

    @property
    def world(self) -> str:
        """Gymnasium's ID of its world, such as `"CartPole-v1"`, which `learnery.vector.make` takes too, or the title of a text."""
        return self._network.world

    def act(self, observations: npt.ArrayLike) -> npt.NDArray[Any]:
        """The most probable actions, as the step of a world or of many takes them.

        Continuous ones are within their bounds, clipped or squashed as in training (the setting `action_bounds`).
        """
        array, alone = _rows(observations)
        actions = self._network.act(array)
        shaped: npt.NDArray[Any] = actions[:, 0].astype(np.int64) if self._network.is_discrete else actions
        return shaped[0] if alone else shaped

    def actor(self, observations: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """The outputs of the actor: the logit of each action, or the mean of the continuous one before it is clipped or squashed."""
        array, alone = _rows(observations)
        outputs = self._network.actor(array)
        return outputs[0] if alone else outputs

    def critic(self, observations: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """The discounted return that the critic expects."""
        array, alone = _rows(observations)
        values = self._network.critic(array)
        return values[0] if alone else values


def _rows(observations: npt.ArrayLike) -> tuple[npt.NDArray[np.float32], bool]:
    """Observations as rows, and whether there was only one without an axis for many."""
    array = np.asarray(observations)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"observations must be numbers, not {array.dtype}")
    if array.ndim not in (1, 2):
        raise ValueError(f"observations must have one or two axes, not the shape {array.shape}")
    alone = array.ndim == 1
    rows = np.ascontiguousarray(np.atleast_2d(array), dtype=np.float32)
    if not np.isfinite(rows).all():
        row, place = np.argwhere(~np.isfinite(rows))[0]
        whose = "the observation" if alone else f"the observation of world {row}"
        raise ValueError(f"{whose} has {rows[row, place]} at place {place}; expected finite numbers")
    return rows, alone
