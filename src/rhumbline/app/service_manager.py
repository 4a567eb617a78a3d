"""Tells systemd that the service works, so that whoever restarts several replaces one after the other."""

import os
import socket


def tell_ready() -> None:
    """Send READY=1 to the socket of a unit with ``Type=notify``; nothing where nobody waits for it.

    Source: sd_notify(3) of systemd 257, "Notes" and "Standalone Implementations", read 2026-11-28.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        # A name that begins with @ is of Linux' abstract space.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
            manager.sendto(b"READY=1", address.replace("@", "\0", 1) if address.startswith("@") else address)
