"""Asks GNU Backgammon 1.07 (a separate program) for the equities of the golden positions, and joins all files
to the golden one.

    apt-get install gnubg
    python scripts/gnubg_equities.py roll POSITIONS RESULTS --rolls 11
    python scripts/gnubg_equities.py join POSITIONS OUR_RESULTS RESULTS > tests/golden/backgammon/equities.tsv

POSITIONS come from the example `golden_positions` of the backgammon lab (`draw`), OUR_RESULTS too (`roll`).
`roll` rolls out each position that RESULTS does not have yet until the standard error is at most 0.008:
cubeless, for money, 0 plies, luck subtracted, truncated after so many rolls (0: played to the end). The truth
is the mean with our rollout, whose standard error is at most 0.005, so that of the mean is at most 0.0048. It
also evaluates the position at 0, 1 and 2 plies. Results are appended one by one, so it can be stopped and
started again. `join` keeps the positions that both programs have rolled out. RESULTS of all positions are
committed as `tests/golden/backgammon/gnubg_equities.tsv`. To go on from the golden file, cut its columns 1, 3
and 4 to OUR_RESULTS.

The columns of RESULTS are separated by tabs: position ID; equity and standard error by the rollout; equities
at 0, 1 and 2 plies. Those of the golden file: position ID, plan, our equity and standard error, then the
columns of RESULTS.

GNU Backgammon prints the results of a rollout to terminals only, so it runs in a pseudo-terminal. It runs
Python scripts in itself, so this file runs twice, as `make_cube_positions.py` does.
"""

import argparse
import os
import pathlib
import pty
import re
import subprocess
import sys
import time

# A rollout ends at this standard error of the equity, after at least FEWEST_GAMES and at most GAMES games.
GAMES = 10368
FEWEST_GAMES = 144
STANDARD_ERROR = 0.008
# Begins the line that our script within GNU Backgammon writes after each position.
MARK = "@@"
# The cubeless equity and its standard error, as GNU Backgammon prints them: "CL +0.123" and "CL 0.008]".
EQUITY = re.compile(r"CL\s+([+-]\d+\.\d+)")
ERROR = re.compile(r"CL\s+(\d+\.\d+)\]")


def inside(rolls, positions):
    """Within GNU Backgammon: rolls out every position."""
    import gnubg

    for line in ["threads 1", "output matchpc off", "output digits 5", "cache 131072", "rollout cubeful off",
                 "rollout chequerplay plies 0", "rollout chequerplay cubeful off", "rollout cubedecision plies 0",
                 "rollout cubedecision cubeful off", f"rollout trials {GAMES}", "rollout seed 1",
                 *([f"rollout truncation plies {rolls}"] if rolls else []), "rollout limit enable on",
                 f"rollout truncation enable {'on' if rolls else 'off'}",
                 f"rollout limit minimumgames {FEWEST_GAMES}", f"rollout limit maxerror {STANDARD_ERROR}"]:
        gnubg.command("set " + line)
    cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0)
    context = gnubg.evalcontext()
    for position in positions:
        values = []
        for plies in range(3):
            context.update(cubeful=0, plies=plies, noise=0.0)
            # The equity stands after five chances: to win, and to win or lose a gammon or a backgammon.
            values.append(gnubg.evaluate(gnubg.positionfromid(position), cube, context)[5])
        # Money, nobody has rolled, player 1 is on roll.
        gnubg.command("new session")
        for line in ["jacoby off", "cube use off", "turn 1", f"board {position}"]:
            gnubg.command("set " + line)
        assert gnubg.positionid() == position, (gnubg.positionid(), position)
        gnubg.command("rollout")
        os.write(1, f"\n{MARK} {position} {' '.join(f'{value:.5f}' for value in values)}\n".encode())


def first_fields(path):
    text = pathlib.Path(path).read_text() if pathlib.Path(path).exists() else ""
    return [line.split("\t")[0] for line in text.splitlines()]


def roll(arguments):
    done = set(first_fields(arguments.results))
    positions = [position for position in first_fields(arguments.positions) if position not in done]
    environment = dict(os.environ, GNUBG_EQUITIES=f"{arguments.rolls}\n" + "\n".join(positions), TERM="dumb",
                       PATH=os.environ["PATH"] + ":/usr/games")
    ours, theirs = pty.openpty()
    command = ["gnubg", "-t", "-q", "-r", "-p", str(pathlib.Path(__file__).resolve())]
    program = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    equity = error = None
    waiting = ""
    end = time.monotonic() + arguments.seconds
    with open(arguments.results, "a") as results:
        while True:
            try:
                read = os.read(ours, 65536)
            except OSError:
                break
            if not read:
                break
            *lines, waiting = re.split(r"[\r\n]+", waiting + read.decode(errors="replace"))
            for line in lines:
                equity = EQUITY.search(line) or equity
                error = ERROR.search(line) or error
                if line.startswith(MARK):
                    _, position, *values = line.split()
                    # The last that were printed are those of the whole rollout.
                    results.write("\t".join([position, equity[1], error[1], *values]) + "\n")
                    results.flush()
                    equity = error = None
                    if time.monotonic() > end:
                        program.kill()
                        sys.exit(0)
                elif "Error" in line or "Exception" in line:
                    print(line, file=sys.stderr)
    sys.exit(program.wait())


def join(arguments):
    def table(path):
        return {line.split("\t")[0]: line.split("\t")[1:] for line in pathlib.Path(path).read_text().splitlines()}

    ours, theirs = table(arguments.ours), table(arguments.results)
    for line in pathlib.Path(arguments.positions).read_text().splitlines():
        position, plan = line.split("\t")
        if position in ours and position in theirs:
            print("\t".join([position, plan, *ours[position][:2], *theirs[position]]))


def outside():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    rolling = commands.add_parser("roll")
    rolling.add_argument("positions")
    rolling.add_argument("results")
    rolling.add_argument("--rolls", type=int, required=True)
    rolling.add_argument("--seconds", type=float, default=float("inf"), help="ends after the position under way")
    rolling.set_defaults(run=roll)
    joining = commands.add_parser("join")
    for name in ["positions", "ours", "results"]:
        joining.add_argument(name)
    joining.set_defaults(run=join)
    arguments = parser.parse_args()
    arguments.run(arguments)


if "GNUBG_EQUITIES" in os.environ:
    first, *rest = os.environ["GNUBG_EQUITIES"].split("\n")
    inside(int(first), rest)
else:
    outside()
