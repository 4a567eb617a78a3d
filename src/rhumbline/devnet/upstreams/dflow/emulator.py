"""An emulator of DFlow's ``GET /order``, as in production: with a key.

The vendor's OpenAPI 0.1.0 of 2026-07-18 and genuine answers of 2026-08-22, read 2026-11-22. Bodies of failures have the
documented form, with texts of ours; that of a missing key was not found. Not emulated: orders that others fill later,
sponsors, platform fees, and prices without a wallet.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie, Received
from rhumbline.devnet.upstreams.dflow.order import (
    FALSE_TABLE,
    PROGRAM,
    TABLE,
    WHOLE,
    CheckedRequest,
    described,
    minimum,
    table_entries,
    transaction,
)
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.parameters import AMOUNT, BOOLEAN, Parameters, anything, pattern, refusal, svm_address
from rhumbline.devnet.upstreams.svm_market import SvmTrade
from rhumbline.devnet.upstreams.svm_table import pool_accounts, store_table
from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.svm.messages import LARGEST, Unfit

KEY = "sandbox-dflow-key"


def _refusal(code: str, status: int = 400) -> Failure:
    return Failure(status, {"msg": code.replace("_", " "), "code": code})


_NUMBER = pattern("[0-9]{1,5}")
_REQUEST = Parameters(
    {
        "inputMint": svm_address,
        "outputMint": svm_address,
        "amount": lambda value: AMOUNT(value) and int(value) < 2**64,
        "userPublicKey": svm_address,
    },
    {
        "destinationWallet": svm_address,
        "slippageBps": lambda value: _NUMBER(value) and int(value) <= WHOLE,
        "reserveTransactionSize": _NUMBER,
        "allowAsyncExec": BOOLEAN,
        "includeAddressLookupTables": anything,
        "prioritizationFeeLamports": anything,
        "wrapAndUnwrapSol": BOOLEAN,
    },
    wrong=refusal(
        "invalid_slippage_bps",
        inputMint="invalid_input_mint",
        outputMint="invalid_output_mint",
        userPublicKey="invalid_user_public_key",
        destinationWallet="invalid_destination_wallet",
        amount="requested_input_amount_is_zero",
    ),
    unknown=refusal("both_destination_params_specified"),
    missing=refusal("both_destination_params_specified"),
)  # fmt: skip


class Dflow(Emulator):
    """DFlow on the pools of the sandbox's Solana chain."""

    key = "DFLOW"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            **{
                code: _refusal(code)
                for code in (
                    "requested_input_amount_is_zero", "zero_out_amount", "route_not_found", "price_impact_too_high",
                    "invalid_input_mint", "invalid_output_mint", "same_input_and_output_mint", "invalid_slippage_bps",
                    "invalid_user_public_key", "invalid_destination_wallet", "unverified_wallet_not_allowed",
                    "wallet_restricted", "both_destination_params_specified",
                )
            },
            **{
                code: _refusal(code, 500)
                for code in ("failed_to_compute_route", "failed_to_construct_order", "failed_to_compute_swap")
            },
            **{code: _refusal(code, 503) for code in ("amm_map_not_initialized", "amm_map_lagging")},
            "key_missing": Failure(403, {"message": "Forbidden"}),
            "rate_limited": Failure(429, {"msg": "too many requests"}, {"x-ratelimit-remaining": "0"}),
        }
    )  # fmt: skip
    lies = frozenset(Lie)
    secrets = MappingProxyType({"api_key": KEY})
    svm_programs = MappingProxyType({PROGRAM: "dflow"})

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [web.get("/order", self._order)]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {number: {"program": PROGRAM} for number in self.world.nodes}

    async def install(self) -> None:
        """Store the program's table, and one in which entries are exchanged."""
        await super().install()
        for node in self.world.nodes.values():
            entries = table_entries(await pool_accounts(node))
            await store_table(node, TABLE, entries)
            await store_table(node, FALSE_TABLE, (*entries[1:], entries[0]))

    async def _order(self, request: web.Request) -> web.Response:
        asked = received(request)
        if asked.headers.get("x-api-key") != KEY:
            raise Fails("key_missing")
        wanted, mode = _read(asked)
        ((_, node),) = self.world.nodes.items()
        trade = await self._trade(wanted)
        blockhash = await node.rpc.latest_blockhash()
        entries = dict(enumerate(table_entries(await pool_accounts(node))))
        # For this lie the answer's table differs from the one on the chain.
        table = LookupTable(FALSE_TABLE if self.tells(Lie.OTHER_TOKEN) else TABLE, entries)
        try:
            made = transaction(wanted, trade, blockhash, table, self.behaviour.lie)
        except Unfit:
            raise Fails("route_not_found") from None
        if len(made) > LARGEST - wanted.reserved:
            raise Fails("route_not_found")
        return answer(described(wanted, trade, made, blockhash, table) | {"executionMode": mode})

    async def _trade(self, wanted: CheckedRequest) -> SvmTrade:
        ((_, node),) = self.world.nodes.items()
        known = {token.address for token in node.chain.tokens.values()}
        for name, mint in (("invalid_input_mint", wanted.mint_in), ("invalid_output_mint", wanted.mint_out)):
            if mint not in known:
                raise Fails(name)
        trade = await self.svm_trade(wanted.mint_in, wanted.mint_out, wanted.amount, none="route_not_found")
        if minimum(trade.amount_out, wanted.slippage_bps) == 0:
            raise Fails("zero_out_amount")
        return trade


def _read(asked: Received) -> tuple[CheckedRequest, str]:
    """Return the request, and how its order would be executed."""
    query = _REQUEST.query(asked)
    if query["inputMint"] == query["outputMint"]:
        raise Fails("same_input_and_output_mint")
    wanted = CheckedRequest(
        query["inputMint"], query["outputMint"], int(query["amount"]), query["userPublicKey"],
        query.get("destinationWallet"), int(query.get("slippageBps", "50")),
        query.get("wrapAndUnwrapSol", "true") == "true", int(query.get("reserveTransactionSize", "0")),
    )  # fmt: skip
    return wanted, "sync" if query.get("allowAsyncExec") == "false" else "async"
