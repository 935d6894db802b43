"""Single worlds as environments of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import ResetNeeded

from learnery._files import AnyPath
from learnery.vector import WorldsVectorEnv

#: The ID with which `gymnasium.make` makes a world too.
ID = "learnery/World-v0"
_ENTRY_POINT = "learnery._gym:WorldEnv"


def gym(
    world: AnyPath,
    *,
    render_mode: str | None = None,
    max_episode_steps: int | None = None,
    **constants: float,
) -> WorldEnv:
    """The world of a text, or of the file at a path, as an environment of Gymnasium.

    `gymnasium.make("learnery/World-v0", world=world)` gives it in Gymnasium's usual wrappers.

    Args:
        world: The rules: a text, or the path of one.
        render_mode: `"rgb_array"` if `render` is to return pictures.
        max_episode_steps: The steps after which an episode is truncated; those of the text if it is left out.
        constants: Values of parameters of the text.
    """
    env = WorldEnv(world, render_mode=render_mode, max_episode_steps=max_episode_steps, **constants)
    kwargs = {"world": world, "max_episode_steps": max_episode_steps, "render_mode": render_mode} | constants
    env.spec = EnvSpec(ID, entry_point=_ENTRY_POINT, kwargs=kwargs)
    return env


class WorldEnv(gymnasium.Env[npt.NDArray[np.float32], Any]):
    """One world of a text. Make it with `learnery.gym`.

    The info of the last step of an episode says whether it `is_success`, and if something went wrong in the rules, the
    `fault` and its line.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 20}

    def __init__(
        self,
        world: AnyPath,
        *,
        render_mode: str | None = None,
        max_episode_steps: int | None = None,
        **constants: float,
    ) -> None:
        self._envs = WorldsVectorEnv(
            None,
            1,
            world=world,
            autoreset_mode="Disabled",
            copy=True,
            num_threads=1,
            max_episode_steps=max_episode_steps,
            render_mode=render_mode,
            **constants,
        )
        self.metadata = {key: self._envs.metadata[key] for key in ("render_modes", "render_fps")}
        self.render_mode = render_mode
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space
        self._has_ended = False

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Starts the first episode of the seed, or the next one without a seed."""
        if options:
            raise ValueError(f"there is no option {next(iter(options))!r}; there are none")
        observations, _ = self._envs.reset(seed=seed)
        super().reset(seed=seed)
        self._has_ended = False
        return observations[0], {}

    def step(self, action: Any) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Steps the world."""
        if self._has_ended:
            raise ResetNeeded("the episode has ended; reset begins the next one")
        observations, rewards, terminations, truncations, infos = self._envs.step(np.asarray(action)[np.newaxis])
        terminated, truncated = bool(terminations[0]), bool(truncations[0])
        self._has_ended = terminated or truncated
        info: dict[str, Any] = {}
        if self._has_ended:
            info["is_success"] = bool(infos["is_success"][0])
            if "fault" in infos:
                info["fault"] = infos["fault"][0]
        return observations[0], float(rewards[0]), terminated, truncated, info

    def render(self) -> npt.NDArray[np.uint8] | None:
        """The picture of the world, `[height, width, 3]`, if it was made with `render_mode="rgb_array"`."""
        pictures = self._envs.render()
        return None if pictures is None else pictures[0]

    def close(self) -> None:
        """Frees the world."""
        self._envs.close()


gymnasium.register(ID, entry_point=_ENTRY_POINT)
