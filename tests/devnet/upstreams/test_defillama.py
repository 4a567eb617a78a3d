"""The emulator of DefiLlama's price API: as its documentation says, and heard by the price source that asks it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import aiohttp
import pytest
from yarl import URL

from rhumbline.devnet.evm.pools import PRICES
from rhumbline.devnet.svm.plans import PRICES as SOLANA_PRICES
from rhumbline.devnet.upstreams.behaviour import Fault
from rhumbline.devnet.upstreams.defillama import KNOWN, DefiLlama, PriceBehaviour
from rhumbline.devnet.upstreams.server import CONTROL
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.price import PriceKey, PriceQuote
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.pricing.source import SourceUnavailable
from rhumbline.pricing.sources.defillama import DefiLlama as Source

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
CHAINS = {900_001: "sbxa", 900_002: "sbxb"}
SOLANA = 900_003
HERE = tuple(symbol for symbol in KNOWN if symbol != "WSOL")


@pytest.fixture
def priced(defillama: DefiLlama, monkeypatch: pytest.MonkeyPatch) -> DefiLlama:
    """At a time that stands still."""
    monkeypatch.setattr(defillama, "clock", lambda: NOW)
    return defillama


async def heard(emulator: DefiLlama, *tokens: PriceKey) -> Mapping[PriceKey, PriceQuote]:
    async with open_upstream("defillama", emulator.url) as upstream:
        return await Source(upstream, interval_s=0, chain_names=emulator.chain_names()).prices(tokens)


async def asked(emulator: DefiLlama, target: str, body: object = None) -> tuple[int, Any]:
    url = URL(emulator.url + target, encoded=True)
    async with (
        aiohttp.ClientSession() as session,
        session.request("GET" if body is None else "POST", url, json=body) as response,
    ):
        return response.status, await response.json()


def address(emulator: DefiLlama, symbol: str, chain_id: int = 900_001) -> str:
    return emulator.world.chain(chain_id).tokens[symbol].address


@pytest.mark.parametrize("chain_id", CHAINS)
async def test_every_listed_token_has_the_price_at_which_the_pools_were_made(priced: DefiLlama, chain_id: int) -> None:
    keys = {symbol: (chain_id, address(priced, symbol, chain_id)) for symbol in (*HERE, "TAX")}
    found = await heard(priced, *keys.values(), (chain_id, NATIVE_EVM))
    expected = {keys[symbol]: PriceQuote(Decimal(PRICES[symbol]) / 100, None, NOW) for symbol in HERE}
    assert found == {**expected, (chain_id, NATIVE_EVM): PriceQuote(Decimal(3000), None, NOW)}
    (request,) = priced.requests[-1:]
    assert request.path.startswith(f"/prices/current/{CHAINS[chain_id]}:0x")


async def test_solanas_tokens_have_prices_by_addresses_in_their_case(priced: DefiLlama) -> None:
    keys = {symbol: (SOLANA, address(priced, symbol, SOLANA)) for symbol in (*KNOWN, "TAX")}
    found = await heard(priced, *keys.values(), (SOLANA, NATIVE_SVM))
    expected = {keys[symbol]: PriceQuote(Decimal(SOLANA_PRICES[symbol]) / 100, None, NOW) for symbol in KNOWN}
    assert found == {**expected, (SOLANA, NATIVE_SVM): PriceQuote(Decimal(150), None, NOW)}
    changed = address(priced, "USDC", SOLANA).swapcase()
    assert (await asked(priced, f"/prices/current/sbxs:{changed}"))[1] in ({"coins": {}}, {"message": "Bad Request"})


async def test_an_answer_is_as_documented(priced: DefiLlama) -> None:
    priced.reset()
    one, other = f"sbxa:{address(priced, 'WBTC')}", f"sbxb:{address(priced, 'USDC', 900_002).lower()}"
    stranger = "sbxa:0x00000000000000000000000000000000000A11cE"
    at = int(NOW.timestamp())
    assert await asked(priced, f"/prices/current/{one},{other},{stranger}?searchWidth=4h") == (
        200,
        {
            "coins": {
                one: {"decimals": 8, "symbol": "WBTC", "price": 60000.0, "timestamp": at, "confidence": 0.99},
                other: {"decimals": 6, "symbol": "USDC", "price": 1.0, "timestamp": at, "confidence": 0.99},
            }
        },
    )


@pytest.mark.parametrize(
    "target",
    [
        "/prices/current/sbxa",
        "/prices/current/sbxa:",
        "/prices/current/sbxa:0x12",
        "/prices/current/ethereum:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        "/prices/current/900001:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
        "/prices/current/sbxa:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2,",
        "/prices/current/sbxa:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2?searchWidth=4",
        "/prices/current/sbxa:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2?searchWidth=0h",
        "/prices/current/sbxa:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2?searchWidth=4h&searchWidth=4h",
        "/prices/current/sbxa:0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2?apikey=1",
    ],
)
async def test_what_is_not_documented_is_refused(priced: DefiLlama, target: str) -> None:
    assert await asked(priced, target) == (400, {"message": "Bad Request"})


async def test_prices_can_be_wrong_by_token_and_by_chain(priced: DefiLlama) -> None:
    tokens = {(number, symbol): (number, address(priced, symbol, number)) for number in CHAINS for symbol in HERE}
    status, said = await asked(priced, CONTROL, {"factors": {"WETH": "1.5", "sbxb:WETH": 0.5, "DAI": 0}})
    assert (status, said["behaviour"]["factors"]) == (200, {"WETH": 1.5, "sbxb:WETH": 0.5, "DAI": 0.0})
    for number in CHAINS:
        found = await heard(priced, *(tokens[number, symbol] for symbol in HERE))
        assert found[tokens[number, "WETH"]].usd == Decimal(4500 if number == 900_001 else 1500)
        assert found[tokens[number, "USDC"]].usd == 1
        assert tokens[number, "DAI"] not in found, "nothing is worth nothing"
    found = await heard(priced, (900_001, NATIVE_EVM))
    assert found[900_001, NATIVE_EVM].usd == Decimal(4500), "the native asset is priced as its wrapped form"
    assert (await asked(priced, CONTROL, {}))[1]["behaviour"]["factors"] == {}


async def test_prices_can_be_old_and_unsure(priced: DefiLlama) -> None:
    key = (900_001, address(priced, "WETH"))
    priced.behaviour = PriceBehaviour(age_s=100)
    assert await heard(priced, key) == {key: PriceQuote(Decimal(3000), None, NOW - timedelta(seconds=100))}
    for age_s, known in ((12 * 3600 - 1, True), (12 * 3600, False)):
        priced.behaviour = PriceBehaviour(age_s=age_s)
        assert (key in await heard(priced, key)) is known
    for confidence, known in (("0.9", True), ("0.89", False)):
        assert (await asked(priced, CONTROL, {"confidence": confidence}))[0] == 200
        assert (key in await heard(priced, key)) is known


@pytest.mark.parametrize("failure", ["bad_request", "rate_limited", "internal", "knows_nothing"])
async def test_every_failure_is_one_for_the_source(priced: DefiLlama, failure: str) -> None:
    key = (900_001, address(priced, "WETH"))
    assert (await asked(priced, CONTROL, {"failure": failure}))[1]["failures"] == list(priced.failures)
    if failure == "knows_nothing":
        assert await heard(priced, key) == {}
        return
    with pytest.raises(SourceUnavailable) as caught:
        await heard(priced, key)
    assert caught.value.retry_after_s == (30 if failure == "rate_limited" else None)


@pytest.mark.parametrize("fault", [Fault.HTML, Fault.HALF, Fault.SERVER_ERROR, Fault.DUPLICATE_KEYS, Fault.REDIRECT])
async def test_faults_are_those_of_every_emulator(priced: DefiLlama, fault: Fault) -> None:
    priced.behaviour = PriceBehaviour(fault=fault)
    with pytest.raises(SourceUnavailable):
        await heard(priced, (900_001, address(priced, "WETH")))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([], "an object"),
        ({"factor": {}}, "an object with some of these keys"),
        ({"factors": []}, "factors: "),
        ({"factors": {"TAX": 2}}, "factors: "),
        ({"factors": {"WETH": -1}}, "factors.WETH: "),
        ({"factors": {"WETH": "NaN"}}, "factors.WETH: "),
        ({"factors": {"WETH": "much"}}, "factors.WETH: "),
        ({"factors": {"WETH": True}}, "factors.WETH: "),
        ({"factors": {"WETH": 1e13}}, "factors.WETH: "),
        ({"age_s": -1}, "age_s: "),
        ({"age_s": None}, "age_s: "),
        ({"confidence": 1.1}, "confidence: "),
        ({"failure": "other"}, "failure: "),
        ({"delay_s": -1}, "delay_s: "),
    ],
)
async def test_a_wrong_switch_is_refused_and_changes_nothing(priced: DefiLlama, wrong: object, words: str) -> None:
    priced.behaviour = PriceBehaviour(age_s=7)
    status, said = await asked(priced, CONTROL, wrong)
    assert status == 400
    assert said["error"].startswith(words)
    assert priced.behaviour == PriceBehaviour(age_s=7)
