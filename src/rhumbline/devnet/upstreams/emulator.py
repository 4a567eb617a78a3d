"""The base of all emulators.

An emulator speaks its upstream's protocol as the upstream documents it, as strictly. It prices from the sandbox's
pools, and its answers execute: its settlement code is at the addresses that the upstream has on public chains.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.background import until_cancelled
from rhumbline.devnet.upstreams.behaviour import (
    Behaviour,
    EmulatorError,
    Fails,
    Failure,
    Fault,
    Lie,
    Outcome,
    Received,
    read_behaviour,
)
from rhumbline.devnet.upstreams.inverse import input_for
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.trades import STRANGER, NoMarket, Trade
from rhumbline.devnet.upstreams.world import World

__all__ = [
    "Behaviour",
    "Emulator",
    "EmulatorError",
    "Fails",
    "Failure",
    "Fault",
    "Lie",
    "Outcome",
    "Received",
    "answer",
    "received",
]

NOTHING: Mapping[str, str] = MappingProxyType({})
JSON_TYPE = "application/json"
RECEIVED = web.RequestKey("received", Received)


class Emulator(ABC):
    """One upstream. A subclass sets the class attributes, and answers by its `routes`.

    ``key`` is its adapter's key. ``failures`` are the upstream's documented failures by a name of ours, ``statuses``
    the documented words of a bridge's status, ``lies`` the lies it supports. ``secrets`` are the credentials that the
    settings need, which it checks strictly. ``settlements`` are its contracts on every EVM chain: the pinned address,
    and the name in ``solidity/upstreams``; ``svm_programs`` those on Solana: the address, and the name in
    ``devnet/svm/program``. ``no_such_path`` is its failure for an unknown path, an empty 404 without one.
    """

    key: ClassVar[str]
    secrets: ClassVar[Mapping[str, str]] = NOTHING
    settlements: ClassVar[Mapping[str, str]] = NOTHING
    svm_programs: ClassVar[Mapping[str, str]] = NOTHING
    no_such_path: ClassVar[str | None] = None
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType({})
    statuses: ClassVar[tuple[str, ...]] = ()
    lies: ClassVar[frozenset[Lie]] = frozenset()

    def __init__(self, world: World) -> None:
        """Use a `world`; ``url`` is known once it runs, before `install` is called."""
        self.world = world
        self.behaviour = self.behaviour_from({})
        self.requests: list[Received] = []
        self.url = ""

    @abstractmethod
    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return aiohttp's route table: ``[web.get("/quote", self.quote)]``. Handlers use `received` and `answer`."""

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return the fields of the adapter's deployment dataclass by chain ID, as an operator writes them in TOML.

        Empty for an upstream without an adapter.
        """
        return {}

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        return dict.fromkeys(self.world.evm_chains, self.settlements) if self.settlements else {}

    async def install(self) -> None:
        """Install contracts and programs; a subclass adds what is in storage (`World.store`)."""
        for chain_id, contracts in self.contracts().items():
            for address, name in contracts.items():
                await self.world.install_code(chain_id, address, self.world.settlement(name))
        for node in self.world.nodes.values():
            for address, name in self.svm_programs.items():
                await node.install_program(address, name)

    async def run(self) -> None:
        """Do background work until cancelled: a bridge runs its `Solver`; nothing by default."""
        await until_cancelled()

    def more_urls(self) -> Mapping[str, str]:
        """Return the URLs of the upstream's further hosts, by the adapter's names for them; none by default."""
        return NOTHING

    def credentials(self) -> Mapping[str, str]:
        return self.secrets

    def chain_by_key(self, key: str, unknown: str) -> int:
        """Find an EVM chain by its key; raise the failure called ``unknown``."""
        for number, chain in self.world.evm_chains.items():
            if chain.key == key:
                return number
        raise Fails(unknown)

    def chain_by_number(self, digits: str, unknown: str) -> int:
        """Find an EVM chain by its ID in digits; raise the failure called ``unknown``."""
        for number in self.world.evm_chains:
            if str(number) == digits:
                return number
        raise Fails(unknown)

    async def trade(self, chain_id: int, token_in: str, token_out: str, amount: int, *, none: str) -> Trade:
        """Return the pools' best trade; raise the failure called ``none`` if there is no market."""
        try:
            return await self.world.market.quote(chain_id, token_in, token_out, amount)
        except NoMarket:
            raise Fails(none) from None

    async def trade_for(self, chain_id: int, token_in: str, token_out: str, output: int, *, none: str) -> Trade:
        """Return the trade that brings an output; raise the failure called ``none`` if no input does."""

        async def given(amount: int) -> int:
            return (await self.world.market.quote(chain_id, token_in, token_out, amount)).amount_out

        try:
            amount = await input_for(output, given)
        except NoMarket:
            raise Fails(none) from None
        return await self.trade(chain_id, token_in, token_out, amount, none=none)

    async def svm_trade(self, token_in: str, token_out: str, amount: int, *, none: str) -> SvmTrade:
        """Return the best trade on the Solana chain; raise the failure called ``none``."""
        ((number, _),) = self.world.nodes.items()
        trade = await self.trade(number, token_in, token_out, amount, none=none)
        if not isinstance(trade, SvmTrade):
            raise Fails(none)
        return trade

    async def usd(self, chain_id: int, token: str, amount: int) -> int:
        """Return an amount's value in raw units of USDC at the pools' prices; 0 if there is none."""
        dollar = self.world.chain(chain_id).tokens["USDC"].address
        if token == dollar:
            return amount
        try:
            return (await self.world.market.quote(chain_id, token, dollar, amount)).amount_out
        except NoMarket:
            return 0

    def entry(self, address: str) -> str:
        """Return the contract that a transaction calls: a stranger under the lie about it."""
        return STRANGER if self.tells(Lie.OTHER_ENTRY) else address

    def value(self, trade: Trade) -> str:
        """Return a transaction's value in wei: one more under the lie about it."""
        return str(trade.value + (1 if self.tells(Lie.MORE_VALUE) else 0))

    def tells(self, lie: Lie) -> bool:
        """Return whether this lie is active."""
        return self.behaviour.lie is lie

    def behaviour_from(self, document: object) -> Behaviour:
        """Read the behaviour from the control endpoint's JSON, absent keys by their defaults; raise ValueError.

        A subclass adds its own keys by a subclass of `Behaviour`.
        """
        return read_behaviour(document, self.failures, self.statuses)

    def reset(self) -> None:
        """Return to good behaviour and forget all requests."""
        self.behaviour = self.behaviour_from({})
        self.requests.clear()


def answer(body: object, status: int = 200, headers: Mapping[str, str] = NOTHING) -> web.Response:
    """Return a JSON answer. Decimals become JSON numbers as a JavaScript server writes them, doubles."""
    text = json.dumps(body, separators=(",", ":"), default=_number)
    return web.Response(status=status, text=text, headers=headers, content_type=JSON_TYPE)


def received(request: web.Request) -> Received:
    """Return the request in the form of ``requests``."""
    return request[RECEIVED]


def _number(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} in an answer")
