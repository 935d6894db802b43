"""Reads a run's event files with TensorBoard itself and compares them with its metrics.jsonl.

    python3 -m venv /tmp/tensorboard && /tmp/tensorboard/bin/pip install tensorboard
    cargo build --release
    /tmp/tensorboard/bin/python scripts/check_tensorboard.py target/release/learnery

Checks three runs: an uninterrupted one, a resumed one, and one resumed after a crash. In the last, older
event files contain units after the checkpoint, which TensorBoard must discard.
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

# Keys of a row in metrics.jsonl that are not metrics.
NOT_METRICS = {"unit", "work", "seconds"}
# Settings with which a unit (training iteration) takes milliseconds.
SMALL = ["--set", "worlds=8", "--set", "horizon=8", "--set", "minibatches=1", "--set", "eval_episodes=4"]


def as_f32(value):
    """The value rounded to single precision, in which TensorBoard stores it."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def read_metrics_file(run):
    """Returns the values in metrics.jsonl by metric: name -> [(unit, value)]."""
    series = {}
    for line in (run / "metrics.jsonl").read_text().splitlines():
        row = json.loads(line)
        for tag in row.keys() - NOT_METRICS:
            series.setdefault(tag, []).append((row["unit"], as_f32(row[tag])))
    return series


def read_tensorboard(run):
    """Returns the values that TensorBoard reads from the event files, in the same form."""
    events = EventAccumulator(str(run), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def check(run, units, what):
    """Exits with a message unless both agree and contain exactly the units 1 to `units`. `what` describes the
    run."""
    expected, found = read_metrics_file(run), read_tensorboard(run)
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
        # A crash between two saves leaves rows and events of units after the checkpoint. An older checkpoint
        # has this effect too.
        shutil.move(run / "kept", run / "last.safetensors")
        train("--resume", run, "--units", "2")
        check(run, 6, "resumed after a crash")


if __name__ == "__main__":
    main()
