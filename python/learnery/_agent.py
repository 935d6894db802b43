"""What the agents of all labs have in common."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from learnery import _files, _native, _progress
from learnery._checks import as_json, seed_of_run
from learnery._files import AnyPath

Self = TypeVar("Self", bound="Agent")


@dataclass(frozen=True)
class Report:
    """The result of an evaluation."""

    #: One sentence.
    summary: str
    #: The statistics by their names, most important first.
    figures: dict[str, float]
    #: The unit of each statistic; empty where it has none.
    units: dict[str, str]
    #: Whether Ctrl-C ended it early, so that it is about a part of what was asked for.
    interrupted: bool = False

    def __str__(self) -> str:
        return f"{self.summary} (interrupted)" if self.interrupted else self.summary


@dataclass(frozen=True)
class Answer:
    """What a tool answers."""

    #: The tables, lists, texts and numbers that `learnery ask` writes as JSON; `None` if nothing was known yet.
    output: Any
    #: Whether the tool was ended early, so that the answer may be incomplete.
    partial: bool = False
    #: Whether Ctrl-C ended it.
    interrupted: bool = False


class Agent:
    """A trained agent. `learnery.load` gives the one of the file's lab."""

    #: The lab of a class of agents; empty for `Agent`, which serves labs without a class of their own.
    lab: ClassVar[str] = ""

    def __init__(self, checkpoint: _native.Checkpoint) -> None:
        self._checkpoint = checkpoint
        self._header: dict[str, Any] = json.loads(checkpoint.header())

    @classmethod
    def load(cls: type[Self], path: AnyPath) -> Self:
        """Reads the agent of a checkpoint, which must be of the class's lab if it has one."""
        checkpoint = _files.read(path)
        if cls.lab not in ("", checkpoint.lab):
            raise ValueError(f"{path}: it belongs to the lab `{checkpoint.lab}`, not to `{cls.lab}`")
        return cls(checkpoint)

    def ask(
        self,
        tool: str,
        *,
        seconds: float | None = None,
        progress: bool | None = None,
        on_event: Callable[[Any], object] | None = None,
        **input: Any,
    ) -> Answer:
        """Asks a tool of the lab, such as `analyse`. `learnery ask` gives the same answer on the command line.

        Args:
            tool: The tool's name. The error for an unknown one lists those of the lab.
            seconds: Ends the tool after this time. Ctrl-C ends it too. The answer is what is known by then.
            progress: As for `learnery.train`.
            on_event: Called with each thing that the tool reports on its way, such as what a rollout knows after some
                of its games: the tables, lists, texts and numbers that `learnery ask --events` writes as JSON.
            input: What the tool is asked about; of a file, its path. The error for a bad value names it.
        """
        content = None
        name = file_input(self._checkpoint, tool, input)
        if name is not None:
            content = Path(input[name]).read_bytes()
            input[name] = str(input[name])
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"seconds must be a finite number that is not negative, not {seconds!r}")
        take = None if on_event is None else lambda event: on_event(json.loads(event))
        with _progress.shown(progress, tool, self._checkpoint.counts(tool)) as show:
            asked = as_json("input", input)
            output, *early = _native.ask(self._checkpoint, tool, asked, content, seconds, show, take)
        return Answer(json.loads(output), *early)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of its run."""
        return dict(self._header["config"])

    @property
    def units(self) -> int:
        """The units (training iterations) of its run."""
        return int(self._header["units"])

    @property
    def seed(self) -> int:
        """The seed of its run."""
        return int(self._header["seed"])

    @property
    def tensors(self) -> MappingProxyType[str, npt.NDArray[Any]]:
        """The tensors of its networks by their names, which cannot be written to."""
        tensors = {
            name: np.frombuffer(content, dtype=dtype).reshape(shape)
            for name, dtype, shape, content in self._checkpoint.tensors()
        }
        return MappingProxyType(tensors)

    def onnx(self) -> dict[str, bytes]:
        """Its networks as ONNX files by their names, as `learnery export --format onnx` writes them."""
        return dict(self._checkpoint.onnx())

    def fingerprint(self) -> str:
        """The fingerprint of its run."""
        return self._checkpoint.fingerprint()

    def evaluate(self, *, seed: int = 0, progress: bool | None = None, **options: Any) -> Report:
        """Measures its strength, as `learnery eval` does with the same options and the same seed.

        Ctrl-C ends an evaluation, and the report is about the games, episodes, states, problems, text or tests that are
        done; by `KeyboardInterrupt` if none are. `progress` is that of `learnery.train`.
        """
        counts = self._checkpoint.counts("evaluate")
        with _progress.shown(progress, f"{self._checkpoint.lab} evaluation", counts) as show:
            summary, figures, interrupted = self._checkpoint.evaluate(as_json("option", options), seed_of_run(seed), show)
        return Report(
            summary,
            {name: value for name, value, _ in figures},
            {name: unit for name, _, unit in figures},
            interrupted,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._checkpoint.to_bytes())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(units={self.units}, seed={self.seed})"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            others = [other.lab for other in Agent.__subclasses__() if hasattr(other, name)]
            if others and not name.startswith("_"):
                labs = "`, `".join(others)
                raise AttributeError(
                    f"this agent is of the lab `{self._checkpoint.lab}`; `{name}` belongs to agents of `{labs}`"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def file_input(checkpoint: _native.Checkpoint, tool: str, input: dict[str, Any]) -> str | None:
    """The input that names a file, if one does. What may be something else and is no file, the tool refuses."""
    name, known, is_always_file = _native.file_input(checkpoint, tool) or ("", [], True)
    path = input.get(name)
    if path in (None, "", *known):
        return None
    return name if is_always_file or (isinstance(path, (str, os.PathLike)) and Path(path).exists()) else None


def _restored(kind: type[Agent], content: bytes) -> Agent:
    """The agent of a pickle."""
    return kind(_native.Checkpoint.from_bytes(content, "the pickled agent"))
