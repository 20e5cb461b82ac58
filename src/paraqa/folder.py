"""A store's folder: one process at a time, and errors in the reader's words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from paraqa.errors import StoreBusy, StoreError, StoreReadOnly

_LOCK, _OWNER = "lock", "owner"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the folder. Raises StoreBusy where another process, or this one, has it open."""
    owner = path / _OWNER
    lock = FileLock(path / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        pid = owner.read_text(encoding="ascii") if owner.exists() else "?"
        raise StoreBusy("store.busy", path=str(path), pid=pid) from error
    try:
        owner.write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        owner.unlink(missing_ok=True)
        lock.release()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn what the system and SQLite raise into StoreReadOnly and StoreError."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise StoreReadOnly("store.read_only", path=str(path), problem=problem) from error
    except sqlite3.DatabaseError as error:
        raise StoreError("store.damaged", path=str(path), problem=str(error)) from error
