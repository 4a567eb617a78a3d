"""An upstream whose instructions do more with a wallet than a route needs is left out."""

from collections.abc import Callable

import pytest

from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM
from rhumbline.devnet.svm.programs import TOKEN
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from tests.routing.svm.pool_venue import AddingVenue
from tests.routing.svm.quote_fixture import FRIEND, SENDER, SvmQuotes
from tests.routing.svm.test_bad_input import USDC, account_of


def _system(number: int) -> bytes:
    return number.to_bytes(4, "little")


HOSTILE: tuple[tuple[str, Callable[[SvmQuotes], SvmInstruction], str], ...] = (
    (
        "set authority",
        lambda _: SvmInstruction(
            SPL,
            (AccountRole(str(account_of(SENDER, "USDC")), writable=True), AccountRole(SENDER, signer=True)),
            b"\x06\x02\x01" + bytes([9] * 32),
        ),
        "an instruction that a route does not need",
    ),
    (
        "transfer to a stranger",
        lambda _: SvmInstruction(
            SYSTEM,
            (AccountRole(SENDER, signer=True, writable=True), AccountRole(FRIEND, writable=True)),
            _system(2) + (1).to_bytes(8, "little"),
        ),
        "pays lamports to a stranger",
    ),
    (
        "assign the wallet",
        lambda _: SvmInstruction(SYSTEM, (AccountRole(SENDER, signer=True, writable=True),), _system(1) + bytes(32)),
        "an instruction that a route does not need",
    ),
    (
        "foreign signer",
        lambda quotes: SvmInstruction(str(POOL_PROGRAM), (AccountRole(FRIEND, signer=True),), b""),
        "needs another signature",
    ),
    (
        "foreign program",
        lambda _: SvmInstruction(str(TOKEN)[:-1] + "B", (), b""),
        "a program that is not its own",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("made", "said"), [(made, said) for _, made, said in HOSTILE], ids=[n for n, *_ in HOSTILE])
async def test_an_upstream_that_adds_an_instruction(
    quotes: SvmQuotes, made: Callable[[SvmQuotes], SvmInstruction], said: str
) -> None:
    liar = AddingVenue(quotes.running.server.chain, added=(made(quotes),))
    with pytest.raises(AdaptersFailed) as caught:
        await quotes.with_(liar).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert said in str(caught.value.details)
