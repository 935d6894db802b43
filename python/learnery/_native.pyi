"""The compiled half of the package. What is meant for users is in `learnery.vector`."""

from typing import Any, final

import numpy as np
import numpy.typing as npt

__all__ = ["Worlds"]

@final
class Worlds:
    """A batch of worlds of one kind."""

    def __new__(cls, id: str, count: int, autoreset: str, threads: int) -> Worlds: ...
    @property
    def observations(self) -> npt.NDArray[np.float32]: ...
    @property
    def rewards(self) -> npt.NDArray[np.float32]: ...
    @property
    def terminations(self) -> npt.NDArray[np.bool_]: ...
    @property
    def truncations(self) -> npt.NDArray[np.bool_]: ...
    def reset(self, seeds: list[int | None] | None, mask: list[bool] | None) -> None:
        """Resets the worlds of `mask`, or all, and writes `observations`."""

    def step(self, actions: Any) -> bool:
        """Steps all worlds and writes the four arrays.

        Returns false, and does nothing, if `actions` is not an array of the type, the shape and the layout that the
        action space samples.
        """

    def ended(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The worlds whose episode ended in the last step, and the last observations of these episodes."""

    def states(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
        """The states that the observations show, and the number of steps in each episode."""

    def set_states(self, states: npt.NDArray[np.float32], steps: npt.NDArray[np.uint32]) -> None:
        """Continues each episode in this state, after this number of steps, and writes `observations`."""
