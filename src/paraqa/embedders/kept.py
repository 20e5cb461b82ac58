"""Vectors of texts that were embedded before, in one SQLite file for each model.

It only saves time. What is damaged is begun anew, and where the file cannot be used (a folder
without permission, a full disk) nothing is found and nothing kept: no error leaves this module.
"""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import weakref
import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

Vector = list[float]
_Result = TypeVar("_Result")

_log = logging.getLogger(__name__)
_WAIT = 5.0  # seconds for another process's write, which takes a few milliseconds
_REMAINING = 0.9  # of the limit, once it is exceeded: not with every write from then on
# A page holds five vectors of 384 numbers; one of the usual 4,096 bytes would be a quarter empty.
_OPENING = """
PRAGMA page_size = 8192;
PRAGMA auto_vacuum = INCREMENTAL;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS vectors (
    hash BLOB PRIMARY KEY, vector BLOB NOT NULL, checksum INTEGER NOT NULL
);
"""
_ONE = "SELECT vector, checksum FROM vectors WHERE hash = ?"
_ADD = "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)"
_FORGET = "DELETE FROM vectors WHERE rowid IN (SELECT rowid FROM vectors ORDER BY rowid LIMIT ?)"


class KeptVectors:
    """A file of vectors by the hash of their text. Threads and processes may share it."""

    def __init__(self, path: Path, *, limit: int) -> None:
        """`limit` is the size in bytes above which the oldest are forgotten."""
        self._path = path
        self._limit = limit
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._closing: Callable[[], object] = lambda: None
        self._inode = 0  # of the file that is open
        self._is_off = False

    def find(self, hashes: Sequence[bytes]) -> dict[bytes, Vector]:
        """The vectors that are kept, by hash."""
        return self._attempted(lambda connection: _found(connection, hashes), {})

    def keep(self, vectors: Mapping[bytes, Vector]) -> None:
        """Add these vectors, and forget the oldest where there are too many."""
        self._attempted(lambda connection: _add(connection, vectors, self._limit), None)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            self._close()

    def _attempted(
        self, work: Callable[[sqlite3.Connection], _Result], otherwise: _Result
    ) -> _Result:
        with self._lock:
            for is_last in (False, True):
                if self._is_off:
                    break
                try:
                    return work(self._connection or self._opened())
                except (OSError, sqlite3.OperationalError) as error:
                    self._give_up(error)
                except sqlite3.DatabaseError as error:
                    self._close()
                    if is_last:
                        self._give_up(error)
                    else:
                        self._set_aside()
            return otherwise

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._turn():
            self._path.touch()
            self._inode = self._path.stat().st_ino
            connection = sqlite3.connect(self._path, timeout=_WAIT, check_same_thread=False)
            # Nobody closes an embedding: it is done when this object goes, or the process ends.
            self._closing = weakref.finalize(self, connection.close)
            connection.executescript(_OPENING)
        self._connection = connection
        return connection

    def _set_aside(self) -> None:
        """Give the name of a damaged file free, unless another process has done so."""
        try:
            with self._turn():
                if self._path.stat().st_ino == self._inode:
                    self._path.replace(self._path.with_suffix(".damaged"))
                    for end in ("-wal", "-shm"):
                        self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        except OSError as error:
            self._give_up(error)

    def _turn(self) -> FileLock:
        """A context that one process enters at a time: SQLite queues no first writes."""
        return FileLock(str(self._path) + ".lock", timeout=_WAIT)

    def _give_up(self, error: Exception) -> None:
        self._close()
        self._is_off = True
        _log.warning("no vectors are kept in %s: %s", self._path, error)

    def _close(self) -> None:
        self._closing()
        self._connection = None


def _found(connection: sqlite3.Connection, hashes: Sequence[bytes]) -> dict[bytes, Vector]:
    found: dict[bytes, Vector] = {}
    for asked in hashes:
        for content, check in connection.execute(_ONE, [asked]):
            # SQLite itself does not notice where a disk changed the content of a row.
            if check == _sum(asked, content):
                found[asked] = _read(content)
    return found


def _add(connection: sqlite3.Connection, vectors: Mapping[bytes, Vector], limit: int) -> None:
    contents = {key: array("f", vector).tobytes() for key, vector in vectors.items()}
    rows = [(key, content, _sum(key, content)) for key, content in contents.items()]
    with connection:
        connection.executemany(_ADD, rows)
    size = _size(connection)
    if size <= limit:
        return
    count = connection.execute("SELECT count(*) FROM vectors").fetchone()[0]
    excess = math.ceil(count * (1 - _REMAINING * limit / size))
    with connection:
        connection.execute(_FORGET, [excess])
    # As a script: `execute` gives back only the first free page.
    connection.executescript("PRAGMA incremental_vacuum")


def _size(connection: sqlite3.Connection) -> int:
    names = ("page_count", "freelist_count", "page_size")
    pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)
    return int((pages - free) * size)


def _sum(key: bytes, content: object) -> int | None:
    if not isinstance(content, bytes):
        return None  # a damaged row may hold anything
    return zlib.crc32(content, zlib.crc32(key))


def _read(content: bytes) -> Vector:
    numbers = array("f")
    numbers.frombytes(content)
    return numbers.tolist()
