"""A wallet whose own account somebody else may take from or close is told so before anybody is asked."""

from dataclasses import dataclass
from fractions import Fraction
from struct import pack

import pytest
from solders.account import Account
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.fee import ChainWallets, FeeRule
from rhumbline.domain.token import Token
from rhumbline.routing.fees import FeeSettings, FeeTerms
from rhumbline.routing.quote_context import TokenPair
from rhumbline.routing.slippage import PairKind
from rhumbline.routing.svm.forms import settled
from tests.routing.svm.quote_fixture import FRIEND, SENDER, SvmQuotes
from tests.routing.svm.test_bad_input import account_of
from tests.routing.venues import toy_chain, toy_token

USDC, SOL = 10**6, 10**9
ODD = Keypair.from_seed(b"a token account that has a key  ").pubkey()
TO = "0x00000000000000000000000000000000005712A9"
NO_INTEGRATOR = (Fraction(0), None, None)
THIEF = str(Pubkey([7] * 32))


@dataclass(frozen=True)
class Rights:
    """What is written into an account of somebody's before the question: by whom it is owned, taken from, closed."""

    owner: str | None = None
    delegate: tuple[str, int] | None = None
    closer: str | None = None

    def write(self, quotes: SvmQuotes, of: str, symbol: str) -> None:
        chain, place = quotes.running.server.chain, account_of(of, symbol)
        kept = chain.account(place)
        assert kept is not None
        data = bytearray(kept.data)
        if self.owner is not None:
            data[32:64] = bytes(Pubkey.from_string(self.owner))
        if self.delegate is not None:
            data[72:108] = pack("<I", 1) + bytes(Pubkey.from_string(self.delegate[0]))
            data[121:129] = self.delegate[1].to_bytes(8, "little")
        if self.closer is not None:
            data[129:165] = pack("<I", 1) + bytes(Pubkey.from_string(self.closer))
        chain.set_account(place, Account(kept.lamports, bytes(data), kept.owner))


TAKEN, CLOSED = Rights(delegate=(THIEF, 1)), Rights(closer=THIEF)


@pytest.mark.parametrize(
    ("rights", "of", "symbol", "asked", "said"),
    [
        (TAKEN, SENDER, "USDC", ("USDC", "USDT"),
         f"senderAddress: {THIEF} may take from its account of USDC; revoke that approval first"),
        (CLOSED, SENDER, "USDC", ("USDC", "USDT"),
         f"senderAddress: {THIEF} may close its account of USDC; set its close authority back first"),
        (TAKEN, FRIEND, "USDT", ("USDC", "USDT"), f"receiverAddress: {THIEF} may take from its account of USDT"),
        (CLOSED, FRIEND, "USDT", ("USDC", "USDT"), f"receiverAddress: {THIEF} may close its account of USDT"),
        (Rights(owner=THIEF), FRIEND, "USDT", ("USDC", "USDT"),
         f"receiverAddress: its account of USDT belongs to somebody else ({THIEF}); name another wallet"),
        (TAKEN, SENDER, "WSOL", ("SOL", "USDT"), f"senderAddress: {THIEF} may take from its account of wrapped SOL"),
        (CLOSED, FRIEND, "TAX", ("WSOL", "TAX"), f"receiverAddress: {THIEF} may close its account of TAX"),
    ],
)  # fmt: skip
async def test_others_rights_to_an_account_are_told_with_the_remedy(
    quotes: SvmQuotes, rights: Rights, of: str, symbol: str, asked: tuple[str, str], said: str
) -> None:
    rights.write(quotes, of, symbol)
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask(*asked, SOL, receiver=FRIEND))
    assert said in str(caught.value.details)


async def test_native_output_needs_the_wallets_own_account_of_wrapped_sol(quotes: SvmQuotes) -> None:
    CLOSED.write(quotes, SENDER, "WSOL")
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask("USDC", "SOL", 500 * USDC))
    assert f"senderAddress: {THIEF} may close its account of wrapped SOL" in str(caught.value.details)


@pytest.mark.parametrize("rights", [Rights(delegate=(THIEF, 0)), Rights(closer=SENDER)])
async def test_rights_to_nothing_and_the_wallets_own_are_none(quotes: SvmQuotes, rights: Rights) -> None:
    rights.write(quotes, SENDER, "USDT")
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert (await quotes.execute(answer)).error is None


async def test_a_right_to_another_account_than_those_in_question_is_no_obstacle(quotes: SvmQuotes) -> None:
    TAKEN.write(quotes, SENDER, "DAI")
    assert (await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))).output_amount > 0


async def test_a_guard_against_programs_is_told(quotes: SvmQuotes) -> None:
    """An account of Token-2022 from which no program takes, even with its owner's signature (CPI guard)."""
    chain, place = quotes.running.server.chain, account_of(SENDER, "TAX")
    kept = chain.account(place)
    assert kept is not None
    guarded = bytes(kept.data) + pack("<HHB", 11, 1, 1)
    chain.set_account(place, Account(kept.lamports * 2, guarded, kept.owner))
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask("TAX", "SOL", 10**10))
    assert "senderAddress: its account of this token lets no program take from it" in str(caught.value.details)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        (str(account_of(FRIEND, "USDC")), "refundTo: belongs to a program, which a bridge may not pay; name a wallet"),
        (str(ODD), "refundTo: must be a wallet, not a program, a token or a token account"),
        (FRIEND, None),
    ],
)
async def test_only_a_wallet_can_be_refunded(quotes: SvmQuotes, named: str, said: str | None) -> None:
    """A token account cannot be paid like a wallet: whether it has a key or not, a refund to it would be lost."""
    kept = quotes.running.server.chain.account(account_of(FRIEND, "USDC"))
    assert kept is not None
    quotes.running.server.chain.set_account(ODD, kept)
    asked = quotes.ask("USDC", "USDT", 1000 * USDC, destination=toy_chain(2), receiver=TO, refund_to=named)
    sold = Token(quotes.chain.id, quotes.token("USDC"), "USDC", 6, "USDC", listed=False)
    terms = FeeTerms(FeeSettings(FeeRule(Fraction(0)), ChainWallets(None, None)), FeeRule(Fraction(0)), *NO_INTEGRATOR)
    settling = settled(quotes.rpc, asked, TokenPair(sold, toy_token(chain=2), PairKind.STABLE), terms, 2**31)
    if said is None:
        assert (await settling).request.refund_to == named
    else:
        with pytest.raises(InvalidRequest) as caught:
            await settling
        assert caught.value.faults == (said,)
