"""Compares cube verdicts of `learnery backgammon cube` with those in a file of `make_cube_positions.py`.

    python scripts/compare_cube_positions.py FILE [learnery OPTIONS...]

The options go to `learnery backgammon cube`, such as `--plies 2`. The program is `target/release/learnery`,
the network the shipped one. A position costs what GNU Backgammon thinks is lost by our action, plus what is
lost by our answer to a double. A verdict agrees if it is the same, or costs nothing (two actions are worth
the same, as after the Crawford game); the column "same" counts the same verdicts only. The columns "bias" are
our equities minus GNU Backgammon's, on average: of no double, and of a double that is taken. Each stratum is
a verdict of GNU Backgammon or a kind of score.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

NOTHING = 0.00005
"""A loss of equity below this counts as none: the file rounds equities to five decimals."""
ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("LEARNERY", str(ROOT / "target/release/learnery"))


def our_verdict(answer):
    if answer["response"] == "take":
        return "double/take" if answer["action"] == "double" else "no double/take"
    return "double/pass" if answer["action"] == "double" else "too good/pass"


def lost(ours, no_double, take, drop):
    """What our verdict loses by its action and by its answer, with these equities for the side on roll."""
    action, response = ours.split("/")
    doubled = min(take, drop)
    best = max(no_double, doubled)
    by_action = best - (doubled if action == "double" else no_double)
    by_response = (take if response == "take" else drop) - doubled
    return by_action, by_response


def main():
    rows = [line.split("\t") for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
    network = str(ROOT / "models/backgammon.safetensors")
    command = [PROGRAM, "backgammon", "cube", "--checkpoint", network, *sys.argv[2:]]
    finished = subprocess.run(command, input="".join(row[0] + "\n" for row in rows), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in finished.stdout.splitlines()]
    assert len(answers) == len(rows)
    strata = collections.defaultdict(list)
    for row, answer in zip(rows, answers):
        equities = [float(number) for number in row[2:5]]
        ours = our_verdict(answer)
        by_action, by_response = lost(ours, *equities)
        result = (
            ours == row[1] or by_action + by_response < NOTHING, ours == row[1], by_action, by_response,
            answer["no_double"] - equities[0], answer["double_take"] - equities[1],
        )
        for stratum in ["all", row[1], row[5]]:
            strata[stratum].append(result)
    headings = ["agree", "same", "lost", "by action", "by answer", "bias no double", "bias take"]
    print(f"{'stratum':<18}{'positions':>9}" + "".join(f"{heading:>16}" for heading in headings))
    for stratum, results in strata.items():
        agree, same, action, response, no_double, take = (sum(column) / len(results) for column in zip(*results))
        figures = [f"{agree:.1%}", f"{same:.1%}", *(f"{x:.4f}" for x in (action + response, action, response, no_double, take))]
        print(f"{stratum:<18}{len(results):>9}" + "".join(f"{figure:>16}" for figure in figures))


main()
