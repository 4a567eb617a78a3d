"""An emulator of Nordstern's aggregator, which quotes and has the call of its guard at once.

The vendor's documentation, answers recorded by others and the published source of AggregatorGuard, read 2026-11-21.
Answers have the shape of those recorded. Of failures only the words are known that clients look for; their HTTP
statuses are guesses.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.trades import NoMarket, Trade
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.gateways.evm.address import checksummed, is_address

GUARD = "0xC87De04e2EC1F4282dFF2933A2D58199f688fC3d"
EXECUTOR = "0x6d691FB41cA5F030422251bcB19944bD8D8cb094"
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
STRANGER = "0x000000000000000000000000000000000000dEaD"
_DIGITS = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?\Z", re.ASCII)
_NEEDED = frozenset({"src", "dst", "amount", "from", "slippage"})
_KNOWN = _NEEDED | {"convenienceFee", "convenienceFeeRecipient"}


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

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return swaps, and the list of chains."""
        return [web.get("/aggregator/{chain}", self._swap), web.get("/chains", self._chains)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return both chains."""
        return {number: {"guard": GUARD} for number in self.world.evm_chains}

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        """Return the guard and an executor of its own, on both chains."""
        return {number: {GUARD: "NordsternGuard", EXECUTOR: "NordsternExecutor"} for number in self.world.evm_chains}

    async def _swap(self, request: web.Request) -> web.Response:
        chain_id = self._chain(request.match_info["chain"])
        query = _checked(received(request).query)
        trade = await self._trade(chain_id, query["src"], query["dst"], int(query["amount"]))
        # In doubles, as the recorded minimums show: some raw units off.
        minimum = int(trade.amount_out * (1 - float(query["slippage"]) / 100))
        call = guard_call(trade, query["from"], minimum, self.behaviour.lie)
        gas = str(200_000 + 120_000 * len(trade.legs))
        return answer(
            {
                "simulationBlock": 45_306_215,
                "tx": {
                    "value": str(trade.value + (1 if self.tells(Lie.MORE_VALUE) else 0)),
                    "data": "0x" + call.hex(),
                    "from": query["from"],
                    "to": STRANGER if self.tells(Lie.OTHER_ENTRY) else GUARD,
                },
                "src": _theirs(_ours(query["src"])),
                "dst": _theirs(_ours(query["dst"])),
                "fromAmount": str(trade.amount_in),
                "toAmount": str(trade.amount_out),
                "swaps": [_described(trade)],
                "gasEstimate": gas,
            }
        )

    async def _chains(self, _: web.Request) -> web.Response:
        guard = STRANGER if self.tells(Lie.OTHER_ENTRY) else GUARD
        return answer(
            {
                str(number): {
                    "ChainID": number,
                    "ChainName": chain.key,
                    "DefillamaName": chain.name,
                    "RouterAddress": guard,
                }
                for number, chain in self.world.evm_chains.items()
            }
        )

    def _chain(self, number: str) -> int:
        for chain_id in self.world.evm_chains:
            if number == str(chain_id):
                return chain_id
        raise Fails("unknown_chain")

    async def _trade(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        try:
            return await self.world.market.quote(chain_id, _ours(token_in), _ours(token_out), amount)
        except NoMarket:
            raise Fails("no_path") from None


def _checked(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    query = dict(pairs)
    if len(query) != len(pairs) or not _NEEDED <= query.keys() <= _KNOWN:
        raise Fails("bad_request")
    if not is_address(query["src"]) or not is_address(query["dst"]) or query["src"].lower() == query["dst"].lower():
        raise Fails("bad_tokens")
    if not is_address(query["from"]) or not _DIGITS.match(query["amount"]):
        raise Fails("bad_request")
    if not _PERCENT.match(query["slippage"]) or float(query["slippage"]) > 100:
        raise Fails("bad_request")
    return query


def guard_call(trade: Trade, receiver: str, minimum: int, lie: Lie | None) -> bytes:
    """Pack a trade whose output goes to `receiver`, at least `minimum` of it, and the lies about it."""
    if lie is Lie.WORSE_OUTPUT:
        minimum //= 2
    router, data = trade.calldata(EXECUTOR, 0)
    amount = trade.amount_in * 2 if lie is Lie.OTHER_AMOUNT else trade.amount_in
    token_out = trade.token_in if lie is Lie.OTHER_TOKEN else trade.token_out
    return b"".join(
        (
            encoded("IceCreamSwap()"),
            bytes.fromhex("031f"),
            _packed(EXECUTOR),
            amount.to_bytes(16),
            (1 if lie is Lie.NO_MINIMUM else minimum).to_bytes(16),
            b"\x07",
            _packed(EXECUTOR),
            _packed(STRANGER if lie is Lie.OTHER_RECEIVER else receiver),
            _packed(_theirs(trade.token_in)),
            _packed(_theirs(token_out)),
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
    return NATIVE_EVM if token.lower() in (NATIVE.lower(), NATIVE_EVM) else token


def _theirs(token: str) -> str:
    return NATIVE if token == NATIVE_EVM else checksummed(token)
