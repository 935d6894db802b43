"""Writes tests/golden/backgammon/*.tsv: reference data on random positions, computed by GNU Backgammon 1.07
(a separate program).

    apt-get install gnubg && python scripts/make_backgammon_golden.py

The columns of the files are separated by tabs:

positions.tsv: position ID; checkers of the player on roll on his points 1 to 24 and the bar; the same of the opponent.
xgids.tsv:     XGID (eXtreme Gammon's notation); ID of its position.
matches.tsv:   match ID; its fields: cube_log (base-2 logarithm of the doubling cube), owner of the cube (3: nobody), player on
               roll, crawford, game state, turn, two dice, match length (0: none), two scores, jacoby.
plays.tsv:     position ID; two dice; number of different positions after a play; notation of the best play.

GNU Backgammon runs Python scripts in itself. So this file runs twice: started by the user it calls `outside`,
which starts GNU Backgammon with this file as its script, and there it calls `inside`.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

BAR = 24  # the index of the bar in a list of checkers
OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "backgammon"


def random_position(rng, reach):
    """Returns the checkers of both players, each at most fifteen, at random on the player's lowest `reach`
    points and the bar. A list holds points 1 to 24 at indices 0 to 23, and the bar at index 24. No point
    holds checkers of both players."""
    sides = [[0] * 25, [0] * 25]
    for own, other in (sides, sides[::-1]):
        for _ in range(rng.choice([15, 15, 15, rng.randint(1, 14)])):
            index = BAR if rng.random() < 0.05 else rng.randrange(reach)
            # Point i of one player is point 25 - i of the other.
            if index == BAR or other[23 - index] == 0:
                own[index] += 1
    return sides


def xgid(rng, own, other, turn, dice):
    """Returns the XGID of a position. It has 26 letters: the upper player's bar, points 1 to 24 of the lower
    player, the lower player's bar. Capital letters are checkers of the lower player, A for one. `turn` is 1
    if the lower player is on roll."""
    lower, upper = (own, other) if turn == 1 else (other, own)
    letters = ["-"] * 26
    for point, n in enumerate(lower, start=1):
        if n:
            letters[point] = chr(ord("A") + n - 1)
    for point, n in enumerate(upper, start=1):
        if n:
            letters[25 - point] = chr(ord("a") + n - 1)
    return f"XGID={''.join(letters)}:0:0:{turn}:{dice[0]}{dice[1]}:0:0:0:0:10"


def inside():
    """Computes the data. Runs inside GNU Backgammon, which provides the module `gnubg`."""
    import gnubg

    rng = random.Random(5)
    out = {name: [] for name in ("positions", "xgids", "matches", "plays")}
    for line in [
        *("automatic game off", "automatic roll off", "automatic bearoff off", "automatic move off"),
        *("player 0 human", "player 1 human", "display off", "jacoby off"),
        *("evaluation chequer evaluation plies 0", "evaluation chequer evaluation cubeful off"),
    ]:
        gnubg.command("set " + line)
    gnubg.command("new game")

    for i in range(160):
        # From checkers anywhere to a bear-off.
        own, other = random_position(rng, [24, 18, 12, 6][i % 4])
        # If a player has no checkers left, the game is over and there is no play.
        if not sum(own) or not sum(other):
            continue
        board = (tuple(other), tuple(own))
        name = gnubg.positionid(board)
        out["positions"].append([name, ",".join(map(str, own)), ",".join(map(str, other))])
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        gnubg.command("set turn 1")
        gnubg.command("set board " + name)
        gnubg.command(f"set dice {dice[0]} {dice[1]}")
        # All plays, the best first: a roll has fewer than 4000.
        hints = gnubg.hint(4000).get("hint", [])
        if gnubg.positionid() != name:
            raise ValueError(f"{gnubg.positionid()} is set up and not {name}")
        best = hints[0]["move"] if hints else "(no play)"
        out["plays"].append([name, *map(str, dice), str(max(1, len(hints))), best])
        if i % 4 == 0:
            text = xgid(rng, own, other, rng.choice([1, -1]), dice)
            gnubg.command("set xgid " + text)
            out["xgids"].append([text, gnubg.positionid()])

    for i in range(40):
        length = rng.choice([0, 0, 5, 7, 11, 25])
        score = tuple(rng.randrange(max(1, length - 1)) for _ in "ab") if length else (0, 0)
        owner, cube = rng.choice([(-1, 1), (0, 2), (1, 4), (1, 8)])
        turn, jacoby = rng.randrange(2), rng.randrange(2) if length == 0 else 0
        # GNU Backgammon writes the larger die first. (0, 0) means that the dice are not rolled yet.
        dice = rng.choice([(0, 0), sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)])
        cubeinfo = gnubg.cubeinfo(cube, owner, turn, length, score, 0)
        cubeinfo["jacoby"] = jacoby
        posinfo = {"dice": tuple(dice), "turn": turn, "resigned": 0, "doubled": 0, "gamestate": 1}
        # A match ID writes the owner in two bits, so -1 for nobody becomes 3.
        fields = [cube.bit_length() - 1, owner % 4, turn, 0, 1, turn, *dice, length, *score, jacoby]
        out["matches"].append([gnubg.matchid(cubeinfo, posinfo), *map(str, fields)])

    for name, rows in out.items():
        OUT.mkdir(parents=True, exist_ok=True)
        (OUT / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


def outside():
    """Starts GNU Backgammon with this file as its script."""
    here = pathlib.Path(__file__).resolve()
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(f"__name__, __file__ = 'gnubg', {str(here)!r}\n")
        script.write(f"exec(compile(open({str(here)!r}).read(), {str(here)!r}, 'exec'))\n")
        script.flush()
        gnubg = "/usr/games/gnubg" if pathlib.Path("/usr/games/gnubg").exists() else "gnubg"
        command = [gnubg, "-t", "-q", "-r", "-p", script.name]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if "Traceback" in done.stdout + done.stderr:
        sys.exit(done.stdout + done.stderr)


if __name__ == "__main__":
    outside()
elif __name__ == "gnubg":
    inside()
