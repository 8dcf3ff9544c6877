"""Clients at the end of the process, and in its children.

At the interpreter's normal end clients that are still open are closed: they leave, or, if an exception has ended the
program, fail with it as the reason, so that the other ranks read why. A process that ends in any other way is noticed
by its broken connection.

A child made by fork holds copies of the parent's clients. They are of no use there, and their sockets would keep the
connection open after the parent's death: the child lets go of both.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys
from typing import TYPE_CHECKING

from parex.errors import ArgumentError

if TYPE_CHECKING:
    from parex.client import Client

_OPEN: set[Client] = set()
_FD_FOLDERS = ("/proc/self/fd", "/dev/fd")
_MAPPED = "::ffff:"


def watch(client: Client) -> None:
    """Looks after a client that was opened."""
    _OPEN.add(client)


def forget(client: Client) -> None:
    """It is being closed."""
    _OPEN.discard(client)


def only() -> Client:
    """The client of this process; ArgumentError if there is none, or more than one."""
    if len(_OPEN) != 1:
        raise ArgumentError(f"{len(_OPEN)} clients are open in this process: use client.empty of the one meant")
    return next(iter(_OPEN))


@atexit.register
def _close_all() -> None:
    error = getattr(sys, "last_value", None)
    reason = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else ""
    for client in list(_OPEN):
        client.close(reason)


def peers_of(endpoint: str) -> frozenset[str]:
    """What sockets to an endpoint have as their peer: its path, or each of its addresses with the port."""
    if endpoint.startswith("unix:"):
        return frozenset((os.path.abspath(endpoint.removeprefix("unix:").removeprefix("//")),))
    host, _, port = endpoint.rpartition(":")
    try:
        found = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)
    except OSError:
        return frozenset()
    return frozenset(f"{entry[4][0]} {port}" for entry in found)


def _peer(descriptor: int) -> str | None:
    """The peer of a descriptor that is a connected socket."""
    try:
        with socket.socket(fileno=os.dup(descriptor)) as handle:
            peer = handle.getpeername()
    except OSError:
        return None
    if isinstance(peer, tuple):
        return f"{peer[0].removeprefix(_MAPPED)} {peer[1]}"
    return os.path.abspath(os.fsdecode(peer))


def _after_fork() -> None:
    peers = frozenset[str]().union(*(client.peers for client in _OPEN))
    for client in list(_OPEN):
        client.session.forked()
    _OPEN.clear()
    if peers:
        _let_go(peers)


def _let_go(peers: frozenset[str]) -> None:
    """Puts nothing in the place of the sockets, whose numbers gRPC's dead threads still know."""
    folder = next((each for each in _FD_FOLDERS if os.path.isdir(each)), None)
    if folder is None:
        return
    nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for name in os.listdir(folder):
        if name.isdigit() and _peer(int(name)) in peers:
            os.dup2(nothing, int(name), inheritable=False)
    os.close(nothing)


os.register_at_fork(after_in_child=_after_fork)
