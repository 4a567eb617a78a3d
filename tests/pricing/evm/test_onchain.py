"""Spot prices from the sandbox's pools, and from pools that somebody has tampered with."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.sandbox import Sandbox, SandboxChain
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.pricing.book import PriceBook
from rhumbline.pricing.evm.onchain import OnChain, Venue
from rhumbline.pricing.evm.pools import Market, Pool, found_pools, market, median, pair_of
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.throttled_source import ThrottledSource
from tests.pricing.exchange import NOW, Clock

TRUE = {"WETH": 3000, "WBTC": 60_000, "USDC": 1, "USDT": 1, "DAI": 1, "TAX": 2}


def venue_of(chain: SandboxChain, http: HttpClient) -> Venue:
    return Venue(
        rpc=EvmRpc(chain.rpc_url, http, chain.key, 30.0),
        multicall=chain.contracts["multicall3"],
        stables=tuple(chain.tokens[symbol].address for symbol in ("USDC", "USDT", "DAI")),
        wrapped_native=chain.tokens["WETH"].address,
        v2_factory=chain.contracts["uniswap_v2_factory"],
        v3_factory=chain.contracts["uniswap_v3_factory"],
    )


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
    "changes",
    [{"v3_factory": None}, {"v2_factory": None}, {"wrapped_native": None}, {"stables": 1}],
    ids=["v2 only", "v3 only", "stable coins only", "one stable coin"],
)
async def test_a_part_of_the_venue_is_enough(
    sandbox: Sandbox, http: HttpClient, changes: dict[str, int | None]
) -> None:
    chain = sandbox.evm_chains[0]
    whole = venue_of(chain, http)
    venue = (
        replace(whole, stables=whole.stables[:1])
        if "stables" in changes
        else replace(
            whole,
            v2_factory=None if "v2_factory" in changes else whole.v2_factory,
            v3_factory=None if "v3_factory" in changes else whole.v3_factory,
            wrapped_native=None if "wrapped_native" in changes else whole.wrapped_native,
        )
    )
    source = OnChain({chain.id: venue}, lambda: NOW)
    tokens = [(chain.id, chain.tokens[symbol].address) for symbol in ("WETH", "USDC", "WBTC")]
    found = await source.prices(tokens)
    assert off(found[tokens[0]].usd, 3000) < Decimal("0.01")
    assert off(found[tokens[1]].usd, 1) < Decimal("0.01")
    assert (tokens[2] in found) is ("wrapped_native" not in changes)


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
    pushed = replace(venue, v3_factory=None, stables=(usdc,))
    assert (await OnChain({chain.id: pushed}, lambda: NOW).prices([token]))[token].usd > 20_000


async def test_a_node_that_does_not_answer(http: HttpClient, sandbox: Sandbox) -> None:
    chain = sandbox.evm_chains[0]
    venue = replace(venue_of(chain, http), rpc=EvmRpc("http://127.0.0.1:1", http, "eth", 1.0))
    with pytest.raises(SourceUnavailable, match="onchain: eth"):
        await OnChain({chain.id: venue}, lambda: NOW).prices([(chain.id, chain.tokens["WETH"].address)])
    wrong = replace(venue_of(chain, http), multicall=chain.tokens["USDC"].address)
    with pytest.raises(SourceUnavailable):
        await OnChain({chain.id: wrong}, lambda: NOW).prices([(chain.id, chain.tokens["WETH"].address)])


async def test_a_book_on_the_sandbox(sandbox: Sandbox, http: HttpClient) -> None:
    sandboxed, clock = sandbox.evm_chains[0], Clock()
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
V3 = Pool("0x" + "33" * 20, PAIR, is_v3=True)
V2 = Pool("0x" + "33" * 20, PAIR, is_v3=False)


def word(number: int) -> bytes:
    return number.to_bytes(32)


@pytest.mark.parametrize(
    ("pool", "answers"),
    [
        (V3, (word(0), word(1), word(1), word(1))),
        (V3, (None, word(1), word(1), word(1))),
        (V3, (word(2**96), None, word(1), word(1))),
        (V3, (word(2**96), word(1), b"", word(1))),
        (V2, (None,)),
        (V2, (word(1),)),
        (V2, (word(0) + word(5),)),
        (V2, (word(5) + word(0),)),
    ],
)
def test_what_does_not_answer_as_a_pool_is_none(pool: Pool, answers: tuple[bytes | None, ...]) -> None:
    assert market(pool, answers) is None


def test_tokens_far_from_the_price_do_not_make_a_pool_deep() -> None:
    far = market(V3, (word(2**96), word(10), word(10**30), word(10**30)))
    narrow = market(V3, (word(2**96), word(10**30), word(10), word(10)))
    assert far is not None
    assert narrow is not None
    assert far.reserves == narrow.reserves == (10, 10)


def test_pools_that_are_not_there() -> None:
    assert found_pools(PAIR, (None, word(0), b"", word(1)), has_v2=True) == (
        Pool("0x0000000000000000000000000000000000000001", PAIR, is_v3=True),
    )
    assert [pool.is_v3 for pool in found_pools(PAIR, (word(1), word(2)), has_v2=True)] == [False, True]
    assert [pool.is_v3 for pool in found_pools(PAIR, (word(1),), has_v2=False)] == [True]


reserves = st.integers(10**3, 10**30)


@given(reserves, reserves, st.integers(0, 36), st.integers(0, 36))
def test_both_sides_of_a_pool_agree(reserve0: int, reserve1: int, decimals0: int, decimals1: int) -> None:
    """Pricing one token in the other and back is exact: nothing is rounded before the end."""
    found = market(V2, (word(reserve0) + word(reserve1),))
    assert found == Market(PAIR, Fraction(reserve1, reserve0), (reserve0, reserve1))
    assert found is not None
    decimals = {PAIR[0]: decimals0, PAIR[1]: decimals1}
    there, _ = found.price(PAIR[0], decimals, {PAIR[1]: Fraction(1)})
    back, _ = found.price(PAIR[1], decimals, {PAIR[0]: there})
    assert back == 1


weights = st.lists(
    st.tuples(st.fractions("0.01", 10**6), st.fractions(0, 10**9)),
    max_size=8,
)


@given(weights, st.integers(1, 10**6))
def test_half_of_the_liquidity_is_on_each_side_of_the_median(
    prices: list[tuple[Fraction, Fraction]], least: int
) -> None:
    found = median(prices, Decimal(least))
    deep = [(price, liquidity) for price, liquidity in prices if liquidity >= least]
    if not deep:
        assert found is None
        return
    assert found is not None
    usd = Fraction(found[0])
    exact = max(price for price, _ in deep if price * (1 - Fraction(1, 10**15)) <= usd)
    total = sum(liquidity for _, liquidity in deep)
    assert usd <= exact
    assert sum(liquidity for price, liquidity in deep if price < exact) * 2 <= total
    assert sum(liquidity for price, liquidity in deep if price > exact) * 2 <= total
