"""The row of outages takes everything away in turn, and tells each answer that is not the table's."""

from collections.abc import Mapping
from typing import Any

import pytest

from chaos.rows.outages import Outages
from tests.outages.expectations import STORE, Asked, Outage
from tests.outages.faulty import Fault
from tests.outages.fragile_service import Reply

OK = {"status": "ok", "dependencies": {}}


class FaultyParts:
    """Store, Redis and readiness of a service that notices everything."""

    def __init__(self, *, notices: bool = True) -> None:
        self.notices, self.running = notices, True
        self.fault: Fault | None = None
        self.store_proxy = self.redis = self
        self.done: list[str] = []

    def fail(self, fault: Fault | None) -> None:
        self.fault = fault
        self.done.append(f"store {fault}")

    async def kill_redis(self) -> None:
        self.running = False
        self.done.append("redis killed")

    async def start(self) -> None:
        self.running = True
        self.done.append("redis started")

    async def ready(self) -> tuple[int, dict[str, Any]]:
        if self.fault is not None and self.notices:
            return 503, {"message": "Not ready: store"}
        return 200, OK if self.running else {
            "status": "ok",
            "dependencies": {"cache": "degraded: Redis does not answer"},
        }

    async def ask(self, wanted: tuple[Asked, ...]) -> dict[Asked, Reply]:
        return dict.fromkeys(wanted, Reply(503 if self.fault else 200, None, ""))


def by_status(told: Mapping[Asked, Reply], outage: Outage) -> None:
    for reply in told.values():
        assert reply.status == (503 if outage is STORE else 200), reply


async def test_everything_is_taken_away_and_given_back() -> None:
    parts: Any = FaultyParts()
    row = Outages(parts, parts, by_status)
    await row.run()
    assert row.wrong == []
    assert all(row.tally.times.values())
    assert parts.done == [
        "store hangs up", "store None", "store is silent", "store None", "redis killed", "store hangs up", "store None",
        "redis started",
    ]  # fmt: skip


async def test_what_is_not_answered_as_told_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chaos.rows.outages._BACK_S", 0.0)
    parts: Any = FaultyParts(notices=False)
    row = Outages(parts, parts, lambda told, outage: by_status(told, STORE))
    await row.run()
    assert any("readiness does not name store" in each for each in row.wrong)
    assert any("not as before again" in each for each in row.wrong)
    assert any(each.startswith("Redis killed: ") for each in row.wrong)
