"""Every documented failure of an exchange means what it says."""

from typing import Any

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.exchanges.exchanges import each_exchange, each_of
from tests.adapters.exchanges.stub_upstream import StubUpstream


@each_of("code", lambda exchange: exchange.errors.meanings)
async def test_every_documented_error(stub_upstream: StubUpstream, exchange: Exchange, code: Any) -> None:
    kind, reason = exchange.errors.meanings[code]
    for body, status in exchange.replies(code):
        found = await stub_upstream.failure(body, status)
        assert type(found) is kind
        assert found.reason == reason or status == 429
        assert "theirs" not in found.reason


@each_of("body status kind", lambda exchange: exchange.failures)
async def test_what_else_may_come(
    stub_upstream: StubUpstream, exchange: Exchange, body: object, status: int, kind: type[AdapterError]
) -> None:
    assert type(await stub_upstream.failure(body, status)) is kind


@each_exchange
async def test_a_rest_that_is_asked_for_is_kept(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    stub_upstream.upstream.headers["retry-after"] = "600"
    passing = [code for code, (kind, _) in exchange.errors.meanings.items() if kind is UpstreamFailed]
    replies = [reply for code in passing for reply in exchange.replies(code) if reply[1] != 200]
    for body, status in (*replies, ("<html>", 503), ({"code": 0}, 429)):
        found = await stub_upstream.failure(body, status)
        assert isinstance(found, UpstreamFailed)
        assert found.retry_after_s == 600
