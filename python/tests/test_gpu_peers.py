"""The script that compares with other programs on a GPU: its shapes are the presets', and it reads what `bench` prints."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

import golden
import learnery


@pytest.fixture(scope="module")
def peers() -> ModuleType:
    return golden.script("gpu_peers")


@pytest.mark.parametrize("preset", ["a", "gpu"])
def test_shapes_are_those_of_the_presets(peers: ModuleType, preset: str) -> None:
    settings = learnery.Run("language", preset=preset).settings
    shape = [settings[name] for name in ("width", "layers", "heads", "length", "batch")]
    assert [*peers.PRESETS[preset][:5]] == shape
    assert peers.PRESETS[preset][5] == (settings["vocabulary"] if settings["tokens"] == "pairs" else 256)


def test_best_tiling_and_adamw_are_read_from_the_bench(peers: ModuleType, tmp_path: Path) -> None:
    printed = [
        ("gpu/matmul/1024/64x64", 2.0),
        ("gpu/matmul/1024/128x64", 3.0),
        ("gpu/matmul-f16/1024/in f16/128x128", 5.0),
        ("gpu/language/a", 7.0),  # with Muon, which the peers do not have
        ("gpu/language-adamw/a", 11.0),
        ("gpu/language-adamw/a/attention (4)", 13.0),  # the time of a kernel
        ("gpu/language-adamw-f16/gpu", 17.0),
        ("gpu/control/ppo/cartpole", 19.0),
        ("gpu/control/ppo/cartpole/loss (64)", 23.0),
        ("kernels/gemm/256x256x256", 29.0),
    ]
    lines = [json.dumps({"name": name, "value": value}) for name, value in printed]
    program = tmp_path / "learnery"
    program.write_text(f"#!{sys.executable}\nprint({chr(10).join([*lines, json.dumps({'name': 'gpu/none'})])!r})\n")
    os.chmod(program, 0o755)
    rows = {"matmul/1024": 3.0, "matmul-f16/1024": 5.0, "language/a": 11.0, "language-f16/gpu": 17.0}
    assert peers.ours(str(program), list(peers.PARTS)) == rows | {"control/ppo/cartpole": 19.0}
