"""What a key is for: read in canonical form or refused by name, and held against requests."""

from datetime import UTC, datetime
from ipaddress import ip_network

import pytest

from rhumbline.accounts.key_terms import in_words, last_day, read_expiry, read_terms, refusal
from rhumbline.domain.account import EVERY_SCOPE, UNRESTRICTED, KeyScope, KeyTerms
from rhumbline.domain.errors import KeyElsewhere, KeyFromOutside, KeyOutOfScope

NOW = datetime(2026, 11, 27, 9, 30, tzinfo=UTC)
QUOTES = frozenset({KeyScope.QUOTES})
PAGE = "https://app.example"


def faults(origin: str = "", network: str = "", scope: str = "") -> tuple[str, ...]:
    return read_terms([scope] if scope else [], [origin], [network], in_browsers=False)[1]


def test_without_terms_a_key_is_for_everything_from_anywhere() -> None:
    assert read_terms([], [], [], in_browsers=False) == (UNRESTRICTED, ())
    assert read_terms(["tracking", "quotes"], ["", " "], [""], in_browsers=False) == (UNRESTRICTED, ())
    for scope in (None, *KeyScope):
        assert refusal(UNRESTRICTED, scope, None, None) is None


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("https://app.example", "https://app.example"),
        ("HTTPS://App.Example/", "https://app.example"),
        ("https://app.example:443", "https://app.example"),
        ("https://app.example:8443", "https://app.example:8443"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://localhost:5173", "http://localhost:5173"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_an_origin_is_kept_as_browsers_write_it(given: str, read: str) -> None:
    terms, told = read_terms([], [given], [], in_browsers=False)
    assert (terms.origins, told) == ((read,), ())


@pytest.mark.parametrize(
    "given",
    [
        "*", "null", "app.example", "https://", "https://*.example", "http://app.example", "ftp://app.example",
        "https://app.example/path", "https://app.example?", "https://app.example#", "https://user@app.example",
        "https://app.example:99999", "https://app.example:x", "https://a b.example", "https://bücher.example",
        "javascript:alert(1)", "https://app.example\x00", "https://[::2", "https://" + "a" * 300, "https://-a.example",
        "https://app.example\u202e", "data:text/html,x", "file:///etc/passwd", "https://a..example",
    ],
)  # fmt: skip
def test_what_is_no_origin_is_refused(given: str) -> None:
    (told,) = faults(origin=given)
    assert told.startswith("origin: must be that of a page, as https://app.example")
    assert len(told) < 300
    assert told.isprintable()


def test_networks_are_addresses_or_networks() -> None:
    terms, told = read_terms([], [], ["203.0.113.7", "2001:db8::/32", "10.0.0.0/8", "10.0.0.0/8"], in_browsers=False)
    assert told == ()
    assert set(terms.networks) == {ip_network(each) for each in ("203.0.113.7/32", "2001:db8::/32", "10.0.0.0/8")}


@pytest.mark.parametrize("given", ["203.0.113.7/24", "256.0.0.1", "10.0.0.0/33", "localhost", "1", "::g", "10.0.0.1-5"])
def test_what_is_no_network_is_refused(given: str) -> None:
    (told,) = faults(network=given)
    assert told.startswith("network: must be an address or a network")


def test_every_fault_is_named_at_once() -> None:
    _, told = read_terms(["all"], ["x"], ["y"], in_browsers=True)
    assert [each.split(":")[0] for each in told] == ["scope", "origin", "network"]
    _, told = read_terms([], [f"https://a{n}.example" for n in range(21)], ["1.1.1.1"] * 30, in_browsers=False)
    assert told == ("origin: a key has at most 20 origins",)
    _, told = read_terms([], [], [f"10.0.0.{n}" for n in range(21)], in_browsers=False)
    assert told == ("network: a key has at most 20 networks",)


def test_a_key_for_browsers_is_for_quotes_from_pages_alone() -> None:
    terms, told = read_terms([], [PAGE], [], in_browsers=True)
    assert (terms, told) == (KeyTerms(QUOTES, (PAGE,), (), in_browsers=True), ())
    for scopes, origins, says in (
        (["tracking"], [PAGE], "scope: a key for browsers is seen by everybody"),
        (["quotes", "tracking"], [PAGE], "scope: a key for browsers is seen by everybody"),
        ([], [], "origin: a key for browsers needs the origins of its pages"),
    ):
        (fault,) = read_terms(scopes, origins, [], in_browsers=True)[1]
        assert fault.startswith(says)


def test_a_request_needs_the_scope() -> None:
    for own, other in ((KeyScope.QUOTES, KeyScope.TRACKING), (KeyScope.TRACKING, KeyScope.QUOTES)):
        terms = KeyTerms(frozenset({own}))
        assert refusal(terms, own, None, None) is None
        assert refusal(terms, None, None, None) is None
        told = refusal(terms, other, None, None)
        assert isinstance(told, KeyOutOfScope)
        assert told.message == f"This API key is not for {other}, only for {own}: use another one"


@pytest.mark.parametrize("scope", [None, *KeyScope])
def test_a_key_for_browsers_is_refused_without_its_origin_whatever_is_asked(scope: KeyScope | None) -> None:
    terms = KeyTerms(QUOTES, (PAGE, "https://b.example"), (), in_browsers=True)
    for origin in (
        None,
        "",
        "null",
        "https://evil.example",
        PAGE + "/",
        PAGE.upper(),
        f"{PAGE}.evil.example",
        "https://",
    ):
        assert refusal(terms, scope, origin, "203.0.113.7") is not None
    told = refusal(terms, None, None, None)
    assert isinstance(told, KeyElsewhere)
    assert told.message.startswith(
        "This API key is bound to the origins of pages, and the request has no header Origin"
    )
    told = refusal(terms, None, "https://evil.example\r\nx", None)
    assert told is not None
    assert "'https://evil.examplex'" in told.message
    longest = refusal(terms, None, "https://" + "x" * 9000, None)
    assert longest is not None
    assert len(longest.message) <= 200, "as every message"
    for origin in terms.origins:
        assert (refusal(terms, scope, origin, None) is None) == (scope is not KeyScope.TRACKING)


@pytest.mark.parametrize(
    ("host", "is_within"),
    [
        ("203.0.113.7", True),
        ("203.0.113.8", False),
        ("10.255.0.1", True),
        ("::ffff:10.1.2.3", True),
        ("2001:db8::1", True),
        ("2001:db8::1%eth0", True),
        ("2001:db9::1", False),
        ("::1", False),
        (None, False),
        ("", False),
        ("unix:", False),
        ("203.0.113.7, 10.0.0.1", False),
    ],
)
def test_a_request_must_come_from_a_network(host: str | None, is_within: bool) -> None:
    networks = tuple(map(ip_network, ("203.0.113.7", "10.0.0.0/8", "2001:db8::/32")))
    told = refusal(KeyTerms(networks=networks), KeyScope.TRACKING, None, host)
    assert (told is None) == is_within
    assert is_within or isinstance(told, KeyFromOutside)


def test_an_end_is_the_end_of_a_day() -> None:
    end, told = read_expiry("2027-01-31", NOW)
    assert (end, told) == (datetime(2027, 2, 1, tzinfo=UTC), ())
    assert end is not None
    assert last_day(end) == "2027-01-31"
    assert read_expiry("2026-11-27", NOW) == (datetime(2026, 11, 28, tzinfo=UTC), ())
    assert read_expiry(None, NOW) == read_expiry("", NOW) == (None, ())
    for text in ("2026-11-26", "2027-02-30", "2027-1-1", "tomorrow", "2027-01-31T00:00", "0000-01-01", "9999-12-31"):
        end, told = read_expiry(text, NOW)
        assert (end, len(told)) == (None, 1)
        assert told[0].startswith("expires: must ")


def test_terms_are_told_in_one_line() -> None:
    terms, _ = read_terms(["quotes"], [PAGE], ["10.0.0.0/8"], in_browsers=False)
    assert in_words(terms) == "for quotes; from https://app.example; within 10.0.0.0/8"
    assert in_words(UNRESTRICTED) == "for quotes, tracking"
    assert set(KeyScope) == EVERY_SCOPE
