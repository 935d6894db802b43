"""The compiled half of the package. What is meant for users is in the Python files beside it."""

from collections.abc import Callable
from typing import Any, final

import numpy as np
import numpy.typing as npt

from learnery._environments import Stepper

__all__ = [
    "BackgammonNetwork",
    "Checkpoint",
    "Circuit",
    "ControlNetwork",
    "CubeNetwork",
    "EnvironmentRun",
    "LanguageNetwork",
    "Session",
    "World",
    "Worlds",
    "ask",
    "backgammon_plays",
    "bits",
    "file_input",
    "labs",
    "version",
]

def bits() -> str:
    """The class of bits that this machine computes: `fused` or `plain`."""

def version() -> str:
    """The version of the package."""

def labs() -> list[str]:
    """The names of the labs."""

def ask(
    checkpoint: Checkpoint,
    tool: str,
    input: str,
    content: bytes | None,
    seconds: float | None,
    show: Callable[[int, int, bool], None] | None,
    on_event: Callable[[str], object] | None,
) -> tuple[str, bool, bool]:
    """Asks a tool of the checkpoint's lab: its output as JSON, whether it was ended early, and whether by Ctrl-C.

    `on_event` is called with each event as JSON.
    """

def file_input(checkpoint: Checkpoint, tool: str) -> tuple[str, list[str], bool] | None:
    """The name of the input of a tool that names a file, its values that stand for no file, and whether all others do.

    `None` if the tool reads no file, or if there is no such tool.
    """

@final
class Checkpoint:
    """A checkpoint of any lab. It never changes."""

    @staticmethod
    def from_bytes(bytes: bytes, name: str) -> Checkpoint:
        """Decodes the content of a file. `name` is what errors call it."""

    @property
    def lab(self) -> str: ...
    def to_bytes(self) -> bytes:
        """Encodes it as the content of a file."""

    def network_only(self) -> Checkpoint:
        """A copy with the network alone."""

    def header(self) -> str:
        """The header, as JSON."""

    def fingerprint(self) -> str:
        """The fingerprint of the run: equal for runs that continue with the same bits."""

    def tensors(self) -> list[tuple[str, str, list[int], bytes]]:
        """The tensors of the network: name, NumPy's name of its type, shape, little-endian bytes."""

    def onnx(self) -> list[tuple[str, bytes]]:
        """The networks as ONNX files, by their names."""

    def counts(self, tool: str) -> str:
        """The plural noun for what a tool counts, such as games."""

    def evaluate(
        self, options: str, seed: int, show: Callable[[int, int, bool], object] | None
    ) -> tuple[str, list[tuple[str, float, str]], bool]:
        """Measures the strength of the network: a sentence, statistics, and whether Ctrl-C ended it early.

        `options` is JSON. `show` is called now and then, and at the end, with how much is done, how much there is, and
        whether these are percentages.
        """

@final
class Session:
    """A run that trains."""

    @staticmethod
    def start(
        lab: str,
        preset: str | None,
        settings: str,
        seed: int,
        text: tuple[str, bytes] | None,
        world: tuple[str, str, dict[str, float]] | None,
    ) -> Session:
        """Starts a run with the settings of a preset and others, which are JSON.

        `text` is the name and the content of a text to learn from. `world` is the name and the text of a
        world of the user's, and values of its parameters.
        """

    @staticmethod
    def resume(checkpoint: Checkpoint) -> Session:
        """Continues a saved run."""

    @property
    def lab(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def work(self) -> int: ...
    @property
    def solved_at(self) -> int | None: ...
    @property
    def remark(self) -> str | None: ...
    @property
    def settings(self) -> str: ...
    def planned(self, units: int | None, seconds: float | None, until_goal: bool) -> int | None:
        """The units that `train` with the same arguments makes at most, if that is known."""

    def configure(self, settings: str) -> None:
        """Changes settings, which are JSON, from the next unit on."""

    def train(
        self,
        units: int | None,
        seconds: float | None,
        until_goal: bool,
        callback: Callable[[dict[str, Any]], object] | None,
    ) -> str:
        """Trains until a limit is reached, and returns which."""

    def history(self) -> tuple[npt.NDArray[np.uint64], list[tuple[str, npt.NDArray[np.float64]]]]:
        """The metrics of all kept units: their numbers, and a column for each metric by its name."""

    def save(self) -> Checkpoint:
        """A checkpoint of the run. A unit in progress is finished first, which Ctrl-C interrupts."""

@final
class EnvironmentRun:
    """A run that trains on environments of the user's."""

    @staticmethod
    def start(
        object: Stepper,
        name: str,
        count: int,
        inputs: int,
        choices: int | None,
        bounds: tuple[list[float], list[float]],
        settings: str,
        seed: int,
        from_: Checkpoint | None,
    ) -> EnvironmentRun:
        """Starts a run in `count` environments, which `object` steps. `from_` has the network and optimiser to go on with."""

    @property
    def lab(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def work(self) -> int: ...
    @property
    def solved_at(self) -> int | None: ...
    @property
    def remark(self) -> str | None: ...
    @property
    def settings(self) -> str: ...
    def planned(self, units: int | None, seconds: float | None, until_goal: bool) -> int | None:
        """The units that `train` with the same arguments makes at most, if that is known."""

    def configure(self, settings: str) -> None:
        """Changes settings, which are JSON, from the next unit on."""

    def train(
        self,
        units: int | None,
        seconds: float | None,
        until_goal: bool,
        callback: Callable[[dict[str, Any]], object] | None,
    ) -> str:
        """Trains until a limit is reached, and returns which. An error of an environment is passed on."""

    def history(self) -> tuple[npt.NDArray[np.uint64], list[tuple[str, npt.NDArray[np.float64]]]]:
        """The metrics of all kept units: their numbers, and a column for each metric by its name."""

    def save(self) -> Checkpoint:
        """Network and optimiser. A unit in progress is finished first, which Ctrl-C interrupts."""

@final
class ControlNetwork:
    """Actor and critic. They never change."""

    def __new__(cls, checkpoint: Checkpoint) -> ControlNetwork: ...
    @property
    def world(self) -> str: ...
    @property
    def is_discrete(self) -> bool: ...
    def actor(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...
    def critic(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...
    def act(self, observations: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]: ...

@final
class BackgammonNetwork:
    """A network and how far it looks ahead. A position is a line of text."""

    def __new__(cls, checkpoint: Checkpoint, plies: int, simulations: int | None) -> BackgammonNetwork: ...
    def value(self, position: str) -> tuple[str, list[float], float]:
        """The position as a position ID, the outcome probabilities of the side on roll, and their equity."""

    def inputs(self, position: str) -> tuple[str, npt.NDArray[np.float32]]:
        """The network that values a position, by its name, and its inputs."""

    def best_play(self, position: str) -> tuple[str, str, float, int]:
        """The best play: notation, the position that it leads to, equity, number of plays."""

    def cube(self, position: str) -> tuple[str, str]:
        """The cube decision of the side on roll, as JSON and as text."""

def backgammon_plays(position: str) -> list[str]:
    """The positions that the plays of a position and dice lead to."""

@final
class CubeNetwork:
    """A network that judges cubes."""

    def __new__(cls, checkpoint: Checkpoint) -> CubeNetwork: ...
    @property
    def puzzle(self) -> str: ...
    def infer(
        self, scramble: str, stickers: str | None
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The input of the network for a cube, and what the network says of it."""

@final
class LanguageNetwork:
    """A transformer with its tokenizer. It never changes."""

    def __new__(cls, checkpoint: Checkpoint) -> LanguageNetwork: ...
    @property
    def vocabulary(self) -> int: ...
    @property
    def context(self) -> int: ...
    def encode(self, text: str) -> npt.NDArray[np.uint16]: ...
    def decode(self, tokens: list[int]) -> bytes: ...
    def sample(self, input: str) -> tuple[str, bool, bool]:
        """Asks the tool `sample` about the network, which is loaded. The answer is that of `ask`."""
    def logits(self, tokens: list[int]) -> npt.NDArray[np.float32]:
        """The logits of the token after each of these."""

@final
class Circuit:
    """The circuit of one cell. It never changes."""

    def __new__(cls, checkpoint: Checkpoint, full: bool) -> Circuit: ...
    @property
    def experiment(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def periodic(self) -> bool: ...
    @property
    def channels(self) -> int: ...
    @property
    def shown(self) -> int: ...
    @property
    def fire_rate(self) -> float: ...
    def gates(self) -> npt.NDArray[np.int64]:
        """The gates: kind and the two wires that each reads."""

    def outputs(self) -> npt.NDArray[np.int64]:
        """The wire of each channel's next value."""

    def run(
        self,
        states: npt.NDArray[np.bool_],
        steps: int,
        active: npt.NDArray[np.bool_] | None,
        periodic: bool,
    ) -> npt.NDArray[np.bool_]:
        """Runs some steps. In each, only the cells change that `active` names, if there is one."""

@final
class World:
    """The rules of a world. They never change."""

    @staticmethod
    def built_in(id: str) -> World:
        """The built-in world with Gymnasium's ID."""

    @staticmethod
    def compile(text: str) -> World:
        """The world of a text. The error lists everything that is wrong with it."""

    def describe(self) -> str:
        """What the rules say about the world, as JSON."""

@final
class Worlds:
    """A batch of worlds with the same rules."""

    def __new__(
        cls,
        world: World,
        count: int,
        autoreset: str,
        threads: int,
        constants: list[float],
        max_steps: int | None,
    ) -> Worlds:
        """Worlds with these rules. `constants` has a value for each parameter of the rules."""

    @property
    def observations(self) -> npt.NDArray[np.float32]: ...
    @property
    def rewards(self) -> npt.NDArray[np.float32]: ...
    @property
    def terminations(self) -> npt.NDArray[np.bool_]: ...
    @property
    def truncations(self) -> npt.NDArray[np.bool_]: ...
    def reset(self, seeds: list[int | None] | None, mask: list[bool] | None) -> None:
        """Resets the worlds of `mask`, or all, and writes `observations`."""

    def step(self, actions: Any) -> bool:
        """Steps all worlds and writes the four arrays.

        Returns false, and does nothing, if `actions` is not an array of the type, the shape and the layout that the
        action space samples.
        """

    def ended(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
        """The worlds whose episode ended in the last step, and the last observations of these episodes."""

    def states(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint32]]:
        """The states that the observations show, and the number of steps in each episode."""

    def set_states(self, states: npt.NDArray[np.float32], steps: npt.NDArray[np.uint32]) -> None:
        """Continues each episode in this state, after this number of steps, and writes `observations`."""

    def verdicts(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[tuple[int, str]]]:
        """Where an episode ended in the last step, which were successes, and the worlds and sentences of faults."""

    def verdict(self, i: int) -> tuple[bool | None, str | None]:
        """Whether the episode that world `i` finished in the last step was a success, and what went wrong in its rules."""

    def set_constants(self, constants: list[float]) -> None:
        """Goes on with other values of the parameters, from the next step on."""

    def save(
        self,
    ) -> tuple[
        npt.NDArray[np.uint64],
        npt.NDArray[np.uint32],
        npt.NDArray[np.uint32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.float32],
    ]:
        """What continues the worlds: seeds, numbers of episodes, steps in them, whether the world waits, states."""

    def restore(
        self,
        saved: tuple[
            npt.NDArray[np.uint64],
            npt.NDArray[np.uint32],
            npt.NDArray[np.uint32],
            npt.NDArray[np.bool_],
            npt.NDArray[np.float32],
        ],
    ) -> None:
        """Continues from what `save` returned."""

    def paint(self, i: int, action: list[float], width: int, height: int) -> npt.NDArray[np.uint8]:
        """The picture of world `i` after `action`, `[height, width, 3]`."""
