"""Runs question sets through a library, and measures what comes back.

The measures are defined in `evals/parallelism/README.md`.
"""

from paraqa.evaluation.report import Report
from paraqa.evaluation.runner import Progress, run

__all__ = ["Progress", "Report", "run"]
