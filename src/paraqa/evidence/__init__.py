"""What a paper says that bears on a question, and whether it holds what a sentence claims.

The answerer chooses its sentences here and the verifier checks them here; both see the whole entry
(title, abstract, authors, institutions, date), in either language.
"""

from paraqa.evidence.covering import cover, holds, synonyms
from paraqa.evidence.quotation import origin, quotation, quotations
from paraqa.evidence.relevance import (
    asks_for_figures,
    asks_for_origin,
    asks_to_compare,
    distinctive,
    in_focus,
    on_topic,
    proposes,
    ranked,
    sentences_of,
    supporting,
)
from paraqa.evidence.source import Source, figure, glossary_forms, is_near, mentions, names, source

__all__ = [
    "Source",
    "asks_for_figures",
    "asks_for_origin",
    "asks_to_compare",
    "cover",
    "distinctive",
    "figure",
    "glossary_forms",
    "holds",
    "in_focus",
    "is_near",
    "mentions",
    "names",
    "on_topic",
    "origin",
    "proposes",
    "quotation",
    "quotations",
    "ranked",
    "sentences_of",
    "source",
    "supporting",
    "synonyms",
]
