"""A progress bar, where somebody can see it and tqdm is installed."""

from __future__ import annotations

import sys
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


def _is_seen() -> bool:
    """Whether somebody would see a bar: in a notebook, or in a terminal."""
    find_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    if find_shell is not None and type(find_shell()).__name__ == "ZMQInteractiveShell":
        return True
    return sys.stderr is not None and sys.stderr.isatty()
