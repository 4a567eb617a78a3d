"""An emulator of Across's API: terms of deposits, limits, Swap API, deposit status, over the real SpokePools.

Source: across-protocol/frontend ``bdcf46c`` and across-protocol/indexer ``a28c9a5``, both of 2026-02, read 2026-11-21.
The Swap API requires the key and the integrator's ID, the older endpoints neither. Unlike the real API it refuses
unknown parameters, because they are mistakes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar

from aiohttp import web

from rhumbline.devnet.upstreams.across.indexer import IndexedDeposit, Indexer, Knowledge
from rhumbline.devnet.upstreams.across.message import messaging
from rhumbline.devnet.upstreams.across.query import FEES, LIMITS, STATUS, SWAP, bad, sides
from rhumbline.devnet.upstreams.across.relayer import Relayer
from rhumbline.devnet.upstreams.across.svm_pool import SvmPool
from rhumbline.devnet.upstreams.across.svm_spoke import SPOKE
from rhumbline.devnet.upstreams.across.swap_api import swap_answer
from rhumbline.devnet.upstreams.across.terms import (
    FILL_TIME_S,
    ON_SOLANA,
    STRANGER,
    fees_of,
    largest,
    limits_of,
    smallest,
    terms_of,
)
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM

KEY, INTEGRATOR = "sandbox-across-key", "0xbeef"


def _error(status: int, code: str | None, message: str, **more: str) -> Failure:
    said = {} if code is None else {"code": code}
    return Failure(status, {"type": "AcrossApiError", **said, "status": status, "message": message, **more})


def _lost(error: str, message: str, status: int) -> Failure:
    return Failure(status, {"error": error, "message": message}, on=("/deposit/status",))


class Across(Emulator):
    """Across on the sandbox: the same token on the other chain, for a small fee."""

    key = "ACROSS"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "invalid_param": _error(400, "INVALID_PARAM", "Invalid parameter at path 'outputToken'"),
            "unsupported_chain": _error(400, "INVALID_PARAM", "Unsupported chain id: 5", param="originChainId"),
            "missing_param": _error(400, "MISSING_PARAM", "Query param 'destinationChainId' must be provided"),
            "invalid_method": _error(400, "INVALID_METHOD", "POST method required"),
            "simulation_error": _error(400, "SIMULATION_ERROR", "execution reverted"),
            "amount_too_low": _error(400, "AMOUNT_TOO_LOW", "Sent amount is too low relative to fees"),
            "amount_too_high": _error(400, "AMOUNT_TOO_HIGH", "Amount exceeds max. deposit limit: 20003.8 USDC"),
            "route_not_enabled": _error(400, "ROUTE_NOT_ENABLED", "Route is not enabled."),
            "swap_liquidity": _error(400, "SWAP_LIQUIDITY_INSUFFICIENT", "Insufficient liquidity"),
            "swap_unavailable": _error(400, "SWAP_QUOTE_UNAVAILABLE", "No quote"),
            "swap_slippage": _error(400, "SWAP_SLIPPAGE_INSUFFICIENT", "Slippage is too low", param="slippage"),
            "swap_type": _error(400, "SWAP_TYPE_NOT_GUARANTEED", "Trade type not guaranteed"),
            "abi_encoding": _error(400, "ABI_ENCODING_ERROR", "Failed to encode"),
            "unauthorized": _error(401, None, "Unauthorized"),
            "forbidden": _error(403, None, "Forbidden"),
            "token_not_found": _error(404, None, "Unable to find tokenDetails for address"),
            "rate_limited": Failure(429, {"message": "Too Many Requests"}, {"retry-after": "7"}),
            "upstream_rpc": _error(502, "UPSTREAM_RPC_ERROR", "Upstream RPC error"),
            "upstream_http": _error(502, "UPSTREAM_HTTP_ERROR", "Upstream HTTP error"),
            "gateway_timeout": _error(504, "UPSTREAM_GATEWAY_TIMEOUT", "Upstream timeout"),
            "unexpected": _error(500, "UNEXPECTED_ERROR", "Unexpected error"),
            "deposit_not_found": _lost(
                "DepositNotFoundException", "Deposit not found given the provided constraints", 404
            ),
            "status_query": _lost("IncorrectQueryParamsException", "Incorrect query params provided", 400),
            "status_index": _lost("IndexParamOutOfRangeException", "Index provided is out of range", 400),
        }
    )
    statuses = (
        *("pending", "slowFillRequested", "filled", "slowFilled", "expired", "refunded"),
        *("deposit-pending", "deposit-failed"),
    )
    lies = frozenset(Lie)
    secrets = MappingProxyType({"api_key": KEY, "integrator_id": INTEGRATOR})
    """Required by the Swap API."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._indexer = Indexer.of(world)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get("/suggested-fees", self._suggested_fees),
            web.get("/limits", self._limits),
            web.get("/swap/approval", self._swap_approval),
            web.get("/deposit/status", self._deposit_status),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {
            number: {"chain_id": number, "spoke_pool": chain.contracts.get("spoke_pool", SPOKE)}
            for number, chain in self.world.chains.items()
        }

    async def install(self) -> None:
        """Install the pool on Solana; those of the EVM chains exist already."""
        for number, node in self.world.nodes.items():
            await SvmPool(node, number).install(ON_SOLANA)

    async def run(self) -> None:
        """Fill deposits, or do what the behaviour says."""
        await Relayer(self.world, lambda: self.behaviour).run()

    async def _suggested_fees(self, request: web.Request) -> web.Response:
        query = FEES.query(received(request))
        origin, destination = sides(self.world, query)
        amount = int(query["amount"])
        most = await largest(self.world, destination)
        if amount > most:
            raise Fails("amount_too_high")
        low = amount < smallest(origin)
        if low and query.get("skipAmountLimit") != "true":
            raise Fails("amount_too_low")
        extra = await messaging(self.world, origin, destination, amount, query)
        terms = await terms_of(
            self.world,
            origin,
            destination,
            amount,
            depositor=NATIVE_EVM,
            recipient=query.get("recipient", STRANGER),
            extra_gas=extra,
        )
        fees = fees_of(origin, amount, extra)
        shown = destination.place(STRANGER if self.tells(Lie.OTHER_TOKEN) else None)
        return answer(
            {
                "estimatedFillTimeSec": FILL_TIME_S,
                "capitalFeePct": _pct(fees.capital, amount),
                "capitalFeeTotal": str(fees.capital),
                "relayGasFeePct": _pct(fees.gas, amount),
                "relayGasFeeTotal": str(fees.gas),
                "relayFeePct": _pct(fees.total, amount),
                "relayFeeTotal": str(fees.total),
                "lpFeePct": "0",
                "timestamp": str(terms.timestamp),
                "isAmountTooLow": low,
                # A block of the hub's chain, wherever the deposit is made.
                "quoteBlock": str(await self.world.rpc(min(self.world.rpcs)).block_number()),
                "exclusiveRelayer": terms.exclusive_relayer,
                "exclusivityDeadline": terms.exclusivity,
                "spokePoolAddress": self.entry(origin.pool),
                "destinationSpokePoolAddress": destination.pool,
                "totalRelayFee": {"pct": _pct(fees.total, amount), "total": str(fees.total)},
                "relayerCapitalFee": {"pct": _pct(fees.capital, amount), "total": str(fees.capital)},
                "relayerGasFee": {"pct": _pct(fees.gas, amount), "total": str(fees.gas)},
                "lpFee": {"pct": _pct(fees.lp, amount), "total": str(fees.lp)},
                "limits": limits_of(origin, most),
                "fillDeadline": str(terms.fill_deadline),
                "outputAmount": str(terms.output),
                "inputToken": origin.place(),
                "outputToken": shown,
                "id": "sbx-1",
            }
        )

    async def _limits(self, request: web.Request) -> web.Response:
        query = LIMITS.query(received(request))
        origin, destination = sides(self.world, query)
        return answer(limits_of(origin, await largest(self.world, destination)))

    async def _swap_approval(self, request: web.Request) -> web.Response:
        asked = received(request)
        if asked.headers.get("authorization") != f"Bearer {KEY}":
            raise Fails("unauthorized")
        query = SWAP.query(asked)
        if query.get("integratorId") != INTEGRATOR:
            raise bad("integratorId", "string")
        return answer(await swap_answer(self.world, query, self.behaviour.lie))

    async def _deposit_status(self, request: web.Request) -> web.Response:
        query = STATUS.query(received(request))
        if ("depositId" in query) == bool({"depositTxnRef", "depositTxHash"} & query.keys()):
            raise Fails("status_query")
        if "depositId" in query and "originChainId" not in query:
            raise Fails("status_query")
        deposits = await self._deposits(query)
        index = int(query.get("index", "0"))
        if deposits and index >= len(deposits):
            raise Fails("status_index")
        if not deposits:
            raise Fails("deposit_not_found")
        known = await self._indexer.knowledge(deposits[index])
        if self.behaviour.status is not None:
            known = replace(known, status=self.behaviour.status)
        return answer(_status(deposits[index], known, index, len(deposits) - 1))

    async def _deposits(self, query: Mapping[str, str]) -> list[IndexedDeposit]:
        if "depositId" in query:
            found = await self._indexer.by_number(int(query["originChainId"]), int(query["depositId"]))
            return [] if found is None else [found]
        return await self._indexer.by_transaction(query.get("depositTxnRef") or query["depositTxHash"])


def _status(deposit: IndexedDeposit, known: Knowledge, index: int, last: int) -> dict[str, object]:
    return {
        "status": known.status,
        "originChainId": deposit.origin,
        "depositId": str(deposit.number),
        "depositTxHash": deposit.tx_hash,
        "depositTxnRef": deposit.tx_hash,
        "fillTx": known.fill_tx,
        "fillTxnRef": known.fill_tx,
        "destinationChainId": deposit.destination,
        "depositRefundTxHash": known.refund_tx,
        "depositRefundTxnRef": known.refund_tx,
        "actionsSucceeded": None,
        "pagination": {"currentIndex": index, "maxIndex": last},
    }


def _pct(part: int, whole: int) -> str:
    return str(part * 10**18 // whole)
