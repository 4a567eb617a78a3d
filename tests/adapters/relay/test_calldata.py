"""Calls of Relay's router are read whole: what is swapped, who is paid, what is deposited in the end."""

import time
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.relay import calldata
from rhumbline.adapters.relay.deployments import DEPLOYMENTS
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.calldata import Function
from tests.adapters.relay.stub_upstream import ETHER, REQUEST, STRANGER, SWAP, USDC, WALLET, WETH, StubUpstream, said
from tests.adapters.relay.test_checking import AMOUNT, SWAPPED, Change, call, order, put, refused, signed_anew

ROUTER = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f"
PROXY = "0xCcC88a9d1B4ED6b0EABA998850414b24f1c315bE"
TRANSFER = Function("transfer(address,uint256)")
DEPOSITORY = "0x4cD00E387622C35bDDB9b4c962C136462338BC31"


def by_the_router(answer: Any) -> None:
    """Pay a stranger all but one unit before the deposit, under a genuine order of the whole amount."""
    name = bytes.fromhex(answer["protocol"]["v2"]["orderId"][2:])
    calls = [
        (USDC.address, False, 0, TRANSFER.encode(STRANGER, AMOUNT - 1)),
        (USDC.address, False, 0, calldata.APPROVE.encode(DEPOSITORY, 1)),
        (DEPOSITORY, False, 0, calldata.DEPOSIT_TOKEN.encode(WALLET, USDC.address, 1, name)),
    ]
    data = calldata.PROXIED.encode([USDC.address], [AMOUNT], calls, WALLET, "0x" + "00" * 20, b"")
    call(answer).update(to=PROXY, data="0x" + data.hex())
    approval = answer["steps"][0]["items"][0]["data"]
    approval["data"] = "0x" + calldata.APPROVE.encode(PROXY, AMOUNT).hex()


async def test_what_needs_no_swap_does_not_go_through_the_router(stub_upstream: StubUpstream) -> None:
    """There a stranger could be paid before the deposit: of a genuine order all but one unit."""
    await refused(stub_upstream, "transfer.json", REQUEST, by_the_router)


def routed(**changes: Any) -> Change:
    """Change arguments of a call through the approval proxy; ``calls`` maps them."""

    def change(answer: Any) -> None:
        data = bytes.fromhex(call(answer)["data"][2:])
        tokens, amounts, calls, refund_to, receiver, metadata = calldata.PROXIED.decode_first(data)[0]
        mark = data[len(calldata.PROXIED.encode(tokens, amounts, calls, refund_to, receiver, metadata)) :]
        named: dict[str, Any] = {
            "tokens": tokens,
            "amounts": amounts,
            "calls": calls,
            "refund_to": refund_to,
            "mark": mark,
        }
        named |= {name: value(named[name]) if callable(value) else value for name, value in changes.items()}
        call(answer)["data"] = (
            "0x"
            + (
                calldata.PROXIED.encode(
                    named["tokens"], named["amounts"], named["calls"], named["refund_to"], receiver, metadata
                )
                + named["mark"]
            ).hex()
        )

    return change


def natively_by_the_router(answer: Any) -> None:
    name = bytes.fromhex(answer["protocol"]["v2"]["orderId"][2:])
    calls = [
        (STRANGER, False, 10**18 - 1, b""),
        (DEPOSITORY, False, 1, calldata.DEPOSIT_NATIVE.encode(WALLET, name)),
    ]
    data = calldata.MULTICALL.encode(calls, WALLET, "0x" + "00" * 20, b"")
    call(answer).update(to=ROUTER, data="0x" + data.hex())


async def test_native_money_is_not_paid_away_before_its_deposit(stub_upstream: StubUpstream) -> None:
    request = replace(REQUEST, origin_token=ETHER, amount=10**18)
    answer = said("transfer.json")
    answer["steps"] = answer["steps"][1:]
    answer["details"]["currencyIn"] |= {"currency": {"chainId": 1, "address": ETHER.address}, "amount": str(10**18)}
    order(answer)["inputs"][0]["payment"] |= {"currency": ETHER.address, "amount": str(10**18)}
    signed_anew(answer)
    name = bytes.fromhex(answer["protocol"]["v2"]["orderId"][2:])
    call(answer).update(value=str(10**18), data="0x" + calldata.DEPOSIT_NATIVE.encode(WALLET, name).hex())
    stub_upstream.upstream.says("/quote/v2", answer)
    await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))
    natively_by_the_router(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed, match="nothing to swap"):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(request))


def handed_over(amount: int) -> Change:
    """Hand over so much of what the swap made, in place of all of it."""

    def change(calls: Any) -> Any:
        last = calldata.CLEAN_NATIVE_INTO.decode(calls[-1][3])
        return (*calls[:-1], (*calls[-1][:3], calldata.CLEAN_NATIVE_INTO.encode(amount, *last[1:])))

    return routed(calls=change)


PAID = calldata.CLEAN_NATIVE.encode(0, STRANGER, b"")
ROUTED: dict[str, Change] = {
    "token": routed(tokens=[USDC.address]),
    "two tokens": routed(tokens=[WETH.address, USDC.address], amounts=[10**18, 1]),
    "amount": routed(amounts=[10**18 + 1]),
    "refund address": routed(refund_to=STRANGER),
    "mark": routed(mark=b"\x01" * 32),
    "no deposit": routed(calls=lambda calls: calls[:-1]),
    "two deposits": routed(calls=lambda calls: (*calls, calls[-1])),
    "a call after the deposit": routed(calls=lambda calls: (*calls, calls[0])),
    "a stranger is paid": routed(calls=lambda calls: ((ROUTER, False, 0, PAID), *calls)),
    "a call that may fail": routed(calls=lambda calls: ((calls[0][0], True, 0, calls[0][3]), *calls[1:])),
    "less than the order counts on": handed_over(10**18 - 1),
    "an unknown call of the router": routed(calls=lambda calls: ((ROUTER, False, 0, b"\x01\x02\x03\x04"), *calls)),
}


async def test_what_the_order_counts_on_may_be_named(stub_upstream: StubUpstream) -> None:
    answer = said("swapped_transfer.json")
    handed_over(10**18)(answer)
    stub_upstream.upstream.says("/quote/v2", answer)
    await stub_upstream.adapter.build(await stub_upstream.adapter.quote(SWAPPED))


@pytest.mark.parametrize("lie", ROUTED)
async def test_a_swap_before_the_deposit_that_differs_is_refused(stub_upstream: StubUpstream, lie: str) -> None:
    await refused(stub_upstream, "swapped_transfer.json", SWAPPED, ROUTED[lie])


@pytest.mark.parametrize(
    "change",
    [
        routed(tokens=[WETH.address]),
        routed(amounts=[AMOUNT - 1]),
        routed(refund_to=STRANGER),
        routed(calls=lambda calls: (*calls, (ROUTER, False, 0, PAID))),
        routed(
            calls=lambda calls: (
                (ROUTER, False, 0, calldata.CLEAN_TOKENS.encode([USDC.address], [STRANGER], [1], b"")), *calls,
            )
        ),
        put("to", value=STRANGER, inside=call),
        put("details", "currencyOut", "minimumAmount", value="1"),
    ],
)  # fmt: skip
async def test_a_swap_that_differs_is_refused(stub_upstream: StubUpstream, change: Change) -> None:
    await refused(stub_upstream, "swap.json", SWAP, change)


def test_a_call_whose_parts_are_one_part_many_times_is_refused_at_once() -> None:
    """Three thousand offsets to one element of 300 kB: read loosely, it is a gigabyte."""
    count, size = 3000, 300_000
    element = b"".join(each.to_bytes(32) for each in (1, 0, 0, 128, size)) + bytes(size)
    calls = count.to_bytes(32) + (count * 32).to_bytes(32) * count + element
    ends = (128 + len(calls)).to_bytes(32)
    data = b"".join(each.to_bytes(32) for each in (128, 1, 2)) + ends + calls + bytes(32)
    began = time.process_time()
    with pytest.raises(UpstreamFailed):
        calldata.read_start(ROUTER, 1, calldata.MULTICALL.selector + data, DEPLOYMENTS[1], ())
    assert time.process_time() - began < 1, "it took ten seconds"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (
            ("fees",),
            [{"recipientChainId": "", "recipient": STRANGER, "currencyChainId": "", "currency": "", "amount": 0}],
        ),
        (("output", "calls"), ["0x"]),
    ],
)
async def test_an_order_without_end_is_not_hashed(
    stub_upstream: StubUpstream, place: tuple[str, ...], value: list[object]
) -> None:
    answer = said("transfer.json")
    inside = order(answer)
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value * 10_000
    stub_upstream.upstream.says("/quote/v2", answer)
    with pytest.raises(UpstreamFailed, match="not as documented"):
        await stub_upstream.adapter.build(await stub_upstream.adapter.quote(REQUEST))
