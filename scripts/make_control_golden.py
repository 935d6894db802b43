"""Writes tests/golden/control/*.tsv: reference data for the control worlds, single steps computed by
Gymnasium.

    pip install gymnasium==1.4.0 && python scripts/make_control_golden.py

The columns are state, action, next state, observation, reward, terminated. In every fourth row one number of
the state is close to a limit, where an episode terminates or a value is clipped.
"""

import pathlib

import gymnasium
import numpy as np

ROWS = 350
PI = np.pi

# For each world: the middle of the range of each number of the state, the largest distance from the middle,
# and the indices of the numbers with a limit at which an episode terminates or a speed is clipped.
WORLDS = {
    "CartPole-v1": ([0, 0, 0, 0], [2.4, 4.0, 12 * 2 * PI / 360, 4.0], [0, 2]),
    "MountainCar-v0": ([-0.3, 0], [0.9, 0.07], [0, 1]),
    "Pendulum-v1": ([0, 0], [40.0, 8.0], [1]),
    "Acrobot-v1": ([0, 0, 0, 0], [PI, PI, 4 * PI, 9 * PI], [0, 1, 2, 3]),
}


def action_of(env, rng):
    if isinstance(env.action_space, gymnasium.spaces.Discrete):
        return int(rng.integers(env.action_space.n))
    # Torques beyond the limits of the action space are included, because the world clips them.
    return float(np.float32(rng.uniform(-3.0, 3.0)))


def rows_of(name):
    """Yields the rows of a world."""
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
