"""Institutions by the names that readers give them: 清华 and THU are Tsinghua University.

`institutions.tsv` holds those that are known by short names; the papers' own affiliations add the
rest, and further names of those.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from paraqa.lang.folding import aligned
from paraqa.lang.language import HAN
from paraqa.types import Affiliation

_HAN = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"(?:(?![{HAN}])[^\W_])+")
_GAP = re.compile(r"[ .,&'/+*()-]{0,3}")  # between the words of one name
_BRACKETED = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
# `Nanjing University` does not begin `Nanjing University of Science`, nor does `University of X`
# end `Technical University of X`.
_HEADS = frozenset({"university", "institute", "college", "academy", "school"})
_KINDS = frozenset(
    {"technical", "state", "polytechnic", "medical", "normal", "open", "free", "catholic"}
)
# A part of an affiliation, between commas, that is an institution by itself.
_WHOLE = re.compile(r"universi|institut|college|academy|polytech|laborator|hochschule|ecole")
_SHORTEST = 2  # characters of a name
# What the law or a firm's own branches put behind its name, in any letters and only with capitals.
_LEGAL = re.compile(
    r"(?:,?\s+(?:(?i:inc|ltd|llc|llp|corp|gmbh|plc|co\.?,?\s+ltd)\b\.?|(?:Incorporated|Limited|"
    r"Corporation|Company|Co|Group|Holdings?|AG|SE|S\.A\.|SA|B\.V\.|BV|N\.V\.|Pte|Pty|K\.K\.)(?!\w)\.?))+"
    r"|\s*(?:[(\uff08][^()\uff08\uff09]{2,4}[)\uff09])?(?:信息|网络|通信|通讯|科技|技术|智能|软件|电子|控股|"
    r"股份|集团)*(?:有限)?(?:责任)?(?:公司|集团)(?:研究院)?|\s*研究院"
)
_SHORTENED = re.compile(r"(?i)\b(?:inc|ltd|corp|co)$")  # the table has them without their stop
_SEAT = re.compile(
    "(?:北京|上海|深圳|杭州|广州|南京|成都|中国|香港)市?$"
)  # before 字节跳动有限公司
_BRANCH = re.compile(r"(?<=\w{4})\s+(?:Research|Labs)$")


class Named(NamedTuple):
    """A place in a text where an institution is named, and the name it is known by."""

    start: int
    end: int
    name: str


class Form(NamedTuple):
    """One name of an institution as it is looked for."""

    text: str
    owner: str  # the name that the institution is known by
    is_short: bool = False  # counts in questions; in an affiliation only if it is all of it
    is_exact: bool = False  # counts only in these letters


class Row(NamedTuple):
    """A line of the table."""

    forms: tuple[Form, ...]
    parent: str | None


class Directory:
    """The institutions of a table and of the papers, and where a text names one."""

    def __init__(self, affiliations: Iterable[Affiliation]) -> None:
        self._forms: dict[str, dict[str, None]] = defaultdict(dict)  # by owner; a set in order
        self._owners: dict[str, str] = {}  # of each form, folded
        self._found_in = lru_cache(maxsize=65_536)(self._found)
        everything = list(_table_forms())
        for form in everything:
            self._know(form)
        for affiliation in affiliations:
            for form in self._own_forms(affiliation):
                self._know(form)
                everything.append(form)
        self._index = _Index(everything)

    def find(self, text: str) -> list[Named]:
        """Where a text names institutions, in order: the longest name at each place."""
        return self._index.find(text)

    def names(self, name: str) -> tuple[str, ...]:
        """All names of an institution, the one that it is known by first; else the name itself."""
        owner = self._owner(name)
        return tuple(self._forms[owner]) if owner else (name,)

    def matches(self, name: str, affiliation: Affiliation) -> bool:
        """Whether an affiliation is an institution, by any of its names, or is part of it."""
        owner = self._owner(name) or name
        texts = [text for text in (affiliation.en, affiliation.zh) if text]
        if owner in _parents():
            return any(owner in self._found_in(text) for text in texts)
        index = _index_of(self.names(name))
        return any(index.find(text) for text in texts)

    def _owner(self, name: str) -> str | None:
        known = self._owners.get(aligned(name).strip())
        return known or self._owners.get(aligned(_without_ending(name)))

    def _know(self, form: Form) -> None:
        self._forms[form.owner][form.text] = None
        self._owners.setdefault(aligned(form.text), form.owner)

    def _own_forms(self, affiliation: Affiliation) -> Iterator[Form]:
        names = [name for name in (affiliation.en, affiliation.zh) if name]
        owners = [self._owner(name) for name in names]
        owner = next((owner for owner in owners if owner), names[0] if names else "")
        for name in names:
            if aligned(name).strip() not in self._owners and len(name) >= _SHORTEST:
                yield Form(name, owner)
            bare = _without_ending(name)
            if bare != name and self._owner(bare) is None and len(bare) >= _SHORTEST:
                # `Scale Inc.` is a firm, `scale` a word.
                yield Form(bare, owner, is_exact=" " not in bare)
        for part in (affiliation.en or "").split(","):
            own = part.strip()
            if _WHOLE.search(aligned(own)) and self._owner(own) is None:
                yield Form(own, own)

    def _found(self, text: str) -> frozenset[str]:
        """The institutions of the table that an affiliation is, or is part of."""
        found: set[str] = set()
        whole = _BRACKETED.sub("", text).strip()
        places = [(n.start, n.end, n.name) for n in _table_index().find(text)]
        if owner := _short_owners().get(aligned(whole)):
            places.append((0, len(whole), owner))
        for _, _, name in places:
            current: str | None = name
            while current:
                found.add(current)
                current = _parents()[current]
        return frozenset(found)


class _Index:
    """Names by their first word, or their first two characters in Chinese."""

    def __init__(self, forms: Iterable[Form]) -> None:
        self._words: dict[tuple[str, ...], list[Form]] = defaultdict(list)
        self._most: dict[str, int] = defaultdict(int)
        self._han: dict[str, Form] = {}
        self._lengths: dict[str, list[int]] = defaultdict(list)
        for form in forms:
            self._add(form)

    def _add(self, form: Form) -> None:
        text = aligned(form.text)
        if _HAN.search(text):
            lengths = self._lengths[text[:2]]
            if len(text) not in lengths:
                lengths.append(len(text))
                lengths.sort(reverse=True)
            self._han.setdefault(text, form)
            return
        words = tuple(_WORD.findall(text))
        if words[:1] == ("the",) and len(words) > 1:
            words = words[1:]
        if words:
            self._words[words].append(form)
            self._most[words[0]] = max(self._most[words[0]], len(words))

    def find(self, text: str) -> list[Named]:
        """The longest name at each place, no two on the same characters."""
        folded = aligned(text)
        words = list(_WORD.finditer(folded))
        found = [named for place in range(len(words)) if (named := self._at(place, words, text))]
        found += [n for start in range(len(folded) - 1) if (n := self._han_at(start, folded))]
        kept: list[Named] = []
        for named in sorted(found, key=lambda n: (n.start, -n.end)):
            if not kept or named.start >= kept[-1].end:
                kept.append(_with_ending(named, text))
        return kept

    def _at(self, place: int, words: list[re.Match[str]], text: str) -> Named | None:
        most = self._most.get(words[place][0], 0)
        run = _run(words[place : place + most], text)
        for length in range(len(run), 0, -1):
            forms = self._words.get(tuple(word[0] for word in run[:length]))
            if not forms or _is_cut(words, place, length, text):
                continue
            start, end = run[0].start(), run[length - 1].end()
            for form in forms:
                if not form.is_exact or text[start:end] == form.text:
                    closing = form.text.endswith(")") and text[end : end + 1] == ")"
                    return Named(start, end + closing, form.owner)
        return None

    def _han_at(self, start: int, folded: str) -> Named | None:
        for length in self._lengths.get(folded[start : start + 2], ()):
            form = self._han.get(folded[start : start + length])
            is_whole = start + length <= len(folded)
            if form and is_whole and _stands_alone(folded, start, start + length):
                return Named(start, start + length, form.owner)
        return None


def _with_ending(named: Named, text: str) -> Named:
    """The place with what makes a firm's name the whole one: `ByteDance` of `ByteDance Inc.`."""
    if text.startswith(".", named.end) and _SHORTENED.search(text, named.start, named.end):
        return named._replace(end=named.end + 1)
    ending = _LEGAL.match(text, named.end)
    if ending is None:
        return named
    seat = _SEAT.search(text, max(0, named.start - 3), named.start)
    start = seat.start() if seat and "公司" in ending[0] else named.start
    return named._replace(start=start, end=ending.end())


def _without_ending(name: str) -> str:
    """A name without what the law puts behind it, or the name of a firm's own institute."""
    for ending in _LEGAL.finditer(name):
        if ending.end() == len(name) and ending.start() >= _SHORTEST:
            return name[: ending.start()].strip()
    branch = _BRANCH.search(name)
    return name[: branch.start()] if branch and " " not in name[: branch.start()] else name


def _run(words: list[re.Match[str]], text: str) -> list[re.Match[str]]:
    """The first of these words and those that follow it as closely as in a name."""
    run = words[:1]
    for word in words[1:]:
        if not _GAP.fullmatch(text, run[-1].end(), word.start()):
            break
        run.append(word)
    return run


def _is_cut(words: list[re.Match[str]], place: int, length: int, text: str) -> bool:
    """Whether these words are only a part of another institution's name."""
    last = place + length - 1
    if words[last][0] in _HEADS and last + 1 < len(words) and words[last + 1][0] == "of":
        return text[words[last].end() : words[last + 1].start()] == " "
    before = words[place - 1][0] if place else ""
    return words[place][0] == "university" and before in _KINDS


def _stands_alone(folded: str, start: int, end: int) -> bool:
    """Whether no word is cut at either end: as UC伯克利 is in LUC伯克利, and 北大 in 湖北大学."""
    if folded[end - 1] == "大" and folded[end : end + 1] == "学":
        return False
    return not any(
        _WORD.fullmatch(folded[at : at + 1]) and _WORD.fullmatch(folded[at - 1 : at])
        for at in (start, end)
        if at > 0
    )


@cache
def table() -> tuple[Row, ...]:
    """The institutions that are known by short names, as the file has them."""
    table = files(__package__).joinpath("institutions.tsv").read_text(encoding="utf-8")
    return tuple(_row(line) for line in table.splitlines() if line and line[0] != "#")


def _row(line: str) -> Row:
    english, chinese, parent = (*line.split("\t"), "", "")[:3]
    cells = [form for cell in (english, chinese) for form in cell.split("; ") if form]
    owner = cells[0].lstrip("~=")
    forms = (Form(c.lstrip("~="), owner, c[0] == "~", c[0] == "=") for c in cells)
    return Row(tuple(forms), parent or None)


def _table_forms() -> Iterator[Form]:
    return (form for row in table() for form in row.forms)


@cache
def _parents() -> dict[str, str | None]:
    return {row.forms[0].owner: row.parent for row in table()}


@cache
def _short_owners() -> dict[str, str]:
    return {aligned(form.text): form.owner for form in _table_forms() if form.is_short}


@cache
def _table_index() -> _Index:
    return _Index(form for form in _table_forms() if not form.is_short)


@lru_cache(maxsize=256)
def _index_of(names: tuple[str, ...]) -> _Index:
    return _Index(Form(name, names[0]) for name in names)
