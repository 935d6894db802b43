"""Checks the solutions of `learnery cube eval RUN --out FILE` by rules of its own, and compares their lengths
with those of Kociemba's two-phase solver (PyPI: kociemba), which is not used to learn.

    python scripts/compare_cube_solver.py FILE
"""

import json
import statistics
import sys
import time

import kociemba

# The order of the faces in a text of stickers, which is Kociemba's.
FACES = "URFDLB"
# For each face: its normal, the direction to the next sticker in a row, and to the next row. Axes: right, up,
# front.
LAYOUT = {
    "U": ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    "R": ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    "F": ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    "D": ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    "L": ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "B": ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
}


def places():
    """The position and the normal of each of the 54 stickers."""
    found = []
    for normal, along, down in LAYOUT.values():
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                position = tuple(n + column * a + row * d for n, a, d in zip(normal, along, down))
                found.append((position, normal))
    return found


PLACES = places()
INDEX = {place: i for i, place in enumerate(PLACES)}


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def quarter(axis, vector):
    """A quarter turn clockwise, seen from the tip of the axis."""
    along = sum(a * v for a, v in zip(axis, vector))
    return tuple(along * a + c for a, c in zip(axis, cross(vector, axis)))


def permutation(face):
    """For each place: the place to which a turn of the face moves its sticker."""
    axis = LAYOUT[face][0]
    moved = []
    for position, normal in PLACES:
        in_layer = sum(a * p for a, p in zip(axis, position)) == 1
        moved.append(INDEX[quarter(axis, position), quarter(axis, normal)] if in_layer else INDEX[position, normal])
    return moved


TURNS = {face: permutation(face) for face in FACES}


def after(stickers, sequence):
    """The stickers after a sequence of turns such as "R U2 F'": quarter turns clockwise, half turns and
    quarter turns back."""
    for name in sequence.split():
        times = {"": 1, "2": 2, "'": 3}[name[1:]]
        for _ in range(times):
            new = list(stickers)
            for source, target in enumerate(TURNS[name[0]]):
                new[target] = stickers[source]
            stickers = "".join(new)
    return stickers


def main():
    lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    solved = "".join(9 * face for face in FACES)
    ours, theirs, seconds = [], [], 0.0
    for line in lines:
        if line["solution"] is not None:
            assert after(line["stickers"], line["solution"]) == solved, f"state {line['state']} is not solved"
            ours.append(line["halfTurns"])
        begin = time.perf_counter()
        solution = kociemba.solve(line["stickers"])
        seconds += time.perf_counter() - begin
        assert after(line["stickers"], solution) == solved
        theirs.append(len(solution.split()))
    print(f"{len(ours)} of {len(lines)} states solved, each solution checked")
    print(f"half turns: {statistics.mean(ours):.2f}; Kociemba's solver: {statistics.mean(theirs):.2f}, {seconds / len(lines):.3f} s a state")


main()
