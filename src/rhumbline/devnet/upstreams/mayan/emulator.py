"""An emulator of Mayan: the price API and the explorer in one, its contracts, and relayers that deliver.

By swap-sdk 15.2.0, the contracts of swap-bridge, and what public clients tell of the live service, read 2026-11-21.
Five emulators, because there are five adapters; the API is one and the same, each has protocol contracts of its own.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from types import MappingProxyType

from aiohttp import web
from eth_utils.crypto import keccak

from rhumbline.devnet.upstreams.behaviour import Fails, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.mayan.deployments import (
    BUILDS,
    CONTRACTS,
    FEE_MANAGER,
    FORWARDER,
    KINDS,
    PROXY,
    SHARE_BPS,
    STRANGER,
    Asset,
    Place,
    asset_of,
    contracts_of,
    places_of,
    programs_of,
    wrapping,
)
from rhumbline.devnet.upstreams.mayan.failures import FAILURES, QUOTE, SCAN, SWAP
from rhumbline.devnet.upstreams.mayan.offers import Desk
from rhumbline.devnet.upstreams.mayan.quotes import slippage_of, written
from rhumbline.devnet.upstreams.mayan.svm_instructions import solana_orders
from rhumbline.devnet.upstreams.mayan.transfers import WORDS, Book, Relayers, forced, told
from rhumbline.devnet.upstreams.solver import Deposit, Payment
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World

API_KEY = "sandbox-mayan-key"
_AMOUNT = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_VERSION = re.compile(r"[0-9]+_[0-9]+_[0-9]+\Z", re.ASCII)
_FLAGS = MappingProxyType({"SWIFT": "swift", "MCTP": "mctp", "FAST_MCTP": "fastMctp", "WH": "wormhole"})
_BOOLEANS = frozenset({*_FLAGS.values(), "monoChain", "shuttle", "gasless", "onlyDirect", "fullList"})
_ASKED = _BOOLEANS | {
    "guaranteedOutput", "solanaProgram", "forwarderAddress", "amountIn64", "fromToken", "toToken", "fromChain",
    "toChain", "slippageBps", "referrer", "referrerBps", "gasDrop", "destinationAddress", "sdkVersion", "apiKey",
}  # fmt: skip
_SWAPPED = frozenset({
    "forwarderAddress", "slippageBps", "referrerAddress", "fromToken", "middleToken", "chainName", "amountIn64",
    "sdkVersion", "apiKey",
})  # fmt: skip
_PROGRAM = "FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf"
_SMALLEST_USD = 10_000
_FIELDS = MappingProxyType({"SWIFT": "swift", "MCTP": "mctp", "FAST_MCTP": "fast_mctp", "WH": "wormhole"})


class Mayan(Emulator):
    """Mayan between the sandbox's chains."""

    key = "MAYAN"
    failures = FAILURES
    statuses = WORDS
    lies = frozenset(Lie) - {Lie.OTHER_SPENDER, Lie.OTHER_REFUND}

    def __init__(self, world: World) -> None:
        """Keep chains, contracts and relayers ready."""
        super().__init__(world)
        self.places = places_of(world)
        self.protocols, self.programs = contracts_of(self.key), programs_of(self.key)
        self.desk = Desk(world.market, self.protocols, self.programs)
        kinds = {address: kind for each in (self.protocols, self.programs) for kind, address in each.items()}
        self.book = Book(self.desk, kinds, self.places)
        watched = {number: frozenset(self.protocols.values()) for number in world.evm_chains}
        self.relayers = Relayers(world, watched, self._terms, lambda: self.behaviour, book=self.book)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return the price API's endpoints and the explorer's."""
        return [
            web.get(QUOTE, self._quote),
            web.get(f"{SWAP}/evm", self._swap),
            web.get(SCAN + "{name}", self._transfer),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return the chains with their tokens, contracts and programs."""
        return {number: self._deployment(place) for number, place in self.places.items()}

    def _deployment(self, place: Place) -> Mapping[str, object]:
        usual = {"name": place.name, "wormhole_id": place.wormhole, "cctp_domain": place.domain, "usdc": place.usdc}
        if place.on_solana:
            programs = {_FIELDS[kind]: (address,) for kind, address in self.programs.items()}
            return usual | programs | {"dollars": (place.usdc,), "native_decimals": 9, "largest_message_fee": 10**7}
        contracts = {_FIELDS[kind]: (address,) for kind, address in self.protocols.items()}
        return (
            usual
            | contracts
            | {
                "middles": ((place.usdc, 6), (place.weth, 18)),
                "routers": (place.chain.contracts["swap_router_02"],),
                # Here the contract keeps what it would hand to the token bridge.
                "token_bridge": self.protocols["WH"],
                "dollars": (place.usdc,),
            }
        )

    def more_urls(self) -> Mapping[str, str]:
        """Return where the explorer is: here too."""
        return {"explorer": self.url}

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        """Return the Forwarder where the real one is, and the protocols."""
        protocols = {self.protocols[kind]: CONTRACTS[kind] for kind in KINDS}
        return {number: {FORWARDER: "MayanForwarder", **protocols} for number in self.world.evm_chains}

    async def install(self) -> None:
        """Put the contracts in place with what they know: lists, chain, share, USDC, price of a message."""
        await super().install()
        for node in self.world.nodes.values():
            await node.install_program(PROXY, "mayan_proxy")
            await node.install_program(FEE_MANAGER, "mayan_fees")
            for kind, address in self.programs.items():
                await node.install_program(address, BUILDS[kind])
        for number in self.world.evm_chains:
            place = self.places[number]
            await self.world.store(number, FORWARDER, _listed(place.chain.contracts["swap_router_02"], 0), 1)
            for address in self.protocols.values():
                await self.world.store(number, FORWARDER, _listed(address, 1), 1)
            stored = [
                ("SWIFT", (place.wormhole, SHARE_BPS)),
                ("MCTP", (int(place.usdc, 16), place.message_fee)),
                ("FAST_MCTP", (int(place.usdc, 16),)),
                ("WH", (place.message_fee,)),
            ]
            for kind, values in stored:
                for slot, value in enumerate(values):
                    await self.world.store(number, self.protocols[kind], slot, value)

    async def run(self) -> None:
        """Deliver what is deposited."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.relayers.run())
            for number, node in self.world.nodes.items():
                for kind, address in self.programs.items():
                    group.create_task(self._watch(solana_orders(number, node, address, kind)))

    async def _watch(self, orders: AsyncIterator[Deposit]) -> None:
        async for deposit in orders:
            self.relayers.take(deposit)

    async def _terms(self, deposit: Deposit) -> Payment:
        return await self.book.payment(deposit)

    async def _quote(self, request: web.Request) -> web.Response:
        query = self._query(request, _ASKED)
        if any(query[name] not in ("true", "false") for name in query.keys() & _BOOLEANS):
            raise Fails("bad_request")
        kinds = [kind for kind in KINDS if query.get(_FLAGS[kind]) == "true"]
        origin, destination = (self._asset(query, side) for side in ("from", "to"))
        if origin is None or destination is None or origin.place is destination.place:
            raise Fails("route_not_found")
        amount, slippage = self._amount(query), slippage_of(query)
        if query.get("forwarderAddress") != FORWARDER or query.get("solanaProgram") != _PROGRAM:
            raise Fails("bad_request")
        there = destination.place
        if not there.has_form(query.get("destinationAddress", there.stranger)):
            raise Fails("bad_request")
        await self._large_enough(origin, amount)
        quotes = []
        for kind in kinds:
            try:
                offer = await self.desk.offer(kind, origin, destination, amount, slippage)
            except NoMarket:
                continue
            quotes.append(written(kind, (origin, destination), amount, slippage, offer, self.behaviour.lie))
        if not quotes:
            raise Fails("route_not_found")
        return answer({"quotes": quotes, "minimumSdkVersion": [7, 0, 0]})

    async def _swap(self, request: web.Request) -> web.Response:
        query = self._query(request, _SWAPPED)
        place = self._place(query.get("chainName", ""))
        if place.on_solana:
            raise Fails("bad_request")
        origin, middle = (asset_of(place, query.get(name, "")) for name in ("fromToken", "middleToken"))
        if origin is None or middle is None:
            raise Fails("route_not_found")
        if query.get("forwarderAddress") != FORWARDER:
            raise Fails("bad_request")
        amount, slippage = self._amount(query), slippage_of(query)
        traded = amount // 2 if self.tells(Lie.WORSE_OUTPUT) else amount
        recipient = STRANGER if self.tells(Lie.OTHER_RECEIVER) else FORWARDER
        if origin.is_native and middle.address == place.weth:
            router, data = wrapping(place.chain.contracts["swap_router_02"], middle.address, traded, recipient)
        else:
            try:
                trade = await self.world.market.quote(place.chain.id, origin.address, middle.address, traded)
            except NoMarket:
                raise Fails("route_not_found") from None
            router, data = trade.calldata(recipient, trade.amount_out * (10_000 - slippage) // 10_000)
        entry = STRANGER if self.tells(Lie.OTHER_ENTRY) else router
        return answer({"swapRouterAddress": entry, "swapRouterCalldata": "0x" + data.hex()})

    async def _transfer(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        name = name.lower() if name[:2] in ("0x", "0X") else name
        dealing = self.relayers.deposits.get(name) or self.relayers.of_transaction(name)
        word = self.behaviour.status
        if dealing is not None:
            return answer(told(self.book, dealing, word))
        if word is None:
            raise Fails("not_found")
        status, client = forced(word)
        return answer({"id": secrets.token_hex(16), "status": status, "clientStatus": client})

    def _query(self, request: web.Request, known: frozenset[str]) -> dict[str, str]:
        """Return the query if it has no unknown or doubled name, the right version and no wrong key."""
        pairs = received(request).query
        query = dict(pairs)
        if not _VERSION.match(query.get("sdkVersion", "")) or int(query["sdkVersion"].split("_")[0]) < 7:
            raise Fails("sdk_version")
        if len(query) != len(pairs) or not query.keys() <= known:
            raise Fails("bad_request")
        if query.get("apiKey", API_KEY) != API_KEY:
            raise Fails("unauthorized")
        return query

    def _place(self, name: str) -> Place:
        """Find a chain by its name, in its own case."""
        for place in self.places.values():
            if place.name == name:
                return place
        raise Fails("internal")

    def _asset(self, query: Mapping[str, str], side: str) -> Asset | None:
        return asset_of(self._place(query.get(f"{side}Chain", "")), query.get(f"{side}Token", ""))

    def _amount(self, query: Mapping[str, str]) -> int:
        if not _AMOUNT.match(query.get("amountIn64", "")):
            raise Fails("bad_request")
        return int(query["amountIn64"])

    async def _large_enough(self, origin: Asset, amount: int) -> None:
        """Refuse what is worth less than a cent, and say what would do."""
        place, worth = origin.place, amount
        if origin.address != place.usdc:
            try:
                trade = await self.world.market.quote(place.chain.id, origin.address, place.usdc, amount)
            except NoMarket:
                worth = 0
            else:
                worth = trade.amount_out
        if worth < _SMALLEST_USD:
            body = {
                "code": "AMOUNT_TOO_SMALL",
                "message": "Amount too small",
                "data": {"minAmountIn": amount * _SMALLEST_USD / max(1, worth) / 10**origin.decimals},
            }
            raise Fails("amount_too_small", body)


class MayanSwift(Mayan):
    """Mayan as the adapter of SWIFT alone meets it."""

    key = "MAYAN_SWIFT"


class MayanMctp(Mayan):
    """Mayan as the adapter of MCTP alone meets it."""

    key = "MAYAN_MCTP"


class MayanFastMctp(Mayan):
    """Mayan as the adapter of FAST_MCTP alone meets it."""

    key = "MAYAN_FAST_MCTP"


class MayanWormhole(Mayan):
    """Mayan as the adapter of WORMHOLE alone meets it: without swaps on the origin, one lie has no place."""

    key = "MAYAN_WORMHOLE"
    lies = Mayan.lies - {Lie.WORSE_OUTPUT}


def _listed(address: str, slot: int) -> int:
    """Return where a mapping of addresses in a slot keeps what it says of one."""
    return int.from_bytes(keccak(int(address, 16).to_bytes(32) + slot.to_bytes(32)))
