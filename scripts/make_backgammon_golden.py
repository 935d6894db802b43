"""Writes tests/golden/backgammon/*.tsv: what GNU Backgammon (a separate program, 1.07) says about positions.

    apt-get install gnubg && python scripts/make_backgammon_golden.py

positions.tsv: ID, checkers of the side on roll on its points 1 to 24 and the bar, those of the other side.
xgids.tsv:     XGID, the ID of its position.
matches.tsv:   match ID, what it says: cube_log, owner (3: nobody), on_roll, crawford, state, turn, dice, length, scores, jacoby.
plays.tsv:     ID, dice, how many different positions they lead to, the notation of the play thought best.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "backgammon"


def scattered(rng, reach):
    """Two sides of at most fifteen on the points up to `reach` of each and the bar, none shared."""
    sides = [[0] * 25, [0] * 25]
    for own, other in (sides, sides[::-1]):
        for _ in range(rng.choice([15, 15, 15, rng.randint(1, 14)])):
            place = 24 if rng.random() < 0.05 else rng.randrange(reach)
            if place == 24 or other[23 - place] == 0:
                own[place] += 1
    return sides


def xgid(rng, own, other, turn, dice):
    """The lower player is on roll where `turn` is 1."""
    lower, upper = (own, other) if turn == 1 else (other, own)
    letters = ["-"] * 26
    for place, n in enumerate(lower, start=1):
        if n:
            letters[place] = chr(ord("A") + n - 1)
    for place, n in enumerate(upper, start=1):
        if n:
            letters[25 - place] = chr(ord("a") + n - 1)
    return f"XGID={''.join(letters)}:0:0:{turn}:{dice[0]}{dice[1]}:0:0:0:0:10"


def inside():
    """Runs in GNU Backgammon, whose module `gnubg` is the only one there."""
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
        own, other = scattered(rng, [24, 18, 12, 6][i % 4])
        # A game that is over, or a turn with nobody left to move, is none of its business.
        if not sum(own) or not sum(other):
            continue
        board = (tuple(other), tuple(own))
        name = gnubg.positionid(board)
        out["positions"].append([name, ",".join(map(str, own)), ",".join(map(str, other))])
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        gnubg.command("set turn 1")
        gnubg.command("set board " + name)
        gnubg.command(f"set dice {dice[0]} {dice[1]}")
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
        # It writes the larger die first.
        dice = rng.choice([(0, 0), sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)])
        cubeinfo = gnubg.cubeinfo(cube, owner, turn, length, score, 0)
        cubeinfo["jacoby"] = jacoby
        posinfo = {"dice": tuple(dice), "turn": turn, "resigned": 0, "doubled": 0, "gamestate": 1}
        fields = [cube.bit_length() - 1, owner % 4, turn, 0, 1, turn, *dice, length, *score, jacoby]
        out["matches"].append([gnubg.matchid(cubeinfo, posinfo), *map(str, fields)])

    for name, rows in out.items():
        OUT.mkdir(parents=True, exist_ok=True)
        (OUT / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


def outside():
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
