"""Compares `learnery backgammon analyse` with the analysis of GNU Backgammon 1.07 (a separate program) on
matches that the latter plays with itself.

    apt-get install gnubg && python scripts/compare_match_analysis.py FOLDER [--matches 10] [--seed 23] [learnery OPTIONS...]

GNU Backgammon plays matches of 7 points at 0 plies, each player with a level of noise that is drawn for the
match, and analyses them at 2 plies with its default settings and one thread. FOLDER keeps the matches and its
judgement, so a second call compares again without it. The other options go to `learnery backgammon analyse`,
such as `--plies 1`. The program is `target/release/learnery` (or that in the variable LEARNERY), the network
the shipped one, and it has one thread too.

Written are Spearman's correlation of the error rates over all player-matches, Pearson's correlation of the
errors over all decisions in which either program sees an error of 0.02 or more, and the decisions a second of
both.

GNU Backgammon runs Python scripts in itself, so this file runs twice: started by the user it calls `outside`,
which starts GNU Backgammon with this file as its script, and there it calls `inside`.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

LENGTH = 7
"""Points of a match."""
NOISES = [0.0, 0.005, 0.01, 0.02, 0.03, 0.045, 0.06]
"""The levels of noise that GNU Backgammon may add to its evaluations as it plays; 0 is none."""
COUNTED = 0.02
"""The correlation counts decisions in which either program sees at least this error, in equity."""
SCRIPT = os.environ.get("MATCH_ANALYSIS_SCRIPT") or str(pathlib.Path(__file__).resolve())
"""GNU Backgammon does not tell a script where it is."""
ROOT = pathlib.Path(SCRIPT).parent.parent
PROGRAM = os.environ.get("LEARNERY", str(ROOT / "target/release/learnery"))


def cube_errors(analysis, equity):
    """What no double, a double, a take and a pass lose. `equity` turns a chance to win the match into equity,
    in which a double that is passed is worth 1."""
    no_double, take = equity(analysis["nd-cubeful-eq"]), equity(analysis["dt-cubeful-eq"])
    double = min(take, 1.0)
    best = max(no_double, double)
    return {"no double": best - no_double, "double": best - double, "take": max(0.0, take - 1.0), "pass": max(0.0, 1.0 - take)}


def judged_by_gnubg(gnubg, match):
    """Yields [game, action, kind, error] of each decision in the order of the match. Games and actions count
    from 1; a kind is "cube" (to double or not), "answer" or "play"."""
    crawford_played = False
    for number, game in enumerate(match["games"]):
        score = {"X": game["info"]["score-X"], "O": game["info"]["score-O"]}
        crawford = not crawford_played and LENGTH - 1 in score.values()
        crawford_played = crawford_played or crawford
        cube, owner, offered = 1, None, None
        for index, action in enumerate(game["game"]):
            side, kind, analysis = action["player"], action["action"], action.get("analysis") or {}
            key = [number + 1, index + 1]
            if "nd-cubeful-eq" in analysis:
                other = "O" if side == "X" else "X"
                # The side on roll is player 1.
                holder = -1 if owner is None else int(owner == side)
                info = gnubg.cubeinfo(cube, holder, 1, LENGTH, (score[other], score[side]), int(crawford))
                errors = cube_errors(analysis, lambda chance, info=info: gnubg.mwc2eq(chance, info))
                offered = errors
                yield key + ["cube", errors["double" if kind == "double" else "no double"]]
            if kind == "take":
                yield key + ["answer", offered["take"]]
                cube, owner = 2 * cube, side
            if kind == "drop":
                yield key + ["answer", offered["pass"]]
            if kind == "move":
                moves = analysis.get("moves", [])
                made = analysis.get("imove", 0)
                yield key + ["play", moves[0]["score"] - moves[made]["score"] if len(moves) > 1 else 0.0]


def inside(folder, seed, matches):
    import gnubg

    rng = random.Random(seed)
    for line in ["automatic game on", "automatic roll on", "automatic bearoff on", "automatic move on", "display off",
                 "player 0 gnubg", "player 1 gnubg", "output matchpc off", "rng mersenne", f"seed {seed}", "threads 1"]:
        gnubg.command("set " + line)
    for number in range(matches):
        noises = [rng.choice(NOISES) for _ in range(2)]
        for player, noise in enumerate(noises):
            for kind in ["chequer", "cubedecision"]:
                gnubg.command(f"set player {player} {kind} evaluation plies 0")
                gnubg.command(f"set player {player} {kind} evaluation noise {noise}")
        gnubg.command(f"new match {LENGTH}")
        path = f"{folder}/{number:02}"
        gnubg.command(f'export match mat "{path}.mat"')
        begin = time.time()
        gnubg.command("analyse match")
        seconds = time.time() - begin
        match = gnubg.match(1, 0, 1, 0)
        rates, players = [], []
        for side in ["X", "O"]:
            statistics = match["stats"][side]
            moves, cube = statistics["moves"], statistics["cube"]
            # In `cube`, "error-skill" is a mean by decision and not the sum that its name suggests.
            cube_error = sum(value for name, value in cube.items() if name.startswith("err-") and name.endswith("-skill"))
            decisions = moves["unforced-moves"] + cube["close-cube"]
            rates.append((moves["error-skill"] + cube_error) / max(decisions, 1))
            numbers = [moves["total-moves"], moves["unforced-moves"], cube["total-cube"], cube["close-cube"]]
            players.append({"numbers": numbers, "luck": statistics["dice"]["luck"], "rating": statistics["error-based-fibs-rating"]})
        judged = list(judged_by_gnubg(gnubg, match))
        result = {"noises": noises, "seconds": seconds, "rates": rates, "players": players, "judged": judged}
        pathlib.Path(f"{path}.json").write_text(json.dumps(result))
        os.write(2, f"{number + 1} of {matches} matches: {len(judged)} decisions in {seconds:.1f} s\n".encode())


def ranks(values):
    """Ranks from 0; equal values share their mean rank."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def pearson(first, second):
    mean = [sum(values) / len(values) for values in (first, second)]
    first, second = ([value - mean[i] for value in values] for i, values in enumerate((first, second)))
    product = sum(a * b for a, b in zip(first, second))
    scale = (sum(a * a for a in first) * sum(b * b for b in second)) ** 0.5
    return product / scale if scale else float("nan")


def judged_by_us(path, options):
    report = path.with_suffix(".ours.json")
    report.unlink(missing_ok=True)
    network = str(ROOT / "models/backgammon.safetensors")
    command = [PROGRAM, "backgammon", "analyse", str(path), "--checkpoint", network, "--threads", "1", "--json", str(report)]
    begin = time.time()
    subprocess.run(command + options, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.time() - begin
    analysis = json.loads(report.read_text())
    rates = [player["error_rate"]["equity"] for player in analysis["players"]]
    judged = {(item["game"], item["action"], item["kind"]): item["error"]["equity"] for item in analysis["judgements"]}
    return rates, judged, seconds


def compare(folder, options):
    rates, pairs, seconds, decisions = [[], []], {}, [0.0, 0.0], 0
    missing = 0
    for file in sorted(folder.glob("[0-9][0-9].json")):
        theirs = json.loads(file.read_text())
        our_rates, our_judged, our_seconds = judged_by_us(file.with_suffix(".mat"), options)
        rates[0] += theirs["rates"]
        rates[1] += our_rates
        seconds[0] += theirs["seconds"]
        seconds[1] += our_seconds
        decisions += len(theirs["judged"])
        their_judged = {tuple(key): error for *key, error in theirs["judged"]}
        missing += len(their_judged.keys() ^ our_judged.keys())
        for key in their_judged.keys() & our_judged.keys():
            if max(their_judged[key], our_judged[key]) >= COUNTED:
                pairs.setdefault(key[2], []).append((their_judged[key], our_judged[key]))
        for noise, their_rate, our_rate in zip(theirs["noises"], theirs["rates"], our_rates):
            print(f"{file.stem}  noise {noise:<6}  error rate {1000 * their_rate:6.1f} by gnubg  {1000 * our_rate:6.1f} by ours")
    print(f"decisions: {decisions}, {missing} judged by one program only")
    for kind, errors in {**pairs, "all": sum(pairs.values(), [])}.items():
        first, second = zip(*errors)
        means = [sum(values) / len(values) for values in (first, second)]
        print(f"Pearson over {len(errors)} decisions ({kind}): {pearson(first, second):.3f}; means {means[0]:.4f} {means[1]:.4f}")
    print(f"Spearman over {len(rates[0])} player-matches: {pearson(ranks(rates[0]), ranks(rates[1])):.3f}")
    print(f"decisions a second: {decisions / seconds[0]:.1f} by gnubg, {decisions / seconds[1]:.1f} by ours")


def outside():
    arguments = sys.argv[1:]
    folder = pathlib.Path(arguments.pop(0)).resolve()
    settings = {"--matches": 10, "--seed": 23}
    for name in settings:
        if name in arguments:
            place = arguments.index(name)
            settings[name] = int(arguments[place + 1])
            del arguments[place:place + 2]
    if not folder.exists():
        folder.mkdir(parents=True)
        task = f"{folder}\n{settings['--seed']}\n{settings['--matches']}"
        environment = dict(os.environ, MATCH_ANALYSIS=task, MATCH_ANALYSIS_SCRIPT=SCRIPT, PATH=os.environ["PATH"] + ":/usr/games")
        command = ["gnubg", "-t", "-q", "-r", "-p", SCRIPT]
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    if not list(folder.glob("*.json")):
        sys.exit(f"GNU Backgammon wrote no match into {folder}")
    compare(folder, arguments)


if "MATCH_ANALYSIS" in os.environ:
    place, first, second = os.environ["MATCH_ANALYSIS"].split("\n")
    inside(place, int(first), int(second))
else:
    outside()
