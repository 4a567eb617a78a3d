"""Signing in over HTTP, as it should be and as it should not."""

import re
from datetime import timedelta

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from starlette.responses import Response

from rhumbline.accounts.sessions import new_token
from rhumbline.api.portal.access import Gate
from rhumbline.api.portal.sign_in_message import read_message
from tests.portal_fixture import BEGIN, ServedPortal, Visitor


async def refused(visitor: Visitor, message: str, signature: str, says: str) -> None:
    answer = await visitor.send_json("/portal/sign-in", {"message": message, "signature": signature})
    assert answer.status == 403, answer.text
    assert says in answer.json["error"]
    assert "portal-session" not in answer.cookies
    assert "Sign in with a wallet" in (await visitor.get("/portal")).text


async def test_a_wallet_signs_in_and_out(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    message = await visitor.challenge()
    read = read_message(message)
    assert read is not None
    assert (read.domain, read.uri) == (portal.url.removeprefix("http://"), f"{portal.url}/portal")
    assert (read.address, read.chain_id) == (visitor.address, 1)
    assert (read.issued_at, read.expires_at - read.issued_at) == (BEGIN.replace(microsecond=0), timedelta(minutes=5))
    answer = await visitor.send_json("/portal/sign-in", {"message": message, "signature": visitor.sign(message)})
    assert (answer.status, answer.json) == (200, {"next": "/portal"})
    cookie = answer.cookies["portal-session"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert not {"Max-Age", "expires", "Domain"} & set(re.findall(r"[A-Za-z-]+(?==)", cookie))
    home = await visitor.get("/portal")
    assert "Your integrators" in home.text
    old = dict(visitor.cookies)
    gone = await visitor.send_form("/portal/sign-out", home.csrf)
    assert (gone.status, gone.headers["location"]) == (303, "/portal")
    assert "portal-session" not in visitor.cookies
    visitor.cookies = old
    assert "Sign in with a wallet" in (await visitor.get("/portal")).text


async def test_signing_out_everywhere_ends_other_browsers(portal: ServedPortal) -> None:
    here, there = portal.visitor(), portal.visitor()
    await here.sign_in()
    await there.sign_in()
    await here.send_form("/portal/sign-out", await here.csrf(), everywhere="1")
    assert "Sign in with a wallet" in (await there.get("/portal")).text


async def test_a_chain_that_is_not_served_is_not_named(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    for chain, named in (("0x2105", 8453), ("0x38", 1), ("1", 1), ("", 1), ("0x" + "f" * 15, 1)):
        answer = await visitor.send_json("/portal/challenge", {"address": visitor.address, "chainId": chain})
        read = read_message(answer.json["message"])
        assert read is not None
        assert read.chain_id == named


@pytest.mark.parametrize(
    "address", ["", "0x", "0x" + "g" * 40, "0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "x" * 500]
)
async def test_a_challenge_needs_a_wallet(portal: ServedPortal, address: str) -> None:
    answer = await portal.visitor().send_json("/portal/challenge", {"address": address})
    assert answer.status == 400
    assert answer.json["error"].startswith("address: ")


async def test_a_replayed_message_is_refused(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    message = await visitor.challenge()
    kept = dict(visitor.cookies)
    signature = visitor.sign(message)
    assert (await visitor.send_json("/portal/sign-in", {"message": message, "signature": signature})).status == 200
    visitor.cookies = kept
    await refused(visitor, message, signature, "was used already")


async def test_an_expired_message_is_refused(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    message = await visitor.challenge()
    portal.clock.move(minutes=5)
    await refused(visitor, message, visitor.sign(message), "expired")


async def test_a_forged_message_is_refused_and_the_true_one_goes_on(portal: ServedPortal) -> None:
    visitor, thief = portal.visitor(1), portal.visitor(2)
    message = await visitor.challenge()
    for signature in (
        thief.sign(message),
        visitor.sign(message + " "),
        "0x" + "00" * 65,
        "0x" + "ff" * 65,
        "0x" + "11" * 64,
        "0x" + "zz" * 65,
        "",
        visitor.sign(message)[2:],
    ):
        await refused(visitor, message, signature, "not that of")
    ok = await visitor.send_json("/portal/sign-in", {"message": message, "signature": visitor.sign(message)})
    assert ok.status == 200


async def test_no_signature_is_verified_for_a_message_that_cannot_count(portal: ServedPortal) -> None:
    """To recover a key is dear, so whoever has no nonce does not get that far."""
    visitor, thief = portal.visitor(1), portal.visitor(2)
    message = await visitor.challenge()
    invented = re.sub(r"Nonce: \w+", "Nonce: " + "0" * 32, message)
    await refused(visitor, invented, thief.sign(invented), "was used already")
    kept = dict(visitor.cookies)
    signed = {"message": message, "signature": visitor.sign(message)}
    assert (await visitor.send_json("/portal/sign-in", signed)).status == 200
    visitor.cookies = kept
    await refused(visitor, message, thief.sign(message), "was used already")


async def test_a_changed_message_is_refused_though_it_is_signed(portal: ServedPortal) -> None:
    visitor = portal.visitor()
    message = await visitor.challenge()
    host = portal.url.removeprefix("http://")
    for changed, says in (
        (message.replace(host + " wants", "evil.example wants"), "evil.example"),
        (message.replace(f"URI: {portal.url}", "URI: https://evil.example"), "another address"),
        (message.replace("Chain ID: 1\n", "Chain ID: 56\n"), "chain 56"),
        (message.replace("12:05:00Z", "23:05:00Z"), "expired"),
        (message.replace("This is no transaction", "This is a transaction"), "something else"),
        (re.sub(r"Nonce: \w+", "Nonce: " + "0" * 32, message), "was used already"),
        (message.replace("\n", "\r\n"), "not a message of this portal"),
        ("", "not a message of this portal"),
        ("x" * 10_000, "not a message of this portal"),
    ):
        assert changed != message
        await refused(visitor, changed, visitor.sign(changed), says)


async def test_a_signature_is_of_the_text_not_of_its_digest(portal: ServedPortal) -> None:
    """What a wallet signs in another form, typed or as a transaction, is no sign-in."""
    visitor = portal.visitor()
    message = await visitor.challenge()
    digest = encode_defunct(text=message).body
    raw = Account.unsafe_sign_hash(digest[:32].ljust(32, b"\0"), visitor.key)
    await refused(visitor, message, "0x" + bytes(raw.signature).hex(), "not that of")


async def test_a_message_counts_in_the_browser_that_asked(portal: ServedPortal) -> None:
    """Nobody is signed in to a stranger's account, and nobody's message is of use to a stranger."""
    victim, stranger = portal.visitor(1), portal.visitor(2)
    message = await stranger.challenge()
    await refused(victim, message, stranger.sign(message), "not begun in this browser")
    await victim.challenge()
    await refused(victim, message, stranger.sign(message), "another browser")


async def test_a_session_is_never_taken_over(portal: ServedPortal) -> None:
    """Session fixation: a cookie that was there before signing in is worth nothing afterwards."""
    visitor = portal.visitor()
    planted = new_token()
    visitor.cookies["portal-session"] = planted
    await visitor.sign_in()
    assert visitor.cookies["portal-session"] != planted
    other = portal.visitor()
    other.cookies["portal-session"] = planted
    assert "Sign in with a wallet" in (await other.get("/portal")).text
    before = visitor.cookies["portal-session"]
    await visitor.sign_in()
    assert visitor.cookies["portal-session"] != before
    other.cookies["portal-session"] = before
    assert "Sign in with a wallet" in (await other.get("/portal")).text


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", "http://127.0.0.1", "http://localhost:8700"])
@pytest.mark.parametrize("path", ["/portal/challenge", "/portal/sign-in"])
async def test_a_foreign_origin_is_refused(portal: ServedPortal, origin: str, path: str) -> None:
    visitor = portal.visitor()
    visitor.origin = origin
    answer = await visitor.send_json(path, {"address": visitor.address})
    assert answer.status == 403
    assert portal.url in answer.json["error"]
    assert "access-control-allow-origin" not in answer.headers
    assert not visitor.cookies


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[" * 10_000, "application/json", 400),
        (b"{}", "text/plain", 415),
        (b"{}", "", 415),
        (b'{"address": "' + b"x" * 20_000 + b'"}', "application/json", 413),
        (b"x" * 300_000, "application/json", 413),
    ],
)
async def test_what_is_no_small_json_object_is_refused(
    portal: ServedPortal, body: bytes, kind: str, status: int
) -> None:
    answer = await portal.visitor().ask("POST", "/portal/challenge", body, {"content-type": kind})
    assert answer.status == status, answer.text


async def test_under_https_cookies_are_bound_to_host_and_tls(portal: ServedPortal) -> None:
    gate, response = Gate("https://swap.example", portal.services.sessions), Response()
    gate.sign_in(response, new_token())
    cookies = response.headers.getlist("set-cookie")
    assert cookies[0].startswith("__Host-portal-session=")
    assert {"Secure", "HttpOnly", "SameSite=strict", "Path=/"} <= set(cookies[0].split("; "))
    assert "Domain" not in cookies[0]


async def test_a_name_that_is_registered_twice_by_its_owner_is_theirs(portal: ServedPortal) -> None:
    visitor, stranger = portal.visitor(), portal.visitor(2)
    await visitor.sign_in()
    await stranger.sign_in()
    for _ in range(2):
        answer = await visitor.send_form("/portal/integrators", await visitor.csrf(), name="Acme")
        assert (answer.status, answer.headers["location"]) == (303, "/portal/i/Acme")
    taken = await stranger.send_form("/portal/integrators", await stranger.csrf(), name="Acme")
    assert (taken.status, "is taken" in taken.text) == (400, True)
