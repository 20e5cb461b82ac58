"""The languages there are. A new one is a file beside `en` and `zh`, and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from paraqa.lang.en import ENGLISH
from paraqa.lang.language import Language
from paraqa.lang.zh import CHINESE

if TYPE_CHECKING:
    from paraqa.types import Lang

LANGUAGES: dict[Lang, Language] = {language.code: language for language in (ENGLISH, CHINESE)}
LANGS: tuple[Lang, ...] = tuple(LANGUAGES)
