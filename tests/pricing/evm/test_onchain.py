"""Spot prices from the sandbox's pools, and from pools that somebody has tampered with."""

import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import strategies as st

from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.chain_pools import chain_pools
from rhumbline.liquidity.deployments import Deployment, uniswap
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, pair_of
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.evm.onchain import OnChain, Venue
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.throttled_source import ThrottledSource
from tests.clocks import Clock
from tests.pricing.exchange import NOW

TRUE = {"WETH": 3000, "WBTC": 60_000, "USDC": 1, "USDT": 1, "DAI": 1, "TAX": 2}


def venue_of(chain: SandboxChain, http: HttpClient) -> Venue:
    deployment = Deployment(
        Token(chain.id, chain.tokens["WETH"].address, "WETH", 18, "Wrapped Ether"),
        uniswap(chain.contracts["uniswap_v2_factory"], chain.contracts["uniswap_v3_factory"]),
        multicall=chain.contracts["multicall3"],
    )
    stables = tuple(chain.tokens[symbol].address for symbol in ("USDC", "USDT", "DAI"))
    return venue_on(EvmRpc(chain.rpc_url, http, chain.key, 30.0), deployment, stables)


def venue_on(rpc: EvmRpc, deployment: Deployment, stables: tuple[str, ...]) -> Venue:
    return Venue(rpc, chain_pools(rpc, deployment, time.monotonic), stables)


def without(venue: Venue, kind: PoolKind) -> Venue:
    place = venue.pools.deployment
    sources = tuple(source for source in place.sources if source.kind is not kind)
    return venue_on(venue.rpc, replace(place, sources=sources), venue.stables)


def off(found: Decimal, true: int) -> Decimal:
    return abs(found / true - 1)


@pytest.mark.parametrize("place", [0, 1])
async def test_the_sandbox_is_priced_within_a_percent(sandbox: Sandbox, http: HttpClient, place: int) -> None:
    chain = sandbox.evm_chains[place]
    source = OnChain({chain.id: venue_of(chain, http)}, lambda: NOW)
    tokens = {(chain.id, token.address): symbol for symbol, token in chain.tokens.items()}
    found = await source.prices(list(tokens))
    assert {tokens[token] for token in found} == set(TRUE)
    for token, quote in found.items():
        assert off(quote.usd, TRUE[tokens[token]]) < Decimal("0.01")
        assert quote.at == NOW
        assert quote.liquidity_usd is not None
        assert quote.liquidity_usd > 100_000


@pytest.mark.parametrize(
    "change",
    [
        lambda venue: without(venue, PoolKind.V3),
        lambda venue: without(venue, PoolKind.V2),
        lambda venue: replace(venue, stables=venue.stables[:1]),
    ],
    ids=["v2 only", "v3 only", "one stable coin"],
)
async def test_a_part_of_the_venue_is_enough(
    sandbox: Sandbox, http: HttpClient, change: Callable[[Venue], Venue]
) -> None:
    chain = sandbox.evm_chains[0]
    venue = change(venue_of(chain, http))
    source = OnChain({chain.id: venue}, lambda: NOW)
    tokens = [(chain.id, chain.tokens[symbol].address) for symbol in ("WETH", "USDC", "WBTC")]
    found = await source.prices(tokens)
    assert off(found[tokens[0]].usd, 3000) < Decimal("0.01")
    assert off(found[tokens[1]].usd, 1) < Decimal("0.01")
    assert tokens[2] in found


async def test_what_is_no_token_has_no_price(sandbox: Sandbox, http: HttpClient) -> None:
    chain = sandbox.evm_chains[0]
    source = OnChain({chain.id: venue_of(chain, http)}, lambda: NOW)
    nobody, pool = "0x00000000000000000000000000000000000A11cE", chain.pools[0].address
    assert await source.prices([(chain.id, nobody), (chain.id, pool), (chain.id, chain.contracts["diamond"])]) == {}


async def test_shallow_pools_are_not_heard(sandbox: Sandbox, http: HttpClient) -> None:
    chain = sandbox.evm_chains[0]
    tax = (chain.id, chain.tokens["TAX"].address)
    for least, there in ((500_000, True), (700_000, False)):
        venue = replace(venue_of(chain, http), least_liquidity_usd=Decimal(least))
        source = OnChain({chain.id: venue}, lambda: NOW)
        assert (tax in await source.prices([tax])) is there


async def test_one_pool_pushed_far_away_moves_nothing(restored_sandbox: Sandbox, http: HttpClient) -> None:
    """Somebody sells a fortune into one pool; the median of all pools stays where it is."""
    chain = restored_sandbox.chains[0]
    rpc = EvmRpc(chain.rpc_url, http, chain.key, 30.0)
    account = restored_sandbox.accounts[0].address
    usdc, weth = chain.tokens["USDC"].address, chain.tokens["WETH"].address

    async def send(to: str, data: bytes) -> None:
        call = {"from": account, "to": to, "data": "0x" + data.hex(), "gas": hex(8_000_000)}
        receipt = await rpc.call("eth_sendTransactionSync", [call])
        assert isinstance(receipt, dict)
        assert receipt["status"] == "0x1"

    amount, router = 3_000_000 * 10**6, chain.contracts["uniswap_v2_router"]
    await send(usdc, encode_call("mint(address,uint256)", ["address", "uint256"], [account, amount]))
    await send(usdc, encode_call("approve(address,uint256)", ["address", "uint256"], [router, amount]))
    types = ["uint256", "uint256", "address[]", "address", "uint256"]
    swap = encode_call(
        "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)",
        types,
        [amount, 0, [usdc, weth], account, 2**40],
    )
    await send(router, swap)
    venue = venue_of(chain, http)
    token = (chain.id, weth)
    everywhere = (await OnChain({chain.id: venue}, lambda: NOW).prices([token]))[token].usd
    assert off(everywhere, 3000) < Decimal("0.01")
    pushed = replace(without(venue, PoolKind.V3), stables=(usdc,))
    assert (await OnChain({chain.id: pushed}, lambda: NOW).prices([token]))[token].usd > 20_000


async def test_a_node_that_does_not_answer(http: HttpClient, sandbox: Sandbox) -> None:
    chain = sandbox.evm_chains[0]
    right = venue_of(chain, http)
    venue = venue_on(EvmRpc("http://127.0.0.1:1", http, "eth", 1.0), right.pools.deployment, right.stables)
    with pytest.raises(SourceUnavailable, match="onchain: eth"):
        await OnChain({chain.id: venue}, lambda: NOW).prices([(chain.id, chain.tokens["WETH"].address)])
    elsewhere = replace(right.pools.deployment, multicall=chain.tokens["USDC"].address)
    wrong = venue_on(right.rpc, elsewhere, right.stables)
    with pytest.raises(SourceUnavailable):
        await OnChain({chain.id: wrong}, lambda: NOW).prices([(chain.id, chain.tokens["WETH"].address)])


async def test_a_book_on_the_sandbox(sandbox: Sandbox, http: HttpClient) -> None:
    sandboxed, clock = sandbox.evm_chains[0], Clock(NOW)
    weth = sandboxed.tokens["WETH"].address
    native = Token(sandboxed.id, NATIVE_EVM, "ETH", 18, "Ether")
    chain = Chain(sandboxed.id, "eth", "Ethereum", ChainType.EVM, native, mainnet=False, wrapped_native=weth)
    source = OnChain({sandboxed.id: venue_of(sandboxed, http)}, clock)
    book = PriceBook([chain], [ThrottledSource(source)], clock)
    book.read(sandboxed.id, NATIVE_EVM)
    book.read(sandboxed.id, sandboxed.tokens["WBTC"].address)
    assert await book.refresh_due() == 2
    ether, bitcoin = book.read(sandboxed.id, NATIVE_EVM), book.read(sandboxed.id, sandboxed.tokens["WBTC"].address)
    assert (ether.source, ether.stale, ether.token) == ("onchain", False, NATIVE_EVM)
    assert ether.usd is not None
    assert bitcoin.usd is not None
    assert off(ether.usd, 3000) < Decimal("0.01")
    assert off(bitcoin.usd, 60_000) < Decimal("0.01")


PAIR = pair_of("0x" + "11" * 20, "0x" + "22" * 20)
POOL = Pool(PoolKind.V3, "0x" + "33" * 20, *PAIR, 500, 10)


reserves = st.integers(10**3, 10**30)


weights = st.lists(
    st.tuples(st.fractions("0.01", 10**6), st.fractions(0, 10**9)),
    max_size=8,
)
