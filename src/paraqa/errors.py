"""Everything that can go wrong, as one tree.

ParaqaError
├─ SettingsError        names the key and where it was set
├─ QuestionError        an empty, oversized or unreadable question
├─ FormatError          a path that cannot be read as listings
├─ EvaluationError      a question file or a result file that does not fit
├─ ServerError          a port in use
├─ ModelError           ├─ ModelNotFound  ├─ ModelUnavailable (retry helps)  └─ ContextTooLong
└─ StoreError           ├─ StoreNotFound  ├─ StoreMismatch  ├─ StoreBusy  └─ StoreReadOnly

An error carries the key of a sentence pair in `lang/text/` and the values for it, so that each
surface shows it in the reader's language. The pair `KEY_hint` says what to do next.
"""

from __future__ import annotations

from paraqa.lang.text import say
from paraqa.types import Lang


class ParaqaError(Exception):
    """An expected failure: `key` names its sentences, `values` fill them."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def message(self, lang: Lang = "en") -> str:
        """What went wrong, in one sentence."""
        return say(self.key, lang, **self.values)

    def hint(self, lang: Lang = "en") -> str:
        """What to do next, in one sentence."""
        return say(self.key + "_hint", lang, **self.values)

    def __str__(self) -> str:
        return f"{self.message()} {self.hint()}"


class SettingsError(ParaqaError):
    """A setting that is unknown, out of bounds, or malformed."""


class QuestionError(ParaqaError):
    """A question that cannot be asked."""


class FormatError(ParaqaError):
    """A path that cannot be read as listings."""


class EvaluationError(ParaqaError):
    """A question file or a result file that does not fit."""


class ServerError(ParaqaError):
    """A server that cannot start."""


class ModelError(ParaqaError):
    """A model that cannot be used."""


class ModelNotFound(ModelError):
    """A model that is not installed, or is not what its checksum says."""


class ModelUnavailable(ModelError):
    """An endpoint that does not answer; trying again may help."""


class ContextTooLong(ModelError):
    """A prompt that the model's window cannot hold."""


class StoreError(ParaqaError):
    """A store that cannot be used."""


class StoreNotFound(StoreError):
    """There is no store, or it is empty."""


class StoreMismatch(StoreError):
    """The store was built with another embedding model or dimension."""


class StoreBusy(StoreError):
    """Another process has the store open."""


class StoreReadOnly(StoreError):
    """The store cannot be written."""
