"""A page is a walk along one index for each kind of route, whatever is asked for; nothing else is read."""

import itertools
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.compiler import SQLCompiler

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.tracking import wallet_pages
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.listing import Listing
from rhumbline.tracking.pages import WALKING, page_query

MIDDLE = ListPosition(datetime(2026, 6, 1, tzinfo=UTC), "8")
# Swaps succeed and stay where they are; transfers go elsewhere; the rare ends are one in a thousand of them.
FILL = text("""
    INSERT INTO transactions (id, source_chain_id, source_tx_hash, source_log_index, source_block_number,
        source_block_hash, source_time, dest_chain_id, sender, integrator, protocol, route_type, status, status_source)
    SELECT md5(n::text), source, md5('t' || n), 0, n, '', timestamptz '2026-01-01' + n * interval '13 minutes',
        CASE WHEN crosses THEN source % 8 + 1 ELSE source END, '0x',
        CASE WHEN n % 10 < 6 THEN 'acme' ELSE 'other' || n % 50 END, 'X',
        CASE WHEN crosses THEN 'bridge' ELSE 'swap' END,
        CASE WHEN crosses AND n % 1000 < 40 THEN 'refunded' WHEN crosses AND n % 7 = 0 THEN 'bridge_pending'
            ELSE 'success' END, 'analytics'
    FROM (SELECT n, n * 7919 % 8 + 1 AS source, n % 3 = 0 AS crosses FROM generate_series(1, :count) AS n) AS made
""")


def combinations() -> Iterator[TransactionFilter]:
    statuses = (None, TransferState.SUCCESS, TransferState.REFUNDED, TransferState.RECOVERED)
    kinds = (None, RouteType.SWAP, RouteType.BRIDGE)
    for each in itertools.product(statuses, kinds, (None, 2), (None, 2, 3)):
        yield TransactionFilter(*each)


def with_times() -> Iterator[TransactionFilter]:
    """Every combination, and each with one of the choices of times."""
    since, until = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)
    times = itertools.cycle(((since, None), (None, until), (since, until)))
    for wanted, (first, last) in zip(combinations(), times, strict=False):
        yield wanted
        yield replace(wanted, since=first, until=last)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


async def plan_of(connection: AsyncConnection, query: Select[Any], parameters: Mapping[str, object]) -> dict[str, Any]:
    """Explain the plan that is kept for every page of this form, which is made before any parameter is known."""
    compiled = query.compile(dialect=connection.dialect)
    assert isinstance(compiled, SQLCompiler)
    given = ", ".join(f"'{parameters[name]}'" for name in compiled.positiontup or ())
    await connection.exec_driver_sql(f"PREPARE page AS {compiled}")
    answer = (await connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page({given})")).scalar_one()
    await connection.exec_driver_sql("DEALLOCATE page")
    plan: dict[str, Any] = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
    return plan


@pytest.fixture
async def filled(store_dsn: str) -> AsyncIterator[AsyncEngine]:
    """Many records; to write them may take longer than a statement of the service may."""
    engine = create_engine(store_dsn, statement_timeout_s=120)
    async with engine.begin() as connection:
        await connection.execute(FILL, {"count": 30_000})
    async with engine.connect() as connection:
        autocommit = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await autocommit.execute(text("VACUUM ANALYZE transactions"))
    yield engine
    await engine.dispose()


async def test_no_page_reads_what_it_does_not_answer(filled: AsyncEngine) -> None:
    async with filled.connect() as connection:
        await connection.execute(WALKING, {"limit_ms": "60000"})
        for wanted, position in itertools.product(with_times(), (None, MIDDLE)):
            plan = await plan_of(connection, *page_query("acme", wanted, 51, position))
            seen = list(nodes(plan))
            read = sum(node["Actual Rows"] for node in seen if "Relation Name" in node)
            skipped = sum(node.get("Rows Removed by Filter", 0) for node in seen)
            assert skipped == 0, (wanted, plan)
            assert read <= 51 + len(RouteType), (wanted, json.dumps(plan, indent=1))
            assert not [node for node in seen if node["Node Type"] == "Seq Scan"], (wanted, plan)


async def test_what_is_planned_before_there_are_records_is_a_walk_as_well(store_engine: AsyncEngine) -> None:
    """A connection keeps its plans while the table grows under it."""
    async with store_engine.connect() as connection:
        await connection.execute(WALKING, {"limit_ms": "60000"})
        for wanted, position in itertools.product(combinations(), (None, MIDDLE)):
            plan = await plan_of(connection, *page_query("acme", wanted, 51, position))
            kinds = {node["Node Type"] for node in nodes(plan)}
            assert kinds <= {"Limit", "Merge Append", "Append", "Index Scan", "Result", "Subquery Scan"}, (wanted, plan)


async def test_a_page_of_a_wallet_is_read_in_its_index(filled: AsyncEngine) -> None:
    """What is answered is read, and of what it is chosen from the index alone."""
    wallet = "0x" + "00" * 20
    given = {"integrator": "acme", "count": 51, "sender": wallet, "status": "refunded"}
    async with filled.begin() as connection:
        await connection.execute(text("UPDATE transactions SET sender = :wallet WHERE id < '8'"), {"wallet": wallet})
    async with filled.connect() as connection:
        alone = await connection.execution_options(isolation_level="AUTOCOMMIT")
        await alone.execute(text("VACUUM ANALYZE transactions"))
    async with filled.connect() as connection:
        parts = text("SELECT inhrelid::regclass::text, inhparent::regclass::text FROM pg_inherits")
        of_months = {row[0]: row[1] for row in await connection.execute(parts)}
        await connection.execute(WALKING, {"limit_ms": "60000"})
        for query, index, most in (
            (wallet_pages._by_time(("sender",)), "transactions_by_sender", 51),
            # Transfers of eight chains that were refunded, and one look for each combination there is.
            (wallet_pages._by_terms("sender", ("sender",), ("status",)), "transactions_by_sender_terms", 51 * 8 + 100),
        ):
            plan = await plan_of(connection, query, given)
            scans = [node for node in nodes(plan) if "Relation Name" in node]
            # A month without records is looked at as a whole.
            used = [node for node in scans if node["Actual Rows"] or node["Node Type"] != "Seq Scan"]
            chosen = [node for node in used if of_months.get(node["Index Name"]) == index]
            assert chosen, json.dumps(plan, indent=1)
            assert {node["Node Type"] for node in chosen} == {"Index Only Scan"}, json.dumps(plan, indent=1)
            assert sum(node["Actual Rows"] * node["Actual Loops"] for node in chosen) <= most
            assert not any(node.get("Rows Removed by Filter") for node in chosen)
            read = [node for node in used if of_months.get(node["Index Name"]) != index]
            assert all(node["Index Name"] == f"{node['Relation Name']}_pkey" for node in read)
            assert sum(node["Actual Rows"] * node["Actual Loops"] for node in read) <= 51


filters = st.builds(
    TransactionFilter,
    st.sampled_from([None, *TransferState]),
    st.sampled_from([None, *RouteType]),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([None, 1, 2, 3]),
)
made = st.tuples(
    st.sampled_from(["acme", "other", None]),
    st.sampled_from([*TransferState]),
    st.sampled_from([*RouteType]),
    st.sampled_from([1, 2]),
    st.sampled_from([1, 2, None]),
    st.integers(0, 4),
)
INSERT = text("""
    INSERT INTO transactions (id, source_chain_id, source_tx_hash, source_log_index, source_block_number,
        source_block_hash, source_time, dest_chain_id, sender, integrator, protocol, route_type, status, status_source)
    VALUES (:id, :source, :id, 0, 1, '', timestamptz '2026-01-01' + :second * interval '1 second', :dest, '0x',
        :integrator, 'X', :kind, :status, 'analytics')
""")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(made, max_size=30), changes=st.lists(st.tuples(made, st.booleans()), max_size=5), wanted=filters)
async def test_pages_are_what_a_plain_query_answers(
    store_engine: AsyncEngine, rows: list[Any], changes: list[Any], wanted: TransactionFilter
) -> None:
    """Also after records have changed their status, as transfers do, and after some were withdrawn."""
    names = ("integrator", "status", "kind", "source", "dest", "second")
    # IDs are not in the order of time.
    records = {f"{n * 7 % 31:02d}": dict(zip(names, row, strict=True)) for n, row in enumerate(rows)}
    async with store_engine.begin() as connection:
        await connection.execute(text("DELETE FROM transactions"))
        for identifier, record in records.items():
            await connection.execute(INSERT, {"id": identifier, **record})
        for (name, changed), (row, goes) in zip(list(records.items()), changes, strict=False):
            if goes:
                del records[name]
                await connection.execute(text("DELETE FROM transactions WHERE id = :id"), {"id": name})
            else:
                changed["status"] = row[1]
                update = text("UPDATE transactions SET status = :status WHERE id = :id")
                await connection.execute(update, {"id": name, "status": row[1]})
    expected = [
        identifier
        for identifier, record in sorted(records.items(), key=lambda item: (item[1]["second"], item[0]), reverse=True)
        if record["integrator"] == "acme"
        and wanted.status in (None, record["status"])
        and wanted.route_type in (None, record["kind"])
        and wanted.origin_chain_id in (None, record["source"])
        and wanted.destination_chain_id in (None, record["dest"])
    ]
    listing = Listing(store_engine, ChainCatalog([]), (b"c" * 32,), TokenCatalog([], [], {}).listed_at)
    found: list[str] = []
    cursor = None
    while True:
        page = await listing.page("acme", wanted, 3, cursor)
        found += [shown.record.id for shown in page.transactions]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert found == expected
