"""A bridge's adapter against its emulator on the sandbox: quotes, transactions sent, what arrives on the other side."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest_asyncio
from pydantic import TypeAdapter

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.adapter import Bridge
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream

RECEIVER = "0x00000000000000000000000000000000000A11cE"
SLIPPAGE = Fraction(5, 1000)
PATIENCE_S = 60.0


@dataclass(frozen=True)
class AdapterFixture:
    adapter: Bridge[Any]
    emulator: Emulator
    chains: Mapping[str, Chain]
    tokens: Mapping[tuple[str, str], Token]
    rpcs: Mapping[str, EvmRpc]
    account: str
    others: tuple[str, ...]
    world: World

    def request(
        self, origin: tuple[str, str], destination: tuple[str, str], amount: int, *, direct: bool = True
    ) -> QuoteRequest:
        """Both places by chain and symbol. The wallet calls by itself, or the Executor does; the receiver is paid."""
        chain = self.chains[origin[0]]
        assert chain.executor is not None
        return QuoteRequest(
            chain, self.chains[destination[0]], self.tokens[origin], self.tokens[destination], amount,
            sender=self.account, receiver=RECEIVER, taker=self.account if direct else chain.executor,
            payout_address=RECEIVER, slippage=SLIPPAGE, deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip

    async def built(self, quote: Quote[Any]) -> tuple[Quote[Any], EvmTransaction]:
        """The transaction with half a percent of tolerance, or with what the upstream guarantees by itself."""
        minimum = quote.min_output_amount
        if minimum is None:
            minimum = quote.output_amount - int(quote.output_amount * SLIPPAGE)
        bound = replace(quote, min_output_amount=minimum)
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
        if token.address == NATIVE_EVM:
            return quantity(await rpc.call("eth_getBalance", [owner, "latest"]))
        data = encode_call("balanceOf(address)", ["address"], [owner])
        return int.from_bytes(await rpc.eth_call(token.address, data))

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
            data = encode_call(
                "approve(address,uint256)", ["address", "uint256"], [transaction.spender, request.amount]
            )
            await self.send(request.origin.key, request.origin_token.address, data)
        to, data = transaction.to, transaction.data
        if transaction.kind is CallKind.PAY:
            to, data = request.origin_token.address, self.payment(transaction.to, request.amount)
        tx_hash = await self.send(request.origin.key, to, data, transaction.value)
        return self.begun(quote, transaction, tx_hash)

    def begun(self, quote: Quote[Any], transaction: EvmTransaction, tx_hash: str) -> Transfer:
        """The transfer that a transaction on the origin chain began."""
        request = quote.request
        return Transfer(
            quote.adapter, request.origin.id, request.destination.id, tx_hash, -1, request.sender, request.receiver,
            request.sender, request.origin_token.address, request.amount, request.destination_token.address,
            quote.min_output_amount or 0, transaction.reference, system_clock(),
        )  # fmt: skip

    async def followed(self, transfer: Transfer, *states: TransferState) -> TransferStatus:
        """Ask until the transfer is in one of these states; the patience is for a machine that is busy."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                status = await self.adapter.status(transfer)
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
        headers = spec.headers(credentials)
        http = await stack.enter_async_context(open_upstream(spec.key, emulator.url, headers=headers))
        more = {
            name: await stack.enter_async_context(open_upstream(spec.key, url))
            for name, url in emulator.more_urls().items()
        }
        reader: TypeAdapter[Any] = TypeAdapter(spec.deployment)
        places = {number: reader.validate_python(fields) for number, fields in emulator.deployments().items()}
        chains = {number: _chain(world, number) for number in world.chains}
        nodes = {number: node.rpc for number, node in world.nodes.items()}
        parts = AdapterContext(
            spec.key, http, places, world.rpcs, chains, system_clock, credentials, more, svm_rpcs=nodes
        )  # fmt: skip
        adapter: Any = spec.make(parts)
        yield AdapterFixture(
            adapter,
            emulator,
            {chain.key: chain for chain in chains.values()},
            {(token_chain, token.symbol): token for token_chain, token in _tokens(world, chains)},
            {world.chain(number).key: rpc for number, rpc in world.rpcs.items()},
            sandbox.accounts[0].address,
            tuple(each.address for each in sandbox.accounts[1:]),
            world,
        )


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


def _tokens(world: World, chains: Mapping[int, Chain]) -> list[tuple[str, Token]]:
    found = [(chain.key, chain.native) for chain in chains.values()]
    for number, chain in world.chains.items():
        found += [
            (chain.key, Token(number, token.address, symbol, token.decimals, symbol))
            for symbol, token in chain.tokens.items()
        ]
    return found
