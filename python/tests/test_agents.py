"""Trained agents: each fast path beside a slow one, evaluations, and the tools that the command line has too."""

from __future__ import annotations

import contextlib
import signal
import threading

import numpy as np
import pytest

import golden
import learnery
from learnery import _progress

#: The position at the start of a game, as a position ID of GNU Backgammon.
START = "4HPwATDgc/ABMA"


def loaded(name):
    return learnery.load(golden.checkpoint(name))


def model(name):
    return learnery.load(golden.MODELS / f"{name}.safetensors")


# Control.


def mlp(tensors, name, observations):
    """The outputs of a network of two hidden layers, computed by NumPy from the tensors of an agent.

    If the agent normalises observations, they are also clipped, to ten standard deviations.
    """
    mean = tensors["normaliser/mean"] if "normaliser/mean" in tensors else 0.0
    variance = tensors["normaliser/squares"] / tensors["normaliser/count"] if "normaliser/mean" in tensors else 1.0
    x = np.clip((observations - mean) / np.sqrt(variance + 1e-8), -10, 10)
    for layer in range(3):
        x = x @ tensors[f"{name}/{layer}/weight"] + tensors[f"{name}/{layer}/bias"]
        x = np.tanh(x) if layer < 2 else x
    return x


@pytest.mark.parametrize("name", ["control-ppo", "control-pendulum"])
def test_actor_and_critic_compute_what_their_tensors_say(name):
    agent = loaded(name)
    envs = learnery.vector.make(agent.world, 600)
    observations, _ = envs.reset(seed=0)
    observations *= 3  # wider than the first states of CartPole, which are all near zero
    logits = mlp(agent.tensors, "actor", observations)
    assert np.allclose(agent.actor(observations), logits, atol=1e-5)
    assert np.allclose(agent.critic(observations), mlp(agent.tensors, "critic", observations)[:, 0], atol=1e-5)
    actions = agent.act(observations)
    assert actions in envs.action_space
    expected = np.clip(logits, -2, 2) if agent.world == "Pendulum-v1" else logits.argmax(axis=1)
    assert np.allclose(actions, expected, atol=1e-5)
    alone = agent.act(observations[7])
    assert alone in envs.single_action_space and (alone == actions[7]).all()
    assert (agent.actor(observations[7]) == agent.actor(observations)[7]).all()
    with pytest.raises(ValueError, match="read-only"):
        agent.tensors["actor/0/bias"][0] = 1


def test_the_actor_normalises_with_the_statistics_of_training():
    agent = learnery.train("control", {"normalise_observations": True, "worlds": 64, "hidden": 8}, units=2).agent()
    observations = np.random.default_rng(0).normal(size=(50, 4)).astype(np.float32)
    assert "normaliser/mean" in agent.tensors
    assert np.allclose(agent.actor(observations), mlp(agent.tensors, "actor", observations), atol=1e-5)


@pytest.mark.parametrize(
    "observations, message",
    [
        (np.zeros(5), "an observation has 4 numbers, not 5"),
        (np.zeros((2, 3, 4)), r"observations must have one or two axes, not the shape \(2, 3, 4\)"),
        (["a", "b", "c", "d"], "observations must be numbers, not <U1"),
        ([0, np.nan, 0, 0], "the observation has nan at place 1; expected finite numbers"),
        ([[0, 0, 0, 0], [0, 0, 0, -np.inf]], "the observation of world 1 has -inf at place 3; expected finite numbers"),
    ],
)
def test_act_refuses(observations, message):
    agent = loaded("control-ppo")
    for ask in (agent.act, agent.actor, agent.critic):
        with pytest.raises(ValueError, match=message):
            ask(observations)


def test_steps_of_a_world_are_traced():
    agent = loaded("control-ppo")
    state = np.array([0.01, 0.02, 0.03, 0.04], np.float32)
    traced = agent.ask("trace", state=state, actions=[1, 0, 1], steps=498)
    assert not traced.partial and traced.output["world"] == agent.world == "CartPole-v1"
    # The episode has 500 steps, of which 498 were taken before, so the third action is not taken.
    first, second = traced.output["steps"]
    assert second["truncated"] and not first["truncated"] and first["reward"] == 1
    again = agent.ask("trace", world="cartpole", state=first["state"], actions=[0], steps=499)
    assert again.output["steps"] == [second]
    with pytest.raises(ValueError, match="input `actions`: action 2 is not one of CartPole-v1; expected a whole number from 0"):
        agent.ask("trace", state=state, actions=[2])


def test_agents_of_other_labs_are_told_apart():
    agent = loaded("control-ppo")
    with pytest.raises(AttributeError, match="this agent is of the lab `control`; `best_play` belongs to agents of `backgammon`"):
        agent.best_play(START)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        agent.nothing
    path = golden.checkpoint("control-ppo")
    with pytest.raises(ValueError, match="it belongs to the lab `control`, not to `cube`"):
        learnery.CubeAgent.load(path)
    assert isinstance(learnery.ControlAgent.load(path), learnery.ControlAgent)


# Evaluations.


def test_evaluations_measure_and_name_their_options():
    agent = loaded("control-ppo")
    report = agent.evaluate(games=5, seed=3)
    assert report == agent.evaluate(games=np.int64(5), seed=3) != agent.evaluate(games=5, seed=4)
    assert report.figures["episodes"] == 5 and str(report).startswith(f"mean return {report.figures['return']:.1f}")
    with pytest.raises(ValueError, match=r"`plies` is not an option of the lab `control`: unknown; did you mean `games`\?"):
        agent.evaluate(plies=1)
    with pytest.raises(ValueError, match="option `games`: 0 is not allowed; expected a whole number from 1"):
        agent.evaluate(games=0)


class InterruptingBar:
    """A progress bar that presses Ctrl-C once so many games have ended."""

    n, total = 0, None

    def __init__(self, games):
        self.games = games

    def update(self, count):
        was_pressed = self.n >= self.games
        self.n += count
        if self.n >= self.games and not was_pressed:
            signal.raise_signal(signal.SIGINT)

    def close(self):
        pass


@pytest.mark.parametrize("lab, games, options", [("control", 1_000_000, {}), ("backgammon", 3000, {"against": "random"})])
def test_ctrl_c_keeps_what_an_evaluation_has(monkeypatch, lab, games, options):
    agent = learnery.train("control", {"worlds": 64}, units=1).agent() if lab == "control" else model("backgammon")
    # Control counts groups of 3,200 episodes, and backgammon pairs: games with the same dice and the sides exchanged.
    pressed_after = 4000 if lab == "control" else 100
    monkeypatch.setattr(_progress, "bar", lambda *_: InterruptingBar(pressed_after))
    report = agent.evaluate(games=games, seed=3, **options)
    done = report.figures["episodes" if lab == "control" else "games"]
    assert report.interrupted and 0 < done < games and str(report).endswith("(interrupted)")
    if lab == "control":
        # Short episodes do not come first.
        monkeypatch.undo()
        assert done % 3200 == 0 and report.figures == agent.evaluate(games=int(done), seed=3).figures
    monkeypatch.undo()
    assert not agent.evaluate(games=3, **options).interrupted


@contextlib.contextmanager
def ctrl_c_after(seconds):
    """Presses Ctrl-C after a while, but not after the block has ended."""
    timer = threading.Timer(seconds, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def test_ctrl_c_ends_an_evaluation_that_has_nothing():
    agent = model("cube3")
    # The first search takes seconds.
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.3):
        agent.evaluate(games=2, beam=65_536)


def test_a_bar_shows_an_evaluation(capsys):
    agent = loaded("control-ppo")
    report = agent.evaluate(games=2000, seed=3, progress=True)
    shown = capsys.readouterr().err
    assert "control evaluation" in shown and "2000/2000" in shown
    assert report == agent.evaluate(games=2000, seed=3) and capsys.readouterr().err == ""


class RecordingBar:
    """A progress bar that keeps what it would show."""

    n, total, unit = 0, None, ""

    def update(self, count):
        self.n += count

    def close(self):
        pass


@pytest.mark.parametrize(
    "name, options, shown",
    [
        ("control-ppo", {"games": 70}, (70, 70)),
        ("language-task", {"games": 500}, (500, 500)),
        ("logic-life", {}, None),
    ],
)
def test_bars_reach_their_end(monkeypatch, name, options, shown):
    bar = RecordingBar()
    monkeypatch.setattr(_progress, "bar", lambda *_: bar)
    loaded(name).evaluate(**options)
    assert bar.n == bar.total > 0 and (bar.n, bar.total) == (shown or (bar.n, bar.n))


def test_bars_of_tools_name_what_they_count(monkeypatch):
    named = []
    monkeypatch.setattr(_progress, "bar", lambda wanted, title, total, unit: named.append((title, unit)))
    agent = model("backgammon")
    agent.rollout(START, games=36, truncate=1)
    agent.evaluate(against="random", games=2)
    assert named == [("rollout", "games"), ("backgammon evaluation", "games")]


def test_bars_of_cubes_show_percentages(monkeypatch):
    # The tool counts states, and what is done of the work is no share of them.
    bar = RecordingBar()
    monkeypatch.setattr(_progress, "bar", lambda *_: bar)
    model("cube3").evaluate(games=1, beam=8)
    assert (bar.n, bar.total, bar.unit) == (100, 100, " %")


def test_ctrl_c_ends_an_evaluation_that_is_asked_as_a_tool():
    agent = model("backgammon")
    for seconds in (1, 4, 16, 64):
        with ctrl_c_after(seconds):
            answer = agent.ask("evaluate", against="random", games=1_000_000)
        if answer.output is not None:
            break  # Before, no game had ended.
    assert answer.partial and answer.interrupted and answer.output["figures"][2]["value"] > 0


# Backgammon.


def test_the_best_play_is_the_worst_position_for_the_opponent():
    agent = model("backgammon")
    for dice in [(3, 1), (6, 6), (2, 5)]:
        play = agent.best_play(START, dice)
        plays = agent.plays(START, dice)
        values = [agent.evaluate(position).equity for position in plays]
        assert len(plays) == play.plays and play.position == plays[int(np.argmin(values))]
        assert play.equity == pytest.approx(-min(values), abs=1e-6)
    assert agent.best_play(START, (3, 1)).notation == "8/5 6/5"
    assert agent.best_play("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10") == agent.best_play(START, [1, 3])
    assert agent.best_play(START, (3, 1), plies=1).equity != agent.best_play(START, (3, 1)).equity
    assert agent.best_play(START, (3, 1), simulations=4).plays == 16


def test_positions_and_cubes_are_valued():
    agent = model("backgammon")
    value = agent.evaluate(START)
    assert 0.5 < value.win < 0.6 and value.position == START
    points = 2 * value.win - 1 + value.gammon - value.lost_gammon + value.backgammon - value.lost_backgammon
    assert value.equity == pytest.approx(points, abs=1e-6)
    cube = agent.cube(START)
    assert cube.verdict == "No double, take" and str(cube).startswith(cube.verdict)
    assert cube.figures["cubeless"]["win"] == pytest.approx(value.win, abs=1e-6)


def test_a_match_is_analysed():
    path = golden.ROOT / "tests/golden/backgammon/match.mat"
    analysis = model("backgammon").analyse(path)
    assert analysis.figures["complete"] and analysis.figures["judged"] == len(analysis.figures["judgements"]) == 535
    assert "Snowie error rate" in str(analysis) and "7 point match" in analysis.mat
    with pytest.raises(ValueError, match="runs.json, "):
        model("backgammon").analyse(golden.FOLDER / "runs.json")


def test_tools_answer_and_can_be_ended():
    agent = model("backgammon")
    rollout = agent.rollout(START, games=36, truncate=3)
    assert rollout.figures["games"] == 36 and not rollout.interrupted and str(rollout) == rollout.text
    assert agent.rollout(START, games=36, truncate=3) == rollout
    plays = agent.ask("plays", position=f"{START} 3 1").output["plays"]
    assert plays[0]["play"] == agent.best_play(START, (3, 1)).notation
    # A tool that is ended at once answers what it knows.
    early = agent.ask("rollout", position=START, games=100_000, seconds=0)
    assert early.partial and not early.interrupted
    with pytest.raises(TimeoutError, match="no game of the rollout has ended in this time"):
        agent.rollout(START, games=100_000, seconds=0)
    # What it reports on its way comes in order, and all of it before the answer.
    events = []
    answer = agent.ask("rollout", position=START, games=36, truncate=3, on_event=events.append)
    assert answer == agent.ask("rollout", position=START, games=36, truncate=3) and not answer.partial
    games = [event["games"] for event in events]
    assert games == sorted(games) and games[-1] == answer.output["rollout"]["games"] == 36
    with pytest.raises(ZeroDivisionError):
        agent.ask("rollout", position=START, games=36, truncate=3, on_event=lambda _: 1 / 0)
    path = golden.ROOT / "tests/golden/backgammon/match.mat"
    assert agent.ask("analyse", file=path).output["analysis"] == agent.analyse(path).figures


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda agent: agent.ask("nothing"), "there is no tool `nothing`; this lab has eval"),
        (lambda agent: agent.ask("rollout", position=START, games=0), "input `games`: 0 is not allowed"),
        (lambda agent: agent.ask("rollout", position=START, game=1), "input `game`: unknown"),
        (lambda agent: agent.ask("plays", file=golden.FOLDER / "runs.json"), "input `file`: unknown"),
        (lambda agent: agent.ask("analyse"), "input `file`: expected the file of a match"),
        (lambda agent: agent.ask("eval", position=START, seconds=float("nan")), "seconds must be a finite number"),
        (lambda agent: agent.best_play(START), "there are no dice; expected a position and two dice"),
        (lambda agent: agent.best_play(START, (3,)), "there are 1 dice; expected two"),
        (lambda agent: agent.best_play(START, (3, 7)), "a die must be from 1 to 6, not 7"),
        (lambda agent: agent.best_play(START, (3, 1), plies=1, simulations=9), "a tree search has simulations and no plies"),
        (lambda agent: agent.best_play(START, (3, 1), simulations=0), "0 simulations; expected 1 to 100000"),
        (lambda agent: agent.evaluate("start"), "position `start`: a position ID has 14 characters; this has 5"),
        (lambda agent: agent.evaluate(START, plies=3), "3 plies; expected 0 to 2"),
        (lambda agent: agent.evaluate(START, games=3), "`games` belongs to a measurement"),
        (lambda agent: agent.evaluate(7), "a position must be a text, not 7"),
        (lambda agent: agent.evaluate(games=2, against="nobody"), "there is no opponent called `nobody`"),
        (lambda agent: agent.ask("evaluate", against="nobody"), "input `against`: there is no opponent called `nobody`"),
        (
            lambda agent: agent.ask("evaluate", against="gnubg"),
            "there is no opponent called `gnubg`; expected random, pubeval or the file of a network",
        ),
        (lambda agent: agent.ask("analyse", file=""), "input `file`: expected the path of a file, not an empty text"),
    ],
)
def test_backgammon_refuses(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(model("backgammon"))


# The cube.


def test_cubes_are_solved():
    small = model("cube")
    assert small.puzzle == "2x2x2"
    for found in [small.solve("R U' F2 R"), small.solve("R U' F2 R", beam=16)]:
        assert found.length == len(found.turns.split()) >= found.least
        # The solution undoes the scramble.
        assert small.solve(f"R U' F2 R {found}").length == 0
    assert small.solve(stickers="UUUURRRRFFFFDDDDLLLLBBBB").turns == ""
    large = model("cube3")
    found = large.solve("R U' F2 L D", beam=64)
    assert large.puzzle == "3x3x3" and found.least is None and found == large.solve("R U' F2 L D", beam=64)
    assert large.solve(f"R U' F2 L D {found}", beam=1).length == 0
    assert large.solve("R U' F2 L D", beam=64, metric="half").length == 5


@pytest.mark.parametrize(
    "arguments, message",
    [
        (dict(), "expected either a scramble or stickers"),
        (dict(scramble="R W"), "`W` is not a turn; turns are U R F D L B"),
        (dict(stickers="UUU"), "3 stickers"),
        (dict(scramble="R", beam=0), "beam must be from 1 to 1048576, not 0"),
        (dict(scramble="R", seconds=1), "seconds are for networks of the 3x3x3"),
        (dict(scramble="R", metric="third"), "input `metric`: \"third\" is not allowed; expected one of quarter, half, usual"),
    ],
)
def test_the_cube_refuses(arguments, message):
    with pytest.raises(ValueError, match=message):
        model("cube").solve(**arguments)


def test_networks_of_cubes_are_evaluated():
    searched = model("cube3").ask("eval", beam=64, sample=2, first=3, metric="half").output
    assert searched["states"] == 2 and [state["state"] for state in searched["searched"]] == [3, 4]
    greedy = model("cube").ask("eval", within=4, beam=8, sample=5, seed=1).output
    assert [at["distance"] for at in greedy["distances"]] == [0, 1, 2, 3, 4] and greedy["beam"]["sample"] == 5
    with pytest.raises(ValueError, match="input `first`: it is for the 3x3x3"):
        model("cube").ask("eval", first=1)


# Language.


def test_text_follows_the_logits():
    agent = loaded("language-pairs")
    tokens = agent.encode("Anna has")
    assert agent.decode(tokens) == "Anna has" and len(tokens) < len("Anna has")
    logits = agent.logits("Anna has")
    assert logits.shape == (len(tokens), agent.vocabulary)
    # What comes later changes nothing before it.
    assert np.allclose(agent.logits(tokens[:2]), logits[:2], atol=1e-5)
    for _ in range(3):
        tokens = np.append(tokens, agent.logits(tokens)[-1].argmax())
    assert agent.generate("Anna has", tokens=3, temperature=0) == agent.decode(tokens)
    sampled = [agent.generate(tokens=20, seed=seed, number=number) for seed, number in [(1, 0), (1, 0), (2, 0), (1, 1)]]
    assert sampled[0] == sampled[1] and len(set(sampled)) == 3


@pytest.mark.parametrize("name", ["language-pairs", "language-task"])
def test_loaded_network_writes_what_the_tool_writes(name):
    agent = loaded(name)
    for number, seed in [(0, 0), (7, 3), (0, 0)]:
        output = agent.ask("sample", tokens=30, temperature=1.5, top_k=4, seed=seed, first=number).output
        assert agent.generate(tokens=30, temperature=1.5, top_k=4, seed=seed, number=number) == output["texts"][0]["text"]


def test_ctrl_c_ends_a_text():
    agent = loaded("language-pairs")
    with pytest.raises(KeyboardInterrupt), ctrl_c_after(0.2):
        agent.generate(tokens=10_000_000)
    assert agent.generate(tokens=1, seed=5) == agent.generate(tokens=1, seed=5)


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda agent: agent.generate("ß"), "the character 'ß' is not in this network's vocabulary"),
        (lambda agent: agent.generate(temperature=-1), "input `temperature`: -1 is not allowed; expected a number from 0 to 100"),
        (lambda agent: agent.generate(tokens=0), "input `tokens`: 0 is not allowed; expected a whole number from 1 to"),
        (lambda agent: agent.logits([14]), "there is no token 14; there are 14"),
        (lambda agent: agent.logits([0] * 99), "there are 99 tokens; the network sees at most 9"),
        (lambda agent: agent.decode([-1]), "a token must be from 0 to 65535, not -1"),
    ],
)
def test_language_refuses(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(loaded("language-task"))


# Logic.


def evaluated(circuit, states):
    """One step of one grid, gate by gate. `states` is [height, width, channels]."""
    height, width, channels = states.shape
    mode = "wrap" if circuit.periodic else "constant"
    padded = np.pad(states, [(1, 1), (1, 1), (0, 0)], mode=mode)
    wires = [
        padded[y : y + height, x : x + width, channel] for channel in range(channels) for y in range(3) for x in range(3)
    ]
    for kind, a, b in circuit.gates:
        wires.append((kind >> (3 - 2 * wires[a].astype(int) - wires[b])) & 1 == 1)
    return np.stack([wires[output] for output in circuit.outputs], axis=-1)


@pytest.mark.parametrize("name", ["logic-life", "logic-async"])
def test_the_circuit_steps_grids_as_its_gates_say(name):
    agent = loaded(name)
    full, pruned = agent.circuit(full=True), agent.circuit()
    assert len(full.gates) > len(pruned.gates)
    rng = np.random.default_rng(0)
    states = rng.integers(0, 2, (3, 11, 38, full.channels))
    once = full(states)
    assert once.dtype == bool and (once == [evaluated(full, grid.astype(bool)) for grid in states]).all()
    assert (pruned(states) == once).all() and (full(states[1]) == once[1]).all()
    assert (full(states, 3) == full(full(once))).all() and (full(states, 0) == states).all()
    active = rng.random(states.shape[:3]) < 0.5
    assert (full(states, active=active) == np.where(active[..., np.newaxis], once, states)).all()
    assert "module" in agent.export() and "compute" in agent.export("wgsl")


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda agent: agent.circuit()(np.zeros((3, 3), bool)), "states need the axes height, width and channels"),
        (lambda agent: agent.circuit()(np.zeros((3, 3, 1), int) + 2), "states must be truth values or the integers 0 and 1"),
        (lambda agent: agent.circuit()(np.zeros((3, 3, 2), bool)), "states need the shape .* 1\\]"),
        (lambda agent: agent.circuit()(np.zeros((0, 3, 1), bool)), "with at least one cell"),
        (lambda agent: agent.circuit()(np.zeros((3, 3, 1), bool), active=[True]), r"active needs the shape \(3, 3\)"),
        (lambda agent: agent.circuit()(np.zeros((3, 3, 1), bool), -1), "steps must be from 0"),
        (lambda agent: agent.export("vhdl"), "input `format`: \"vhdl\" is not allowed; expected one of verilog, json, wgsl, c"),
    ],
)
def test_logic_refuses(ask, message):
    with pytest.raises(ValueError, match=message):
        ask(loaded("logic-life"))
