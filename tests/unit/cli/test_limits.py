import datetime

import pytest

from paraqa.cli.limits import days
from paraqa.types import Filters
from whole_library import ANSWER, QUESTION, WholeLibrary, run


def day(text):
    return datetime.date.fromisoformat(text)


def limited(*options, command="search"):
    library = WholeLibrary(default=ANSWER)
    assert run(command, QUESTION, *options, library=library).code == 0
    return library.filtered_by


@pytest.mark.parametrize(
    ("given", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-2", "2023-02-01", "2023-02-28"),
        ("2024-12", "2024-12-01", "2024-12-31"),
        (" 2024-05-07 ", "2024-05-07", "2024-05-07"),
    ],
)
def test_a_year_or_a_month_has_a_first_and_a_last_day(given, first, last):
    assert days(given) == (day(first), day(last))


@pytest.mark.parametrize(
    "given",
    ["", "24", "0000", "2024-00", "2024-13", "2024-02-30", "2024/05", "２０２４", "2024-05-07T00"],
)
def test_what_is_no_date_is_a_mistake_in_usage(given, capsys):
    assert run("search", QUESTION, "--since", given).code == 2
    assert f"{given!r} is not a date" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["search", "ask"])
def test_without_an_option_the_words_of_the_question_decide(command):
    assert limited(command=command) is None


@pytest.mark.parametrize("command", ["search", "ask"])
def test_the_options_are_the_filters(command):
    options = (
        "--since", "2023", "--until", "2024-06", "--category", "cs.DC", "--category", "cs.AR",
        "--institution", "NVIDIA", "--institution", " 英伟达 ", "--author", "Li",
    )  # fmt: skip
    assert limited(*options, command=command) == Filters(
        since=day("2023-01-01"),
        until=day("2024-06-30"),
        categories=("cs.DC", "cs.AR"),
        institutions=("NVIDIA", "英伟达"),
        authors=("Li",),
    )


def test_without_filters_the_words_of_the_question_are_not_read_as_some():
    assert limited("--no-filters") == Filters()
    assert limited("--no-filters", "--author", "Li") == Filters(authors=("Li",))


@pytest.mark.parametrize("command", ["search", "ask"])
def test_dates_that_exclude_each_other_are_an_error_with_a_hint(command):
    library = WholeLibrary(default=ANSWER)
    done = run(command, QUESTION, "--since", "2024", "--until", "2023", library=library)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "error: No date lies between 2024-01-01 and 2023-12-31.\n"
        "hint: Give --since the earlier of the two.\n"
    )
    assert library.searched is None
    assert library.asked == []
