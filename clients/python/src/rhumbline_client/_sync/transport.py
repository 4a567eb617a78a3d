"""Made of clients/python/src/rhumbline_client/_async/transport.py by clients/generate.py."""

import contextlib
import platform
import time
from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from rhumbline_client.errors import (
    EndpointMissing,
    NotFound,
    RhumblineError,
    UnexpectedAnswer,
    Unreachable,
    service_error,
)
from rhumbline_client.events import Event, EventDecoder
from rhumbline_client.retries import Retries
from rhumbline_client.version import VERSION

T = TypeVar("T")
USER_AGENT = f"rhumbline-client/{VERSION} python/{platform.python_version()} httpx/{httpx.__version__}"
DOCUMENT = "/openapi.json"
IDLE_S = 45.0
"""A stream has a comment every 15 seconds: one that says nothing for three of them is broken."""
MOST_NAMED = 8
SIGNED = ("/v1/quotes", "/v1/prices/pair", "/v1/advanced/", "/v1/status/")
"""How paths begin whose answers are signed, by a service that signs."""


class Transport:
    """Asks one service. ``key`` goes to this service only: no redirect is followed."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        retries: Retries,
        timeout: float,
        signing_keys: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"base_url begins with http:// or https://, unlike {base_url!r}")
        if key is not None and not (key.isascii() and key.isprintable()):
            raise ValueError("key has a character that no API key has, such as a line break")
        headers = {"user-agent": USER_AGENT, **({} if key is None else {"x-api-key": key})}
        self._http = httpx.Client(base_url=base_url.rstrip("/"), headers=headers, timeout=timeout)
        self._retries = retries
        self._signing_keys = signing_keys
        self._endpoints: frozenset[str] | None = None

    def close(self) -> None:
        self._http.close()

    def read(
        self,
        endpoint: str,
        kind: type[T],
        *ids: object,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> T:
        """Ask an endpoint that changes nothing, so that it may be asked again.

        Args:
            endpoint: method and path as the OpenAPI document has them, ``GET /v1/status/{transactionId}``.
            kind: the type of the answer.
            ids: what is put into the path, in its order.
            query: parameters behind the path.
            body: parameters of a POST.

        """
        attempt = 1
        while True:
            try:
                return self.once(endpoint, kind, *ids, query=query, body=body)
            except RhumblineError as error:
                pause = self._retries.pause(attempt, error)
                if pause is None:
                    raise
            time.sleep(pause)
            attempt += 1

    def once(
        self,
        endpoint: str,
        kind: type[T],
        *ids: object,
        query: Mapping[str, str] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> T:
        """Ask once, whatever comes of it: for what changes something."""
        method, path = _target(endpoint, ids)
        try:
            response = self._http.request(method, path, params=query, json=body)
        except httpx.RequestError as error:
            raise Unreachable(f"{endpoint}: {type(error).__name__} {error}".rstrip()) from error
        if response.status_code != httpx.codes.OK:
            raise self._error(endpoint, response)
        if self._signing_keys is not None and path.startswith(SIGNED):
            self._check(response, self._signing_keys)
        return answer_of(endpoint, kind, response.content)

    def events(
        self,
        endpoint: str,
        *ids: object,
        query: Mapping[str, str] | None = None,
        last_id: str | None = None,
        idle: float = IDLE_S,
    ) -> Generator[Event | None, None]:
        """Read a stream to its end: its events, and None for each sign of life between them.

        Raises:
            Unreachable: it broke, or was silent for ``idle`` seconds.

        """
        method, path = _target(endpoint, ids)
        headers = {"accept": "text/event-stream", **({} if last_id is None else {"last-event-id": last_id})}
        timeout = httpx.Timeout(self._http.timeout.connect, read=min(idle, IDLE_S))
        decoder = EventDecoder(last_id)
        try:
            with self._http.stream(method, path, params=query, headers=headers, timeout=timeout) as response:
                if response.status_code == httpx.codes.NO_CONTENT:
                    return
                if response.status_code != httpx.codes.OK:
                    response.read()
                    raise self._error(endpoint, response)
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    raise UnexpectedAnswer(f"{endpoint} answers no stream of events: is a proxy in between?")
                for received in response.iter_bytes():
                    found = decoder.feed(received)
                    for event in found:
                        yield event
                    if not found:
                        yield None
        except httpx.RequestError as error:
            raise Unreachable(f"{endpoint}: {type(error).__name__} {error}".rstrip()) from error

    @property
    def verifies(self) -> bool:
        """Whether answers have to be signed."""
        return self._signing_keys is not None

    def _check(self, response: httpx.Response, keys: Sequence[Mapping[str, Any]]) -> None:
        # Only here: it needs a package that is not always there.
        from rhumbline_client import signatures

        asked = response.request
        target = asked.url.raw_path.removeprefix(self._http.base_url.raw_path.rstrip(b"/")).decode("ascii")
        posted = asked.content if asked.method == "POST" else None
        signatures.verify(
            asked.method, target, response.status_code, response.headers, response.content, keys, posted=posted
        )

    def _error(self, endpoint: str, response: httpx.Response) -> RhumblineError:
        error = service_error(response.status_code, response.headers, response.content)
        if response.status_code == httpx.codes.NOT_FOUND and self._lacks(endpoint):
            return EndpointMissing(f"the service has no {endpoint}: it is older than this client ({VERSION})")
        return NotFound(error.status, {"message": error.message}, response.headers) if _bare_404(error) else error

    def _lacks(self, endpoint: str) -> bool:
        """Tell whether the service's own document has no such endpoint; asked once, and never if in doubt."""
        if self._endpoints is None:
            self._endpoints = frozenset()
            with contextlib.suppress(httpx.RequestError, ValueError, LookupError, AttributeError, TypeError):
                paths = (self._http.get(DOCUMENT)).json()["paths"]
                self._endpoints = frozenset(
                    f"{method.upper()} {path}" for path, each in paths.items() for method in each
                )
        return bool(self._endpoints) and endpoint not in self._endpoints


def answer_of(endpoint: str, kind: type[T], content: bytes | str) -> T:
    """Return an answer as its type.

    Raises:
        UnexpectedAnswer: it is not of that type; the message names what lacks or differs.

    """
    try:
        return TypeAdapter(kind).validate_json(content)
    except ValidationError as error:
        places = [f"{'.'.join(map(str, each['loc'])) or 'all of it'}: {each['msg']}" for each in error.errors()]
        more = f"; and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
        words = "; ".join(places[:MOST_NAMED]) + more
        raise UnexpectedAnswer(
            f"{endpoint} does not answer what this client ({VERSION}) knows: use that of the service's version. {words}"
        ) from None


def _target(endpoint: str, ids: tuple[object, ...]) -> tuple[str, str]:
    method, _, path = endpoint.partition(" ")
    for each in ids:
        before, _, rest = path.partition("{")
        path = before + quote(str(each), safe="") + rest.partition("}")[2]
    return method, path


def _bare_404(error: RhumblineError) -> bool:
    """Tell whether a 404 has no code, as proxies write it."""
    return getattr(error, "status", None) == httpx.codes.NOT_FOUND and not isinstance(error, NotFound)
