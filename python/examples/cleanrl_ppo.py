"""Makes CleanRL's `ppo.py` learn in Learnery's worlds: writes a copy in which a few lines are changed.

    python python/examples/cleanrl_ppo.py cleanrl/cleanrl/ppo.py ppo_learnery.py
    python ppo_learnery.py --env-id CartPole-v1 --num-envs 64

The copy needs Gymnasium 1.4 or newer, whose statistics of episodes know the autoreset mode.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from pathlib import Path

#: Lines of `ppo.py`, each of which it has once, and what takes their place.
CHANGES = [
    (
        "import numpy as np\n",
        "import learnery.vector\nimport numpy as np\n",
    ),
    (
        """\
    envs = gym.vector.SyncVectorEnv(
        [make_env(args.env_id, i, args.capture_video, run_name) for i in range(args.num_envs)],
    )
""",
        """\
    worlds = learnery.vector.make(args.env_id, args.num_envs, autoreset_mode="SameStep")
    envs = gym.wrappers.vector.RecordEpisodeStatistics(worlds)
""",
    ),
    (
        """\
            if "final_info" in infos:
                for info in infos["final_info"]:
""",
        """\
            if "episode" in infos:
                r, l, ended = infos["episode"]["r"], infos["episode"]["l"], infos["_episode"]
                for info in [{"episode": {"r": r[i], "l": l[i]}} for i in np.flatnonzero(ended)]:
""",
    ),
]


def changed(source: str) -> str:
    """The program with the changes. Raises `ValueError` if it is not the one that they are for."""
    for old, new in CHANGES:
        if source.count(old) != 1:
            raise ValueError(f"these lines are not there once:\n{old}")
        source = source.replace(old, new)
    return source


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="CleanRL's ppo.py")
    parser.add_argument("copy", type=Path, help="the file to write")
    args = parser.parse_args()
    source = args.source.read_text(encoding="utf-8")
    try:
        program = changed(source)
    except ValueError as error:
        sys.exit(f"{args.source} is not the ppo.py that this was made for; {error}")
    args.copy.write_text(program, encoding="utf-8")
    lines = difflib.unified_diff(source.splitlines(True), program.splitlines(True), "ppo.py", args.copy.name, n=0)
    print("".join(lines), end="")


if __name__ == "__main__":
    main()
