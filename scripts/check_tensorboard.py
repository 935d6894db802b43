"""Reads a run's event files with TensorBoard itself and compares them with its metrics.jsonl.

    python3 -m venv /tmp/tensorboard && /tmp/tensorboard/bin/pip install tensorboard
    cargo build --release
    /tmp/tensorboard/bin/python scripts/check_tensorboard.py target/release/learnery

Checked are a plain run, a resumed one, and one resumed after a crash, whose event files hold units that
no longer count.
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

NOT_METRICS = {"unit", "work", "seconds"}
SMALL = ["--set", "worlds=8", "--set", "horizon=8", "--set", "minibatches=1", "--set", "eval_episodes=4"]


def as_f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def in_file(run):
    """The values of metrics.jsonl: tag -> [(unit, value)]."""
    series = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        for tag in row.keys() - NOT_METRICS:
            series.setdefault(tag, []).append((row["unit"], as_f32(row[tag])))
    return series


def in_tensorboard(run):
    """The same as TensorBoard sees it."""
    events = EventAccumulator(str(run), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def check(run, units, what):
    expected, found = in_file(run), in_tensorboard(run)
    steps = sorted({step for points in found.values() for step, _ in points})
    if found != expected or steps != list(range(1, units + 1)):
        sys.exit(f"{what}: TensorBoard and metrics.jsonl differ\n{found}\n{expected}")
    points = sum(map(len, found.values()))
    print(f"{what}: {len(found)} scalars over {units} units, {points} values, all as in metrics.jsonl")


def main():
    learnery = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/release/learnery").resolve()
    with tempfile.TemporaryDirectory() as folder:
        run = pathlib.Path(folder) / "run"

        def train(*args):
            subprocess.run([learnery, "train", *args], check=True, stderr=subprocess.DEVNULL)

        train("control", "--units", "4", "--out", run, *SMALL)
        check(run, 4, "a run")
        shutil.copy(run / "last.safetensors", run / "kept")
        train("--resume", run, "--units", "3")
        check(run, 7, "resumed")
        # A crash between two saves leaves rows and events of units that the checkpoint does not know.
        shutil.move(run / "kept", run / "last.safetensors")
        train("--resume", run, "--units", "2")
        check(run, 6, "resumed after a crash")


if __name__ == "__main__":
    main()
