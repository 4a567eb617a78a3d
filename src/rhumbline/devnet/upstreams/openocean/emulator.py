"""An emulator of OpenOcean's Swap API v4: its ``/swap``, whose quote already contains the call.

The vendor's pages on API v4 and on error codes, read 2026-11-21. Answers have the documented shape; of failures only
the HTTP statuses are documented, so their bodies repeat the status. The host refuses clients that have neither a key
nor a known page (``Referer`` and ``Origin`` together), as the public one was seen to do. A minimum is rounded down, as
in genuine calls of 2025 and 2026.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.parameters import AMOUNT, BOOLEAN, Parameters, evm_address, pattern, refusal
from rhumbline.devnet.upstreams.trades import Trade, ours, swap_terms
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.address import checksummed

EXCHANGE = "0x6352a56caadC4F1E25CD6c75970Fa768A3304e64"
CALLER = "0x55877bD7F2EE37BDe55cA4B271A3631f3A7ef121"
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
API_KEY = "openocean-sandbox-key"
PAGE = "https://swap.example/"
SWAP = (
    "swap(address,(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes),"
    "(uint256,uint256,uint256,bytes)[])"
)
_PERCENT = pattern(r"[0-9]{1,2}(\.[0-9]{1,2})?")
_REQUEST = Parameters(
    {
        "inTokenAddress": evm_address,
        "outTokenAddress": evm_address,
        "amountDecimals": AMOUNT,
        "gasPriceDecimals": AMOUNT,
    },
    {
        "slippage": lambda value: _PERCENT(value) and Decimal("0.05") <= Decimal(value) <= 50,
        "disableRfq": BOOLEAN,
        "account": evm_address,
        "sender": evm_address,
    },
    wrong=refusal("bad_request"),
    unknown=refusal("bad_request"),
)


def _failure(status: int, words: str, http: int | None = None) -> Failure:
    return Failure(status if http is None else http, {"code": status, "error": words})


class OpenOcean(Emulator):
    """OpenOcean on the sandbox's pools."""

    key = "OPENOCEAN"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "bad_request": _failure(400, "Bad Request"),
            "unauthorized": _failure(401, "Unauthorized"),
            "unpaid": _failure(402, "Unauthorized"),
            "forbidden": _failure(403, "Forbidden"),
            "not_found": _failure(404, "Not Found"),
            "too_many_requests": _failure(429, "Too Many Requests"),
            "internal": _failure(500, "Internal Server Error"),
            "bad_gateway": _failure(502, "Bad Gateway"),
            "unavailable": _failure(503, "Service Unavailable"),
            "gateway_timeout": _failure(504, "Gateway Timeout"),
            "concurrency": _failure(509, "Concurrency Limit"),
            "no_route": _failure(500, "no route", http=200),
        }
    )
    lies = frozenset(Lie) - {Lie.OTHER_REFUND, Lie.OTHER_SPENDER}

    secrets = MappingProxyType({"referer": PAGE})
    settlements = MappingProxyType({EXCHANGE: "OpenOceanExchange", CALLER: "OpenOceanCaller"})
    no_such_path = "not_found"

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.get("/v4/{chain}/swap", self._swap)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {
            number: {"chain_name": chain.key, "exchange": EXCHANGE} for number, chain in self.world.evm_chains.items()
        }

    async def _swap(self, request: web.Request) -> web.Response:
        asked = received(request)
        self._admit(asked.headers)
        chain = request.match_info["chain"]
        find = self.chain_by_number if chain.isdecimal() else self.chain_by_key
        chain_id, query = find(chain, "not_found"), _REQUEST.query(asked)
        tokens = query["inTokenAddress"], query["outTokenAddress"]
        pair = ours(tokens[0], NATIVE), ours(tokens[1], NATIVE)
        trade = await self.trade(chain_id, *pair, int(query["amountDecimals"]), none="no_route")
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
                "to": self.entry(EXCHANGE),
                "value": self.value(trade),
                "data": "0x" + _call(trade, query["account"], minimum, self.behaviour.lie).hex(),
            }
        return answer({"code": 200, "data": data})

    def _admit(self, headers: Mapping[str, str]) -> None:
        key = headers.get("apikey")
        if key is None and not _names_a_page(headers.get("referer", ""), headers.get("origin", "")):
            raise Fails("forbidden")
        if key is not None and key != API_KEY:
            raise Fails("unauthorized")

    def _described(self, chain_id: int, address: str) -> dict[str, object]:
        """Describe a token in the form of answers, without a price: the sandbox has only the pools' prices."""
        for symbol, token in self.world.chain(chain_id).tokens.items():
            if token.address == checksummed(address):
                return {"address": token.address, "decimals": token.decimals, "symbol": symbol, "name": symbol}
        return {"address": NATIVE, "decimals": 18, "symbol": "ETH", "name": "Ether"}


def _names_a_page(referer: str, origin: str) -> bool:
    """Return whether both headers are those of one page."""
    return origin.startswith("https://") and (referer + "/").startswith(origin + "/")


def _call(trade: Trade, receiver: str, minimum: int, lie: Lie | None) -> bytes:
    """Encode a trade that pays `recipient` at least `minimum`, with the active lie."""
    native = trade.token_in == NATIVE_EVM
    terms = swap_terms(trade, NATIVE, receiver, minimum, lie)
    router, data = trade.calldata(terms.receiver, 0)
    description = (
        terms.token_in,
        terms.token_out,
        CALLER,
        terms.receiver,
        terms.amount,
        terms.minimum,
        trade.amount_out,
        0 if native else 2,
        NATIVE_EVM,
        b"",
    )
    # Some tokens accept an approval only if no earlier one is left.
    approvals = [encoded("approve(address,uint256)", router, amount) for amount in (0, trade.amount_in)]
    calls = [] if native else [(int(trade.token_in, 16), 0, 0, approval) for approval in approvals]
    calls.append((int(router, 16), 0, trade.value, data))
    return encoded(SWAP, CALLER, description, calls)
