"""An emulator of Mayan: price API and explorer in one, its contracts, and relayers that deliver.

Source: swap-sdk 15.2.0, the contracts of swap-bridge, and public clients of the live service, read 2026-11-21. There
are five emulators, one for each adapter; they have the same API, and each has its own protocol contracts.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
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
    LARGEST_DROP,
    PROXY,
    SHARE_BPS,
    STRANGER,
    Asset,
    Deployment,
    asset_of,
    contracts_of,
    deployments_of,
    programs_of,
    wrapping,
)
from rhumbline.devnet.upstreams.mayan.failures import FAILURES, QUOTE, SCAN, SWAP
from rhumbline.devnet.upstreams.mayan.offers import Offers
from rhumbline.devnet.upstreams.mayan.quotes import drop_of, slippage_of, written
from rhumbline.devnet.upstreams.mayan.svm_instructions import solana_orders
from rhumbline.devnet.upstreams.mayan.transfers import WORDS, Orders, Relayers, explorer_answer, forced
from rhumbline.devnet.upstreams.parameters import AMOUNT, BOOLEAN, Form, Parameters, one_of, refusal, text
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World

API_KEY = "sandbox-mayan-key"
_VERSION = re.compile(r"([0-9]+)_[0-9]+_[0-9]+\Z", re.ASCII)
_FLAGS = MappingProxyType({"SWIFT": "swift", "MCTP": "mctp", "FAST_MCTP": "fastMctp", "WH": "wormhole"})


def _parameters(needed: Mapping[str, Form], *others: str, flags: Sequence[str] = ()) -> Parameters:
    known = (*others, "fromToken", "sdkVersion", "slippageBps")
    optional = {**dict.fromkeys(known, text), "apiKey": one_of(API_KEY), **dict.fromkeys(flags, BOOLEAN)}
    wrong = refusal("bad_request", apiKey="unauthorized")
    return Parameters({"amountIn64": AMOUNT, **needed}, optional, wrong=wrong, unknown=refusal("bad_request"))


_QUOTE = _parameters(
    {"forwarderAddress": one_of(FORWARDER), "solanaProgram": one_of("FC4eXxkyrMPTjiYUpp4EAnkmwMbQyZ6NDCh1kfLn6vsf")},
    "guaranteedOutput", "toToken", "fromChain", "toChain", "referrer", "referrerBps", "gasDrop", "destinationAddress",
    flags=(*_FLAGS.values(), "monoChain", "shuttle", "gasless", "onlyDirect", "fullList"),
)  # fmt: skip
_SWAP = _parameters({"forwarderAddress": one_of(FORWARDER)}, "referrerAddress", "middleToken", "chainName")
_SMALLEST_USD = 10_000
_FIELDS = MappingProxyType({"SWIFT": "swift", "MCTP": "mctp", "FAST_MCTP": "fast_mctp", "WH": "wormhole"})


class Mayan(Emulator):
    """Mayan between the sandbox's chains."""

    key = "MAYAN"
    failures = FAILURES
    statuses = WORDS
    lies = frozenset(Lie) - {Lie.OTHER_SPENDER, Lie.OTHER_REFUND}

    def __init__(self, world: World) -> None:
        """Create the table of chains, the contracts' addresses and the relayers."""
        super().__init__(world)
        self.by_chain = deployments_of(world)
        self.protocols, self.programs = contracts_of(self.key), programs_of(self.key)
        self.offers = Offers(world.market, self.protocols, self.programs)
        kinds = {address: kind for each in (self.protocols, self.programs) for kind, address in each.items()}
        self.orders = Orders(self.offers, kinds, self.by_chain)
        watched = {number: frozenset(self.protocols.values()) for number in world.evm_chains}
        told = self.orders.payment, lambda: self.behaviour
        self.relayers = Relayers(world, watched, *told, orders=self.orders, protocols=self.protocols)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get(QUOTE, self._quote),
            web.get(f"{SWAP}/evm", self._swap),
            web.get(SCAN + "{name}", self._transfer),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {number: self._deployment(deployment) for number, deployment in self.by_chain.items()}

    def _deployment(self, deployment: Deployment) -> Mapping[str, object]:
        usual = {
            "name": deployment.name,
            "wormhole_id": deployment.wormhole,
            "cctp_domain": deployment.domain,
            "usdc": deployment.usdc,
        }
        if deployment.on_solana:
            programs = {_FIELDS[kind]: (address,) for kind, address in self.programs.items()}
            return (
                usual | programs | {"dollars": (deployment.usdc,), "native_decimals": 9, "largest_message_fee": 10**7}
            )
        contracts = {_FIELDS[kind]: (address,) for kind, address in self.protocols.items()}
        return (
            usual
            | contracts
            | {
                "middles": ((deployment.usdc, 6), (deployment.weth, 18)),
                "routers": (deployment.chain.contracts["swap_router_02"],),
                # Here the contract keeps what it would pass to the token bridge.
                "token_bridge": self.protocols["WH"],
                "dollars": (deployment.usdc,),
                "largest_drop": LARGEST_DROP,
            }
        )

    def more_urls(self) -> Mapping[str, str]:
        """Return the explorer's URL, which is this server too."""
        return {"explorer": self.url}

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        protocols = {self.protocols[kind]: CONTRACTS[kind] for kind in KINDS}
        return dict.fromkeys(self.world.evm_chains, MappingProxyType({FORWARDER: "MayanForwarder", **protocols}))

    async def install(self) -> None:
        """Install the contracts with their storage: lists, chain, share, USDC, price of a message."""
        await super().install()
        for node in self.world.nodes.values():
            await node.install_program(PROXY, "mayan_proxy")
            await node.install_program(FEE_MANAGER, "mayan_fees")
            for kind, address in self.programs.items():
                await node.install_program(address, BUILDS[kind])
        for number in self.world.evm_chains:
            deployment = self.by_chain[number]
            await self.world.store(number, FORWARDER, _listed(deployment.chain.contracts["swap_router_02"], 0), 1)
            for address in self.protocols.values():
                await self.world.store(number, FORWARDER, _listed(address, 1), 1)
            stored = [
                ("SWIFT", (deployment.wormhole, SHARE_BPS)),
                ("MCTP", (int(deployment.usdc, 16), deployment.message_fee)),
                ("FAST_MCTP", (int(deployment.usdc, 16),)),
                ("WH", (deployment.message_fee,)),
            ]
            for kind, values in stored:
                for slot, value in enumerate(values):
                    await self.world.store(number, self.protocols[kind], slot, value)

    async def run(self) -> None:
        await self.relayers.run(
            solana_orders(number, node, address, kind)
            for number, node in self.world.nodes.items()
            for kind, address in self.programs.items()
        )

    async def _quote(self, request: web.Request) -> web.Response:
        query = _query(request, _QUOTE)
        kinds = [kind for kind in KINDS if query.get(_FLAGS[kind]) == "true"]
        origin, destination = (self._asset(query, side) for side in ("from", "to"))
        if origin is None or destination is None or origin.deployment is destination.deployment:
            raise Fails("route_not_found")
        amount, slippage = int(query["amountIn64"]), slippage_of(query)
        there, drop = destination.deployment, drop_of(query, LARGEST_DROP)
        if not there.has_form(query.get("destinationAddress", there.stranger)):
            raise Fails("bad_request")
        await self._large_enough(origin, amount)
        quotes = []
        for kind in kinds:
            try:
                offer = await self.offers.offer(kind, origin, destination, amount, slippage, drop)
            except NoMarket:
                continue
            assets, lie = (origin, destination), self.behaviour.lie
            quotes.append(written(kind, assets, amount, slippage, offer, lie, drop))
        if not quotes:
            raise Fails("route_not_found")
        return answer({"quotes": quotes, "minimumSdkVersion": [7, 0, 0]})

    async def _swap(self, request: web.Request) -> web.Response:
        query = _query(request, _SWAP)
        deployment = self._named(query.get("chainName", ""))
        if deployment.on_solana:
            raise Fails("bad_request")
        origin, middle = (asset_of(deployment, query.get(name, "")) for name in ("fromToken", "middleToken"))
        if origin is None or middle is None:
            raise Fails("route_not_found")
        amount, slippage = int(query["amountIn64"]), slippage_of(query)
        traded = amount // 2 if self.tells(Lie.WORSE_OUTPUT) else amount
        recipient = STRANGER if self.tells(Lie.OTHER_RECEIVER) else FORWARDER
        if origin.is_native and middle.address == deployment.weth:
            router, data = wrapping(deployment.chain.contracts["swap_router_02"], middle.address, traded, recipient)
        else:
            trade = await self.trade(
                deployment.chain.id, origin.address, middle.address, traded, none="route_not_found"
            )
            router, data = trade.calldata(recipient, trade.amount_out * (10_000 - slippage) // 10_000)
        return answer({"swapRouterAddress": self.entry(router), "swapRouterCalldata": "0x" + data.hex()})

    async def _transfer(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        name = name.lower() if name[:2] in ("0x", "0X") else name
        dealing = self.relayers.deposits.get(name) or self.relayers.of_transaction(name)
        word = self.behaviour.status
        if dealing is not None:
            return answer(explorer_answer(self.orders, dealing, word))
        if word is None:
            raise Fails("not_found")
        status, client = forced(word)
        return answer({"id": secrets.token_hex(16), "status": status, "clientStatus": client})

    def _named(self, name: str) -> Deployment:
        """Find a chain by its name, case-sensitively."""
        for deployment in self.by_chain.values():
            if deployment.name == name:
                return deployment
        raise Fails("internal")

    def _asset(self, query: Mapping[str, str], side: str) -> Asset | None:
        return asset_of(self._named(query.get(f"{side}Chain", "")), query.get(f"{side}Token", ""))

    async def _large_enough(self, origin: Asset, amount: int) -> None:
        """Refuse an amount worth less than a cent, and state the least one."""
        worth = await self.usd(origin.deployment.chain.id, origin.address, amount)
        if worth < _SMALLEST_USD:
            body = {
                "code": "AMOUNT_TOO_SMALL",
                "message": "Amount too small",
                "data": {"minAmountIn": amount * _SMALLEST_USD / max(1, worth) / 10**origin.decimals},
            }
            raise Fails("amount_too_small", body)


class MayanSwift(Mayan):
    """Mayan for the adapter of SWIFT alone."""

    key = "MAYAN_SWIFT"


class MayanMctp(Mayan):
    """Mayan for the adapter of MCTP alone."""

    key = "MAYAN_MCTP"


class MayanFastMctp(Mayan):
    """Mayan for the adapter of FAST_MCTP alone."""

    key = "MAYAN_FAST_MCTP"


class MayanWormhole(Mayan):
    """Mayan for the adapter of WORMHOLE alone: it does not swap on the origin, so one lie does not apply."""

    key = "MAYAN_WORMHOLE"
    lies = Mayan.lies - {Lie.WORSE_OUTPUT}


def _query(request: web.Request, parameters: Parameters) -> dict[str, str]:
    """Return the query, if its SDK version is supported."""
    asked = received(request)
    version = _VERSION.match(dict(asked.query).get("sdkVersion", ""))
    if version is None or int(version[1]) < 7:
        raise Fails("sdk_version")
    return parameters.query(asked)


def _listed(address: str, slot: int) -> int:
    """Return the storage slot of an address's entry in a mapping."""
    return int.from_bytes(keccak(int(address, 16).to_bytes(32) + slot.to_bytes(32)))
