"""The page, on http://127.0.0.1:7860."""

from paraqa.cli import main

raise SystemExit(main(["chat"]))
