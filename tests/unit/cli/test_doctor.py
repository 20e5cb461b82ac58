import pytest

from paraqa.cli import packages
from paraqa.cli.doctor import check_packages, check_parts
from paraqa.errors import ModelNotFound, StoreBusy, StoreMismatch
from paraqa.events import Preparing
from whole_library import WholeLibrary, run


def doctor(tmp_path, *arguments, library=None, store="store", **around):
    (tmp_path / "store").mkdir(exist_ok=True)
    path = str(tmp_path / store)
    return run("doctor", "--store", path, *arguments, library=library, **around)


def line(done, name):
    return next(text for text in done.out.splitlines() if name in text)


def test_what_works_is_said(tmp_path):
    done = doctor(tmp_path)
    assert line(done, " store ").startswith("ok ")
    assert "holds 2 papers" in done.out
    assert line(done, "Python").startswith("ok ")
    assert line(done, "settings").startswith("ok ")


def test_in_chinese_too(tmp_path):
    done = doctor(tmp_path, environ={"LC_ALL": "zh_CN.UTF-8"})
    assert "共 2 篇论文" in done.out
    assert line(done, "论文库").startswith("正常")


def test_a_store_that_is_not_there_is_no_fault_and_is_not_made(tmp_path):
    library = WholeLibrary()
    done = doctor(tmp_path, library=library, store="none")
    assert line(done, " store ").startswith("note")
    assert "paraqa ingest" in done.out
    assert library.calls == ["close"]
    assert not (tmp_path / "none").exists()


def test_a_store_in_use_elsewhere_is_no_fault(tmp_path):
    library = WholeLibrary(warm_error=StoreBusy("server.broken"))
    assert line(doctor(tmp_path, library=library), " store ").startswith("note")


def test_an_empty_store_is_no_fault(tmp_path):
    done = doctor(tmp_path, library=WholeLibrary(held=()))
    assert line(done, " store ").startswith("note")
    assert "holds no papers" in done.out


def test_a_store_of_another_embedding_model_is_broken(tmp_path):
    library = WholeLibrary(warm_error=StoreMismatch("server.broken"))
    done = doctor(tmp_path, library=library)
    assert done.code == 1
    assert line(done, " store ").startswith("broken")


def test_an_invalid_setting_is_broken_and_ends_the_examination(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAQA_RETRIEVAL__K", "many")
    done = doctor(tmp_path)
    assert done.code == 1
    assert "'retrieval.k'" in line(done, "settings")
    assert done.settings == []


def test_an_endpoint_is_named_without_its_secrets(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__BASE_URL", "http://me:hush@127.0.0.1:9/v1")
    monkeypatch.setenv("PARAQA_LLM__API_KEY", "sk-hidden")
    done = doctor(tmp_path)
    assert "http://127.0.0.1:9/v1 (with a key)" in done.out
    assert "hush" not in done.out
    assert "sk-hidden" not in done.out


def test_a_hosted_model_without_a_key_is_broken(tmp_path, monkeypatch):
    monkeypatch.setenv("PARAQA_LLM__MODEL", "openai:gpt")
    done = doctor(tmp_path)
    assert done.code == 1
    assert line(done, "endpoint").startswith("broken")


def test_the_local_model_is_tried_only_where_that_is_asked_for(tmp_path):
    steps = [Preparing(step="joining", done=1, total=1), Preparing(step="ready")]
    library = WholeLibrary(model_status=steps[0], preparation=steps)
    assert "not tried" in doctor(tmp_path, library=library).out
    assert "prepare" not in library.calls
    assert "verified by its checksum" in doctor(tmp_path, "--model", library=library).out
    assert "prepare" in library.calls


def test_a_model_that_is_not_what_its_checksum_says_is_broken(tmp_path):
    library = WholeLibrary(
        model_status=Preparing(step="joining"), preparation=[ModelNotFound("server.broken")]
    )
    done = doctor(tmp_path, "--model", library=library)
    assert done.code == 1
    assert done.out.splitlines()[-2].startswith("broken")


REQUIREMENTS = [
    "pytest==0.0.1",
    "no-such-package==1.0",
    "pydantic>=2",
    f"pluggy=={packages._installed('pluggy')}",
    "xllamacpp==1.0; extra == 'local'",
    'ruff==0.1; extra == "dev"',
]


def test_pinned_packages_are_compared_with_those_installed():
    needed = {package.name: package for package in packages.needed(REQUIREMENTS)}
    assert set(needed) == {"pytest", "no-such-package", "pluggy"}
    assert needed["pluggy"].is_right
    assert not needed["pytest"].is_right
    assert needed["no-such-package"].found is None


def test_the_parts_of_the_local_model_are_those_of_its_extra():
    assert [package.name for package in packages.local(REQUIREMENTS)] == ["xllamacpp"]


@pytest.mark.parametrize(
    ("requirements", "state"),
    [(None, "note"), (REQUIREMENTS, "broken"), (REQUIREMENTS[3:4], "good")],
)
def test_a_wrong_version_is_broken_and_a_source_tree_is_no_fault(requirements, state):
    check = check_packages(requirements, "en")
    assert check.state == state
    assert ("pytest" in check.detail) == (state == "broken")


def test_half_of_the_local_model_is_broken_and_none_of_it_is_no_fault():
    right = f"pluggy=={packages._installed('pluggy')}; extra == 'local'"
    wrong = "no-such-package==1; extra == 'local'"
    states = [check_parts(given, "en").state for given in ([right, wrong], [wrong], [right])]
    assert states == ["broken", "note", "good"]
