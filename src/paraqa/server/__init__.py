"""The HTTP interface on loopback: the command line's records at `/api`, `ask` also as a stream.

There is no authentication yet, so nothing but loopback is served: another address is refused, and
so is a request that names another host (a page whose name was re-pointed at this machine).
"""

from paraqa.server.app import create_app

__all__ = ["create_app"]
