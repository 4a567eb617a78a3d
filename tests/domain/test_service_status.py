"""How the service is doing as a whole."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rhumbline.domain.service_status import (
    AdapterStatus,
    ChainStatus,
    NodeState,
    Overall,
    PushStatus,
    ServiceStatus,
    UpstreamState,
    WaitingTransfers,
)

CHAIN = ChainStatus(1, "eth", "Ethereum", NodeState.ANSWERING, 21_000_000, 7, followed=True, behind=3)
ADAPTER = AdapterStatus("ACROSS", "Across", UpstreamState.ANSWERING)
WELL = ServiceStatus(
    datetime(2026, 11, 27, 10, 0, 5, tzinfo=UTC),
    store_ok=True,
    clock_ok=True,
    chains=(CHAIN,),
    adapters=(ADAPTER,),
    transfers=(WaitingTransfers("ACROSS", "Across", 2),),
    push=PushStatus(delivering=True, waiting=0, retrying=0),
)


@pytest.mark.parametrize(
    ("changes", "overall"),
    [
        ({}, Overall.OK),
        ({"store_ok": False, "transfers": None, "push": None}, Overall.UNAVAILABLE),
        ({"clock_ok": False}, Overall.UNAVAILABLE),
        ({"chains": (CHAIN, replace(CHAIN, node=NodeState.LATE))}, Overall.DEGRADED),
        ({"chains": (replace(CHAIN, node=NodeState.SILENT, head=None, head_age_s=None),)}, Overall.DEGRADED),
        ({"chains": (replace(CHAIN, followed=False, behind=None),)}, Overall.DEGRADED),
        ({"chains": (replace(CHAIN, followed=None, behind=None),)}, Overall.OK),
        ({"adapters": (replace(ADAPTER, state=UpstreamState.BREAKER_OPEN),)}, Overall.DEGRADED),
        ({"adapters": (replace(ADAPTER, state=UpstreamState.RATE_LIMITED),)}, Overall.OK),
        ({"adapters": (replace(ADAPTER, state=UpstreamState.QUIET),)}, Overall.OK),
        ({"push": PushStatus(delivering=False, waiting=0, retrying=0)}, Overall.DEGRADED),
        ({"push": PushStatus(delivering=True, waiting=9, retrying=9)}, Overall.OK),
    ],
)
def test_the_worst_part_counts(changes: dict[str, object], overall: Overall) -> None:
    assert replace(WELL, **changes).overall is overall  # type: ignore[arg-type]
