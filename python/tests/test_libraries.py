"""What makes other libraries learn in our worlds. The libraries themselves are too large for the tests, so a stand-in has the part of
Stable-Baselines3's base class that the adapter uses."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
import types
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import learnery.vector
from worlds import IDS, same

EXAMPLES = Path(__file__).parents[1] / "examples"


class VecEnv:
    """As `stable_baselines3.common.vec_env.VecEnv`."""

    def __init__(self, num_envs, observation_space, action_space):
        self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
        self._reset_seeds()
        self._reset_options()

    def _reset_seeds(self):
        self._seeds = [None] * self.num_envs

    def _reset_options(self):
        self._options = [{}] * self.num_envs

    def _get_indices(self, indices):
        return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

    def seed(self, seed):
        self._seeds = [seed + i for i in range(self.num_envs)]
        return self._seeds

    def step(self, actions):
        self.step_async(actions)
        return self.step_wait()


@pytest.fixture
def sb3(monkeypatch):
    for name in ["stable_baselines3", "stable_baselines3.common", "stable_baselines3.common.vec_env"]:
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["stable_baselines3.common.vec_env"].VecEnv = VecEnv
    yield importlib.import_module("learnery.sb3")
    del sys.modules["learnery.sb3"]


@pytest.mark.parametrize("id", IDS)
def test_stable_baselines_gets_the_steps_of_the_worlds(sb3, id):
    env, worlds = sb3.make(id, 5), learnery.vector.make(id, 5, autoreset_mode="SameStep")
    assert env.seed(7) == [7, 8, 9, 10, 11]
    assert same(env.reset(), worlds.reset(seed=7)[0])
    returns, lengths, ended = np.zeros(5), np.zeros(5, dtype=int), 0
    worlds.action_space.seed(0)
    for _ in range(520):
        actions = worlds.action_space.sample()
        observations, rewards, dones, infos = env.step(actions)
        expected = worlds.step(actions)
        assert same([observations, rewards, dones], [expected[0], expected[1], expected[2] | expected[3]])
        returns, lengths = returns + rewards, lengths + 1
        for i, info in enumerate(infos):
            assert bool(info) == dones[i]
            if info:
                ended += 1
                assert same(info["terminal_observation"], expected[4]["final_obs"][i])
                assert info["TimeLimit.truncated"] == (expected[3][i] and not expected[2][i])
                assert (info["episode"]["r"], info["episode"]["l"]) == (pytest.approx(returns[i]), lengths[i])
                returns[i] = lengths[i] = 0
    assert ended > 0
    # The seed is that of one reset.
    assert not same(env.reset(), worlds.reset(seed=7)[0])


def test_stable_baselines_is_told_successes_and_faults(sb3):
    world = 'world "X"\naction a: b, c\nstate x = uniform(-1, 1)\nreward sqrt(x)\nsucceed when true\n'
    env = sb3.make(world=world, num_envs=40)
    env.seed(0)
    starts = env.reset()[:, 0]
    *_, dones, infos = env.step(np.zeros(40, dtype=np.int64))
    assert dones.all() and 0 < (starts < 0).sum() < 40
    for start, info in zip(starts, infos):
        told = "line 4: the square root of a negative number" if start < 0 else None
        assert (info["is_success"], info.get("fault")) == (start >= 0, told)


def test_stable_baselines_asks_for_attributes(sb3):
    env = sb3.make("CartPole-v1", 3)
    assert env.get_attr("spec", [0, 2]) == [gymnasium.spec("CartPole-v1")] * 2
    assert env.env_is_wrapped(object) == [False] * 3
    env.set_attr("gravity", 5)
    assert env.get_attr("gravity", 1) == [5.0] and env.env_method("gravity") == [5.0] * 3
    with pytest.raises(ValueError, match="the worlds of a batch have the same constants"):
        env.set_attr("gravity", 1, [0, 2])
    with pytest.raises(AttributeError, match="CartPole-v1 has no attribute 'push'"):
        env.env_method("push")
    assert env.get_images() == (None,) * 3
    env.reset()
    other = pickle.loads(pickle.dumps(env))
    assert same(other.step(np.array([0, 1, 1]))[0], env.step(np.array([0, 1, 1]))[0])
    painted = sb3.make("CartPole-v1", 2, render_mode="rgb_array", max_episode_steps=9)
    painted.reset()
    assert [image.shape for image in painted.get_images()] == [(400, 720, 3)] * 2
    with pytest.raises(ValueError, match="step_async has not been called"):
        env.step_wait()


def test_a_few_changes_make_cleanrl_learn_in_our_worlds():
    spec = importlib.util.spec_from_file_location("cleanrl_ppo", EXAMPLES / "cleanrl_ppo.py")
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    assert sum(new.count("\n") for _, new in example.CHANGES) <= 10
    olds, news = ["".join(parts) for parts in zip(*example.CHANGES)]
    assert example.changed(f"{olds}# The rest.\n") == f"{news}# The rest.\n"
    for wrong in [olds * 2, news]:
        with pytest.raises(ValueError, match="these lines are not there once"):
            example.changed(wrong)


def test_statistics_of_episodes_know_the_autoreset_mode():
    envs = RecordEpisodeStatistics(learnery.vector.make("CartPole-v1", 9, autoreset_mode="SameStep"))
    envs.reset(seed=0)
    lengths, found = np.zeros(9), 0
    for _ in range(100):
        _, _, terminations, _, infos = envs.step(np.ones(9, dtype=np.int64))
        lengths += 1
        if terminations.any():
            found += 1
            assert (infos["_episode"] == terminations).all()
            assert (infos["episode"]["r"][terminations] == lengths[terminations]).all()
            lengths[terminations] = 0
    assert found > 5
