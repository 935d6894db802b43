"""Writes tests/golden/control/*.tsv: single steps of the real Gymnasium, from states of every kind.

    pip install gymnasium==1.4.0 && python scripts/make_control_golden.py

Columns: state, action, next state, observation, reward, terminated. Every fourth state lies at an edge.
"""

import pathlib

import gymnasium
import numpy as np

ROWS = 350
PI = np.pi

# For each world: how far each number of a state may lie from zero or from the middle of its range, and which of them
# have an edge at which an episode ends or a speed is cut.
WORLDS = {
    "CartPole-v1": ([0, 0, 0, 0], [2.4, 4.0, 12 * 2 * PI / 360, 4.0], [0, 2]),
    "MountainCar-v0": ([-0.3, 0], [0.9, 0.07], [0, 1]),
    "Pendulum-v1": ([0, 0], [40.0, 8.0], [1]),
    "Acrobot-v1": ([0, 0, 0, 0], [PI, PI, 4 * PI, 9 * PI], [0, 1, 2, 3]),
}


def action_of(env, rng):
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        return int(rng.integers(env.action_space.n))
    # Beyond the bounds too: the rules say what happens then.
    return float(np.float32(rng.uniform(-3.0, 3.0)))


def rows_of(name):
    middle, reach, edges = (np.array(x) for x in WORLDS[name])
    env = gymnasium.make(name).unwrapped
    env.reset(seed=0)
    rng = np.random.default_rng(7)
    for row in range(ROWS):
        state = middle + rng.uniform(-reach, reach)
        if row % 4 == 0:
            edge = rng.choice(edges)
            state[edge] = middle[edge] + np.sign(state[edge] - middle[edge]) * reach[edge] * 0.999
        state = state.astype(np.float32).astype(np.float64)
        action = action_of(env, rng)
        env.state = state.copy() if name in ("Acrobot-v1", "Pendulum-v1") else tuple(state)
        env.steps_beyond_terminated = None
        taken = action if isinstance(action, int) else np.array([action], dtype=np.float64)
        seen, reward, terminated, _, _ = env.step(taken)
        yield [*state, action, *env.state, *seen, reward, int(terminated)]


def main():
    folder = pathlib.Path(__file__).parent.parent / "tests" / "golden" / "control"
    for name in WORLDS:
        lines = [f"# gymnasium {gymnasium.__version__} {name}"]
        lines += ["\t".join(repr(float(n)) for n in row) for row in rows_of(name)]
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
