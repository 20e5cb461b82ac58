import json

from paraqa.lang.text import pairs
from paraqa.settings import describe
from whole_library import run


def test_every_setting_is_shown_with_its_meaning_in_both_languages():
    for environ, lang in (({}, "en"), ({"LANG": "zh_CN.UTF-8"}, "zh")):
        printed = run("settings", environ=environ).out
        for key, _, _ in describe():
            assert f"{key} = " in printed
            assert pairs("cli")["setting_" + key.replace(".", "_")][lang] in printed


def test_the_english_meaning_is_that_of_the_setting_itself():
    for key, _, meaning in describe():
        assert pairs("cli")["setting_" + key.replace(".", "_")]["en"] == meaning


def test_a_changed_value_stands_beside_its_default(monkeypatch):
    monkeypatch.setenv("PARAQA_RETRIEVAL__K", "5")
    printed = run("settings").out
    assert "retrieval.k = 5  (default: 8)\n" in printed
    assert "retrieval.depth = 200\n" in printed


def test_options_are_part_of_it():
    assert (
        "store.path = elsewhere  (default: vectorstore)\n"
        in run("settings", "--store", "elsewhere").out
    )


def test_no_secret_is_shown(monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__API_KEY", "sk-very-secret")
    monkeypatch.setenv("PARAQA_LLM__BASE_URL", "https://me:passw0rd@models.example.org/v1")
    for arguments in (("settings",), ("settings", "--json")):
        printed = run(*arguments).out
        assert "very-secret" not in printed
        assert "passw0rd" not in printed
        assert "https://models.example.org/v1" in printed


def test_as_json_it_is_one_document():
    records = json.loads(run("settings", "--json").out)
    assert records[0] == {
        "key": "store.path",
        "value": "vectorstore",
        "default": "vectorstore",
        "meaning": "folder of the catalog and the vectors",
    }
    assert len(records) == len(describe())
