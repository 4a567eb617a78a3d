"""One hostile upstream costs the others nothing: they are answered, and the whole answer is there by the deadline."""

import asyncio
from dataclasses import dataclass

import pytest

from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.upstreams.fields import Answer, RawAmount
from rhumbline.gateways.upstreams.spec import failure_of, read_answer
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamError
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, gather_quotes
from rhumbline.routing.selection import Ask
from tests.gateways.http.rogue import OK, Act, asked, says, whole, without_end
from tests.routing.venues import toy_request

DEADLINES, UNBOUND = Deadlines(0.5, 1.0), Deadlines(50.0, 50.0)
# Far above what the machine needs, far below what waiting for the upstreams would take.
LENIENT_S = 50.0


class Output(Answer):
    output: RawAmount


@dataclass(frozen=True)
class AskedOften:
    """As simple as an adapter over HTTP can be."""

    key: str
    http: Upstream

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(self.key, self.key, "", Capability.EXCHANGE, (1,))

    def supports(self, request: QuoteRequest, /) -> bool:
        return True

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        try:
            answer = await self.http.get("/quote", {"amount": str(request.amount)})
        except UpstreamError as error:
            raise failure_of(error) from error
        return Quote(self.key, request, read_answer(Output, answer).output, None)

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        raise UpstreamFailed("builds nothing")


CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"
HOSTILE: dict[str, tuple[Act, str]] = {
    "silence": (says(), "did not answer within "),
    "a drip": (without_end(OK + b"content-length: 90000\r\n\r\n", b" ", 0.01), "did not answer within "),
    "a flood": (without_end(CHUNKED, b"10000\r\n" + 65536 * b" " + b"\r\n"), "answered more than 4000000 bytes"),
    "a flood of headers": (without_end(OK, 100 * b"x: x\r\n"), "cannot be reached"),
    "depth": (says(whole(b"[" * 1_000_000)), "answered no sound JSON (nested too deeply, or cut off)"),
    "breadth": (says(whole(b"[" + b"[]," * 300_000 + b"[]]")), "answered something unexpected"),
    "a number without end": (says(whole(b"9" * 3_000_000)), "answered no sound JSON (a number is too long)"),
    "a key twice": (says(whole(b'{"output":"1","output":"9"}')), "answered no sound JSON (a key is there twice)"),
    "a float": (says(whole(b'{"output":1e18}')), "answered something unexpected: output is not as documented"),
    "too much": (says(whole(b'{"output":"%d"}' % 2**256)), "answered something unexpected: output"),
    "a hang-up": (says(b"HTTP/1.1 200", then_close=True), "cannot be reached"),
}


@pytest.mark.parametrize(("act", "reason"), HOSTILE.values(), ids=HOSTILE)
async def test_the_others_are_answered_in_time(act: Act, reason: str) -> None:
    async with (
        asked(act, timeout_s=60, largest_bytes=4_000_000) as (hostile, server),
        asked(says(whole(b'{"output":"77"}'))) as (good, _),
    ):
        adapters = [AskedOften("HOSTILE", hostile), AskedOften("GOOD", good)]
        never_ends = reason.startswith("did not")
        async with asyncio.timeout(LENIENT_S):
            gathered = await gather_quotes(
                [Ask(adapter, toy_request()) for adapter in adapters], CallNotes(), DEADLINES if never_ends else UNBOUND
            )
            await server.is_left_alone() if never_ends else None
    assert [(quote.adapter, quote.output_amount) for quote in gathered.quotes] == [("GOOD", 77)]
    ((refusal),) = gathered.refusals
    assert refusal.adapter == "HOSTILE"
    assert refusal.kind == UpstreamFailed.kind
    assert reason in refusal.reason
    assert "s3cret" not in refusal.reason
