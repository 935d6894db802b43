"""The observation and action spaces of the worlds. With the usual constants they are those of Gymnasium's environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Discrete

from learnery._rules import Rules

#: The observation space and the action space of a world.
Pair = tuple[Space[Any], Space[Any]]
Constants = Mapping[str, float]


def _box(low: list[float], high: list[float]) -> Box:
    return Box(np.array(low, dtype=np.float32), np.array(high, dtype=np.float32), dtype=np.float32)


def _symmetric(high: list[float]) -> Box:
    return _box([-bound for bound in high], high)


def _cart_pole(constants: Constants) -> Pair:
    # Twice the bounds at which an episode ends.
    bounds = [2 * constants["x_threshold"], np.inf, 2 * constants["theta_threshold_radians"], np.inf]
    return _symmetric(bounds), Discrete(2)


def _mountain_car(constants: Constants) -> Pair:
    speed = constants["max_speed"]
    return _box([constants["min_position"], -speed], [constants["max_position"], speed]), Discrete(3)


def _pendulum(constants: Constants) -> Pair:
    torque = constants["max_torque"]
    return _symmetric([1.0, 1.0, constants["max_speed"]]), Box(-torque, torque, (1,), np.float32)


def _acrobot(constants: Constants) -> Pair:
    return _symmetric([1.0, 1.0, 1.0, 1.0, constants["MAX_VEL_1"], constants["MAX_VEL_2"]]), Discrete(3)


BUILT_IN: dict[str, Callable[[Constants], Pair]] = {
    "CartPole-v1": _cart_pole,
    "MountainCar-v0": _mountain_car,
    "Pendulum-v1": _pendulum,
    "Acrobot-v1": _acrobot,
}


def spaces(rules: Rules, constants: Constants) -> Pair:
    """The spaces of one world with these rules."""
    if rules.id is not None:
        return BUILT_IN[rules.id](constants)
    # A text gives no bounds of its observations.
    observations = Box(-np.inf, np.inf, (len(rules.observations),), np.float32)
    if rules.choices is not None:
        return observations, Discrete(rules.choices)
    low, high = zip(*rules.bounds)
    return observations, _box(list(low), list(high))
