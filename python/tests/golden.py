"""The golden runs of the repository: settings, checkpoints and fingerprints that the command line and the page share."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import learnery

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests/golden/runs"
MODELS = ROOT / "models"
RUNS: dict[str, dict[str, Any]] = {run["name"]: run for run in json.loads((FOLDER / "runs.json").read_text())}
#: Runs that learn the example worlds: their settings, and their fingerprints by the names of the examples.
OWN_WORLDS: dict[str, Any] = json.loads((FOLDER / "own-worlds.json").read_text())
_FINGERPRINTS = json.loads((FOLDER / "fingerprints.json").read_text())


def script(name: str) -> ModuleType:
    """The module of a program in `scripts`."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"scripts/{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fingerprint(name: str, key: str) -> str:
    """The fingerprint of a golden run: `started` anew, or `continued` from its checkpoint."""
    return _FINGERPRINTS[name][learnery.bits()][key]


def checkpoint(name: str) -> Path:
    return FOLDER / f"{name}.safetensors"


def train(name: str, **options: Any) -> learnery.Run:
    """Trains a golden run anew."""
    run = RUNS[name]
    return learnery.train(run["lab"], run["settings"], run["seed"], units=run["units"], **options)
