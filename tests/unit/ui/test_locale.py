import pytest

from paraqa.ui.locale import preferred_language


@pytest.mark.parametrize(
    ("accepted", "lang"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("en-US", "en"),
        ("fr-FR, zh-Hant;q=0.3, en;q=0.2", "zh"),
        ("en;q=0.1, zh;q=0.2", "zh"),
        ("fr", "en"),
        ("", "en"),
        ("zhx, en;q=mad", "en"),
    ],
)
def test_the_first_language_that_the_page_speaks_is_taken(accepted, lang):
    assert preferred_language(accepted) == lang
