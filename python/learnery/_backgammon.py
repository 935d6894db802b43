"""The agent of the backgammon lab."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from learnery import _native
from learnery._agent import Agent, Report
from learnery._checks import integer
from learnery._files import AnyPath
from learnery._tools import BackgammonTools

#: The largest number that fits the 32 bits of the Rust side. The lab refuses smaller ones too, and names its
#: limit.
_MOST_SIMULATIONS = 2**32 - 1


@dataclass(frozen=True)
class Value:
    """What a network expects of a position: probabilities of the side on roll, in which wins include gammons, and gammons
    include backgammons."""

    #: The position, seen from the side on roll.
    position: str
    win: float
    gammon: float
    backgammon: float
    lost_gammon: float
    lost_backgammon: float
    #: The expected points without the doubling cube, from -3 to 3.
    equity: float


@dataclass(frozen=True)
class Play:
    """The best play."""

    #: In standard notation, such as `8/5 6/5`; empty if no checker can move.
    notation: str
    #: The position after it, seen from the other side.
    position: str
    #: Its equity for the side that plays.
    equity: float
    #: The number of different plays there are.
    plays: int


@dataclass(frozen=True)
class CubeDecision:
    """Whether to double and whether to take."""

    #: As a sentence.
    verdict: str
    #: All figures, as `learnery backgammon cube --json` has them.
    figures: dict[str, Any]
    #: All figures as a table.
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class MatchAnalysis:
    """What every decision of a match cost."""

    #: Every judgement and both players' statistics, as `learnery backgammon analyse --json` has them.
    figures: dict[str, Any]
    #: The statistics as a table.
    text: str
    #: The match as a `.mat` file with comments.
    mat: str
    #: Whether it was ended early, so that some decisions are not judged.
    interrupted: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Rollout:
    """The mean of many games."""

    #: All figures, as `learnery backgammon rollout --json` has them.
    figures: dict[str, Any]
    #: The figures as a table.
    text: str
    #: Whether it was ended early, so that it is about fewer games than were asked for.
    interrupted: bool = False

    def __str__(self) -> str:
        return self.text


class BackgammonAgent(BackgammonTools, Agent):  # type: ignore[misc]  # its `ask` is narrower than the general one
    """A network that values positions of backgammon.

    A position is a position ID of GNU Backgammon, optionally with a match ID behind a colon, or an XGID. `plies` is the number of
    rolls that it looks ahead.
    """

    lab = "backgammon"

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        super().__init__(checkpoint)
        #: The networks that have been used, by plies and simulations, because reading one takes a while.
        self._networks: dict[tuple[int, int | None], _native.BackgammonNetwork] = {}
        # Reads the network, so that a damaged one is refused when the agent is made.
        self._network(0)

    @overload
    def evaluate(self, position: str, *, plies: int = 0) -> Value: ...
    @overload
    def evaluate(
        self, position: None = None, *, seed: int = 0, progress: bool | None = None, **options: Any
    ) -> Report: ...
    def evaluate(self, position: str | None = None, **options: Any) -> Value | Report:
        """Values a position for the side on roll; without one, measures the strength in games.

        The options of a measurement are those of `learnery eval`, such as `games=1000` and `against="pubeval"` or the path
        of another checkpoint. `seed` is that of its dice.
        """
        if position is None:
            return super().evaluate(**options)
        plies = options.pop("plies", 0)
        if options:
            raise ValueError(f"`{next(iter(options))}` belongs to a measurement, which has no position")
        found, chances, equity = self._network(plies).value(_line(position))
        win, gammon, backgammon, lost_gammon, lost_backgammon = chances
        return Value(found, win, gammon, backgammon, lost_gammon, lost_backgammon, equity)

    def best_play(
        self,
        position: str,
        dice: Sequence[int] | None = None,
        *,
        plies: int = 0,
        simulations: int | None = None,
    ) -> Play:
        """Chooses the play for two dice, which some positions contain already.

        With a match score in the position, it is the best play for the match, with the cube. With `simulations`, a tree
        search of so many chooses instead of `plies` of lookahead.
        """
        if simulations is not None and plies != 0:
            raise ValueError("a tree search has simulations and no plies")
        return Play(*self._network(plies, simulations).best_play(_line(position, dice)))

    def inputs(self, position: str, dice: Sequence[int] | None = None) -> tuple[str, npt.NDArray[np.float32]]:
        """The name of the network that values a position, as `onnx` has it, and the row of its inputs.

        Networks with a policy head know only positions with dice. Positions with exact values have no network.
        """
        return self._network(0).inputs(_line(position, dice))

    @staticmethod
    def plays(position: str, dice: Sequence[int] | None = None) -> list[str]:
        """The positions that all different plays lead to, seen from the other side. It needs no network."""
        return _native.backgammon_plays(_line(position, dice))

    def cube(self, position: str, *, plies: int = 0) -> CubeDecision:
        """Decides about the doubling cube, before the roll.

        A position ID without a match ID means money without the Jacoby rule and a cube in the middle.
        """
        found, text = self._network(plies).cube(_line(position))
        figures = json.loads(found)
        return CubeDecision(figures["verdict"], figures, text)

    def analyse(self, match: AnyPath, *, plies: int = 0) -> MatchAnalysis:
        """Judges every decision of a match in a `.mat` or `.sgf` file, as `learnery backgammon analyse` does."""
        answer = self.ask("analyse", file=match, plies=integer("plies", plies, 0, 255))
        output = answer.output
        if output is None:
            raise KeyboardInterrupt
        return MatchAnalysis(output["analysis"], output["text"], output["mat"], answer.partial)

    def rollout(self, position: str, dice: Sequence[int] | None = None, **options: Any) -> Rollout:
        """Plays many games from a position, or after each play of the dice, and takes their mean.

        The options are those of `learnery backgammon rollout`, such as `games=1296`, `truncate=7` (rolls after which the
        network values the position) and `seed`. Ctrl-C ends it, and so do `seconds`, as in `ask`; the result is about the games
        that have ended. If none has, it raises `KeyboardInterrupt` or `TimeoutError`.
        """
        answer = self.ask("rollout", position=_line(position, dice), **options)
        if answer.interrupted and answer.output is None:
            raise KeyboardInterrupt
        if answer.output is None:
            raise TimeoutError("no game of the rollout has ended in this time")
        return Rollout(answer.output["rollout"], answer.output["text"], answer.partial)

    def _network(self, plies: int, simulations: int | None = None) -> _native.BackgammonNetwork:
        plies = integer("plies", plies, 0, 255)
        if simulations is not None:
            simulations = integer("simulations", simulations, 0, _MOST_SIMULATIONS)
        key = (plies, simulations)
        if key not in self._networks:
            self._networks[key] = _native.BackgammonNetwork(self._checkpoint, plies, simulations)
        return self._networks[key]


def _line(position: str, dice: Sequence[int] | None = None) -> str:
    """The line of text that the Rust side reads: the position, and the dice if there are any."""
    if not isinstance(position, str):
        raise ValueError(f"a position must be a text, not {position!r}")
    if dice is None:
        return position
    numbers = [integer("a die", die, 1, 6) for die in dice]
    if len(numbers) != 2:
        raise ValueError(f"there are {len(numbers)} dice; expected two")
    return f"{position} {numbers[0]} {numbers[1]}"
