"""Small texts and documents that clients, list hosts and browsers send, read alone."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

from starlette.datastructures import QueryParams
from starlette.requests import Request

from fuzz.decoder import Decoder
from fuzz.mutations import altered_body, altered_text
from rhumbline.accounts.keys import digest, is_key, key_name_faults, prefix
from rhumbline.accounts.sessions import is_token
from rhumbline.api.http.content_coding import choose_encoding, names_etag
from rhumbline.api.pages.embed_form import read_wanted
from rhumbline.api.pages.language import liked_best
from rhumbline.api.portal.access import Refused, read_form
from rhumbline.api.portal.access import read_json as read_portal_json
from rhumbline.api.portal.evm.signatures import signer_of
from rhumbline.api.portal.filters import read_search
from rhumbline.api.portal.key_form import read_key_form
from rhumbline.api.portal.sign_in_message import read_message
from rhumbline.catalog.token_list import ListRefused, read_token_list
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import TransactionFilter, TransferState
from rhumbline.gateways.chain_types.addresses import canonical_token, read_address
from rhumbline.gateways.chain_types.bytes32 import reference_word
from rhumbline.gateways.http.receiver import url_fault
from rhumbline.gateways.http.strict_json import read_json, write_json
from rhumbline.gateways.nodes.json_rpc import shown_message
from rhumbline.routing.fee_proof import first_step, new_fee_proof
from rhumbline.tracking.cursor import ListPosition, open_cursor, seal_cursor
from rhumbline.tracking.record_events.event_id import open_event_id, seal_event_id
from tests.api.portal.test_sign_in_message import MESSAGE
from tests.catalog.conftest import CHAINS, USDC, entry, token_list
from tests.portal_fixture import TOKENS
from tests.routing.test_fee_proof import FIRST, NOW, STEP

_KEYS = (b"n" * 32, b"o" * 32)
_API_KEY = "rl_live_abcdefghijklmnopqrstuvwxyz012345"
_AT = datetime(2026, 11, 21, tzinfo=UTC)
_LONG_NODE_URL = "https://user:pass-word@node.example/v2/abcdefghijklmnop?key=qrstuvwxyz012345"


def _documents() -> tuple[bytes, ...]:
    nested: Any = {"a": [1, -2.5, 1e-7, "text é \\u2028", None, True, {"b": [[[]]]}], "amount": 10**77}
    return json.dumps(nested).encode(), b'\xef\xbb\xbf {"x": 1.00} ', b"[]"


def _round_trip(body: bytes) -> Any:
    """What is read is written and read again as the same, every digit of it."""
    found = read_json(body)
    assert read_json(write_json(found)) == found, "what was read is not what is written of it"
    try:
        repr(found).encode()
    except UnicodeEncodeError:
        raise AssertionError("a text that cannot be written") from None
    return found


def _lists() -> tuple[bytes, ...]:
    listed = token_list(
        entry(USDC, "USDC", logoURI="https://logos.example/usdc.svg", extensions={"a": {"b": 1}}, tags=["x"]),
        entry("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC", 1000000001),
        tags={"x": {"name": "X", "description": "Ex"}}, keywords=["k"], logoURI="ipfs://logo",
    )  # fmt: skip
    return (json.dumps(listed).encode(),)


def _read_list(body: bytes) -> Any:
    found = read_token_list(body, CHAINS)
    for token in found.tokens:
        # What is kept is stored and answered: both need text that can be written.
        kept = f"{token.symbol}{token.name}{token.logo_uri}"
        assert "\0" not in kept, "a text that the store does not take"
        kept.encode()
    return found


def _open_texts(text: str) -> Any:
    """Every text that was sealed by a key of the service, each as if it were any of them."""
    assert open_event_id(_KEYS, "acme", text) in (None, 12345)
    assert first_step(_KEYS, text, STEP, 5, NOW) in (None, FIRST)
    is_token(text)
    key_name_faults(text)
    if is_key(text):
        return digest(text), prefix(text)
    return open_cursor(_KEYS, "acme", text)


def _sealed() -> tuple[str, ...]:
    kept = TransactionFilter(status=TransferState.SUCCESS, sender=USDC, since=_AT)
    cursors = [seal_cursor(_KEYS[0], "acme", each, ListPosition(_AT, "an-id")) for each in (TransactionFilter(), kept)]
    return _API_KEY, *cursors, seal_event_id(_KEYS[1], "acme", 12345), new_fee_proof(_KEYS[0], STEP, FIRST, 10, NOW)


def _read_sealed(text: str) -> Any:
    try:
        return _open_texts(text)
    except InvalidRequest:
        return None


def _headers(text: str) -> Any:
    return choose_encoding(text), names_etag(text, '"abc"'), liked_best(text)


def _addresses(text: str) -> Any:
    found = [read_address(kind, text) for kind in ChainType]
    for kind in ChainType:
        canonical_token(kind, text)
    # What is read of JSON can be written.
    reference_word(text.encode(errors="replace").decode())
    url_fault(text, allow_private=False)
    return found, shown_message(text, _LONG_NODE_URL)


async def _sign_in(text: str) -> Any:
    read_message(text)
    return await signer_of(MESSAGE.written(), text)


_FORM = {
    "status": "success", "chain": "1", "token": "USDC", "from": "2026-01-01", "to": "2026-12-31",
    "cursor": "1764000000000000.an-id", "name": "mine", "kind": "browser", "quotes": "on", "scopes": "1",
    "origins": "https://app.example, https://b.example", "networks": "10.0.0.0/8 2001:db8::/32",
    "expires": "2027-01-01", "integrator": "Acme", "fee": "0.5", "api": "https://x.example/r", "locked": "chain",
    "theme": "dark", "amount": "1.5", "language": "de",
}  # fmt: skip


def _altered_form(rng: Random, form: Mapping[str, str], _: Sequence[Any]) -> Mapping[str, str]:
    changed = dict(form)
    for name in rng.sample(sorted(changed), rng.randint(1, 3)):
        changed[name] = altered_text(rng, changed[name], [*form.values()])
    return changed


def _forms(form: Mapping[str, str]) -> Any:
    return (
        read_search(form, CHAINS, TOKENS), read_key_form(form, _AT), read_wanted(QueryParams(dict(form)), (1, 10)),
    )  # fmt: skip


def _posted(kind: str) -> Any:
    async def read(body: bytes) -> Any:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        request = Request({"type": "http", "headers": [(b"content-type", kind.encode())]}, receive)
        return await (read_portal_json(request) if "json" in kind else read_form(request))

    return read


def texts() -> list[Decoder]:
    """The decoders, each with what it is documented to raise."""
    signature = "0x" + "ab" * 64 + "1b"
    addresses = (USDC, "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "https://hooks.example/a?b=c", _LONG_NODE_URL)
    form = "application/x-www-form-urlencoded"
    return [
        Decoder("JSON", _documents(), altered_body, _round_trip, (ValueError,)),
        Decoder("token lists", _lists(), altered_body, _read_list, (ListRefused,)),
        Decoder(
            "cursors, proofs and keys",
            _sealed(), altered_text, _read_sealed, (),
        ),
        Decoder(
            "headers", ("br;q=0.9, gzip, *;q=0.1", 'W/"abc", "def"', "de-CH, fr;q=0.9, *;q=0.5"),
            altered_text, _headers, (),
        ),
        Decoder(
            "addresses and URLs",
            addresses, altered_text, _addresses, (),
        ),
        Decoder(
            "sign-in messages", (MESSAGE.written(), signature), altered_text, _sign_in, (),
        ),
        Decoder(
            "forms", (_FORM,),
            _altered_form, _forms, (),
        ),
        Decoder(
            "posted forms", (b"name=a%20b&kind=secret&quotes=on",), altered_body,
            _posted(form), (Refused,),
        ),
        Decoder(
            "posted JSON", (b'{"address": "0x12", "chainId": 1}',), altered_body,
            _posted("application/json"), (Refused,),
        ),
    ]  # fmt: skip
