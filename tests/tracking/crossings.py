"""Transfers to another chain, as wallets start them on the local chain: a bridge is paid at a deposit address."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.transaction import CallKind, EvmTransaction, SwapBefore, make_transaction_id
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.tracking.transfers import Known, ScanPages
from tests.adapters.across.calling import calling, terms_of_call
from tests.tracking.conftest import KEY
from tests.tracking.market import Market

DEPOSIT = "0x1111111111111111111111111111111111111119"
OUTPUT = "0x2222222222222222222222222222222222222229"
PAGES = ScanPages({"TOYBRIDGE": "https://scan.example/{txHash}/{reference}"})


def other_chain(chain: Chain) -> Chain:
    return replace(chain, id=900_002, key="sbxb", name="B", native=replace(chain.native, chain_id=900_002))


def known(market: Market) -> Known:
    return Known(ChainCatalog([market.chain, other_chain(market.chain)]), PAGES)


@dataclass(frozen=True)
class Crossing:
    """One transfer of native currency: what was handed out, and what the wallet may send instead."""

    market: Market
    nonce: int = 0
    amount: int = 10**15
    adapter: str = "TOYBRIDGE"
    reference: str | None = "deposit-1"
    calls: bool = False
    """Whether the order says that there is a call on the destination."""

    @property
    def sender(self) -> str:
        return self.market.accounts[0]

    @property
    def identifier(self) -> bytes:
        return self.identifier_of(self.plain)

    def identifier_of(self, order: BridgeOrder) -> bytes:
        terms = order.terms(self.sender)
        return make_transaction_id(KEY, self.nonce.to_bytes(16), terms_of_call(terms) if self.calls else terms)

    def order(self, **changes: Any) -> BridgeOrder:
        """What a wallet may send instead: the ID stays the one that was handed out."""
        return replace(self.plain, **{"id": self.identifier, **changes})

    @property
    def plain(self) -> BridgeOrder:
        chain = self.market.chain
        return BridgeOrder(
            id=bytes(32), chain=chain, destination=other_chain(chain), integrator="acme", adapter=self.adapter,
            receiver=self.market.accounts[1], input_token=NATIVE_EVM, amount=self.amount, net=self.amount,
            sent=self.amount, output_token=OUTPUT, expected_output=500, min_output=490, refund_to=self.sender,
            reference=self.reference, deadline=2**40, native_fee=0, charges=(),
        )  # fmt: skip

    def build(self, **changes: Any) -> IssuedTransaction:
        plain = IssuedTransaction(
            transaction_id="0x" + self.identifier.hex(), adapter=self.adapter, wallet_call=False,
            origin_chain_id=self.market.chain.id, destination_chain_id=900_002, sender=self.sender,
            receiver=self.market.accounts[1], integrator="acme", to=self.market.diamond, value=self.amount, data=b"",
            input_token=NATIVE_EVM, input_amount=self.amount, sent_amount=self.amount, output_token=OUTPUT,
            expected_output=500, min_output=490, reference=self.reference,
            created_at=datetime.now(UTC), expires_at=datetime.now(UTC) + timedelta(seconds=1200),
        )  # fmt: skip
        return replace(plain, **changes)

    async def send(self, **changes: Any) -> str:
        return await self._send(self.order(**changes))

    async def send_as_given(self, **changes: Any) -> str:
        """Send another order than the one of the build, under an ID that is good for it."""
        order = replace(self.plain, **changes)
        return await self._send(replace(order, id=self.identifier_of(order)))

    async def _send(self, order: BridgeOrder) -> str:
        upstream = EvmTransaction(self.market.chain.id, DEPOSIT, 0, b"", None, CallKind.PAY)
        if order.swapped_into is not None:
            wrapped = EvmTransaction(self.market.chain.id, order.swapped_into, order.net, b"", kind=CallKind.WRAP)
            upstream = replace(upstream, swap=SwapBefore(wrapped, order.swapped_into, order.sent))
        call = bridge_call(order, upstream)
        return await self.market.send(self.sender, call.to, calling(call.data) if self.calls else call.data, call.value)
