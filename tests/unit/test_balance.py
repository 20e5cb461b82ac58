"""A corpus that is mostly one language must not hide the papers of the other."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from llama_index.core.base.embeddings.base import BaseEmbedding

from paraqa.lang import detect
from paraqa.retriever import Retriever
from paraqa.settings import RetrievalSettings
from paraqa.store import Store
from paraqa.types import Lang, Paper, Query, Source, Variant

MANY, FEW = 5000, 120
TOP = 5
# What the few are about, and what some of the many are about.
FEW_ON = {"zebra": "斑马", "violin": "小提琴", "umbrella": "雨伞", "volcano": "火山"}
MANY_ON = {"cheese": "奶酪", "glacier": "冰川", "compass": "指南针", "hammock": "吊床"}
THINGS = FEW_ON | MANY_ON
FILLING: dict[Lang, tuple[str, ...]] = {
    "en": ("granite", "meadow", "harbour", "lantern", "orchard", "pebble", "ribbon", "willow"),
    "zh": ("花岗岩", "草地", "港口", "灯笼", "果园", "卵石", "丝带", "柳树"),
}
QUESTIONS: dict[Lang, str] = {"en": "Which paper is about the {}?", "zh": "哪篇论文关于{}?"}


class Biased(BaseEmbedding):
    """Vectors as biased as real ones: those of one language are nearer, whatever they say.

    Two texts have a cosine of 0.7, with a spread of 0.02; 0.1 more if their language is the same,
    and 0.1 more if they are about the same thing.
    """

    model_name: str = "biased"
    embed_batch_size: int = 500
    spread: float = 0.02

    def _get_text_embedding(self, text: str) -> list[float]:
        language = [0.1**0.5, 0.0] if detect(text) == "en" else [0.0, 0.1**0.5]
        thing = next((en for en, zh in THINGS.items() if en in text or zh in text), None)
        meaning = 0.1**0.5 * _direction(thing or text)
        chance = 0.1**0.5 * _direction(f"{text}, as it stands")
        return [0.7**0.5, *language, *meaning.tolist(), *chance.tolist()]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def _direction(seed: str) -> np.ndarray:
    digest = hashlib.blake2b(seed.encode(), digest_size=8).digest()
    vector = np.random.default_rng(int.from_bytes(digest)).standard_normal(48)
    return vector / np.linalg.norm(vector)


def paper(title: str) -> Paper:
    return Paper(title=title, source=Source(file="x.txt", line=1))


def filling(lang: Lang, count: int) -> list[Paper]:
    """Papers on other things."""
    words = FILLING[lang]
    form = {"en": "The {} and the {}, number {}", "zh": "{}与{}之第{}号"}[lang]
    return [
        paper(form.format(words[n % 8], words[n // 8 % 8], n + 1000 * (lang == "en")))
        for n in range(count)
    ]


def on(things: dict[str, str], lang: Lang) -> dict[str, Paper]:
    """A paper on each thing, by its English name."""
    form = {"en": "Notes on the {}", "zh": "论{}"}[lang]
    return {en: paper(form.format(en if lang == "en" else zh)) for en, zh in things.items()}


def other(lang: Lang) -> Lang:
    return "en" if lang == "zh" else "zh"


@pytest.fixture(scope="module", params=["zh", "en"])
def mostly(request, tmp_path_factory) -> Iterator[tuple[Lang, Store]]:
    """A store of 5,000 papers of one language to which some of the other were added."""
    lang: Lang = request.param
    folder: Path = tmp_path_factory.mktemp(f"mostly-{lang}")

    async def fill(store: Store) -> None:
        papers = [*filling(lang, MANY), *on(MANY_ON, lang).values()]
        for start in range(0, len(papers), 1000):
            await store.write(papers[start : start + 1000])
        # A search in between, so that the others come to an index that is in memory.
        store.nearest(await store.embedded("?"), "en", 1)
        await store.write([*filling(other(lang), FEW), *on(FEW_ON, other(lang)).values()])

    with Store.open(folder / "vectorstore", Biased()) as store:
        asyncio.run(fill(store))
        yield lang, store


def asked(thing: str, lang: Lang) -> Query:
    text = QUESTIONS[lang].format(thing if lang == "en" else THINGS[thing])
    own = Variant(text=text, lang=lang, why="question", weight=1.0)
    return Query(text=text, standalone=text, lang=lang, kind="answer", variants=(own,))


async def found(store: Store, query: Query) -> list[str]:
    hits, _ = await Retriever(store, RetrievalSettings(k=TOP)).search(query)
    return [hit.paper.id for hit in hits]


async def plainly_found(store: Store, query: Query) -> list[str]:
    """The nearest papers by the cosine alone."""
    vector = await store.embedded(query.variants[0].text)
    ids = [p.id for p in store.papers()]
    cosines = store.similarities(ids, vector, query.lang, {})
    return [key.partition("#")[0] for key in sorted(cosines, key=lambda k: -cosines[k])]


def test_the_vectors_are_as_biased_as_they_say():
    embedding = Biased()
    vectors = {
        lang: np.array([embedding.get_text_embedding(p.title) for p in filling(lang, 300)])
        for lang in ("en", "zh")
    }
    question = np.array(embedding.get_query_embedding("Which paper?"))
    own, crossed = (vectors[lang] @ question for lang in ("en", "zh"))
    assert own.mean() - crossed.mean() == pytest.approx(0.1, abs=0.01)
    assert own.std() == pytest.approx(embedding.spread, abs=0.005)


@pytest.mark.parametrize("asking", ["en", "zh"])
async def test_a_paper_of_the_few_is_found_among_the_first_in_either_language(mostly, asking):
    lang, store = mostly
    missed = [
        thing
        for thing, wanted in on(FEW_ON, other(lang)).items()
        if wanted.id not in await found(store, asked(thing, asking))
    ]
    assert missed == []


@pytest.mark.parametrize("asking", ["en", "zh"])
async def test_a_paper_of_the_many_is_found_among_the_first_in_either_language(mostly, asking):
    lang, store = mostly
    missed = [
        thing
        for thing, wanted in on(MANY_ON, lang).items()
        if wanted.id not in await found(store, asked(thing, asking))
    ]
    assert missed == []


async def test_by_the_cosine_alone_the_language_of_the_question_would_hide_them(mostly):
    lang, store = mostly
    for things, theirs in ((FEW_ON, other(lang)), (MANY_ON, lang)):
        for thing, wanted in on(things, theirs).items():
            order = await plainly_found(store, asked(thing, other(theirs)))
            assert order.index(wanted.id) > TOP
