"""The SQLite file beside the vectors: what the papers and passages say, and where they stand."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple

from paraqa import lang, lexicon
from paraqa.errors import StoreMismatch
from paraqa.nodes import lexical_text, passages_of
from paraqa.types import Paper, Passage

FORMAT = "1"  # raise it whenever the tables or their meaning change

_TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS papers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    "hash TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, record TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS passages (paper INTEGER NOT NULL, position INTEGER NOT NULL, "
    "lang TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, "
    "PRIMARY KEY (paper, position)) WITHOUT ROWID",
)
# `json_each` takes any number of values as one parameter.
_PAPERS = "SELECT id, record FROM papers WHERE id IN (SELECT value FROM json_each(?))"
_PASSAGES = """
SELECT id, position, lang, start, stop FROM papers JOIN passages ON paper = number
WHERE id IN (SELECT value FROM json_each(?)) ORDER BY paper, position
"""
_KNOWN = """
SELECT id, hash, file, line, ifnull(json_extract(record, '$.date'), '') FROM papers
WHERE id IN (SELECT value FROM json_each(?))
"""
_FINISHED = "SELECT count(*) FROM passages JOIN papers ON paper = number WHERE hash != ''"
_NUMBERED = "SELECT number, id FROM papers WHERE number IN (SELECT value FROM json_each(?))"


def content_hash(paper: Paper) -> str:
    """Equal for two entries that say the same, wherever they stand."""
    return hashlib.sha256(paper.model_dump_json(exclude={"source"}).encode()).hexdigest()


class Known(NamedTuple):
    """What is kept of a paper that a listing offers again."""

    hash: str  # empty while the paper is being rewritten
    file: str
    line: int
    date: str  # ISO; empty without one, so that dates compare as text


class Catalog:
    """Papers, passages and the inverted index in one file; may be used from several threads."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            with self._transaction():
                for statement in _TABLES + lexicon.TABLES:
                    self._db.execute(statement)
                self._db.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (FORMAT,))
            _require_format(self._db, path)
            self._lexicon = lexicon.Lexicon(self._db)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._db.close()

    def count(self) -> int:
        """Number of papers."""
        with self._lock:
            return self._lexicon.count()

    def unfinished(self) -> list[Paper]:
        """Papers that count as changed until they are written again."""
        rows = self._rows("SELECT record FROM papers WHERE hash = '' ORDER BY number")
        return [Paper.model_validate_json(record) for (record,) in rows]

    def finished_passage_count(self) -> int:
        """Number of passages that must have a vector."""
        return int(self._rows(_FINISHED)[0][0])

    def passage_count(self) -> int:
        """Number of passages."""
        return int(self._rows("SELECT count(*) FROM passages")[0][0])

    def papers(self) -> list[Paper]:
        """All papers, by file and line."""
        return _papers(self._db, self._lock)

    def papers_by_id(self, ids: Iterable[str]) -> dict[str, Paper]:
        """Papers by id; unknown ids are left out."""
        rows = self._rows(_PAPERS, _json(ids))
        return {id_: Paper.model_validate_json(record) for id_, record in rows}

    def passages_of(self, ids: Iterable[str]) -> dict[str, tuple[Passage, ...]]:
        """Passages of each paper, in order; unknown ids are left out."""
        papers = self.papers_by_id(ids)
        found: dict[str, list[Passage]] = {}
        for id_, position, language, start, stop in self._rows(_PASSAGES, _json(papers)):
            passage = Passage(
                id=f"{id_}#{position}",
                paper_id=id_,
                text=papers[id_].text[start:stop],
                lang=language,
                start=start,
                end=stop,
            )
            found.setdefault(id_, []).append(passage)
        return {id_: tuple(found[id_]) for id_ in papers if id_ in found}

    def passage_ids(self, paper_ids: Iterable[str]) -> set[str]:
        """Ids of the passages of these papers."""
        return {
            f"{id_}#{position}" for id_, position, *_ in self._rows(_PASSAGES, _json(paper_ids))
        }

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        """What is kept of these papers; unknown ids are left out."""
        return {id_: Known(*rest) for id_, *rest in self._rows(_KNOWN, _json(ids))}

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""
        with self._lock:
            return self._lexicon.document_frequency(terms)

    def lexical(self, weighted_terms: Mapping[str, float], n: int) -> list[tuple[str, float]]:
        """The n best papers as (id, sum of weight times BM25 of each term), best first."""
        with self._lock:
            found = self._lexicon.search(weighted_terms, n)
            ids = dict(self._rows(_NUMBERED, _json([number for number, _ in found])))
        return [(ids[number], score) for number, score in found]

    def upsert(self, papers: Sequence[Paper]) -> int:
        """Number of passages written. A paper that is known is replaced."""
        entries = [(p, passages_of(p), lang.terms(lexical_text(p))) for p in papers]
        with self._transaction():
            for paper, passages, terms in entries:
                self._remove(paper.id)
                self._lexicon.add(self._insert(paper, passages), terms)
        return sum(len(passages) for _, passages, _ in entries)

    def remove(self, ids: Iterable[str]) -> None:
        """Forget these papers."""
        with self._transaction():
            for id_ in ids:
                self._remove(id_)

    def relocate(self, papers: Iterable[Paper]) -> None:
        """Note that these papers, otherwise unchanged, stand in another place."""
        rows = [(p.source.file, p.source.line, p.model_dump_json(), p.id) for p in papers]
        with self._transaction():
            self._db.executemany(
                "UPDATE papers SET file = ?, line = ?, record = ? WHERE id = ?", rows
            )

    def mark_unfinished(self, ids: Iterable[str]) -> None:
        """Make these papers count as changed until they are written again."""
        with self._transaction():
            self._db.executemany("UPDATE papers SET hash = '' WHERE id = ?", [(i,) for i in ids])

    def mark_all_unfinished(self) -> None:
        """Make every paper count as changed until it is written again."""
        with self._transaction():
            self._db.execute("UPDATE papers SET hash = ''")

    def _insert(self, paper: Paper, passages: Iterable[Passage]) -> int:
        record = paper.model_dump_json()
        row = (paper.id, content_hash(paper), paper.source.file, paper.source.line, record)
        number = self._db.execute(
            "INSERT INTO papers (id, hash, file, line, record) VALUES (?, ?, ?, ?, ?)", row
        ).lastrowid
        assert number is not None  # noqa: S101  # it is one, after an insertion
        self._db.executemany(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?)",
            [(number, i, p.lang, p.start, p.end) for i, p in enumerate(passages)],
        )
        return number

    def _remove(self, id_: str) -> None:
        for (number,) in self._rows("SELECT number FROM papers WHERE id = ?", id_):
            self._lexicon.remove(number)
            self._db.execute("DELETE FROM passages WHERE paper = ?", (number,))
            self._db.execute("DELETE FROM papers WHERE number = ?", (number,))

    def _rows(self, sql: str, *values: object) -> list[Any]:
        with self._lock:
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise


def read_papers(path: Path) -> list[Paper]:
    """All papers of a catalog that another process may have open; nothing is written.

    Raises sqlite3.Error if it cannot be read.
    """
    try:
        return _read(path, "mode=ro")
    except sqlite3.OperationalError:
        # On a medium that cannot be written SQLite cannot make the files that WAL needs.
        return _read(path, "immutable=1")


def _read(path: Path, mode: str) -> list[Paper]:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True)
    try:
        _require_format(db, path)
        return _papers(db, RLock())
    finally:
        db.close()


def _papers(db: sqlite3.Connection, lock: Any) -> list[Paper]:
    with lock:
        rows = db.execute("SELECT record FROM papers ORDER BY file, line, number").fetchall()
    return [Paper.model_validate_json(record) for (record,) in rows]


def _require_format(db: sqlite3.Connection, path: Path) -> None:
    (stored,) = db.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()
    if stored != FORMAT:
        folder = str(path.parent)
        raise StoreMismatch("store.other_version", path=folder, stored=stored, wanted=FORMAT)


def _json(values: Iterable[str | int]) -> str:
    return json.dumps(list(values))
