"""The agent of the cube lab."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from learnery import _native
from learnery._agent import Agent
from learnery._checks import integer
from learnery._tools import CubeTools

#: The largest beam width that is allowed, and the one at which a search that is given seconds stops widening
#: its beams.
_WIDEST_BEAM = 1 << 20


@dataclass(frozen=True)
class Solution:
    """Turns that solve a cube."""

    #: In standard notation, such as `R U' F2`; empty for a solved cube.
    turns: str
    #: Their number.
    length: int
    #: The number of turns of a shortest solution of the 2x2x2; `None` for the 3x3x3, of which it is not known.
    least: int | None

    def __str__(self) -> str:
        return self.turns


class CubeAgent(CubeTools, Agent):  # type: ignore[misc]  # its `ask` is narrower than the general one
    """A network that solves the 2x2x2 or the 3x3x3, `puzzle`."""

    lab = "cube"

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        super().__init__(checkpoint)
        self._network = _native.CubeNetwork(checkpoint)

    @property
    def puzzle(self) -> str:
        """`"2x2x2"` or `"3x3x3"`."""
        return self._network.puzzle

    def inputs(self, scramble: str | None = None, *, stickers: str | None = None) -> npt.NDArray[np.int64]:
        """What a cube is for the network, the input of its ONNX file: a row of integers.

        A 2x2x2 network that learned with symmetry gets the cube that represents all 96 symmetric ones.
        """
        return self._infer(scramble, stickers)[0]

    def outputs(self, scramble: str | None = None, *, stickers: str | None = None) -> npt.NDArray[np.float32]:
        """What the network says of a cube: its distance, the distances after all turns, or a score or logit of each turn."""
        return self._infer(scramble, stickers)[1]

    def _infer(
        self, scramble: str | None, stickers: str | None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        if (scramble is None) == (stickers is None):
            raise ValueError("expected either a scramble or stickers")
        return self._network.infer(scramble or "", stickers)

    def solve(
        self,
        scramble: str | None = None,
        *,
        stickers: str | None = None,
        beam: int | None = None,
        seconds: float | None = None,
        metric: str | None = None,
    ) -> Solution | None:
        """Solves a cube that is given by a scramble or by its stickers. Returns `None` if no solution is found.

        Args:
            scramble: Turns of the solved cube, such as `"R U' F2"`.
            stickers: 24 or 54 letters instead, face by face in the order U R F D L B.
            beam: The width of a beam search. Without one, a 2x2x2 is solved by the greedy policy.
            seconds: For the 3x3x3: how long to go on with wider and wider beams, from `beam` on. If neither is given, ten
                seconds.
            metric: What counts as one turn, `"quarter"` or `"half"`; as in training if it is left out.
        """
        if (scramble is None) == (stickers is None):
            raise ValueError("expected either a scramble or stickers")
        if beam is not None:
            beam = integer("beam", beam, 1, _WIDEST_BEAM)
        if seconds is not None:
            if self.puzzle == "2x2x2":
                raise ValueError("seconds are for networks of the 3x3x3")
            if not (math.isfinite(seconds) and seconds >= 0):
                raise ValueError(f"seconds must be a finite number that is not negative, not {seconds!r}")
        elif beam is None and self.puzzle == "3x3x3":
            seconds = 10.0
        # `Agent.ask` and not `self.ask`, whose generated types allow only certain texts for `metric`: the
        # tool checks it. A `beam` of 0 is the tool's default, and a `widest` of 0 searches with one width
        # only.
        answer = Agent.ask(
            self,
            "solve",
            seconds=seconds,
            progress=False,
            cube=scramble if stickers is None else stickers,
            given_by="scramble" if stickers is None else "stickers",
            beam=beam or 0,
            widest=0 if seconds is None else _WIDEST_BEAM,
            metric=metric or "usual",
        )
        if answer.interrupted:
            raise KeyboardInterrupt
        found, shortest = answer.output["solution"], answer.output["shortest"]
        if found is None:
            return None
        return Solution(" ".join(found["turns"]), found["length"], None if shortest is None else shortest["length"])
