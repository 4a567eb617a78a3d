"""What a destination chain shows of a delivered transfer: its time, gas fee and token."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import structlog

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NotFound
from rhumbline.domain.tracking import RecordAmount, StatusSource, TransactionRecord, TransferState
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.tracking.amounts import with_token
from rhumbline.tracking.chain_types import DeliveryReceipt, Destinations
from rhumbline.tracking.resolution import DELIVERED
from rhumbline.tracking.values import PriceReader, no_prices, valued

_LARGEST_AMOUNT = 2**256 - 1
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Delivery:
    """What is known of a delivery; None where nothing is. Not ``complete``: a node did not answer, so read again.

    ``receiver`` is who was paid where a chain proves that it was not who was asked for. ``guaranteed`` is the minimum,
    which was delivered where nobody tells how much was.
    """

    tx_hash: str | None = None
    time: datetime | None = None
    output: RecordAmount | None = None
    gas_fee: RecordAmount | None = None
    complete: bool = True
    receiver: str | None = None
    guaranteed: RecordAmount | None = None

    def put_into(self, record: TransactionRecord) -> TransactionRecord:
        """Return a record with what is known; unknown fields do not change."""
        return replace(
            record,
            destination_tx_hash=self.tx_hash or record.destination_tx_hash,
            destination_time=self.time or record.destination_time,
            output=self.output or record.output,
            destination_gas_fee=self.gas_fee or record.destination_gas_fee,
            receiver=self.receiver or record.receiver,
        )


@dataclass(frozen=True, slots=True)
class Deliveries:
    """Reads destinations: ``readers`` by chain type, ``prices`` gives values."""

    chains: ChainCatalog
    tokens: TokenCatalog
    readers: Mapping[ChainType, Destinations]
    prices: PriceReader = no_prices

    async def read(self, transfer: Transfer, status: TransferStatus) -> Delivery:
        """Return what is known of a transfer's delivery; a node that does not answer is not waited for."""
        chain = self.chains.by_id.get(transfer.destination_chain_id)
        if chain is None or status.state not in DELIVERED:
            return Delivery()
        there = self.readers[chain.type]
        said, receipt = _reported_delivery(there, chain, transfer, status), None
        try:
            said, receipt = await _proved(there, chain, transfer, said)
            output, guaranteed = [await self._described(chain, each) for each in (said.output, said.guaranteed)]
        except (NodeRefused, NodeUnavailable) as error:
            _log.info("delivery not read", chain=chain.key, tx=said.tx_hash, reason=str(error))
            return replace(said, guaranteed=None, complete=False)
        time, paid = (None, None) if receipt is None else (receipt.time, receipt.paid)
        gas_fee = None if paid is None else with_token(RecordAmount(chain.native.address, paid), chain.native)
        at = time or transfer.started_at
        output, gas_fee, guaranteed = (self._valued(chain, each, at) for each in (output, gas_fee, guaranteed))
        return replace(said, time=time, output=output, gas_fee=gas_fee, guaranteed=guaranteed)

    def _valued(self, chain: Chain, amount: RecordAmount | None, at: datetime) -> RecordAmount | None:
        return None if amount is None else valued(amount, self.prices(chain.id, amount.address), at)

    async def _described(self, chain: Chain, amount: RecordAmount | None) -> RecordAmount | None:
        if amount is None:
            return None
        try:
            token = self.tokens.find(chain, amount.address) or await self.tokens.resolve(chain, amount.address)
        except NotFound:
            return amount
        return with_token(amount, token)


def _reported_delivery(there: Destinations, chain: Chain, transfer: Transfer, status: TransferStatus) -> Delivery:
    """Return what can be taken from a bridge's word alone."""
    output = _output(there, chain, transfer, status)
    minimum = output is None and status.state is TransferState.SUCCESS
    # A bridge's mere word replaces nobody.
    receiver = status.receiver if status.source is StatusSource.ANALYTICS else None
    return Delivery(
        None if status.destination_tx_hash is None else there.tx_hash(status.destination_tx_hash),
        output=output,
        receiver=None if receiver is None else there.address(receiver),
        guaranteed=_amount(there.address(transfer.output_token), transfer.min_output) if minimum else None,
    )


async def _proved(
    there: Destinations, chain: Chain, transfer: Transfer, said: Delivery
) -> tuple[Delivery, DeliveryReceipt | None]:
    """Return the reported delivery, corrected by the transaction itself, and its receipt; None if no node knows it."""
    if said.tx_hash is None:
        return said, None
    receipt = await there.receipt(chain.id, said.tx_hash, None if said.guaranteed is None else transfer)
    if receipt is not None and not receipt.succeeded:
        _log.warning("delivered by a call that failed", adapter=transfer.adapter, tx=said.tx_hash)
        return replace(said, tx_hash=None), None
    if said.guaranteed is not None and receipt is not None and receipt.gained >= said.guaranteed.raw:
        # The native asset may show nowhere; less than what was guaranteed is not this delivery.
        said = replace(said, output=_amount(said.guaranteed.address, receipt.gained))
    return said, receipt


def _output(there: Destinations, chain: Chain, transfer: Transfer, status: TransferStatus) -> RecordAmount | None:
    """Return the delivered amount, if possible: a reported delivery must have the requested token."""
    output = _amount(there.address(status.output_token or transfer.output_token), status.output_amount)
    if output is None:
        return None
    native = {chain.native.address, chain.wrapped_native}
    same = output.address == transfer.output_token or {output.address, transfer.output_token} <= native
    if not same and status.state is TransferState.SUCCESS:
        token = output.address
        _log.warning("another token than was asked for", adapter=transfer.adapter, tx=transfer.tx_hash, token=token)
        return None
    return output


def _amount(token: str | None, raw: int | None) -> RecordAmount | None:
    """Return an amount that may have been delivered; None for what cannot be."""
    return None if token is None or raw is None or not 0 < raw <= _LARGEST_AMOUNT else RecordAmount(token, raw)
