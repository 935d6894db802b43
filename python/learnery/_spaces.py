"""The observation and action spaces of the worlds: those of Gymnasium's environments with the same IDs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Discrete

Pair = tuple[Space[Any], Space[Any]]


def _box(low: list[float], high: list[float]) -> Box:
    return Box(np.array(low, dtype=np.float32), np.array(high, dtype=np.float32), dtype=np.float32)


def _symmetric(high: list[float]) -> Box:
    return _box([-bound for bound in high], high)


def _cart_pole() -> Pair:
    # Twice the bounds at which an episode ends.
    return _symmetric([4.8, np.inf, 2 * (12 * 2 * np.pi / 360), np.inf]), Discrete(2)


def _mountain_car() -> Pair:
    return _box([-1.2, -0.07], [0.6, 0.07]), Discrete(3)


def _pendulum() -> Pair:
    return _symmetric([1.0, 1.0, 8.0]), Box(-2.0, 2.0, (1,), np.float32)


def _acrobot() -> Pair:
    return _symmetric([1.0, 1.0, 1.0, 1.0, 4 * np.pi, 9 * np.pi]), Discrete(3)


SPACES: dict[str, Callable[[], Pair]] = {
    "CartPole-v1": _cart_pole,
    "MountainCar-v0": _mountain_car,
    "Pendulum-v1": _pendulum,
    "Acrobot-v1": _acrobot,
}
