"""Every documented failure means what it says, and an answer that differs from the question is refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.adapters.openocean.calldata import SWAP, ExchangeSwap, read_swap
from rhumbline.adapters.openocean.client import ERRORS
from rhumbline.domain.errors import AdapterError, CredentialsRejected, NoRoute, RequestRejected, UpstreamFailed
from tests.adapters.openocean.stub_upstream import ETHER, REQUEST, StubUpstream, said

STRANGER = "0x000000000000000000000000000000000000dead"
MINIMUM = 2_333_950_506
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
MATIC = "0x0000000000000000000000000000000000001010"
STATUSES: list[tuple[int, type[AdapterError]]] = [
    (400, RequestRejected),
    (401, CredentialsRejected),
    (402, CredentialsRejected),
    (403, CredentialsRejected),
    (404, RequestRejected),
    (429, UpstreamFailed),
    (502, UpstreamFailed),
    (503, UpstreamFailed),
    (504, UpstreamFailed),
    (509, UpstreamFailed),
]


async def failure(stub_upstream: StubUpstream, body: object, status: int = 200) -> AdapterError:
    stub_upstream.upstream.says("/swap", body, status)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    return failed.value


@pytest.mark.parametrize(("status", "kind"), STATUSES)
async def test_every_documented_status(stub_upstream: StubUpstream, status: int, kind: type[AdapterError]) -> None:
    body = {"code": status, "error": "words of theirs"}
    for found in (
        await failure(stub_upstream, body, status),
        await failure(stub_upstream, body),
        await failure(stub_upstream, "<html>", status),
    ):
        assert type(found) is kind
        assert "theirs" not in found.reason


@pytest.mark.parametrize("status", [429, 502, 503, 504, 509])
async def test_a_rest_that_is_asked_for_is_kept(stub_upstream: StubUpstream, status: int) -> None:
    stub_upstream.upstream.headers["retry-after"] = "600"
    found = await failure(stub_upstream, {"code": status, "error": "?"}, status)
    assert isinstance(found, UpstreamFailed)
    assert found.retry_after_s == 600


def test_no_status_is_forgotten() -> None:
    assert {status for status, _ in STATUSES} == ERRORS.meanings.keys()


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        ({"code": 500, "error": "no route"}, 200, NoRoute),
        ({"code": 500, "error": "no route"}, 500, UpstreamFailed),
        ({"code": 204, "error": "new"}, 200, NoRoute),
        ({"code": 200}, 200, NoRoute),
        ({"code": 200, "data": None}, 200, NoRoute),
        ({"code": 200, "data": {}}, 200, NoRoute),
        ({"code": 200, "data": {"outAmount": "0"}}, 200, NoRoute),
        ({"code": 200, "data": {"outAmount": "5"}}, 200, UpstreamFailed),
        ({"code": 200, "data": "none"}, 200, UpstreamFailed),
        ({"code": "200", "data": {}}, 200, UpstreamFailed),
        ([], 200, UpstreamFailed),
        ("<html>", 418, RequestRejected),
        ("<html>", 500, UpstreamFailed),
    ],
)
async def test_what_is_not_documented(
    stub_upstream: StubUpstream, body: object, status: int, kind: type[AdapterError]
) -> None:
    assert type(await failure(stub_upstream, body, status)) is kind


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("rfqDeadline", 1_795_295_000, NoRoute),
        ("rfqDeadline", "1795295000", NoRoute),
        ("gmxFee", "215000000000000", NoRoute),
        ("inToken", {"address": STRANGER}, UpstreamFailed),
        ("outToken", {"address": STRANGER}, UpstreamFailed),
        ("inAmount", "1000000000000000001", UpstreamFailed),
        ("outAmount", "2345678901.5", UpstreamFailed),
        ("outAmount", str(MINIMUM - 1), UpstreamFailed),
        ("outAmount", "9345678901", UpstreamFailed),
        ("to", STRANGER, UpstreamFailed),
        ("value", "1", UpstreamFailed),
        ("chainId", 56, UpstreamFailed),
        ("data", "0x", UpstreamFailed),
        ("data", "0x90411a32", UpstreamFailed),
        ("data", "0xbc80f1a8" + "00" * 96, UpstreamFailed),
    ],
)
async def test_an_answer_about_something_else_is_refused(
    stub_upstream: StubUpstream, field: str, value: object, kind: type[AdapterError]
) -> None:
    body = said()
    body["data"][field] = value
    assert type(await failure(stub_upstream, body)) is kind


async def test_fields_that_need_not_be_there(stub_upstream: StubUpstream) -> None:
    body = said()
    for field in ("rfqDeadline", "gmxFee", "price_impact", "estimatedGas", "gasPrice", "from", "minOutAmount"):
        del body["data"][field]
    stub_upstream.upstream.says("/swap", body)
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.gas_units, quote.price_impact_bps, quote.min_output_amount) == (None, None, MINIMUM)


DESCRIPTION = {
    "input token": (0, STRANGER),
    "output token": (1, STRANGER),
    "receiver": (3, STRANGER),
    "amount": (4, 10**18 + 1),
    "minimum": (5, MINIMUM - 1),
    "set of flags": (7, 3),
    "permit": (9, b"\x01"),
}


@pytest.mark.parametrize("what", DESCRIPTION)
async def test_every_field_of_the_call_is_held_to_the_request(stub_upstream: StubUpstream, what: str) -> None:
    caller, description, calls = _arguments()
    place, value = DESCRIPTION[what]
    changed = (*description[:place], value, *description[place + 1 :])
    body = said()
    body["data"]["data"] = "0x" + SWAP.encode(caller, changed, calls).hex()
    found = await failure(stub_upstream, body)
    assert type(found) is UpstreamFailed
    assert what in found.reason


@pytest.mark.parametrize(
    ("too", "echoed", "called", "taken"),
    [
        (MATIC, MATIC, NATIVE, True),
        (MATIC, NATIVE, NATIVE, True),
        (MATIC, MATIC, MATIC, False),
        (MATIC, STRANGER, NATIVE, False),
        ("", MATIC, NATIVE, False),
        ("", "", NATIVE, False),
    ],
)
async def test_the_native_asset_may_go_by_a_second_name_in_the_answer(
    stub_upstream: StubUpstream, too: str, echoed: str, called: str, taken: bool
) -> None:
    caller, description, calls = _arguments()
    body = said()
    body["data"] |= {
        "data": "0x" + SWAP.encode(caller, (called, *description[1:7], 0, *description[8:]), calls).hex(),
        "value": "1000000000000000000",
        "inToken": {"address": echoed},
    }
    stub_upstream.upstream.says("/swap", body)
    places = {1: replace(SPEC.deployments[1], native_too=too)}
    adapter = OpenOceanAdapter(replace(stub_upstream.adapter.context, deployments=places))
    asking = adapter.quote(replace(REQUEST, origin_token=ETHER))
    if taken:
        assert (await adapter.build(await asking)).value == 10**18
        return
    with pytest.raises(UpstreamFailed):
        await asking


def test_polygons_asset_is_the_one_that_has_two_names() -> None:
    assert [number for number, place in SPEC.deployments.items() if place.native_too] == [137]
    assert SPEC.deployments[137].native_too == MATIC


async def test_the_call_is_read_again_when_it_is_built(stub_upstream: StubUpstream) -> None:
    quote = await stub_upstream.adapter.quote(REQUEST)
    with pytest.raises(UpstreamFailed, match="receiver"):
        await stub_upstream.adapter.build(replace(quote, request=replace(REQUEST, payout_address=STRANGER)))


@pytest.mark.parametrize("flags", [0, 1, 3, 4, 6])
async def test_only_a_plain_claim_of_the_input_is_accepted(stub_upstream: StubUpstream, flags: int) -> None:
    caller, description, calls = _arguments()
    body = said()
    body["data"]["data"] = "0x" + SWAP.encode(caller, (*description[:7], flags, *description[8:]), calls).hex()
    assert "flags" in (await failure(stub_upstream, body)).reason


async def test_a_native_input_is_sent_and_not_approved(stub_upstream: StubUpstream) -> None:
    marker = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
    caller, description, calls = _arguments()
    native = (marker, *description[1:7], 0, *description[8:])
    body = said()
    body["data"].update(
        inToken={"address": marker}, value=str(10**18), data="0x" + SWAP.encode(caller, native, calls).hex()
    )
    stub_upstream.upstream.says("/swap", body)
    built = await stub_upstream.adapter.build(await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER)))
    assert (built.value, built.spender) == (10**18, None)
    body["data"]["value"] = "0"
    stub_upstream.upstream.says("/swap", body)
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))


def test_the_selector_is_the_published_one() -> None:
    assert SWAP.selector.hex() == "90411a32"


ADDRESSES = st.integers(0, 2**160 - 1).map(lambda number: f"0x{number:040x}")
AMOUNTS = st.integers(0, 2**256 - 1)
CALLS = st.tuples(
    ADDRESSES,
    st.tuples(
        ADDRESSES, ADDRESSES, ADDRESSES, ADDRESSES, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS, ADDRESSES,
        st.binary(max_size=40),
    ),
    st.lists(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS, st.binary(max_size=70)), max_size=3),
)  # fmt: skip


@given(CALLS)
def test_a_call_reads_back_as_it_was_written(call: tuple[Any, ...]) -> None:
    token_in, token_out, _, receiver, amount, minimum, _, flags, _, permit = call[1]
    expected = ExchangeSwap(token_in, token_out, receiver, amount, minimum, flags, permit)
    assert read_swap(SWAP.encode(*call)) == expected


@given(CALLS, st.binary(min_size=1, max_size=64), st.data())
def test_a_call_that_is_longer_or_cut_off_is_not_read(call: tuple[Any, ...], more: bytes, data: st.DataObject) -> None:
    whole = SWAP.encode(*call)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for other in (whole + more, whole[:cut]):
        with pytest.raises(UpstreamFailed, match="not a call"):
            read_swap(other)


def _arguments() -> Any:
    return SWAP.decode(bytes.fromhex(said()["data"]["data"][2:]))
