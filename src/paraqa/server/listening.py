"""The port: taken before anything heavy is loaded."""

from __future__ import annotations

import errno
import ipaddress
import socket

from paraqa.errors import ServerError, SettingsError


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, reached from itself only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, to be closed by the caller; clients wait in it until it is served.

    Raises SettingsError for a host that is not loopback, ServerError for a port that is in use.
    """
    if not is_loopback(host):
        raise SettingsError("server.loopback_only", host=host)
    number = "127.0.0.1" if host.lower() == "localhost" else host
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((number, port))
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise ServerError("server.port_in_use", port=port) from error
        problem = error.strerror or str(error)
        raise ServerError("server.cannot_listen", host=host, port=port, problem=problem) from error
    return listener


def address(listener: socket.socket) -> str:
    """The address that a browser opens."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
