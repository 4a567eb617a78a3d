"""An emulator of Rise (rise.rich): markets, quotes, and transactions of its program, with a key.

Source: github.com/riserich/rise-docs of 2026-06-13 and answers recorded by others on 2026-04-26, read 2026-11-22.
Failures are documented for a missing key and for limits only; the others have the same form, with statuses that are
guesses. Its markets are pools of the sandbox, and amounts are JSON numbers.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.parameters import Form, Parameters, anything, integer, one_of, refusal, svm_address
from rhumbline.devnet.upstreams.rise.trade import MAYFLOWER, PROGRAM, TABLE, CheckedRequest, table_entries, transaction
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.svm_table import pool_accounts, store_table
from rhumbline.domain.svm import LookupTable

KEY = "sandbox-rise-key"
MARKETS: Mapping[str, str] = MappingProxyType({"DAI": "USDC", "WBTC": "WSOL", "TAX": "WSOL"})
"""The tokens of the markets, with the tokens that they are paid in."""
_LARGEST = 2**53 - 1


def _amount(value: Any) -> bool:
    return integer(value) and 0 < value <= _LARGEST


def _bodies(fields: Mapping[str, Form]) -> Parameters:
    return Parameters(fields, {}, wrong=refusal("invalid"), unknown=refusal("invalid"))


def _minimum(value: Any) -> bool:
    return integer(value) and value >= 0


_QUOTE = _bodies({"amount": _amount, "direction": one_of("buy", "sell")})
_BUY, _SELL = (
    _bodies({"wallet": svm_address, "market": anything, sold: _amount, least: _minimum})
    for sold, least in (("cashIn", "minTokenOut"), ("tokenIn", "minCashOut"))
)


def _refusal(status: int, words: str) -> Failure:
    return Failure(status, {"ok": False, "error": words})


class Rise(Emulator):
    """Rise on the pools of the sandbox's Solana chain."""

    key = "RISE"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_key": _refusal(401, "Invalid or missing API key"),
            "unknown_market": _refusal(404, "Market not found"),
            "invalid": _refusal(400, "Invalid request"),
            "no_position": Failure(400, {"error": "Personal position not found. Please deposit tokens first."}),
            "rate_limited": _refusal(429, "Too many requests"),
            "internal": _refusal(500, "Internal server error"),
        }
    )
    lies = frozenset(Lie)
    secrets = MappingProxyType({"api_key": KEY})
    svm_programs = MappingProxyType({PROGRAM: "rise", MAYFLOWER: "pool"})
    """A stand-in for the program that Rise's expects at this address."""

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get("/markets/{market}", self._market),
            web.post("/markets/{market}/quote", self._quote),
            web.post("/program/buyToken", self._buy),
            web.post("/program/sellToken", self._sell),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return the Solana chain; its markets' tokens may have any ending."""
        return {
            number: {
                "program": PROGRAM,
                "mayflower": MAYFLOWER,
                "dollar": node.chain.tokens["USDC"].address,
                "ending": "",
            }
            for number, node in self.world.nodes.items()
        }

    async def install(self) -> None:
        await super().install()
        for node in self.world.nodes.values():
            await store_table(node, TABLE, table_entries(await pool_accounts(node)))

    async def _market(self, request: web.Request) -> web.Response:
        token, main = self._known(request, request.match_info["market"])
        market = {
            "rise_market_address": token,
            "mint_token": main if self.tells(Lie.OTHER_TOKEN) else token,
            "mint_main": main,
            "token_decimals": 9,
            "price": "0.0045",
            "gov_buy_fee_micro_basis_points": 12500,
            "gov_sell_fee_micro_basis_points": 12500,
            "disableSell": False,
        }
        return answer({"ok": True, "market": market})

    async def _quote(self, request: web.Request) -> web.Response:
        token, main = self._known(request, request.match_info["market"])
        body = _QUOTE.values(received(request).body)
        pair = (main, token) if body["direction"] == "buy" else (token, main)
        trade = await self._trade(*pair, body["amount"])
        quote = {
            "direction": body["direction"],
            "amountIn": trade.amount_in,
            "amountOut": trade.amount_out,
            "feeRate": Decimal("0.0125"),
            "feeAmount": trade.amount_in // 80,
            "priceImpact": Decimal("0.0051"),
        }
        return answer({"ok": True, "quote": quote})

    async def _buy(self, request: web.Request) -> web.Response:
        body = _BUY.values(received(request).body)
        return await self._transaction(request, body, body["cashIn"], body["minTokenOut"], buys=True)

    async def _sell(self, request: web.Request) -> web.Response:
        body = _SELL.values(received(request).body)
        return await self._transaction(request, body, body["tokenIn"], body["minCashOut"], buys=False)

    async def _transaction(
        self, request: web.Request, body: Mapping[str, Any], amount: int, minimum: int, *, buys: bool
    ) -> web.Response:
        token, main = self._known(request, body["market"])
        wallet = body["wallet"]
        trade = await self._trade(*((main, token) if buys else (token, main)), amount)
        ((_, node),) = self.world.nodes.items()
        entries = dict(enumerate(table_entries(await pool_accounts(node))))
        asked = CheckedRequest(wallet, token, main, trade.amount_in, minimum, buys)
        blockhash = (await node.rpc.latest_blockhash()).value
        made = transaction(asked, trade, blockhash, LookupTable(TABLE, entries), self.behaviour.lie)
        ends = ("mainSrc", "tokenDst") if buys else ("tokenSrc", "mainDst")
        accounts = (trade.account(wallet, leg) for leg in ((main, token) if buys else (token, main)))
        return answer({"ok": True, "transaction": made, "addresses": dict(zip(ends, accounts, strict=True))})

    def _known(self, request: web.Request, market: object) -> tuple[str, str]:
        """Return a market's token, and the token that it is paid in."""
        if received(request).headers.get("x-api-key") != KEY:
            raise Fails("bad_key")
        ((_, node),) = self.world.nodes.items()
        tokens = node.chain.tokens
        for token, main in MARKETS.items():
            if tokens[token].address == market:
                return tokens[token].address, tokens[main].address
        raise Fails("unknown_market")

    async def _trade(self, sold: str, bought: str, amount: int) -> SvmTrade:
        trade = await self.svm_trade(sold, bought, amount, none="unknown_market")
        if len(trade.legs) != 1:
            raise Fails("unknown_market")
        return trade
