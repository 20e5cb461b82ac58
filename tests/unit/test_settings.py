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


def test_a_key_is_not_shown(monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__API_KEY", "sk-secret")
    assert "sk-secret" not in repr(settings.load())


def test_every_setting_says_what_it_is():
    rows = settings.describe()
    assert len(rows) > 20
    assert all(meaning for _, _, meaning in rows)
