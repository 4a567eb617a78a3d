"""Venues for tests: adapters over real routers on the sandbox, and toys that need no chain."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.sandbox import SandboxChain
from rhumbline.domain.adapter import AdapterInfo, Capability
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import NoRoute
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import CallKind, EvmTransaction, UpstreamTransaction
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.routing.ranking import RankingContext

TO_ROUTER = "0x0000000000000000000000000000000000000002"
SINGLE = "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))"

WALLET = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
DIAMOND = "0x43BCeaDA30363EA2db37D98181e18c77FaF8468f"
EXECUTOR = "0xcF226bAab61b9C9a03A9C1b1bae36Cee879B397B"
WETH = "0xB9CAF71A40C0dBcD97EdCb2162085B73B1D23B97"
USDC = "0x0B0FFafCD31f13A12e3F0b538dA4B78FeF7Dc943"
DAI = "0xf4323129B76711B42cF3B3C30E8743474ac8585D"


def toy_chain(number: int = 1, *, diamond: bool = True) -> Chain:
    native = Token(number, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
    return Chain(
        number, f"toy{number}", "Toy", ChainType.EVM, native, mainnet=False, wrapped_native=WETH,
        diamond=DIAMOND if diamond else None, executor=EXECUTOR if diamond else None,
    )  # fmt: skip


def toy_token(
    address: str = USDC, symbol: str = "USDC", decimals: int = 6, *, chain: int = 1, listed: bool = True
) -> Token:
    return Token(chain, address, symbol, decimals, symbol, symbol if listed else None, listed=listed)


def toy_request(amount: int = 10**6, **changes: Any) -> QuoteRequest:
    chain = toy_chain()
    plain = QuoteRequest(
        chain, chain, toy_token(), toy_token(DAI, "DAI", 18), amount, WALLET, WALLET, EXECUTOR, EXECUTOR,
        Fraction(1, 200), 2**40,
    )  # fmt: skip
    return replace(plain, **changes)


def chain_of(described: SandboxChain) -> Chain:
    """The sandbox's chain as the service knows it."""
    if described.type is ChainType.SVM:
        sol = Token(described.id, NATIVE_SVM, "SOL", 9, "Solana", "SOL")
        return Chain(
            described.id, described.key, described.name, ChainType.SVM, sol, mainnet=False, wrapped_native=WRAPPED_SOL
        )
    native = Token(described.id, NATIVE_EVM, "ETH", 18, "Ether", "ETH")
    return Chain(
        described.id, described.key, described.name, ChainType.EVM, native, mainnet=False,
        multicall=described.contracts["multicall3"], wrapped_native=described.contracts["weth9"],
        diamond=described.contracts["diamond"], executor=described.contracts["executor"],
        receiver=described.contracts["receiver"],
    )  # fmt: skip


def tokens_of(described: SandboxChain) -> list[Token]:
    return [
        Token(described.id, token.address, symbol, token.decimals, symbol, symbol)
        for symbol, token in described.tokens.items()
    ]


@dataclass(frozen=True)
class PoolVenue:
    """Quotes one V3 pool of the sandbox by its QuoterV2 and trades through SwapRouter02; wraps and unwraps.

    ``boast`` is added to what the quoter says, for a venue that promises too much.
    """

    chain: SandboxChain
    rpc: EvmRpc
    fee: int = 500
    key: str = "POOL"
    boast: int = 0

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(self.key, "Pool", "", Capability.EXCHANGE, (self.chain.id,))

    def supports(self, request: QuoteRequest, /) -> bool:
        return request.origin.id == request.destination.id == self.chain.id

    def _erc20(self, token: Token) -> str:
        return self.chain.contracts["weth9"] if token.address == NATIVE_EVM else token.address

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        sold, bought = self._erc20(request.origin_token), self._erc20(request.destination_token)
        if sold == bought:
            return Quote(self.key, request, request.amount, self.fee, gas_units=50_000)
        data = encoded(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
            (sold, bought, request.amount, self.fee, 0),
        )
        try:
            answer = await self.rpc.eth_call(self.chain.contracts["quoter_v2"], data)
        except RpcError as error:
            raise NoRoute("has no pool for this pair") from error
        output = decode_args(["uint256", "uint160", "uint32", "uint256"], answer)[0]
        assert isinstance(output, int)
        return Quote(self.key, request, output + self.boast, self.fee, gas_units=180_000)

    async def build(self, quote: Quote[int], /) -> UpstreamTransaction:
        request, minimum = quote.request, quote.min_output_amount
        assert minimum is not None
        sold, bought = self._erc20(request.origin_token), self._erc20(request.destination_token)
        native_in, native_out = (
            token.address == NATIVE_EVM for token in (request.origin_token, request.destination_token)
        )
        value = request.amount if native_in else 0
        if sold == bought:
            return EvmTransaction(
                self.chain.id, sold, value, b"" if native_in else encoded("withdraw(uint256)", request.amount),
                kind=CallKind.WRAP if native_in else CallKind.UNWRAP,
            )  # fmt: skip
        recipient = TO_ROUTER if native_out else request.payout_address
        calls = [
            encoded(SINGLE, (sold, bought, quote.payload, recipient, request.amount, 0 if self.boast else minimum, 0))
        ]
        if native_out:
            calls.append(encoded("unwrapWETH9(uint256,address)", minimum, request.payout_address))
        router = self.chain.contracts["swap_router_02"]
        data = encoded("multicall(uint256,bytes[])", request.deadline, calls)
        return EvmTransaction(self.chain.id, router, value, data, None if native_in else router)


@dataclass(frozen=True)
class PairVenue(PoolVenue):
    """The same over the sandbox's V2 pairs, through the router's functions for tokens that take a fee on transfer.

    Like a naive upstream it quotes as if the token took none.
    """

    key: str = "PAIR"

    async def quote(self, request: QuoteRequest, /) -> Quote[int]:
        path = [self._erc20(request.origin_token), self._erc20(request.destination_token)]
        data = encoded("getAmountsOut(uint256,address[])", request.amount, path)
        (amounts,) = decode_args(
            ["uint256[]"], await self.rpc.eth_call(self.chain.contracts["uniswap_v2_router"], data)
        )
        assert isinstance(amounts, tuple | list)
        return Quote(self.key, request, amounts[1], self.fee)

    async def build(self, quote: Quote[int], /) -> UpstreamTransaction:
        request = quote.request
        router = self.chain.contracts["uniswap_v2_router"]
        path = [self._erc20(request.origin_token), self._erc20(request.destination_token)]
        swap = "swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)"
        data = encoded(swap, request.amount, 0, path, request.payout_address, request.deadline)
        return EvmTransaction(self.chain.id, router, 0, data, router)


Act = Callable[[QuoteRequest], Awaitable[int]]


async def _gives_amount(request: QuoteRequest) -> int:
    return request.amount


@dataclass(frozen=True)
class Toy:
    """An adapter without a chain: ``act`` answers the output, or raises, or takes its time."""

    key: str
    act: Act = _gives_amount
    capability: Capability = Capability.EXCHANGE
    chains: tuple[int, ...] = (1,)
    serves: bool = True
    cancelled: list[str] = field(default_factory=list)
    refunds_named: tuple[ChainType, ...] = ()
    gas_from: tuple[ChainType, ...] = ()
    refunds_bound: str = ""
    transaction: EvmTransaction = field(default_factory=lambda: EvmTransaction(1, OTHER, 0, b"\x01", OTHER))

    @property
    def info(self) -> AdapterInfo:
        return AdapterInfo(
            *(self.key, self.key.title(), "", self.capability, self.chains),
            refunds_named=self.refunds_named, refunds_bound=self.refunds_bound,
            gas_from=self.gas_from,
        )  # fmt: skip

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.serves

    async def quote(self, request: QuoteRequest, /) -> Quote[None]:
        try:
            return Quote(self.key, request, await self.act(request), None)
        except asyncio.CancelledError:
            self.cancelled.append(self.key)
            raise

    async def build(self, quote: Quote[None], /) -> UpstreamTransaction:
        return self.transaction


def after(seconds: float, output: int = 100) -> Act:
    async def act(request: QuoteRequest) -> int:
        await asyncio.sleep(seconds)
        return output

    return act


def raising(error: Exception) -> Act:
    async def act(request: QuoteRequest) -> int:
        raise error

    return act


def ranked_by(ranking: RankingContext, quotes: Sequence[Quote[Any]]) -> list[Quote[Any]]:
    """Return quotes in their order, each with all of its output."""
    return sorted(quotes, key=lambda quote: ranking.place(quote, quote.output_amount))
