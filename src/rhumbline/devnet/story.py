"""The demo: a client that knows only ``.rhumbline/sandbox.json``.

Each chapter asks the service over HTTP, signs and sends the answer, and then trusts only the chains: the receiver's
balance before and after, and what the wallet got back if a bridge failed.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

from rhumbline.devnet.scenarios import NATIVE, Scenario
from rhumbline.devnet.wallets import ChainClient, Receipt, TransactionFailed, Wallet
from rhumbline.devnet.wings import open_chain
from rhumbline.domain.amount import format_amount
from rhumbline.domain.chain import ChainType, native_marker
from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import Reply

TRACKING_DEADLINE_S = 60.0
_PATIENCE_S = 300.0
_LARGEST_BYTES = 32 * 1024 * 1024
_FEE_WALLETS: Mapping[ChainType, str] = MappingProxyType({ChainType.EVM: "wallet", ChainType.SVM: "svm_wallet"})
"""The names of an integrator's wallets in the sandbox's file."""
Say = Callable[[str], None]
Json = Mapping[str, Any]


class StoryFailed(Exception):
    """A chapter's result is not what was promised."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """What was promised and what arrived, in raw units of ``symbol``; ``seconds`` from the request to the end.

    ``simulated`` is None if the output arrives on another chain; ``arrived`` is the amount returned by a refund.
    """

    title: str
    adapter: str
    symbol: str
    decimals: int
    sent: str
    promised: int
    minimum: int
    simulated: int | None
    arrived: int
    seconds: float
    status: str
    tx_hash: str
    pools: tuple[str, ...] = ()
    """The share of the input that each pool takes, if that was requested."""


@dataclass(frozen=True, slots=True)
class _Scene:
    """One scenario on its chains."""

    scenario: Scenario
    here: Json
    there: Json
    origin: str
    destination: str
    wallet: Wallet
    receiver: str
    near: ChainClient
    far: ChainClient
    fee_wallet: str

    async def balances(self) -> tuple[int, int, int]:
        """Read the balances: output at the receiver, input at the integrator, input at the wallet."""
        return await asyncio.gather(
            self.far.balance_of(self.destination, self.receiver),
            self.near.balance_of(self.origin, self.fee_wallet),
            self.near.balance_of(self.origin, self.wallet.address),
        )


@dataclass(frozen=True, slots=True)
class Storyteller:
    """Plays chapters against a service; ``sandbox`` is the content of the sandbox's file."""

    sandbox: Json
    http: HttpClient
    say: Say

    async def tell(self, scenario: Scenario) -> Chapter:
        """Play one chapter; raise StoryFailed if a promise is not kept."""
        started = time.monotonic()
        scene = self._scene(scenario)
        self.say(f"{scenario.title}: asking for a quote")
        quote = await self._quote(scene)
        if "approvalAddress" in quote:
            self.say(f"{scenario.title}: approving exactly what is spent")
            await scene.wallet.approve(scene.origin, quote["approvalAddress"], scenario.amount)
            quote = await self._quote(scene)
        if scenario.adapter is not None and quote["adapter"] != scenario.adapter:
            raise StoryFailed(f"{scenario.title}: {quote['adapter']} answered where {scenario.adapter} was asked")
        pools = _pools(scenario, quote) if scenario.kinds else ()
        if scenario.refunded:
            await self._tell_emulator(quote["adapter"], "refund")
        before = await scene.balances()
        self.say(f"{scenario.title}: signing and sending")
        receipt = await _send(scene.wallet, quote, scenario.title)
        self.say(f"{scenario.title}: waiting for the record")
        record = await self._record(quote["transactionId"], receipt, "refunded" if scenario.refunded else "success")
        arrived = await self._arrived(scene, quote, before)
        if scenario.refunded:
            await self._tell_emulator(quote["adapter"], "deliver")
        symbol, decimals = _described(
            *((scene.here, scenario.origin) if scenario.refunded else (scene.there, scenario.destination))
        )
        simulated = quote["simulation"].get("simulatedOutputAmount")
        return Chapter(
            title=scenario.title,
            adapter=quote["adapter"],
            symbol=symbol,
            decimals=decimals,
            sent=f"{format_amount(scenario.amount, _described(scene.here, scenario.origin)[1])} {scenario.origin}",
            promised=int(quote["outputAmount"]),
            minimum=int(quote["minOutputAmount"]),
            simulated=None if simulated is None else int(simulated),
            arrived=arrived,
            seconds=time.monotonic() - started,
            status=record["status"],
            tx_hash=receipt.tx_hash,
            pools=pools,
        )

    async def tools(self) -> Mapping[str, Any]:
        """Return the list of tools."""
        return await self._get("/v1/tools", {})

    async def everybody(self, scenario: Scenario) -> Json:
        """Request a scenario's quote from every adapter; return the best answer."""
        return await self._quote(self._scene(scenario))

    def _scene(self, scenario: Scenario) -> _Scene:
        here, there = self._chain(scenario.chain), self._chain(scenario.there)
        near = open_chain(here, self.http)
        wallet = near.wallet(self._account(here, 0)["private_key"])
        return _Scene(
            scenario,
            here,
            there,
            _address(here, scenario.origin),
            _address(there, scenario.destination),
            wallet,
            wallet.address if scenario.to_self else self._account(there, 1)["address"],
            near,
            open_chain(there, self.http),
            self.sandbox["integrator"][_FEE_WALLETS[ChainType(here["type"])]],
        )

    def _chain(self, key: str) -> Json:
        found: Json = next(item for item in self.sandbox["chains"] if item["key"] == key)
        return found

    def _account(self, chain: Json, index: int) -> Json:
        found: Json = self.sandbox["accounts"][chain["type"].lower()][index]
        return found

    async def _quote(self, scene: _Scene) -> dict[str, Any]:
        scenario = scene.scenario
        parameters = {
            "senderAddress": scene.wallet.address,
            "receiverAddress": scene.receiver,
            "originChainId": str(scene.here["id"]),
            "destinationChainId": str(scene.there["id"]),
            "amount": str(scenario.amount),
            "originCurrency": scene.origin,
            "destinationCurrency": scene.destination,
            "integrator": self.sandbox["integrator"]["name"],
        }
        if scenario.with_fee:
            parameters["fee"] = "0.01"
        if scenario.adapter is not None:
            parameters["includeBridges" if scenario.crossing else "includeExchanges"] = scenario.adapter
        return await self._get("/v1/quotes", parameters)

    async def _record(self, transaction_id: str, receipt: Receipt, status: str) -> dict[str, Any]:
        """Wait until a transaction's record has this status; raise StoryFailed for any other final status."""
        deadline = time.monotonic() + TRACKING_DEADLINE_S
        last = "nothing"
        while time.monotonic() < deadline:
            try:
                record = await self._get(f"/v1/transactions/{transaction_id}", {})
            except StoryFailed:
                await asyncio.sleep(0.1)
                continue
            if str(record["sourceTxHash"]).lower() != receipt.tx_hash.lower():
                raise StoryFailed(f"the record of {transaction_id} names another transaction")
            last = str(record["status"])
            if last == status:
                return record
            if last not in ("bridge_pending", "refund_pending"):
                break
            await asyncio.sleep(0.1)
        raise StoryFailed(f"the record of {transaction_id} says {last}, not {status}")

    async def _arrived(self, scene: _Scene, quote: Json, before: tuple[int, int, int]) -> int:
        """Return the amount that arrived, or was refunded; raise StoryFailed if it is not what was promised."""
        scenario, after = scene.scenario, await scene.balances()
        gained, fee, spent = after[0] - before[0], after[1] - before[1], before[2] - after[2]
        if fee != (scenario.amount // 100 if scenario.with_fee else 0):
            raise StoryFailed(f"{scenario.title}: the integrator was paid {fee}")
        if scenario.refunded:
            charged = sum(int(item["amount"]) for item in quote["fees"]["breakdown"] if item["type"] == "app")
            if gained or spent != charged:
                raise StoryFailed(f"{scenario.title}: {spent} are gone, {charged} were charged, and {gained} arrived")
            return scenario.amount - spent
        if gained < int(quote["minOutputAmount"]):
            raise StoryFailed(f"{scenario.title}: {gained} arrived, at least {quote['minOutputAmount']} was promised")
        simulated = quote["simulation"].get("simulatedOutputAmount")
        if simulated is not None and gained != int(simulated):
            raise StoryFailed(f"{scenario.title}: {gained} arrived, the simulation said {simulated}")
        return gained

    async def _tell_emulator(self, key: str, outcome: str) -> None:
        url = self.sandbox["emulators"][key] + "/_control"
        reply = await self._ask("POST", url, body=json.dumps({"outcome": outcome}).encode())
        if reply.status != 200:
            raise StoryFailed(f"the emulator of {key} cannot be told to {outcome}: HTTP {reply.status}")

    async def _get(self, path: str, parameters: Mapping[str, str]) -> dict[str, Any]:
        headers = {"x-api-key": self.sandbox["integrator"]["api_key"]}
        url = f"{self.sandbox['base_url']}{path}?{urlencode(parameters)}"
        reply = await self._ask("GET", url, headers=headers)
        body: dict[str, Any] = json.loads(reply.body or b"{}")
        if reply.status != 200:
            raise StoryFailed(f"GET {path} answered {reply.status}: {body.get('message')} {body.get('details')}")
        return body

    async def _ask(self, method: str, url: str, **what: Any) -> Reply:
        deadline = asyncio.get_running_loop().time() + _PATIENCE_S
        return await self.http.ask(method, url, AnyAnswer(_LARGEST_BYTES), deadline, **what)


def _pools(scenario: Scenario, quote: Json) -> tuple[str, ...]:
    """Return a line for each pool of a split; raise StoryFailed for fewer kinds of pools than required."""
    hops = quote["liquidity"]["hops"]
    kinds = sorted({str(hop["kind"]) for hop in hops})
    if len(kinds) < scenario.kinds:
        raise StoryFailed(f"{scenario.title}: the order is split over {', '.join(kinds)} only")
    return tuple(f"{100 * float(hop['share']):.0f} % of {hop['tokenIn']['symbol']}: {hop['source']}" for hop in hops)


async def _send(wallet: Wallet, quote: Json, title: str) -> Receipt:
    try:
        return await wallet.execute(quote)
    except TransactionFailed as error:
        raise StoryFailed(f"{title}: {error}") from error


def _address(chain: Json, symbol: str) -> str:
    native = native_marker(ChainType(chain["type"]))
    return native if symbol in NATIVE else str(chain["tokens"][symbol]["address"])


def _described(chain: Json, symbol: str) -> tuple[str, int]:
    return symbol, NATIVE.get(symbol) or int(chain["tokens"][symbol]["decimals"])
