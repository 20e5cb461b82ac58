"""Names in a text."""

import pytest

from paraqa.lang.names import mentions, names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tell me about Zeus.", ["Zeus"]),
        ("Zeus and FlexFlow train DNNs on GPUs.", ["Zeus", "FlexFlow"]),
        ("Training with more GPUs helps.", []),
        ("加州大学伯克利分校的Synkhronos快7.5倍", ["Synkhronos"]),
        ("是《Beyond Data and Model Parallelism》。", ["Beyond Data and Model Parallelism"]),
        ("DHO$_2$ is fast", ["DHO$_2$"]),
        ("how do they compare?", []),
        ("", []),
    ],
)
def test_names_are_what_a_reader_would_repeat(text, expected):
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("That is Breadth-First Pipeline Parallelism [1].", ["Breadth-First Pipeline Parallelism"]),
        ("Yes, Synkhronos [1] from UC Berkeley.", ["Synkhronos"]),
        ("1. MoE并行折叠 [3];2. MegaScale-Infer [4]。", ["MoE并行折叠", "MegaScale-Infer"]),
        ("Zeus saves energy on GPUs. [1]\nHarmony swaps less. [2]", ["Zeus", "Harmony"]),
        ("There is Zeus.", ["Zeus"]),
    ],
)
def test_each_marker_stands_for_one_name(text, expected):
    assert mentions(text) == expected
