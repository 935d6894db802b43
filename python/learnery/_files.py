"""Files of checkpoints."""

from __future__ import annotations

import os
from pathlib import Path

from learnery import _native

#: The checkpoint from which the run of a folder of `learnery train` continues.
_LAST = "last.safetensors"

AnyPath = str | os.PathLike[str]


def read(path: AnyPath) -> _native.Checkpoint:
    """Reads a checkpoint: a file, or the folder of a run."""
    file = Path(path)
    if file.is_dir():
        if not (file / _LAST).exists():
            raise FileNotFoundError(f"{file} holds no checkpoint ({_LAST})")
        file /= _LAST
    return _native.Checkpoint.from_bytes(file.read_bytes(), str(file))


def write(path: AnyPath, content: bytes) -> None:
    """Writes a file whole or not at all. Errors name the file, and not the temporary one that becomes it."""
    file = Path(path)
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        temporary.replace(file)
    except BaseException as error:
        try:
            temporary.unlink(missing_ok=True)
        except OSError:
            # It could not be made, for the reason that is reported.
            pass
        if isinstance(error, OSError) and error.errno is not None:
            raise type(error)(error.errno, error.strerror, str(file)) from None
        raise
