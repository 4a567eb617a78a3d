"""Keeps the trails of requests for quotes: each is given to its trail while it is answered."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import Self

from starlette.requests import Request
from starlette.types import Scope

from rhumbline.accounts.trails import Trails
from rhumbline.api.http.errors import UnservedRequest, status_of
from rhumbline.domain.account import ApiClient
from rhumbline.domain.errors import (
    InvalidRequest,
    NodeRefused,
    NodeUnavailable,
    Overloaded,
    RhumblineError,
    WrongAddress,
)
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.trail import Trail
from rhumbline.routing.trail_notes import note_request

_VALUE = re.compile(r"""(; got | names (?=['"])| is (?=['"])| has content-encoding ).*""", re.DOTALL)
_LONG = re.compile(r"[0-9A-Za-z_-]{32,}")


def without_values(message: str) -> str:
    """Return what is wrong with a request without what it had in that place: that may be a wallet, or even a key."""
    return _LONG.sub("…", _VALUE.sub("", message))


@dataclass(slots=True, eq=False)
class KeptRequest:
    """Keeps one request's trail at the end of its block, with what the block raises; nothing where ``trails`` is None.

    What is refused because too much is in progress is not kept: such a refusal must cost nothing, and explains itself.
    """

    trails: Trails | None
    scope: Scope
    endpoint: str
    trail: Trail | None = None

    @classmethod
    def of(cls, trails: Trails | None, request: Request, endpoint: str) -> Self:
        return cls(trails, request.scope, endpoint)

    @contextmanager
    def until_accepted(self) -> Iterator[None]:
        """Keep the trail only if the block raises: where the answer begins after it, in another block."""
        try:
            yield
        except RhumblineError:
            with self:
                raise

    def __enter__(self) -> Self:
        if self.trails is not None:
            state = self.scope["state"]
            caller = state["caller"]
            known = caller if isinstance(caller, ApiClient) else ApiClient()
            self.trail = self.trails.begin(str(state["request_id"]), self.endpoint, known)
        return self

    def asks(self, question: RouteRequest) -> RouteRequest:
        """Note what is asked for, and return the request with its trail."""
        if self.trail is None:
            return question
        self.trail.later.append(partial(note_request, self.trail, question))
        named = {question.sender, question.receiver, question.refund_to}
        self.trail.wallets = frozenset(wallet for wallet in named if wallet is not None)
        return replace(question, trail=self.trail)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.trails is None or self.trail is None or isinstance(error, Overloaded):
            return
        match error:
            case None:
                self.trail.end(200)
            case InvalidRequest() | WrongAddress() | UnservedRequest():
                self.trail.end(status_of(error), error.code, without_values(error.message))
            case RhumblineError():
                self.trail.end(status_of(error), error.code, error.message)
            case NodeUnavailable() | NodeRefused():
                self.trail.end(502, "ADAPTER_INTERNAL", "A chain's node does not answer correctly")
            case Exception():
                self.trail.end(500, "UNKNOWN", "The service failed; its log has the reason under this request's ID")
            case _:
                self.trail.end(0, "", "The client left before there was an answer")
        self.trails.keep(self.trail)
