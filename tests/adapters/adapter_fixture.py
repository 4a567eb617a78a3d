"""An adapter against its emulator on the sandbox: quotes, transactions sent, what arrives, here or elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest_asyncio
from pydantic import TypeAdapter

from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator, Outcome
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.svm import SvmDraft
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.routing.evm.router_call import RouterOrder, router_call
from tests.clocks import leaping

RECEIVER = "0x00000000000000000000000000000000000A11cE"
SLIPPAGE = Fraction(5, 1000)
PATIENCE_S = 60.0
Place = str | tuple[str, str]
"""A token by its chain and its symbol, or by its symbol on the first chain."""


def with_minimum(quote: Quote[Any]) -> Quote[Any]:
    """The quote with half a percent of tolerance, or with what the upstream guarantees by itself."""
    if quote.min_output_amount is not None:
        return quote
    return replace(quote, min_output_amount=quote.output_amount - int(quote.output_amount * SLIPPAGE))


@dataclass(frozen=True)
class AdapterFixture:
    adapter: Any
    emulator: Emulator
    chains: Mapping[str, Chain]
    tokens: Mapping[tuple[str, str], Token]
    rpcs: Mapping[str, EvmRpc]
    account: str
    others: tuple[str, ...]
    world: World

    @property
    def chain(self) -> Chain:
        """The first chain, where exchanges are tested."""
        return self.chains["sbxa"]

    def request(self, origin: Place, destination: Place, amount: int, *, direct: bool = True) -> QuoteRequest:
        """The wallet calls by itself, or the Executor does, who has the output of a swap; else the receiver is paid."""
        sold, bought = (
            self.tokens[("sbxa", place) if isinstance(place, str) else place] for place in (origin, destination)
        )
        chains = {chain.id: chain for chain in self.chains.values()}
        executor = chains[sold.chain_id].executor
        assert executor is not None
        return QuoteRequest(
            chains[sold.chain_id], chains[bought.chain_id], sold, bought, amount,
            sender=self.account, receiver=RECEIVER, taker=self.account if direct else executor,
            payout_address=RECEIVER if direct or sold.chain_id != bought.chain_id else executor,
            slippage=SLIPPAGE, deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip

    async def built(self, quote: Quote[Any]) -> tuple[Quote[Any], EvmTransaction]:
        """The quote with its minimum, and the transaction."""
        bound = with_minimum(quote)
        made = await self.adapter.build(bound)
        assert isinstance(made, EvmTransaction)
        return bound, made

    async def quoted(self, request: QuoteRequest) -> tuple[Quote[Any], EvmTransaction]:
        """The answer to a request, with its transaction as ``built``."""
        return await self.built(await self.adapter.quote(request))

    async def started(self, request: QuoteRequest) -> tuple[Quote[Any], Transfer]:
        """The answer to a request, and the transfer that its transaction began."""
        quote, transaction = await self.quoted(request)
        return quote, await self.execute(quote, transaction)

    async def delivered(self, request: QuoteRequest) -> "Delivered":
        """Ask, send, and wait until it has arrived."""
        before = await self.balance(request.destination_token, request.receiver)
        quote, transaction = await self.quoted(request)
        transfer = await self.execute(quote, transaction)
        status = await self.followed(transfer, TransferState.SUCCESS)
        assert status.destination_tx_hash is not None
        gained = await self.balance(request.destination_token, request.receiver) - before
        assert gained >= (quote.min_output_amount or 0) > 0
        return Delivered(quote, transaction, transfer, status, gained)

    async def balance(self, token: Token, owner: str) -> int:
        rpc = self.rpcs[{chain.id: key for key, chain in self.chains.items()}[token.chain_id]]
        return await balance_of(rpc, token.address, owner)

    async def send(self, chain: str, to: str, data: bytes, value: int = 0, sender: str | None = None) -> str:
        """Send from the account, which the node has unlocked; its hash. A revert raises RpcError."""
        account = sender or self.account
        call = {"from": account, "to": to, "data": "0x" + data.hex(), "value": hex(value), "gas": hex(5_000_000)}
        await self.rpcs[chain].call("eth_call", [call, "latest"])
        receipt = await self.rpcs[chain].call("eth_sendTransactionSync", [call])
        assert isinstance(receipt, dict)
        assert quantity(receipt["status"]) == 1
        return str(receipt["transactionHash"])

    @staticmethod
    def payment(receiver: str, amount: int) -> bytes:
        return encode_call("transfer(address,uint256)", ["address", "uint256"], [receiver, amount])

    @staticmethod
    def approval(spender: str, amount: int) -> bytes:
        return encode_call("approve(address,uint256)", ["address", "uint256"], [spender, amount])

    async def execute(self, quote: Quote[Any], transaction: EvmTransaction) -> Transfer:
        """Approve and send a wallet's transaction, a payment as the transfer it is; the transfer it began."""
        request = quote.request
        if transaction.spender is not None:
            data = self.approval(transaction.spender, request.amount)
            await self.send(request.origin.key, request.origin_token.address, data)
        to, data = transaction.to, transaction.data
        if transaction.kind is CallKind.PAY:
            to, data = request.origin_token.address, self.payment(transaction.to, request.amount)
        tx_hash = await self.send(request.origin.key, to, data, transaction.value)
        return self.begun(quote, transaction, tx_hash)

    async def swapped(self, quote: Quote[Any], transaction: EvmTransaction) -> int:
        """Approve and send a wallet's swap; what the receiver gained."""
        before = await self.balance(quote.request.destination_token, RECEIVER)
        await self.execute(quote, transaction)
        return await self.balance(quote.request.destination_token, RECEIVER) - before

    @staticmethod
    def routed(quote: Quote[Any], upstream: EvmTransaction) -> EvmTransaction:
        """The wallet's call of the Diamond, whose Executor makes the upstream's call."""
        request = quote.request
        order = RouterOrder(
            bytes(32), request.origin, None, quote.adapter, RECEIVER, request.origin_token.address, request.amount,
            request.amount, request.destination_token.address, quote.min_output_amount or 0, request.deadline,
            quote.native_fee, (),
        )  # fmt: skip
        return router_call(order, upstream)

    @staticmethod
    def begun(quote: Quote[Any], transaction: EvmTransaction | SvmDraft, tx_hash: str) -> Transfer:
        """The transfer that a transaction on the origin chain began."""
        request = quote.request
        return Transfer(
            quote.adapter, request.origin.id, request.destination.id, tx_hash, -1, request.sender, request.receiver,
            request.sender, request.origin_token.address, request.amount, request.destination_token.address,
            quote.min_output_amount or 0, transaction.reference, system_clock(),
        )  # fmt: skip

    async def comes_back_without_gas(self, request: QuoteRequest) -> None:
        """Have the bridge refund the request's transfer: all of the input comes back, and no native arrives."""
        self.emulator.behaviour.outcome = Outcome.REFUND
        native = request.destination.native
        had, before = await self.balance(request.origin_token, self.account), await self.balance(native, RECEIVER)
        _, transfer = await self.started(request)
        await self.followed(transfer, TransferState.REFUNDED)
        assert await self.balance(request.origin_token, self.account) == had
        assert await self.balance(native, RECEIVER) == before

    async def followed(self, transfer: Transfer, *states: TransferState) -> TransferStatus:
        """Ask until the transfer is in one of these states; the patience is for a machine that is busy."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                status: TransferStatus = await self.adapter.status(transfer)
                if status.state in states:
                    return status
                await asyncio.sleep(0.05)


@dataclass(frozen=True)
class Delivered:
    """A transfer that has arrived; the receiver gained ``gained``, which is the quote's minimum or more."""

    quote: Quote[Any]
    transaction: EvmTransaction
    transfer: Transfer
    status: TransferStatus
    gained: int


@asynccontextmanager
async def open_adapter(
    sandbox: Sandbox, spec: AdapterSpec[Any], emulator_class: type[Emulator]
) -> AsyncIterator[AdapterFixture]:
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(running_world(sandbox))
        emulators = await stack.enter_async_context(running_emulators(world, [emulator_class]))
        emulator = emulators[spec.key]
        credentials = emulator.credentials()
        http = await stack.enter_async_context(
            open_upstream(spec.key, emulator.url, headers=spec.headers(credentials), timeout_s=spec.timeout_s)
        )
        more = {
            name: await stack.enter_async_context(open_upstream(spec.key, url))
            for name, url in emulator.more_urls().items()
        }
        reader: TypeAdapter[Any] = TypeAdapter(spec.deployment)
        places = {number: reader.validate_python(fields) for number, fields in emulator.deployments().items()}
        chains = {number: _chain(world, number) for number in world.chains}
        nodes = {number: replace(node.rpc, moment=Moment(leaping())) for number, node in world.nodes.items()}
        parts = AdapterContext(
            spec.key, http, places, world.rpcs, chains, system_clock, credentials, more, svm_rpcs=nodes
        )  # fmt: skip
        yield AdapterFixture(
            spec.make(parts),
            emulator,
            {chain.key: chain for chain in chains.values()},
            _tokens(world, chains),
            {world.chain(number).key: rpc for number, rpc in world.rpcs.items()},
            sandbox.accounts[0].address,
            tuple(each.address for each in sandbox.accounts[1:]),
            world,
        )


def stub_upstream_of(opened: Callable[[], AbstractAsyncContextManager[Any]]) -> Any:
    """The fixture ``stub_upstream`` of one adapter: it runs against recorded answers."""

    @pytest_asyncio.fixture
    async def stub_upstream() -> AsyncIterator[Any]:
        async with opened() as stub:
            yield stub

    return stub_upstream


def adapter_fixture_of(spec: AdapterSpec[Any], emulator_class: type[Emulator]) -> Any:
    """The fixture ``adapter_fixture`` of one adapter, for the conftest of its tests."""

    @pytest_asyncio.fixture
    async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
        async with open_adapter(restored_sandbox, spec, emulator_class) as opened:
            yield opened

    return adapter_fixture


def _chain(world: World, number: int) -> Chain:
    chain = world.chain(number)
    if chain.type is ChainType.SVM:
        sol = Token(number, NATIVE_SVM, "SOL", 9, "Solana")
        return Chain(number, chain.key, chain.name, ChainType.SVM, sol, mainnet=False, wrapped_native=WRAPPED_SOL)
    native = Token(number, NATIVE_EVM, "ETH", 18, "Ether")
    return Chain(
        number, chain.key, chain.name, ChainType.EVM, native, mainnet=False,
        wrapped_native=chain.contracts["weth9"], diamond=chain.contracts["diamond"],
        executor=chain.contracts["executor"], receiver=chain.contracts["receiver"],
    )  # fmt: skip


def _tokens(world: World, chains: Mapping[int, Chain]) -> dict[tuple[str, str], Token]:
    listed = {
        (chain.key, symbol): Token(number, token.address, symbol, token.decimals, symbol)
        for number, chain in world.chains.items()
        for symbol, token in chain.tokens.items()
    }
    return listed | {(chain.key, chain.native.symbol): chain.native for chain in chains.values()}
