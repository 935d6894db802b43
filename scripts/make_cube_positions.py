"""Writes cube positions from matches that GNU Backgammon 1.07 (a separate program) plays with itself, with
its own verdicts.

    apt-get install gnubg && python scripts/make_cube_positions.py FILE --seed 23 --count 500

GNU Backgammon plays matches of 3 to 13 points at 0 plies. From every game a few positions are taken before a
roll in which the side on roll may double, and evaluated at 2 plies. A position is kept if its two best
actions (no double, and a double with the best answer) differ by less than 0.15. They are drawn evenly from
strata: four verdicts by four kinds of score.

The columns of the file are separated by tabs: XGID; verdict (double or not, slash, take or pass; "too good"
is a win by playing on); the equities of no double, double/take and double/pass for the side on roll, where a
single game at the present cube is 1; kind of score.

GNU Backgammon runs Python scripts in itself, so this file runs twice: started by the user it calls `outside`,
which starts GNU Backgammon with this file as its script, and there it calls `inside`.
"""

import os
import pathlib
import random
import subprocess
import sys

LENGTHS = [3, 5, 7, 9, 11, 13]
MATCHES = 72
CLOSE = 0.15
"""A position is kept if its two best actions differ by less than this at 2 plies."""
PERHAPS_CLOSE = 0.25
"""A position is evaluated at 2 plies, which takes long, only if its actions differ by less than this at 0
plies."""
PER_GAME = 5
"""The most positions of a game that are evaluated at 2 plies."""
VERDICTS = ["no double/take", "double/take", "double/pass", "too good/pass"]
SCORES = ["both far", "even and near", "one side near", "after Crawford"]


def xgid(board, score, cube, owner, length):
    """The XGID of a position, in which the side on roll is the lower player. `owner` is 0 if nobody owns the
    cube, 1 if that side does."""
    other, own = board
    places = ["-"] * 26
    for point in range(1, 26):
        if own[point - 1]:
            places[point] = chr(ord("A") + own[point - 1] - 1)
        if other[point - 1]:
            places[25 - point] = chr(ord("a") + other[point - 1] - 1)
    return f"XGID={''.join(places)}:{cube.bit_length() - 1}:{owner}:1:00:{score[0]}:{score[1]}:0:{length}:10"


def score_kind(away):
    low, high = min(away), max(away)
    if low == 1:
        return "after Crawford"
    if low >= 6:
        return "both far"
    return "even and near" if high - low <= 1 else "one side near"


def verdict(no_double, take, drop):
    if take >= drop:
        return "too good/pass" if no_double > drop else "double/pass"
    return "double/take" if take > no_double else "no double/take"


def evaluate(gnubg, board, decision, plies):
    """The equities of no double, double/take and double/pass."""
    context = gnubg.evalcontext()
    context.update(cubeful=1, plies=plies, noise=0.0)
    info = gnubg.cubeinfo(decision["cube"], decision["owner"], 1, decision["length"], decision["score"], 0)
    return gnubg.cfevaluate(board, info, context)[1:4]


def decisions(match):
    """The positions of a match before a roll in which the side on roll may double, game by game."""
    length = match["match-info"]["match-length"]
    for game in match["games"]:
        score = {"X": game["info"]["score-X"], "O": game["info"]["score-O"]}
        away = {side: length - points for side, points in score.items()}
        near = [side for side in away if away[side] == 1]
        # The first game in which a side needs one point is the Crawford game.
        crawford = bool(near) and not decisions.crawford_played
        decisions.crawford_played = decisions.crawford_played or crawford
        found, cube, owner, before = [], 1, None, None
        for action in game["game"]:
            side = action["player"]
            if action["action"] == "take":
                cube, owner = cube * 2, side
            if action["action"] in ("move", "double") and not crawford:
                other = "O" if side == "X" else "X"
                may_double = owner in (None, side) and away[side] > cube and action["board"] != before
                # Nobody doubles before the first roll of a game.
                if may_double and before is not None:
                    found.append({
                        "position": action["board"], "cube": cube, "owner": -1 if owner is None else 1,
                        "score": (score[other], score[side]), "length": length, "away": (away[side], away[other]),
                    })
                before = action["board"]
        yield found


def inside(path, seed, count):
    import gnubg

    rng = random.Random(seed)
    for line in ["automatic game on", "automatic roll on", "automatic bearoff on", "automatic move on", "display off",
                 "player 0 gnubg", "player 1 gnubg", "output matchpc off", "rng mersenne", f"seed {seed}"]:
        gnubg.command("set " + line)
    for player in [0, 1]:
        for kind in ["chequer", "cubedecision"]:
            gnubg.command(f"set player {player} {kind} evaluation plies 0")
    strata = {(v, s): [] for v in VERDICTS for s in SCORES}
    for number in range(MATCHES):
        gnubg.command(f"new match {LENGTHS[number % len(LENGTHS)]}")
        decisions.crawford_played = False
        for found in decisions(gnubg.match(0, 1, 0, 0)):
            rng.shuffle(found)
            taken = 0
            for decision in found:
                if taken == PER_GAME:
                    break
                board = gnubg.positionfromid(decision["position"])
                no_double, take, drop = evaluate(gnubg, board, decision, 0)
                if abs(no_double - min(take, drop)) >= PERHAPS_CLOSE:
                    continue
                taken += 1
                no_double, take, drop = evaluate(gnubg, board, decision, 2)
                if abs(no_double - min(take, drop)) >= CLOSE:
                    continue
                kind, name = score_kind(decision["away"]), verdict(no_double, take, drop)
                owner = 0 if decision["owner"] == -1 else 1
                score = decision["score"][::-1]
                row = [xgid(board, score, decision["cube"], owner, decision["length"]), name,
                       *(f"{equity:.5f}" for equity in (no_double, take, drop)), kind]
                strata[name, kind].append("\t".join(row))
        os.write(2, f"{number + 1} of {MATCHES} matches\n".encode())
    for rows in strata.values():
        rng.shuffle(rows)
    # One row of each stratum after the other, until there are enough.
    chosen = []
    while len(chosen) < count and any(strata.values()):
        for rows in strata.values():
            if rows and len(chosen) < count:
                chosen.append(rows.pop())
    pathlib.Path(path).write_text("".join(row + "\n" for row in sorted(chosen)))


def outside():
    arguments = sys.argv[1:]
    path = str(pathlib.Path(arguments[0]).resolve())
    seed, count = (int(arguments[arguments.index(name) + 1]) for name in ("--seed", "--count"))
    environment = dict(os.environ, CUBE_POSITIONS=f"{path}\n{seed}\n{count}", PATH=os.environ["PATH"] + ":/usr/games")
    command = ["gnubg", "-t", "-q", "-r", "-p", str(pathlib.Path(__file__).resolve())]
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)


if "CUBE_POSITIONS" in os.environ:
    target, first, second = os.environ["CUBE_POSITIONS"].split("\n")
    inside(target, int(first), int(second))
else:
    outside()
