# Written by `cargo xtask bindings` from the Rust types. Change those, not this file.
"""The tools of each lab, for editors and type checkers: `_tools.pyi` has their inputs."""


class ControlTools:
    """The tools of the lab `control`."""


class BackgammonTools:
    """The tools of the lab `backgammon`."""


class CubeTools:
    """The tools of the lab `cube`."""


class LogicTools:
    """The tools of the lab `logic`."""


class LanguageTools:
    """The tools of the lab `language`."""
