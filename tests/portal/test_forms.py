"""What a signed-in wallet may do, and what nobody may do in its name."""

import re
from html import escape
from urllib.parse import urlencode

import pytest

from rhumbline.domain.chain import ChainType
from tests.api.api_service import DIAMOND, OTHER_WALLET, SOLANA_WALLET
from tests.portal.conftest import ServedPortal, Visitor, message_in

NAME = "Acme"
HOME = f"/portal/i/{NAME}"
PAGES = ("", "/keys", "/wallets", "/transactions", "/fees", "/embed")
DEEDS: tuple[tuple[str, dict[str, str]], ...] = (
    ("/portal/sign-out", {}),
    ("/portal/integrators", {"name": "Other"}),
    (f"{HOME}/keys", {}),
    (f"{HOME}/keys/1/rotate", {"overlap": "0"}),
    (f"{HOME}/keys/1/revoke", {}),
    (f"{HOME}/wallets/check", {"chain_type": "EVM", "address": OTHER_WALLET}),
    (f"{HOME}/wallets", {"chain_type": "EVM", "address": OTHER_WALLET}),
)


async def owner(portal: ServedPortal, seed: int = 1, name: str = NAME) -> Visitor:
    visitor = portal.visitor(seed)
    await visitor.sign_in()
    await visitor.register(name)
    return visitor


async def untouched(portal: ServedPortal) -> None:
    """Nothing was registered, made, ended or set beside what `owner` did."""
    integrators = await portal.services.accounts.list_integrators()
    assert [(one.name, one.evm_wallet, one.svm_wallet) for one in integrators] == [(NAME, None, None)]
    assert [key.revoked_at for key in await portal.services.accounts.list_keys()] == [None]


@pytest.mark.parametrize(("path", "fields"), DEEDS)
async def test_a_form_needs_its_token_its_origin_and_a_session(
    portal: ServedPortal, path: str, fields: dict[str, str]
) -> None:
    visitor, other = await owner(portal), portal.visitor(2)
    await portal.services.accounts.create_key(NAME)
    await other.sign_in()
    csrf = await visitor.csrf()
    for token in (None, "", "0" * 64, csrf[:-1], csrf.upper(), await other.csrf(), visitor.cookies["portal-session"]):
        answer = await visitor.send_form(path, token, **fields)
        assert (answer.status, "not of this session" in answer.text) == (403, True)
    for origin in ("https://evil.example", "null", "", portal.url + "0", "http://localhost"):
        visitor.origin = origin
        answer = await visitor.send_form(path, csrf, **fields)
        assert (answer.status, "Not from here" in answer.text) == (403, True)
    visitor.origin = None
    cookies, visitor.cookies = visitor.cookies, {}
    answer = await visitor.send_form(path, csrf, **fields)
    if path.endswith("/sign-out"):
        # Sent twice, it finds no session, and that is what it was for.
        assert (answer.status, answer.headers["location"]) == (303, "/portal")
    else:
        assert (answer.status, "Signed out" in answer.text) == (403, True)
    visitor.cookies = cookies
    assert "Your integrators" in (await visitor.get("/portal")).text
    await untouched(portal)


async def test_a_form_is_read_strictly(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    csrf = await visitor.csrf()
    kind = "application/x-www-form-urlencoded"
    for body, given, status in (
        (f"csrf={csrf}&name=Two".encode(), "text/plain", 415),
        (f'{{"csrf": "{csrf}", "name": "Two"}}'.encode(), "application/json", 415),
        (f"csrf={csrf}&csrf={csrf}&name=Two".encode(), kind, 400),
        (f"csrf={csrf}&name=Two&{'&'.join(f'f{i}=1' for i in range(30))}".encode(), kind, 400),
        (f"csrf={csrf}&name=%ff".encode(), kind, 400),
        (f"csrf={csrf}&name=\xff".encode("latin-1"), kind, 400),
        (f"csrf={csrf}&name={'x' * 20_000}".encode(), kind, 413),
        (b"x" * 300_000, kind, 413),
        (b"", kind, 403),
    ):
        answer = await visitor.ask("POST", "/portal/integrators", body, {"content-type": given})
        assert answer.status == status, (body[:80], answer.text)
    assert await portal.services.owners.integrators_of(visitor.address) == (NAME,)


@pytest.mark.parametrize("page", PAGES)
async def test_pages_are_their_owners_alone(portal: ServedPortal, page: str) -> None:
    visitor, stranger = await owner(portal), portal.visitor(2)
    assert (await visitor.get(HOME + page)).status == 200
    anonymous = await stranger.get(HOME + page)
    assert (anonymous.status, anonymous.headers["location"]) == (303, f"/portal?{urlencode({'then': HOME + page})}")
    await stranger.sign_in()
    assert (await stranger.get(HOME + page)).status == 404
    assert (await stranger.get(HOME + page)).text == (await stranger.get(f"/portal/i/nobody{page}")).text
    portal.clock.move(minutes=61)
    assert (await visitor.get(HOME + page)).status == 303


@pytest.mark.parametrize(("path", "fields"), [deed for deed in DEEDS if deed[0].startswith(HOME)])
async def test_deeds_are_their_owners_alone(portal: ServedPortal, path: str, fields: dict[str, str]) -> None:
    await owner(portal)
    key, _ = await portal.services.accounts.create_key(NAME)
    stranger = await owner(portal, 2, "Stranger")
    path = path.replace("/1/", f"/{key.id}/")
    answer = await stranger.send_form(path, await stranger.csrf(), **fields)
    assert answer.status == 404
    mine = await stranger.send_form(path.replace(NAME, "Stranger"), await stranger.csrf(), **fields)
    if "/rotate" in path or "/revoke" in path:
        assert mine.status == 404
        assert [one.revoked_at for one in await portal.services.accounts.list_keys(NAME)] == [None]


async def test_names_are_refused_with_a_reason(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for name, says in (
        ("acme", "is taken"),
        ("Rhumbline", "is reserved"),
        ("a b", "1 to 31 characters"),
        ("", "1 to 31 characters"),
        ("x" * 32, "1 to 31 characters"),
    ):
        answer = await visitor.send_form("/portal/integrators", await visitor.csrf(), name=name)
        assert (answer.status, says in answer.text) == (400, True)


@pytest.mark.parametrize("text", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "'-->"])
async def test_what_a_visitor_writes_is_text(portal: ServedPortal, text: str) -> None:
    visitor = await owner(portal)
    csrf = await visitor.csrf()
    register = await visitor.send_form("/portal/integrators", csrf, name=text)
    wallet = await visitor.follow_form(f"{HOME}/wallets/check", csrf, chain_type="EVM", address=text)
    kind = await visitor.follow_form(f"{HOME}/wallets/check", csrf, chain_type=text, address="")
    pages = [register, wallet, kind, await visitor.get(f"{HOME}/transactions?status={text}&cursor={text}")]
    pages.append(await visitor.get(f"/portal/i/{text.replace('/', '')}"))
    assert [page.status for page in pages] == [400, 400, 400, 400, 404]
    for page in pages:
        assert text not in page.text or escape(text) == text
        assert "49" not in re.sub(r"[0-9a-f]{16,}", "", page.text)
    assert escape(text).replace("&quot;", "&#34;").replace("&#x27;", "&#39;") in register.text


async def test_fee_wallets_are_set_and_removed_by_signature(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for kind, given, kept in (("EVM", OTHER_WALLET.lower(), OTHER_WALLET), ("SVM", SOLANA_WALLET, SOLANA_WALLET)):
        done = await visitor.set_wallet(NAME, kind, given)
        assert (done.status, done.headers["location"]) == (303, f"{HOME}/wallets")
        found = await portal.services.owners.find(visitor.address, NAME)
        assert found is not None
        assert found.wallet(ChainType(kind)) == kept
        assert kept in (await visitor.get(f"{HOME}/wallets")).text
        await visitor.set_wallet(NAME, kind, "")
        found = await portal.services.owners.find(visitor.address, NAME)
        assert found is not None
        assert found.wallet(ChainType(kind)) is None


async def test_a_fee_wallet_needs_a_signature_that_names_it(portal: ServedPortal) -> None:
    """An old one, another's, one for another wallet, kind or integrator, and one that only signed in: none will do."""
    visitor, stranger = await owner(portal), portal.visitor(2)
    await visitor.register("Second")
    csrf = await visitor.csrf()
    sign_in = await visitor.challenge()
    asked = {"chain_type": "EVM", "address": OTHER_WALLET}
    shown = await visitor.follow_form(f"{HOME}/wallets/check", csrf, **asked)
    message = message_in(shown)
    assert f"Set the EVM fee wallet of {NAME} to {OTHER_WALLET}." in message
    other_wallet = {**asked, "address": visitor.address}
    for path, fields, signed, signature in (
        (HOME, asked, message, ""),
        (HOME, asked, message, stranger.sign(message)),
        (HOME, asked, sign_in, visitor.sign(sign_in)),
        (HOME, other_wallet, message, visitor.sign(message)),
        (HOME, {**asked, "address": ""}, message, visitor.sign(message)),
        ("/portal/i/Second", asked, message, visitor.sign(message)),
        (HOME, asked, message.replace(visitor.address, stranger.address), stranger.sign(message)),
    ):
        answer = await visitor.send_form(f"{path}/wallets", csrf, message=signed, signature=signature, **fields)
        assert (answer.status, "Signature not accepted" in answer.text) == (403, True), answer.text
    own = message.replace(visitor.address, stranger.address)
    answer = await visitor.send_form(f"{HOME}/wallets", csrf, message=own, signature=stranger.sign(own), **asked)
    assert (answer.status, "Another wallet" in answer.text) == (403, True)
    again = message_in(await visitor.follow_form(f"{HOME}/wallets/check", csrf, **asked))
    portal.clock.move(minutes=6)
    late = {"message": again, "signature": visitor.sign(again)}
    assert (await visitor.send_form(f"{HOME}/wallets", csrf, **late, **asked)).status == 403
    integrators = await portal.services.accounts.list_integrators()
    assert [one.evm_wallet for one in integrators] == [None, None]


async def test_a_signed_change_counts_once(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    csrf, fields = await visitor.csrf(), {"chain_type": "EVM", "address": OTHER_WALLET}
    message = message_in(await visitor.follow_form(f"{HOME}/wallets/check", csrf, **fields))
    sent = {**fields, "message": message.replace("\n", "\r\n"), "signature": visitor.sign(message)}
    assert (await visitor.send_form(f"{HOME}/wallets", csrf, **sent)).status == 303
    await visitor.set_wallet(NAME, "EVM", visitor.address)
    assert (await visitor.send_form(f"{HOME}/wallets", csrf, **sent)).status == 403
    found = await portal.services.owners.find(visitor.address, NAME)
    assert found is not None
    assert found.evm_wallet == visitor.address


@pytest.mark.parametrize(
    ("kind", "address", "says"),
    [
        ("EVM", OTHER_WALLET[:-1], "must be an EVM address"),
        ("EVM", OTHER_WALLET[:-1] + "c", "wrong checksum"),
        ("EVM", "0x" + "0" * 40, "zero address"),
        ("EVM", "0x" + "0" * 39 + "1", "nobody can sign as"),
        ("EVM", SOLANA_WALLET, "must be an EVM address"),
        ("EVM", DIAMOND, "contract of the service itself"),
        ("SVM", OTHER_WALLET, "must be a Solana address"),
        ("SVM", "1" * 32, "System Program"),
    ],
)
async def test_a_bad_wallet_is_refused_before_anything_is_signed(
    portal: ServedPortal, kind: str, address: str, says: str
) -> None:
    visitor = await owner(portal)
    form = {"chain_type": kind, "address": address}
    answer = await visitor.follow_form(f"{HOME}/wallets/check", await visitor.csrf(), **form)
    assert (answer.status, says in answer.text) == (400, True)
    assert address in answer.text
    assert 'name="message"' not in answer.text


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (b"", "A plain account on Ethereum: it can be paid at once"),
        (b"\x60\x80", "On Ethereum there is a contract at this address"),
        (bytes.fromhex("ef0100") + b"\x11" * 20, "A plain account on Ethereum"),
        (None, "Ethereum could not be asked just now"),
    ],
)
async def test_what_is_at_an_address_is_told(portal: ServedPortal, code: bytes | None, says: str) -> None:
    visitor = await owner(portal)
    portal.world.codes[1, OTHER_WALLET] = code
    form = {"chain_type": "EVM", "address": OTHER_WALLET}
    assert says in (await visitor.follow_form(f"{HOME}/wallets/check", await visitor.csrf(), **form)).text


@pytest.mark.parametrize(
    ("known", "says"),
    [(True, "is active on Solana"), (False, "does not know this account"), (None, "Solana could not be asked")],
)
async def test_a_solana_account_is_looked_up_or_said_not_to_be(
    portal: ServedPortal, known: bool | None, says: str
) -> None:
    visitor = await owner(portal)
    if known is not None:
        portal.world.solana[SOLANA_WALLET] = known
    form = {"chain_type": "SVM", "address": SOLANA_WALLET}
    assert says in (await visitor.follow_form(f"{HOME}/wallets/check", await visitor.csrf(), **form)).text
