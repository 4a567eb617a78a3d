"""The router's calls are held to the request in all that they say, and to nothing more than that."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.okx import calldata
from rhumbline.adapters.okx.calldata import RouterSwap, read_swap
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.gateways.evm.calldata import Function
from tests.adapters.exchanges.exchange import STRANGER, put
from tests.adapters.exchanges.stub_upstream import (
    DEADLINE,
    ETHER,
    EXECUTOR,
    RECEIVER,
    REQUEST,
    WALLET,
    WETH,
    StubUpstream,
)
from tests.adapters.okx.case import DAI, MARKER, MINIMUM, OUTPUT, SWAP_PATH, changed_call

WORD = calldata.WORD


def arguments(stub_upstream: StubUpstream) -> Any:
    return calldata.DAG_BY_ORDER.decode_loosely(stub_upstream.call())


def ending(stub_upstream: StubUpstream, end: bytes) -> bytes:
    """The recorded call with another end."""
    return calldata.DAG_BY_ORDER.encode(*arguments(stub_upstream)) + end


async def test_the_receiver_is_held_to_the_request(stub_upstream: StubUpstream) -> None:
    order, base, paths = arguments(stub_upstream)
    end = stub_upstream.call()[-2 * WORD :]
    stub_upstream.says_call(calldata.DAG_TO.encode(order, STRANGER, base, paths) + end)
    with pytest.raises(UpstreamFailed, match="another receiver"):
        await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says_call(calldata.DAG_TO.encode(order, EXECUTOR, base, paths) + end)
    assert (await stub_upstream.adapter.quote(REQUEST)).min_output_amount == MINIMUM


async def test_a_call_that_pays_its_caller_pays_no_other_receiver(stub_upstream: StubUpstream) -> None:
    stub_upstream.says("data.0.tx.from", WALLET)
    with pytest.raises(UpstreamFailed, match="another receiver"):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=WALLET, payout_address=RECEIVER))


TRIM, DUAL, COMMISSION = (bytes.fromhex(flag) for flag in ("777777771111", "777777772222", "3ca20afc2bbb"))
OKX_WALLET = bytes.fromhex("fa00a9ed787f3793db668bff3e6e6e7db0f92a1b")


def trim(expected: int = OUTPUT, rate: int = 100, first: bytes = TRIM, last: bytes = TRIM, mark: int = 0x80) -> bytes:
    """``trim``: thousandths of what is above ``expectAmountOut``."""
    return first + bytes([mark]) + bytes(5) + expected.to_bytes(20) + last + rate.to_bytes(6) + OKX_WALLET


@pytest.mark.parametrize(
    "end",
    [
        b"\x00",
        bytes(WORD),
        COMMISSION + (10**6).to_bytes(6) + OKX_WALLET,
        bytes(12) + OKX_WALLET + COMMISSION + (10**6).to_bytes(6) + OKX_WALLET,
        trim(rate=0),
        trim(rate=101),
        trim(rate=2**48 - 1),
        trim(first=DUAL, last=DUAL),
        trim(first=DUAL),
        trim(last=COMMISSION),
        trim(mark=1),
        trim(expected=MINIMUM - 1),
        DUAL + (50).to_bytes(6) + OKX_WALLET + trim(first=DUAL, last=DUAL),
        trim() + b"\x00",
    ],
)
async def test_a_share_that_nobody_asked_for_is_refused(stub_upstream: StubUpstream, end: bytes) -> None:
    stub_upstream.says_call(ending(stub_upstream, end))
    with pytest.raises(UpstreamFailed):
        await stub_upstream.adapter.quote(REQUEST)


@pytest.mark.parametrize(
    ("end", "output"),
    [
        (b"", OUTPUT),
        (trim(), OUTPUT),
        (trim(expected=OUTPUT + 1), OUTPUT),
        (trim(expected=OUTPUT - 1), OUTPUT - 1),
        (trim(expected=MINIMUM), MINIMUM),
        (trim(rate=1), OUTPUT),
        (trim(mark=0), OUTPUT),
    ],
)
async def test_a_share_of_what_is_above_the_minimum_is_not_and_no_more_is_promised(
    stub_upstream: StubUpstream, end: bytes, output: int
) -> None:
    stub_upstream.says_call(ending(stub_upstream, end))
    quote = await stub_upstream.adapter.quote(REQUEST)
    assert (quote.output_amount, quote.min_output_amount) == (output, MINIMUM)


@pytest.mark.parametrize("flag", sorted(calldata.FLAGS))
async def test_a_last_argument_that_the_router_would_take_for_a_commission(
    stub_upstream: StubUpstream, flag: bytes
) -> None:
    order, base, paths = arguments(stub_upstream)
    disguised = (*paths[-1][:3], (flag + bytes(26),), paths[-1][4])
    assert len(disguised[3][0]) == WORD
    stub_upstream.says_call(calldata.DAG_BY_ORDER.encode(order, base, (*paths[:-1], disguised)))
    with pytest.raises(UpstreamFailed, match="commission"):
        await stub_upstream.adapter.quote(REQUEST)


async def test_market_makers_offers_are_not_taken(stub_upstream: StubUpstream) -> None:
    order, base, paths = arguments(stub_upstream)
    offer = (0, STRANGER, STRANGER, STRANGER, 1, 1, 1, 1, False, b"")
    stub_upstream.says_call(calldata.SMART_BY_ORDER.encode(order, base, (10**18,), (paths,), (offer,)))
    with pytest.raises(NoRoute):
        await stub_upstream.adapter.quote(REQUEST)
    stub_upstream.says_call(calldata.SMART_BY_ORDER.encode(order, base, (10**18,), (paths,), ()))
    assert (await stub_upstream.built()).sweep_tokens == (DAI,)


UNNAMED = {
    "unxswapByOrderId": calldata.UNX_BY_ORDER.encode(int(WETH.address, 16), 10**18, MINIMUM, [bytes(31) + b"\1"]),
    "unxswapTo": calldata.UNX_TO.encode(int(WETH.address, 16), 10**18, MINIMUM, EXECUTOR, [bytes(31) + b"\1"]),
    "uniswapV3SwapTo": calldata.V3_TO.encode((105_000 << 160) + int(EXECUTOR, 16), 10**18, MINIMUM, [7]),
}


@pytest.mark.parametrize("name", UNNAMED)
async def test_calls_that_do_not_name_the_output_are_for_the_contract_that_counts_it(
    stub_upstream: StubUpstream, name: str
) -> None:
    call = UNNAMED[name] + stub_upstream.call()[-2 * WORD :]
    stub_upstream.says_call(call)
    assert (await stub_upstream.built()).expires_at is None
    body = put(stub_upstream.said(), "data.0.tx.from", WALLET)
    stub_upstream.upstream.says(SWAP_PATH, put(body, "data.0.tx.data", "0x" + call.hex()))
    with pytest.raises(NoRoute, match="which token"):
        await stub_upstream.adapter.quote(replace(REQUEST, taker=WALLET, payout_address=WALLET))


def test_a_genuine_call_of_a_single_pool_is_read() -> None:
    """An answer that the tests of github.com/cowprotocol/services show (read 2026-11), its receiver masked there.

    1 ether of WETH for ZRX: above the receiver's 160 bits is the order's number, and nothing follows the one pool.
    """
    words = (
        "00000000000000000001a0cf2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a",
        f"{10**18:064x}",
        "00000000000000000000000000000000000000000000015fdc8278903f7f31c1",
        f"{128:064x}",
        f"{1:064x}",
        "00000000000000000000000014424eeecbff345b38187d0b8b749e56faa68539",
    )
    swap = read_swap(bytes.fromhex("0d5f0e3b" + "".join(words)))
    assert swap == RouterSwap(10**18, 6_490_696_564_868_305_072_577, receiver="0x" + 20 * "2a")


async def test_what_is_left_of_a_native_input_comes_back_wrapped(stub_upstream: StubUpstream) -> None:
    call = changed_call(stub_upstream.call(), {0: int(MARKER, 16)})
    body = put(stub_upstream.said(), "data.0.tx.data", "0x" + call.hex())
    body = put(body, "data.0.routerResult.fromToken.tokenContractAddress", MARKER)
    stub_upstream.upstream.says(SWAP_PATH, put(body, "data.0.tx.value", str(10**18)))
    assert WETH.address in (await stub_upstream.built(replace(REQUEST, origin_token=ETHER))).sweep_tokens


async def test_a_later_deadline_of_theirs_is_not_ours(stub_upstream: StubUpstream) -> None:
    stub_upstream.says_call(changed_call(stub_upstream.call(), {4: DEADLINE + 1}))
    assert (await stub_upstream.built()).expires_at is None


SELECTORS = {
    "f2c42696": calldata.DAG_BY_ORDER,
    "0c307f76": calldata.DAG_TO,
    "b80c2f09": calldata.SMART_BY_ORDER,
    "03b87e5f": calldata.SMART_TO,
    "9871efa4": calldata.UNX_BY_ORDER,
    "08298b5a": calldata.UNX_TO,
    "0d5f0e3b": calldata.V3_TO,
}


@pytest.mark.parametrize("selector", SELECTORS)
def test_the_selectors_are_the_published_ones(selector: str) -> None:
    assert SELECTORS[selector].selector.hex() == selector


ADDRESSES = st.integers(1, 2**160 - 1).map(lambda number: f"0x{number:040x}")
AMOUNTS = st.integers(0, 2**256 - 1)
BASES = st.tuples(AMOUNTS, ADDRESSES, AMOUNTS, AMOUNTS, AMOUNTS)
PATHS = st.lists(
    st.tuples(
        st.lists(ADDRESSES, max_size=2), st.lists(ADDRESSES, max_size=2), st.lists(AMOUNTS, max_size=2),
        st.lists(st.binary(max_size=40), max_size=2), AMOUNTS,
    ),
    max_size=3,
)  # fmt: skip


@given(ADDRESSES, BASES, PATHS, st.integers(0, 2**160 - 1), st.integers(1, 100))
def test_a_call_reads_back_as_it_was_written(receiver: str, base: Any, paths: Any, expected: int, rate: int) -> None:
    token_in, token_out, amount, minimum, deadline = base
    named = token_in % 2**160
    for function, before, paid in ((calldata.DAG_TO, (1, receiver), receiver), (calldata.DAG_BY_ORDER, (1,), None)):
        found = read_swap(function.encode(*before, base, paths) + trim(expected, rate))
        assert found._replace(passed=(), token_in=None) == RouterSwap(
            amount, minimum, None, token_out, paid, deadline, (), expected
        )
        assert named == 0 or found.token_in == f"0x{named:040x}"
        assert len(found.passed) <= len(paths)


@given(BASES, PATHS, st.data())
def test_a_call_that_is_cut_off_is_not_read(base: Any, paths: Any, data: st.DataObject) -> None:
    whole = calldata.DAG_TO.encode(1, STRANGER, base, paths)
    with pytest.raises(UpstreamFailed):
        read_swap(whole[: data.draw(st.integers(0, len(whole) - 1))])


def test_no_function_is_read_that_is_not_known() -> None:
    with pytest.raises(UpstreamFailed, match="known call"):
        read_swap(Function("swapWrap(uint256,uint256)").encode(1, 2))
