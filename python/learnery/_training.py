"""Training: the session that `learnery train` and the page drive."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv

from learnery import _files, _native, _progress
from learnery._agent import Agent
from learnery._agents import agent_of
from learnery._checks import as_json, integer, seed_of_run
from learnery._environments import Stepper
from learnery._files import AnyPath
from learnery._rules import Rules

Callback = Callable[[dict[str, Any]], object]


def train(
    lab: str,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    callback: Callback | None = None,
    *,
    preset: str | None = None,
    text: AnyPath | None = None,
    world: AnyPath | None = None,
    constants: Mapping[str, float] | None = None,
    env: VectorEnv[Any, Any, Any] | None = None,
    start_from: AnyPath | None = None,
    units: int | None = None,
    seconds: float | None = None,
    until_goal: bool = False,
    progress: bool | None = None,
) -> Run:
    """Trains a run of a lab and returns it, as `learnery train LAB --seed SEED` does.

    Without `units`, `seconds` and `until_goal`, it ends at the goal or when the schedules of the settings end.

    Ctrl-C ends the training within a second. It raises nothing: the run is returned with what was done, and its `ended` is
    `"interrupted"`.

    Args:
        lab: One of `learnery.LABS`.
        settings: The settings that differ from those of the preset, or else from the defaults.
        seed: Lab, settings, seed and the number of units determine every bit of the run.
        callback: Called after each unit with a dict of its number, the work and the seconds so far, and the metrics that
            were measured, and `remark` if there is one (see `Run.remark`). Training ends when it returns `False`.
        preset: The name of a preset, such as `"pendulum"`.
        text: The path of a text for the language lab to learn from.
        world: The rules of a world of your own for the control lab to learn: a text, or the path of one.
        constants: Values of parameters of that world, by name; the others have their usual values.
        env: Vector environments of Gymnasium for the control lab to learn in, with a `Box` of observations and `Discrete` or
            `Box` actions. Such a run needs `units`, `seconds` or a callback that ends it. Only its network and its
            optimiser can be saved, so it has no fingerprint and does not continue with the same bits.
        start_from: The path of a saved run of such environments. The new run begins with its network, its optimiser and its
            settings.
        units: The number of units, that is, of training iterations.
        seconds: The longest duration.
        until_goal: Whether training ends at the goal only, or at one of the limits above.
        progress: Whether a progress bar of tqdm is shown. If it is left out, there is one in notebooks and terminals
            where tqdm is installed.
    """
    run = Run(
        lab,
        settings,
        seed,
        preset=preset,
        text=text,
        world=world,
        constants=constants,
        env=env,
        start_from=start_from,
    )
    run.train(callback, units=units, seconds=seconds, until_goal=until_goal, progress=progress)
    return run


class Run:
    """A run of a lab: what is learned, and everything that continues it with the same bits.

    The arguments are those of `learnery.train`, which makes one and trains it.
    """

    def __init__(
        self,
        lab: str,
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        *,
        preset: str | None = None,
        text: AnyPath | None = None,
        world: AnyPath | None = None,
        constants: Mapping[str, float] | None = None,
        env: VectorEnv[Any, Any, Any] | None = None,
        start_from: AnyPath | None = None,
    ) -> None:
        self._session: _native.Session | _native.EnvironmentRun
        self._ended: str | None = None
        json_settings = as_json("setting", settings or {})
        if env is not None:
            given = {"preset": preset, "text": text, "world": world, "constants": constants}
            self._session = _environment_run(lab, env, json_settings, seed_of_run(seed), given, start_from)
            return
        if start_from is not None:
            raise ValueError("start_from needs env; learnery.Run.load continues a run of a lab")
        content = None if text is None else (str(text), Path(text).read_bytes())
        rules = None
        if constants and world is None:
            raise ValueError("constants are those of a world of your own; give it as world")
        if world is not None:
            # The run keeps the name of the file, but not its folder.
            name = "world" if isinstance(world, str) and "\n" in world else Path(world).name
            read = Rules.of_text(world)
            changed = constants or {}
            values = read.completed(changed)
            rules = (name, read.text or "", {each: values[each] for each in changed})
        self._session = _native.Session.start(lab, preset, json_settings, seed_of_run(seed), content, rules)

    @classmethod
    def load(cls, path: AnyPath) -> Run:
        """Continues a saved run: a file, or the folder of a run of `learnery train`, which stays as it is."""
        checkpoint = _files.read(path)
        if any(name.startswith("environment/") for name, *_ in checkpoint.tensors()):
            raise ValueError(
                f"{path}: it was trained in environments of yours, which are not saved; "
                "learnery.train('control', env=..., start_from=...) begins with its network and optimiser"
            )
        run = cls.__new__(cls)
        run._session = _native.Session.resume(checkpoint)
        run._ended = None
        return run

    def train(
        self,
        callback: Callback | None = None,
        *,
        units: int | None = None,
        seconds: float | None = None,
        until_goal: bool = False,
        progress: bool | None = None,
    ) -> str:
        """Trains on, as `learnery.train` says, and returns why it ended.

        That is `"goal"`, `"units"`, `"schedule"` or `"time"` for a limit, `"callback"` if the callback ended it, and
        `"interrupted"` after Ctrl-C. Without limits, a run that is past its goal goes on until Ctrl-C or the callback ends
        it. An exception of the callback is passed on, and the run can still be used.
        """
        if units is not None:
            units = integer("units", units, 0, 2**40)
        if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"seconds must be a finite number that is not negative, not {seconds!r}")
        if callback is not None and not callable(callback):
            raise ValueError(f"callback must be a function, not {callback!r}")
        if isinstance(self._session, _native.EnvironmentRun):
            if until_goal:
                raise ValueError("environments of yours have no goal; give units or seconds")
            if units is None and seconds is None and callback is None:
                raise ValueError("a run in environments of yours needs units, seconds or a callback that ends it")
        self._ended = None
        total = self._session.planned(units, seconds, until_goal)
        bar = _progress.bar(progress, self.lab, total, "units")
        if bar is None:
            self._ended = self._session.train(units, seconds, until_goal, callback)
            return self._ended

        def shown(row: dict[str, Any]) -> object:
            # A row begins with the unit, the work and the seconds. Of the metrics behind them, the first two
            # matter most to the lab.
            bar.set_postfix({name: f"{row[name]:.4g}" for name in list(row)[3:5]}, refresh=False)
            bar.update()
            return None if callback is None else callback(row)

        with bar:
            self._ended = self._session.train(units, seconds, until_goal, shown)
        return self._ended

    def configure(self, **settings: Any) -> None:
        """Changes live settings from the next unit on, such as `learning_rate=1e-4`."""
        self._session.configure(as_json("setting", settings))

    def save(self, path: AnyPath, *, network_only: bool = False) -> None:
        """Saves the run as a checkpoint, which the page and `learnery train --resume` continue too.

        A unit in progress, which Ctrl-C has interrupted, is finished first. With `network_only`, the file has what
        `learnery.load` needs and nothing else.
        """
        saved = self._session.save()
        _files.write(path, (saved.network_only() if network_only else saved).to_bytes())

    def agent(self) -> Agent:
        """The agent at this point of the run. It does not learn on with the run."""
        return agent_of(self._session.save())

    def fingerprint(self) -> str:
        """A hash of everything that continues the run: that of `learnery train` with the same arguments, and `learnery.bits()`."""
        self._needs_own_worlds("has no fingerprint")
        return self._session.save().fingerprint()

    def _needs_own_worlds(self, otherwise: str) -> None:
        """Refuses a run in environments of the user's, for what only runs in the lab's own worlds can do."""
        if isinstance(self._session, _native.EnvironmentRun):
            raise ValueError(f"a run in environments of yours {otherwise}, because their state is not known")

    @property
    def lab(self) -> str:
        """The lab."""
        return self._session.lab

    @property
    def settings(self) -> dict[str, Any]:
        """All settings."""
        settings: dict[str, Any] = json.loads(self._session.settings)
        return settings

    @property
    def seed(self) -> int:
        """The seed."""
        return self._session.seed

    @property
    def units(self) -> int:
        """The number of units that are completed."""
        return self._session.units

    @property
    def work(self) -> int:
        """The amount of training in what the lab counts, such as steps of worlds or games."""
        return self._session.work

    @property
    def solved_at(self) -> int | None:
        """The unit at which the goal was first reached; `None` if it was not."""
        return self._session.solved_at

    @property
    def remark(self) -> str | None:
        """What is to be known about the last unit, such as how many episodes failed by a fault in the rules of a world.

        `None` if there is nothing. The first one of a call of `train` is also a `RuntimeWarning`, and a callback gets them
        as `remark`.
        """
        return self._session.remark

    @property
    def ended(self) -> str | None:
        """Why the last call of `train` ended; `None` if it raised an exception or there was none."""
        return self._ended

    @property
    def history(self) -> dict[str, npt.NDArray[Any]]:
        """The metrics of earlier units: an array `unit`, and one for each metric, NaN where it was not measured.

        It keeps at most 4,096 units: in a longer run the multiples of two, four and so on.
        """
        units, columns = self._session.history()
        history: dict[str, npt.NDArray[Any]] = {"unit": units.astype(np.int64)}
        return history | dict(columns)

    def __getstate__(self) -> dict[str, Any]:
        self._needs_own_worlds("cannot be pickled")
        # A unit in progress is finished first.
        return {"checkpoint": self._session.save().to_bytes(), "ended": self._ended}

    def __setstate__(self, state: dict[str, Any]) -> None:
        checkpoint = _native.Checkpoint.from_bytes(state["checkpoint"], "the pickled run")
        self._session = _native.Session.resume(checkpoint)
        self._ended = state["ended"]

    def __repr__(self) -> str:
        return f"Run({self.lab!r}, seed={self.seed}, units={self.units})"


def _environment_run(
    lab: str,
    env: VectorEnv[Any, Any, Any],
    settings: str,
    seed: int,
    given: Mapping[str, object],
    start_from: AnyPath | None,
) -> _native.EnvironmentRun:
    """A run in vector environments of Gymnasium.

    `given` are the arguments that such a run does not take, by name; all must be `None`.
    """
    if lab != "control":
        raise ValueError(f"the lab `{lab}` learns in no environments; `control` does")
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"env and {name} cannot be given together")
    stepper = Stepper(env, seed)
    start = None if start_from is None else _files.read(start_from)
    return _native.EnvironmentRun.start(
        stepper, stepper.name, stepper.count, stepper.inputs, stepper.choices, stepper.bounds, settings, seed, start
    )
