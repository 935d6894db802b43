"""PPO in vector environments that Python steps."""

from __future__ import annotations

import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode, VectorEnv

import learnery

#: A small network that learns CartPole in some seconds.
SMALL = {"horizon": 64, "hidden": 32, "epochs": 6, "minibatches": 8, "learning_rate": 0.003}


def cart_poles(mode: AutoresetMode, count: int = 16) -> VectorEnv:
    return gymnasium.make_vec(
        "CartPole-v1", count, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}
    )


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_cart_pole_of_gymnasium_is_learned_however_episodes_begin(mode):
    rows = []
    run = learnery.train("control", SMALL, 1, rows.append, env=cart_poles(mode), units=14)
    assert (run.ended, run.units, run.work, run.settings["worlds"]) == ("units", 14, 14 * 64 * 16, 16)
    returns = run.history["return"]
    assert returns[0] < 60 and returns[-1] > 2.5 * returns[0], returns
    assert len(rows) == 14 and rows[-1]["return"] == returns[-1]


def test_the_same_seed_gives_the_same_network_where_environments_repeat_themselves():
    runs = [learnery.train("control", SMALL, seed, env=cart_poles(AutoresetMode.NEXT_STEP), units=2) for seed in (5, 5, 6)]
    tensors = [run.agent().tensors["actor/0/weight"] for run in runs]
    assert np.array_equal(tensors[0], tensors[1]) and not np.array_equal(tensors[0], tensors[2])


def test_worlds_of_learnery_are_environments_too():
    env = learnery.vector.make("Pendulum-v1", 8, autoreset_mode="SameStep")
    run = learnery.train("control", SMALL, env=env, units=1)
    agent = run.agent()
    assert agent.world == "Pendulum-v1"
    actions = agent.act(np.array([[1, 0, 0], [0, 1, 8]]))
    assert actions.shape == (2, 1) and np.abs(actions).max() <= 2


def test_squashed_actions_lie_within_the_bounds():
    env = learnery.vector.make("Pendulum-v1", 8, autoreset_mode="SameStep")
    run = learnery.train("control", {**SMALL, "action_bounds": "squashed"}, env=env, units=1)
    agent = run.agent()
    observations = np.array([[1, 0, 0], [0, 1, 8], [-1, 0, -8]])
    assert agent.settings["action_bounds"] == "squashed"
    assert np.allclose(agent.act(observations), 2 * np.tanh(agent.actor(observations)), atol=1e-6)


def test_network_and_optimiser_are_saved_and_the_rest_is_refused(tmp_path):
    path = tmp_path / "run.safetensors"
    run = learnery.train("control", SMALL, env=cart_poles(AutoresetMode.NEXT_STEP), units=2)
    run.save(path)
    agent = learnery.load(path)
    assert isinstance(agent, learnery.ControlAgent) and agent.world == "CartPole-v1"
    assert agent.act(np.zeros(4)) in (0, 1)
    goes_on = learnery.train("control", env=cart_poles(AutoresetMode.SAME_STEP), start_from=path, units=1)
    assert (goes_on.units, goes_on.work, goes_on.settings["hidden"]) == (3, 3 * 64 * 16, 32)
    goes_on.configure(learning_rate=1e-4)
    assert goes_on.settings["learning_rate"] == 1e-4
    for refused, words in (
        (run.fingerprint, "has no fingerprint"),
        (lambda: pickle.dumps(run), "cannot be pickled"),
        (lambda: learnery.Run.load(path), "start_from"),
        (lambda: agent.evaluate(), "only Python can use it"),
        (lambda: goes_on.configure(hidden=8), "needs a restart"),
        (lambda: goes_on.train(), "needs units, seconds or a callback"),
        (lambda: goes_on.train(until_goal=True), "no goal"),
        (lambda: learnery.train("control", env=pendulums(), start_from=path, units=1), "other spaces"),
        (lambda: learnery.train("control", start_from=path, units=1), "needs env"),
    ):
        with pytest.raises(ValueError, match=words):
            refused()


def pendulums() -> VectorEnv:
    return gymnasium.make_vec("Pendulum-v1", 2)


class Odd(VectorEnv):
    """Three environments of these spaces, whose episodes never end.

    In the third step they call `fails`, if there is one. All numbers of an observation are `value`, all
    rewards are `reward`.
    """

    def __init__(self, observations=None, actions=None, *, fails=None, value=0.0, reward=0.0):
        self.num_envs = 3
        self.single_observation_space = observations or Box(-1, 1, (2, 2), np.float64)
        self.single_action_space = actions or Discrete(3)
        self._fails, self._value, self._reward, self._steps = fails, value, reward, 0

    def reset(self, *, seed=None, options=None):
        return np.full((3, 2, 2), 0.5), {}

    def step(self, actions):
        self._steps += 1
        assert actions.shape[0] == 3
        if self._fails and self._steps == 3:
            self._fails()
        observations = np.full((3, 2, 2), self._value)
        return observations, np.full(3, self._reward), np.zeros(3, bool), np.zeros(3, bool), {}


def fail(error):
    def raise_it():
        raise error

    return raise_it


def test_errors_of_an_environment_are_passed_on_and_the_network_can_be_saved(tmp_path):
    run = learnery.Run("control", {"horizon": 2, "minibatches": 1}, env=Odd(fails=fail(ZeroDivisionError("the third"))))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="the third"):
            run.train(units=2)
    assert run.units == 1
    run.save(tmp_path / "run.safetensors")
    assert learnery.load(tmp_path / "run.safetensors").units == 1


def test_an_interrupt_that_an_environment_notices_first_ends_the_training():
    run = learnery.Run("control", {"horizon": 2, "minibatches": 1}, env=Odd(fails=fail(KeyboardInterrupt())))
    assert (run.train(units=3), run.units) == ("interrupted", 1)
    assert (run.train(units=2), run.units) == ("units", 3)


def test_an_environment_cannot_use_the_run_that_steps_it():
    run = learnery.Run("control", {"horizon": 8}, env=Odd(fails=lambda: run.units))
    with pytest.raises(RuntimeError, match="cannot use the run that steps it"):
        run.train(units=1)


def test_actions_stay_within_bounds_that_float32_cannot_hold():
    space = Box(-0.1, 0.1, (1,), np.float64)

    class Checked(Odd):
        def step(self, actions):
            assert all(space.contains(action) for action in actions)
            return super().step(actions)

    learnery.train("control", {"horizon": 64, "initial_spread": 10.0}, env=Checked(actions=space), units=1)


@pytest.mark.parametrize("broken", [{"value": np.nan}, {"reward": np.inf}])
def test_numbers_that_are_not_finite_are_refused(broken):
    with pytest.raises(ValueError, match="environment 0 is (nan|inf)"):
        learnery.train("control", {"horizon": 8}, env=Odd(**broken), units=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"env": gymnasium.make("CartPole-v1")}, "gymnasium.make_vec makes one"),
        ({"env": Odd(observations=Dict(a=Discrete(2)))}, "must be a Box"),
        ({"env": Odd(actions=MultiDiscrete([2, 2]))}, "must be Discrete or a Box"),
        ({"env": Odd(actions=Discrete(3, start=1))}, "numbered from 0"),
        ({"env": Odd(actions=Discrete(99))}, "99 actions to choose from"),
        ({"env": Odd(actions=Box(0, 3, (1,), np.int64))}, "must be floats"),
        ({"env": Odd(), "world": "title"}, "cannot be given together"),
        ({"env": Odd(), "preset": "cartpole"}, "cannot be given together"),
        ({"env": Odd(), "settings": {"worlds": 4}}, "an environment of yours decides"),
        ({"env": Odd(), "lab": "cube"}, "learns in no environments"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_a_sentence(arguments, words):
    with pytest.raises(ValueError, match=words):
        learnery.train(**({"lab": "control", "units": 1} | arguments))
