"""A key where its terms forbid it: refused in the contract's words, counted for the address, and never let through."""

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import ip_network

import pytest

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.key_terms import refusal
from rhumbline.accounts.rate_limits import RateScope, Tiers
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.api.http.paths import rules_of
from rhumbline.api.server.application import create_app
from rhumbline.domain.account import ApiClient, KeyScope, KeyTerms
from rhumbline.domain.rate import Limit
from tests.api.api_service import ACME, KEY, TX_ID, ApiService, services
from tests.api.conftest import Client
from tests.api.limited_service import Watch, ask, moored
from tests.api.wire.test_quote_request import GOOD

PAGE = "https://app.example"
FOR_QUOTES, FOR_TRACKING = (KeyTerms(frozenset({scope})) for scope in KeyScope)
IN_PAGES = KeyTerms(frozenset({KeyScope.QUOTES}), (PAGE,), (), in_browsers=True)
QUOTING = ("/v1/quotes", "/v1/quotes/stream", "/v1/advanced/routes", "/v1/advanced/stepTransaction")
TRACKING = ("/v1/transactions", f"/v1/transactions/{TX_ID}", f"/v1/transactions/{TX_ID}/status", "/v1/transactions/")
METADATA = ("/v1/chains", "/v1/tokens", "/v1/token?chain=1&token=USDC", "/v1/tools", "/v1/prices?tokens=1:USDC",
            "/v1/token-lists", f"/v1/status/{TX_ID}")  # fmt: skip
POSTED = frozenset({"/v1/advanced/routes", "/v1/advanced/stepTransaction"})


async def refused(client: Client, path: str, **headers: str) -> tuple[int, str] | None:
    """Return status and error code of a request that was refused for its key's terms, None where it was not."""
    named = {"x-api-key": KEY, **{name.replace("_", "-"): value for name, value in headers.items()}}
    method, query = ("POST", None) if path in POSTED else ("GET", GOOD if path.startswith("/v1/quotes") else None)
    data = b"{}" if method == "POST" else None
    answer = await client.ask(path, query, method=method, headers=named, data=data)
    details = answer.json.get("details")
    code = details.get("errorCode", "") if isinstance(details, dict) else ""
    if not code.startswith("API_KEY"):
        assert answer.status not in (401, 403)
        return None
    assert answer.json["code"] == "VALIDATION_ERROR"
    assert answer.json["statusCode"] == answer.status
    assert KEY not in answer.text
    return answer.status, code


@pytest.mark.parametrize(
    ("terms", "open_paths", "shut"),
    [(FOR_QUOTES, (*QUOTING, *METADATA), TRACKING), (FOR_TRACKING, (*TRACKING[:3], *METADATA), QUOTING)],
)
async def test_a_key_opens_what_its_scopes_name(
    client: Client, api_service: ApiService, terms: KeyTerms, open_paths: Sequence[str], shut: Sequence[str]
) -> None:
    api_service.key_owner = ApiClient(ACME, 1, terms=terms)
    for path in open_paths:
        assert await refused(client, path) is None, path
    for path in shut:
        assert await refused(client, path) == (403, "API_KEY_SCOPE"), path


async def test_a_key_for_browsers_is_valid_in_its_pages_alone_and_never_for_records(
    client: Client, api_service: ApiService
) -> None:
    api_service.key_owner = ApiClient(ACME, 1, terms=IN_PAGES)
    for path in (*QUOTING, *METADATA):
        assert await refused(client, path, origin=PAGE) is None, path
        for origin in ("https://evil.example", "null", f"{PAGE}:8443", f"{PAGE}/", "http://app.example"):
            assert await refused(client, path, origin=origin) == (403, "API_KEY_ORIGIN"), (path, origin)
        assert await refused(client, path) == (403, "API_KEY_ORIGIN"), path
        assert await refused(client, path, referer=f"{PAGE}/page") == (403, "API_KEY_ORIGIN"), path
    for path in TRACKING:
        for headers in ({}, {"origin": PAGE}, {"origin": "https://evil.example"}):
            assert await refused(client, path, **headers) == (403, "API_KEY_SCOPE"), path
    assert api_service.pages == []
    assert api_service.found == []


async def test_the_refusal_says_what_to_do_and_can_be_read_by_the_page(client: Client, api_service: ApiService) -> None:
    api_service.key_owner = ApiClient(ACME, 1, terms=IN_PAGES)
    for origin, told in (
        (None, "the request has no header Origin: send it from a page there, or use a secret key on a server"),
        ("https://evil.example", "bound to other origins than 'https://evil.example': add this origin to the key"),
    ):
        headers = {"x-api-key": KEY} | ({} if origin is None else {"origin": origin})
        answer = await client.ask("/v1/quotes", GOOD, headers=headers)
        assert told in answer.json["message"]
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "X-Api-Key-Status" not in answer.headers
        assert "www-authenticate" not in answer.headers
    assert api_service.asked == []


async def test_a_preflight_needs_no_key(client: Client) -> None:
    headers = {"origin": PAGE, "access-control-request-method": "GET", "access-control-request-headers": "x-api-key"}
    answer = await client.ask("/v1/quotes", method="OPTIONS", headers=headers)
    assert (answer.status, answer.headers["access-control-allow-headers"]) == (204, "x-api-key, content-type")


async def test_a_key_is_used_from_its_networks(client: Client, api_service: ApiService) -> None:
    for networks, outcome in ((("127.0.0.0/8",), None), (("203.0.113.0/24", "::1/128"), (403, "API_KEY_ADDRESS"))):
        terms = KeyTerms(networks=tuple(map(ip_network, networks)))
        api_service.key_owner = ApiClient(ACME, 1, terms=terms)
        for path in (*QUOTING, *TRACKING[:3], *METADATA):
            assert await refused(client, path) == outcome, path
            assert await refused(client, path, x_forwarded_for="203.0.113.7") == outcome, "nobody names its own address"


async def test_behind_a_proxy_it_is_the_client_s_address(api_service: ApiService) -> None:
    terms = KeyTerms(networks=(ip_network("203.0.113.0/24"),))
    api_service.key_owner = ApiClient(ACME, 1, terms=terms)
    async with moored(create_app(services(api_service, {})), ("127.0.0.1",)) as url:
        inside = await ask(url, x_api_key=KEY, x_forwarded_for="203.0.113.7")
        outside = await ask(url, x_api_key=KEY, x_forwarded_for="203.0.114.7")
    assert (inside.status, outside.status) == (200, 403)
    assert "may not be used from 203.0.114.7" in outside.json["message"]


async def test_what_is_refused_counts_for_the_address_and_is_shown_to_the_integrator(api_service: ApiService) -> None:
    """Whoever copies a key out of a page cannot use up its limits elsewhere; its owner sees that it was tried."""
    watch = Watch()
    limiter = Limiter(Tiers(Limit(5, 7200), Limit(40, 60)), LocalCounters(watch))
    tally = RequestTally(watch)
    api_service.key_owner = key = ApiClient(ACME, 1, terms=IN_PAGES)
    app = create_app(replace(services(api_service, {}), limiter=limiter, tally=tally))
    async with moored(app) as url:
        stolen = [await ask(url, "/v1/quotes", x_api_key=KEY, origin="https://evil.example") for _ in range(7)]
        assert [answer.status for answer in stolen] == [403] * 5 + [429] * 2
        assert [answer.limits[:2] for answer in stolen[:2]] == [("5", "4"), ("5", "3")]
        assert (await limiter.look(key, RateScope.QUOTES))[1] is None
        own = await ask(url, "/v1/quotes", x_api_key=KEY, origin=PAGE)
        assert (own.status, own.limits[:2]) == (400, ("40", "39"))
    counts, failures = tally.take()
    assert {(each.key_id, each.status): count.requests for each, count in counts.items()} == {
        (1, 403): 5, (1, 429): 2, (1, 400): 1,
    }  # fmt: skip
    assert [each.code for each in failures] == ["API_KEY_ORIGIN"] * 5 + ["RATE_LIMIT"] * 2 + ["VALIDATION_ERROR"]
    assert {each.endpoint for each in failures} == {"/v1/quotes"}
    assert [each.request_id for each in failures[:1]] == [stolen[0].headers["X-Request-Id"]]


async def test_requests_are_tallied_by_route_and_status(api_service: ApiService) -> None:
    watch = Watch()
    tally = RequestTally(watch)
    api_service.key_owner = ApiClient(ACME, 1)
    async with moored(create_app(replace(services(api_service, {}), tally=tally))) as url:
        for path in (
            "/v1/chains",
            "/v1/chains",
            f"/v1/transactions/{TX_ID}",
            "/v1/transactions/0x1",
            "/v1/nothing",
            "/",
        ):
            await ask(url, path, x_api_key=KEY)
            await ask(url, path)
            await ask(url, path, x_api_key=KEY + "x")
        await ask(url, "/v1/chains", method="HEAD", x_api_key=KEY)
    counts, _ = tally.take()
    assert {(each.endpoint, each.status): count.requests for each, count in counts.items()} == {
        ("/v1/chains", 200): 3,
        ("/v1/transactions/{lookupKey}", 200): 1,
        ("/v1/transactions/{lookupKey}", 404): 1,
        ("unmatched", 404): 1,
    }


@pytest.mark.parametrize(
    "path",
    [
        "/v1/transactions", "/v1/transactions/", "/v1/transactions/a/b/c", "/v1/transactionsX", "/V1/TRANSACTIONS",
        "/v1/quotes/", "/v1/quotes/stream", "/v1/advanced/", "/v1/advanced/anything", "/v1/status/x", "/v1/health",
        "/portal", "/portal/i/Acme/keys", "/v1//transactions",
    ],
)  # fmt: skip
def test_no_path_of_records_is_open_to_a_key_for_browsers(path: str) -> None:
    rules = rules_of(path)
    told = refusal(IN_PAGES, rules.key_scope, PAGE, None)
    assert (told is not None) == rules.tracking
    assert rules.tracking == path.startswith("/v1/transactions/") or path == "/v1/transactions"
