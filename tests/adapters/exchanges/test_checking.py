"""An answer of an exchange that differs from the question is refused, and so is a call that does something else."""

from dataclasses import replace

import pytest

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from tests.adapters.exchanges.exchange import Exchange, at, put
from tests.adapters.exchanges.exchanges import each_exchange, each_fixing, each_of
from tests.adapters.exchanges.stub_upstream import ETHER, REQUEST, StubUpstream

MARKER = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"


@each_of("path place value kind", lambda exchange: exchange.others)
async def test_an_answer_about_something_else_is_refused(
    stub_upstream: StubUpstream, exchange: Exchange, path: str, place: str, value: object, kind: type[AdapterError]
) -> None:
    stub_upstream.says(place, value, path)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.built()
    assert type(failed.value) is kind


@each_exchange
async def test_every_field_of_the_call_is_held_to_the_request(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    for what, members in exchange.other_calls.items():
        stub_upstream.says_call(exchange.changed_call(stub_upstream.call(), members))
        with pytest.raises(UpstreamFailed, match=what):
            await stub_upstream.built()


@each_exchange
async def test_a_native_input_is_sent_and_not_approved(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    bodies = {path: stub_upstream.said(path) for path in exchange.recordings}
    put(bodies[exchange.quotes], exchange.input_token, MARKER)
    put(
        bodies[exchange.calls],
        exchange.call,
        "0x" + exchange.changed_call(stub_upstream.call(), exchange.native_call).hex(),
    )
    request = replace(REQUEST, origin_token=ETHER)
    for value, sound in ((str(10**18), True), ("0", False)):
        put(bodies[exchange.calls], exchange.value, value)
        for path, body in bodies.items():
            stub_upstream.upstream.says(path, body)
        if sound:
            built = await stub_upstream.built(request)
            assert (built.value, built.spender) == (10**18, None)
        else:
            with pytest.raises(UpstreamFailed, match="native value"):
                await stub_upstream.built(request)


@each_fixing
async def test_fields_that_need_not_be_there(stub_upstream: StubUpstream, exchange: Exchange) -> None:
    body = stub_upstream.said()
    for place in exchange.optional:
        before, _, last = place.rpartition(".")
        del (at(body, before) if before else body)[last]
    stub_upstream.upstream.says(exchange.quotes, body)
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.gas_units, quote.price_impact_bps, quote.min_output_amount) == (None, None, exchange.minimum)
