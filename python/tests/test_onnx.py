"""The ONNX files of every network, run by onnxruntime on a thousand inputs beside the agents."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import golden
import learnery

#: Inputs of each network.
COUNT = 1000
#: The largest absolute error; relative to the largest output where that exceeds 1.
TOLERANCE = 1e-5
#: The position at the start of a game of backgammon.
START = "4HPwATDgc/ABMA"


def agent_of(name: str) -> Any:
    """A shipped agent, or that of a golden run."""
    path = golden.MODELS / f"{name}.safetensors"
    return learnery.load(path if path.exists() else golden.checkpoint(name))


class Network:
    """A network in onnxruntime. Refuses files that ONNX's checker refuses, or of other versions than the documents name."""

    def __init__(self, file: bytes) -> None:
        model = onnx.load_from_string(file)
        onnx.checker.check_model(model, full_check=True)
        assert [(opset.domain, opset.version) for opset in model.opset_import] == [("", 17)] and model.ir_version == 8
        self.notes = {entry.key: entry.value for entry in model.metadata_props}
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 2  # warnings and errors
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        for port in self._session.get_inputs() + self._session.get_outputs():
            assert "batch" in port.shape, port.name

    @property
    def inputs(self) -> dict[str, list[int | str]]:
        return {port.name: port.shape for port in self._session.get_inputs()}

    def __call__(self, *inputs: np.ndarray[Any, Any]) -> dict[str, Any]:
        names = [port.name for port in self._session.get_outputs()]
        return dict(zip(names, self._session.run(None, dict(zip(self.inputs, inputs)))))


def networks(agent: Any) -> dict[str, Network]:
    return {name: Network(file) for name, file in agent.onnx().items()}


def assert_close(found: Any, expected: Any) -> None:
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape and np.isfinite(expected).all()
    assert np.abs(found - expected).max() <= TOLERANCE * max(1.0, np.abs(expected).max())


@pytest.mark.parametrize("name", ["control-ppo", "control-pendulum", "normalised"])
def test_actor_and_critic(name: str) -> None:
    if name == "normalised":
        settings = {"world": "acrobot", "normalise_observations": True, "worlds": 64, "hidden": 8}
        agent = learnery.train("control", settings, units=2).agent()
    else:
        agent = agent_of(name)
    found = networks(agent)
    (width,) = found["actor"].inputs["observations"][1:]
    observations = 5 * np.random.default_rng(0).normal(size=(COUNT, width)).astype(np.float32)
    output = "mean" if name == "control-pendulum" else "logits"
    assert_close(found["actor"](observations)[output], agent.actor(observations))
    assert_close(found["critic"](observations)["value"][:, 0], agent.critic(observations))
    # Any number of rows.
    assert found["critic"](observations[:1])["value"].shape == (1, 1)


def positions(agent: Any, count: int) -> list[str]:
    """Positions of random games, none of which is over."""
    rng, position, found = np.random.default_rng(1), START, []
    while len(found) < count:
        try:
            plays = agent.plays(position, rng.integers(1, 7, 2).tolist())
            position = plays[rng.integers(len(plays))]
            agent.evaluate(position)
        except ValueError as error:
            assert "game is over" in str(error)
            position = START
            continue
        found.append(position)
    return found


@pytest.mark.parametrize("name", ["backgammon", "backgammon-afterstates"])
def test_afterstate_networks(name: str) -> None:
    agent = agent_of(name)
    inputs: dict[str, list[Any]] = {"contact": [], "race": []}
    expected: dict[str, list[list[float]]] = {"contact": [], "race": []}
    exact = 0
    for position in positions(agent, COUNT):
        try:
            network, row = agent.inputs(position)
        except ValueError as error:
            assert "exact value" in str(error)
            exact += 1
            continue
        value = agent.evaluate(position)
        inputs[network].append(row)
        outcomes = [value.win, value.gammon, value.backgammon, value.lost_gammon, value.lost_backgammon]
        expected[network].append(outcomes)
    assert exact < COUNT / 2
    # The shipped agent values races by a network of one side, which is not exported, so its exported network for races is not
    # the one that it uses. The other agent's is.
    values_sides = any("turns/" in tensor for tensor in agent.tensors)
    assert values_sides == (name == "backgammon")
    for network, onnx_network in networks(agent).items():
        assert len(inputs[network]) > 20
        if network == "race" and values_sides:
            continue
        assert_close(onnx_network(np.stack(inputs[network]))["outcomes"], expected[network])


def layer(tensors: Any, name: str, x: Any, *, norm_first: bool = False, is_last: bool = False) -> Any:
    """A dense layer with layer norm and ReLU, computed by NumPy. The last one has no norm; one without a weight is only the norm."""

    def normed(x: Any) -> Any:
        x = (x - x.mean(axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
        return np.maximum(x * tensors[f"{name}/gamma"] + tensors[f"{name}/beta"], 0)

    x = normed(x) if norm_first else x
    x = x @ tensors[f"{name}/weight"] + tensors[f"{name}/bias"] if f"{name}/weight" in tensors else x
    return x if norm_first or is_last else normed(x)


def test_residual_network_and_its_heads() -> None:
    agent = agent_of("backgammon-alphazero")
    rng = np.random.default_rng(2)
    (network,) = networks(agent).values()
    with pytest.raises(ValueError, match="expected a position and two dice"):
        agent.inputs(START)
    rows = [agent.inputs(position, rng.integers(1, 7, 2).tolist())[1] for position in positions(agent, COUNT)]
    found = network(np.stack(rows))
    tensors = {name: tensor.astype(np.float64) for name, tensor in agent.tensors.items()}
    stream = layer(tensors, "net/entry", np.stack(rows))
    for block in range(3):
        inner = layer(tensors, f"net/block{block}/0", stream, norm_first=True)
        stream = stream + layer(tensors, f"net/block{block}/1", inner, norm_first=True)
    trunk = layer(tensors, "net/end", stream, norm_first=True)
    policy = layer(tensors, "net/policy/1", layer(tensors, "net/policy/0", trunk))
    assert_close(found["policy"], layer(tensors, "net/policy/2", policy, is_last=True))
    logits = layer(tensors, "net/value/1", layer(tensors, "net/value/0", trunk), is_last=True)
    assert_close(found["outcomes"], 1 / (1 + np.exp(-logits)))
    # The value of a position is the mean over all rolls.
    rolls = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    outcomes = network(np.stack([agent.inputs(START, roll)[1] for roll in rolls]))["outcomes"]
    assert outcomes[:, 0].mean() == pytest.approx(agent.evaluate(START).win, abs=1e-5)


CUBES = ["cube-davi", "cube-cayleypy", "cube-dqn", "cube-efficientcube"]


@pytest.mark.parametrize("name", ["cube", "cube3", *CUBES, *(f"cube3-{n}" for n in ["davi", "cayleypy", "efficientcube"])])
def test_cubes(name: str) -> None:
    agent = agent_of(name)
    rng = np.random.default_rng(3)
    turns = [face + suffix for face in "URFDLB" for suffix in ["", "'"]]
    scrambles = [" ".join(rng.choice(turns, rng.integers(1, 25))) for _ in range(COUNT)]
    inputs = np.stack([agent.inputs(scramble) for scramble in scrambles])
    (network,) = networks(agent).values()
    (found,) = network(inputs).values()
    assert inputs.dtype == np.int64 and network.notes["puzzle"] == agent.puzzle
    assert_close(found, [agent.outputs(scramble) for scramble in scrambles])


def test_states_of_one_symmetry_class_have_one_input() -> None:
    agent = agent_of("cube")
    inputs = [agent.inputs(scramble).tolist() for scramble in ["R U", "U' R'", "F R", "L D"]]
    assert all(each == inputs[0] for each in inputs[1:])


def test_a_solution_comes_nearer_by_the_outputs() -> None:
    agent = agent_of("cube")
    solution = agent.solve("R U F' R U'").turns.split()
    assert agent.outputs("R U F' R U'")[0] > agent.outputs(f"R U F' R U' {' '.join(solution[:-1])}")[0]
    with pytest.raises(ValueError, match="either a scramble or stickers"):
        agent.inputs()


@pytest.mark.parametrize("name", ["language-task", "language-pairs", "language-stories"])
def test_transformers(name: str) -> None:
    agent = agent_of(name)
    found = networks(agent)
    rng = np.random.default_rng(4)
    time = min(agent.context, 16)
    texts = rng.integers(0, agent.vocabulary, (-(-COUNT // time), time))
    expected = np.stack([agent.logits(text) for text in texts])
    assert_close(found["network"](texts)["logits"], expected)
    # The same texts piece by piece.
    cached = found["network_with_cache"]
    layers, _, heads, _, size = cached.inputs["past_keys"]
    keys = values = np.zeros((layers, len(texts), heads, 0, size), np.float32)
    begin = 0
    for end in [time // 2, time // 2 + 1, time]:
        outputs = cached(texts[:, begin:end], keys, values)
        assert_close(outputs["logits"], expected[:, begin:end])
        keys, values, begin = outputs["keys"], outputs["values"], end
    assert keys.shape == (layers, len(texts), heads, time, size)


def test_circuits_are_no_networks() -> None:
    with pytest.raises(ValueError, match="a circuit and no network"):
        agent_of("logic-life").onnx()
