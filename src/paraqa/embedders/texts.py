"""What of a text is embedded."""

from __future__ import annotations

# Characters, so that one text without end does not hold up a whole run, or overflow a model that
# reads little. No abstract is longer: arXiv takes 1,920 characters. Questions fit too.
LONGEST = 2000


def encodable(text: str) -> str:
    """The text's first part, without NUL and surrogates, which no model reads."""
    seen = text[:LONGEST].replace("\0", "")
    return seen.encode("utf-8", errors="ignore").decode("utf-8")
