"""Worlds of one's own as classes of plain NumPy, beside the reference in Rust: the same bits in every step."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from golden import ROOT

EXAMPLES = sorted(path.stem for path in (ROOT / "crates/world-rules/examples").glob("*.world"))


@pytest.fixture(scope="session")
def folder(tmp_path_factory) -> Path:
    """Classes and traces of all examples."""
    folder = tmp_path_factory.mktemp("worlds")
    # `npm test` has compiled the program from what the tests of the crates use.
    program = os.environ.get("LEARNERY_EXPORT")
    cargo = ["cargo", "run", "--quiet", "--package", "learnery-world-rules", "--example", "export", "--"]
    command = [program] if program else cargo
    subprocess.run([*command, str(folder)], cwd=ROOT, check=True, env=os.environ | {"CARGO_TERM_COLOR": "never"})
    return folder


def load(folder: Path, name: str):
    """The class in a module."""
    spec = importlib.util.spec_from_file_location(f"world_{name}", folder / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return next(value for key, value in vars(module).items() if key.endswith("World"))


def floats(bits) -> np.ndarray:
    return np.array(bits, dtype=np.uint32).view(np.float32)


def same(ours, bits, what) -> None:
    """Whether an array has these bits."""
    assert ours.dtype == np.float32, what
    assert ours.view(np.uint32).tolist() == bits, f"{what}: {ours.tolist()} instead of {floats(bits).tolist()}"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_class_gives_the_bits_of_the_reference(folder, name):
    traces = json.loads((folder / f"{name}.json").read_text())
    assert traces
    for bits, trace in traces.items():
        count = len(trace["begun"])
        worlds = load(folder, name)(count, fused=bits == "fused", first=trace["first"])
        worlds.reset(seed=trace["seed"])
        same(worlds.state, trace["begun"], f"{name} {bits}")
        ends = 0
        for number, step in enumerate(trace["steps"]):
            what = f"{name} {bits} step {number}"
            rows = {key: [world[key] for world in step] for key in step[0]}
            _, reward, terminated, truncated, info = worlds.step(floats(rows["action"]))
            same(info["final_state"], rows["state"], what)
            same(info["final_observation"], rows["observation"], what)
            same(reward[:, np.newaxis], rows["reward"], what)
            for key in ["failed", "succeeded", "fault"]:
                assert info[key].tolist() == rows[key], f"{what} {key}"
            assert truncated.tolist() == rows["truncated"], what
            ends += int((terminated | truncated).sum())
        # A few worlds have longer episodes than the trace.
        assert ends > 0 or worlds.LIMIT > len(trace["steps"]), name


def test_worlds_begin_in_given_states_and_with_other_parameters(folder):
    CartAndPole = load(folder, "cartpole")
    state = np.float32([[0.1, 0, 0.05, 0], [-1, 0.5, 0.02, 0.2]])
    usual, heavy = CartAndPole(2), CartAndPole(2, {"gravity": 20.0})
    for worlds in usual, heavy:
        assert (worlds.reset(state=state) == state).all()
        worlds.step([1, 0])
    # Gravity changes speeds first.
    assert (usual.state[:, [0, 2]] == heavy.state[:, [0, 2]]).all()
    assert (usual.state[:, [1, 3]] != heavy.state[:, [1, 3]]).all()
    with pytest.raises(ValueError, match="no episode can be in one of these states"):
        usual.reset(state=[[9, 0, 0, 0]] * 2)
    with pytest.raises(ValueError, match="there is no parameter gravty"):
        CartAndPole(2, {"gravty": 1.0})
