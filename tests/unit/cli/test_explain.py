import datetime

from paraqa.lang.text import pairs
from paraqa.types import Filters, Match, SearchResult, Variant
from scripted_library import covering, hit, query
from whole_library import BREADTH, HITS, QUESTION, WholeLibrary, run

TOPIC, *_ = query("pipeline bubbles").variants
ASKED = query(
    QUESTION,
    is_list=True,
    filters=Filters(since=datetime.date(2023, 1, 1), institutions=("ServiceNow",)),
    unknown=("vLLM", "PipeX"),
).model_copy(
    update={
        "variants": (
            TOPIC,
            Variant(text="idle; stall", lang="en", why="bridge", weight=0.4),
            Variant(text="流水线气泡; 流水线并行", lang="zh", why="glossary", weight=0.8),
            Variant(text="pipeline bubbles", lang="en", why="spelling", weight=0.8),
        )
    }
)
HIT = hit(
    1,
    BREADTH,
    "吞吐量提高43%。",
    matches=(
        Match(term="pipeline", why="question"),
        Match(term="流水线", why="glossary"),
        Match(term="bubbles", why="question"),
        Match(term="空闲", why="bridge"),
    ),
    words=2,
)
RESULT = SearchResult(query=ASKED, hits=(HIT,), coverage=covering(12, eligible=31), seconds=0.25)


def explained(result=RESULT, *, locale="en_US.UTF-8"):
    library = WholeLibrary(result=result)
    done = run("search", QUESTION, "--explain", library=library, environ={"LC_ALL": locale})
    assert done.code == 0
    return done.out


def test_first_is_what_was_understood_then_why_each_paper_was_found_then_the_count():
    assert explained() == (
        "Understood\n"
        "  asks for: a list of papers\n"
        "  topic: pipeline bubbles\n"
        "  filters: dated 2023 or later, from ServiceNow\n"
        "  glossary, weight 0.8: 流水线气泡; 流水线并行\n"
        "  bridge, weight 0.4: idle; stall\n"
        "  spelling, weight 0.8: pipeline bubbles\n"
        "  in no paper: vLLM, PipeX\n"
        "\n"
        "  1. Breadth-First Pipeline Parallelism (2023-07-10)\n"
        "     吞吐量提高43%。\n"
        "     score 1.00: dense 1 (+0.75), bm25 2 (+0.25)\n"
        "     matched: pipeline, bubbles (question); 流水线 (glossary); 空闲 (bridge)\n"
        "     filters met: dated 2023 or later (2023-07-10); from ServiceNow (ServiceNow)\n"
        "\n"
        "12 of 54 papers match; filters: dated 2023 or later, from ServiceNow (met by 31 of 54); "
        "match: strong\n"
    )


def test_the_explanation_is_in_the_readers_language():
    told = explained(locale="zh_CN.UTF-8")
    for words in (
        "对问题的理解\n  所求：论文列表\n  主题：pipeline bubbles\n",
        "  术语表，权重 0.8：流水线气泡; 流水线并行\n",
        "得分 1.00：语义 dense 1（+0.75）、词语 bm25 2（+0.25）\n",
        "匹配词：pipeline、bubbles（问题原词）；流水线（术语表）；空闲（相关词）\n",
        "符合条件：2023 年及以后（2023-07-10）；来自 ServiceNow（ServiceNow）\n",
        "54 篇论文中有 12 篇匹配；",
        "匹配程度：强\n",
    ):
        assert words in told


def test_a_plain_question_is_explained_in_three_lines():
    plain = SearchResult(query=query(QUESTION), hits=HITS, coverage=covering(12), seconds=0.25)
    told = explained(plain)
    assert told.startswith(
        f"Understood\n  asks for: an answer\n  topic: {QUESTION}\n  filters: none\n\n  1. "
    )
    assert "filters met" not in told
    assert told.endswith("\n\n12 of 54 papers match; match: strong\n")


def test_a_follow_up_shows_what_it_was_taken_for_and_a_question_about_the_collection_says_so():
    asked = query(QUESTION, is_about_corpus=True).model_copy(update={"standalone": "of Zeus"})
    told = explained(RESULT.model_copy(update={"query": asked}))
    assert "asks for: the collection itself\n  standing alone: of Zeus\n" in told


def test_a_ranking_without_a_place_and_one_without_a_share_are_shown():
    found = HIT.model_copy(
        update={"ranks": {"title": 1, "later": 4}, "shares": {"bm25": -0.5, "title": 2.0}}
    )
    told = explained(RESULT.model_copy(update={"hits": (found,)}))
    assert "bm25 – (-0.50), title 1 (+2.00), later 4 (–)" in told


def test_where_all_papers_were_filtered_out_the_question_is_still_explained():
    nothing = covering(0, eligible=0, strength="none")
    told = explained(RESULT.model_copy(update={"hits": (), "coverage": nothing}))
    assert told.startswith("Understood\n")
    assert "\n\nmatch: none\nNone of the 54 papers meets the conditions: " in told


def test_a_condition_whose_fact_is_long_or_missing_stands_alone():
    bare = HIT.model_copy(update={"paper": BREADTH.model_copy(update={"date": None})})
    filters = Filters(until=datetime.date(2024, 6, 30), categories=("cs",), authors=("Li",))
    asked = ASKED.model_copy(update={"filters": filters})
    told = explained(RESULT.model_copy(update={"query": asked, "hits": (bare,)}))
    assert (
        "filters met: dated 2024-06-30 or earlier; in category cs (cs.DC, cs.LG); by Li\n" in told
    )


def test_as_json_the_record_is_the_same_with_and_without_explanation():
    plain = run("search", QUESTION, "--json").out
    assert run("search", QUESTION, "--json", "--explain").out == plain


def test_every_ranking_of_the_retriever_has_a_name_on_both_surfaces():
    from paraqa.ranking import BM25, DATE, DENSE, EXCLUDED, TITLE

    for area in ("cli", "page"):
        assert {f"leg_{leg}" for leg in (DENSE, BM25, TITLE, DATE, EXCLUDED)} <= set(pairs(area))
