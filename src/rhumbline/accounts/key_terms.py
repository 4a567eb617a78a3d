"""What a key may be used for and from where: reading it from people, and judging a request by it. Pure."""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from rhumbline.domain.account import EVERY_SCOPE, KeyScope, KeyTerms
from rhumbline.domain.errors import AccessDenied, KeyElsewhere, KeyFromOutside, KeyOutOfScope
from rhumbline.domain.sentence import Sentence

MOST_ORIGINS = 20
MOST_NETWORKS = 20
LONGEST_LIFE = timedelta(days=3660)
_LONGEST_ORIGIN = 200
_LONGEST_SHOWN = 60
_HOST = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_DEFAULT_PORTS = frozenset({("http", 80), ("https", 443)})
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
Network = IPv4Network | IPv6Network


def read_terms(
    scopes: Iterable[str], origins: Iterable[str], networks: Iterable[str], *, in_browsers: bool
) -> tuple[KeyTerms, tuple[str, ...]]:
    """Return the terms, in canonical form, and everything that is wrong with them; no scopes means all there may be."""
    named, faults = frozenset(scopes), []
    if unknown := sorted(named - EVERY_SCOPE):
        faults.append(
            Sentence(
                "scope: %(scope)s is unknown; choose of %(scopes)s", scope=_cut(unknown[0]), scopes=", ".join(KeyScope)
            )
        )
    if in_browsers and KeyScope.TRACKING in named:
        faults.append(
            Sentence("scope: a key for browsers is seen by everybody, and cannot read records; leave out tracking")
        )
    every = frozenset({KeyScope.QUOTES}) if in_browsers else EVERY_SCOPE
    read_origins, origin_faults = _read_origins(origins)
    read_networks, network_faults = _read_networks(networks)
    if in_browsers and not read_origins and not origin_faults:
        faults.append(
            Sentence("origin: a key for browsers needs the origins of its pages, such as https://app.example")
        )
    terms = KeyTerms(
        frozenset(KeyScope(each) for each in named & EVERY_SCOPE) or every,
        tuple(sorted(read_origins)),
        tuple(sorted(read_networks, key=str)),
        in_browsers,
    )
    return terms, (*faults, *origin_faults, *network_faults)


def read_expiry(text: str | None, now: datetime) -> tuple[datetime | None, tuple[str, ...]]:
    """Return the end of a day of UTC, written 2027-01-31, None for no end, and what is wrong with it."""
    if not text:
        return None, ()
    wrong = (Sentence("expires: must be a day of the calendar, as 2027-01-31, or be left out"),)
    if not _DAY.fullmatch(text):
        return None, wrong
    try:
        end = datetime.combine(date.fromisoformat(text) + timedelta(days=1), time(), UTC)
    except (ValueError, OverflowError):
        return None, wrong
    if end <= now:
        return None, (Sentence("expires: must not be a day that is over"),)
    if end - now > LONGEST_LIFE:
        return None, (Sentence("expires: must be within ten years, or be left out"),)
    return end, ()


def last_day(end: datetime) -> str:
    """Write an end as the last day of UTC on which a key is valid, as `read_expiry` reads it."""
    return (end.astimezone(UTC) - timedelta(microseconds=1)).date().isoformat()


def refusal(terms: KeyTerms, needed: KeyScope | None, origin: str | None, host: str | None) -> AccessDenied | None:
    """Return why a key may not make this request, None where it may.

    ``needed`` is the endpoint's scope, ``origin`` the header as it came, ``host`` the address the request comes from.
    """
    if needed is not None and needed not in terms.scopes:
        if terms.in_browsers:
            told = "A key for browsers is for quotes and metadata only: ask with a secret key, from a server"
        else:
            told = f"This API key is not for {needed}, only for {', '.join(sorted(terms.scopes))}: use another one"
        return KeyOutOfScope(told)
    if terms.origins and origin not in terms.origins:
        if not origin:
            told = "This API key is bound to the origins of pages, and the request has no header Origin"
            return KeyElsewhere(f"{told}: send it from a page there, or use a secret key on a server")
        told = f"This API key is bound to other origins than {_cut(origin)!r}"
        return KeyElsewhere(f"{told}: add this origin to the key, or use a key of its own")
    if terms.networks and not _is_within(host, terms.networks):
        shown = "an unknown address" if host is None else _cut(host)
        return KeyFromOutside(f"This API key may not be used from {shown}: add the address to the key's networks")
    return None


def in_words(terms: KeyTerms) -> str:
    """Say terms in one line, for the audit log and lists."""
    parts = [f"for {', '.join(sorted(terms.scopes))}"]
    if terms.origins:
        parts.append(f"from {', '.join(terms.origins)}")
    if terms.networks:
        parts.append(f"within {', '.join(map(str, terms.networks))}")
    return "; ".join(parts)


def _read_origins(texts: Iterable[str]) -> tuple[set[str], list[Sentence]]:
    given = {text.strip() for text in texts} - {""}
    if len(given) > MOST_ORIGINS:
        return set(), [Sentence("origin: a key has at most %(most)s origins", most=MOST_ORIGINS)]
    read = {text: _origin(text) for text in given}
    faults = [
        Sentence(
            "origin: must be that of a page, as https://app.example, without a path; plain http only on this machine; "
            "%(text)r is not",
            text=_cut(text),
        )
        for text in sorted(given)
        if read[text] is None
    ]
    return {origin for origin in read.values() if origin is not None}, faults


def _origin(text: str) -> str | None:
    """Return an origin as browsers write it (https://url.spec.whatwg.org/#origin, read 2026-11), None if it is none."""
    try:
        parts = urlsplit(text.lower() if len(text) <= _LONGEST_ORIGIN else "")
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    plain = parts.path in ("", "/") and not parts.query and not parts.fragment and "@" not in parts.netloc
    named = bool(_HOST.fullmatch(host)) or host in _LOOPBACK
    if not plain or not named or text[-1:] in "?#":
        return None
    if parts.scheme != "https" and (parts.scheme != "http" or host not in _LOOPBACK):
        return None
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port is None or (parts.scheme, port) in _DEFAULT_PORTS else f":{port}")


def _read_networks(texts: Iterable[str]) -> tuple[set[Network], list[Sentence]]:
    given = {text.strip() for text in texts} - {""}
    if len(given) > MOST_NETWORKS:
        return set(), [Sentence("network: a key has at most %(most)s networks", most=MOST_NETWORKS)]
    found, faults = set(), []
    for text in sorted(given):
        try:
            found.add(ip_network(text))
        except ValueError:
            faults.append(
                Sentence(
                    "network: must be an address or a network, as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32; "
                    "%(text)r is not",
                    text=_cut(text),
                )
            )
    return found, faults


def _is_within(host: str | None, networks: Iterable[Network]) -> bool:
    if host is None:
        return False
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    return any(address in network for network in networks)


def _cut(text: str) -> str:
    """Return another's text for a message: what can be seen of it, and not too much."""
    shown = "".join(character for character in text if character.isprintable())
    return shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…"
