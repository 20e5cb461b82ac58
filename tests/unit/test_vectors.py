import numpy as np
import pytest
from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import (
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)

from paraqa.errors import StoreError, StoreMismatch
from paraqa.vectors import PassageVectors


@pytest.fixture
def vectors(tmp_path):
    opened = PassageVectors.open(tmp_path / "chroma", "hash")
    yield opened
    opened.close()


def node(id_: str, *vector: float, lang: str = "en", **more: str) -> TextNode:
    paper_id = id_.partition("#")[0]
    metadata = {"paper_id": paper_id, "lang": lang, "title": "T", **more}
    return TextNode(id_=id_, text="t", embedding=list(vector), metadata=metadata)


def nearest(
    vectors: PassageVectors,
    *vector: float,
    n: int = 10,
    filters: MetadataFilters | None = None,
) -> list[tuple[str, float]]:
    query = VectorStoreQuery(query_embedding=list(vector), similarity_top_k=n, filters=filters)
    found = vectors.query(query)
    return list(zip(found.ids or [], found.similarities or [], strict=True))


def test_similarity_is_the_cosine_and_best_is_first(vectors):
    assert vectors.add([node("a#0", 1, 0), node("b#0", 0, 1), node("c#0", 3, 4)]) == [
        "a#0",
        "b#0",
        "c#0",
    ]
    assert nearest(vectors, 2, 0) == [
        ("a#0", pytest.approx(1.0)),
        ("c#0", pytest.approx(0.6)),
        ("b#0", pytest.approx(0.0, abs=1e-6)),
    ]
    assert [id_ for id_, _ in nearest(vectors, 2, 0, n=1)] == ["a#0"]


def test_only_what_filters_need_is_kept_beside_a_vector(vectors):
    vectors.add([node("a#0", 1, 0)])
    kept = vectors.client.get_collection("passages", embedding_function=None).get()
    assert kept["metadatas"] == [{"paper_id": "a", "lang": "en"}]
    assert kept["documents"] == [None]


def test_a_node_deleted_and_added_again_has_its_new_vector(vectors):
    # Chroma alone ignores an addition under an id that exists; this fails when it changes that.
    vectors.add([node("a#0", 1, 0)])
    vectors.add([node("a#0", 0, 1)])
    assert nearest(vectors, 0, 1) == [("a#0", pytest.approx(0.0, abs=1e-6))]
    vectors.delete_nodes(["a#0", "none#0"])
    vectors.add([node("a#0", 0, 1)])
    assert nearest(vectors, 0, 1) == [("a#0", pytest.approx(1.0))]


def test_the_vectors_of_a_paper_are_deleted_together(vectors):
    vectors.add([node("a#0", 1, 0), node("a#1", 1, 1), node("ab#0", 0, 1)])
    vectors.delete("a")
    assert [id_ for id_, _ in nearest(vectors, 1, 0)] == ["ab#0"]


def test_more_vectors_than_chroma_takes_at_once_are_added(vectors):
    vectors.add([node(f"p#{n}", 1, n) for n in range(6000)])
    assert vectors.count() == 6000
    vectors.delete_nodes([f"p#{n}" for n in range(5999)])
    assert vectors.count() == 1


def test_nothing_in_it_is_found_or_deleted(vectors):
    assert nearest(vectors, 1, 0) == []
    assert vectors.add([]) == []
    vectors.delete("a")
    vectors.delete_nodes(["a#0"])
    vectors.clear()
    assert vectors.count() == 0


def test_a_cleared_folder_takes_vectors_of_another_length(vectors):
    vectors.add([node("a#0", 1, 0)])
    vectors.clear()
    assert vectors.count() == 0
    vectors.add([node("a#0", 1, 0, 0)])
    assert nearest(vectors, 1, 0, 0) == [("a#0", pytest.approx(1.0))]


def test_vectors_of_another_length_are_refused(vectors):
    vectors.add([node("a#0", 1, 0)])
    with pytest.raises(StoreMismatch) as caught:
        vectors.add([node("b#0", 1, 0, 0)])
    assert "'hash, 2', not 'hash, 3'" in caught.value.message()
    with pytest.raises(StoreMismatch):
        nearest(vectors, 1, 0, 0)
    with pytest.raises(StoreMismatch):
        vectors.require(3)
    vectors.require(2)


def test_vectors_of_another_embedding_are_refused(tmp_path):
    first = PassageVectors.open(tmp_path / "chroma", "hash")
    first.add([node("a#0", 1, 0)])
    first.close()
    with pytest.raises(StoreMismatch):
        PassageVectors.open(tmp_path / "chroma", "other")


def test_a_search_is_exact_however_many_vectors_there_are(vectors):
    chance = np.random.default_rng(1)
    values = chance.normal(size=(3000, 8)).astype(np.float32)
    vectors.add([node(f"p{n}#0", *row.tolist()) for n, row in enumerate(values)])
    question = chance.normal(size=8)
    cosines = values @ question / np.linalg.norm(values, axis=1) / np.linalg.norm(question)
    best = np.argsort(-cosines)[:50]
    assert nearest(vectors, *question.tolist(), n=50) == [
        (f"p{n}#0", pytest.approx(cosines[n], abs=1e-5)) for n in best
    ]


def test_equally_near_vectors_stand_in_order_of_their_ids(vectors):
    vectors.add([node("b#0", 1, 0), node("c#0", 1, 0), node("a#0", 1, 0)])
    assert [id_ for id_, _ in nearest(vectors, 1, 0, n=2)] == ["a#0", "b#0"]


def test_all_vectors_are_read_in_pages_with_their_metadata(vectors):
    vectors.add([node("a#0", 1, 0), node("b#0", 0, 1, lang="zh")])
    ((ids, metadatas, values),) = vectors.pages()
    assert ids == ["a#0", "b#0"]
    assert [m["lang"] for m in metadatas] == ["en", "zh"]
    assert values.tolist() == [[1, 0], [0, 1]]


def one(key: str, value: object, operator: FilterOperator = FilterOperator.EQ) -> MetadataFilter:
    return MetadataFilter(key=key, value=value, operator=operator)


@pytest.mark.parametrize(
    ("filters", "met"),
    [
        (MetadataFilters(filters=[one("lang", "en")]), "ac"),
        (MetadataFilters(filters=[one("lang", "en", FilterOperator.NE)]), "b"),
        (MetadataFilters(filters=[one("date", "2023-01-01", FilterOperator.GTE)]), "bc"),
        (MetadataFilters(filters=[one("date", "2023-01-01", FilterOperator.LT)]), "a"),
        (MetadataFilters(filters=[one("paper_id", ["a", "c"], FilterOperator.IN)]), "ac"),
        (MetadataFilters(filters=[one("paper_id", ["a", "c"], FilterOperator.NIN)]), "b"),
        (MetadataFilters(filters=[one("lang", "en"), one("date", "2023-05-06")]), "c"),
        (
            MetadataFilters(
                filters=[one("lang", "zh"), one("paper_id", "a")], condition=FilterCondition.OR
            ),
            "ab",
        ),
        (
            MetadataFilters(
                filters=[one("lang", "zh"), one("paper_id", "a")], condition=FilterCondition.NOT
            ),
            "c",
        ),
        (MetadataFilters(filters=[MetadataFilters(filters=[one("lang", "zh")])]), "b"),
        (MetadataFilters(filters=[one("colour", "red", FilterOperator.NE)]), ""),
        (MetadataFilters(filters=[]), "abc"),
    ],
)
def test_only_vectors_that_meet_the_filters_are_found(vectors, filters, met):
    vectors.add(
        [
            node("a#0", 1, 0, date="2022-01-01"),
            node("b#0", 1, 0, lang="zh", date="2024-01-01"),
            node("c#0", 1, 0, date="2023-05-06"),
        ]
    )
    assert "".join(id_[0] for id_, _ in nearest(vectors, 1, 0, filters=filters)) == met
    found = nearest(vectors, 1, 0, n=1, filters=filters)
    assert [id_[0] for id_, _ in found] == list(met[:1])


def test_a_filter_that_it_does_not_know_is_refused_rather_than_ignored(vectors):
    vectors.add([node("a#0", 1, 0)])
    filters = MetadataFilters(filters=[one("lang", "e", FilterOperator.CONTAINS)])
    with pytest.raises(NotImplementedError):
        nearest(vectors, 1, 0, filters=filters)
    with pytest.raises(NotImplementedError):
        vectors.delete_nodes(filters=filters)


def test_the_environment_cannot_make_it_report_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setenv("CHROMA_OTEL_COLLECTION_ENDPOINT", "http://example.org")
    monkeypatch.setenv("ANONYMIZED_TELEMETRY", "True")
    opened = PassageVectors.open(tmp_path / "chroma", "hash")
    settings = opened.client.get_settings()
    opened.close()
    assert settings.chroma_otel_collection_endpoint == ""
    assert settings.anonymized_telemetry is False


def test_a_damaged_index_is_an_error_that_says_what_to_do(tmp_path):
    first = PassageVectors.open(tmp_path / "chroma", "hash")
    first.add([node(f"p#{n}", 1, n) for n in range(1500)])  # enough for an index on disk
    first.close()
    for file in (tmp_path / "chroma").glob("*/*"):
        file.write_bytes(file.read_bytes()[:10])
    damaged = PassageVectors.open(tmp_path / "chroma", "hash")
    with pytest.raises(StoreError) as caught:
        nearest(damaged, 1, 0)
    damaged.close()
    assert caught.value.key == "store.damaged"
    assert "paraqa ingest" in caught.value.hint("zh")


@pytest.mark.parametrize("keep", [0.5, 0.0])
def test_a_database_cut_short_or_overwritten_is_damaged_at_each_opening(tmp_path, keep):
    first = PassageVectors.open(tmp_path / "chroma", "hash")
    first.add([node("a#0", 1, 0)])
    first.close()
    database = tmp_path / "chroma" / "chroma.sqlite3"
    whole = database.read_bytes()
    database.write_bytes(whole[: int(len(whole) * keep)] or b"no database" * 1000)
    for _ in range(2):
        with pytest.raises(StoreError) as caught:
            PassageVectors.open(tmp_path / "chroma", "hash")
        assert caught.value.key == "store.damaged"
    database.write_bytes(whole)
    mended = PassageVectors.open(tmp_path / "chroma", "hash")
    assert mended.count() == 1
    mended.close()
