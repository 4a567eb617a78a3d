"""What a quote promises is delivered on the sandbox's Solana chain, and every lie is refused."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from rhumbline.adapters.okx import SPEC
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.okx.emulator import Okx
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import AdapterError, NoRoute
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.adapters.exchanges.svm_adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.svm_fixture import Solana, open_solana

SOL = 10**9
USDC = 10**6
LIES = set(Lie) - {Lie.OTHER_REFUND}
EMPTY = 40
"""A wallet without accounts; it is given SOL."""
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
]


@pytest.fixture(scope="module")
async def solana() -> AsyncIterator[Solana]:
    async with open_solana() as opened:
        yield opened


@pytest.fixture
async def adapter_fixture(solana: Solana) -> AsyncIterator[AdapterFixture]:
    async with open_adapter(solana, SPEC, Okx) as opened:
        yield opened


@pytest.mark.parametrize(("origin", "destination", "amount"), PAIRS)
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


async def test_a_wallet_without_accounts_has_what_it_bought_and_no_wrapped_sol(adapter_fixture: AdapterFixture) -> None:
    node, rpc = adapter_fixture.solana.node, adapter_fixture.solana.node.rpc
    wallet = adapter_fixture.solana.wallet(EMPTY)
    await node.pay(NATIVE_SVM, wallet, 10 * SOL)
    request = adapter_fixture.request("SOL", "USDC", SOL, wallet=EMPTY)
    quote, draft = await adapter_fixture.drafted(request)
    done = await adapter_fixture.execute(draft, EMPTY)
    assert done.gained(wallet, request.destination_token.address) == quote.output_amount
    own = associated_token_address(wallet, WRAPPED_SOL, SPL)
    assert (await SvmState(rpc).token_accounts([own]))[own] is None
    back = adapter_fixture.request("USDC", "SOL", quote.output_amount, wallet=EMPTY)
    quote, draft = await adapter_fixture.drafted(back)
    assert (await adapter_fixture.execute(draft, EMPTY)).gained(wallet) == quote.output_amount
    assert (await SvmState(rpc).token_accounts([own]))[own] is None


async def test_somebody_else_is_paid_in_an_account_that_is_made(adapter_fixture: AdapterFixture) -> None:
    receiver = adapter_fixture.solana.wallet(41)
    request = adapter_fixture.request("SOL", "USDC", SOL, receiver=receiver)
    quote, draft = await adapter_fixture.drafted(request)
    done = await adapter_fixture.execute(draft)
    assert done.gained(receiver, request.destination_token.address) == quote.output_amount
    assert done.gained(request.sender, request.destination_token.address) == 0


async def test_the_minimum_holds_on_chain(adapter_fixture: AdapterFixture) -> None:
    _, draft = await adapter_fixture.drafted(adapter_fixture.request("WSOL", "USDC", SOL))
    _, big = await adapter_fixture.drafted(adapter_fixture.request("WSOL", "USDC", 500 * SOL, wallet=2))
    await adapter_fixture.execute(big, 2)
    with pytest.raises(SvmRpcError, match="0x1771"):
        await adapter_fixture.execute(draft)


@pytest.mark.parametrize("lie", sorted(LIES))
async def test_every_lie_is_refused(adapter_fixture: AdapterFixture, lie: Lie) -> None:
    assert lie in adapter_fixture.emulator.lies
    requests = [adapter_fixture.request(*pair) for pair in (("USDC", "SOL", 150 * USDC), ("SOL", "USDC", SOL))]
    for request in requests:
        await adapter_fixture.adapter.quote(request)
        adapter_fixture.emulator.behaviour.lie = lie
        with pytest.raises(AdapterError):
            await adapter_fixture.adapter.quote(request)
        adapter_fixture.emulator.behaviour.lie = None


async def test_tokens_it_does_not_know(adapter_fixture: AdapterFixture) -> None:
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(adapter_fixture.request("SOL", "WSOL", SOL))
    stranger = replace(adapter_fixture.solana.token("USDC"), address=adapter_fixture.solana.wallet(7))
    with pytest.raises(NoRoute):
        await adapter_fixture.adapter.quote(
            replace(adapter_fixture.request("SOL", "USDC", SOL), destination_token=stranger)
        )


async def test_it_runs_with_what_its_upstream_asks_for(adapter_fixture: AdapterFixture) -> None:
    _, draft = await adapter_fixture.drafted(adapter_fixture.request("USDC", "USDT", USDC))
    assert (draft.heap_frame, draft.compute_limit) == (128 * 1024, 400_000)
    assert draft.tables == ("FqeeFKhvn4d19iJA7G4qU9tcfjHNUkEo2rKsht5Btztm",)
    assert not draft.enforces_minimum
