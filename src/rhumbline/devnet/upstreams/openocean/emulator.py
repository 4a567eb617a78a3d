"""An emulator of OpenOcean's Swap API v4: its ``/swap``, which quotes and has the call at once.

The vendor's pages on API v4 and on error codes, read 2026-11-21. Answers have the documented shape; of failures only
the HTTP statuses are documented, so their bodies repeat the status. The host is closed to clients that bring neither a
key nor a page they are known by (``Referer`` and ``Origin`` together), as the public one was seen to be. A minimum is
rounded down, as in genuine calls of 2025 and 2026.
"""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.trades import NoMarket, Trade
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed, is_address

EXCHANGE = "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
CALLER = "0x55877bD7F2EE37BDe55cA4B271A3631f3A7ef121"
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
STRANGER = "0x000000000000000000000000000000000000dEaD"
API_KEY = "openocean-sandbox-key"
PAGE = "https://swap.example/"
SWAP = (
    "swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),"
    "(uint256,uint256,uint256,bytes)[])"
)
_DIGITS = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_PERCENT = re.compile(r"[0-9]{1,2}(\.[0-9]{1,2})?\Z", re.ASCII)
_NEEDED = frozenset({"inTokenAddress", "outTokenAddress", "amountDecimals", "gasPriceDecimals"})
_KNOWN = _NEEDED | {
    "slippage", "account", "sender", "referrer", "referrerFee", "enabledDexIds", "disabledDexIds", "minOutput",
    "disableRfq",
}  # fmt: skip


def _said(status: int, words: str, http: int | None = None) -> Failure:
    return Failure(status if http is None else http, {"code": status, "error": words})


class OpenOcean(Emulator):
    """OpenOcean on the sandbox's pools."""

    key = "OPENOCEAN"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_request": _said(400, "Bad Request"),
            "unauthorized": _said(401, "Unauthorized"),
            "unpaid": _said(402, "Unauthorized"),
            "forbidden": _said(403, "Forbidden"),
            "not_found": _said(404, "Not Found"),
            "too_many_requests": _said(429, "Too Many Requests"),
            "internal": _said(500, "Internal Server Error"),
            "bad_gateway": _said(502, "Bad Gateway"),
            "unavailable": _said(503, "Service Unavailable"),
            "gateway_timeout": _said(504, "Gateway Timeout"),
            "concurrency": _said(509, "Concurrency Limit"),
            "no_route": _said(500, "no route", http=200),
        }
    )
    lies = frozenset(Lie) - {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return the endpoint, and the answer for every path that is none."""
        return [web.get("/v4/{chain}/swap", self._swap), web.route("*", "/{path:.*}", self._nowhere)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return both chains, by their keys."""
        return {
            number: {"chain_name": chain.key, "exchange": EXCHANGE} for number, chain in self.world.evm_chains.items()
        }

    def credentials(self) -> Mapping[str, str]:
        """Return a page."""
        return {"referer": PAGE}

    async def install(self) -> None:
        """Put the exchange where the real one is, and a caller of its own."""
        for number in self.world.evm_chains:
            await self.world.install_code(number, EXCHANGE, self.world.settlement("OpenOceanExchange"))
            await self.world.install_code(number, CALLER, self.world.settlement("OpenOceanCaller"))

    async def _nowhere(self, _: web.Request) -> web.Response:
        raise Fails("not_found")

    async def _swap(self, request: web.Request) -> web.Response:
        asked = received(request)
        self._admit(asked.headers)
        chain_id = self._chain(request.match_info["chain"])
        query = _checked(asked.query)
        tokens = query["inTokenAddress"], query["outTokenAddress"]
        trade = await self._trade(chain_id, *tokens, int(query["amountDecimals"]))
        kept = 10_000 - int(Decimal(query.get("slippage", "1")) * 100)
        minimum = trade.amount_out * kept // 10_000
        data: dict[str, object] = {
            "inToken": self._described(chain_id, tokens[0]),
            "outToken": self._described(chain_id, tokens[1]),
            "inAmount": str(trade.amount_in),
            "outAmount": str(trade.amount_out),
            "estimatedGas": 200_000 + 100_000 * len(trade.legs),
            "minOutAmount": str(minimum),
            "gasPrice": query["gasPriceDecimals"],
            "chainId": chain_id,
            "rfqDeadline": 0,
            "gmxFee": 0,
            "price_impact": "-0.03%",
        }
        if "account" in query:
            data |= {
                "from": query.get("sender", query["account"]),
                "to": STRANGER if self.tells(Lie.OTHER_ENTRY) else EXCHANGE,
                "value": str(trade.value + (1 if self.tells(Lie.MORE_VALUE) else 0)),
                "data": "0x" + _call(trade, query["account"], minimum, self.behaviour.lie).hex(),
            }
        return answer({"code": 200, "data": data})

    def _admit(self, headers: Mapping[str, str]) -> None:
        key = headers.get("apikey")
        if key is None and not _names_a_page(headers.get("referer", ""), headers.get("origin", "")):
            raise Fails("forbidden")
        if key is not None and key != API_KEY:
            raise Fails("unauthorized")

    def _chain(self, name: str) -> int:
        for number, chain in self.world.evm_chains.items():
            if name in (chain.key, str(number)):
                return number
        raise Fails("not_found")

    async def _trade(self, chain_id: int, token_in: str, token_out: str, amount: int) -> Trade:
        try:
            return await self.world.market.quote(chain_id, _ours(token_in), _ours(token_out), amount)
        except NoMarket:
            raise Fails("no_route") from None

    def _described(self, chain_id: int, address: str) -> dict[str, object]:
        """Describe a token as the answers do, without its price: the sandbox has none but the pools'."""
        for symbol, token in self.world.chain(chain_id).tokens.items():
            if token.address == checksummed(address):
                return {"address": token.address, "decimals": token.decimals, "symbol": symbol, "name": symbol}
        return {"address": NATIVE, "decimals": 18, "symbol": "ETH", "name": "Ether"}


def _names_a_page(referer: str, origin: str) -> bool:
    """Tell whether a browser could have sent both from one page."""
    return origin.startswith("https://") and (referer + "/").startswith(origin + "/")


def _checked(pairs: Sequence[tuple[str, str]]) -> Mapping[str, str]:
    """Return the parameters; the deprecated ones are refused with the unknown."""
    query = dict(pairs)
    if len(query) != len(pairs) or not _NEEDED <= query.keys() <= _KNOWN:
        raise Fails("bad_request")
    addresses = query.keys() & {"inTokenAddress", "outTokenAddress", "account", "sender", "referrer"}
    if not all(is_address(query[name]) for name in addresses):
        raise Fails("bad_request")
    if not _DIGITS.match(query["amountDecimals"]) or not _DIGITS.match(query["gasPriceDecimals"]):
        raise Fails("bad_request")
    if query.get("disableRfq", "true") not in ("true", "false"):
        raise Fails("bad_request")
    slippage = query.get("slippage", "1")
    if not _PERCENT.match(slippage) or not Decimal("0.05") <= Decimal(slippage) <= 50:
        raise Fails("bad_request")
    return query


def _call(trade: Trade, receiver: str, minimum: int, lie: Lie | None) -> bytes:
    """Encode a trade whose output goes to `receiver`, at least `minimum` of it, and the lies about it."""
    native = trade.token_in == NATIVE_EVM
    paid = STRANGER if lie is Lie.OTHER_RECEIVER else receiver
    router, data = trade.calldata(paid, 0)
    if lie is Lie.WORSE_OUTPUT:
        minimum //= 2
    description = (
        _theirs(trade.token_in),
        _theirs(trade.token_in if lie is Lie.OTHER_TOKEN else trade.token_out),
        CALLER,
        paid,
        trade.amount_in * 2 if lie is Lie.OTHER_AMOUNT else trade.amount_in,
        1 if lie is Lie.NO_MINIMUM else minimum,
        trade.amount_out,
        0 if native else 2,
        NATIVE_EVM,
        b"",
    )
    # Some tokens take an approval only where none is left of an earlier one.
    approvals = [encoded("approve(address,uint256)", router, amount) for amount in (0, trade.amount_in)]
    calls = [] if native else [(int(trade.token_in, 16), 0, 0, approval) for approval in approvals]
    calls.append((int(router, 16), 0, trade.value, data))
    return encoded(SWAP, CALLER, description, calls)


def _ours(token: str) -> str:
    return NATIVE_EVM if token.lower() == NATIVE.lower() else token


def _theirs(token: str) -> str:
    return NATIVE if token == NATIVE_EVM else token
