"""Every documented error means what it says, and an answer that differs from the question is refused."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.kyberswap import SPEC
from rhumbline.adapters.kyberswap.calldata import HARMLESS, SWAP, RouterSwap, read_swap
from rhumbline.adapters.kyberswap.checking import check_swap
from rhumbline.adapters.kyberswap.client import ERRORS, NOT_ENOUGH
from rhumbline.domain.errors import (
    AdapterError,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from tests.adapters.kyberswap.stub_upstream import ETHER, REQUEST, StubUpstream, said

STRANGER = "0x000000000000000000000000000000000000dead"
MINIMUM = 2_333_950_505
CODES: list[tuple[int, int, type[AdapterError]]] = [
    (400, 4000, RequestRejected),
    (400, 4001, RequestRejected),
    (400, 4002, RequestRejected),
    (400, 4003, RequestRejected),
    (400, 4004, RequestRejected),
    (400, 4005, RequestRejected),
    (400, 4007, RequestRejected),
    (400, 4008, NoRoute),
    (400, 4009, NoRoute),
    (400, 4010, NoRoute),
    (400, 4011, NoRoute),
    (400, 40010, RequestRejected),
    (400, 40011, NoRoute),
    (422, 4221, NoRoute),
    (422, 4222, UpstreamFailed),
    (422, 4227, RequestRejected),
    (499, 4990, UpstreamFailed),
    (500, 500, UpstreamFailed),
]


async def failure(stub_upstream: StubUpstream, status: int, body: object) -> AdapterError:
    stub_upstream.upstream.says("/api/v1/routes", body, status)
    with pytest.raises(AdapterError) as failed:
        await stub_upstream.adapter.quote(REQUEST)
    return failed.value


@pytest.mark.parametrize(("status", "code", "kind"), CODES)
async def test_every_documented_code(
    stub_upstream: StubUpstream, status: int, code: int, kind: type[AdapterError]
) -> None:
    body = {"code": code, "message": "words of theirs", "details": None, "requestId": ""}
    for found in (await failure(stub_upstream, status, body), await failure(stub_upstream, 200, body)):
        assert type(found) is kind
        assert "theirs" not in found.reason


@pytest.mark.parametrize(("status", "code"), [(503, 4222), (500, 500), (429, 4003)])
async def test_a_rest_that_is_asked_for_is_kept(stub_upstream: StubUpstream, status: int, code: int) -> None:
    stub_upstream.upstream.headers["retry-after"] = "600"
    found = await failure(stub_upstream, status, {"code": code, "message": "?"})
    assert isinstance(found, UpstreamFailed)
    assert found.retry_after_s == 600


def test_no_code_is_forgotten() -> None:
    assert {code for _, code, _ in CODES} == ERRORS.meanings.keys() - {NOT_ENOUGH}


async def test_a_gas_estimate_that_misses_the_minimum_is_about_slippage(stub_upstream: StubUpstream) -> None:
    body = {"code": 4227, "message": "estimate gas failed: return amount is not enough", "suggestedSlippage": 230}
    assert type(await failure(stub_upstream, 422, body)) is SlippageTooTight


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (404, {"message": "", "path": "/x/api/v1/routes", "status": 404}, RequestRejected),
        (400, {"code": 4999, "message": "new"}, RequestRejected),
        (400, [], RequestRejected),
        (400, "no json", RequestRejected),
        (200, {"code": 4999, "message": "new"}, UpstreamFailed),
        (200, {"code": "0", "data": {}}, UpstreamFailed),
        (200, {"code": 0}, UpstreamFailed),
        (200, {"code": 0, "data": {"routeSummary": None}}, UpstreamFailed),
        (200, [], UpstreamFailed),
        (401, {"code": 4008}, CredentialsRejected),
        (403, "<html>", CredentialsRejected),
        (429, {"code": 4008}, UpstreamFailed),
        (503, "<html>", UpstreamFailed),
    ],
)
async def test_what_is_not_documented(
    stub_upstream: StubUpstream, status: int, body: object, kind: type[AdapterError]
) -> None:
    assert type(await failure(stub_upstream, status, body)) is kind


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tokenIn", STRANGER),
        ("tokenOut", STRANGER),
        ("amountIn", "1000000000000000001"),
        ("extraFee", {"feeAmount": "10", "chargeFeeBy": "currency_out", "isInBps": True, "feeReceiver": STRANGER}),
        ("extraFee", {"feeAmount": "0,5", "feeReceiver": ""}),
        ("amountOut", "-5"),
        ("amountOut", 2345.5),
        ("gas", "a lot"),
    ],
)
async def test_a_route_of_something_else_is_refused(stub_upstream: StubUpstream, field: str, value: object) -> None:
    routes = said("routes.json")
    routes["data"]["routeSummary"][field] = value
    assert type(await failure(stub_upstream, 200, routes)) is UpstreamFailed


async def test_a_route_through_another_router_is_refused(stub_upstream: StubUpstream) -> None:
    routes = said("routes.json")
    routes["data"]["routerAddress"] = STRANGER
    assert type(await failure(stub_upstream, 200, routes)) is UpstreamFailed


async def refused(stub_upstream: StubUpstream, **changes: object) -> str:
    quote = await stub_upstream.adapter.quote(REQUEST)
    body = said("build.json")
    body["data"].update(changes)
    stub_upstream.upstream.says("/api/v1/route/build", body)
    with pytest.raises(UpstreamFailed) as failed:
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))
    return failed.value.reason


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("routerAddress", STRANGER),
        ("transactionValue", "1"),
        ("amountIn", "999999999999999999"),
        ("data", "0x"),
        ("data", "0xe21fd0e9"),
        ("data", "e21fd0e9"),
        ("data", None),
    ],
)
async def test_a_build_of_something_else_is_refused(stub_upstream: StubUpstream, field: str, value: object) -> None:
    assert await refused(stub_upstream, **{field: value})


def _other(description: list[Any], place: int, value: object) -> list[Any]:
    return [*description[:place], value, *description[place + 1 :]]


DESCRIPTION = {
    "input token": (0, STRANGER),
    "output token": (1, STRANGER),
    "amount sent": (3, [10**18 - 1]),
    "number of fees": (4, [STRANGER]),
    "receiver": (6, STRANGER),
    "amount": (7, 10**18 + 1),
    "minimum": (8, MINIMUM - 1),
    "set of flags": (9, 0x201),
    "permit": (10, b"\x01"),
}


@pytest.mark.parametrize("what", DESCRIPTION)
async def test_every_field_of_the_call_is_held_to_the_request(stub_upstream: StubUpstream, what: str) -> None:
    ((target, approved, packed, description, client),) = _arguments()
    changed = _other(list(description), *DESCRIPTION[what])
    data = SWAP.encode((target, approved, packed, tuple(changed), client))
    assert what in await refused(stub_upstream, data="0x" + data.hex())


async def test_an_approval_of_somebody_else_is_refused(stub_upstream: StubUpstream) -> None:
    ((target, _, packed, description, client),) = _arguments()
    data = SWAP.encode((target, STRANGER, packed, description, client))
    assert "approval" in await refused(stub_upstream, data="0x" + data.hex())


@pytest.mark.parametrize("flag", [1 << bit for bit in range(12)])
def test_flags_that_change_what_happens_are_refused(flag: int) -> None:
    swap = replace(read_swap(_data()), flags=flag)
    if flag in (0x80, 0x200):
        check_swap(swap, REQUEST, SPEC.deployments[1])
        return
    with pytest.raises(UpstreamFailed, match="flags"):
        check_swap(swap, REQUEST, SPEC.deployments[1])


def test_the_selector_is_the_documented_one() -> None:
    assert SWAP.selector.hex() == "e21fd0e9"
    assert HARMLESS == 0x280


async def test_a_native_input_is_sent_and_not_approved(stub_upstream: StubUpstream) -> None:
    marker = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    routes, body = said("routes.json"), said("build.json")
    routes["data"]["routeSummary"]["tokenIn"] = marker
    ((target, approved, packed, description, client),) = _arguments()
    native = (marker, description[1], [], [], *description[4:])
    data = SWAP.encode((target, approved, packed, native, client))
    body["data"].update(transactionValue=str(10**18), data="0x" + data.hex())
    stub_upstream.upstream.says("/api/v1/routes", routes)
    stub_upstream.upstream.says("/api/v1/route/build", body)
    quote = await stub_upstream.adapter.quote(replace(REQUEST, origin_token=ETHER))
    built = await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))
    assert (built.value, built.spender) == (10**18, None)
    body["data"]["transactionValue"] = "0"
    stub_upstream.upstream.says("/api/v1/route/build", body)
    with pytest.raises(UpstreamFailed, match="native value"):
        await stub_upstream.adapter.build(replace(quote, min_output_amount=MINIMUM))


ADDRESSES = st.integers(0, 2**160 - 1).map(lambda number: f"0x{number:040x}")
AMOUNTS = st.integers(0, 2**256 - 1)
CALLS = st.tuples(
    ADDRESSES,
    ADDRESSES,
    st.binary(max_size=70),
    st.tuples(
        ADDRESSES, ADDRESSES, st.lists(ADDRESSES, max_size=2), st.lists(AMOUNTS, max_size=2),
        st.lists(ADDRESSES, max_size=2), st.lists(AMOUNTS, max_size=2), ADDRESSES, AMOUNTS, AMOUNTS, AMOUNTS,
        st.binary(max_size=40),
    ),
    st.binary(max_size=40),
)  # fmt: skip


@given(CALLS)
def test_a_call_reads_back_as_it_was_written(call: tuple[Any, ...]) -> None:
    _, approved, _, description, _ = call
    token_in, token_out, _, sent, fees, _, receiver, amount, minimum, flags, permit = description
    assert read_swap(SWAP.encode(call)) == RouterSwap(
        approved, token_in, token_out, tuple(sent), tuple(fees), receiver, amount, minimum, flags, permit
    )


@given(CALLS, st.binary(min_size=1, max_size=64), st.data())
def test_a_call_with_more_or_less_behind_it_is_not_read(
    call: tuple[Any, ...], more: bytes, data: st.DataObject
) -> None:
    whole = SWAP.encode(call)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for other in (whole + more, whole[:cut]):
        with pytest.raises(UpstreamFailed, match="not a call"):
            read_swap(other)


def _data() -> bytes:
    return bytes.fromhex(said("build.json")["data"]["data"][2:])


def _arguments() -> Any:
    return SWAP.decode(_data())
