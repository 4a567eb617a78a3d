"""Records a second that an indexer writes, from a node's answers to the commit, against `COPY` of the same rows.

Both write to the same table with all its indexes, in turns; the indexer's rows have their keys and events, those of
`COPY` neither.
The node answers from memory, as text that is read anew.
`BENCH_ROWS` makes a small run.
"""

import logging
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import asyncpg
import msgspec
import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from bench.commands import ROOT
from bench.rows import Row
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import OrderKind, OrderTerms, make_transaction_id
from rhumbline.gateways.chain_types.bytes32 import address_word
from rhumbline.gateways.evm.abi import encode_args, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import Call, EvmRpc, RpcError
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.logs import FEE_PAID, SWAPPED

ROWS = int(os.environ.get("BENCH_ROWS", "20000"))
ROUNDS = 5
LEAST = 0.125
_IN_BLOCK, _RANGE = 40, 25
_KEY, _DIAMOND, _TOKEN, _OUTPUT = (
    bytes(32),
    "0x" + "d1" * 20,
    checksummed("0x" + "70" * 20),
    checksummed("0x" + "71" * 20),
)
_INTEGRATORS = ("acme", "other", "third")
_RECORD = ("address", "address", *["uint256"] * 3, "address", *["uint256"] * 3, "bytes32")
_CHAIN = Chain(
    910_001,
    "bench",
    "Bench",
    ChainType.EVM,
    Token(910_001, "0x" + "0" * 40, "ETH", 18, "Ether"),
    mainnet=False,
    diamond=_DIAMOND,
)
_BEGAN = 1_750_000_000


def _hash(what: str) -> str:
    return "0x" + sha256(what.encode()).hexdigest()


def _header(number: int) -> bytes:
    header = {
        "number": hex(number), "hash": _hash(f"block {number}"), "parentHash": _hash(f"block {number - 1}"),
        "timestamp": hex(_BEGAN + 2 * number), "logsBloom": "0x" + "00" * 256,
    }  # fmt: skip
    return msgspec.json.encode(header)


def _events(block: int, place: int) -> list[dict[str, object]]:
    """Return what one swap with two fees leaves in a block."""
    made = sha256(f"{block}:{place}".encode()).digest()
    sender, integrator, amount = checksummed(made[:20]), _INTEGRATORS[place % 3], 10**18 + place
    terms = OrderTerms(
        OrderKind.SWAP, _CHAIN.id, address_word(_CHAIN, sender), integrator, "UNISWAP_V3", address_word(_CHAIN, sender),
        address_word(_CHAIN, _TOKEN), amount, address_word(_CHAIN, _OUTPUT), 1, 2_000_000_000,
    )  # fmt: skip
    identifier, wallet = make_transaction_id(_KEY, made[:16], terms), bytes(12) + made[:20]
    fees = [
        ([topic(FEE_PAID), identifier, wallet, kind.ljust(32, b"\0")], encode_args(["address", "uint256"], [_TOKEN, 5]))
        for kind in (b"service", b"integrator")
    ]
    record = [
        sender,
        _TOKEN,
        amount,
        amount,
        amount - 10,
        _OUTPUT,
        2 * amount,
        1,
        2_000_000_000,
        b"UNISWAP_V3".ljust(32, b"\0"),
    ]
    swap = [topic(SWAPPED), identifier, wallet, integrator.encode().ljust(32, b"\0")], encode_args(_RECORD, record)
    return [
        {
            "address": _DIAMOND, "topics": ["0x" + each.hex() for each in topics], "data": "0x" + data.hex(),
            "blockNumber": hex(block), "blockHash": _hash(f"block {block}"), "removed": False,
            "transactionHash": _hash(f"transaction {block}:{place}"), "logIndex": hex(3 * place + at),
        }
        for at, (topics, data) in enumerate((*fees, swap))
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node(EvmRpc):
    """A node that has its answers in memory, each as the text that another would send."""

    headers: dict[int, bytes] = field(default_factory=dict)
    logs: dict[int, bytes] = field(default_factory=dict)

    def fill(self, rows: int) -> None:
        blocks = -(-rows // _IN_BLOCK)
        for number in range(blocks + 1):
            self.headers[number] = _header(number)
        for first in range(1, blocks + 1, _RANGE):
            found = [_events(n, i) for n in range(first, min(first + _RANGE, blocks + 1)) for i in range(_IN_BLOCK)]
            self.logs[first] = msgspec.json.encode([log for each in found for log in each])

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        if method == "eth_chainId":
            return hex(_CHAIN.id)
        if method == "eth_blockNumber":
            return hex(max(self.headers))
        (query, *_) = params
        if isinstance(query, dict):
            return msgspec.json.decode(self.logs[int(query["fromBlock"], 16)])
        return msgspec.json.decode(self.headers[int(str(query), 16)])

    async def batch(self, calls: Sequence[Call], timeout_s: float | None = None) -> list[object | RpcError]:
        return [await self.call(*each) for each in calls]


async def run() -> list[Row]:
    """Write the same records by an indexer and by `COPY`, in turns."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    node = Node("http://node", HttpClient())
    node.fill(ROWS)
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as folder:
        async with embedded_postgres(Path(folder)) as dsn:
            engine = create_engine(dsn)
            try:
                await migrate(engine)
                driver = await asyncpg.connect(dsn)
                try:
                    return [await _measured(engine, driver, node)]
                finally:
                    await driver.close()
            finally:
                await engine.dispose()


async def _measured(engine: AsyncEngine, driver: "asyncpg.Connection[asyncpg.Record]", node: Node) -> Row:
    ingested: list[float] = []
    copied: list[float] = []
    cpu: list[float] = []
    for _ in range(ROUNDS):
        await _emptied(engine)
        indexer = Indexer(_CHAIN, node, engine, _keys, _now, IndexingSettings(start_block=1, block_range=_RANGE))
        began, used = time.perf_counter(), time.process_time()
        while indexer.next_block is None or indexer.next_block <= max(node.headers):
            await indexer.step()
        ingested.append(time.perf_counter() - began)
        cpu.append(time.process_time() - used)
        rows = BytesIO()
        await driver.copy_from_query("SELECT * FROM transactions", output=rows, format="binary")
        count = await driver.fetchval("SELECT count(*) FROM transactions")
        await _emptied(engine)
        rows.seek(0)
        # Bare: without triggers, so without events.
        await driver.execute("SET session_replication_role = replica")
        began = time.perf_counter()
        await driver.copy_to_table("transactions", source=rows, format="binary")
        copied.append(time.perf_counter() - began)
        await driver.execute("SET session_replication_role = origin")
    taken, reference = statistics.median(ingested), statistics.median(copied)
    share, used_us = reference / taken, 1e6 * statistics.median(cpu) / count
    return Row(
        name="tracking-ingest",
        value=f"{share:.2f}× ({count / taken:,.0f} rows/s, COPY {count / reference:,.0f}; CPU {used_us:.0f} µs)",
        goal="≥ 1/8 of COPY, indexed",
        met=share >= LEAST,
    )


async def _emptied(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("TRUNCATE transactions, record_keys, events, evidence, proofs, cursors, blocks"))


async def _keys() -> tuple[bytes, ...]:
    return (_KEY,)


def _now() -> datetime:
    return datetime.now(UTC)
