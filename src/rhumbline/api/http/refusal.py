"""The bytes of refusals that the protocol writes before an application could."""

from http import HTTPStatus

import structlog

from rhumbline.api.http.errors import write_error
from rhumbline.api.http.headers import HSTS
from rhumbline.api.http.paths import rules_of
from rhumbline.api.http.request_log import new_request_id
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import RhumblineError


def write_refusal(error: RhumblineError, path: str, target: str | None, *, secure: bool) -> bytes:
    """Return a whole response that ends the connection, with the headers that every response of the path has."""
    written, request_id = write_error(error, system_clock(), target), new_request_id()
    headers = [
        *written.headers,
        ("content-length", str(len(written.body))),
        ("x-request-id", request_id),
        ("x-content-type-options", "nosniff"),
        ("connection", "close"),
    ]
    if rules_of(path).open:
        headers.append(("access-control-allow-origin", "*"))
    if secure:
        headers.append(("strict-transport-security", HSTS))
    structlog.get_logger().info("request refused", status=written.status, request_id=request_id)
    head = f"HTTP/1.1 {written.status} {HTTPStatus(written.status).phrase}\r\n"
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{head}{lines}\r\n".encode("latin-1") + written.body
