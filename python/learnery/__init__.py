"""Learnery in Python.

`learnery.train` trains a run of a lab, `learnery.load` reads a trained agent, and `learnery.vector.make` and `learnery.gym`
give the worlds of the control lab, and worlds of your own, as Gymnasium's environments.
"""

from learnery import vector
from learnery._agent import Agent, Answer, Report
from learnery._agents import load
from learnery._backgammon import BackgammonAgent
from learnery._control import ControlAgent
from learnery._cube import CubeAgent
from learnery._language import LanguageAgent
from learnery._logic import Circuit, LogicAgent
from learnery._gym import WorldEnv, gym
from learnery._native import bits, labs, version
from learnery._training import Run, train

__version__: str = version()

#: The names of the labs.
LABS: tuple[str, ...] = tuple(labs())

__all__ = [
    "LABS",
    "Agent",
    "Answer",
    "BackgammonAgent",
    "Circuit",
    "ControlAgent",
    "CubeAgent",
    "LanguageAgent",
    "LogicAgent",
    "Report",
    "Run",
    "WorldEnv",
    "__version__",
    "bits",
    "gym",
    "load",
    "train",
    "vector",
]
