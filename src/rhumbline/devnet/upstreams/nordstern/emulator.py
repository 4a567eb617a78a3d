"""An emulator of Nordstern's aggregator, whose quote already contains the call of its guard.

The vendor's documentation, answers recorded by others and the published source of AggregatorGuard, read 2026-11-21.
Answers have the recorded shape. Of failures only the texts that clients match are known; their HTTP statuses are
guesses.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.parameters import AMOUNT, Parameters, evm_address, pattern, refusal
from rhumbline.devnet.upstreams.trades import Trade, ours, swap_terms
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.evm.address import checksummed

GUARD = "0xC87De04e2EC1F4282dFF2933A2D58199f688fC3d"
EXECUTOR = "0x6d691FB41cA5F030422251bcB19944bD8D8cb094"
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
_PERCENT = pattern(r"[0-9]{1,3}(\.[0-9]{1,6})?")
_REQUEST = Parameters(
    {
        "src": evm_address,
        "dst": evm_address,
        "amount": AMOUNT,
        "from": evm_address,
        "slippage": lambda value: _PERCENT(value) and float(value) <= 100,
    },
    {},
    wrong=refusal("bad_request", src="bad_tokens", dst="bad_tokens"),
    unknown=refusal("bad_request"),
    missing=refusal("bad_request"),
)


class Nordstern(Emulator):
    """Nordstern on the sandbox's pools."""

    key = "NORDSTERN"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "no_route": Failure(200, {"fromAmount": "1", "toAmount": "0", "swaps": None}),
            "no_path": Failure(200, {"message": "no swap path found"}),
            "insufficient": Failure(200, {"error": "Insufficient liquidity"}),
            "bad_tokens": Failure(400, {"error": "src and dst must be different valid token addresses"}),
            "bad_request": Failure(400, {"error": "invalid parameter"}),
            "unknown_chain": Failure(404, {"error": "chain not supported"}),
            "rate_limited": Failure(429, {"error": "too many requests"}),
            "internal": Failure(500, {"error": "internal server error"}),
        }
    )
    lies = frozenset(Lie) - {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}

    settlements = MappingProxyType({GUARD: "NordsternGuard", EXECUTOR: "NordsternExecutor"})

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.get("/aggregator/{chain}", self._swap), web.get("/chains", self._chains)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {number: {"guard": GUARD} for number in self.world.evm_chains}

    async def _swap(self, request: web.Request) -> web.Response:
        chain_id = self.chain_by_number(request.match_info["chain"], "unknown_chain")
        query = _REQUEST.query(received(request))
        if query["src"].lower() == query["dst"].lower():
            raise Fails("bad_tokens")
        token_in, token_out = _ours(query["src"]), _ours(query["dst"])
        trade = await self.trade(chain_id, token_in, token_out, int(query["amount"]), none="no_path")
        # Computed in doubles, as the recorded minimums show: some raw units off.
        minimum = int(trade.amount_out * (1 - float(query["slippage"]) / 100))
        call = guard_call(trade, query["from"], minimum, self.behaviour.lie)
        gas = str(200_000 + 120_000 * len(trade.legs))
        return answer(
            {
                "simulationBlock": 45_306_215,
                "tx": {
                    "value": self.value(trade),
                    "data": "0x" + call.hex(),
                    "from": query["from"],
                    "to": self.entry(GUARD),
                },
                "src": _theirs(token_in),
                "dst": _theirs(token_out),
                "fromAmount": str(trade.amount_in),
                "toAmount": str(trade.amount_out),
                "swaps": [_described(trade)],
                "gasEstimate": gas,
            }
        )

    async def _chains(self, _: web.Request) -> web.Response:
        return answer(
            {
                str(number): {
                    "ChainID": number,
                    "ChainName": chain.key,
                    "DefillamaName": chain.name,
                    "RouterAddress": self.entry(GUARD),
                }
                for number, chain in self.world.evm_chains.items()
            }
        )


def guard_call(trade: Trade, receiver: str, minimum: int, lie: Lie | None) -> bytes:
    """Encode a trade that pays `receiver` at least `minimum`, with the active lie."""
    router, data = trade.calldata(EXECUTOR, 0)
    terms = swap_terms(trade, NATIVE, receiver, minimum, lie)
    return b"".join(
        (
            encoded("IceCreamSwap()"),
            bytes.fromhex("031f"),
            _packed(EXECUTOR),
            terms.amount.to_bytes(16),
            terms.minimum.to_bytes(16),
            b"\x07",
            _packed(EXECUTOR),
            _packed(terms.receiver),
            _packed(terms.token_in),
            _packed(terms.token_out),
            encode_args(["address", "bytes"], [router, data]),
        )
    )


def _packed(address: str) -> bytes:
    return bytes.fromhex(address[2:])


def _described(trade: Trade) -> dict[str, object]:
    route = [
        {
            "pool": leg.pool.address,
            "tokenIn": leg.token_in,
            "tokenOut": leg.token_out,
            "type": leg.pool.kind,
            "direction": "0_1" if int(leg.token_in, 16) < int(leg.token_out, 16) else "1_0",
            "amountIn": str(leg.amount_in),
            "amountOut": str(leg.amount_out),
        }
        for leg in trade.legs
    ]
    amounts = {"amountIn": str(trade.amount_in), "amountOut": str(trade.amount_out)}
    return {"hops": len(route), "gasUnits": 149015, **amounts, "route": route}


def _ours(token: str) -> str:
    return ours(token, NATIVE)


def _theirs(token: str) -> str:
    return NATIVE if token == NATIVE_EVM else checksummed(token)
