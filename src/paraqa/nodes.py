"""The border: papers to passages, passages to llama-index nodes and back.

What is embedded and what is matched by words is decided here (measured in docs/retrieval.md):
each sentence is embedded behind its title, since an English question must meet a Chinese text
through the title that both share.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from paraqa import lang
from paraqa.lang import glossary
from paraqa.types import Lang, Origin, Paper, Passage

if TYPE_CHECKING:
    from llama_index.core.schema import BaseNode, TextNode

# Keys of a node's metadata. The vector store keeps all but the title, which only embedding needs.
PAPER, LANG, DATE, TITLE, ORIGIN = "paper_id", "lang", "date", "title", "origin"

_LETTERS = "abcdefghijklmnopqrstuvwxyz"

_HEADING = 300  # characters of a title that go with each sentence; real ones have under 250


def passages_of(paper: Paper) -> list[Passage]:
    """The whole entry as number 0, then each sentence of its abstract: what can be quoted."""
    return _passages(paper, paper.abstract, "source", None)


def indexed_passages(paper: Paper) -> list[Passage]:
    """What can be found: the passages of the entry, then those of its renderings."""
    rendered = (
        _passages(paper, rendering.abstract, rendering.origin, rendering.lang)
        for rendering in paper.alternates
    )
    return [*passages_of(paper), *(passage for group in rendered for passage in group)]


def place_of(passage_id: str) -> tuple[str, str, int]:
    """Paper, language of the rendering (empty for the source) and number, from a passage's id."""
    paper_id, _, place = passage_id.rpartition("#")
    number = place.lstrip(_LETTERS)
    return paper_id, place[: len(place) - len(number)], int(number)


def _passages(paper: Paper, abstract: str, origin: Origin, lane: Lang | None) -> list[Passage]:
    text = f"{paper.title}\n{abstract}" if abstract else paper.title
    slices = [(0, len(text))]
    if abstract:
        first = len(text) - len(abstract)
        slices += [(first + start, first + end) for start, end in lang.sentences(abstract)]
    return [
        Passage(
            id=f"{paper.id}#{lane or ''}{number}",
            paper_id=paper.id,
            text=text[start:end],
            lang=lane or lang.detect(abstract or text if number == 0 else text[start:end]),
            origin=origin,
            start=start,
            end=end,
        )
        for number, (start, end) in enumerate(slices)
    ]


def embedding_text(paper: Paper, passage: Passage) -> str:
    """What is embedded for a passage: the whole entry, or the title and the sentence."""
    return passage.text if passage.is_whole else f"{_heading(paper)}. {passage.text}"


def _heading(paper: Paper) -> str:
    # A title as long as a page, as broken listings hold, would be read again for each sentence.
    return paper.title[:_HEADING]


def indexed_text(paper: Paper) -> str:
    """What words are matched against: the entry, and its abstract in other languages."""
    return "\n".join([lexical_text(paper), *(r.abstract for r in paper.alternates)])


def indexed_terms(paper: Paper) -> lang.Terms:
    """The terms that a paper is found by: its words, its bigrams, and the concepts it names."""
    text = indexed_text(paper)
    words, bigrams = lang.terms(text)
    return lang.Terms(words, (*bigrams, *glossary.concepts(text)))


def lexical_text(paper: Paper) -> str:
    """All that an entry itself says: everything a reader may name a paper by."""
    date = paper.date
    names = (name for a in paper.affiliations for name in (a.en, a.zh) if name)
    identifiers = (paper.venue, paper.doi, paper.arxiv_id)
    return "\n".join(
        [
            paper.title,
            paper.abstract,
            *names,
            *paper.authors,
            *((date.isoformat(), str(date.year)) if date else ()),
            *paper.categories,
            *(i for i in identifiers if i),
        ]
    )


def to_nodes(papers: Iterable[Paper]) -> list[TextNode]:
    """A llama-index node for each passage, with the passage's id; not embedded yet."""
    return [_to_node(paper, passage) for paper in papers for passage in indexed_passages(paper)]


def from_node(node: BaseNode) -> Passage:
    """The passage that a node was made from."""
    from llama_index.core.schema import TextNode

    node = cast(TextNode, node)
    return Passage(
        id=node.node_id,
        paper_id=node.metadata[PAPER],
        text=node.text,
        lang=cast(Lang, node.metadata[LANG]),
        origin=node.metadata.get(ORIGIN, "source"),
        start=node.start_char_idx or 0,
        end=node.end_char_idx or 0,
    )


def _to_node(paper: Paper, passage: Passage) -> TextNode:
    from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

    metadata: dict[str, str] = {PAPER: paper.id, LANG: passage.lang, ORIGIN: passage.origin}
    if paper.date:
        metadata[DATE] = paper.date.isoformat()
    unseen = list(metadata)
    metadata[TITLE] = _heading(paper)
    return TextNode(
        id_=passage.id,
        text=passage.text,
        start_char_idx=passage.start,
        end_char_idx=passage.end,
        metadata=metadata,
        # Together these make llama-index embed what `embedding_text` says, and no other key.
        excluded_embed_metadata_keys=[*unseen, TITLE] if passage.is_whole else unseen,
        metadata_template="{value}",
        text_template="{metadata_str}. {content}",
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=paper.id)},
    )
