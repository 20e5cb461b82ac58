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

from paraqa import facets, lexicon
from paraqa.errors import StoreMismatch
from paraqa.lang import glossary
from paraqa.lang.institutions import Directory
from paraqa.nodes import indexed_passages, indexed_terms, place_of
from paraqa.types import Filters, Paper, Passage

FORMAT = "2"  # raise it whenever the tables or their meaning change

_TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS papers (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    "hash TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL, record TEXT NOT NULL)",
    # `lane` is the language of a rendering, empty for the entry itself.
    "CREATE TABLE IF NOT EXISTS passages (paper INTEGER NOT NULL, lane TEXT NOT NULL, "
    "position INTEGER NOT NULL, lang TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, "
    "PRIMARY KEY (paper, lane, position)) WITHOUT ROWID",
)
# `json_each` takes any number of values as one parameter.
_PAPERS = "SELECT id, record FROM papers WHERE id IN (SELECT value FROM json_each(?))"
_TITLES = """
SELECT id, json_extract(record, '$.title') FROM papers
WHERE id IN (SELECT value FROM json_each(?))
"""
_PASSAGES = """
SELECT id, position, lang, start, stop FROM papers JOIN passages ON paper = number
WHERE id IN (SELECT value FROM json_each(?)) AND lane = '' ORDER BY paper, position
"""
_PASSAGE_IDS = """
SELECT id, lane, position FROM papers JOIN passages ON paper = number
WHERE id IN (SELECT value FROM json_each(?))
"""
_KNOWN = """
SELECT id, hash, file, line, ifnull(json_extract(record, '$.date'), '') FROM papers
WHERE id IN (SELECT value FROM json_each(?))
"""
_FINISHED = "SELECT count(*) FROM passages JOIN papers ON paper = number WHERE hash != ''"
_NUMBERS = "SELECT id, number FROM papers WHERE id IN (SELECT value FROM json_each(?))"
_NUMBERED = "SELECT number, id FROM papers WHERE number IN (SELECT value FROM json_each(?))"


def content_hash(paper: Paper) -> str:
    """Equal for two entries that say the same, wherever they stand, however they are rendered."""
    said = paper.model_dump_json(exclude={"source", "alternates"})
    return hashlib.sha256(said.encode()).hexdigest()


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
                for statement in _TABLES + lexicon.TABLES + facets.TABLES:
                    self._db.execute(statement)
                self._db.execute("INSERT OR IGNORE INTO meta VALUES ('format', ?)", (FORMAT,))
            _require_format(self._db, path)
            self._lexicon = lexicon.Lexicon(self._db)
            self._facets = facets.Facets(self._db)
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
        """Passages of each entry itself, in order; unknown ids are left out."""
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
        """Ids of the passages of these papers, and of their renderings."""
        rows = self._rows(_PASSAGE_IDS, _json(paper_ids))
        return {f"{id_}#{lane}{position}" for id_, lane, position in rows}

    def renew(self) -> None:
        """Index the words anew where the glossary, whose concepts are indexed, has changed."""
        now = glossary.digest()
        if self._rows("SELECT value FROM meta WHERE key = 'glossary'") == [(now,)]:
            return
        rows = self._rows("SELECT number, record FROM papers")
        with self._transaction():
            for number, record in rows:
                self._lexicon.remove(number)
                terms = indexed_terms(Paper.model_validate_json(record))
                self._lexicon.add([(number, terms)])
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('glossary', ?)", (now,))

    def numbers(self, ids: Iterable[str] | None = None) -> dict[str, int]:
        """The numbers that papers go by in the indexes, of all papers or of these."""
        if ids is None:
            return dict(self._rows("SELECT id, number FROM papers"))
        return dict(self._rows(_NUMBERS, _json(ids)))

    def ids(self, numbers: Sequence[int]) -> list[str]:
        """The ids of papers, in the order of their numbers given; unknown ones are left out."""
        found = dict(self._rows(_NUMBERED, _json(numbers)))
        return [found[number] for number in numbers if number in found]

    def known(self, ids: Iterable[str]) -> dict[str, Known]:
        """What is kept of these papers; unknown ids are left out."""
        return {id_: Known(*rest) for id_, *rest in self._rows(_KNOWN, _json(ids))}

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""
        with self._lock:
            return self._lexicon.document_frequency(terms)

    def lexical(
        self, weighted_terms: Mapping[str, float], n: int, eligible: facets.Mask | None = None
    ) -> list[tuple[str, float]]:
        """The n best papers as (id, sum of weight times BM25 of each term), best first."""
        with self._lock:
            found = self._lexicon.search(weighted_terms, n, eligible)
            ids = dict(self._rows(_NUMBERED, _json([number for number, _ in found])))
        return [(ids[number], score) for number, score in found]

    def vocabulary(self) -> list[str]:
        """The terms that some paper holds."""
        with self._lock:
            return self._lexicon.vocabulary()

    def meeting(self, filters: Filters) -> facets.Mask:
        """The papers that meet all conditions, as a mask over their numbers."""
        with self._lock:
            present = self._lexicon.present()
            return present & self._facets.meeting(filters, len(present))

    def newest(self, eligible: facets.Mask, n: int) -> list[tuple[str, int]]:
        """The n newest of these papers as (id, ordinal of the day), without a date (0) last."""
        with self._lock:
            found = self._facets.newest(eligible, n)
            ids = self.ids([number for number, _ in found])
        return list(zip(ids, (day for _, day in found), strict=True))

    def titles(self, ids: Iterable[str]) -> dict[str, str]:
        """Titles by paper id; unknown ids are left out."""
        return dict(self._rows(_TITLES, _json(ids)))

    def directory(self) -> Directory:
        """The institutions of the corpus, with what else they are called."""
        with self._lock:
            return self._facets.directory()

    def authors(self) -> frozenset[str]:
        """The authors of the corpus, as the listings write them."""
        with self._lock:
            return self._facets.authors()

    def upsert(self, papers: Sequence[Paper]) -> int:
        """Number of passages written. A paper that is known is replaced."""
        entries = [(p, indexed_passages(p), indexed_terms(p)) for p in papers]
        with self._transaction():
            indexed = []
            for paper, passages, terms in entries:
                self._remove(paper.id)
                number = self._insert(paper, passages)
                self._facets.add(number, paper)
                indexed.append((number, terms))
            self._lexicon.add(indexed)
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
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?)",
            [(number, *place_of(p.id)[1:], p.lang, p.start, p.end) for p in passages],
        )
        return number

    def _remove(self, id_: str) -> None:
        for (number,) in self._rows("SELECT number FROM papers WHERE id = ?", id_):
            self._lexicon.remove(number)
            self._facets.remove(number)
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
