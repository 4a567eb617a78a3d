"""Signs the answers on which money depends: quotes, routes, steps, prices of pairs and transactions' statuses."""

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rhumbline.api.http.message_signatures import AnswerSigner, SignedRequest, content_digest, digest_holds
from rhumbline.api.http.paths import is_signed, target_of
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import InvalidRequest

_EXPOSED = (b"access-control-expose-headers", b"Content-Digest, Signature-Input, Signature")
_SIGNED_METHODS = frozenset({"GET", "POST"})


class Signed:
    """Adds the headers of RFC 9421 to each answer of the signed paths, errors included, that is sent in one piece."""

    def __init__(self, app: ASGIApp, signer: AnswerSigner, clock: Clock) -> None:
        self._app = app
        self._signer = signer
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in _SIGNED_METHODS or not is_signed(scope["path"]):
            await self._app(scope, receive, send)
            return
        if scope["state"]["rules"].open:
            scope["state"]["headers"].append(_EXPOSED)
        posted = _PostedBody(scope, receive)
        began: Message | None = None

        async def send_signed(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = message
                return
            if began is not None:
                start, began = began, None
                whole = message["type"] == "http.response.body" and not message.get("more_body", False)
                await send(self._signed(start, message.get("body", b""), scope, posted.digest) if whole else start)
            await send(message)

        await self._app(scope, posted.receive, send_signed)

    def _signed(self, start: Message, body: bytes, scope: Scope, digest: str | None) -> Message:
        path, _, query = target_of(scope).partition("?")
        request = SignedRequest(scope["method"], path, query, digest)
        headers = self._signer.headers(request, start["status"], body, int(self._clock().timestamp()))
        return {**start, "headers": [*start.get("headers", ()), *headers]}


class _PostedBody:
    """Passes a POST's body on; ``digest`` is there once all of it was read."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self.digest: str | None = None
        self._receive = receive
        self._parts: list[bytes] | None = [] if scope["method"] == "POST" else None
        self._named = ", ".join(Headers(scope=scope).getlist("content-digest"))

    async def receive(self) -> Message:
        """Return the next message; raise InvalidRequest if the body is not the one that its digest names."""
        message = await self._receive()
        if self._parts is not None and message["type"] == "http.request":
            self._parts.append(message.get("body", b""))
            if not message.get("more_body", False):
                body, self._parts = b"".join(self._parts), None
                if self._named and not digest_holds(self._named, body):
                    raise InvalidRequest(
                        ["content-digest must name the sha-256 of the body as it was sent: correct it or leave it out"]
                    )
                self.digest = self._named or content_digest(body)
        return message
