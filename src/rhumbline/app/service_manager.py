"""Tells systemd that the service works, so that whoever restarts several replaces one after the other."""

import socket

import structlog


def tell_ready(address: str | None) -> None:
    """Send READY=1 to the socket of a unit with ``Type=notify``; nothing where there is none.

    A socket that does not take it is logged, and no reason to end: it may be that of a unit which is gone.
    Sources: systemd.service(5) of systemd 252, `Type=notify`; sd_notify(3), "Notes"; read 2026-11-28.
    """
    if address is None:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as manager:
        try:
            # A name that begins with @ is of Linux' abstract space.
            manager.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)
        except OSError as error:
            structlog.get_logger().warning("service_manager_not_told", socket=address, reason=str(error))
