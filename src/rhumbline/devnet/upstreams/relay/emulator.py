"""An emulator of Relay: quotes with their transactions and signed orders, and a solver that fills deposits.

https://docs.relay.link (references/api), read 2026-11-21; answers have the documented shape. Tokens that Relay's solver
holds (the native asset, USDC, USDT) are deposited as they are; others are first traded for USDC in the router, except
on Solana, where they are not served. Swaps on one EVM chain go through the router. A quote for a deposit without a
wallet is a bare transfer to the solver.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from aiohttp import web

from rhumbline.devnet.evm.accounts import SOLVER, sandbox_account, signer
from rhumbline.devnet.upstreams.behaviour import Fails, Failure, Lie
from rhumbline.devnet.upstreams.emulator import Emulator, answer, received
from rhumbline.devnet.upstreams.inverse import input_for
from rhumbline.devnet.upstreams.relay.fills import Fills, topped_up
from rhumbline.devnet.upstreams.relay.order import Terms, hashed, order_data, signed, written
from rhumbline.devnet.upstreams.relay.quote_request import ERRORS, STATUSES, Wanted, read_wanted
from rhumbline.devnet.upstreams.relay.steps import (
    APPROVAL_PROXY,
    DEPOSITORY,
    ROUTER,
    STRANGER,
    CheckedRequest,
    deposit_steps,
    swap_steps,
    swapped_deposit_steps,
)
from rhumbline.devnet.upstreams.relay.svm_steps import PROGRAM, SolanaRequest, solana_deposits, solana_steps
from rhumbline.devnet.upstreams.relay.svm_steps import STRANGER as SOLANA_STRANGER
from rhumbline.devnet.upstreams.relay.terms import chain_rows, details, fees, solana_rows, status_body
from rhumbline.devnet.upstreams.solver import Dealing, Deposit, Payment
from rhumbline.devnet.upstreams.trades import NoMarket
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM

API_KEY = "relay-sandbox-key"
_HELD = frozenset({"USDC", "USDT"})
_SEVEN_DAYS_S = 7 * 86400
_LEAST = 1000
"""Smaller outputs, in raw units, are too low to serve."""


@dataclass(frozen=True, slots=True)
class Promise:
    """The payment for an order's deposit, and the request it belongs to; ``least`` must be deposited."""

    request_id: str
    payment: Payment
    token: str
    least: int


class Relay(Emulator):
    """Relay between the chains of the sandbox."""

    key = "RELAY"
    failures: ClassVar[Mapping[str, Failure]] = ERRORS
    statuses = STATUSES
    lies = frozenset(Lie)
    secrets = MappingProxyType({"api_key": API_KEY})
    """Without the key the real service answers too."""
    settlements = MappingProxyType(
        {DEPOSITORY: "RelayDepository", ROUTER: "RelayRouter", APPROVAL_PROXY: "RelayApprovalProxy"}
    )
    svm_programs = MappingProxyType({PROGRAM: "relay_depository"})

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._account = sandbox_account(SOLVER)
        self._promises: dict[str, Promise] = {}
        self._orders: dict[str, str | None] = {}
        depositories = dict.fromkeys(world.evm_chains, (DEPOSITORY,))
        self.solver = Fills(world, depositories, self._owed, lambda: self.behaviour)

    def routes(self) -> Sequence[web.AbstractRouteDef]:
        return [
            web.post("/quote/v2", self._quote),
            web.get("/intents/status/v3", self._status),
            web.get("/chains", self._chains),
        ]

    def deployments(self) -> Mapping[int, Mapping[str, object]]:
        """Return all chains; orders are signed by the sandbox's solver."""
        evm = {"depository": DEPOSITORY, "router": ROUTER, "approval_proxy": APPROVAL_PROXY}
        return {
            number: {
                "relay_id": number,
                "name": chain.key,
                "solver": self._account.address,
                **(evm if number in self.world.evm_chains else self._on_solana(number)),
            }
            for number, chain in self.world.chains.items()
        }

    async def run(self) -> None:
        await self.solver.run(solana_deposits(*each) for each in self.world.nodes.items())

    def _on_solana(self, chain_id: int) -> dict[str, object]:
        return {"depository": PROGRAM, "native": NATIVE_SVM, "held": sorted(self._held(chain_id))}

    def _held(self, chain_id: int) -> set[str]:
        """Return the tokens that are deposited as they are."""
        chain = self.world.chain(chain_id)
        native = NATIVE_EVM if chain_id in self.world.evm_chains else NATIVE_SVM
        return {native, *(chain.tokens[symbol].address for symbol in _HELD)}

    async def _quote(self, request: web.Request) -> web.Response:
        asked = received(request)
        self._check_key(asked.headers)
        wanted = read_wanted(asked.body, self.world)
        try:
            if wanted.output is not None:
                amount = await input_for(wanted.output, partial(self._output, wanted))
                wanted = replace(wanted, amount=amount // 2 if self.tells(Lie.OTHER_AMOUNT) else amount)
            return answer(await (self._swap(wanted) if wanted.same_chain else self._transfer(wanted)))
        except NoMarket:
            raise Fails("NO_SWAP_ROUTES_FOUND") from None

    async def _chains(self, _: web.Request) -> web.Response:
        rows = chain_rows(self.world.evm_chains, self.entry(DEPOSITORY))
        rows += solana_rows({number: self.world.chain(number) for number in self.world.nodes}, PROGRAM)
        return answer({"chains": rows})

    async def _swap(self, wanted: Wanted) -> dict[str, Any]:
        trade = await self.world.market.quote(wanted.origin, wanted.token_in, wanted.token_out, wanted.amount)
        promised = self._promised(wanted, trade.amount_out)
        asked = self._asked(wanted)
        steps = swap_steps(asked, trade, promised[1], self.behaviour.lie)
        return self._body(wanted, asked.request_id, steps, promised, None)

    async def _transfer(self, wanted: Wanted) -> dict[str, Any]:
        market, trade = self.world.market, None
        taken, taken_amount = wanted.token_in, wanted.amount
        if taken not in self._held(wanted.origin):
            if wanted.origin in self.world.nodes:
                raise Fails("NO_SWAP_ROUTES_FOUND")
            trade = await market.quote(wanted.origin, taken, self._dollars(wanted), wanted.amount)
            taken, taken_amount = trade.token_out, trade.amount_out
        output = await market.quote_across(wanted.origin, taken, wanted.destination, wanted.token_out, taken_amount)
        dollars = self.world.chain(wanted.destination).tokens["USDC"].address
        native, price = await topped_up(market, wanted, dollars)
        promised = self._promised(wanted, output - price)
        asked = self._asked(wanted)
        order, identifier = self._ordered(wanted, asked.request_id, (taken, taken_amount), promised, native)
        self._orders[asked.request_id] = "0x" + identifier.hex()
        if wanted.origin in self.world.nodes:
            step = SolanaRequest(asked.user, asked.token, asked.amount, asked.request_id, asked.other_token)
            steps = solana_steps(step, identifier, self.behaviour.lie)
        elif trade is None:
            steps = deposit_steps(asked, identifier, self.behaviour.lie)
        else:
            steps = swapped_deposit_steps(asked, trade, identifier, self.behaviour.lie)
        return self._body(wanted, asked.request_id, steps, promised, order, native)

    async def _output(self, wanted: Wanted, amount: int) -> int:
        """Return what an input gives."""
        market = self.world.market
        if wanted.same_chain:
            return (await market.quote(wanted.origin, wanted.token_in, wanted.token_out, amount)).amount_out
        taken = wanted.token_in
        if taken not in self._held(wanted.origin):
            trade = await market.quote(wanted.origin, taken, self._dollars(wanted), amount)
            taken, amount = trade.token_out, trade.amount_out
        return await market.quote_across(wanted.origin, taken, wanted.destination, wanted.token_out, amount)

    def _dollars(self, wanted: Wanted) -> str:
        return self.world.chain(wanted.origin).tokens["USDC"].address

    def _promised(self, wanted: Wanted, output: int) -> tuple[int, int]:
        """Return output and minimum, in the form of the answer; a requested output is promised, and no more."""
        output = output if wanted.output is None else min(output, wanted.output)
        if output < _LEAST:
            raise Fails("AMOUNT_TOO_LOW")
        minimum = output if wanted.exact else output - output * wanted.slippage_bps // 10_000
        return output, 1 if self.tells(Lie.NO_MINIMUM) else minimum

    def _asked(self, wanted: Wanted) -> CheckedRequest:
        count = len(self._orders)
        request_id = "0x" + hashlib.sha256(f"{self.url} {count} {wanted}".encode()).hexdigest()
        self._orders[request_id] = None
        chain = self.world.chain(wanted.origin)
        other = "USDT" if wanted.token_in != chain.tokens["USDT"].address else "USDC"
        return CheckedRequest(
            wanted.origin,
            wanted.user,
            wanted.token_in,
            wanted.amount,
            # An address of Solana's is useless to an EVM router, so the sweep goes to the wallet.
            wanted.user if wanted.destination in self.world.nodes else wanted.recipient,
            wanted.refund_to or wanted.user,
            request_id,
            self._account.address,
            chain.tokens[other].address,
        )

    def _ordered(
        self, wanted: Wanted, request_id: str, deposited: tuple[str, int], promised: tuple[int, int], native: int
    ) -> tuple[dict[str, Any], bytes]:
        """Make an order and store it; return the answer's ``protocol`` and the order's ID."""
        (taken, taken_amount), (output, minimum) = deposited, promised
        strangers = [
            SOLANA_STRANGER if number in self.world.nodes else STRANGER
            for number in (wanted.origin, wanted.destination)
        ]
        terms = Terms(
            self.world.chain(wanted.origin).key,
            self.world.chain(wanted.destination).key,
            taken,
            taken_amount,
            strangers[0] if self.tells(Lie.OTHER_REFUND) else wanted.refund_to,
            strangers[1] if self.tells(Lie.OTHER_RECEIVER) else wanted.recipient,
            wanted.token_out,
            output,
            minimum,
            int(time.time()) + _SEVEN_DAYS_S,
            ROUTER,
            native,
            native - native * wanted.slippage_bps // 10_000,
        )
        if self.tells(Lie.WORSE_OUTPUT):
            terms = replace(terms, paid_amount=output // 2, minimum=minimum // 2)
        order = order_data(terms, self._account.address, request_id)
        identifier = hashed(order)
        payment = Payment(
            wanted.destination, terms.paid, terms.receiver, terms.paid_amount, terms.refund_to or wanted.user
        )
        least = taken_amount - taken_amount * wanted.slippage_bps // 10_000
        self._promises["0x" + identifier.hex()] = Promise(request_id, payment, taken, least)
        self.solver.natives["0x" + identifier.hex()] = native
        protocol: dict[str, Any] = {"orderId": "0x" + identifier.hex(), "hubType": "onchain", "orderData": order}
        if wanted.protocol_data:
            protocol["orderSignature"] = signed(signer(self._account), identifier)
        protocol["paymentDetails"] = {
            "chainId": terms.origin,
            "depository": PROGRAM if wanted.origin in self.world.nodes else DEPOSITORY.lower(),
            "currency": written(taken),
            "amount": str(taken_amount),
        }
        return {"v2": protocol}, identifier

    def _body(
        self,
        wanted: Wanted,
        request_id: str,
        steps: list[dict[str, Any]],
        promised: tuple[int, int],
        protocol: dict[str, Any] | None,
        native: int = 0,
    ) -> dict[str, Any]:
        terms = details(wanted, *promised, native)
        body = {"requestId": request_id, "steps": steps, "fees": fees(wanted), "details": terms}
        return body if protocol is None else {**body, "protocol": protocol}

    async def _owed(self, deposit: Deposit) -> Payment:
        promise = self._promises[deposit.reference]
        if deposit.token != promise.token or deposit.amount < promise.least:
            raise ValueError("another deposit than the order's")
        return promise.payment

    async def _status(self, request: web.Request) -> web.Response:
        asked = received(request)
        self._check_key(asked.headers)
        request_id = dict(asked.query).get("requestId", "")
        if request_id not in self._orders or len(asked.query) != 1:
            raise Fails("REQUEST_UNKNOWN")
        dealing = self._dealing(request_id)
        payment = None if dealing is None else dealing.payment
        destination = None if payment is None else payment.chain_id
        return answer(status_body(self.behaviour.status, dealing, destination))

    def _dealing(self, request_id: str) -> Dealing | None:
        order = self._orders[request_id]
        return None if order is None else self.solver.deposits.get(order)

    def _check_key(self, headers: Mapping[str, str]) -> None:
        if headers.get("x-api-key", API_KEY) != API_KEY:
            raise Fails("UNAUTHORIZED")
