"""Bad input is refused in one sentence and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError, ResetNeeded

import learnery.vector
from worlds import same


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(id="Taxi-v3"), "there is no world 'Taxi-v3'; there are CartPole-v1, MountainCar-v0, Pendulum-v1, Acrobot-v1"),
        (dict(num_envs=0), "num_envs must be from 1 to 16777216, not 0"),
        (dict(num_envs=-1), "num_envs must be from 1 to 16777216, not -1"),
        (dict(num_envs=10**30), "num_envs must be from 1 to"),
        (dict(num_envs=2.5), "num_envs must be an integer, not 2.5"),
        (dict(num_threads=0), "num_threads must be from 1 to 1024, not 0"),
        (dict(autoreset_mode="never"), "'never' is not a valid AutoresetMode"),
    ],
)
def test_make_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        learnery.vector.make(**({"id": "CartPole-v1"} | arguments))


@pytest.mark.parametrize(
    "id, actions, message",
    [
        ("CartPole-v1", [0, 1, 2], "the action of world 2 is 2, not an integer from 0 to 1"),
        ("CartPole-v1", [0, -1, 0], "the action of world 1 is -1, not"),
        ("CartPole-v1", [0, 2**40, 0], "the action of world 1 is 1099511627776, not"),
        ("CartPole-v1", [0, 1], r"actions must have the shape \(3,\), not \(2,\)"),
        ("CartPole-v1", [0.0, 1.0, 1.0], "actions must be integers, not float64"),
        ("CartPole-v1", ["a", "b", "c"], "actions must be integers, not <U1"),
        ("Pendulum-v1", [[0.0], [np.nan], [0.0]], "the action of world 1 is NaN, not a finite number"),
        ("Pendulum-v1", [0.0, 0.0, 0.0], r"actions must have the shape \(3, 1\), not \(3,\)"),
        ("Pendulum-v1", [["a"], ["b"], ["c"]], "actions must be floats, not <U1"),
    ],
)
def test_step_refuses(id, actions, message):
    envs = learnery.vector.make(id, 3)
    envs.reset(seed=0)
    before = envs.states()
    for given in [actions, np.array(actions)]:
        with pytest.raises(ValueError, match=message):
            envs.step(given)
    assert same(before, envs.states())


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_integers_of_every_size_are_actions(dtype):
    ours, theirs = learnery.vector.make("CartPole-v1", 3), learnery.vector.make("CartPole-v1", 3)
    ours.reset(seed=0)
    theirs.reset(seed=0)
    # Neither the type nor the layout matters.
    assert same(ours.step(np.array([0, 9, 1, 9, 1], dtype)[::2]), theirs.step([0, 1, 1]))


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(seed=-1), "seed must be from 0 to 18446744073709551615, not -1"),
        (dict(seed=2**64), "seed must be from 0 to 18446744073709551615, not 18446744073709551616"),
        (dict(seed="12"), "seed must be an integer, not '12'"),
        (dict(seed=1.5), "seed must be an integer, not 1.5"),
        (dict(seed=True), "seed must be an integer, not True"),
        (dict(seed={}), "seed must be an integer, not {}"),
        (dict(seed=[1, 2**64, 3]), "the seed of world 1 must be from 0 to 18446744073709551615, not"),
        (dict(seed=[1, 2]), "there are 2 seeds for 3 worlds"),
        (dict(seed=[1, 2, "3"]), "the seed of world 2 must be an integer, not '3'"),
        (dict(options={"low": 1}), "there is no option 'low'; there is reset_mask"),
        (dict(options={"reset_mask": np.array([True])}), "reset_mask must be an array of 3 booleans, not of bool"),
        (dict(options={"reset_mask": np.array([1, 0, 1])}), "reset_mask must be an array of 3 booleans, not of int64"),
        (dict(options={"reset_mask": np.zeros(3, dtype=bool)}), "reset_mask names no world"),
    ],
)
def test_reset_refuses(arguments, message):
    envs = learnery.vector.make("CartPole-v1", 3)
    envs.reset(seed=0)
    before = envs.states()
    with pytest.raises(ValueError, match=message):
        envs.reset(**arguments)
    assert same(before, envs.states())


@pytest.mark.parametrize(
    "states, steps, message",
    [
        (np.zeros((2, 4)), 0, r"states need the shape \[3, 4\] and steps \[3\], not \[2, 4\] and \[3\]"),
        (np.full((3, 4), [[0.0], [9.0], [0.0]]), 0, "no running episode can be in the state .* of world 1 after 0 steps"),
        (np.full((3, 4), np.nan), 0, "no running episode can be in the state .* of world 0"),
        (np.zeros((3, 4)), [0, 0, 500], "no running episode can be in the state .* of world 2 after 500 steps"),
        (np.zeros((3, 4)), -1, "steps must be integers that are not negative"),
        (np.zeros((3, 4)), 0.5, "steps must be integers that are not negative"),
    ],
)
def test_set_states_refuses(states, steps, message):
    envs = learnery.vector.make("CartPole-v1", 3)
    envs.reset(seed=0)
    before = envs.states()
    with pytest.raises(ValueError, match=message):
        envs.set_states(states, steps)
    assert same(before, envs.states())


def test_a_view_that_cannot_be_written_is_refused():
    envs = learnery.vector.make("CartPole-v1", 3, copy=False)
    observations, _ = envs.reset(seed=0)
    observations.flags.writeable = False
    before = envs.states()
    with pytest.raises(TypeError, match="not writeable"):
        envs.step([0, 0, 0])
    assert same(before, envs.states())


def test_calls_out_of_order_are_refused():
    envs = learnery.vector.make("CartPole-v1", 3)
    with pytest.raises(ResetNeeded, match="reset has not been called"):
        envs.step([0, 0, 0])
    with pytest.raises(ResetNeeded, match="the first call of reset resets all worlds"):
        envs.reset(options={"reset_mask": np.ones(3, dtype=bool)})
    envs.reset(seed=0)
    envs.close()
    envs.close()
    assert envs.closed
    for call in [lambda: envs.step([0, 0, 0]), envs.reset, envs.states]:
        with pytest.raises(ClosedEnvironmentError, match="is closed"):
            call()
