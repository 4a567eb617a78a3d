"""Looking transactions and fees up by status, chain, token and day, and taking them along as CSV."""

import re
from datetime import timedelta

from rhumbline.api.portal.records import PAGE
from tests.api.portal.season import COUNT, spent
from tests.api.portal.test_filters import looked_up
from tests.api.portal.test_rows import fee, seen
from tests.api.portal.test_views import HOME, owner
from tests.portal_fixture import BEGIN, ServedPortal


async def test_pages_keep_the_filter_and_end(portal: ServedPortal) -> None:
    owner = await spent(portal)
    path, seen = f"{HOME}/transactions?chain=base&from=2026-01-01", 0
    for _ in range(COUNT):
        page = (await owner.get(path)).text
        seen += page.count('data-label="Transactions"')
        following = re.search(r'href="([^"]+)">Older', page)
        if following is None:
            break
        path = following[1].replace("&amp;", "&")
        assert "chain=base&from=2026-01-01" in path
    assert seen == len(await looked_up(owner, "?chain=base"))
    beyond = await owner.get(f"{HOME}/transactions?cursor=1.0")
    assert (beyond.status, "there are no older ones" in beyond.text, ">Newest<" in beyond.text) == (200, True, True)
    nothing = await owner.get(f"{HOME}/transactions?to=2020-01-01")
    assert (nothing.status, "Nothing is like this" in nothing.text) == (200, True)


async def test_records_are_listed_page_by_page(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for number in range(PAGE * 2 + 3):
        await seen(
            portal, number, origin_time=BEGIN + timedelta(minutes=number), input=fee(number), integrator_fee=fee(1)
        )
    await seen(portal, 900, integrator="Stranger")
    path, hashes = f"{HOME}/transactions", []
    for count in (PAGE, PAGE, 3):
        page = await visitor.get(path)
        found = re.findall(r'<td class="mono" data-label="Transactions" title="(0x[0-9a-f]{64})"', page.text)
        assert len(found) == count
        hashes += found
        following = re.search(r'href="([^"]+cursor=[^"]+)">Older', page.text)
        path = following[1].replace("&amp;", "&") if following else ""
    assert path == ""
    assert len(set(hashes)) == PAGE * 2 + 3
    assert hashes == sorted(hashes, reverse=True)
    assert f"https://explorer.example/tx/{hashes[0]}" in (await visitor.get(f"{HOME}/transactions")).text
