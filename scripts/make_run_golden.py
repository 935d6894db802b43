"""Writes tests/golden/runs: saved runs of every lab and learner, and the list of their settings, commands and
links (runs.json).

Usage: python3 scripts/make_run_golden.py NAME... [--binary PATH]

Each run stays as the version that made it has saved it, most of them by the first version of the file
formats. Tests prove with them that later versions read the old checkpoints, links and commands. So do not
make an existing run again: add a new one to RUNS and name it. The test `fingerprints` of crates/labs then
records what each run computes, with LEARNERY_WRITE_GOLDEN=1.
"""

import argparse
import json
import struct
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden/runs"
MORE = 2  # units (training iterations) by which each run is continued

# The settings that all runs of the 3x3x3 share.
CUBE3 = (
    "--set hidden_1=12 --set hidden_2=8 --set batch=300 --set updates=3 --set anneal=4 --set scramble=7"
    " --set renew_every=8 --set distil=5 --set judge_every=2 --set evaluate_states=2 --set evaluate_beam=3"
    " --set evaluate_scramble=2"
)

# Name of each run -> arguments of `learnery train`. The settings are tiny, and differ from the defaults where
# that exercises more code.
RUNS = {
    "control-ppo": "control --seed 7 --units 3 --set worlds=70 --set horizon=9 --set hidden=12 --set epochs=2"
    " --set minibatches=4 --set eval_episodes=30",
    "control-pendulum": "control --preset pendulum --seed 8 --units 2 --set worlds=40 --set horizon=9 --set hidden=12"
    " --set epochs=3 --set minibatches=4 --set eval_episodes=10 --set initial_spread=0.7 --set target_kl=0.02",
    "control-squashed": "control --preset pendulum --seed 19 --units 2 --set worlds=40 --set horizon=9 --set hidden=12"
    " --set minibatches=4 --set eval_episodes=10 --set action_bounds=squashed --set normalise_observations=true",
    "backgammon-afterstates": "backgammon --seed 9 --units 3 --set games=20 --set horizon=12 --set hidden=12"
    " --set second=6 --set race=6 --set batch=70 --set reuse=1.3 --set replay=300 --set eval_every=2"
    " --set eval_games=6",
    "backgammon-alphazero": "backgammon --seed 10 --units 3 --set learner=alphazero --set games=4 --set horizon=30"
    " --set batch=40 --set reuse=0.7 --set replay=150 --set simulations=2 --set throws=even --set eval_every=3"
    " --set eval_games=2",
    "cube-davi": "cube --seed 11 --units 3 --set hidden_1=12 --set hidden_2=8 --set batch=300 --set updates=3"
    " --set renew_every=8 --set focus=0.4 --set judge_every=2 --set judge_within=3",
    "cube-dqn": "cube --seed 12 --units 3 --set learner=dqn --set encoding=stickers --set hidden_1=12"
    " --set hidden_2=8 --set hidden_3=6 --set batch=300 --set updates=3 --set worlds=300 --set act_every=2"
    " --set replay=1500 --set warm_up=400 --set target_every=2 --set turn_cost=0.01 --set explore_updates=5"
    " --set level_window=20 --set level_up=0.01 --set retry=0.5 --set patience=1 --set pretrain=2"
    " --set judge_every=2 --set judge_within=2",
    "cube-efficientcube": "cube --seed 13 --units 3 --set learner=efficientcube --set metric=half --set hidden_1=12"
    " --set hidden_2=0 --set batch=300 --set updates=3 --set anneal=8 --set judge_every=2 --set judge_within=2",
    "cube-cayleypy": "cube --seed 13 --units 3 --set learner=cayleypy --set metric=half --set hidden_1=12"
    " --set hidden_2=0 --set batch=300 --set updates=3 --set anneal=8 --set judge_every=2 --set judge_within=2",
    "cube3-cayleypy": f"cube --seed 21 --units 3 --set puzzle=3x3x3 --set learner=cayleypy {CUBE3}",
    "cube3-davi": f"cube --seed 22 --units 3 --set puzzle=3x3x3 {CUBE3}",
    "cube3-efficientcube": f"cube --seed 23 --units 3 --set puzzle=3x3x3 --set learner=efficientcube {CUBE3}",
    "logic-life": "logic --seed 14 --units 3 --set experiment=life --set batch=20 --set steps=1 --set epochs=2"
    " --set prove_every=2",
    "logic-async": "logic --seed 15 --units 3 --set experiment=async --set parameters=table --set batch=1"
    " --set steps=1 --set fire_rate=0.6 --set epochs=1 --set prove_every=2 --set decided=0.3"
    " --set settle_below=1.0 --set anew_after=2 --set scatter=0.5",
    "language-task": "language --seed 16 --units 3 --set width=8 --set layers=1 --set heads=2 --set batch=30"
    " --set updates=2 --set anneal=5 --set judge_every=2 --set judge_size=40",
    "language-stories": "language --seed 17 --units 3 --set source=stories --set width=8 --set layers=1"
    " --set heads=2 --set length=130 --set batch=9 --set updates=1 --set judge_every=2 --set judge_size=600"
    " --set optimiser=adamw --set echoes=0.6 --set echo_until=5",
    "language-pairs": "language --seed 18 --units 2 --set source=stories --set tokens=pairs --set vocabulary=300"
    " --set width=8 --set layers=1 --set heads=1 --set length=16 --set batch=3 --set updates=1"
    " --set judge_every=3 --set judge_size=300",
}


def read_header(path):
    """Returns Learnery's header of a checkpoint, a safetensors file."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    head = json.loads(data[8 : 8 + size])
    return json.loads(head["__metadata__"]["learnery"])["header"]


def link(fields, header):
    """Returns the page's link for the run of a header. `fields` are the lab's settings in the order of its
    schema; the link has those that differ from their defaults."""
    parts = [f"seed={header['seed']}"]
    for field in fields:
        # A file leaves out settings that came later and have their defaults.
        value = header["config"].get(field["name"], field["default"])
        if value != field["default"]:
            text = value if isinstance(value, str) else json.dumps(value)
            parts.append(f"{field['name']}={text}")
    return f"#/{header['lab']}?{'&'.join(parts)}&units={header['units']}"


def main(binary, names):
    def learnery(*args):
        return subprocess.run([binary, *args], check=True, capture_output=True, text=True).stdout

    # The other runs stay as they were recorded: their commands and links are those of the version that saved
    # them.
    runs = {run["name"]: run for run in json.loads((GOLDEN / "runs.json").read_text())}
    for name in names:
        command = RUNS[name]
        file = GOLDEN / f"{name}.safetensors"
        with tempfile.TemporaryDirectory() as folder:
            learnery("train", *command.split(), "--out", f"{folder}/a")
            file.write_bytes(Path(f"{folder}/a/last.safetensors").read_bytes())
        header = read_header(file)
        fields = json.loads(learnery("labs", header["lab"], "--json"))["fields"]
        values = {f["name"]: header["config"].get(f["name"], f["default"]) for f in fields}
        changed = {f["name"]: values[f["name"]] for f in fields if values[f["name"]] != f["default"]}
        runs[name] = {
            "name": name,
            "lab": header["lab"],
            "seed": header["seed"],
            "units": header["units"],
            "command": f"train {command}",
            "link": link(fields, header),
            "settings": changed,
            "more": MORE,
        }
    (GOLDEN / "runs.json").write_text(json.dumps(list(runs.values()), indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="+", choices=RUNS)
    parser.add_argument("--binary", default=str(ROOT / "target/release/learnery"))
    arguments = parser.parse_args()
    main(arguments.binary, arguments.names)
