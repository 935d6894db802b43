"""Agents, runs and worlds go through a pickle, and to another process, and go on with the same bits."""

from __future__ import annotations

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import golden
import learnery
from worlds import IDS, MODES, WORLDS, same

QUICK = {"worlds": 64, "horizon": 32, "hidden": 8, "eval_every": 0}


def again(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", ["control-ppo", "language-task", "logic-async"])
def test_agents(name):
    agent = learnery.load(golden.checkpoint(name))
    other = again(agent)
    assert type(other) is type(agent) and other.fingerprint() == agent.fingerprint()
    assert copy.deepcopy(agent).units == agent.units


def test_agents_answer_the_same():
    agent = again(learnery.load(golden.checkpoint("control-ppo")))
    observations = np.random.default_rng(0).normal(size=(5, agent.tensors["actor/0/weight"].shape[0]))
    assert same(agent.act(observations), learnery.load(golden.checkpoint("control-ppo")).act(observations))
    agent = learnery.load(golden.MODELS / "backgammon.safetensors")
    assert again(agent).best_play("4HPwATDgc/ABMA", (3, 1)) == agent.best_play("4HPwATDgc/ABMA", (3, 1))


def test_circuits():
    for full in [False, True]:
        circuit = learnery.load(golden.checkpoint("logic-async")).circuit(full=full)
        states = np.random.default_rng(0).integers(0, 2, (9, 9, circuit.channels))
        assert same(again(circuit)(states, 3), circuit(states, 3))


def test_runs():
    run = learnery.train("control", QUICK, 3, units=2)
    other = again(run)
    assert (other.lab, other.seed, other.units, other.ended) == ("control", 3, 2, "units")
    assert other.history["unit"].tolist() == [1, 2]
    for each in (run, other):
        each.train(units=1)
    assert run.fingerprint() == other.fingerprint()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("arguments", [dict(id=id) for id in IDS] + [dict(world=world) for world in WORLDS], ids=str)
def test_vector_environments(arguments, mode):
    # A short limit, so that many worlds wait for their next episode.
    envs = learnery.vector.make(num_envs=37, autoreset_mode=mode, max_episode_steps=7, **arguments)
    envs.action_space.seed(0)
    envs.reset(seed=5)
    other = again(envs)
    for step in range(30):
        actions = envs.action_space.sample()
        results = envs.step(actions)
        assert same(other.step(actions), results)
        if mode == AutoresetMode.DISABLED and (results[2] | results[3]).any():
            options = {"reset_mask": results[2] | results[3]}
            assert same(envs.reset(options=options), other.reset(options=options))
        other = again(other)
        assert same(envs.states(), other.states())
        assert same(list(envs._arrays), list(other._arrays))


def test_a_pickle_keeps_what_was_set():
    envs = learnery.vector.make("CartPole-v1", 3, copy=False, max_episode_steps=9, gravity=5.0)
    envs.reset(seed=1)
    envs.set_attr("force_mag", 12)
    other = again(envs)
    assert other.get_attr("gravity") == (5.0,) * 3 and other.get_attr("force_mag") == (12.0,) * 3
    assert other.spec.max_episode_steps == 9 and other.np_random_seed == 1 and not other.copy
    observations, _ = other.reset(seed=1)
    assert other.step([0, 0, 0])[0] is observations
    envs.close()
    assert again(envs).closed


def play(connection, agent, run, envs):
    """What another process does."""
    observations = envs.step(agent.act(envs._arrays[0]))[0]
    run.train(units=1)
    connection.send((observations, run.fingerprint()))


def test_another_process():
    agent = learnery.load(golden.checkpoint("control-ppo"))
    run = learnery.train("control", QUICK, units=1)
    envs = learnery.vector.make(agent.world, 4)
    envs.reset(seed=0)
    context = multiprocessing.get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=play, args=(send, agent, run, envs))
    child.start()
    assert receive.poll(60)
    observations, fingerprint = receive.recv()
    child.join()
    run.train(units=1)
    assert fingerprint == run.fingerprint() and same(observations, envs.step(agent.act(envs._arrays[0]))[0])
