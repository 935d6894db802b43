"""The promises of a `VectorEnv`: spaces, seeds, autoreset, what is returned and for how long it is valid."""

from __future__ import annotations

import sys
import threading
from itertools import combinations

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import learnery.vector
from worlds import IDS, MODES, same, sync


def sampled(envs, seed=0):
    envs.action_space.seed(seed)
    return envs.action_space.sample()


@pytest.mark.parametrize("id", IDS)
def test_spaces_are_those_of_gymnasium(id):
    ours, theirs = learnery.vector.make(id, 5), sync(id, 5)
    assert isinstance(ours, VectorEnv)
    for name in ["single_observation_space", "observation_space", "single_action_space", "action_space"]:
        assert getattr(ours, name) == getattr(theirs, name), name
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype, name
    assert ours.num_envs == 5 and ours.spec == gymnasium.spec(id)


@pytest.mark.parametrize("id", IDS)
def test_results_have_the_types_that_the_spaces_say(id):
    envs = learnery.vector.make(id, 5)
    observations, infos = envs.reset(seed=0)
    assert observations in envs.observation_space and infos == {}
    for seed in range(50):
        observations, rewards, terminations, truncations, infos = envs.step(sampled(envs, seed))
        assert observations in envs.observation_space
        assert (rewards.dtype, rewards.shape) == (np.float32, (5,))
        assert (terminations.dtype, terminations.shape) == (np.bool_, (5,))
        assert (truncations.dtype, truncations.shape) == (np.bool_, (5,))
        assert infos == {}


def test_the_mode_stands_in_the_metadata():
    assert learnery.vector.make("CartPole-v1").metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    for mode in MODES:
        for given in [mode, mode.value]:
            envs = learnery.vector.make("CartPole-v1", autoreset_mode=given)
            assert envs.metadata["autoreset_mode"] is mode


# The checks of `gymnasium.utils.env_checker.check_env`, which has none for vector environments.


@pytest.mark.parametrize("id", IDS)
def test_seeds_determine_resets(id):
    envs = learnery.vector.make(id, 5)
    first, _ = envs.reset(seed=123)
    generator = envs.np_random.bit_generator.state
    second, _ = envs.reset()
    third, _ = envs.reset(seed=123)
    assert envs.np_random.bit_generator.state == generator
    fourth, _ = envs.reset()
    assert same(first, third) and same(second, fourth) and not same(first, second)
    other, _ = envs.reset(seed=456)
    assert envs.np_random.bit_generator.state != generator
    assert not (other == first).all(axis=1).any()
    assert len(np.unique(first, axis=0)) == 5


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("mode", MODES)
def test_seeds_determine_steps(id, mode):
    def run():
        envs = learnery.vector.make(id, 20, autoreset_mode=mode)
        results = [envs.reset(seed=123)]
        for step in range(550):
            results.append(envs.step(sampled(envs, step)))
            ended = results[-1][2] | results[-1][3]
            if mode == AutoresetMode.DISABLED and ended.any():
                results.append(envs.reset(options={"reset_mask": ended}))
        return results

    one, other = run(), run()
    assert same(one, other)
    assert any((result[2] | result[3]).any() for result in one if len(result) == 5)


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_returned_data_is_not_reused(id, mode):
    envs = learnery.vector.make(id, 5, autoreset_mode=mode)
    results = [envs.reset(seed=1)]
    # Every episode is cut off in the second step, so that SAME_STEP returns infos.
    envs.set_states(envs.states()[0], envs.spec.max_episode_steps - 2)
    results += [envs.step(sampled(envs)) for _ in range(4)]
    results += [envs.reset(seed=1)]
    assert any(result[-1] for result in results) == (mode == AutoresetMode.SAME_STEP)

    def arrays(value):
        if isinstance(value, np.ndarray):
            yield value
            if value.dtype == object:
                for each in value:
                    yield from arrays(each)
        elif isinstance(value, (tuple, dict)):
            for each in value.values() if isinstance(value, dict) else value:
                yield from arrays(each)

    for one, other in combinations(results, 2):
        assert one[-1] is not other[-1]
        for a in arrays(one):
            assert not any(np.shares_memory(a, b) for b in arrays(other) if a.dtype != object and b.dtype != object)


def test_the_default_seed_is_random_and_can_be_read():
    one, other = learnery.vector.make("CartPole-v1", 5), learnery.vector.make("CartPole-v1", 5)
    first, _ = one.reset()
    assert not same(first, other.reset()[0])
    assert same(first, other.reset(seed=one.np_random_seed)[0])


# Seeds, threads and autoreset: as `SyncVectorEnv` has them.


@pytest.mark.parametrize("id", IDS)
def test_world_i_has_the_seed_plus_i(id):
    envs, alone = learnery.vector.make(id, 20), learnery.vector.make(id, 1)
    actions = [sampled(envs, step) for step in range(300)]
    expected = [envs.reset(seed=40)[0]] + [envs.step(action)[0] for action in actions]
    ours = [alone.reset(seed=57)[0]] + [alone.step(action[17:18])[0] for action in actions]
    assert same([each[17:18] for each in expected], ours)
    mixed, _ = envs.reset(seed=[57, None] + [57] * 18)
    assert same(mixed[2], ours[0][0]) and not same(mixed[1], ours[0][0])


def test_a_mask_resets_its_worlds_only():
    envs = learnery.vector.make("CartPole-v1", 5)
    envs.reset(seed=3)
    before, *_ = envs.step(np.ones(5, dtype=np.int64))
    options = {"reset_mask": np.array([True, False, False, True, False])}
    after, infos = envs.reset(seed=3, options=options)
    first, _ = learnery.vector.make("CartPole-v1", 5).reset(seed=3)
    assert same(after[[0, 3]], first[[0, 3]]) and same(after[[1, 2, 4]], before[[1, 2, 4]])
    assert infos == {} and list(options) == ["reset_mask"]
    assert envs.states()[1].tolist() == [0, 1, 1, 0, 1]


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("mode", MODES)
def test_threads_change_no_bit(id, mode):
    def run(threads):
        # Five chunks, the last of them padded.
        envs = learnery.vector.make(id, 4100, autoreset_mode=mode, num_threads=threads)
        results = [envs.reset(seed=9)]
        states, _ = envs.states()
        envs.set_states(states, np.arange(4100) % envs.spec.max_episode_steps)
        for step in range(30):
            results.append(envs.step(sampled(envs, step)))
            ended = results[-1][2] | results[-1][3]
            if mode == AutoresetMode.DISABLED and ended.any():
                envs.reset(options={"reset_mask": ended})
        return results

    one = run(1)
    assert same(one, run(2)) and same(one, run(3))


def test_an_ended_world_must_be_reset_where_autoreset_is_disabled():
    envs = learnery.vector.make("CartPole-v1", 9, autoreset_mode="Disabled")
    envs.reset(seed=0)
    steps = np.array([499] * 7 + [0, 0])
    envs.set_states(envs.states()[0], steps)
    actions = sampled(envs)
    observations, _, _, truncations, _ = envs.step(actions)
    assert truncations.tolist() == [True] * 7 + [False] * 2
    states = envs.states()
    with pytest.raises(ValueError, match="have ended: 0, 1, 2, 3, 4 and 2 more; reset them"):
        envs.step(actions)
    assert same(states, envs.states())
    after, _ = envs.reset(options={"reset_mask": truncations})
    assert same(after[7:], observations[7:]) and not (after[:7] == observations[:7]).any()
    envs.step(actions)


def test_wrappers_of_gymnasium_work_on_it():
    envs = RecordEpisodeStatistics(learnery.vector.make("MountainCar-v0", 3))
    envs.reset(seed=0)
    for _ in range(200):
        *_, infos = envs.step(np.ones(3, dtype=np.int64))
    # Without an engine the car stays in the valley.
    assert infos["episode"]["l"].tolist() == [200] * 3 and infos["episode"]["r"].tolist() == [-200.0] * 3


# Views.


def test_copies_stay_as_they_are():
    envs = learnery.vector.make("CartPole-v1", 5)
    observations, _ = envs.reset(seed=0)
    kept = observations.copy()
    results = envs.step(sampled(envs))
    copies = [each.copy() for each in results[:4]]
    envs.step(sampled(envs, 1))
    assert same(observations, kept) and same(list(results[:4]), copies)


@pytest.mark.parametrize("id", IDS)
def test_views_are_the_memory_that_the_worlds_write(id):
    views, copies = learnery.vector.make(id, 2000, copy=False), learnery.vector.make(id, 2000)
    first, _ = views.reset(seed=0)
    assert same(first, copies.reset(seed=0)[0])
    for step in range(300):
        ours = views.step(sampled(views, step))
        assert same(ours, copies.step(sampled(views, step)))
        assert ours[0] is first
        # Whatever a user writes into a view is gone after the next step.
        for array in ours[:4]:
            array[:] = 1
    assert same(views.states(), copies.states())


def test_views_go_to_other_libraries_by_dlpack():
    envs = learnery.vector.make("CartPole-v1", 5, copy=False)
    envs.reset(seed=0)
    arrays = envs.step(sampled(envs))[:4]
    shared = [np.from_dlpack(array) for array in arrays]
    assert all(array.flags.writeable for array in arrays)
    assert all(np.shares_memory(a, b) for a, b in zip(arrays, shared))
    envs.step(sampled(envs, 1))
    assert same(list(arrays), shared)


def test_a_step_lets_other_threads_run():
    """With an endless switch interval, another thread runs only while this one has released the GIL."""
    envs = learnery.vector.make("Acrobot-v1", 20_000, copy=False)
    envs.reset(seed=0)
    actions, worlds = sampled(envs), envs._worlds
    go, ran = threading.Event(), []
    thread = threading.Thread(target=lambda: (go.wait(), ran.append(True)))
    interval = sys.getswitchinterval()
    thread.start()
    sys.setswitchinterval(1e6)
    try:
        go.set()
        for _ in range(1000):
            worlds.step(actions)
            if ran:
                break
        has_run = bool(ran)
    finally:
        sys.setswitchinterval(interval)
        thread.join()
    assert has_run


# States.


@pytest.mark.parametrize("id", IDS)
def test_states_can_be_read_and_set(id):
    one, other = learnery.vector.make(id, 20), learnery.vector.make(id, 20)
    one.reset(seed=0)
    for step in range(30):
        one.step(sampled(one, step))
    while (one.states()[1] == 0).any():
        one.step(sampled(one))
    states, steps = one.states()
    observations = other.set_states(states, steps)
    assert observations in other.observation_space and same(states, other.states()[0])
    alike = np.ones(20, dtype=bool)
    for step in range(5):
        ours, theirs = one.step(sampled(one, step))[:4], other.step(sampled(one, step))[:4]
        assert alike.any() and all(same(a[alike], b[alike]) for a, b in zip(ours, theirs))
        # The next episodes of the two differ, because their seeds do.
        alike &= ~(ours[2] | ours[3])
