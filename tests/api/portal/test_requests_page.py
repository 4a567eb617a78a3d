"""What requests came to, as the page shows it."""

import re
from collections.abc import Sequence

import pytest

from rhumbline.accounts.request_history import Span
from rhumbline.accounts.request_store import RequestWriter
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.requests_page import moment_of, share_of
from rhumbline.domain.account import ApiClient
from tests.api.api_service import ACME
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import BEGIN, ServedPortal


async def counted(portal: ServedPortal, requests: Sequence[tuple[int, str, int, float]]) -> None:
    """Write requests as a serving process does: key, endpoint, status, seconds."""
    tally = RequestTally(portal.clock)
    for key, endpoint, status, seconds in requests:
        code = "" if status < 400 else "NO_AVAILABLE_QUOTES"
        tally.add(ApiClient(ACME, key), endpoint, status, seconds, code, f"request-{key}-{status}")
    await RequestWriter(portal.engine, tally, portal.clock).write()


async def test_volume_failures_and_latency_are_shown(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    key, _ = await portal.services.accounts.create_key(NAME, name="Checkout")
    quotes = [(key.id, "/v1/quotes", 200, 0.04)] * 1497 + [(key.id, "/v1/quotes", 422, 0.4)] * 3
    await counted(portal, [*quotes, (key.id, "/v1/transactions", 503, 12.0)])
    page = (await visitor.get(f"{HOME}/requests")).text
    for words in (
        "1,501</dd>", "4</dd>", "0.2%", "1,497 × 200, 3 × 422", "≤ 50 ms", "&gt; 10,000 ms", "12,000 ms",
        "request-", "NO_AVAILABLE_QUOTES", "Checkout</option>", f"<code>{key.prefix}…</code>",
    ):  # fmt: skip
        assert words in page, words
    assert page.count("<svg") == 6
    assert 'aria-label="Requests, the last day"' in page
    assert 'aria-label="Refused and failed requests, the last day"' in page
    assert "<title>2026-11-21 12:00 UTC: 1,501</title>" in page


async def test_without_requests_the_page_says_so(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await counted(portal, [])
    page = await visitor.get(f"{HOME}/requests")
    assert (page.status, "No request with a key of Acme in this time." in page.text) == (200, True)
    await counted(portal, [(1, "/v1/chains", 200, 0.001)])
    page = await visitor.get(f"{HOME}/requests?span=hour")
    assert "None was refused, none failed." in page.text
    assert page.text.count("<svg") == 3


@pytest.mark.parametrize("span", list(Span))
async def test_every_span_and_key_is_shown(portal: ServedPortal, span: Span) -> None:
    visitor = await owner(portal)
    keys = [(await portal.services.accounts.create_key(NAME))[0].id for _ in range(2)]
    await counted(portal, [(keys[0], "/v1/quotes", 200, 0.01)] * 5 + [(keys[1], "/v1/quotes", 400, 0.01)] * 2)
    for key, total in (("", 7), (str(keys[0]), 5), (str(keys[1]), 2)):
        page = await visitor.get(f"{HOME}/requests?span={span}&key={key}")
        assert page.status == 200
        assert re.findall(r'<dd class="figure">([^<]*)</dd>', page.text)[0] == str(total)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("span=year", "span: must be one of hour, day"),
        ("span=%3Cb%3E", "span: must be one of"),
        ("key=0", "key: Acme has no such key"),
        ("key=x", "key: Acme has no such key"),
    ],
)
async def test_what_cannot_be_read_is_named(portal: ServedPortal, query: str, says: str) -> None:
    visitor = await owner(portal)
    page = await visitor.get(f"{HOME}/requests?{query}")
    assert (page.status, says in page.text, "<b>" in page.text) == (400, True, False)


async def test_another_integrator_s_requests_are_not_shown(portal: ServedPortal) -> None:
    await owner(portal)
    key, _ = await portal.services.accounts.create_key(NAME)
    await counted(portal, [(key.id, "/v1/quotes", 500, 0.01)])
    stranger = await owner(portal, 2, "Stranger")
    page = await stranger.get("/portal/i/Stranger/requests")
    assert "No request with a key of Stranger" in page.text
    assert "request-" not in page.text.partition("<main")[2].partition("Request ID is")[0].replace("request ID", "")
    assert (await stranger.get(f"/portal/i/Stranger/requests?key={key.id}")).status == 400


def test_shares_are_cut_and_some_is_never_none() -> None:
    told = [share_of(ENGLISH, part, 1000) for part in (0, 1, 15, 999, 1000)]
    assert told == ["0%", "0.1%", "1.5%", "99.9%", "100.0%"]
    assert [share_of(ENGLISH, 1, 10_000), share_of(ENGLISH, 0, 0)] == ["< 0.1%", "0%"]
    assert [moment_of(ENGLISH, BEGIN, span) for span in Span] == ["12:00", "12:00", "21 Nov", "21 Nov", "21 Nov"]
