"""An exchange's adapter against its emulator on a chain of the sandbox: quotes, transactions sent, balances."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, UpstreamTransaction
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.routing.evm.router_call import RouterOrder, router_call

RECEIVER = "0x00000000000000000000000000000000000A11cE"
HALF_A_PERCENT = Fraction(5, 1000)


@dataclass(frozen=True)
class AdapterFixture:
    adapter: Adapter[Any]
    emulator: Emulator
    chain: Chain
    tokens: dict[str, Token]
    rpc: EvmRpc
    account: str

    def request(self, origin: str, destination: str, amount: int, *, direct: bool = True) -> QuoteRequest:
        """The wallet's own call that pays the receiver, or the Executor's, which pays the Executor."""
        executor = self.chain.executor
        assert executor is not None
        return QuoteRequest(
            self.chain, self.chain, self.tokens[origin], self.tokens[destination], amount,
            sender=self.account, receiver=RECEIVER, taker=self.account if direct else executor,
            payout_address=RECEIVER if direct else executor, slippage=HALF_A_PERCENT,
            deadline=int(system_clock().timestamp()) + 1200,
        )  # fmt: skip

    async def built(self, quote: Quote[Any]) -> tuple[Quote[Any], EvmTransaction]:
        """The transaction with half a percent of tolerance, or with what the upstream guarantees by itself."""
        minimum = quote.min_output_amount
        if minimum is None:
            minimum = quote.output_amount - int(quote.output_amount * HALF_A_PERCENT)
        bound = replace(quote, min_output_amount=minimum)
        made: UpstreamTransaction = await self.adapter.build(bound)
        assert isinstance(made, EvmTransaction)
        return bound, made

    async def quoted(self, origin: str, destination: str, amount: int) -> tuple[Quote[Any], EvmTransaction]:
        """The wallet's own call, as it is quoted and built."""
        return await self.built(await self.adapter.quote(self.request(origin, destination, amount)))

    async def balance(self, token: Token, owner: str) -> int:
        if token.address == NATIVE_EVM:
            return quantity(await self.rpc.call("eth_getBalance", [owner, "latest"]))
        data = encode_call("balanceOf(address)", ["address"], [owner])
        return int.from_bytes(await self.rpc.eth_call(token.address, data))

    async def send(self, to: str, data: bytes, value: int = 0) -> None:
        """Send from the account, which the node has unlocked; a revert raises RpcError."""
        call = {"from": self.account, "to": to, "data": "0x" + data.hex(), "value": hex(value), "gas": hex(5_000_000)}
        await self.rpc.call("eth_call", [call, "latest"])
        receipt = await self.rpc.call("eth_sendTransactionSync", [call])
        assert isinstance(receipt, dict)
        assert quantity(receipt["status"]) == 1

    async def execute(self, quote: Quote[Any], transaction: EvmTransaction) -> int:
        """Approve and send a wallet's transaction; what the receiver gained."""
        token = quote.request.destination_token
        if transaction.spender is not None:
            data = encode_call(
                "approve(address,uint256)", ["address", "uint256"], [transaction.spender, quote.request.amount]
            )
            await self.send(quote.request.origin_token.address, data)
        before = await self.balance(token, RECEIVER)
        await self.send(transaction.to, transaction.data, transaction.value)
        return await self.balance(token, RECEIVER) - before

    def routed(self, quote: Quote[Any], upstream: EvmTransaction) -> EvmTransaction:
        """The wallet's call of the Diamond, whose Executor makes the upstream's call."""
        request = quote.request
        order = RouterOrder(
            bytes(32), self.chain, None, quote.adapter, RECEIVER, request.origin_token.address, request.amount,
            request.amount, request.destination_token.address, quote.min_output_amount or 0, request.deadline,
            quote.native_fee, (),
        )  # fmt: skip
        return router_call(order, upstream)


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
        places = {number: spec.deployment(**fields) for number, fields in emulator.deployments().items()}
        chains = {number: _chain(world, number) for number in world.evm_chains}
        parts = AdapterContext(spec.key, http, places, world.rpcs, chains, system_clock, credentials)
        chain = chains[sandbox.evm_chains[0].id]
        tokens = {
            symbol: Token(chain.id, token.address, symbol, token.decimals, symbol)
            for symbol, token in world.chain(chain.id).tokens.items()
        }
        yield AdapterFixture(
            spec.make(parts), emulator, chain, tokens | {"ETH": chain.native}, world.rpc(chain.id),
            sandbox.accounts[0].address,
        )  # fmt: skip


def _chain(world: World, number: int) -> Chain:
    chain = world.chain(number)
    native = Token(number, NATIVE_EVM, "ETH", 18, "Ether")
    return Chain(
        number, chain.key, chain.name, ChainType.EVM, native, mainnet=False,
        wrapped_native=chain.contracts["weth9"], diamond=chain.contracts["diamond"],
        executor=chain.contracts["executor"],
    )  # fmt: skip
