"""Completing records: token metadata, the fees that count, the gas that was paid.

A record is listed as soon as its event is seen; what must be asked for comes after, and is asked for again, ever more
seldom, for a day. Meanwhile those fields are null; a young record waits for its tokens' prices as well. What arrives
on another chain is completed when it has arrived, by ``tracking/evm/deliveries.py``. A record waits as long as its gas
fee is null, which is therefore written last: not before every token that can be read has been read.

A collected fee counts only where it was paid to the wallet that is configured: the event names whatever recipient and
kind the caller of the contract chose. The gas fee is the whole transaction's, also where it holds several swaps.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy import ColumnElement, DateTime, bindparam, func, literal, select, update
from sqlalchemy import Row as ResultRow
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable, NotFound
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.rpc import EvmRpc
from rhumbline.tracking.amounts import AmountColumn, checked_fee, is_complete, raw_amount, with_token
from rhumbline.tracking.evm.logs import read_hash
from rhumbline.tracking.evm.receipts import gas_paid
from rhumbline.tracking.store import transactions
from rhumbline.tracking.values import PriceReader, is_awaited, no_prices, valued

IntegratorWallet = Callable[[str], Awaitable[str | None]]
"""Reads the fee wallet (canonical address) of an integrator on EVM chains, None when there is none."""

WaitingRow = ResultRow[tuple[object, ...]]
BATCH = 50
_RETRIED_FOR = timedelta(days=1)
_FIRST_PAUSE = timedelta(seconds=2)
_KEYS = ("id", "integrator", "source_tx_hash", "source_block_hash", "source_time", "dest_chain_id", "updated_at")
_COLUMNS = ("input", "output", "integrator_fee", "service_fee")
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class FeeWallets:
    """Whom a fee must have been paid to in order to count. ``service`` is canonical, None when no fee is taken."""

    service: str | None
    integrator: IntegratorWallet


@dataclass(frozen=True, slots=True)
class Enricher:
    """Completes the records of one EVM chain; ``prices`` tells what their amounts are worth."""

    chain: Chain
    rpc: EvmRpc
    engine: AsyncEngine
    tokens: TokenCatalog
    wallets: FeeWallets
    clock: Clock
    prices: PriceReader = no_prices

    async def enrich(self) -> bool:
        """Try the records that are due, at most a batch of them. Tell whether the batch was full.

        A node that does not answer leaves the records as they are. Raise a database error only.
        """
        now = self.clock()
        rows = await self._due(now)
        if not rows:
            return False
        receipts = await self._receipts({row.source_tx_hash for row in rows})
        tokens = await self._tokens(self._addresses(rows), reachable=receipts is not None)
        changes = [await self._completed(row, (receipts or {}).get(row.source_tx_hash), tokens, now) for row in rows]
        async with self.engine.begin() as connection:
            # The block is compared: a reorganisation may have replaced the record since it was read.
            row = transactions.c
            same = (row.id == bindparam("row_id"), row.source_block_hash == bindparam("row_block"))
            for crossing in (False, True):
                alike = [change for change in changes if ("output" not in change) is crossing]
                if alike:
                    await connection.execute(update(transactions).where(*same), alike)
        return len(rows) == BATCH

    async def due_in_s(self) -> float:
        """Return the seconds until the next record is to be tried: 0 when one is, infinity when there is none."""
        row, now = transactions.c, self.clock()
        checked = row.last_receipt_checked_at
        age = func.extract("epoch", checked - row.created_at)
        waited = func.extract("epoch", literal(now, DateTime(timezone=True)) - checked)
        left = func.greatest(_FIRST_PAUSE.total_seconds(), age / 2) - waited
        query = select(func.min(func.coalesce(left, 0))).where(*self._waiting(now))
        async with self.engine.connect() as connection:
            seconds = (await connection.execute(query)).scalar_one_or_none()
        return float("inf") if seconds is None else max(float(seconds), 0.0)

    def _waiting(self, now: datetime) -> tuple[ColumnElement[bool], ...]:
        row = transactions.c
        return (
            row.source_chain_id == self.chain.id,
            row.source_gas_fee.is_(None),
            row.integrator.is_not(None),
            row.created_at > now - _RETRIED_FOR,
        )

    async def _due(self, now: datetime) -> list[WaitingRow]:
        """Read the records that wait: at once, then after pauses of half the age that they had at the last try."""
        row = transactions.c
        checked = row.last_receipt_checked_at
        waited = literal(now, DateTime(timezone=True)) - checked
        rested = (waited >= _FIRST_PAUSE) & (waited + waited >= checked - row.created_at)
        query = (
            select(*(row[name] for name in _KEYS + _COLUMNS))
            .where(*self._waiting(now), checked.is_(None) | rested)
            .order_by(row.created_at.desc())
            .limit(BATCH)
        )
        async with self.engine.connect() as connection:
            return list(await connection.execute(query))

    async def _receipts(self, hashes: set[str]) -> dict[str, Mapping[str, object]] | None:
        """Read receipts by transaction; None when the node does not answer."""
        wanted = sorted(hashes)
        try:
            answers = await self.rpc.batch([("eth_getTransactionReceipt", [tx_hash]) for tx_hash in wanted])
        except NodeUnavailable as error:
            _log.warning("receipts not read", chain=self.chain.key, reason=str(error))
            return None
        found = zip(wanted, answers, strict=True)
        return {tx_hash: answer for tx_hash, answer in found if isinstance(answer, dict)}

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
        self,
        row: WaitingRow,
        receipt: Mapping[str, object] | None,
        tokens: Mapping[str, Token | None],
        now: datetime,
    ) -> dict[str, object]:
        before = {name: _column(row, name) for name in self._columns(row)}
        after: dict[str, AmountColumn | None] = {}
        for name, column in before.items():
            if column is not None and "paid" in column:
                column = checked_fee(column, await self._wallet(name, row.integrator))
            token = None if column is None else tokens.get(str(column["address"]))
            column = with_token(column, token) if column is not None and token is not None else column
            after[name] = None if column is None else self._valued(column, row)
        settled = all(column is None or is_complete(column) or column["address"] in tokens for column in after.values())
        settled = settled and not any(self._is_awaited(column, row, now) for column in after.values())
        gas_fee = self._gas_fee(receipt, row) if settled else None
        changed = gas_fee is not None or after != before
        return {
            "row_id": row.id,
            "row_block": row.source_block_hash,
            **after,
            "source_gas_fee": gas_fee,
            "last_receipt_checked_at": now,
            "updated_at": now if changed else row.updated_at,
        }

    def _valued(self, column: AmountColumn, row: WaitingRow) -> AmountColumn:
        return valued(column, self.prices(self.chain.id, str(column["address"])), row.source_time)

    def _is_awaited(self, column: AmountColumn | None, row: WaitingRow, now: datetime) -> bool:
        price = None if column is None else self.prices(self.chain.id, str(column["address"]))
        return is_awaited(column, price, row.source_time, now)

    async def _wallet(self, column: str, integrator: str) -> str | None:
        return self.wallets.service if column == "service_fee" else await self.wallets.integrator(integrator)

    def _columns(self, row: WaitingRow) -> tuple[str, ...]:
        """Name the amounts that are on this chain; the output of a transfer is on another."""
        return _COLUMNS if row.dest_chain_id == self.chain.id else tuple(name for name in _COLUMNS if name != "output")

    def _addresses(self, rows: Iterable[WaitingRow]) -> list[str]:
        """Name the tokens that are wanting, each once."""
        columns = (_column(row, name) for row in rows for name in self._columns(row))
        return sorted({str(column["address"]) for column in columns if column is not None and not is_complete(column)})

    def _gas_fee(self, receipt: Mapping[str, object] | None, row: WaitingRow) -> AmountColumn | None:
        if receipt is None:
            return None
        try:
            if read_hash(receipt.get("blockHash")) != row.source_block_hash:
                return None
            raw = gas_paid(receipt)
        except NodeUnavailable as error:
            _log.warning("receipt not understood", chain=self.chain.key, reason=str(error))
            return None
        return self._valued(with_token(raw_amount(NATIVE_EVM, raw), self.chain.native), row)


def _column(row: WaitingRow, name: str) -> AmountColumn | None:
    column: AmountColumn | None = getattr(row, name)
    return column
