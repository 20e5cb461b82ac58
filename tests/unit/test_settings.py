import pytest

from paraqa import settings
from paraqa.errors import SettingsError


def test_an_argument_goes_before_the_environment_and_the_file(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").write_text("[retrieval]\nk = 3\n[answer]\npapers = 2\n")
    monkeypatch.setenv("PARAQA_RETRIEVAL__K", "4")
    assert settings.load().retrieval.k == 4
    assert settings.load().answer.papers == 2
    assert settings.load(retrieval={"k": 5}).retrieval.k == 5


def test_an_unknown_key_in_the_file_is_refused_by_name(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").write_text("[llm]\nmodle = 'x'\n")
    with pytest.raises(SettingsError, match=r"llm\.modle.*paraqa\.toml"):
        settings.load()


def test_an_unknown_variable_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__MODLE", "x")
    with pytest.raises(SettingsError, match="PARAQA_LLM__MODLE"):
        settings.load()


def test_a_number_out_of_bounds_names_the_variable(monkeypatch):
    monkeypatch.setenv("PARAQA_RETRIEVAL__K", "0")
    with pytest.raises(SettingsError, match="PARAQA_RETRIEVAL__K"):
        settings.load()


def test_a_broken_file_is_an_error_with_a_hint(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").write_text("[llm\n")
    with pytest.raises(SettingsError) as caught:
        settings.load()
    assert "paraqa.toml" in caught.value.message("zh")
    assert caught.value.hint("zh") != caught.value.hint("en")


def test_a_file_in_another_encoding_is_an_error_that_says_so(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").write_bytes("[llm]\nmodel = 'local'\n".encode("utf-16"))
    with pytest.raises(SettingsError, match="utf-8") as caught:
        settings.load()
    assert caught.value.key == "settings.malformed"
    assert "UTF-8" in caught.value.hint("zh")


def test_a_file_that_begins_with_a_byte_order_mark_is_read(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").write_bytes(b"\xef\xbb\xbf[retrieval]\r\nk = 3\r\n")
    assert settings.load().retrieval.k == 3


def test_a_folder_in_the_place_of_the_file_is_an_error(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "paraqa.toml").mkdir()
    with pytest.raises(SettingsError, match=r"paraqa\.toml") as caught:
        settings.load()
    assert caught.value.key == "settings.unreadable"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "not a url",
        "http://",
        "http://[::1",
        "http://[zz]/v1",
        "http://127.0.0.1:99999/v1",
        "http://127.0.0.1:0/v1",
        "http://127.0.0.1:port/v1",
        "http://local host/v1",
        "http://127.0.0.1:8080/v1\n",
        "127.0.0.1:8080/v1",
        "ftp://127.0.0.1/v1",
        "http://user:secret@/v1",
    ],
)
def test_what_is_no_web_address_is_refused_and_not_repeated(monkeypatch, address):
    monkeypatch.setenv("PARAQA_LLM__BASE_URL", address)
    with pytest.raises(SettingsError, match=r"llm\.base_url.*PARAQA_LLM__BASE_URL") as caught:
        settings.load()
    for lang in ("en", "zh"):
        assert "https://" in caught.value.message(lang)
        assert "secret" not in caught.value.message(lang) + caught.value.hint(lang)


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:8080/v1", "HTTPS://user:pass@api.example.com", "http://[::1]:1234/v1"],
)
def test_a_web_address_is_kept_as_it_was_written(address):
    assert settings.load(llm={"base_url": address}).llm.base_url == address


def test_a_key_is_not_shown(monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__API_KEY", "sk-secret")
    assert "sk-secret" not in repr(settings.load())


def test_every_setting_says_what_it_is():
    rows = settings.describe()
    assert len(rows) > 20
    assert all(meaning for _, _, meaning in rows)
