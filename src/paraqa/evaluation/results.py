"""Result files: one line a question, written as soon as it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import ValidationError

from paraqa.errors import EvaluationError
from paraqa.evaluation.questions import Question, problem_of
from paraqa.types import Lang, ModelUsage, Record, Status, Support

_NO_MODEL = "--only retrieval"


class Result(Record):
    """What the library gave for one question. Papers are given by title, as the library has them.

    Of a run that only searches, `status` is `retrieved` and nothing is said of an answer.
    """

    id: str
    question: str
    ranked: tuple[str, ...]  # distinct papers, best first
    cited: tuple[str, ...] = ()  # in the order in which they are first cited
    answer: str = ""
    status: Status | Literal["retrieved"]
    seconds: float  # the loading of a local model is not counted, here and below
    first_evidence_seconds: float | None = None
    first_claim_seconds: float | None = None
    last_claim_seconds: float | None = None
    llm: str | None = None  # the model asked for; None where nothing was asked
    model: str | None = None  # the model that wrote; an abstention is written by code
    lang: Lang  # of the answer, as the library understood the question
    standalone: str  # the question as it was searched
    hits: tuple[str, ...] = ()  # `[n]` in the answer is the n-th of these
    citations: int = 0
    dangling: int = 0  # of the citations, those that do not point at a quote in a hit
    removed_markers: int = 0
    verdicts: tuple[Support, ...] = ()  # one for each sentence of the answer
    usage: ModelUsage = ModelUsage()


class ResultFile:
    """A file that results are added to, each on disk before the next question is asked."""

    def __init__(self, path: Path, *, results: Sequence[Result] = (), size: int = 0) -> None:
        self.results = tuple(results)  # those already there
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = path.open("ab")
            self._stream.truncate(size)
        except OSError as error:
            raise self._unwritable(error) from error

    @classmethod
    def resume(cls, path: Path) -> Self:
        """The file with the results it holds; a last line that was cut short is taken away.

        Raises EvaluationError for a file that holds anything else.
        """
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return cls(path)
        except OSError as error:
            raise EvaluationError("eval.unreadable", path=str(path), problem=str(error)) from error
        results, size = _parse(content, path)
        file = cls(path, results=results, size=size)
        if size and content[size - 1 : size] != b"\n":
            file._write(b"\n")
        return file

    def add(self, result: Result) -> None:
        """Append one result. Raises EvaluationError where the file cannot take it."""
        self._write(result.model_dump_json().encode() + b"\n")

    def close(self) -> None:
        """Release the file."""
        self._stream.close()

    def _write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> EvaluationError:
        return EvaluationError("eval.unwritable", path=str(self._path), problem=str(error))


def check_run(
    path: Path, results: Sequence[Result], questions: Sequence[Question], llm: str | None
) -> None:
    """Raise EvaluationError where the results are not of these questions or of this model."""
    texts = {question.id: question.text for question in questions}
    for result in results:
        if texts.get(result.id) != result.question:
            raise EvaluationError("eval.other_questions", path=str(path), id=result.id)
        if result.llm != llm:
            found, wanted = (model or _NO_MODEL for model in (result.llm, llm))
            raise EvaluationError("eval.other_model", path=str(path), found=found, wanted=wanted)


def _parse(content: bytes, path: Path) -> tuple[list[Result], int]:
    """The results in a file, and the number of bytes that hold them."""
    results: list[Result] = []
    size = 0
    lines = content.splitlines(keepends=True)  # of bytes: line ends only, not U+2028
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                results.append(Result.model_validate_json(line))
            except ValidationError as error:
                if number == len(lines) and error.errors()[0]["type"] == "json_invalid":
                    break
                raise EvaluationError(
                    "eval.bad_result", path=str(path), line=number, problem=problem_of(error)
                ) from error
        size += len(line)
    return results, size
