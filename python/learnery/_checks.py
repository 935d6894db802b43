"""Checks of arguments from users, and settings as JSON for the Rust extension."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np


def integer(name: str, value: object, least: int, most: int) -> int:
    """`value` as an integer from `least` to `most`."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError  # Python counts `True` as 1.
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"{name} must be an integer, not {value!r}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} must be from {least} to {most}, not {number}")
    return number


def seed_of_run(value: object) -> int:
    """`value` as the seed of a run or of an evaluation, which has 32 bits in Rust."""
    return integer("seed", value, 0, 2**32 - 1)


def as_json(noun: str, values: Mapping[str, Any]) -> str:
    """Settings or options as JSON. `noun` names one of them in errors, such as "setting"."""
    parts = []
    for name, value in values.items():
        if isinstance(value, (np.generic, np.ndarray)):
            value = value.tolist()
        elif isinstance(value, os.PathLike):
            value = os.fspath(value)
        try:
            parts.append(f"{json.dumps(str(name))}: {json.dumps(value, allow_nan=False)}")
        except (TypeError, ValueError):
            raise ValueError(f"{noun} `{name}`: {value!r} is neither a finite number nor a text nor a truth value") from None
    return "{" + ", ".join(parts) + "}"
