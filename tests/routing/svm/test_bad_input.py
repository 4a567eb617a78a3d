"""What cannot be asked on Solana, and fees that cannot be paid there."""

from dataclasses import replace
from fractions import Fraction
from struct import pack
from typing import Any

import pytest
from solders.account import Account
from solders.pubkey import Pubkey

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.svm.chain_setup import POOL_PROGRAM, token
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import AdaptersFailed, InvalidRequest, NotFound
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation, SimulationSource
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.domain.unowned_addresses import SVM_INCINERATOR, SVM_STAND_IN
from rhumbline.gateways.nodes.svm.cluster import MAINNET_GENESIS, Cluster
from rhumbline.gateways.svm.decompiler import decompile
from rhumbline.gateways.svm.programs import SYSTEM
from rhumbline.routing.fees import FEE_SKIPPED
from rhumbline.routing.quote_context import SYSTEM_ACCOUNT_SKIPPED
from rhumbline.routing.svm.composer import SvmComposer
from rhumbline.routing.svm.forms import NOT_ACTIVATED
from tests.routing.svm.pool_venue import AddingVenue
from tests.routing.svm.quote_fixture import FRIEND, KEY, PATIENCE_S, POOR, SENDER, SERVICE, SvmQuotes

USDC = 10**6
SHARE = Fraction(5, 1000)
_STATE_AT = 108
_FROZEN = 2


def account_of(owner: str, symbol: str) -> Pubkey:
    return token(symbol).account(Pubkey.from_string(owner))


def frozen(quotes: SvmQuotes, owner: str, symbol: str) -> None:
    chain, place = quotes.running.server.chain, account_of(owner, symbol)
    kept = chain.account(place)
    assert kept is not None
    data = bytearray(kept.data)
    data[_STATE_AT] = _FROZEN
    chain.set_account(place, Account(kept.lamports, bytes(data), kept.owner))


def hooked(quotes: SvmQuotes) -> str:
    """A mint of Token-2022 whose every transfer calls a program (extension 14)."""
    chain, mint = quotes.running.server.chain, token("TAX").mint
    kept = chain.account(mint)
    assert kept is not None
    extension = pack("<HH", 14, 64) + bytes([7]) * 64
    chain.set_account(mint, Account(kept.lamports, bytes(kept.data)[:166] + extension, kept.owner))
    return str(mint)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"amount": 2**64}, "amount: must be at most 18446744073709551615 on Sandbox Solana"),
        (
            {"receiver": str(POOL_PROGRAM)},
            "receiverAddress: must be a wallet, not a program, a token or a token account",
        ),
        ({"receiver": str(account_of(SENDER, "USDT"))}, "receiverAddress: must be a wallet"),
        ({"receiver": str(token("USDT").mint)}, "receiverAddress: must be a wallet"),
        ({"sender": str(account_of(SENDER, "USDT"))}, "senderAddress: belongs to a program"),
    ],
)
async def test_what_cannot_be_asked(quotes: SvmQuotes, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(replace(quotes.ask("USDC", "USDT", 1000 * USDC), **changes))
    assert said in str(caught.value.details)


async def test_a_mint_that_does_not_exist(quotes: SvmQuotes) -> None:
    with pytest.raises(NotFound):
        await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, destination_token=FRIEND))


async def test_frozen_accounts(quotes: SvmQuotes) -> None:
    frozen(quotes, SENDER, "USDC")
    frozen(quotes, FRIEND, "USDT")
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, receiver=FRIEND))
    told = str(caught.value.details)
    assert "senderAddress: its account of this token is frozen" in told
    assert "receiverAddress: cannot receive this token: the token account is frozen" in told


async def test_a_token_whose_transfers_call_a_program(quotes: SvmQuotes) -> None:
    hooked(quotes)
    with pytest.raises(InvalidRequest) as caught:
        await quotes.service.answer(quotes.ask("WSOL", "TAX", 10**9))
    assert "destinationCurrency: every transfer of this token calls a program" in str(caught.value.details)


async def test_a_node_that_does_not_answer(quotes: SvmQuotes) -> None:
    composer = SvmComposer((KEY,), {quotes.chain.id: replace(quotes.rpc, url="http://127.0.0.1:9")})
    service = replace(quotes.service, composers={quotes.chain.type: composer})
    with pytest.raises(AdaptersFailed):
        await service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))


async def test_a_node_of_another_cluster_is_quoted_from_by_nobody(quotes: SvmQuotes) -> None:
    composer = SvmComposer((KEY,), {quotes.chain.id: replace(quotes.rpc, cluster=Cluster(MAINNET_GENESIS))}, PATIENCE_S)
    service = replace(quotes.service, composers={quotes.chain.type: composer})
    with pytest.raises(AdaptersFailed, match=r"node for .* is on an unknown cluster .*its operator must correct"):
        await service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))


@pytest.mark.parametrize("sold", ["USDC", "SOL"])
@pytest.mark.parametrize(
    ("wallet", "code"),
    [
        (None, FEE_SKIPPED),
        (NATIVE_SVM, FEE_SKIPPED),
        (POOR, NOT_ACTIVATED),
        (str(POOL_PROGRAM), NOT_ACTIVATED),
    ],
)
async def test_a_wallet_that_cannot_be_paid_skips_its_fee(
    quotes: SvmQuotes, sold: str, wallet: str | None, code: str
) -> None:
    quotes = quotes.with_fees(SERVICE, wallet)
    amount = 10_000
    asked = quotes.ask(sold, "USDT" if sold == "USDC" else "USDC", amount, integrator="acme", fee_share=SHARE)
    answer = await quotes.service.answer(asked)
    assert [warning.code for warning in answer.warnings] == [code]
    assert [charge.recipient for charge in answer.charges] == [SERVICE]
    assert answer.charges[0].amount == amount // 1000
    assert (await quotes.execute(answer)).error is None


async def test_a_new_wallet_can_be_paid_what_keeps_it(quotes: SvmQuotes) -> None:
    quotes = quotes.with_fees(None, POOR)
    asked = quotes.ask("SOL", "USDC", 10**9, integrator="acme", fee_share=SHARE)
    answer = await quotes.service.answer(asked)
    assert answer.warnings == ()
    assert (await quotes.execute(answer)).error is None
    assert await quotes.balance(POOR, "SOL") == 5 * 10**6


@pytest.mark.parametrize("end", ["sender", "receiver"])
@pytest.mark.parametrize("nobody", [NATIVE_SVM, SVM_INCINERATOR])
async def test_the_placeholder_is_shown_and_never_executed(quotes: SvmQuotes, end: str, nobody: str) -> None:
    answer = await quotes.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC, **{end: nobody}))
    assert [warning.code for warning in answer.warnings] == [SYSTEM_ACCOUNT_SKIPPED]
    assert answer.simulation is not None
    result = answer.simulation.result
    assert (result.source, result.status, result.validation) == (
        SimulationSource.NONE, ExecutionStatus.SKIPPED, OutputValidation.NOT_SIMULATED,
    )  # fmt: skip
    assert isinstance(answer.transaction, SvmTransaction)
    assert decompile(answer.transaction.data).payer == SVM_STAND_IN


async def test_a_route_that_needs_too_many_bytes_makes_room(quotes: SvmQuotes) -> None:
    padding = tuple(SvmInstruction(str(POOL_PROGRAM), (AccountRole(str(Pubkey([n] * 32))),), b"") for n in range(1, 25))
    large = AddingVenue(quotes.running.server.chain, key="LARGE", boast=10, added=padding)
    both = quotes.with_(large, *quotes.service.adapters)
    answer = await both.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert answer.adapter == "POOL"
    (refusal,) = answer.refusals
    assert "does not fit" in refusal.reason
    assert "1232" in refusal.reason


async def test_a_listed_token_that_the_node_does_not_know_is_the_nodes_fault(quotes: SvmQuotes) -> None:
    """It is far behind, on another cluster, or answers half; one that is on no list may be the caller's mistake."""
    mint = Pubkey.from_string(quotes.token("USDT"))
    quotes.running.server.chain.set_account(mint, Account(10**9, b"", Pubkey.from_string(SYSTEM)))
    with pytest.raises(AdaptersFailed, match="node does not answer, so accounts cannot be read"):
        await quotes.service.answer(quotes.ask("USDC", "USDT", 100 * USDC))
    tokens = [replace(each, listed=False) for each in quotes.service.tokens.listed(quotes.chain.id)]
    read_before = replace(quotes.service, tokens=TokenCatalog([quotes.chain], tokens, {}))
    with pytest.raises(InvalidRequest) as caught:
        await read_before.answer(quotes.ask("USDC", "USDT", 100 * USDC))
    assert caught.value.faults == ("destinationCurrency: there is no token at this address on Sandbox Solana",)
