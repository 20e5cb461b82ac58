"""paraqa answers questions about research papers, in English and Chinese.

from paraqa import Library

with Library.open("vectorstore") as library:
    library.ingest_sync(["seeds"])
    print(library.answer_sync("which papers reduce pipeline bubbles?").text)
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

# Measured: OpenMP's spinning threads make a query four times slower on busy cores, and the choice
# must be made before anything loads OpenMP. The embedder runs texts side by side instead.
os.environ.setdefault("OMP_NUM_THREADS", "1")

if TYPE_CHECKING:
    from paraqa.library import Library

__version__ = "0.1.0"
__all__ = ["Library", "__version__"]


def __getattr__(name: str) -> object:
    # Imported on first use, so that `import paraqa` and the command line's help stay instant.
    if name == "Library":
        from paraqa.library import Library

        return Library
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
