"""`python -m paraqa` is the command `paraqa`."""

from __future__ import annotations

import sys

from paraqa.cli import main

if __name__ == "__main__":
    sys.exit(main())
