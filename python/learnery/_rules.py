"""The rules of worlds: Gymnasium's, and those of texts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from learnery import _native
from learnery._files import AnyPath

#: Gymnasium's names of constants that a text cannot have: its `dt` is a word of the language of worlds, so
#: the texts of these worlds call it `tau`.
_GYMNASIUM_NAMES = {"Pendulum-v1": {"tau": "dt"}, "Acrobot-v1": {"tau": "dt"}}


class Rules:
    """The rules of the world with Gymnasium's ID `id`, or of a text; the other one is `None`."""

    def __init__(self, id: str | None, text: str | None) -> None:
        self.id, self.text = id, text
        self.native = _native.World.compile(text or "") if id is None else _native.World.built_in(id)
        described: dict[str, Any] = json.loads(self.native.describe())
        #: The title of the text, and the sentence `about` in it.
        self.title: str = described["title"]
        self.about: str = described["about"]
        #: The number of choices of an action; `None` if an action is several numbers.
        self.choices: int | None = described["choices"]
        #: The bounds of each number of an action.
        self.bounds: list[tuple[float, float]] = described["bounds"]
        #: The names of the numbers of an observation.
        self.observations: list[str] = described["observations"]
        self.max_episode_steps: int | None = described["limit"]
        self.seconds_per_step: float = described["seconds_per_step"]
        #: What the checker warns of, each with its line.
        self.warnings: list[str] = described["warnings"]
        names = _GYMNASIUM_NAMES.get(id or "", {})
        #: The usual values of the constants, in the order of the text.
        self.constants: dict[str, float] = {
            # The shortest number that is read as this one in single precision.
            names.get(each["name"], each["name"]): float(str(np.float32(each["value"])))
            for each in described["parameters"]
        }

    @classmethod
    def of_text(cls, world: AnyPath) -> Rules:
        """The rules of a text, or of the text in a file."""
        if isinstance(world, str) and "\n" in world:
            return cls._compiled("the world", world)
        if not isinstance(world, (str, os.PathLike)):
            raise ValueError(f"world must be a text or a path, not {world!r}")
        try:
            text = Path(world).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{world} is not a text in UTF-8") from None
        return cls._compiled(str(world), text)

    @classmethod
    def _compiled(cls, name: str, text: str) -> Rules:
        try:
            return cls(None, text)
        except ValueError as error:
            raise ValueError(f"{name} has errors:\n{error}") from None

    @property
    def name(self) -> str:
        """What errors call it."""
        return self.id or repr(self.title)

    def completed(self, constants: Mapping[str, Any]) -> dict[str, float]:
        """All constants: these values, and the usual ones for the others."""
        for name, value in constants.items():
            if name not in self.constants:
                known = ", ".join(self.constants) or "no constants"
                raise ValueError(f"{self.name} has no constant {name!r}; it has {known}")
            if not isinstance(value, (int, float, np.integer, np.floating)) or isinstance(value, bool):
                raise ValueError(f"{name} must be a number, not {value!r}")
            if not math.isfinite(value):
                raise ValueError(f"{name} must be a finite number, not {value}")
        return self.constants | {name: float(value) for name, value in constants.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.id, self.text)
