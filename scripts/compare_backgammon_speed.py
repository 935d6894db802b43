"""Compares the speed of `learnery backgammon` with that of GNU Backgammon 1.07 (a separate program), each on
one thread.

    apt-get install gnubg && python scripts/compare_backgammon_speed.py [--rounds 3] [--plays 60]

The tasks: plays decided at 0, 1 and 2 plies of lookahead, cubeless, on positions of
`tests/golden/backgammon/match.mat` with more than one legal play; games of a rollout of the start position,
truncated after 7 rolls, with luck subtracted; decisions of an analysis of that match at 2 plies. Both
programs work in turns, and the table has the median rate of the rounds. The program is
`target/release/learnery` (or that in the variable LEARNERY), the network the shipped one.

GNU Backgammon runs Python scripts in itself, so this file runs twice: started by the user it calls `outside`,
which starts GNU Backgammon with this file as its script, and there it calls `inside`. The time to start a
program does not count: GNU Backgammon measures itself, and from ours the time of a smaller task of the same
kind is subtracted.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SCRIPT = os.environ.get("BACKGAMMON_SPEED_SCRIPT") or str(pathlib.Path(__file__).resolve())
"""GNU Backgammon does not tell a script where it is."""
ROOT = pathlib.Path(SCRIPT).parent.parent
PROGRAM = os.environ.get("LEARNERY", str(ROOT / "target/release/learnery"))
NETWORK = str(ROOT / "models/backgammon.safetensors")
MATCH = str(ROOT / "tests/golden/backgammon/match.mat")
START = "4HPwATDgc/ABMA"
"""The position ID of the start position."""
REPEATS = {0: 2000, 1: 40, 2: 2}
"""How often we decide each play, by plies. The first time includes the start of the program and the bear-off
table, and does not count."""
ROLLOUT_GAMES = 1296
TRUNCATION = 7


def inside(task):
    """Carries out a task in GNU Backgammon, and writes its seconds."""
    import gnubg

    for line in ["automatic game off", "automatic roll off", "automatic bearoff off", "automatic move off", "display off",
                 "player 0 human", "player 1 human", "jacoby off", "threads 1", "confirm new off"]:
        gnubg.command("set " + line)
    if task["kind"] == "plays":
        seconds = time_of_plays(gnubg, task)
    elif task["kind"] == "rollout":
        seconds = time_of_rollout(gnubg)
    else:
        gnubg.command(f'import mat "{MATCH}"')
        begin = time.time()
        gnubg.command("analyse match")
        seconds = time.time() - begin
    pathlib.Path(task["answer"]).write_text(json.dumps(seconds))


def time_of_plays(gnubg, task):
    gnubg.command("new game")
    gnubg.command("set turn 1")
    cube = gnubg.cubeinfo(1, 0, 1, 0, (0, 0), 0)
    cube["jacoby"] = 0
    evaluation = gnubg.evalcontext()
    evaluation.update(cubeful=0, plies=task["plies"], noise=0.0)
    seconds = 0.0
    for line in task["lines"]:
        position, high, low = line.split()
        board = gnubg.positionfromid(position)
        gnubg.command(f"set dice {high} {low}")
        begin = time.time()
        gnubg.findbestmove(board, cube, evaluation)
        seconds += time.time() - begin
    return seconds


def time_of_rollout(gnubg):
    gnubg.command("new game")
    gnubg.command(f"set board {START}")
    for line in [f"trials {ROLLOUT_GAMES}", "truncation enable on", f"truncation plies {TRUNCATION}", "varredn on", "quasirandom on",
                 "cubeful off", "chequerplay plies 0", "later enable off", "jsd stop off", "limit enable off"]:
        gnubg.command("set rollout " + line)
    begin = time.time()
    gnubg.command("rollout")
    return time.time() - begin


def time_of_ours(command, text=""):
    begin = time.time()
    subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.time() - begin


def best(plies):
    return [PROGRAM, "backgammon", "best", "--checkpoint", NETWORK, "--plies", str(plies)]


def decisions(plays):
    """The judgements of the match, and lines `POSITION D1 D2` of as many of its plays as `plays` says, evenly
    spread over it."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        command = [PROGRAM, "backgammon", "analyse", MATCH, "--checkpoint", NETWORK, "--plies", "0", "--json", str(report)]
        time_of_ours(command)
        judgements = json.loads(report.read_text())["judgements"]
    lines = ["{} {} {}".format(item["position"], *item["dice"]) for item in judgements if item["kind"] == "play" and not item["forced"]]
    return judgements, [lines[i * len(lines) // plays] for i in range(plays)]


def tasks(plays):
    """Yields each task: its name; a small and the whole task of ours, each as (amount of work, command,
    input); and the task for GNU Backgammon, as `inside` takes it."""
    judgements, lines = decisions(plays)
    text = "".join(line + "\n" for line in lines)
    for plies, repeats in REPEATS.items():
        ours = [(n * len(lines), best(plies), n * text) for n in (1, repeats)]
        yield f"plays at {plies} plies", ours, {"kind": "plays", "plies": plies, "lines": lines}
    rollout = [PROGRAM, "backgammon", "rollout", START, "--checkpoint", NETWORK, "--threads", "1", "--truncate", str(TRUNCATION)]
    ours = [(games, rollout + ["--games", str(games)], "") for games in (36, ROLLOUT_GAMES)]
    yield "games of a rollout", ours, {"kind": "rollout"}
    analyse = [PROGRAM, "backgammon", "analyse", MATCH, "--checkpoint", NETWORK, "--threads", "1", "--plies", "2"]
    # An analysis has no smaller task, so nothing is subtracted. Its start takes a hundredth of its time.
    yield "analysed decisions", [(0, ["true"], ""), (len(judgements), analyse, "")], {"kind": "analysis"}


def time_of_gnubg(task):
    with tempfile.TemporaryDirectory() as folder:
        answer = pathlib.Path(folder) / "answer.json"
        environment = dict(os.environ, BACKGAMMON_SPEED_TASK=json.dumps({**task, "answer": str(answer)}), BACKGAMMON_SPEED_SCRIPT=SCRIPT)
        environment["PATH"] += ":/usr/games"
        command = ["gnubg", "-t", "-q", "-r", "-p", SCRIPT]
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        return json.loads(answer.read_text())


def outside():
    settings = {"--rounds": 3, "--plays": 60}
    for name, value in zip(sys.argv[1::2], sys.argv[2::2]):
        if name not in settings:
            sys.exit(f"unknown option {name}; expected {' or '.join(settings)}")
        settings[name] = int(value)
    print(f"{'a second':<22}{'learnery':>12}{'gnubg':>12}{'ratio':>8}")
    for name, (small, whole), task in tasks(settings["--plays"]):
        work_of_gnubg = len(task.get("lines", [])) or whole[0]
        ours, theirs = [], []
        for _ in range(settings["--rounds"]):
            # The less disturbed of two runs counts.
            seconds = [min(time_of_ours(*part[1:]) for _ in range(2)) for part in (small, whole)]
            ours.append((whole[0] - small[0]) / (seconds[1] - seconds[0]))
            theirs.append(work_of_gnubg / time_of_gnubg(task))
        rates = [statistics.median(rates) for rates in (ours, theirs)]
        print(f"{name:<22}{rates[0]:>12.1f}{rates[1]:>12.1f}{rates[0] / rates[1]:>8.1f}", flush=True)


if __name__ == "__main__":
    if "BACKGAMMON_SPEED_TASK" in os.environ:
        inside(json.loads(os.environ["BACKGAMMON_SPEED_TASK"]))
    else:
        outside()
