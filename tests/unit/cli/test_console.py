import io
import json

from paraqa.cli.console import Console, padded, plain, without_secrets
from whole_library import Terminal


def console(stdout, **more):
    options = {"environ": {}, "lang": "en", "quiet": False} | more
    return Console(stdout, io.StringIO(), **options)


def test_plain_text_is_one_line_without_what_a_terminal_obeys():
    assert plain("  a\x1b[31m\r\nb\x9b\u202e ") == "  a[31m b "
    assert plain("   ") == "   "


def test_a_style_ends_with_its_text():
    out = Terminal()
    console(out).line(("a\x1b", "red"), " b")
    assert out.getvalue() == "\x1b[31ma\x1b[0m b\n"


def test_a_dumb_terminal_gets_no_colours():
    out = Terminal()
    console(out, environ={"TERM": "dumb"}).line(("a", "red"))
    assert out.getvalue() == "a\n"


def test_json_escapes_what_a_terminal_obeys_and_still_means_the_same():
    out = io.StringIO()
    console(out).json(["流水线\x9b\x7f\u202e\x1b"])
    assert "流水线\\u009b\\u007f\\u202e\\u001b" in out.getvalue()
    assert json.loads(out.getvalue()) == ["流水线\x9b\x7f\u202e\x1b"]


def test_a_locale_without_chinese_gets_escapes_and_valid_json():
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="latin-1")
    given = console(out)
    given.line("流水线")
    given.json(["流水线", "é", "\ud800"])
    out.flush()
    line, _, document = raw.getvalue().decode("latin-1").partition("\n")
    assert line == "\\u6d41\\u6c34\\u7ebf"
    assert json.loads(document) == ["流水线", "é", "\ud800"]


def test_a_chinese_character_takes_two_columns():
    assert padded("ok", 4) == "ok  "
    assert padded("正常", 5) == "正常 "
    assert padded("正常", 2) == "正常"


def test_an_address_keeps_no_user_and_no_password():
    assert without_secrets("https://a:b@host/v1?x=@") == "https://host/v1?x=@"
    assert without_secrets("https://host/v1") == "https://host/v1"
