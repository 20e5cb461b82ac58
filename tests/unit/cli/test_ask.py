import io
import json

import pytest

from paraqa.errors import StoreNotFound
from paraqa.events import Preparing, Retrieved, Settled, Understood
from paraqa.types import Answer
from scripted_library import abstained, answered, claim, query, script
from whole_library import ANSWER, CLAIMS, HITS, MERAK, QUESTION, Terminal, WholeLibrary, run

CHINESE = "哪些论文减少流水线气泡？"


def test_the_answer_and_its_sources_are_printed():
    done = run("ask", QUESTION)
    assert done.code == 0
    assert done.out == (
        "Two papers do:\n"
        "Throughput rises by 43%. [1]\n"
        "Merak is fastest. [2] (partly supported: it does not say fastest)\n"
        "\n"
        "Sources\n"
        "[1] Breadth-First Pipeline Parallelism (2023-07-10)\n"
        "    “吞吐量提高43%。”\n"
        "    https://arxiv.org/abs/2211.05953\n"
        "[2] Merak\n"
        "    “Merak shifts the critical path.”\n"
        "    https://example.org/m\n"
    )


def test_an_answer_in_chinese_has_its_headings_in_chinese_whatever_the_terminal_speaks():
    claims = (claim("吞吐量提高43%。", HITS[0], "吞吐量提高43%。"),)
    library = WholeLibrary(default=script(query(CHINESE), HITS, claims))
    done = run("ask", CHINESE, library=library)
    assert "来源\n" in done.out
    assert "「吞吐量提高43%。」" in done.out


def test_as_json_the_answer_is_one_document_that_reads_back():
    done = run("ask", QUESTION, "--json")
    assert Answer.model_validate_json(done.out) == ANSWER[-1].answer
    assert json.loads(done.out)["hits"][0]["paper"]["title"] == HITS[0].paper.title


def test_on_a_terminal_each_claim_is_there_before_the_next_is_written():
    terminal = Terminal()
    seen = []

    class Watching(WholeLibrary):
        async def ask(self, question, **_):
            yield Understood(query=query(question))
            yield Retrieved(hits=HITS)
            for each in CLAIMS:
                yield Settled(claim=each)
                seen.append(terminal.getvalue().count("\n"))
            yield answered(query(question), HITS, CLAIMS)

    run("ask", QUESTION, library=Watching(), stdout=terminal)
    assert seen == [1, 2]
    assert terminal.getvalue().count("Throughput rises") == 1


def test_what_is_known_only_at_the_end_of_a_stream_leads_over_to_the_sources():
    done = run("ask", QUESTION, stdout=Terminal(), environ={"NO_COLOR": "1"})
    assert done.out.splitlines()[1:5] == [
        "Merak is fastest. [2] (partly supported: it does not say fastest)",
        "Two papers do:",
        "",
        "Sources",
    ]


def test_an_extractive_answer_has_its_lead_above_it_on_a_terminal_too():
    done = run("ask", QUESTION, "--llm", "extractive", stdout=Terminal())
    assert done.out.splitlines()[0] == "Two papers do:"


def test_an_answer_that_abstained_is_done_and_names_the_nearest_papers_as_no_sources():
    library = WholeLibrary(
        default=[
            Understood(query=query(QUESTION)),
            abstained(query(QUESTION), HITS, "No paper speaks of this."),
        ]
    )
    for stdout in (io.StringIO(), Terminal()):
        done = run("ask", QUESTION, library=library, stdout=stdout, environ={"NO_COLOR": "1"})
        assert done.code == 0
        assert done.out.startswith("No paper speaks of this.\n")
        assert "none supports an answer" in done.out
        assert "- Merak\n" in done.out
        assert "Sources" not in done.out


def test_an_answer_cut_short_says_why_after_what_was_streamed():
    whole = answered(query(QUESTION), HITS, CLAIMS[:1]).answer
    partial = whole.model_copy(update={"status": "partial", "reason": "The endpoint hung up."})
    library = WholeLibrary(
        default=[
            Understood(query=query(QUESTION)),
            Retrieved(hits=HITS),
            Settled(claim=CLAIMS[0]),
            ANSWER[-1].model_copy(update={"answer": partial}),
        ]
    )
    lines = run("ask", QUESTION, library=library, stdout=Terminal()).out.splitlines()
    assert lines[0].startswith("Throughput")
    assert lines[1] == "The endpoint hung up."


def test_options_reach_the_library():
    library = WholeLibrary(default=ANSWER)
    run("ask", QUESTION, "--lang", "zh", "--llm", "openai:m", "-k", "3", library=library)
    assert library.asked[0].llm == "openai:m"
    assert library.asked_with == ("zh", 3)


def test_without_options_the_question_and_the_settings_decide():
    library = WholeLibrary(default=ANSWER)
    run("ask", QUESTION, library=library)
    assert library.asked[0].llm is None
    assert library.asked_with == (None, None)


def test_a_question_can_come_from_standard_input():
    library = WholeLibrary(default=ANSWER)
    run("ask", "-", library=library, stdin=io.StringIO(CHINESE + "\n"))
    assert library.asked[0].question.strip() == CHINESE


def test_standard_input_that_is_no_text_is_an_error_with_a_hint():
    broken = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00"), encoding="utf-8")
    done = run("ask", "-", stdin=broken)
    assert done.code == 1
    assert "hint: Convert it to UTF-8" in done.err


def test_control_sequences_of_papers_and_models_never_reach_the_terminal():
    evil = "\x1b]0;owned\x07\x9b31mred\u202egnp.exe"
    lead = answered(query(QUESTION), HITS, CLAIMS, lead=evil)
    hit = HITS[0].model_copy(update={"rank": 1})
    dirty = CLAIMS[0].model_copy(update={"text": evil})
    library = WholeLibrary(
        default=[
            Understood(query=query(QUESTION)),
            Retrieved(hits=(hit,)),
            Settled(claim=dirty),
            lead,
        ]
    )
    for arguments in ((), ("--json",), ("--llm", "extractive")):
        done = run("ask", QUESTION, *arguments, library=library, environ={"NO_COLOR": "1"})
        assert done.code == 0
        assert not set(done.out + done.err) & set("\x1b\x07\x9b\u202e")


def test_colours_are_for_terminals_only():
    coloured = run("ask", QUESTION, stdout=Terminal())
    assert "\x1b[36m [1]\x1b[0m" in coloured.out
    assert "\x1b" not in run("ask", QUESTION).out
    assert "\x1b" not in run("ask", QUESTION, stdout=Terminal(), environ={"NO_COLOR": "1"}).out


def test_steps_of_the_local_model_are_told_once_on_standard_error():
    steps = [
        Preparing(step="joining", done=50, total=100),
        Preparing(step="joining", done=50, total=100),
        Preparing(step="loading"),
        Preparing(step="loading"),
        Preparing(step="ready"),
    ]
    library = WholeLibrary(default=[*ANSWER[:2], *steps, *ANSWER[2:]])
    done = run("ask", QUESTION, library=library)
    assert done.err.splitlines()[1:4] == [
        "joining the local model 50%",
        "loading the local model",
        "the local model is ready",
    ]
    assert run("ask", QUESTION, "--quiet", library=library).err == ""


def test_a_bar_shows_how_far_the_joining_is_on_a_terminal():
    steps = [Preparing(step="joining", done=50, total=100), Preparing(step="loading")]
    library = WholeLibrary(default=[*ANSWER[:2], *steps, *ANSWER[2:]])
    done = run("ask", QUESTION, library=library, stderr=Terminal())
    assert "50%" in done.err
    assert "\r" in done.err


@pytest.mark.parametrize(
    ("locale", "message"), [("en_US.UTF-8", "error: "), ("zh_CN.UTF-8", "错误：")]
)
def test_a_missing_store_is_an_error_with_a_hint_in_the_readers_language(locale, message):
    library = WholeLibrary(default=[StoreNotFound("server.not_found")])
    done = run("ask", QUESTION, library=library, environ={"LC_ALL": locale})
    assert done.code == 1
    assert done.out == ""
    assert done.err.startswith(message)
    assert len(done.err.splitlines()) == 2
    assert library.calls == ["close"]


def test_a_title_without_date_or_address_is_printed_alone():
    bare = MERAK.model_copy(update={"url": None})
    hits = (HITS[1].model_copy(update={"paper": bare, "rank": 1}),)
    cited = claim("Merak shifts it.", hits[0], "Merak shifts the critical path.")
    library = WholeLibrary(default=script(query(QUESTION), hits, [cited]))
    assert run("ask", QUESTION, library=library).out.endswith(
        "[1] Merak\n    “Merak shifts the critical path.”\n"
    )
