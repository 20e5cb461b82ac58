"""What counts as stating a fact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.evaluation.facts import coverage, is_stated

NUMBERS = st.builds(
    lambda whole, part: f"{whole}.{part}" if part else str(whole),
    st.integers(1, 999),
    st.integers(0, 9),
)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("Megatron-LM", "it beats MEGATRON LM"),
        ("Megatron-LM", "它优于MegatronLM。"),
        ("AllReduce", "fewer all-reduce operations"),
        ("Parallel Track", "a parallel-track transformer"),
        ("3072", "on 3,072 GPUs"),
        ("114000", "长度达\uff11\uff11\uff14\uff0c\uff10\uff10\uff10"),
        ("114,000", "up to 114000 tokens"),
        ("52 billion", "a 52-billion-parameter model"),
        ("52B", "a 52 B model"),
        ("520亿", "在520亿参数的模型上"),
        ("1.42x", "1.42× faster"),
        ("1.42x", "1.42 times faster"),
        ("1.42x", "加速1.42倍"),
        ("1.42倍", "a 1.42-times speedup"),
        ("1.42x", "1.42X"),
        ("43%", "43 percent more"),
        ("43%", "43 per cent more"),
        ("43%", "提高百分之43"),
        ("百分之43", "43%"),
        ("43%", "提高\uff14\uff13\uff05"),
        ("52B", "\uff15\uff12\uff22模型"),
        ("1.5 minutes | 1.5-minute", "a 1.5-minute run"),
        ("1.5 min", "in 1.5 minutes"),
        ("1.6 billion", "1.2–1.6 billion flows"),
        ("1.2-1.6 billion", "1.2–1.6 billion flows"),
        ("650 GB", "500-650GB"),
        ("consolidat", "workload consolidation"),
        ("latency", "a low-latency design"),
        ("LUT", "with LUTs"),
        ("SMA | multi-mode", "a multi mode architecture"),
        ("机会计算 | Opportunistic", "一种机会计算方法"),
        ("P100", "on 64 P100 GPUs"),
        ("2023", "dated 2023-07-06"),
        ("v1.2.3", "version v1.2.3"),
    ],
)
def test_a_fact_is_found_in_any_of_its_spellings(fact: str, answer: str) -> None:
    assert is_stated(fact, answer)


@pytest.mark.parametrize(
    ("fact", "answer"),
    [
        ("7.5x", "17.5x"),
        ("7.5x", "7.52x"),
        ("5x", "7.5x"),
        ("43x", "43.0x"),
        ("43", "43.5 of them"),
        ("3x", "a 3x3 convolution"),
        ("52%", "52 papers"),
        ("454", "454万"),
        ("454", "45.4%"),
        ("80", "80%"),
        ("100", "an H100"),
        ("16亿", "116亿"),
        ("4 3", "43"),
        ("1T", "1 trillion"),
        ("FT", "software that is left after"),
        ("SMA", "a small model"),
        ("training", "retraining"),
        ("Harmony", ""),
    ],
)
def test_a_fact_is_not_found_in_part_of_another(fact: str, answer: str) -> None:
    assert not is_stated(fact, answer)


@given(NUMBERS, st.sampled_from("123456789"), st.sampled_from(["", ".", ","]))
def test_a_number_is_never_found_inside_a_longer_one(number: str, digit: str, between: str) -> None:
    between = between if between == "." and "." not in number else ""
    assert not is_stated(f"{number}x", f"about {digit}{between}{number}x faster")


@given(NUMBERS, st.integers(0, 9))
def test_a_number_is_never_found_at_the_head_of_a_longer_one(number: str, digit: int) -> None:
    longer = f"{number}{digit}" if "." in number else f"{number}.{digit}"
    assert not is_stated(f"{number}%", f"up to {longer}%")


@given(
    NUMBERS,
    st.sampled_from(["x", "×", " times", "倍", " 倍", " X"]),
    st.sampled_from(["x", "×", " times", "倍"]),
    st.sampled_from(["It is {} better.", "加速{}。", "({})", "{}"]),
)
def test_every_way_to_write_a_multiple_is_equal(
    number: str, written: str, expected: str, around: str
) -> None:
    assert is_stated(number + expected, around.format(number + written))


@given(st.text(max_size=30), st.text(max_size=60))
def test_any_text_can_be_a_fact(fact: str, answer: str) -> None:
    assert is_stated(fact, answer) in {True, False}


def test_coverage_is_the_share_of_facts_that_are_stated() -> None:
    facts = ["43%", "520亿 | 52B", "Merak", "广度优先 | Breadth-First"]
    assert coverage(facts, "广度优先流水线并行在52B模型上提升43%。") == 0.75
