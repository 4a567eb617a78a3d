"""A sandbox chain as the adapter's tests see it: quotes, transactions sent, balances before and after."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rhumbline.adapters.onchain.adapter import OnchainAdapter
from rhumbline.adapters.onchain.plans import OnchainPlan
from rhumbline.devnet.evm.wallet import balance_of
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.domain.chain import NATIVE_EVM, Chain, ChainType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import decode_args, encode_call, selector
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes, quantity
from rhumbline.liquidity.chain_pools import chain_pools
from rhumbline.liquidity.deployments import Deployment, uniswap
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.routing.evm.router_call import RouterOrder, router_call

ANCHORS = ("WETH", "USDC", "USDT", "DAI")
FOR_EVER = 2**40
STRANGER = "0x00000000000000000000000000000000000A11cE"


@dataclass(frozen=True)
class AdapterFixture:
    chain: Chain
    contracts: dict[str, str]
    tokens: dict[str, Token]
    deployment: Deployment
    rpc: EvmRpc
    account: str
    adapter: OnchainAdapter
    executor: str | None = None

    def choosing_from(self, deployment: Deployment) -> "AdapterFixture":
        """The same chain with other pools to choose from."""
        return replace(self, deployment=deployment, adapter=adapter_of({self.chain.id: (self.rpc, deployment)}))

    def with_clock(self, seconds: Callable[[], float]) -> "AdapterFixture":
        """The same chain with an adapter that has another clock."""
        return replace(self, adapter=adapter_of({self.chain.id: (self.rpc, self.deployment)}, seconds))

    def on(self, rpc: EvmRpc) -> "AdapterFixture":
        """The same chain through another connection."""
        return replace(self, rpc=rpc, adapter=adapter_of({self.chain.id: (rpc, self.deployment)}))

    def by_plan(self) -> "AdapterFixture":
        """The same chain where the service's own contracts make the swaps."""
        assert self.chain.executor is not None
        return replace(self, executor=self.chain.executor)

    def request(self, origin: str, destination: str, amount: int, recipient: str | None = None) -> QuoteRequest:
        receiver = recipient or self.account
        return QuoteRequest(
            self.chain, self.chain, self.tokens[origin], self.tokens[destination], amount,
            sender=self.account, receiver=receiver, taker=self.executor or self.account,
            payout_address=self.executor or receiver,
            slippage=Fraction(1, 200), deadline=FOR_EVER,
        )  # fmt: skip

    async def quote(
        self, origin: str, destination: str, amount: int, recipient: str | None = None
    ) -> Quote[OnchainPlan]:
        return await self.adapter.quote(self.request(origin, destination, amount, recipient))

    async def build(self, quote: Quote[OnchainPlan]) -> EvmTransaction:
        """The transaction that guarantees every unit of the quote."""
        return await self.adapter.build(replace(quote, min_output_amount=quote.output_amount))

    async def balance(self, token: Token, owner: str) -> int:
        return await balance_of(self.rpc, token.address, owner)

    async def read(self, to: str, data: bytes, *types: str) -> tuple[object, ...]:
        return decode_args(types, await self.rpc.eth_call(to, data))

    async def read_as_account(self, to: str, data: bytes, *types: str) -> tuple[object, ...]:
        call = {"from": self.account, "to": to, "data": "0x" + data.hex()}
        return decode_args(types, hex_bytes(await self.rpc.call("eth_call", [call, "latest"])))

    async def pool(self, first: str, second: str, fee: int) -> str:
        """The V3 pool's address."""
        tokens = [self.tokens[symbol].address for symbol in (first, second)]
        data = encode_call("getPool(address,address,uint24)", ["address", "address", "uint24"], [*tokens, fee])
        return str((await self.read(self.contracts["uniswap_v3_factory"], data, "address"))[0])

    async def mint(self, symbol: str, amount: int) -> None:
        if symbol == "WETH":
            await self.rpc.call("anvil_setBalance", [self.account, hex(amount + 10**20)])
            await self.send(self.tokens["WETH"].address, encode_call("deposit()", [], []), amount)
        else:
            data = encode_call("mint(address,uint256)", ["address", "uint256"], [self.account, amount])
            await self.send(self.tokens[symbol].address, data)

    async def opening(self, fee: int, width: tuple[int, int], most: Mapping[str, int]) -> bytes:
        """Get the tokens by their symbols, approve them, and return the call that puts up to half of them into a pool.

        ``width`` is how far the position reaches below and above the pool's tick.
        """
        manager, spacing = self.contracts["position_manager"], {500: 10, 10000: 200}[fee]
        slot0 = await self.read(await self.pool("WETH", "USDC", 500), selector("slot0()"), "uint160", "int24")
        tick = int(str(slot0[1])) // spacing * spacing
        for symbol, amount in most.items():
            await self.mint(symbol, 2 * amount)
            data = encode_call("approve(address,uint256)", ["address", "uint256"], [manager, 2**255])
            await self.send(self.tokens[symbol].address, data)
        tokens = sorted((self.tokens[symbol].address for symbol in most), key=lambda address: int(address, 16))
        by_address = {self.tokens[symbol].address: amount for symbol, amount in most.items()}
        span = (
            *tokens, fee, tick - width[0], tick + width[1], *(by_address[token] for token in tokens), 0, 0,
            self.account, FOR_EVER,
        )  # fmt: skip
        types = ["(address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256)"]
        return encode_call(f"mint({types[0]})", types, [span])

    async def send(self, to: str, data: bytes, value: int = 0) -> int:
        """Send from the account, which the node has unlocked; the gas used. A revert raises RpcError."""
        # Given, not estimated: in a later second than the estimate's, pools write their oracles too.
        call = {"from": self.account, "to": to, "data": "0x" + data.hex(), "value": hex(value), "gas": hex(8_000_000)}
        await self.rpc.call("eth_call", [call, "latest"])
        receipt = await self.rpc.call("eth_sendTransactionSync", [call])
        assert isinstance(receipt, dict)
        assert quantity(receipt["status"]) == 1
        return quantity(receipt["gasUsed"])

    async def swap(self, quote: Quote[OnchainPlan]) -> tuple[int, int]:
        """Execute a quote as its caller; what the recipient gained, and the gas used."""
        built, request = await self.build(quote), quote.request
        if built.kind is CallKind.POOLS:
            built = self.ordered(quote, built)
        if built.spender is not None:
            data = encode_call("approve(address,uint256)", ["address", "uint256"], [built.spender, request.amount])
            await self.send(request.origin_token.address, data)
        before = await self.balance(request.destination_token, request.receiver)
        gas = await self.send(built.to, built.data, built.value)
        return await self.balance(request.destination_token, request.receiver) - before, gas

    def ordered(self, quote: Quote[OnchainPlan], built: EvmTransaction) -> EvmTransaction:
        """The call of the Diamond around an adapter's plan, which holds every unit of the quote."""
        request = quote.request
        tokens = request.origin_token.address, request.destination_token.address
        order = RouterOrder(
            bytes(32), self.chain, None, "ONCHAIN", request.receiver, tokens[0], request.amount, request.amount,
            tokens[1], quote.output_amount, FOR_EVER, 0, (),
        )  # fmt: skip
        return router_call(order, built)

    async def quoter(self, token_in: str, token_out: str, fee: int, amount: int) -> tuple[int, int]:
        """QuoterV2's output and price afterwards."""
        output, price, *_ = decode_args(["uint256", "uint160", "uint32", "uint256"], hex_bytes(
            await self.rpc.call("eth_call", [quoter_call(self, token_in, token_out, fee, amount), "latest"])
        ))  # fmt: skip
        assert isinstance(output, int)
        assert isinstance(price, int)
        return output, price


def quoter_call(
    adapter_fixture: AdapterFixture, token_in: str, token_out: str, fee: int, amount: int
) -> dict[str, str]:
    data = encode_call(
        "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
        ["(address,address,uint256,uint24,uint160)"],
        [(token_in, token_out, amount, fee, 0)],
    )
    return {"to": adapter_fixture.contracts["quoter_v2"], "data": "0x" + data.hex()}


def adapter_of(
    places: Mapping[int, tuple[EvmRpc, Deployment]], seconds: Callable[[], float] = time.monotonic
) -> OnchainAdapter:
    """The adapter on chains by their nodes and deployments; each quote asks for the newest block."""
    return OnchainAdapter({chain: chain_pools(rpc, place, seconds) for chain, (rpc, place) in places.items()})


def only(deployment: Deployment, kind: PoolKind, *tiers: int) -> Deployment:
    """Return a deployment with the sources of one kind, and of their tiers those with these fees."""
    sources = [
        replace(source, tiers=tuple(tier for tier in source.tiers if not tiers or tier[0] in tiers))
        for source in deployment.sources
        if source.kind is kind
    ]
    return replace(deployment, sources=tuple(sources))


def open_adapter(chain: SandboxChain, rpc: EvmRpc, account: str) -> AdapterFixture:
    tokens = {
        symbol: Token(chain.id, token.address, symbol, token.decimals, symbol) for symbol, token in chain.tokens.items()
    }
    native = Token(chain.id, NATIVE_EVM, "ETH", 18, "Ether")
    tokens["ETH"] = native
    contracts = dict(chain.contracts)
    deployment = Deployment(
        wrapped_native=tokens["WETH"],
        router=contracts["swap_router_02"],
        sources=uniswap(contracts["uniswap_v2_factory"], contracts["uniswap_v3_factory"]),
        anchors=tuple(tokens[symbol] for symbol in ANCHORS),
    )
    return AdapterFixture(
        Chain(chain.id, chain.key, chain.name, ChainType.EVM, native, mainnet=False,
              diamond=contracts["diamond"], executor=contracts["executor"]),
        contracts, tokens, deployment, rpc, account, adapter_of({chain.id: (rpc, deployment)}),
    )  # fmt: skip
