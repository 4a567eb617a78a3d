"""Every failure that is known means what it says, and an answer that differs from the question is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.nordstern.calldata import SHORTEST, SWAP, GuardSwap, read_swap
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    UpstreamFailed,
)
from tests.adapters.nordstern.stub_upstream import ETHER, REQUEST, StubUpstream, recorded_call, said

STRANGER = "0x000000000000000000000000000000000000dead"
MARKER = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
OUTPUT, MINIMUM = 2_345_678_901, 2_333_952_852


async def failure(stub_upstream: StubUpstream, body: object, status: int = 200) -> AdapterError:
    stub_upstream.upstream.says("/aggregator/1", body, status)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    return failed.value


@pytest.mark.parametrize("key", ["message", "error"])
@pytest.mark.parametrize("status", [200, 400, 404, 422])
@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("No swap path found for theirs", NoRoute),
        ("insufficient liquidity in theirs", NoRoute),
        ("src and dst of theirs must differ", RequestRejected),
    ],
)
async def test_every_known_failure(
    stub_upstream: StubUpstream, key: str, status: int, words: str, kind: type[AdapterError]
) -> None:
    found = await failure(stub_upstream, {key: words}, status)
    assert type(found) is kind
    assert "theirs" not in found.reason


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"toAmount": "0", "swaps": None}, 200, NoRoute),
        ({"toAmount": "0"}, 200, NoRoute),
        ({"toAmount": 0}, 200, NoRoute),
        ({"toAmount": "5", "swaps": None}, 200, NoRoute),
        ({"toAmount": "5", "swaps": []}, 200, NoRoute),
        ({"toAmount": "5", "tx": None}, 200, NoRoute),
        ({"toAmount": "5", "swaps": [{}], "tx": {}}, 200, UpstreamFailed),
        ({"message": 5}, 200, UpstreamFailed),
        ({"error": "other"}, 200, UpstreamFailed),
        ({}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ({"error": "insufficient"}, 429, UpstreamFailed),
        ({"error": "insufficient"}, 500, UpstreamFailed),
        ({"error": "other"}, 400, RequestRejected),
        ("<html>", 403, CredentialsRejected),
        ("<html>", 503, UpstreamFailed),
    ],
)
async def test_what_else_may_come(
    stub_upstream: StubUpstream, body: object, status: int, kind: type[AdapterError]
) -> None:
    assert type(await failure(stub_upstream, body, status)) is kind


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("src", STRANGER),
        ("dst", STRANGER),
        ("fromAmount", "1000000000000000001"),
        ("fromAmount", "1000000000000000000.5"),
        ("toAmount", "-5"),
        ("toAmount", str(MINIMUM - 1)),
        ("toAmount", "9345678901"),
        ("tx.from", STRANGER),
        ("tx.to", STRANGER),
        ("tx.value", "1"),
        ("tx.data", "0x"),
        ("tx.data", "0x3f0bde25"),
        ("tx.data", "0xa9059cbb" + "00" * 200),
    ],
)
async def test_an_answer_about_something_else_is_refused(
    stub_upstream: StubUpstream, field: str, value: object
) -> None:
    body = said()
    place = body["tx"] if field.startswith("tx.") else body
    place[field.removeprefix("tx.")] = value
    assert type(await failure(stub_upstream, body)) is UpstreamFailed


async def test_an_output_with_a_fraction_is_what_is_whole_of_it(stub_upstream: StubUpstream) -> None:
    stub_upstream.upstream.says("/aggregator/1", said() | {"toAmount": f"{OUTPUT}.75"})
    assert (await stub_upstream.adapter.quote(REQUEST)).output_amount == OUTPUT


async def test_fields_that_need_not_be_there(stub_upstream: StubUpstream) -> None:
    body = said()
    for field in ("gasEstimate", "swaps", "simulationBlock"):
        del body[field]
    stub_upstream.upstream.says("/aggregator/1", body)
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.gas_units, quote.min_output_amount) == (None, MINIMUM)


PARTS = {
    "amount": (26, (10**18 + 1).to_bytes(16)),
    "minimum": (42, (OUTPUT * 9950 // 10_000 - 1).to_bytes(16)),
    "receiver": (79, bytes.fromhex(STRANGER[2:])),
    "input token": (99, bytes.fromhex(STRANGER[2:])),
    "output token": (119, bytes.fromhex(STRANGER[2:])),
}


@pytest.mark.parametrize("what", PARTS)
async def test_every_field_of_the_call_is_held_to_the_request(stub_upstream: StubUpstream, what: str) -> None:
    place, value = PARTS[what]
    call = recorded_call()
    body = said()
    body["tx"]["data"] = "0x" + (call[:place] + value + call[place + len(value) :]).hex()
    found = await failure(stub_upstream, body)
    assert type(found) is UpstreamFailed
    assert what in found.reason


@pytest.mark.parametrize(("slippage", "output"), [(Fraction(1), OUTPUT), (Fraction(5, 1000), 1)])
async def test_what_leaves_no_minimum_is_no_route(stub_upstream: StubUpstream, slippage: Fraction, output: int) -> None:
    """It is the caller's doing, or the amount's: no reason to leave the upstream alone for a while."""
    body, call, (place, _) = said(), recorded_call(), PARTS["minimum"]
    body["tx"]["data"] = "0x" + (call[:place] + bytes(16) + call[place + 16 :]).hex()
    body["toAmount"] = str(output)
    stub_upstream.upstream.says("/aggregator/1", body)
    with pytest.raises(BelowMinimum, match="too little for a minimum"):
        await stub_upstream.adapter.quote(replace(REQUEST, slippage=slippage))


async def test_the_call_is_read_again_when_it_is_built(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(UpstreamFailed, match="receiver"):
        await stub_upstream.adapter.build(replace(quote, request=replace(REQUEST, payout_address=STRANGER)))


async def test_a_native_input_is_sent_to_the_executor_and_not_approved(stub_upstream: StubUpstream) -> None:
    call = recorded_call()
    body = said() | {"src": MARKER}
    body["tx"]["value"] = str(10**18)
    body["tx"]["data"] = "0x" + (call[:99] + bytes.fromhex(MARKER[2:]) + call[119:]).hex()
    stub_upstream.upstream.says("/aggregator/1", body)
    request = replace(REQUEST, origin_token=ETHER)
    built = await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))
    assert (built.value, built.spender) == (10**18, None)
    other = bytes.fromhex(body["tx"]["data"][2:])
    body["tx"]["data"] = "0x" + (other[:59] + bytes.fromhex(STRANGER[2:]) + other[79:]).hex()
    stub_upstream.upstream.says("/aggregator/1", body)
    with pytest.raises(UpstreamFailed, match="native input"):
        await stub_upstream.adapter.quote(request)


def test_the_selector_is_the_recorded_one() -> None:
    assert SWAP.hex() == "3f0bde25"


ADDRESSES = st.binary(min_size=20, max_size=20)
AMOUNTS = st.integers(0, 2**128 - 1)


@given(ADDRESSES, AMOUNTS, AMOUNTS, ADDRESSES, ADDRESSES, ADDRESSES, ADDRESSES, st.binary(min_size=1, max_size=40))
def test_a_call_reads_back_as_it_was_packed(
    executor: bytes, amount: int, minimum: int, first: bytes, receiver: bytes, token_in: bytes, token_out: bytes,
    rest: bytes,
) -> None:  # fmt: skip
    head = SWAP + b"\x03\x1f" + executor + amount.to_bytes(16) + minimum.to_bytes(16) + b"\x07"
    call = head + first + receiver + token_in + token_out + rest
    addresses = ["0x" + each.hex() for each in (executor, first, receiver, token_in, token_out)]
    assert read_swap(call) == GuardSwap(addresses[0], amount, minimum, *addresses[1:])
    with pytest.raises(UpstreamFailed, match="not a call"):
        read_swap(call[:SHORTEST])
