"""What a quote promises is delivered on the sandbox's Solana chain, and every lie is refused."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from rhumbline.adapters import jupiter, okx
from rhumbline.adapters.jupiter.checking import SHARED_ROUTE
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.jupiter.emulator import Jupiter
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import AdapterError, NoRoute
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterSpec
from rhumbline.routing.svm.permitted_instructions import Permission, check
from tests.adapters.exchanges.svm.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.svm_fixture import Solana, open_solana

SOL = 10**9
USDC = 10**6
PAIRS = [
    ("USDC", "USDT", 2_000 * USDC),
    ("WSOL", "USDC", SOL),
    ("SOL", "USDC", SOL),
    ("USDC", "SOL", 150 * USDC),
    ("USDT", "DAI", 1_000 * USDC),
    ("USDT", "WETH", 3_000 * USDC),
    ("SOL", "DAI", 2 * SOL),
    ("SOL", "TAX", SOL),
    ("TAX", "SOL", 100 * SOL),
    ("USDC", "WBTC", 150 * USDC),
]


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[Solana]:
    async with open_solana() as opened:
        yield opened


Exchange = tuple[AdapterSpec[Any], type[Emulator], int]
"""The last is a wallet without accounts; so is the next one."""
JUPITER: Exchange = (jupiter.SPEC, Jupiter, 40)
OKX: Exchange = (okx.SPEC, Okx, 42)
each_exchange = pytest.mark.parametrize("exchange", [JUPITER, OKX], ids=["JUPITER", "OKX"])
jupiter_alone = pytest.mark.parametrize("exchange", [JUPITER], ids=["JUPITER"])
LIES = [(JUPITER, lie) for lie in sorted(Lie)] + [(OKX, lie) for lie in sorted(set(Lie) - {Lie.OTHER_REFUND})]


@pytest.fixture
async def adapter_fixture(solana: Solana, exchange: Exchange) -> AsyncIterator[AdapterFixture]:
    async with open_adapter(solana, *exchange[:2]) as opened:
        yield opened


@jupiter_alone
async def test_what_it_writes_is_what_may_be_signed(adapter_fixture: AdapterFixture) -> None:
    for pair in PAIRS:
        request = adapter_fixture.request(*pair)
        _, draft = await adapter_fixture.drafted(request)
        check(draft.instructions, Permission(request, draft.programs, frozenset(), None, request.amount, 0))


@jupiter_alone
async def test_both_forms_of_a_route_were_tried(adapter_fixture: AdapterFixture) -> None:
    """Through wrapped SOL goes what no pool has with the token that is sold."""
    forms = {
        (await adapter_fixture.adapter.quote(adapter_fixture.request(*pair))).payload[0].swap_instruction.data[:8]
        == SHARED_ROUTE
        for pair in PAIRS
    }
    assert forms == {True, False}


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
@each_exchange
async def test_what_was_quoted_arrives(
    adapter_fixture: AdapterFixture, origin: str, destination: str, amount: int
) -> None:
    request = adapter_fixture.request(origin, destination, amount)
    quote, draft = await adapter_fixture.drafted(request)
    done = await adapter_fixture.execute(draft)
    assert done.gained(request.sender, request.destination_token.address) == quote.output_amount
    assert done.gained(request.sender, request.origin_token.address) == -amount
    assert (quote.min_output_amount or 0) <= quote.output_amount
    # Its wrapped SOL is as it was.
    if "WSOL" not in (origin, destination):
        assert done.gained(request.sender, WRAPPED_SOL) == 0


@each_exchange
async def test_a_wallet_without_accounts_has_what_it_bought_and_no_wrapped_sol(
    adapter_fixture: AdapterFixture, exchange: Exchange
) -> None:
    node, rpc, empty = adapter_fixture.solana.node, adapter_fixture.solana.node.rpc, exchange[2]
    wallet = adapter_fixture.solana.wallet(empty)
    await node.pay(NATIVE_SVM, wallet, 10 * SOL)
    request = adapter_fixture.request("SOL", "USDC", SOL, wallet=empty)
    quote, draft = await adapter_fixture.drafted(request)
    done = await adapter_fixture.execute(draft, empty)
    assert done.gained(wallet, request.destination_token.address) == quote.output_amount
    own = associated_token_address(wallet, WRAPPED_SOL, SPL)
    assert (await SvmState(rpc).token_accounts([own]))[own] is None
    back = adapter_fixture.request("USDC", "SOL", quote.output_amount, wallet=empty)
    quote, draft = await adapter_fixture.drafted(back)
    assert (await adapter_fixture.execute(draft, empty)).gained(wallet) == quote.output_amount
    assert (await SvmState(rpc).token_accounts([own]))[own] is None


@each_exchange
async def test_somebody_else_is_paid_in_an_account_that_is_made(
    adapter_fixture: AdapterFixture, exchange: Exchange
) -> None:
    receiver = adapter_fixture.solana.wallet(exchange[2] + 1)
    request = adapter_fixture.request("SOL", "USDC", SOL, receiver=receiver)
    quote, draft = await adapter_fixture.drafted(request)
    done = await adapter_fixture.execute(draft)
    assert done.gained(receiver, request.destination_token.address) == quote.output_amount
    assert done.gained(request.sender, request.destination_token.address) == 0


@each_exchange
async def test_the_minimum_holds_on_chain(adapter_fixture: AdapterFixture) -> None:
    _, draft = await adapter_fixture.drafted(adapter_fixture.request("WSOL", "USDC", SOL))
    _, big = await adapter_fixture.drafted(adapter_fixture.request("WSOL", "USDC", 500 * SOL, wallet=2))
    await adapter_fixture.execute(big, 2)
    with pytest.raises(SvmRpcError, match="0x1771"):
        await adapter_fixture.execute(draft)


@pytest.mark.parametrize(("exchange", "lie"), LIES, ids=lambda each: each if isinstance(each, str) else each[0].key)
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    assert lie in adapter_fixture.emulator.lies
    requests = [adapter_fixture.request(*pair) for pair in (("USDC", "SOL", 150 * USDC), ("SOL", "USDC", SOL))]
    for request in requests:
        await adapter_fixture.adapter.quote(request)
        adapter_fixture.emulator.behaviour.lie = lie
        with pytest.raises(AdapterError):
            await adapter_fixture.adapter.quote(request)
        adapter_fixture.emulator.behaviour.lie = None


@jupiter_alone
async def test_tokens_it_does_not_know(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(adapter_fixture.request("SOL", "WSOL", SOL))
    with pytest.raises(NoRoute):
        # Through three pools, whose accounts are more than are asked for.
        await adapter_fixture.adapter.quote(adapter_fixture.request("TAX", "DAI", SOL))
