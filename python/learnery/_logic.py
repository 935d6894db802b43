"""The agent of the logic lab: a circuit of logic gates that every cell of a grid runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from learnery import _native
from learnery._agent import Agent
from learnery._checks import integer
from learnery._tools import LogicTools


class Circuit:
    """The hard circuit of one cell, in which every gate is its most likely kind, as a function on arrays.

    A cell has `channels` bits, of which the first `shown` are shown. Wires are numbered: first the inputs, `9 * channel + k` for
    the k-th cell of the neighbourhood in reading order, then the gates in their order.
    """

    def __init__(self, checkpoint: _native.Checkpoint, full: bool) -> None:
        # What a pickle makes it from again.
        self._made_of = (checkpoint, full)
        self._circuit = _native.Circuit(checkpoint, full)
        #: The experiment that it was trained for, such as `"life"`.
        self.experiment: str = self._circuit.experiment
        #: Width and height of the training grid.
        self.size: int = self._circuit.size
        #: Whether the edges of the training grid wrap around. Otherwise the cells beyond them are 0.
        self.periodic: bool = self._circuit.periodic
        #: Bits of a cell.
        self.channels: int = self._circuit.channels
        #: How many of them are shown.
        self.shown: int = self._circuit.shown
        #: The probability that a cell updates in a step of the training.
        self.fire_rate: float = self._circuit.fire_rate
        #: The gates, `[gates, 3]`: the kind, and the two wires that the gate reads. Bit `3 - (2 a + b)` of the kind is the
        #: answer to the bits `a` and `b`.
        self.gates: npt.NDArray[np.int64] = self._circuit.gates()
        #: The wire of each channel's next value, `[channels]`.
        self.outputs: npt.NDArray[np.int64] = self._circuit.outputs()

    def __call__(
        self,
        states: npt.ArrayLike,
        steps: int = 1,
        *,
        active: npt.ArrayLike | None = None,
        periodic: bool | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Runs some steps and returns the states after them.

        Args:
            states: The bits of all cells, `[height, width, channels]` or `[grids, height, width, channels]`, as truth values
                or as the integers 0 and 1.
            steps: The number of steps.
            active: The cells that change, an array like `states` without the channels. All do if it is left out.
            periodic: Whether edges wrap around; as in training if it is left out.
        """
        array = _bits("states", states)
        if array.ndim not in (3, 4):
            raise ValueError(f"states need the axes height, width and channels, not the shape {array.shape}")
        mask = None if active is None else _bits("active", active)
        if mask is not None and mask.shape != array.shape[:-1]:
            raise ValueError(f"active needs the shape {array.shape[:-1]}, not {mask.shape}")
        if array.ndim == 3:
            mask = None if mask is None else mask[np.newaxis]
        after = self._circuit.run(
            array if array.ndim == 4 else array[np.newaxis],
            integer("steps", steps, 0, 2**32 - 1),
            mask,
            self.periodic if periodic is None else bool(periodic),
        )
        return after if array.ndim == 4 else after[0]

    def __reduce__(self) -> tuple[Any, ...]:
        checkpoint, full = self._made_of
        return _restored, (checkpoint.to_bytes(), full)

    def __repr__(self) -> str:
        return f"Circuit({self.experiment!r}, gates={len(self.gates)})"


class LogicAgent(LogicTools, Agent):  # type: ignore[misc]  # its `ask` is narrower than the general one
    """A cell of a cellular automaton, made of logic gates."""

    lab = "logic"

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        super().__init__(checkpoint)
        self._circuit = Circuit(checkpoint, False)

    def circuit(self, *, full: bool = False) -> Circuit:
        """The circuit of a cell: pruned, or with all of its gates if `full`."""
        return Circuit(self._checkpoint, True) if full else self._circuit

    def export(self, format: str = "verilog", *, full: bool = False) -> str:
        """The circuit as `"verilog"`, `"json"`, `"wgsl"` or `"c"`, as `learnery logic export` writes it."""
        # `Agent.ask` and not `self.ask`, whose generated types allow only certain formats: the tool checks
        # it.
        text: str = Agent.ask(self, "export", format=format, full=full).output["text"]
        return text


def _restored(content: bytes, full: bool) -> Circuit:
    """The circuit of a pickle."""
    return Circuit(_native.Checkpoint.from_bytes(content, "the pickled circuit"), full)


def _bits(name: str, values: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    array = np.asarray(values)
    if array.dtype != np.bool_ and (array.dtype.kind not in "iu" or np.any((array != 0) & (array != 1))):
        raise ValueError(f"{name} must be truth values or the integers 0 and 1, not {array.dtype}")
    return np.ascontiguousarray(array, dtype=np.bool_)
