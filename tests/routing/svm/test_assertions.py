"""A transaction fails on chain where it does otherwise than was answered, whatever a program in it has become since."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from solders.account import Account
from solders.message import from_bytes_versioned
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.errors import AdaptersFailed
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.fingerprint import fingerprint
from rhumbline.gateways.svm.instructions import CloseAccount, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE, holds_lamports, holds_tokens, stays_wallet
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.programs import SPL, SYSTEM
from rhumbline.routing.svm.assertions import WALLETS_OWN
from rhumbline.routing.svm.forms import INSUFFICIENT
from tests.routing.svm.pool_venue import PROGRAM, AddingVenue, PoolVenue
from tests.routing.svm.quote_fixture import POOR, SENDER, SvmQuotes, instructions_of

USDC = 10**6
SOL = 10**9
THIEF = str(keypair(2).pubkey())
MORE_THAN_STATED = WALLETS_OWN + 4 * 10**7


def account(owner: str, symbol: str) -> str:
    return str(token(symbol).account(Pubkey.from_string(owner)))


def of_tokens(symbol: str, data: bytes, *between: str) -> SvmInstruction:
    roles = (AccountRole(account(SENDER, symbol), writable=True), *map(AccountRole, between),
             AccountRole(SENDER, signer=True))  # fmt: skip
    return SvmInstruction(SPL, roles, data)


def given(symbol: str, kind: int) -> SvmInstruction:
    return of_tokens(symbol, bytes([6, kind, 1]) + decode_address(THIEF))


def taken(symbol: str, amount: int) -> SvmInstruction:
    mint = str(token(symbol).mint)
    return TokenTransfer(SPL, account(SENDER, symbol), account(THIEF, symbol), SENDER, amount, mint, 6).encode()


def assigned(program: str) -> SvmInstruction:
    data = (1).to_bytes(4, "little") + decode_address(program)
    return SvmInstruction(SYSTEM, (AccountRole(SENDER, signer=True, writable=True),), data)


@dataclass(frozen=True)
class Switched:
    """What a program of the route does when it is executed, beside what it did in the run."""

    quotes: SvmQuotes
    answer: RouteAnswer

    def error(self, *added: SvmInstruction, asserted: bool = True) -> Any:
        """Execute with more instructions before the assertions, or without these, and return the error."""
        calls = list(instructions_of(self.answer))
        place = next(place for place, each in enumerate(calls) if each.program == LIGHTHOUSE)
        chain = self.quotes.running.server.chain
        chain.advance()
        kept = calls[place:] if asserted else []
        message = compile_v0(SENDER, [*calls[:place], *added, *kept], [], str(chain.blockhash()))
        mark = chain.snapshot()
        done = chain.send(VersionedTransaction(from_bytes_versioned(message), [keypair(0)]))
        chain.restore(mark)
        return done.error

    def fails_only_by_assertion(self, *added: SvmInstruction) -> bool:
        assert self.error(*added, asserted=False) is None, "what is added must be possible"
        return "Custom" in str(self.error(*added))


async def switched(quotes: SvmQuotes, sold: str, bought: str, amount: int, **changes: Any) -> Switched:
    return Switched(quotes, await quotes.service.answer(quotes.ask(sold, bought, amount, **changes)))


async def test_what_becomes_of_the_output_and_the_input(quotes: SvmQuotes) -> None:
    route = await switched(quotes, "USDC", "USDT", 1000 * USDC)
    assert route.error() is None
    assert route.fails_only_by_assertion(taken("USDT", 100 * USDC))
    assert route.fails_only_by_assertion(given("USDT", 2))
    assert route.fails_only_by_assertion(given("USDT", 3))
    assert route.fails_only_by_assertion(of_tokens("USDT", b"\x04" + bytes([1] * 8), THIEF))
    assert route.fails_only_by_assertion(taken("USDC", 1))
    assert route.fails_only_by_assertion(given("USDC", 2))
    assert route.fails_only_by_assertion(of_tokens("USDC", b"\x04" + bytes([1] * 8), THIEF))


async def test_an_output_account_that_is_emptied_and_closed(quotes: SvmQuotes) -> None:
    route = await switched(quotes, "USDC", "USDT", 1000 * USDC)
    held = await quotes.balance(SENDER, "USDT")
    gain = route.answer.output_amount
    closed = CloseAccount(SPL, account(SENDER, "USDT"), THIEF, SENDER).encode()
    assert route.fails_only_by_assertion(taken("USDT", held + gain), closed)


async def test_lamports_beyond_what_was_stated(quotes: SvmQuotes) -> None:
    route = await switched(quotes, "USDC", "USDT", 1000 * USDC)
    assert route.fails_only_by_assertion(SystemTransfer(SENDER, THIEF, MORE_THAN_STATED).encode())
    assert route.fails_only_by_assertion(assigned(PROGRAM))
    assert route.error(SystemTransfer(SENDER, THIEF, WALLETS_OWN).encode()) is None, "a tip that a wallet adds"


async def test_lamports_that_do_not_arrive(quotes: SvmQuotes) -> None:
    """Wrapped SOL that there was comes back when its account is closed, and hides nothing."""
    assert await quotes.balance(SENDER, "WSOL") > SOL
    route = await switched(quotes, "USDC", "SOL", 1000 * USDC)
    assert route.error() is None
    spare = route.answer.output_amount - route.answer.min_output_amount
    assert route.fails_only_by_assertion(SystemTransfer(SENDER, THIEF, spare + MORE_THAN_STATED).encode())


async def test_a_native_input_takes_no_more_of_the_wallet(quotes: SvmQuotes) -> None:
    route = await switched(quotes, "SOL", "USDC", 3 * SOL)
    assert route.error() is None
    assert route.fails_only_by_assertion(SystemTransfer(SENDER, THIEF, MORE_THAN_STATED).encode())


async def test_what_is_asserted_is_what_was_answered(quotes: SvmQuotes) -> None:
    """The least is the answer's minimum on top of what there is, for whoever receives."""
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, receiver=POOR))
    output, wallet, sold = instructions_of(answer)[-3:]
    place = account(POOR, "USDT")
    assert output.data == holds_tokens(place, answer.min_output_amount, delegate=None, closer=None).data
    assert output.accounts[0].address == place
    left = await quotes.balance(SENDER, "USDC") - 1000 * USDC
    assert sold.data == holds_tokens(account(SENDER, "USDC"), left, delegate=None, closer=None).data
    assert wallet.accounts[0].address == SENDER
    assert wallet.data[:3] == stays_wallet(SENDER, 0).data[:3]
    assert int.from_bytes(wallet.data[4:12], "little") < await quotes.balance(SENDER, "SOL") - WALLETS_OWN


def padded(quotes: SvmQuotes, keys: int, **changes: Any) -> AddingVenue:
    """A venue whose route names so many more accounts, 32 bytes each."""
    accounts = tuple(AccountRole(str(Pubkey([n] * 32))) for n in range(1, keys + 1))
    return AddingVenue(quotes.running.server.chain, added=(SvmInstruction(PROGRAM, accounts, b""),), **changes)


def asserted_by(calls: Sequence[SvmInstruction]) -> int:
    return sum(each.program == LIGHTHOUSE for each in calls)


async def test_less_is_asserted_where_there_is_no_room_and_the_minimum_goes_last(quotes: SvmQuotes) -> None:
    """An unfunded wallet is shown the route, so that the padding, which no program takes, is not run."""
    found = []
    for keys in range(8, 20):
        venue = padded(quotes, keys, enforces=True)
        answer = await quotes.with_(venue).service.answer(
            quotes.ask("USDC", "USDT", 1000 * USDC, sender=POOR, receiver=POOR)
        )
        assert isinstance(answer.transaction, SvmTransaction)
        assert len(answer.transaction.data) <= 1232
        calls = instructions_of(answer)
        found.append(asserted_by(calls))
        if found[-1]:
            assert calls[-found[-1]].accounts[0].address == account(POOR, "USDT")
        if not found[-1]:
            break
    assert found[0] == 3
    assert found == sorted(found, reverse=True)
    assert found[-1] == 0


async def test_a_wallet_without_funds_is_answered_where_the_minimum_is_asserted(quotes: SvmQuotes) -> None:
    """No program of the route holds anything; what does not fit is not offered to who cannot be seen to gain."""
    lax = PoolVenue(quotes.running.server.chain, enforces=False)
    answer = await quotes.with_(lax).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, sender=POOR, receiver=POOR))
    assert [each.code for each in answer.warnings] == [INSUFFICIENT]
    assert asserted_by(instructions_of(answer)) == 3


async def test_a_chain_without_the_program_asserts_nothing(quotes: SvmQuotes) -> None:
    chain = quotes.running.server.chain
    chain.set_account(Pubkey.from_string(LIGHTHOUSE), Account(SOL, b"", Pubkey.from_string(SYSTEM)))
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert asserted_by(instructions_of(answer)) == 0


async def test_tracking_knows_it_with_and_without_assertions(quotes: SvmQuotes) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert isinstance(answer.transaction, SvmTransaction)
    calls = instructions_of(answer)
    assert fingerprint(calls) == answer.transaction.digest
    added = [*calls, stays_wallet(SENDER, 1), holds_lamports(SENDER, 1)]
    assert fingerprint(added) == answer.transaction.digest


async def test_an_upstream_asserts_nothing_by_itself(quotes: SvmQuotes) -> None:
    """It could only make a transaction fail; whatever it calls beside its own program is refused."""
    liar = AddingVenue(quotes.running.server.chain, added=(holds_lamports(SENDER, 2**64 - 1),))
    with pytest.raises(AdaptersFailed, match="a call of a program that is not its own"):
        await quotes.with_(liar).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
