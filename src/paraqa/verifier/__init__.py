"""The judge, before and after: can these papers answer, and does the paper say the sentence.

Both are decided by code from what stands in the papers; no model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from paraqa.evidence import quotation, sentences_of, source, supporting
from paraqa.lang.conditions import conditions_of
from paraqa.lang.text import say
from paraqa.settings import VerifySettings
from paraqa.types import Citation, Claim, Coverage, Draft, Hit, Query, Verdict
from paraqa.verifier.gate import Corpus, reason_to_abstain


class Verifier:
    """Judges whether hits are enough to answer from, and drafts against the paper they cite."""

    def __init__(self, corpus: Corpus, settings: VerifySettings) -> None:
        self._corpus = corpus
        self._settings = settings

    def enough(self, query: Query, hits: Sequence[Hit], coverage: Coverage) -> str | None:
        """Why there is no answer in these hits, in the answer's language; None if there may be."""
        if query.is_filtered and coverage.papers and not coverage.eligible:
            told = say("filters.separator", query.lang).join(conditions_of(query, query.lang))
            return say("verify.filtered_out", query.lang, papers=coverage.papers, conditions=told)
        if query.is_about_corpus:
            return say("verify.about_corpus", query.lang, papers=coverage.papers)
        return reason_to_abstain(query, hits, self._corpus, min_cover=self._settings.min_cover)

    def verify(self, draft: Draft, hits: Sequence[Hit], query: Query) -> Claim:
        """The claim that may be shown for a draft.

        A sentence that does not agree with its paper is never shown: the paper's own words are.
        """
        hit = hits[draft.number - 1]
        if draft.quote is not None:
            return _in_own_words(draft, hit, draft.quote, say("verify.quote", query.lang))
        missing = problems(draft.text, hit, query)
        if missing:
            problem = say("verify.separator", query.lang).join(missing)
            own = quotation(query, hit)
            assert own.quote is not None  # noqa: S101 - a quotation has one
            reason = say("verify.replaced", query.lang, problem=problem)
            return _in_own_words(own, hit, own.quote, reason)
        passage = supporting(draft.text, query, hit)
        return Claim(
            text=draft.text,
            citations=(_citation(hit, passage.start, passage.end),),
            verdict=Verdict(
                support="partial", method="rules", reason=say("verify.agrees", query.lang)
            ),
        )


def problems(sentence: str, hit: Hit, query: Query) -> list[str]:
    """The figures and names of a sentence that its paper does not have."""
    entry = source(hit.paper)
    figures = entry.missing_figures(sentence, question=query.standalone)
    return list(dict.fromkeys(figures + entry.missing_names(sentence)))


def _in_own_words(draft: Draft, hit: Hit, span: tuple[int, int], reason: str) -> Claim:
    return Claim(
        text=draft.text,
        citations=(_citation(hit, *span),),
        verdict=Verdict(support="full", method="quote", reason=reason),
        is_quote=True,
    )


def _citation(hit: Hit, start: int, end: int) -> Citation:
    passage = next(
        (p for p in sentences_of(hit.paper) if p.start <= start < p.end),
        sentences_of(hit.paper)[0],
    )
    return Citation(
        number=hit.rank,
        paper_id=hit.paper.id,
        passage_id=passage.id,
        quote=hit.paper.text[start:end],
        start=start,
        end=end,
    )
