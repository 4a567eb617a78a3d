"""Completes records: token metadata, the fees that count, the gas fee.

A record is listed as soon as its event is seen; what must be asked for comes after, and is asked for again, ever more
seldom, for a day. Meanwhile those fields are null; a young record waits for its tokens' prices as well. What arrives
on another chain is completed when it has arrived, by ``tracking/deliveries.py``. A record waits as long as its gas
fee is null, which is therefore written last: not before every token that can be read has been read.

A collected fee counts only where it was paid to the wallet that is configured: the event names whatever recipient and
kind the caller of the contract chose. The gas fee is the whole transaction's, also where it holds several swaps.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy import BigInteger, DateTime, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NotFound
from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.token import Token
from rhumbline.domain.tracking import RecordAmount, RecordFee, TransactionRecord, UncheckedFee
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.amounts import checked_fee, is_complete, with_token
from rhumbline.tracking.chain_types import NetworkFee, NetworkFees
from rhumbline.tracking.store import read_records, transactions, write
from rhumbline.tracking.values import PriceReader, is_awaited, no_prices, valued

IntegratorWallet = Callable[[str], Awaitable[str | None]]
"""Reads an integrator's fee wallet (canonical address) on chains of one type, None if there is none."""

BATCH = 50
_RETRIED_FOR = timedelta(days=1)
_FIRST_PAUSE = timedelta(seconds=2)
_COMPLETED = ("input", "integrator_fee", "service_fee", "origin_gas_fee", "last_receipt_checked_at", "updated_at")
_log = structlog.stdlib.get_logger(__name__)

_row, _now = transactions.c, bindparam("now", type_=DateTime(timezone=True))
_checked = _row.last_receipt_checked_at
_age, _waited = _checked - _row.created_at, _now - _checked
_waiting = (
    _row.origin_chain_id == bindparam("chain", type_=BigInteger),
    _row.origin_gas_fee.is_(None),
    _row.integrator.is_not(None),
    _row.created_at > bindparam("since", type_=DateTime(timezone=True)),
)
# Both are asked for every second and each chain, and to make them anew leaves what only the garbage collector frees.
_left = func.greatest(_FIRST_PAUSE.total_seconds(), func.extract("epoch", _age) / 2) - func.extract("epoch", _waited)
_DUE_IN_S = select(func.min(func.coalesce(_left, 0))).where(*_waiting)
_DUE = (
    select(transactions)
    .where(*_waiting, _checked.is_(None) | ((_waited >= _FIRST_PAUSE) & (_waited + _waited >= _age)))
    .order_by(_row.created_at.desc())
    .limit(BATCH)
)


@dataclass(frozen=True, slots=True)
class FeeWallets:
    """The wallets that a fee must have been paid to in order to count. ``service`` is None when no fee is taken."""

    service: str | None
    integrator: IntegratorWallet


@dataclass(frozen=True, slots=True)
class Enricher:
    """Completes the records of one chain; ``prices`` gives the values of amounts, ``fence`` guards writes."""

    chain: Chain
    fees: NetworkFees
    engine: AsyncEngine
    tokens: TokenCatalog
    wallets: FeeWallets
    clock: Clock
    prices: PriceReader = no_prices
    fence: Fence = unfenced

    async def enrich(self) -> bool:
        """Complete a batch of due records; return whether it was full. Raises database errors only."""
        now = self.clock()
        due = await self._due(now)
        if not due:
            return False
        paid = await self._paid({record.origin_tx_hash for record in due})
        amounts = (amount for record in due for amount in self._amounts(record))
        wanting = {amount.address for amount in amounts if amount is not None and not is_complete(amount)}
        tokens = await self._tokens(sorted(wanting), reachable=paid is not None)
        after = [await self._completed(each, (paid or {}).get(each.origin_tx_hash), tokens, now) for each in due]
        async with self.engine.begin() as connection:
            await self.fence(connection)
            # What a transfer delivers is written by who asks its bridge, maybe at this moment.
            await write(connection, [each for each in after if self._arrives_here(each)], (*_COMPLETED, "output"))
            await write(connection, [each for each in after if not self._arrives_here(each)], _COMPLETED)
        return len(due) == BATCH

    async def due_in_s(self) -> float:
        """Return the seconds until the next record is due: 0 if one is, infinity if there is none."""
        async with self.engine.connect() as connection:
            seconds = (await connection.execute(_DUE_IN_S, self._at(self.clock()))).scalar_one_or_none()
        return float("inf") if seconds is None else max(float(seconds), 0.0)

    def _at(self, now: datetime) -> Mapping[str, object]:
        return {"chain": self.chain.id, "now": now, "since": now - _RETRIED_FOR}

    async def _due(self, now: datetime) -> list[TransactionRecord]:
        """Read the records that wait: at once, then after pauses of half the age that they had at the last try."""
        async with self.engine.connect() as connection:
            return await read_records(connection, _DUE, self._at(now))

    async def _paid(self, hashes: set[str]) -> Mapping[str, NetworkFee] | None:
        """Read what transactions cost; None when the node does not answer."""
        try:
            return await self.fees.paid(hashes)
        except NodeUnavailable as error:
            _log.warning("receipts not read", chain=self.chain.key, reason=str(error))
            return None

    async def _tokens(self, addresses: Iterable[str], *, reachable: bool) -> dict[str, Token | None]:
        """Read tokens by address: None for a contract that is no token, nothing for what could not be read.

        Once the node has not answered it is not asked for the others: each would cost its time limit.
        """
        found: dict[str, Token | None] = {}
        for address in addresses:
            try:
                token = self.tokens.find(self.chain, address)
                if token is not None or reachable:
                    found[address] = token or await self.tokens.resolve(self.chain, address)
            except NotFound:
                found[address] = None
            except (NodeRefused, NodeUnavailable) as error:
                _log.info("token not read", chain=self.chain.key, token=address, reason=str(error))
                reachable = reachable and isinstance(error, NodeRefused)
        return found

    async def _completed(
        self, record: TransactionRecord, paid: NetworkFee | None, tokens: Mapping[str, Token | None], now: datetime
    ) -> TransactionRecord:
        def complete(amount: RecordAmount | None) -> RecordAmount | None:
            token = None if amount is None else tokens.get(amount.address)
            return self._valued(amount if amount is None or token is None else with_token(amount, token), record)

        own, service = record.integrator_fee, record.service_fee
        if isinstance(own, UncheckedFee):
            own = checked_fee(own, await self.wallets.integrator(record.integrator or ""))
        if isinstance(service, UncheckedFee):
            service = checked_fee(service, self.wallets.service)
        after = replace(
            record,
            input=complete(record.input),
            output=complete(record.output) if self._arrives_here(record) else record.output,
            integrator_fee=complete(own),
            service_fee=complete(service),
        )
        amounts = self._amounts(after)
        settled = all(amount is None or is_complete(amount) or amount.address in tokens for amount in amounts)
        settled = settled and not any(self._is_awaited(amount, record, now) for amount in amounts)
        gas_fee = None
        if settled and paid is not None and paid.block_hash == record.origin_block_hash:
            native = self.chain.native
            gas_fee = self._valued(with_token(RecordAmount(native.address, paid.raw), native), record)
        changed = gas_fee is not None or after != record
        after = replace(after, origin_gas_fee=gas_fee, last_receipt_checked_at=now)
        return replace(after, updated_at=now) if changed else after

    def _valued(self, amount: RecordAmount | None, record: TransactionRecord) -> RecordAmount | None:
        return None if amount is None else valued(amount, self._price(amount), record.origin_time)

    def _is_awaited(self, amount: RecordFee, record: TransactionRecord, now: datetime) -> bool:
        kept = amount if isinstance(amount, RecordAmount) else None
        return is_awaited(kept, None if kept is None else self._price(kept), record.origin_time, now)

    def _price(self, amount: RecordAmount) -> PriceSnapshot | None:
        return self.prices(self.chain.id, amount.address)

    def _arrives_here(self, record: TransactionRecord) -> bool:
        return record.destination_chain_id == self.chain.id

    def _amounts(self, record: TransactionRecord) -> tuple[RecordFee, ...]:
        """Return the amounts that are on this chain; the output of a transfer is on another."""
        output = (record.output,) if self._arrives_here(record) else ()
        return record.input, *output, record.integrator_fee, record.service_fee
