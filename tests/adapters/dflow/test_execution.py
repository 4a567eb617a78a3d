"""What a quote promises is delivered on the sandbox chain, by the instructions that are handed out."""

from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.emulator import Lie
from rhumbline.domain.errors import AdapterError, NoRoute
from rhumbline.domain.svm import SvmDraft
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.svm.address import associated_token_address
from rhumbline.gateways.svm.instructions import CloseAccount
from rhumbline.gateways.svm.programs import SPL, WRAPPED_SOL
from tests.adapters.exchanges.svm.adapter_fixture import FRIEND, SENDER, AdapterFixture

ONE = 10**9
PAIRS = [
    ("USDC", "USDT", 500 * 10**6),
    ("WETH", "USDC", 10**7),
    ("WSOL", "USDC", ONE),
    ("SOL", "USDC", 2 * ONE),
    ("USDC", "SOL", 300 * 10**6),
    ("SOL", "TAX", ONE),
]
NETWORK_FEE = 5000


WAYS = [(*pair, receiver) for pair in PAIRS for receiver in (SENDER, FRIEND) if (pair[1], receiver) != ("SOL", FRIEND)]


@pytest.mark.parametrize(("sold", "bought", "amount", "receiver"), WAYS)
async def test_what_was_quoted_arrives(
    solana: AdapterFixture, sold: str, bought: str, amount: int, receiver: str
) -> None:
    quote = await solana.adapter.quote(solana.request(sold, bought, amount, receiver))
    assert quote.min_output_amount == quote.output_amount * 9950 // 10_000
    draft = await solana.built(quote)
    spent = await solana.balance(SENDER, sold)
    gained = await solana.gained(quote, draft, receiver)
    assert gained == quote.output_amount - (NETWORK_FEE if bought == "SOL" else 0)
    # What the wallet had wrapped before is wrapped afterwards, and counts as its SOL here.
    assert spent - await solana.balance(SENDER, sold) == amount + (NETWORK_FEE if sold == "SOL" else 0)


async def test_the_minimum_holds_on_chain(solana: AdapterFixture) -> None:
    quote = await solana.adapter.quote(solana.request("USDC", "USDT", 100 * 10**6))
    big = await solana.adapter.quote(solana.request("USDC", "USDT", 100_000 * 10**6))
    draft = await solana.built(quote)
    await solana.gained(big, await solana.built(big))
    with pytest.raises(SvmRpcError) as refused:
        await solana.execute(draft)
    assert refused.value.error is not None
    assert refused.value.error.custom == 15001


TOLD = [("USDC", "USDT", SENDER), ("USDC", "USDT", FRIEND), ("SOL", "USDC", SENDER), ("USDC", "SOL", FRIEND)]


@pytest.mark.parametrize("lie", sorted(Lie))
@pytest.mark.parametrize(("sold", "bought", "receiver"), TOLD)
async def test_every_lie_is_refused(solana: AdapterFixture, lie: Lie, sold: str, bought: str, receiver: str) -> None:
    solana.emulator.behaviour.lie = lie
    with pytest.raises(AdapterError):
        await solana.built(await solana.adapter.quote(solana.request(sold, bought, 10**8, receiver)))


async def test_a_route_through_what_the_wallet_holds_is_not_offered(solana: AdapterFixture) -> None:
    """As an offer it became the first step of plans, and could not be built there."""
    with pytest.raises(NoRoute, match="another account"):
        await solana.adapter.quote(solana.request("USDT", "DAI", 10**8))


async def test_sol_for_a_friend_goes_through_wrapped_sol(solana: AdapterFixture) -> None:
    request = solana.request("USDC", "SOL", 10**8, FRIEND)
    with pytest.raises(NoRoute, match="another account"):
        await solana.adapter.quote(request)
    wrapped = associated_token_address(SENDER, WRAPPED_SOL, SPL)
    closing = CloseAccount(SPL, wrapped, SENDER, SENDER).encode()
    await solana.execute(SvmDraft(request.origin.id, SPL, (closing,), frozenset()))
    quote = await solana.adapter.quote(request)
    assert await solana.gained(quote, await solana.built(quote), FRIEND) == quote.output_amount


async def test_tokens_it_does_not_trade(solana: AdapterFixture) -> None:
    request = solana.request("USDC", "USDT", 10**8)
    unknown = replace(request.destination_token, address=FRIEND)
    with pytest.raises(NoRoute, match="output token"):
        await solana.adapter.quote(replace(request, destination_token=unknown))
