"""An integrator's fee wallets: looked at, signed for, set."""

import pytest

from rhumbline.domain.chain import ChainType
from tests.api.api_service import DIAMOND, OTHER_WALLET, SOLANA_WALLET
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import ServedPortal, message_in


async def test_fee_wallets_are_set_and_removed_by_signature(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for kind, given, kept in (("EVM", OTHER_WALLET.lower(), OTHER_WALLET), ("SVM", SOLANA_WALLET, SOLANA_WALLET)):
        done = await visitor.set_wallet(NAME, kind, given)
        assert (done.status, done.headers["location"]) == (303, f"{HOME}/wallets")
        found = await portal.services.accounts.integrator(NAME)
        assert found is not None
        assert found.wallet(ChainType(kind)) == kept
        assert kept in (await visitor.get(f"{HOME}/wallets")).text
        await visitor.set_wallet(NAME, kind, "")
        found = await portal.services.accounts.integrator(NAME)
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
    found = await portal.services.accounts.integrator(NAME)
    assert found is not None
    assert found.evm_wallet == visitor.address


@pytest.mark.parametrize(
    ("kind", "address", "says"),
    [
        ("EVM", OTHER_WALLET[:-1], "must be an EVM address"),
        ("EVM", OTHER_WALLET[:-1] + "c", "wrong checksum"),
        ("EVM", "0x" + "0" * 40, "nobody can sign for"),
        ("EVM", "0x" + "0" * 39 + "1", "nobody can sign for"),
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
