"""What is said of a fee wallet before it is set."""

import pytest

from tests.api.api_service import OTHER_WALLET, SOLANA_WALLET
from tests.api.portal.test_views import HOME, owner
from tests.portal_fixture import ServedPortal


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
