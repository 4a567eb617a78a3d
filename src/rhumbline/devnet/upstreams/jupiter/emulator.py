"""An emulator of Jupiter's ``GET /swap/v2/build``, with or without a key.

The vendor's OpenAPI document and pages, and printed answers of 2026-09, read 2026-11-22: fields and their order, texts
of failures, both routes, the order of the instructions around them. Undocumented parameters are ignored, as by the real
endpoint. Not emulated: native output to another wallet, of which no answer was found.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie, Received
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.jupiter.route import (
    PROGRAM,
    TABLE,
    CheckedRequest,
    build_answer,
    shared_accounts,
    table_entries,
)
from rhumbline.devnet.upstreams.parameters import AMOUNT, BOOLEAN, Parameters, one_of, pattern, svm_address
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.svm_table import pool_accounts, store_table
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.svm.instructions import CreateTokenAccount

KEY = "sandbox-jupiter-key"
_MOST_BPS, _DEFAULT_BPS = 10_000, "50"
_MOST_ACCOUNTS = "64"
_ACCOUNTS_A_STEP = 12
_NUMBER = pattern("[0-9]{1,5}")


def _invalid(field: str) -> object:
    """Return the failure of an invalid request: an object, of whose fields only the name is known."""
    return {"error": {"name": "ZodError", "issues": [{"path": [field], "message": "Invalid input"}]}}


_REQUEST = Parameters(
    {
        "inputMint": svm_address,
        "outputMint": svm_address,
        "taker": svm_address,
        "amount": lambda value: AMOUNT(value) and int(value) < 2**64,
    },
    {
        "slippageBps": lambda value: _NUMBER(value) and int(value) <= _MOST_BPS,
        "maxAccounts": lambda value: _NUMBER(value) and 1 <= int(value) <= int(_MOST_ACCOUNTS),
        "wrapAndUnwrapSol": BOOLEAN,
        "destinationTokenAccount": svm_address,
        "nativeDestinationAccount": one_of(),
    },
    wrong=lambda field: Fails("invalid", _invalid(field)),
    unknown=None,
)


_QUOTE = Parameters(
    {
        "inputMint": svm_address,
        "outputMint": svm_address,
        "amount": lambda value: AMOUNT(value) and int(value) < 2**64,
        "swapMode": one_of("ExactOut"),
    },
    {},
    wrong=lambda field: Fails("invalid", _invalid(field)),
    unknown=None,
)


class Jupiter(Emulator):
    """Jupiter on the pools of the sandbox's Solana chain."""

    key = "JUPITER"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "no_routes": Failure(400, {"error": "No routes found"}),
            "no_routes_in_200": Failure(200, {"error": "No routes found"}),
            "quotes_failed": Failure(400, {"error": "Failed to get quotes", "requestId": "0196"}),
            "no_route_found": Failure(
                400, {"error": "Could not find any route", "errorCode": "COULD_NOT_FIND_ANY_ROUTE"}
            ),
            "not_tradable": Failure(400, {"error": "The token is not tradable", "errorCode": "TOKEN_NOT_TRADABLE"}),
            "circular": Failure(
                400, {"error": "Circular arbitrage is disabled", "errorCode": "CIRCULAR_ARBITRAGE_IS_DISABLED"}
            ),
            "invalid": Failure(400, _invalid("taker")),
            "invalid_in_200": Failure(200, _invalid("taker")),
            "key_wrong": Failure(401, {"code": 401, "message": "Unauthorized"}),
            "no_access": Failure(403, {"code": 403, "message": "API key does not have access to this endpoint"}),
            "rate_limited": Failure(
                429, {"code": 429, "message": "[API Gateway] Too many requests"}, {"x-ratelimit-remaining": "0"}
            ),
            "internal": Failure(500, {"error": "Internal server error"}),
        }
    )
    lies = frozenset(Lie)
    secrets = MappingProxyType({"api_key": KEY})
    """Without the key the real one answers too, with a lower rate limit."""
    svm_programs = MappingProxyType({PROGRAM: "jupiter"})

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.get("/swap/v2/build", self._build), web.get("/swap/v1/quote", self._quote)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {number: {"program": PROGRAM} for number in self.world.nodes}

    async def install(self) -> None:
        """Store the program's own token accounts, and a table of all its accounts."""
        await super().install()
        for node in self.world.nodes.values():
            programs = await _programs(node)
            shared = [
                CreateTokenAccount(node.solver, account, owner, mint, programs[mint])
                for owner, mint, account in shared_accounts(programs)
            ]
            missing = await node.missing(shared)
            for few in filter(None, (missing[:4], missing[4:])):
                await node.send(few)
            await store_table(node, TABLE, table_entries(await pool_accounts(node), programs))

    async def _quote(self, request: web.Request) -> web.Response:
        """Answer the price of an output, of the older API."""
        query = _QUOTE.query(_admitted(request))
        ((number, _),) = self.world.nodes.items()
        mints = query["inputMint"], query["outputMint"]
        amount = (await self.trade_for(number, *mints, int(query["amount"]), none="no_route_found")).amount_in
        told = {"inputMint": mints[0], "inAmount": str(amount), "outputMint": mints[1], "outAmount": query["amount"]}
        told |= {"otherAmountThreshold": str(amount * 1005 // 1000), "swapMode": "ExactOut", "priceImpactPct": "0"}
        return answer({**told, "slippageBps": 50, "platformFee": None, "routePlan": [], "contextSlot": 1})

    async def _build(self, request: web.Request) -> web.Response:
        wanted = _read(_admitted(request))
        ((_, node),) = self.world.nodes.items()
        if wanted.mint_in == wanted.mint_out:
            raise Fails("circular")
        trade = await self._trade(wanted)
        blockhash = await node.rpc.latest_blockhash()
        tables = {TABLE: table_entries(await pool_accounts(node), await _programs(node))}
        return answer(build_answer(wanted, trade, blockhash, tables, self.behaviour.lie))

    async def _trade(self, wanted: CheckedRequest) -> SvmTrade:
        trade = await self.svm_trade(wanted.mint_in, wanted.mint_out, wanted.amount, none="no_routes")
        if len(trade.legs) * _ACCOUNTS_A_STEP > wanted.most_accounts:
            raise Fails("no_routes")
        return trade


def _admitted(request: web.Request) -> Received:
    """Return the request; raise Fails for a wrong key."""
    asked = received(request)
    key = asked.headers.get("x-api-key")
    if key is not None and key != KEY:
        raise Fails("key_wrong")
    return asked


async def _programs(node: SvmNode) -> Mapping[str, str]:
    mints = await SvmState(node.rpc).mints([token.address for token in node.chain.tokens.values()])
    return {address: mint.program for address, mint in mints.items() if mint is not None}


def _read(asked: Received) -> CheckedRequest:
    query = _REQUEST.query(asked)
    return CheckedRequest(
        query["inputMint"], query["outputMint"], int(query["amount"]), query["taker"],
        int(query.get("slippageBps", _DEFAULT_BPS)), int(query.get("maxAccounts", _MOST_ACCOUNTS)),
        query.get("wrapAndUnwrapSol", "true") == "true", query.get("destinationTokenAccount"),
    )  # fmt: skip
