"""The glossary and its bridges."""

import threading
import time
from collections import Counter
from importlib.resources import files

import pytest

from paraqa.lang import fold
from paraqa.lang.glossary import Entry, Related, entries, expand, read, use, variants
from paraqa.lang.names import names as names_in


@pytest.fixture
def added(tmp_path):
    """Adds a user's glossary for one test."""

    def add(*texts):
        paths = [tmp_path / f"{number}.tsv" for number, _ in enumerate(texts)]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        use(paths)
        return paths

    yield add
    use(())


def texts(question, why):
    found = expand(question, glossary_weight=0.8, bridge_weight=0.4)
    by_lang = {}
    for v in found:
        if v.why == why:
            by_lang.setdefault(v.lang, []).extend(v.text.split("; "))
    return by_lang


def rows():
    table = files("paraqa.lang").joinpath("glossary.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in table.splitlines() if line and line[0] != "#"]


@pytest.mark.parametrize(
    ("question", "lang", "term"),
    [
        ("which papers reduce pipeline bubbles?", "zh", "流水线气泡"),
        ("哪些论文减少了流水线气泡?", "en", "pipeline bubble"),
        ("mixture-of-experts models", "zh", "混合专家"),
        ("GPU energy consumption", "zh", "能耗"),
        ("顯存有多大?", "en", "GPU memory"),
        ("Papers from UIUC", "zh", "伊利诺伊大学厄巴纳-香槟分校"),
        ("清华大学的论文", "en", "Tsinghua University"),
    ],
)
def test_a_concept_is_searched_for_in_the_other_language(question, lang, term):
    assert term in texts(question, "glossary")[lang]


@pytest.mark.parametrize(
    "question", ["which papers reduce pipeline bubbles?", "哪些论文减少了流水线气泡?"]
)
def test_a_bridge_leads_to_techniques_that_do_not_use_the_word(question):
    bridge = texts(question, "bridge")
    assert "interleaved" in bridge["en"]
    assert "调度" in bridge["zh"]


def test_a_name_inside_a_longer_name_is_not_a_concept_of_the_question():
    assert "language model" not in texts("large language models", "glossary").get("en", [])
    assert "语言模型" not in texts("large language models", "glossary")["zh"]


def test_a_question_without_concepts_has_no_expansion():
    assert expand("Who won?", glossary_weight=0.8, bridge_weight=0.4) == ()


def test_a_weight_of_zero_leaves_the_expansion_out():
    found = expand("pipeline bubbles", glossary_weight=0.8, bridge_weight=0)
    assert {v.why for v in found} == {"glossary"}


def test_the_question_itself_is_the_first_variant():
    first, *others = variants("流水线气泡", "zh", glossary_weight=0.8, bridge_weight=0.4)
    assert (first.text, first.lang, first.why, first.weight) == (
        "流水线气泡",
        "zh",
        "question",
        1.0,
    )
    assert {v.weight for v in others if v.why == "glossary"} == {0.8}


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("my video card is too small", "GPU"),
        ("显卡不够用", "GPU"),
        ("训练时爆显存了怎么办", "out of memory"),
        ("what if a machine dies during the run?", "fault tolerance"),
        ("机器宕机了怎么办", "fault tolerance"),
        ("the power bill is too high", "energy consumption"),
        ("太费电了", "energy consumption"),
        ("chips that sit idle", "pipeline bubble"),
        ("why do models make things up?", "hallucination"),
        ("模型胡说八道", "hallucination"),
        ("split a model across cards", "model parallelism"),
        ("怎么把模型拆到多张卡上", "model parallelism"),
        ("can it run on my phone?", "mobile"),
        ("软体的程式码", "software"),
        ("網路延遲", "network"),
    ],
)
def test_everyday_words_lead_to_the_term_of_the_field(question, term):
    found = expand(question, glossary_weight=0.8, bridge_weight=0.4)
    assert term in [form for variant in found for form in variant.text.split("; ")]


def test_a_related_term_weighs_what_its_closeness_says(added):
    added("frobnication\t弗洛\tnear thing ~0.8; usual thing; far thing ~0.1; 近 ~0.8; sure ~1\n")
    found = expand("frobnication", glossary_weight=0.8, bridge_weight=0.4)
    assert [(v.text, v.lang, v.why, v.weight) for v in found] == [
        ("弗洛", "zh", "glossary", 0.8),
        ("sure", "en", "bridge", 1.0),
        ("near thing", "en", "bridge", 0.8),
        ("近", "zh", "bridge", 0.8),
        ("usual thing", "en", "bridge", 0.4),
        ("far thing", "en", "bridge", 0.1),
    ]


def test_no_related_term_weighs_more_than_the_question(added):
    added("frobnication\t\tnear thing ~0.8; sure ~1\n")
    found = expand("frobnication", glossary_weight=0.8, bridge_weight=0.9)
    assert [(v.text, v.weight) for v in found] == [("near thing; sure", 1.0)]


def test_a_term_related_to_two_concepts_has_the_larger_weight(added):
    added("frobnication\t\tthing ~0.2\n", "gadgeteering\t\tthing ~0.6\n")
    found = expand("frobnication and gadgeteering", glossary_weight=0.8, bridge_weight=0.4)
    assert [(v.text, round(v.weight, 9)) for v in found] == [("thing", 0.6)]


def test_every_line_of_the_table_has_two_or_three_columns():
    assert {len(row) for row in rows()} <= {2, 3}
    assert all(cell == cell.strip() for row in rows() for cell in row)


def test_the_table_holds_at_least_five_hundred_concepts():
    assert len(entries()) == len(rows()) >= 500


def test_no_form_stands_twice_in_a_line():
    for entry in entries():
        assert entry.names
        forms = Counter(map(fold, (*entry.names, *entry.bridges)))
        assert max(forms.values()) == 1, entry
        assert all(form == form.strip() and not set(";；~\t") & set(form) for form in forms)


def test_no_two_lines_begin_with_the_same_name():
    firsts = Counter(fold(entry.names[0]) for entry in entries())
    assert [name for name, number in firsts.items() if number > 1] == []


def test_every_weight_of_the_table_is_in_its_bounds():
    assert all(0 < related.weight <= 1 for entry in entries() for related in entry.related)


def test_no_name_is_a_word_that_any_paper_has():
    everywhere = {"model", "method", "use", "paper", "result", "模型", "方法", "论文", "结果"}
    assert [e for e in entries() if everywhere & set(map(fold, e.names))] == []


def test_a_question_is_looked_up_at_once():
    question = "怎么让显卡不闲着 when training a large language model runs out of memory"
    texts(question, "glossary")
    start = time.perf_counter()
    for number in range(20):
        texts(f"{question} {number}", "glossary")
    assert (time.perf_counter() - start) / 20 < 0.005


def test_a_file_of_the_user_is_read_in_the_format_of_the_table(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_bytes(
        "\ufeff# ours\r\n\r\nwidget; gizmo\t小部件；零件\tgear ~0.5; 齿轮\r\nonly\t\r\n".encode()
    )
    assert read(path) == (
        Entry(("widget", "gizmo", "小部件", "零件"), (Related("gear", 0.5), Related("齿轮", 0.4))),
        Entry(("only",), ()),
    )


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("widget", "1 columns"),
        ("widget\t零件\tgear\tcog", "4 columns"),
        ("\t\tgear", "no name"),
        ("widget; Widget\t零件", "'Widget' stands twice"),
        ("widget\t零件\tgear; widget", "'widget' stands twice"),
        ("widget\t零件\tgear ~0", "weight of 'gear'"),
        ("widget\t零件\tgear ~1.5", "weight of 'gear'"),
        ("widget\t零件\tgear ~nan", "weight of 'gear'"),
        ("widget\t零件\tgear ~much", "weight of 'gear'"),
        ("!!!\t零件", "'!!!' has no letter"),
    ],
)
def test_what_is_wrong_in_a_file_of_the_user_is_told_with_its_line(tmp_path, line, wrong):
    path = tmp_path / "own.tsv"
    path.write_text(f"# ours\nfine\t好的\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"^line 3: ") as error:
        read(path)
    assert wrong in str(error.value)


def test_a_file_in_another_encoding_is_refused_with_its_line(tmp_path):
    path = tmp_path / "own.tsv"
    path.write_bytes("fine\tgood\nwidget\t零件\n".encode("gbk"))
    with pytest.raises(ValueError, match=r"^line 2: .*UTF-8"):
        read(path)


def test_concepts_of_the_user_stand_after_the_shipped_ones_until_others_replace_them(added):
    shipped = entries()
    added("widget\t零件\n", "gizmo\t玩意儿\n")
    assert [e.names for e in entries()[len(shipped) :]] == [
        ("widget", "零件"),
        ("gizmo", "玩意儿"),
    ]
    assert texts("a gizmo", "glossary") == {"zh": ["玩意儿"]}
    added("gadget\t小玩意\n")
    assert [e.names for e in entries()[len(shipped) :]] == [("gadget", "小玩意")]
    assert texts("a gizmo", "glossary") == {}


def test_a_file_that_cannot_be_read_changes_nothing(added):
    added("widget\t零件\n")
    before = entries()
    with pytest.raises(ValueError, match=r"1\.tsv: line 1: "):
        added("gizmo\t玩意儿\n", "broken\n")
    assert entries() == before


def test_a_word_that_the_user_adds_is_no_proper_name_from_then_on(added):
    assert names_in("Is it Widgetry?") == ["Widgetry"]
    added("widgetry\t零件学\n")
    assert names_in("Is it Widgetry?") == []


def test_readers_never_see_half_of_a_change(added):
    shipped = len(entries())
    (path,) = added("widget\t零件\ngizmo\t玩意儿\n")
    sizes = set()
    stop = threading.Event()

    def look():
        while not stop.is_set():
            sizes.add(len(entries()) - shipped)
            texts("a widget and a gizmo", "glossary")

    reader = threading.Thread(target=look)
    reader.start()
    for _ in range(50):
        use([path])
        use(())
    stop.set()
    reader.join()
    assert sizes <= {0, 2}
