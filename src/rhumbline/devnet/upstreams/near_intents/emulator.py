"""An emulator of NEAR Intents' 1Click: signed quotes, an address for each, and payments to it.

API v0 by the vendor's SDK 0.1.25 and its documentation, read 2026-11-21. Texts of refusals are those that public
clients of the service match; validation errors have the form of the framework behind the service.
"""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.inverse import input_for
from rhumbline.devnet.upstreams.near_intents.deposits import Deposits, Reservation
from rhumbline.devnet.upstreams.near_intents.quotes import (
    SIGNER,
    Asset,
    assets_of,
    faults_of,
    formatted,
    moment_of,
    new_address,
    signature_of,
    written,
)
from rhumbline.devnet.upstreams.solver import Deposit, Payment, Solver
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.evm.address import checksummed, is_address
from rhumbline.gateways.svm.address import encode_address

JWT = "sandbox.partner.token"
STRANGER, STRANGER_ON_SOLANA = checksummed("0x" + "5a" * 20), encode_address(b"Z" * 32)
_WHOLE = 10_000
_FEE_BPS = 20
_WITHDRAW_BPS = 1
_SMALLEST = 1_000
_LATER = timedelta(days=3)


def _failure(status: int, message: object, *on: str) -> Failure:
    return Failure(status, {"message": message}, on=on)


_QUOTE = "/v0/quote"


class NearIntents(Emulator):
    """1Click between the sandbox's chains. Without the partner's token a quote has a fee of its own."""

    key = "NEAR_INTENTS"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "validation": _failure(400, ["amount should not be empty"], _QUOTE),
            "amount_too_low": _failure(400, f"Amount is too low for bridge, try at least {_SMALLEST}", _QUOTE),
            "minimum_usd": _failure(400, "Temporary swap limits: minimum swap amount is $1,000", _QUOTE),
            "token_in": _failure(400, "tokenIn is not valid", _QUOTE),
            "token_out": _failure(400, "tokenOut is not valid", _QUOTE),
            "recipient": _failure(400, "recipient is not valid", _QUOTE),
            "refund_to": _failure(400, "refundTo is not valid", _QUOTE),
            "failed_to_get_quote": _failure(400, "Failed to get quote", _QUOTE),
            "no_liquidity": _failure(400, "No liquidity available", _QUOTE),
            "jwt_invalid": _failure(401, "JWT is invalid", _QUOTE, "/v0/status"),
            "status_not_found": _failure(404, "Deposit address not found", "/v0/status"),
            "rate_limited": _failure(429, "Too many requests"),
            "internal": _failure(500, "Internal server error"),
            "unavailable": _failure(503, "Service unavailable"),
            "no_such_path": _failure(404, "Cannot find the path", "/v0/nothing"),
        }
    )
    statuses = (
        "PENDING_DEPOSIT",
        "KNOWN_DEPOSIT_TX",
        "INCOMPLETE_DEPOSIT",
        "PROCESSING",
        "SUCCESS",
        "REFUNDED",
        "FAILED",
    )
    lies = frozenset(Lie) - {Lie.OTHER_SPENDER, Lie.MORE_VALUE}
    secrets = MappingProxyType({"jwt": JWT})
    no_such_path = "no_such_path"

    def __init__(self, world: World) -> None:
        """Collect the assets of all chains; no address is reserved yet."""
        super().__init__(world)
        assets = [asset for chain in world.chains.values() for asset in assets_of(chain)]
        self.assets = {asset.id: asset for asset in assets}
        self.solver = Solver(world, {}, self._terms, lambda: self.behaviour)
        self.deposits = Deposits(world, self.solver)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get("/v0/tokens", self._tokens),
            web.post(_QUOTE, self._quote),
            web.get("/v0/status", self._status),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return the asset IDs of all chains, and the key that signs here."""
        return {
            number: {
                "blockchain": chain.key,
                "assets": [[asset.address, asset.id] for asset in assets_of(chain)],
                "signer": SIGNER,
            }
            for number, chain in self.world.chains.items()
        }

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self.solver.run())
            group.create_task(self.deposits.run())

    async def _tokens(self, _: web.Request) -> web.Response:
        now = written(datetime.now(UTC))
        entries: list[dict[str, object]] = []
        for asset in self.assets.values():
            entry: dict[str, object] = {
                "assetId": asset.id,
                "decimals": asset.decimals,
                "blockchain": asset.blockchain,
                "symbol": asset.symbol,
                "price": float(await self._usd(asset, 10**asset.decimals)),
                "priceUpdatedAt": now,
            }
            contract = asset.address if asset.on_solana else asset.address.lower()
            entries.append(entry if asset.is_native else entry | {"contractAddress": contract})
        return answer(entries)

    async def _quote(self, request: web.Request) -> web.Response:
        partner, body = self._partner(request), received(request).body
        faults = faults_of(body, datetime.now(UTC))
        if faults or not isinstance(body, dict):
            raise Fails("validation", {"message": faults})
        origin, destination = self.assets.get(body["originAsset"]), self.assets.get(body["destinationAsset"])
        if origin is None:
            raise Fails("token_in")
        if destination is None or destination == origin:
            raise Fails("token_out")
        if not destination.is_wallet(body["recipient"]):
            raise Fails("recipient")
        if not origin.is_wallet(body["refundTo"]):
            raise Fails("refund_to")
        if body["swapType"] not in ("EXACT_INPUT", "EXACT_OUTPUT") or body["depositType"] != "ORIGIN_CHAIN":
            raise Fails("validation", {"message": "the sandbox swaps exact amounts between chains"})
        fee_bps = 0 if partner else _FEE_BPS
        amount, output = int(body["amount"]), None
        if body["swapType"] == "EXACT_OUTPUT":
            output = amount
            try:
                amount = await input_for(output, partial(self._output, origin, destination, fee_bps))
            except NoMarket:
                raise Fails("no_liquidity") from None
        quote = await self._priced(origin, destination, amount, body["slippageTolerance"], fee_bps, output)
        echo = self._echo(body, fee_bps, origin, destination)
        return answer(self._reserved(echo, quote, origin, destination))

    def _partner(self, request: web.Request) -> bool:
        """Return whether the caller is the partner; a wrong token is refused, a missing one means a stranger."""
        given = request.headers.get("authorization")
        if given is not None and given != f"Bearer {JWT}":
            raise Fails("jwt_invalid")
        return given is not None

    async def _output(self, origin: Asset, destination: Asset, fee_bps: int, amount: int) -> int:
        gross = await self._gross(origin, destination, amount, fee_bps)
        return gross - gross * _WITHDRAW_BPS // _WHOLE

    async def _gross(self, origin: Asset, destination: Asset, amount: int, fee_bps: int) -> int:
        traded = amount - amount * fee_bps // _WHOLE
        return await self.world.market.quote_across(
            origin.chain_id, origin.address, destination.chain_id, destination.address, traded
        )

    async def _priced(
        self, origin: Asset, destination: Asset, amount: int, tolerance: int, fee_bps: int, exact: int | None = None
    ) -> dict[str, object]:
        """Return the terms for an input, with the ``exact`` output that it was found for."""
        if amount < _SMALLEST:
            raise Fails("amount_too_low")
        try:
            gross = await self._gross(origin, destination, amount, fee_bps)
        except NoMarket:
            raise Fails("no_liquidity") from None
        withdraw_fee = gross * _WITHDRAW_BPS // _WHOLE
        output = gross - withdraw_fee if exact is None else exact
        if output <= 0:
            raise Fails("failed_to_get_quote")
        minimum = 0 if self.tells(Lie.NO_MINIMUM) else output * (_WHOLE - tolerance) // _WHOLE
        told = amount + 1 if self.tells(Lie.OTHER_AMOUNT) else amount
        return {
            "amountIn": str(told),
            "amountInFormatted": formatted(told, origin.decimals),
            "amountInUsd": await self._usd(origin, amount),
            "minAmountIn": str(told),
            "amountOut": str(output),
            "amountOutFormatted": formatted(output, destination.decimals),
            "amountOutUsd": await self._usd(destination, output),
            "minAmountOut": str(minimum),
            "timeEstimate": 12,
            "refundFee": "0",
            "withdrawFee": str(withdraw_fee),
        }

    def _echo(self, body: Mapping[str, Any], fee_bps: int, origin: Asset, destination: Asset) -> dict[str, Any]:
        fees = [{"recipient": "5a" * 32, "fee": fee_bps}] if fee_bps else []
        echo = {"depositMode": "SIMPLE", "confidentiality": "public", "quoteWaitingTimeMs": 0, **body, "appFees": fees}
        if self.tells(Lie.OTHER_RECEIVER):
            echo["recipient"] = _stranger(destination)
        if self.tells(Lie.OTHER_REFUND):
            echo["refundTo"] = _stranger(origin)
        if self.tells(Lie.OTHER_TOKEN):
            others = [asset.id for asset in self.assets.values() if asset.id not in echo.values()]
            echo["destinationAsset"] = others[0]
        return echo

    def _reserved(
        self, echo: Mapping[str, Any], quote: dict[str, object], origin: Asset, destination: Asset
    ) -> dict[str, object]:
        """Return the answer, with an address of its own unless the request was dry."""
        identifier, timestamp = str(uuid.uuid4()), written(datetime.now(UTC))
        address = new_address(origin, identifier)
        ends = (moment_of(echo["deadline"]) or datetime.now(UTC)) + _LATER
        if not echo["dry"]:
            quote |= {
                "deadline": written(ends),
                "timeWhenInactive": written(ends),
                "depositAddress": address,
            }
        signature = signature_of(echo, quote, timestamp)
        if not echo["dry"] and self.tells(Lie.OTHER_ENTRY):
            # Whoever is between client and service can replace an address, but cannot sign it.
            quote["depositAddress"] = _stranger(origin)
        body: dict[str, object] = {
            "correlationId": identifier,
            "timestamp": timestamp,
            "signature": signature,
            "quoteRequest": echo,
            "quote": quote,
        }
        if not echo["dry"]:
            output = int(str(quote["amountOut"])) // (2 if self.tells(Lie.WORSE_OUTPUT) else 1)
            payment = Payment(destination.chain_id, destination.address, echo["recipient"], output, echo["refundTo"])
            self.deposits.reservations[address] = Reservation(
                address, origin, destination, int(str(quote["amountIn"])), payment, ends, body
            )
        return body

    async def _terms(self, deposit: Deposit) -> Payment:
        return self.deposits.reservations[deposit.contract].payment

    async def _status(self, request: web.Request) -> web.Response:
        self._partner(request)
        query = dict(received(request).query)
        address = query.get("depositAddress", "")
        held = self.deposits.reservations.get(checksummed(address) if is_address(address) else address)
        if held is None or not query.keys() <= {"depositAddress", "depositMemo"}:
            raise Fails("status_not_found")
        return answer(
            {
                "correlationId": str(uuid.uuid4()),
                "quoteResponse": {name: value for name, value in held.answer.items() if name != "correlationId"},
                "status": self.behaviour.status or self.deposits.word(held),
                "updatedAt": written(datetime.now(UTC)),
                "swapDetails": self.deposits.details(held),
            }
        )

    async def _usd(self, asset: Asset, amount: int) -> str:
        worth = await self.usd(asset.chain_id, asset.address, amount)
        return formatted(worth, 6) if worth else "0"


def _stranger(where: Asset) -> str:
    return STRANGER_ON_SOLANA if where.on_solana else STRANGER
