"""Cells of the CSV file."""

import pytest

from rhumbline.api.portal import records
from rhumbline.api.portal.csv_export import HEADER, defused
from rhumbline.domain.tracking import RecordAmount
from rhumbline.tracking.store import add_records
from tests.api.api_service import USDC
from tests.api.portal.season import COUNT, spent
from tests.api.portal.test_filters import looked_up
from tests.api.portal.test_views import HOME, NAME
from tests.portal_fixture import BEGIN, ServedPortal
from tests.tracking.test_listing import row


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\n@x", "\uff1d1", "'=1", "", "a=1"]
)
def test_a_cell_is_never_a_formula(cell: str) -> None:
    harmless = defused(cell)
    assert harmless.lstrip()[:1] not in tuple("=+-@\uff1d\uff0b\uff0d\uff20")
    assert harmless in (cell, f"'{cell}")
    assert cell not in ("", "a=1", "'=1") or harmless == cell


async def test_a_file_of_nothing_has_its_header(portal: ServedPortal) -> None:
    owner = await spent(portal)
    answer = await owner.get(f"{HOME}/transactions.csv?to=2020-01-01")
    assert answer.text == ",".join(HEADER) + "\r\n"
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == f'attachment; filename="{NAME}-transactions.csv"'
    assert answer.headers["cache-control"] == "no-store"


async def test_a_file_is_its_owner_s_alone_and_bounded(portal: ServedPortal, monkeypatch: pytest.MonkeyPatch) -> None:
    await spent(portal)
    stranger = portal.visitor(2)
    assert (await stranger.get(f"{HOME}/transactions.csv")).status == 303
    await stranger.sign_in()
    assert (await stranger.get(f"{HOME}/transactions.csv")).status == 404
    monkeypatch.setattr(records, "MOST_ROWS", COUNT - 1)
    owner = portal.visitor(1)
    await owner.sign_in()
    answer = await owner.get(f"{HOME}/transactions.csv")
    assert (answer.status, "choose a shorter time" in answer.text) == (400, True)
    assert (await owner.get(f"{HOME}/transactions.csv?chain=8453")).status == 200


async def test_what_strangers_write_is_no_formula_in_the_file(portal: ServedPortal) -> None:
    """The bridge's name stands for whatever text comes from outside."""
    owner = await spent(portal)
    hostile = '=HYPERLINK("https://evil.example"),"x'
    record = row(7000, integrator=NAME, origin_time=BEGIN, protocol=hostile, input=RecordAmount(USDC, 1, "=1", 6))
    async with portal.engine.begin() as connection:
        await add_records(connection, [record])
    found = await looked_up(owner, "?from=2026-11-21")
    assert [each["by"] for each in found if "HYPERLINK" in each["by"]] == ["'" + hostile]
