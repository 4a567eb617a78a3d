"""The story that the demo tells: a foreign client that knows nothing but ``.rhumbline/sandbox.json``.

Each chapter asks the service over HTTP, signs what it answers, sends it, and then believes only the chain: what the
receiver had before, and has after.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from rhumbline.devnet.wallet import Receipt, TransactionFailed, Wallet, balance_of
from rhumbline.domain.amount import format_amount
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.gateways.evm.signing import Account

TRACKING_DEADLINE_S = 30.0
Say = Callable[[str], None]
Json = Mapping[str, Any]


class StoryFailed(Exception):
    """Something in the story did not truly happen."""


@dataclass(frozen=True, slots=True)
class Plot:
    """What a chapter wants: ``amount`` in raw units, tokens by symbol (``ETH`` is the native asset)."""

    title: str
    chain: str
    origin: str
    destination: str
    amount: int
    with_fee: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """What was promised and what arrived, in raw units of ``symbol``; ``seconds`` from the question to the record."""

    title: str
    adapter: str
    symbol: str
    decimals: int
    sent: str
    promised: int
    minimum: int
    simulated: int
    arrived: int
    integrator_fee: str
    seconds: float
    status: str
    tx_hash: str


SWAPS = (
    Plot("swap, ERC-20 to native", "sbxa", "USDC", "ETH", 1_500_000_000),
    Plot("swap, native to ERC-20", "sbxa", "ETH", "USDT", 10**18),
    Plot("swap through an anchor, with a fee", "sbxb", "USDT", "WBTC", 2_000_000_000, with_fee=True),
)


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Plays chapters against a service that is described by ``sandbox``, the content of the sandbox's file."""

    sandbox: Json
    session: aiohttp.ClientSession
    say: Say

    async def tell(self, plot: Plot) -> Chapter:
        """Play one chapter; raise StoryFailed where a promise is not kept."""
        started = time.monotonic()
        chain = next(item for item in self.sandbox["chains"] if item["key"] == plot.chain)
        rpc = EvmRpc(chain["rpc_url"], self.session, chain["key"])
        wallet = Wallet(Account.from_key(self.sandbox["accounts"]["evm"][0]["private_key"]), rpc, chain["id"])
        receiver = self.sandbox["accounts"]["evm"][1]["address"]
        fee_wallet = self.sandbox["integrator"]["wallet"]
        origin, _, _ = _token(chain, plot.origin)
        destination, symbol, decimals = _token(chain, plot.destination)

        self.say(f"{plot.title}: asking for a quote")
        quote = await self._quote(plot, chain["id"], wallet.address, receiver, origin, destination)
        if "approvalAddress" in quote:
            self.say(f"{plot.title}: approving exactly what is spent")
            await wallet.approve(origin, quote["approvalAddress"], plot.amount)
            quote = await self._quote(plot, chain["id"], wallet.address, receiver, origin, destination)
        before, fee_before = await asyncio.gather(
            balance_of(rpc, destination, receiver), balance_of(rpc, origin, fee_wallet)
        )
        self.say(f"{plot.title}: signing and sending")
        receipt = await _send(wallet, quote, plot.title)
        after, fee_after = await asyncio.gather(
            balance_of(rpc, destination, receiver), balance_of(rpc, origin, fee_wallet)
        )
        self._check(plot, quote, after - before, fee_after - fee_before)
        self.say(f"{plot.title}: waiting for the record")
        record = await self._record(quote["transactionId"], receipt)
        _, origin_symbol, origin_decimals = _token(chain, plot.origin)
        return Chapter(
            title=plot.title,
            adapter=quote["adapter"],
            symbol=symbol,
            decimals=decimals,
            sent=f"{format_amount(plot.amount, origin_decimals)} {origin_symbol}",
            promised=int(quote["outputAmount"]),
            minimum=int(quote["minOutputAmount"]),
            simulated=int(quote["simulation"]["simulatedOutputAmount"]),
            arrived=after - before,
            integrator_fee=f"{format_amount(fee_after - fee_before, origin_decimals)} {origin_symbol}",
            seconds=time.monotonic() - started,
            status=record["status"],
            tx_hash=receipt.tx_hash,
        )

    async def _quote(
        self, plot: Plot, chain_id: int, sender: str, receiver: str, origin: str, destination: str
    ) -> dict[str, Any]:
        parameters = {
            "senderAddress": sender,
            "receiverAddress": receiver,
            "originChainId": str(chain_id),
            "destinationChainId": str(chain_id),
            "amount": str(plot.amount),
            "originCurrency": origin,
            "destinationCurrency": destination,
            "integrator": self.sandbox["integrator"]["name"],
        }
        if plot.with_fee:
            parameters["fee"] = "0.01"
        return await self._get("/v1/quotes", parameters)

    async def _record(self, transaction_id: str, receipt: Receipt) -> dict[str, Any]:
        deadline = time.monotonic() + TRACKING_DEADLINE_S
        while time.monotonic() < deadline:
            try:
                record = await self._get(f"/v1/transactions/{transaction_id}", {})
            except StoryFailed:
                await asyncio.sleep(0.1)
                continue
            if str(record["sourceTxHash"]).lower() != receipt.tx_hash.lower():
                raise StoryFailed(f"the record of {transaction_id} names another transaction")
            return record
        raise StoryFailed(f"{transaction_id} was not tracked within {TRACKING_DEADLINE_S:.0f} seconds")

    async def _get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any]:
        headers = {"x-api-key": self.sandbox["integrator"]["api_key"]}
        url = self.sandbox["base_url"] + path
        async with self.session.get(url, params=parameters, headers=headers) as response:
            body: dict[str, Any] = await response.json()
            if response.status != 200:
                raise StoryFailed(f"GET {path} answered {response.status}: {body.get('message')} {body.get('details')}")
            return body

    def _check(self, plot: Plot, quote: Json, arrived: int, fee: int) -> None:
        if arrived < int(quote["minOutputAmount"]):
            raise StoryFailed(f"{plot.title}: {arrived} arrived, at least {quote['minOutputAmount']} was promised")
        if arrived != int(quote["simulation"]["simulatedOutputAmount"]):
            raise StoryFailed(f"{plot.title}: {arrived} arrived, the simulation said {quote['simulation']}")
        if fee != (plot.amount // 100 if plot.with_fee else 0):
            raise StoryFailed(f"{plot.title}: the integrator was paid {fee}")


async def _send(wallet: Wallet, quote: Json, title: str) -> Receipt:
    try:
        return await wallet.send(quote["calldata"], quote.get("gas", {}))
    except TransactionFailed as error:
        raise StoryFailed(f"{title}: {error}") from error


def _token(chain: Json, symbol: str) -> tuple[str, str, int]:
    if symbol == "ETH":
        return NATIVE_EVM, symbol, 18
    entry = chain["tokens"][symbol]
    return entry["address"], symbol, entry["decimals"]
