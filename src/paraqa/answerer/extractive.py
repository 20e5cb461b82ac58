"""Answers in the papers' own words: no model, nothing to check but the slice."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from paraqa.answerer.choice import chosen
from paraqa.answerer.lead import lead
from paraqa.events import Delta, Dropped
from paraqa.evidence import quotations
from paraqa.settings import AnswerSettings
from paraqa.types import Claim, Coverage, Draft, Hit, ModelUsage, Query


class ExtractiveAnswerer:
    """Writes one answer: for each paper a sentence that quotes the paper's best one."""

    name = "extractive"
    usage = ModelUsage()

    def __init__(self, settings: AnswerSettings) -> None:
        self._settings = settings

    async def write(
        self, query: Query, hits: Sequence[Hit]
    ) -> AsyncGenerator[Delta | Draft | Dropped]:
        """One or two drafts for each paper chosen."""
        for hit in chosen(query, hits, self._settings):
            for draft in quotations(query, hit):
                yield draft

    def lead(self, query: Query, claims: Sequence[Claim], coverage: Coverage) -> str:
        """The sentence before the claims."""
        return lead(query, claims, coverage)
