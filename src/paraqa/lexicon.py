"""The inverted index: which papers hold a word, and how well do they match several?

Papers are ranked by BM25 (Robertson & Zaragoza 2009) over our own terms. SQLite's FTS5 was left out
for two reasons: its idf is near zero for a term that half of the papers hold, and in a listing
about one subject those terms matter; and it splits text by its own rules, while `lang.terms` has
split already. The idf here is Lucene's, which is always positive.
"""

from __future__ import annotations

import json
import math
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping

from paraqa.lang import Terms

K1, B = 1.2, 0.75

TABLES = (
    "CREATE TABLE IF NOT EXISTS terms "
    "(number INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE, df INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS postings (term INTEGER NOT NULL, paper INTEGER NOT NULL, "
    "tf INTEGER NOT NULL, PRIMARY KEY (term, paper)) WITHOUT ROWID",
    # Narrow, because every posting of a search looks its length up; what a removal needs is apart.
    "CREATE TABLE IF NOT EXISTS lengths (paper INTEGER PRIMARY KEY, words INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS used (paper INTEGER PRIMARY KEY, terms BLOB NOT NULL)",
)
# `json_each` takes any number of values as one parameter. CROSS JOIN keeps the order of the
# tables: from the few terms of the question to their postings.
_SEARCH = """
SELECT postings.paper, sum(asked.value * tf / (tf + :flat + :slope * words)) AS score
FROM json_each(:weights) AS asked
CROSS JOIN postings ON postings.term = CAST(asked.key AS INTEGER)
CROSS JOIN lengths ON lengths.paper = postings.paper
GROUP BY postings.paper ORDER BY score DESC, postings.paper LIMIT :n
"""
_TERMS = "SELECT term, number, df FROM terms WHERE term IN (SELECT value FROM json_each(?))"


class Lexicon:
    """Terms and the papers (by number) that hold them. Its caller locks and opens transactions."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._average: float | None = None  # words of a paper; None: not known since the last write

    def count(self) -> int:
        """Number of papers."""
        return int(self._db.execute("SELECT count(*) FROM lengths").fetchone()[0])

    def add(self, paper: int, terms: Terms) -> None:
        """Index a paper that is not in it."""
        self._average = None
        counts = Counter(terms.words + terms.bigrams)
        self._db.executemany(
            "INSERT INTO terms (term, df) VALUES (?, 1) ON CONFLICT DO UPDATE SET df = df + 1",
            [(term,) for term in counts],
        )
        found = self._found(counts)
        used = array("q", [number for _, number, _ in found]).tobytes()
        # Bigrams do not count in the length: only Chinese has them, and it is no longer for that.
        self._db.execute("INSERT INTO lengths VALUES (?, ?)", (paper, len(terms.words)))
        self._db.execute("INSERT INTO used VALUES (?, ?)", (paper, used))
        self._db.executemany(
            "INSERT INTO postings VALUES (?, ?, ?)",
            [(number, paper, counts[term]) for term, number, _ in found],
        )

    def remove(self, paper: int) -> None:
        """Take a paper out."""
        self._average = None
        row = self._db.execute("SELECT terms FROM used WHERE paper = ?", (paper,)).fetchone()
        numbers = array("q", row[0] if row else b"")
        self._db.executemany(
            "DELETE FROM postings WHERE term = ? AND paper = ?", [(n, paper) for n in numbers]
        )
        self._db.executemany(
            "UPDATE terms SET df = df - 1 WHERE number = ?", [(n,) for n in numbers]
        )
        self._db.execute("DELETE FROM lengths WHERE paper = ?", (paper,))
        self._db.execute("DELETE FROM used WHERE paper = ?", (paper,))

    def search(self, weighted_terms: Mapping[str, float], n: int) -> list[tuple[int, float]]:
        """The n best papers as (number, sum of weight times BM25 of each term), best first."""
        if self._average is None:
            average = self._db.execute("SELECT avg(words) FROM lengths").fetchone()[0]
            self._average = average or 1.0
        total = self.count()
        found = self._found(weighted_terms)
        weights = {number: weighted_terms[term] * idf(df, total) for term, number, df in found}
        values = {"weights": json.dumps(weights), "n": n}
        values |= {"flat": K1 * (1 - B), "slope": K1 * B / self._average}
        return self._db.execute(_SEARCH, values).fetchall()

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """In how many papers each term stands."""
        terms = list(terms)
        return dict.fromkeys(terms, 0) | {term: df for term, _, df in self._found(terms)}

    def _found(self, terms: Iterable[str]) -> list[tuple[str, int, int]]:
        """The terms that some paper holds or held, each with its number and df."""
        return self._db.execute(_TERMS, (json.dumps(list(terms)),)).fetchall()


def idf(df: int, total: int) -> float:
    """The weight of a term that so many papers of all hold, as in Lucene."""
    return math.log(1 + (total - df + 0.5) / (df + 0.5))
