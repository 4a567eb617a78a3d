"""An emulator of Gas.zip: quotes, its table of chains, and a solver that pays for deposits.

https://dev.gas.zip (repository of 2026-06) and what clients saw of the live service up to 2026-10, read 2026-11-21:
quotes have JSON numbers, except the deposit's value, which is hex, and a status states a payment's cost including its
gas. Undocumented errors have texts of ours. No answer about Solana was seen: its amounts are in lamports here, and a
quote for a deposit there has no transaction, as on the vendor's pages.
"""

import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.gaszip.deployments import (
    CONTRACT,
    PROGRAM,
    STRANGER,
    Deployment,
    deployments_of,
    solana_deposits,
)
from rhumbline.devnet.upstreams.inverse import input_for
from rhumbline.devnet.upstreams.parameters import AMOUNT, Parameters, pattern, refusal, text
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.svm.address import encode_address

_GUARANTEED_S = 60
_HASH = pattern("0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88}")
_REQUEST = Parameters({}, {"from": text, "to": text}, wrong=refusal("malformed"), unknown=refusal("malformed"))
_ONE_SHORT = 4 + 2 + 32
"""The size of the number of short IDs, one of them, and the receiver."""
_SOME_HASH = "0x" + "6b" * 32


class GasZip(Emulator):
    """Gas.zip between the chains of the sandbox."""

    key = "GASZIP"
    failures: ClassVar[Mapping[str, Failure]] = MappingProxyType(
        {
            "liquidity": Failure(
                500,
                {
                    "error": "Quote: Please Try Again",
                    "quotes": [{"chain": 900002, "error": "Quote: Insufficent Liquidity"}],
                },
                on=("/quotes",),
            ),
            "limit": Failure(
                200, {"quotes": [{"chain": 900002, "error": "Quote: Chain Limit Exceeded"}]}, on=("/quotes",)
            ),
            "source_disabled": Failure(200, {"error": "Source: Chain Disabled"}, on=("/quotes",)),
            "try_again": Failure(500, {"error": "Quote: Please Try Again"}, on=("/quotes",)),
            "malformed": Failure(400, {"error": "Bad Request"}, on=("/quotes",)),
            "restricted": Failure(
                400,
                {"error": "Restricted: Address has been flagged as high risk by a third-party screening tool."},
                on=("/quotes",),
            ),
            "no_data": Failure(200, {"error": "no data found"}, on=("/deposit",)),
        }
    )
    statuses = ("SEEN", "PENDING", "CONFIRMED", "PRIORITY", "CANCELLED")
    lies = frozenset(
        {
            Lie.WORSE_OUTPUT,
            Lie.OTHER_RECEIVER,
            Lie.OTHER_ENTRY,
            Lie.OTHER_TOKEN,
            Lie.OTHER_AMOUNT,
            Lie.MORE_VALUE,
        }
    )  # fmt: skip
    settlements = MappingProxyType({CONTRACT: "GasZipDeposit"})
    svm_programs = MappingProxyType({PROGRAM: "gaszip_deposit"})

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.solver = Solver(world, dict.fromkeys(world.evm_chains, (CONTRACT,)), self._owed, lambda: self.behaviour)
        self.by_chain = deployments_of(world)
        self._latest: tuple[Deployment, Payment] | None = None

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.get("/quotes/{origin}/{amount}/{destinations}", self._quote),
            web.get("/quoteReverse/{origin}/{amount}/{destination}", self._required),
            web.get("/chains", self._chains),
            web.get("/deposit/{hash}", self._status),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        return {deployment.chain_id: deployment.facts() for deployment in self.by_chain.values()}

    async def run(self) -> None:
        await self.solver.run(solana_deposits(*each) for each in self.world.nodes.items())

    async def _quote(self, request: web.Request) -> web.Response:
        asked, path = received(request), request.match_info
        query = _REQUEST.query(asked)
        if not AMOUNT(path["amount"]):
            raise Fails("malformed")
        origin, destination = (self.by_chain.get(_number(path[name])) for name in ("origin", "destinations"))
        amount = int(path["amount"])
        if origin is None:
            raise Fails("source_disabled")
        if destination is None or destination is origin:
            raise Fails("liquidity", _refused(_number(path["destinations"]), "Quote: Insufficent Liquidity"))
        sender, receiver = query.get("from"), query.get("to")
        if not (sender is None or origin.is_address(sender)) or not (
            receiver is None or destination.is_address(receiver)
        ):
            raise Fails("malformed")
        expected = await self._expected(origin, destination, amount)
        if amount > origin.most:
            raise Fails("limit", {"quotes": [{"chain": destination.number, "error": "Quote: Chain Limit Exceeded"}]})
        self._latest = origin, Payment(
            destination.chain_id, destination.native, receiver or destination.stranger, expected,
            sender or origin.stranger,
        )  # fmt: skip
        told = {
            "chain": origin.number if self.tells(Lie.OTHER_TOKEN) else destination.number,
            "decimals": destination.decimals,
            "expected": expected,
            "expectedNative": expected,
            "gas": destination.gas,
            "speed": Decimal("4.0"),
            "usd": Decimal("24.5"),
        }
        body: dict[str, Any] = {"quotes": [told], "expires": int(time.time()) + _GUARANTEED_S}
        if receiver is not None and not origin.on_solana:
            body |= self._deposits(destination, amount, receiver, sender)
        return answer(body)

    async def _required(self, request: web.Request) -> web.Response:
        """Answer the deposit for an output, a JSON number as on the vendor's page."""
        path = request.match_info
        if received(request).query or not AMOUNT(path["amount"]):
            raise Fails("malformed")
        origin, destination = (self.by_chain.get(_number(path[name])) for name in ("origin", "destination"))
        if origin is None or destination is None or destination is origin:
            raise Fails("source_disabled" if origin is None else "liquidity")
        try:
            required = await input_for(int(path["amount"]), partial(self._expected, origin, destination))
        except NoMarket:
            raise Fails("liquidity") from None
        told = {"gas": destination.gas, "speed": Decimal("4.0"), "usd": Decimal("24.5")}
        return answer({"chain": destination.number, "required": required, **told})

    def _deposits(self, destination: Deployment, amount: int, receiver: str, sender: str | None) -> dict[str, Any]:
        """Return both ways to deposit on an EVM chain."""
        paid = destination.raw(destination.stranger if self.tells(Lie.OTHER_RECEIVER) else receiver)
        value = amount + (1 if self.tells(Lie.MORE_VALUE) else 0)
        own = sender is not None and bytes.fromhex(sender[2:]) == paid
        head = b"\x01" if own else (b"\x03" if destination.on_solana else b"\x02") + paid
        called = encoded("deposit(uint256,bytes32)", destination.short, paid.ljust(32, b"\0"))
        return {
            "calldata": "0x" + (head + destination.short.to_bytes(2)).hex(),
            "contractDepositTxn": {
                "to": STRANGER if self.tells(Lie.OTHER_ENTRY) else CONTRACT,
                "data": "0x" + called.hex(),
                "value": hex(value // 2 if self.tells(Lie.OTHER_AMOUNT) else value),
            },
        }

    async def _chains(self, request: web.Request) -> web.Response:
        if received(request).query:
            raise Fails("malformed")
        return answer(
            {
                "chains": [
                    _facts(self.world.chain(deployment.chain_id).name, deployment)
                    for deployment in self.by_chain.values()
                ]
            }
        )

    async def _expected(self, origin: Deployment, destination: Deployment, amount: int) -> int:
        """Return the amount that arrives, after the payment's gas."""
        there = (destination.chain_id, destination.native)
        across = await self.world.market.quote_across(origin.chain_id, origin.native, *there, amount)
        return max(0, across - destination.gas)

    async def _owed(self, deposit: Deposit) -> Payment:
        origin = next(deployment for deployment in self.by_chain.values() if deployment.chain_id == deposit.chain_id)
        shorts, to = _terms(deposit, on_solana=origin.on_solana)
        destination = next(deployment for deployment in self.by_chain.values() if deployment.short == shorts)
        if destination.on_solana:
            receiver = encode_address(to)
        else:
            receiver = checksummed(to[12:] if origin.on_solana else to[:20])
        amount = await self._expected(origin, destination, deposit.amount)
        paid = amount // 2 if self.tells(Lie.WORSE_OUTPUT) else amount
        return Payment(destination.chain_id, destination.native, receiver, paid, deposit.depositor)

    async def _status(self, request: web.Request) -> web.Response:
        tx_hash = request.match_info["hash"]
        if received(request).query or not _HASH(tx_hash):
            raise Fails("no_data")
        dealing, forced = self.solver.of_transaction(tx_hash), self.behaviour.status
        if dealing is None:
            if forced is None or self._latest is None:
                return answer({})
            # A forced status is about the latest quote.
            origin, wanted = self._latest
            deposit = Deposit(
                origin.chain_id, CONTRACT, tx_hash, wanted.refund_to, origin.native, origin.least, b"", tx_hash
            )
            dealing = Dealing(deposit, wanted)
        # A deposit is seen before its payment is known.
        payment = dealing.payment or (self._latest[1] if forced and self._latest else None)
        deposit, by_chain = dealing.deposit, {deployment.chain_id: deployment for deployment in self.by_chain.values()}
        facts = {
            "block": 1, "chain": by_chain[deposit.chain_id].number, "hash": tx_hash, "log": 0, "seen": int(time.time()),
            "sender": deposit.depositor, "shorts": [] if payment is None else [by_chain[payment.chain_id].short],
            "status": "CONFIRMED", "time": int(time.time()), "to": "" if payment is None else payment.receiver,
            "token": deposit.token, "type": "CONTRACT", "usd": Decimal("24.5"), "value": str(deposit.amount),
            "valueNative": str(deposit.amount),
        }  # fmt: skip
        return answer(
            {"deposit": facts, "txs": [] if payment is None else _payouts(dealing, payment, forced, by_chain)}
        )


def _terms(deposit: Deposit, *, on_solana: bool) -> tuple[int, bytes]:
    """Return the short ID of the destination and the receiver's bytes, in the deposit's form."""
    if on_solana:
        if len(deposit.terms) != _ONE_SHORT:
            raise ValueError("a deposit for more chains than one")
        return int.from_bytes(deposit.terms[4:6], "little"), deposit.terms[6:]
    chains, to = decode_args(("uint256", "bytes32"), deposit.terms)
    return int(str(chains)), to if isinstance(to, bytes) else b""


def _facts(name: str, deployment: Deployment) -> dict[str, Any]:
    return {
        "name": name,
        "chain": deployment.number,
        "short": deployment.short,
        "gas": "21000",
        "gwei": "1",
        "bal": str(deployment.most * 5000),
        "rpcs": [],
        "explorer": "",
        "symbol": deployment.symbol,
        "price": 2500,
        "decimals": deployment.decimals,
        "inbound": True,
        "mainnet": True,
        "maxInbound": 50,
        "minOutbound": Decimal("0.25"),
        "maxOutbound": 50,
        "maxInboundNative": str(deployment.most),
        "minOutboundNative": str(deployment.least),
        "maxOutboundNative": str(deployment.most),
    }


def _payouts(
    dealing: Dealing, payment: Payment, forced: str | None, by_chain: Mapping[int, Deployment]
) -> list[dict[str, Any]]:
    """Return the payments in a status; a forced word is about the one to the destination."""
    back, state = dealing.deposit, dealing.state
    cancelled = forced == "CANCELLED" or (forced is None and state in (DepositState.FAILED, DepositState.REFUNDED))
    word = forced or {DepositState.PENDING: "PENDING", DepositState.FILLED: "CONFIRMED"}.get(state, "CANCELLED")
    sent = (dealing.fill_tx or _SOME_HASH) if word == "CONFIRMED" else None
    rows = [_payout(by_chain[payment.chain_id], payment.receiver, payment.amount, word, sent)]
    if cancelled:
        rows[0]["cancelled"] = True
    if state is DepositState.REFUNDED and forced is None:
        rows.append(_payout(by_chain[back.chain_id], payment.refund_to, back.amount, "CONFIRMED", dealing.refund_tx))
        rows[1]["refund"] = True
    return rows


def _payout(deployment: Deployment, to: str, amount: int, word: str, sent: str | None) -> dict[str, Any]:
    return {
        "chain": deployment.number, "data": "0x", "hash": sent, "minValue": "0", "nonce": 7, "retries": 0,
        "signer": STRANGER, "status": word, "time": int(time.time()), "to": to, "updated": int(time.time()),
        "usd": Decimal("24.4"), "value": str(amount + deployment.gas), "valueNative": str(amount + deployment.gas),
    }  # fmt: skip


def _refused(chain: int, why: str) -> dict[str, Any]:
    return {"error": "Quote: Please Try Again", "quotes": [{"chain": chain, "error": why}]}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
