"""Agents of all labs, by the lab of a checkpoint."""

from __future__ import annotations

from learnery import _files, _native
from learnery._agent import Agent
from learnery._backgammon import BackgammonAgent
from learnery._control import ControlAgent
from learnery._cube import CubeAgent
from learnery._files import AnyPath
from learnery._language import LanguageAgent
from learnery._logic import LogicAgent

_CLASSES: dict[str, type[Agent]] = {
    each.lab: each for each in (ControlAgent, BackgammonAgent, CubeAgent, LogicAgent, LanguageAgent)
}


def load(path: AnyPath) -> Agent:
    """Reads the trained agent of a checkpoint: a file, or the folder of a run of `learnery train`.

    The class of the agent is that of the file's lab, such as `learnery.ControlAgent`, and `ControlAgent.load(path)` reads
    files of that lab only.
    """
    return agent_of(_files.read(path))


def agent_of(checkpoint: _native.Checkpoint) -> Agent:
    """The agent of a checkpoint."""
    return _CLASSES.get(checkpoint.lab, Agent)(checkpoint)
