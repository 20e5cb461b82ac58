"""The inverted index: which papers hold a word, and how well do they match several?

Papers are ranked by BM25 (Robertson & Zaragoza 2009) over our own terms. SQLite's FTS5 was left out
for two reasons: its idf is near zero for a term that half of the papers hold, and in a listing
about one subject those terms matter; and it splits text by its own rules, while `lang.terms` has
split already. The idf here is Lucene's, which is always positive.

The postings of a term are kept in blocks of 4,096 papers, each one array, so that a search over
100,000 papers reads a few dozen arrays and adds them up with numpy.
"""

from __future__ import annotations

import json
import math
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from paraqa.lang import Terms

K1, B = 1.2, 0.75

Scores = NDArray[np.float64]
Mask = NDArray[np.bool_]

TABLES = (
    "CREATE TABLE IF NOT EXISTS terms "
    "(number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, df INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS postings (term INTEGER NOT NULL, block INTEGER NOT NULL, "
    "papers BLOB NOT NULL, PRIMARY KEY (term, block)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS lengths (paper INTEGER PRIMARY KEY, words INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS used (paper INTEGER PRIMARY KEY, terms BLOB NOT NULL)",
)
_BLOCK = 4096
_POSTING = np.dtype([("paper", "<u2"), ("tf", "u1")])  # the place in the block, and how often
_MOST = 255  # BM25 saturates long before
# `json_each` takes any number of values as one parameter.
_TERMS = "SELECT term, number, df FROM terms WHERE term IN (SELECT value FROM json_each(?))"
_POSTINGS = """
SELECT term, block, papers FROM postings
WHERE term IN (SELECT value FROM json_each(?)) ORDER BY term, block
"""
_BLOCKS = "SELECT papers FROM postings WHERE term = ? AND block = ?"


class Lexicon:
    """Terms and the papers (by number) that hold them. Its caller locks and opens transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._lengths: Scores | None = None  # by number, 0 for none; None: to be read again

    def count(self) -> int:
        """Number of papers."""
        return int(self._db.execute("SELECT count(*) FROM lengths").fetchone()[0])

    def add(self, papers: Sequence[tuple[int, Terms]]) -> None:
        """Index papers that are not in it."""
        self._lengths = None
        counted = [(paper, terms, Counter(terms.words + terms.bigrams)) for paper, terms in papers]
        spread = Counter(term for _, _, counts in counted for term in counts)
        self._db.executemany(
            "INSERT INTO terms (term, df) VALUES (?, ?) ON CONFLICT DO UPDATE SET df = df + ?2",
            list(spread.items()),
        )
        numbers = {term: number for term, number, _ in self._found(spread)}
        added: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for paper, terms, counts in counted:
            block, place = divmod(paper, _BLOCK)
            for term, tf in counts.items():
                added[numbers[term], block].append((place, min(tf, _MOST)))
            used = array("q", sorted(numbers[term] for term in counts)).tobytes()
            # Bigrams do not count in the length: only Chinese has them, and is no longer for that.
            self._db.execute("INSERT INTO lengths VALUES (?, ?)", (paper, len(terms.words)))
            self._db.execute("INSERT INTO used VALUES (?, ?)", (paper, used))
        self._extend(added)

    def remove(self, paper: int) -> None:
        """Take a paper out."""
        self._lengths = None
        row = self._db.execute("SELECT terms FROM used WHERE paper = ?", (paper,)).fetchone()
        numbers = array("q", row[0] if row else b"")
        block, place = divmod(paper, _BLOCK)
        for number in numbers:
            held = np.frombuffer(self._block(number, block), _POSTING)
            kept = held[held["paper"] != place].tobytes()
            self._keep([(number, block, kept)])
        self._db.executemany(
            "UPDATE terms SET df = df - 1 WHERE number = ?", [(n,) for n in numbers]
        )
        self._db.execute("DELETE FROM lengths WHERE paper = ?", (paper,))
        self._db.execute("DELETE FROM used WHERE paper = ?", (paper,))

    def search(
        self, weighted_terms: Mapping[str, float], n: int, eligible: Mask | None = None
    ) -> list[tuple[int, float]]:
        """The n best papers as (number, sum of weight times BM25 of each term), best first.

        Papers that hold none of the terms are left out; equal scores stand in order of number.
        """
        scores = self.scores(weighted_terms)
        if eligible is not None:
            known = min(len(eligible), len(scores))  # it may be older than the last papers
            scores[:known][~eligible[:known]] = 0.0
            scores[known:] = 0.0
        held = np.flatnonzero(scores)
        if len(held) > n:
            # The n-th score first: a whole sort of 100,000 is not needed.
            least = np.partition(scores[held], len(held) - n)[len(held) - n]
            held = held[scores[held] >= least]
        order = held[np.argsort(-scores[held], kind="stable")][:n]
        return [(int(number), float(scores[number])) for number in order]

    def scores(self, weighted_terms: Mapping[str, float]) -> Scores:
        """The sum of weight times BM25 of each term for all papers, by number."""
        lengths = self._known_lengths()
        present = int(np.count_nonzero(lengths >= 0))
        total = np.zeros(len(lengths))
        if not present:
            return total
        average = max(1.0, float(lengths[lengths >= 0].mean()))
        norms = K1 * (1 - B) + K1 * B / average * lengths
        found = {
            number: weighted_terms[term] * idf(df, present)
            for term, number, df in self._found(weighted_terms)
        }
        for number, block, blob in self._db.execute(_POSTINGS, (json.dumps(list(found)),)):
            postings = np.frombuffer(blob, _POSTING)
            papers = postings["paper"] + np.int64(block * _BLOCK)
            tf = postings["tf"].astype(np.float64)
            total[papers] += found[number] * tf / (tf + norms[papers])
        return total

    def present(self) -> Mask:
        """Which numbers belong to a paper, as a mask."""
        there: Mask = self._known_lengths() >= 0
        return there

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""
        terms = list(terms)
        return dict.fromkeys(terms, 0) | {term: df for term, _, df in self._found(terms)}

    def vocabulary(self) -> list[str]:
        """The terms that some paper holds."""
        return [term for (term,) in self._db.execute("SELECT term FROM terms WHERE df > 0")]

    def _found(self, terms: Iterable[str]) -> list[tuple[str, int, int]]:
        """The terms that some paper holds or held, each with its number and df."""
        return self._db.execute(_TERMS, (json.dumps(sorted(terms)),)).fetchall()

    def _known_lengths(self) -> Scores:
        """Words of each paper by number; -1 where there is none."""
        if self._lengths is None:
            rows = self._db.execute("SELECT paper, words FROM lengths").fetchall()
            table = np.array(rows, dtype=np.int64).reshape(-1, 2)
            lengths = np.full(int(table[:, 0].max(initial=0)) + 1, -1.0)
            lengths[table[:, 0]] = table[:, 1]
            self._lengths = lengths
        return self._lengths

    def _block(self, term: int, block: int) -> bytes:
        row = self._db.execute(_BLOCKS, (term, block)).fetchone()
        return bytes(row[0]) if row else b""

    def _extend(self, added: Mapping[tuple[int, int], list[tuple[int, int]]]) -> None:
        rows = []
        for (term, block), postings in added.items():
            new = np.array(sorted(postings), dtype=_POSTING).tobytes()
            rows.append((term, block, self._block(term, block) + new))
        self._keep(rows)

    def _keep(self, rows: Iterable[tuple[int, int, bytes]]) -> None:
        self._db.executemany("INSERT OR REPLACE INTO postings VALUES (?, ?, ?)", rows)


def idf(df: int, total: int) -> float:
    """The weight of a term that so many papers of all hold, as in Lucene."""
    return math.log(1 + (total - df + 0.5) / (df + 0.5))
