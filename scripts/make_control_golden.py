"""Writes tests/golden/cartpole.tsv: single steps of the real Gymnasium, from states of every kind.

    pip install gymnasium==1.4.0 && python scripts/make_control_golden.py

Columns: state (4), action, next state (4), reward, terminated. Every seventh state lies at an edge.
"""

import pathlib

import gymnasium
import numpy as np

ROWS = 700
LIMITS = np.array([2.4, 4.0, 12 * 2 * np.pi / 360, 4.0])


def main():
    env = gymnasium.make("CartPole-v1").unwrapped
    env.reset(seed=0)
    rng = np.random.default_rng(7)
    out = pathlib.Path(__file__).parent.parent / "tests" / "golden" / "cartpole.tsv"
    lines = [f"# gymnasium {gymnasium.__version__} CartPole-v1"]
    for row in range(ROWS):
        state = rng.uniform(-LIMITS, LIMITS)
        if row % 7 == 0:
            edge = 2 * int(rng.integers(2))
            state[edge] = np.sign(state[edge]) * LIMITS[edge] * 0.999
        state = state.astype(np.float32).astype(np.float64)
        action = int(rng.integers(2))
        env.state = tuple(state)
        env.steps_beyond_terminated = None
        _, reward, terminated, _, _ = env.step(action)
        numbers = [*state, action, *env.state, reward, int(terminated)]
        lines.append("\t".join(repr(float(n)) for n in numbers))
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
