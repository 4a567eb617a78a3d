"""An emulator of Gas.zip: quotes, its table of chains, and a solver that pays for deposits.

https://dev.gas.zip (repository of 2026-06) and what clients saw of the live service up to 2026-10, read 2026-11-21:
numbers are JSON numbers in quotes, but the deposit's value, which is hex, and a status says of a payment what it cost
with its gas. Errors that nobody has published have a text of this sandbox.
"""

import re
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import decode_args
from rhumbline.gateways.evm.address import checksummed, is_address

CONTRACT = "0x2a37D63EAdFe4b4682a3c28C1c2cD4F109Cc2762"
STRANGER = "0x00000000000000000000000000000000000BaDd2"
SHORTS: Mapping[int, int] = MappingProxyType({900001: 601, 900002: 602})
LEAST, MOST = 10**14, 2 * 10**16
GAS = 21_000 * 10**9
"""What a payment costs, in wei."""
_GUARANTEED_S = 60
_AMOUNT = re.compile(r"[1-9][0-9]{0,77}\Z", re.ASCII)
_HASH = re.compile(r"0x[0-9a-fA-F]{64}\Z", re.ASCII)
_SOME_HASH = "0x" + "6b" * 32


class GasZip(Emulator):
    """Gas.zip between both chains of the sandbox."""

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

    def __init__(self, world: World) -> None:
        """Begin without any deposit."""
        super().__init__(world)
        self.solver = Solver(world, dict.fromkeys(world.evm_chains, (CONTRACT,)), self._owed, lambda: self.behaviour)
        self._latest: Payment | None = None

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        """Return quotes, chains and status."""
        return [
            web.get("/quotes/{origin}/{amount}/{destinations}", self._quote),
            web.get("/chains", self._chains),
            web.get("/deposit/{hash}", self._status),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return both chains under short IDs of the sandbox."""
        return {number: {"short": SHORTS[number], "contract": CONTRACT} for number in self.world.evm_chains}

    def contracts(self) -> Mapping[int, Mapping[str, str]]:
        """Return the deposit contract of each chain."""
        return {number: {CONTRACT: "GasZipDeposit"} for number in self.world.evm_chains}

    async def run(self) -> None:
        """Pay for deposits."""
        await self.solver.run()

    async def _quote(self, request: web.Request) -> web.Response:
        asked, place = received(request), request.match_info
        query = dict(asked.query)
        if len(asked.query) != len(query) or not query.keys() <= {"from", "to"} or not _AMOUNT.match(place["amount"]):
            raise Fails("malformed")
        if not all(is_address(each) for each in query.values()) or not place["destinations"].isdecimal():
            raise Fails("malformed")
        origin, destination, amount = _number(place["origin"]), int(place["destinations"]), int(place["amount"])
        if origin not in SHORTS:
            raise Fails("source_disabled")
        if destination not in SHORTS or destination == origin:
            raise Fails("liquidity", _refused(destination, "Quote: Insufficent Liquidity"))
        expected = await self._expected(origin, destination, amount)
        if amount > MOST:
            raise Fails("limit", {"quotes": [{"chain": destination, "error": "Quote: Chain Limit Exceeded"}]})
        self._latest = Payment(
            destination, NATIVE_EVM, query.get("to", STRANGER), expected, query.get("from", STRANGER)
        )
        told = {
            "chain": origin if self.tells(Lie.OTHER_TOKEN) else destination,
            "decimals": 18,
            "expected": expected,
            "expectedNative": expected,
            "gas": GAS,
            "speed": Decimal("4.0"),
            "usd": Decimal("24.5"),
        }
        body: dict[str, Any] = {"quotes": [told], "expires": int(time.time()) + _GUARANTEED_S}
        if "to" in query:
            body |= self._deposits(destination, amount, query["to"], query.get("from"))
        return answer(body)

    def _deposits(self, destination: int, amount: int, receiver: str, sender: str | None) -> dict[str, Any]:
        """Return both ways to deposit."""
        short = SHORTS[destination]
        paid = bytes.fromhex((STRANGER if self.tells(Lie.OTHER_RECEIVER) else receiver)[2:])
        value = amount + (1 if self.tells(Lie.MORE_VALUE) else 0)
        head = b"\x01" if sender is not None and bytes.fromhex(sender[2:]) == paid else b"\x02" + paid
        return {
            "calldata": "0x" + (head + short.to_bytes(2)).hex(),
            "contractDepositTxn": {
                "to": STRANGER if self.tells(Lie.OTHER_ENTRY) else CONTRACT,
                "data": "0x" + encoded("deposit(uint256,bytes32)", short, paid.ljust(32, b"\0")).hex(),
                "value": hex(value // 2 if self.tells(Lie.OTHER_AMOUNT) else value),
            },
        }

    async def _chains(self, request: web.Request) -> web.Response:
        if received(request).query:
            raise Fails("malformed")
        facts = [
            {
                "name": self.world.chain(number).name,
                "chain": number,
                "short": short,
                "gas": "21000",
                "gwei": "1",
                "bal": str(10**20),
                "rpcs": [],
                "explorer": "",
                "symbol": "ETH",
                "price": 2500,
                "decimals": 18,
                "inbound": True,
                "mainnet": True,
                "maxInbound": 50,
                "minOutbound": Decimal("0.25"),
                "maxOutbound": 50,
                "maxInboundNative": str(MOST),
                "minOutboundNative": str(LEAST),
                "maxOutboundNative": str(MOST),
            }
            for number, short in SHORTS.items()
        ]
        return answer({"chains": facts})

    async def _expected(self, origin: int, destination: int, amount: int) -> int:
        """Return what arrives, in wei, after the payment's gas."""
        across = await self.world.market.quote_across(origin, NATIVE_EVM, destination, NATIVE_EVM, amount)
        return max(0, across - GAS)

    async def _owed(self, deposit: Deposit) -> Payment:
        chains, to = decode_args(("uint256", "bytes32"), deposit.terms)
        destinations = {short: number for number, short in SHORTS.items()}
        receiver = checksummed(to[:20] if isinstance(to, bytes) else "")
        number = destinations[int(str(chains))]
        amount = await self._expected(deposit.chain_id, number, deposit.amount)
        paid = amount // 2 if self.tells(Lie.WORSE_OUTPUT) else amount
        return Payment(number, NATIVE_EVM, receiver, paid, deposit.depositor)

    async def _status(self, request: web.Request) -> web.Response:
        tx_hash = request.match_info["hash"].lower()
        if received(request).query or not _HASH.match(tx_hash):
            raise Fails("no_data")
        dealing, forced = self.solver.of_transaction(tx_hash), self.behaviour.status
        if dealing is None:
            if forced is None or self._latest is None:
                return answer({})
            # A word that is said whatever happened is said of the latest quote.
            origin = next(number for number in SHORTS if number != self._latest.chain_id)
            deposit = Deposit(origin, CONTRACT, tx_hash, self._latest.refund_to, NATIVE_EVM, LEAST, b"", tx_hash)
            dealing = Dealing(deposit, self._latest)
        # A deposit is seen before it is known what it is to bring.
        payment, deposit = dealing.payment or (self._latest if forced else None), dealing.deposit
        shorts = [] if payment is None else [SHORTS[payment.chain_id]]
        receiver = "" if payment is None else payment.receiver
        facts = {
            "block": 1, "chain": deposit.chain_id, "hash": tx_hash, "log": 0, "seen": int(time.time()),
            "sender": deposit.depositor, "shorts": shorts, "status": "CONFIRMED", "time": int(time.time()),
            "to": receiver, "token": NATIVE_EVM, "type": "CONTRACT", "usd": Decimal("24.5"),
            "value": str(deposit.amount), "valueNative": str(deposit.amount),
        }  # fmt: skip
        return answer({"deposit": facts, "txs": [] if payment is None else _payouts(dealing, payment, forced)})


def _payouts(dealing: Dealing, payment: Payment, forced: str | None) -> list[dict[str, Any]]:
    """Return the payments that a status lists; a forced word is said of the one to the destination."""
    back, state = dealing.deposit, dealing.state
    cancelled = forced == "CANCELLED" or (forced is None and state in (DepositState.FAILED, DepositState.REFUNDED))
    word = forced or {DepositState.PENDING: "PENDING", DepositState.FILLED: "CONFIRMED"}.get(state, "CANCELLED")
    sent = (dealing.fill_tx or _SOME_HASH) if word == "CONFIRMED" else None
    rows = [_payout(payment.chain_id, payment.receiver, payment.amount, word, sent)]
    if cancelled:
        rows[0]["cancelled"] = True
    if state is DepositState.REFUNDED and forced is None:
        rows.append(_payout(back.chain_id, payment.refund_to, back.amount, "CONFIRMED", dealing.refund_tx))
        rows[1]["refund"] = True
    return rows


def _payout(chain: int, to: str, amount: int, word: str, sent: str | None) -> dict[str, Any]:
    return {
        "chain": chain, "data": "0x", "hash": sent, "minValue": "0", "nonce": 7, "retries": 0, "signer": STRANGER,
        "status": word, "time": int(time.time()), "to": to, "updated": int(time.time()), "usd": Decimal("24.4"),
        "value": str(amount + GAS), "valueNative": str(amount + GAS),
    }  # fmt: skip


def _refused(chain: int, why: str) -> dict[str, Any]:
    return {"error": "Quote: Please Try Again", "quotes": [{"chain": chain, "error": why}]}


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
