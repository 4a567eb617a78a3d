"""A wallet asks with nothing, and has its funds when it signs: what nobody could run takes no more than was stated."""

from dataclasses import dataclass, replace
from struct import pack
from typing import Any

import pytest
from solders.account import Account
from solders.keypair import Keypair
from solders.message import from_bytes_versioned
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.devnet.svm.accounts import EMPTY, keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.errors import NoAvailableQuotes, NodeUnavailable
from rhumbline.domain.quote import Quote
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.domain.transaction import SvmTransaction, UpstreamTransaction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.instructions import CreateTokenAccount, SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.lighthouse import LIGHTHOUSE, has_lamports_at_most
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, SPL
from rhumbline.routing.svm.forms import INSUFFICIENT
from tests.routing.svm.pool_venue import PROGRAM, AddingVenue, PoolVenue
from tests.routing.svm.quote_fixture import POOR, SENDER, SvmQuotes, instructions_of

USDC = 10**6
FEES = 6 * 10**6
"""Lamports for the network and the account of the output."""
NEEDS_FUNDS = "that needs a wallet with the funds"


@dataclass(frozen=True)
class GreedyVenue(PoolVenue):
    """Has its program swap a second time, as much again."""

    async def build(self, quote: Quote[bool]) -> UpstreamTransaction:
        draft = await PoolVenue.build(self, quote)
        assert isinstance(draft, SvmDraft)
        swap = next(each for each in draft.instructions if each.program == PROGRAM)
        return replace(draft, instructions=(*draft.instructions, swap))


def asked_by(quotes: SvmQuotes, wallet: str) -> Any:
    return quotes.ask("USDC", "USDT", 1000 * USDC, sender=wallet, receiver=wallet)


async def funded(quotes: SvmQuotes, tokens: int, lamports: int) -> None:
    """Give the wallet its funds, as somebody would who has asked before."""
    chain, poor = quotes.running.server.chain, keypair(EMPTY[0])
    bought = token("USDC")
    for work in (
        SystemTransfer(SENDER, POOR, lamports).encode(),
        CreateTokenAccount.of(SENDER, POOR, str(bought.mint), SPL).encode(),
        TokenTransfer(
            SPL, str(bought.account(keypair(0).pubkey())), str(bought.account(poor.pubkey())), SENDER, tokens,
            str(bought.mint), 6,
        ).encode(),
    ):  # fmt: skip
        message = compile_v0(SENDER, [work], [], str(chain.blockhash()))
        assert chain.send(VersionedTransaction(from_bytes_versioned(message), [keypair(0)])).error is None
        chain.advance()


async def error_of(quotes: SvmQuotes, answer: RouteAnswer) -> Any:
    assert isinstance(answer.transaction, SvmTransaction)
    message = VersionedTransaction.from_bytes(answer.transaction.data).message
    signed = VersionedTransaction(message, [keypair(EMPTY[0])])
    return quotes.running.server.chain.send(signed).error


@pytest.mark.parametrize("enforces", [True, False])
async def test_no_more_than_the_input_is_taken_of_what_comes_later(quotes: SvmQuotes, enforces: bool) -> None:
    """What is left is no balance that could be asserted yet: a wallet that has more than was stated is not executed."""
    greedy = quotes.with_(GreedyVenue(quotes.running.server.chain, enforces=enforces, bounds=False))
    answer = await greedy.service.answer(asked_by(quotes, POOR))
    assert [each.code for each in answer.warnings] == [INSUFFICIENT]
    await funded(quotes, 5000 * USDC, FEES)
    assert "Custom" in str(await error_of(quotes, answer))
    assert await quotes.balance(POOR, "USDC") == 5000 * USDC


async def test_lamports_beyond_what_was_stated_are_not_put_at_risk(quotes: SvmQuotes) -> None:
    lax = quotes.with_(PoolVenue(quotes.running.server.chain, enforces=False, bounds=False))
    answer = await lax.service.answer(asked_by(quotes, POOR))
    await funded(quotes, 1000 * USDC, 10**9)
    assert "Custom" in str(await error_of(quotes, answer))


async def test_an_honest_one_is_executed_with_what_it_needs(quotes: SvmQuotes) -> None:
    lax = quotes.with_(PoolVenue(quotes.running.server.chain, enforces=False, bounds=False))
    answer = await lax.service.answer(asked_by(quotes, POOR))
    await funded(quotes, 1000 * USDC, FEES)
    assert await error_of(quotes, answer) is None
    assert await quotes.balance(POOR, "USDT") >= answer.min_output_amount


async def test_where_there_is_no_room_to_bound_it_there_is_no_answer(quotes: SvmQuotes) -> None:
    """A program's own minimum says nothing of what it takes."""
    keys = tuple(AccountRole(str(Pubkey([n] * 32))) for n in range(1, 17))
    added = (SvmInstruction(PROGRAM, keys, b""),)
    long = AddingVenue(quotes.running.server.chain, enforces=True, bounds=False, added=added)
    with pytest.raises(NoAvailableQuotes, match=NEEDS_FUNDS):
        await quotes.with_(long).service.answer(asked_by(quotes, POOR))
    bounding = replace(long, bounds=True)
    assert (await quotes.with_(bounding).service.answer(asked_by(quotes, POOR))).warnings


async def test_what_a_program_bounds_is_handed_out(quotes: SvmQuotes) -> None:
    bounding = quotes.with_(PoolVenue(quotes.running.server.chain, enforces=False, bounds=True))
    answer = await bounding.service.answer(asked_by(quotes, POOR))
    assert [each.code for each in answer.warnings] == [INSUFFICIENT]


async def test_assertions_bound_what_a_wallet_with_funds_gives(
    quotes: SvmQuotes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No run is made, as the node is away; of balances that are there the assertions leave nothing open."""

    async def away(*_: Any) -> Any:
        raise NodeUnavailable("away")

    monkeypatch.setattr(SvmRpc, "simulate", away)
    lax = quotes.with_(PoolVenue(quotes.running.server.chain, enforces=False, bounds=False))
    answer = await lax.service.answer(asked_by(quotes, SENDER))
    assert [each.code for each in answer.warnings] == ["SOLANA_SIMULATION_FAILED"]
    assert sum(each.program == LIGHTHOUSE for each in instructions_of(answer)) == 3


@pytest.mark.parametrize("bounds", [True, False])
async def test_wrapped_sol_beside_a_native_input_is_not_at_risk(quotes: SvmQuotes, bounds: bool) -> None:
    """The wallet has wrapped SOL and none to pay with: a route that wraps its input may take of what was there."""
    chain, poor = quotes.running.server.chain, keypair(EMPTY[0]).pubkey()
    model = chain.account(token("WSOL").account(keypair(0).pubkey()))
    assert model is not None
    data = model.data[:32] + bytes(poor) + model.data[64:]
    chain.set_account(token("WSOL").account(poor), Account(model.lamports, data, model.owner))
    venue = PoolVenue(chain, enforces=True, bounds=bounds)
    asked = quotes.ask("SOL", "USDC", 10**9, sender=POOR, receiver=POOR)
    if bounds:
        assert [each.code for each in (await quotes.with_(venue).service.answer(asked)).warnings] == [INSUFFICIENT]
        return
    with pytest.raises(NoAvailableQuotes, match=NEEDS_FUNDS):
        await quotes.with_(venue).service.answer(asked)


async def test_wrapped_sol_that_comes_later_is_not_at_risk(quotes: SvmQuotes) -> None:
    lax = quotes.with_(PoolVenue(quotes.running.server.chain, enforces=True, bounds=False))
    answer = await lax.service.answer(quotes.ask("SOL", "USDC", 10**9, sender=POOR, receiver=POOR))
    wrapped = str(token("WSOL").account(keypair(EMPTY[0]).pubkey()))
    first = [each for each in instructions_of(answer) if each.program == LIGHTHOUSE][:2]
    assert [each.accounts[0].address for each in first] == [POOR, wrapped]
    assert first[1].data == has_lamports_at_most(wrapped, 0).data


def of_the_wallets(quotes: SvmQuotes, data: bytes, owner: str) -> AccountRole:
    at, chain = Keypair().pubkey(), quotes.running.server.chain
    chain.set_account(at, Account(chain.rent(len(data)), data, Pubkey.from_string(owner)))
    return AccountRole(str(at), writable=True)


@pytest.mark.parametrize("kind", ["mint", "table"])
async def test_what_the_wallet_is_in_charge_of_is_not_written_unseen(quotes: SvmQuotes, kind: str) -> None:
    """A program with the wallet's signature could mint its token, or hand its lookup table to somebody else."""
    key = bytes(keypair(EMPTY[0]).pubkey())
    if kind == "mint":
        role = of_the_wallets(quotes, pack("<I32sQB?I32s", 1, key, 10**9, 6, True, 0, bytes(32)), SPL)
    else:
        role = of_the_wallets(quotes, pack("<IQQB?32s2x", 1, 2**64 - 1, 0, 0, True, key), LOOKUP_TABLES)
    called = SvmInstruction(PROGRAM, (role, AccountRole(POOR, signer=True)), b"")
    liar = quotes.with_(AddingVenue(quotes.running.server.chain, added=(called,)))
    with pytest.raises(NoAvailableQuotes, match=NEEDS_FUNDS):
        await liar.service.answer(asked_by(quotes, POOR))
