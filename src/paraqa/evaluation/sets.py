"""Question sets: a question file, or a folder that holds one with its table of papers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paraqa.errors import EvaluationError
from paraqa.types import Record

PLACE = "{set}"  # stands for the name of the set in the path of a file that is one set's own

_QUESTIONS = ("questions.jsonl", "dev.jsonl")
_PAPERS = "papers.tsv"


class QuestionSet(Record):
    """A question file with the table of its papers, under a name."""

    name: str
    questions: Path
    papers: Path | None = None

    def own(self, path: Path | None) -> Path | None:
        """The path with the name of this set in the place of `{set}`."""
        return None if path is None else Path(str(path).replace(PLACE, self.name))


def find(paths: Sequence[Path], papers: Path | None = None) -> list[QuestionSet]:
    """The sets at some paths, each a file or a folder. A given table of papers holds for all.

    Raises EvaluationError for a folder without questions, and for two sets of one name.
    """
    sets: dict[str, QuestionSet] = {}
    for path in paths:
        found = _in_folder(path, papers) if path.is_dir() else _of_file(path, papers)
        if found.name in sets:
            raise EvaluationError("eval.same_name", name=found.name, path=str(path))
        sets[found.name] = found
    return list(sets.values())


def check_own(sets: Sequence[QuestionSet], path: Path | None) -> None:
    """Raise EvaluationError where several sets would share a file that is one set's own."""
    if path is not None and len(sets) > 1 and PLACE not in str(path):
        raise EvaluationError("eval.shared_file", path=str(path), place=PLACE)


def name_of(questions: Path) -> str:
    """What a question file is called: its folder's name, or its own where that says more."""
    folder = questions.resolve().parent.name
    return folder if questions.name in _QUESTIONS and folder else questions.stem


def _of_file(path: Path, papers: Path | None) -> QuestionSet:
    return QuestionSet(name=name_of(path), questions=path, papers=papers)


def _in_folder(folder: Path, papers: Path | None) -> QuestionSet:
    questions = next((folder / name for name in _QUESTIONS if (folder / name).is_file()), None)
    if questions is None:
        names = ", ".join(_QUESTIONS)
        raise EvaluationError("eval.no_questions", path=str(folder), names=names)
    table = folder / _PAPERS
    own = papers or (table if table.is_file() else None)
    return QuestionSet(name=name_of(questions), questions=questions, papers=own)
