"""A progress bar, where somebody can see it and tqdm is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def bar(wanted: bool | None, title: str, total: int | None, unit: str) -> Any:
    """A bar of tqdm, or `None`. Without a wish, there is one in notebooks and terminals only."""
    if wanted is False or (wanted is None and not _is_seen()):
        return None
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        if wanted:
            raise ImportError("a progress bar needs tqdm: pip install tqdm") from None
        return None
    return tqdm(desc=title, total=total, unit=f" {unit}")


@contextmanager
def shown(wanted: bool | None, title: str, unit: str) -> Iterator[Callable[[int, int, bool], None] | None]:
    """What shows how much is done and how much there is, with a bar that ends with the block; `None` without a bar.

    Both may be percentages instead of what `unit` names.
    """
    shown_bar = bar(wanted, title, None, unit)
    if shown_bar is None:
        yield None
        return

    def show(done: int, total: int, are_percentages: bool) -> None:
        shown_bar.total = total
        if are_percentages:
            shown_bar.unit = " %"
        shown_bar.update(done - shown_bar.n)

    try:
        yield show
    finally:
        shown_bar.close()


def _is_seen() -> bool:
    """Whether somebody would see a bar: in a notebook, or in a terminal."""
    find_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    if find_shell is not None and type(find_shell()).__name__ == "ZMQInteractiveShell":
        return True
    return sys.stderr is not None and sys.stderr.isatty()
