"""Deposits on Solana and fills there, with the sandbox's program at the SvmSpoke's address."""

from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import INTEGRATOR_ID, AcrossAdapter
from rhumbline.adapters.across.client import swap_query
from rhumbline.adapters.across.route import route_of
from rhumbline.adapters.across.svm.deposit import read_transaction
from rhumbline.adapters.across.svm.program import decode, delegate_of, deposit_instruction, vault_of
from rhumbline.adapters.across.svm.proof import deposits_in
from rhumbline.devnet.evm.operator import SetUpError
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.svm.plans import CHAIN_ID
from rhumbline.devnet.svm.slots import SLOT_MS
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.across.indexer import Indexer
from rhumbline.devnet.upstreams.across.relay import Relay
from rhumbline.devnet.upstreams.across.svm_pool import SvmPool
from rhumbline.devnet.upstreams.across.svm_spoke import SPOKE, STATE
from rhumbline.devnet.upstreams.across.terms import ON_SOLANA
from rhumbline.devnet.upstreams.emulator import Lie, Outcome
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.svm import AccountRole, SvmDraft, SvmInstruction
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.nodes.svm.answers import AccountsAt
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.address import associated_token_address, decode_address
from rhumbline.gateways.svm.decompiler import Decompiled, decompile, decompile_message
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenApproval, TokenTransfer
from rhumbline.gateways.svm.instructions import decode as recognised
from rhumbline.gateways.svm.messages import compile_v0, serialise
from rhumbline.gateways.svm.programs import SPL
from tests.adapters.adapter_fixture import RECEIVER, open_adapter
from tests.adapters.bridging.solana import PAID, WALLET, SolanaFixture

AMOUNT = 1_000 * 10**6
OUT: tuple[Any, ...] = (("sbxs", "USDC"), ("sbxa", "USDC"), AMOUNT)
IN: tuple[Any, ...] = (("sbxb", "USDC"), ("sbxs", "USDC"), AMOUNT)
PARTIES = pytest.mark.parametrize("keyless", [False, True], ids=["swap", "fees"])


@pytest_asyncio.fixture
async def solana(pool_on_solana: None, restored_sandbox: Sandbox) -> AsyncIterator[SolanaFixture]:
    async with open_adapter(restored_sandbox, SPEC, Across) as opened:
        yield SolanaFixture(opened)


def with_parts(solana: SolanaFixture, **changes: Any) -> AcrossAdapter:
    adapter = solana.evm.adapter
    assert isinstance(adapter, AcrossAdapter)
    return AcrossAdapter(replace(adapter.context, **changes))


def served(solana: SolanaFixture, keyless: bool) -> SolanaFixture:
    return SolanaFixture(replace(solana.evm, adapter=with_parts(solana, credentials={}))) if keyless else solana


@PARTIES
@pytest.mark.parametrize("way", [OUT, IN], ids=["out", "in"])
async def test_what_was_quoted_arrives_and_is_proven(solana: SolanaFixture, way: Any, keyless: bool) -> None:
    solana = served(solana, keyless)
    # Each has an amount of its own, as in `test_a_forged_event_is_no_deposit`.
    request = replace(solana.request(*way), amount=AMOUNT + keyless)
    token = request.destination_token
    before = await solana.balance(token, request.receiver)
    transfer = await solana.crossed(request)
    await solana.evm.followed(transfer, TransferState.SUCCESS)
    # The fill may be confirmed between the look at its chain and the bridge's word: then that word came first.
    status = await solana.evm.adapter.status(transfer)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
    assert status.output_amount == transfer.min_output
    assert await solana.balance(token, request.receiver) - before == status.output_amount
    assert status.destination_tx_hash is not None
    assert status.receiver is None
    assert len(status.names) == 1


class EarlierAccounts(SvmRpc):
    """Tells accounts as of an earlier slot than transactions, as if slots were confirmed between the two answers."""

    async def accounts(self, addresses: Sequence[str], *, most_bytes: int | None = None) -> AccountsAt:
        found = await SvmRpc.accounts(self, addresses, most_bytes=most_bytes)
        return replace(found, slot=found.slot - 1_000)


async def test_a_fill_that_is_confirmed_while_it_is_searched_is_proven(solana: SolanaFixture) -> None:
    transfer = await solana.crossed(replace(solana.request(*IN), amount=AMOUNT + 2))
    await solana.evm.followed(transfer, TransferState.SUCCESS)
    node = solana.node.rpc
    adapter = with_parts(solana, svm_rpcs={CHAIN_ID: EarlierAccounts(node.url, node.http, node.name)})
    status = await adapter.status(transfer)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)


async def test_the_draft(solana: SolanaFixture) -> None:
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    usdc = solana.token(("sbxs", "USDC")).address
    approval, deposit = draft.instructions
    call = decode(deposit.data)
    delegate, vault = delegate_of(SPOKE, call), vault_of(SPOKE, usdc, SPL)
    source = associated_token_address(WALLET, usdc, SPL)
    assert recognised(approval) == TokenApproval(SPL, source, delegate, WALLET, AMOUNT, usdc, 6)
    assert (call.depositor, call.recipient) == (decode_address(WALLET), bytes.fromhex(RECEIVER[2:]).rjust(32, b"\0"))
    assert (call.input_amount, call.output_amount, call.message) == (AMOUNT, quote.min_output_amount, b"")
    assert call.destination == 900_001
    assert [role.address for role in deposit.accounts if role.signer] == [WALLET]
    assert (draft.program, draft.programs, draft.delegate, draft.reference) == (
        SPOKE,
        frozenset({SPOKE}),
        delegate,
        None,
    )
    assert draft.deposit is not None
    assert (draft.deposit.token, draft.deposit.least, draft.deposit.holders) == (usdc, AMOUNT, (vault,))
    assert draft.expires_at is not None
    assert call.quote_timestamp < draft.expires_at < call.quote_timestamp + 3600
    executed = await solana.run(draft)
    (told,) = deposits_in(executed, SPOKE, CHAIN_ID)
    assert (told.relay.input_amount, told.relay.output_amount) == (AMOUNT, quote.min_output_amount)
    account = await solana.node.rpc.account(source)
    assert account is not None
    assert not int.from_bytes(account.data[72:76]), "nothing is left to the delegate"


async def test_a_deposit_that_differs_in_anything_from_its_approval_fails(solana: SolanaFixture) -> None:
    _, draft = await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    approval, deposit = draft.instructions
    for place in (8 + 63, 8 + 128, 8 + 199, 8 + 168, 8 + 212):
        spoilt = bytearray(deposit.data)
        spoilt[place] ^= 1
        with pytest.raises(SvmRpcError):
            await solana.run(replace(draft, instructions=(approval, replace(deposit, data=bytes(spoilt)))))
    await solana.run(draft)


async def test_a_forged_event_is_no_deposit(solana: SolanaFixture) -> None:
    """Anybody can call the pool with what looks like its event; its authority does not sign that."""
    solana.evm.emulator.behaviour.outcome = Outcome.NEVER
    # Of an amount of its own: what fills the same deposit of a test before, late, would fill this one too.
    request = solana.request(OUT[0], OUT[1], AMOUNT + 7)
    quote, draft = await solana.drafted(await solana.evm.adapter.quote(request))
    executed = await solana.run(draft)
    assert executed.inner is not None
    told = next(each for each in executed.inner if each.program == SPOKE)
    forged = SvmInstruction(SPOKE, (AccountRole(WALLET, signer=True),), told.instruction.data)
    with pytest.raises(SvmRpcError):
        await solana.run(SvmDraft(CHAIN_ID, SPOKE, (forged,), frozenset()))
    # Nor is a top instruction an event, nor one of another program.
    for other in (
        replace(executed, inner=()),
        replace(executed, inner=None),
        replace(executed, inner=(replace(told, program=SPL),)),
        replace(executed, inner=(replace(told, accounts=()),)),
        replace(executed, inner=(replace(told, text=base58.encode(told.instruction.data[8:])),)),
        replace(executed, error="an error"),  # type: ignore[arg-type]
    ):
        assert deposits_in(other, SPOKE, CHAIN_ID) == []
    assert len(deposits_in(executed, SPOKE, CHAIN_ID)) == 1
    transfer = solana.evm.begun(quote, draft, executed.signature)
    assert (await solana.evm.adapter.status(transfer)).state is TransferState.BRIDGE_PENDING


@pytest.mark.parametrize(
    "changes",
    [
        {"receiver": "0x000000000000000000000000000000000000dEaD"},
        {"refund_to": PAID},
        {"sent_amount": AMOUNT - 1},
        {"min_output": AMOUNT},
        {"destination_chain_id": 900_002},
        {"tx_hash": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"},
    ],
    ids=lambda value: next(iter(value)),
)
async def test_a_deposit_that_is_not_the_transfers_proves_nothing(solana: SolanaFixture, changes: Any) -> None:
    transfer = await solana.crossed(solana.request(*OUT))
    await solana.evm.followed(transfer, TransferState.SUCCESS)
    assert (await solana.evm.adapter.status(replace(transfer, **changes))).state is TransferState.UNKNOWN


@pytest.mark.parametrize("way", [OUT, IN], ids=["out", "in"])
async def test_a_refund_is_proven_on_the_origin(solana: SolanaFixture, way: Any) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.REFUND
    request = solana.request(*way)
    before = await solana.balance(request.origin_token, request.sender)
    transfer = await solana.crossed(request)
    await solana.until_balance(request.origin_token, request.sender, before)
    assert (await solana.evm.adapter.status(transfer)).state is TransferState.BRIDGE_PENDING
    on_solana = request.destination.id == CHAIN_ID
    await pass_time(solana, request.destination.key, 4 * 3600)
    status = await solana.evm.followed(transfer, TransferState.REFUNDED)
    # That nobody filled cannot be told on Solana once the account of a fill may be closed.
    assert status.source is (StatusSource.BRIDGE_API if on_solana else StatusSource.ANALYTICS)
    assert status.refund_tx_hash is not None


async def test_a_refund_that_the_origin_does_not_show_is_the_apis_word(solana: SolanaFixture) -> None:
    solana.evm.emulator.behaviour.outcome = Outcome.FAIL
    transfer = await solana.crossed(solana.request(*OUT))
    await pass_time(solana, "sbxa", 4 * 3600)
    waiting = await solana.evm.followed(transfer, TransferState.REFUND_PENDING)
    assert waiting.source is StatusSource.ANALYTICS
    solana.evm.emulator.behaviour.status = "refunded"
    # No transaction is named, so nothing is proven.
    assert (await solana.evm.adapter.status(transfer)).source is StatusSource.BRIDGE_API


@pytest.mark.parametrize("way", [OUT, IN], ids=["out", "in"])
async def test_without_nodes_it_is_the_apis_word(solana: SolanaFixture, way: Any) -> None:
    transfer = await solana.crossed(solana.request(*way))
    await solana.evm.followed(transfer, TransferState.SUCCESS)
    alone = with_parts(solana, rpcs={}, svm_rpcs={})
    status = await alone.status(transfer)
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.BRIDGE_API)
    assert status.destination_tx_hash is not None


async def test_a_fill_of_another_relay_is_not_this_ones(solana: SolanaFixture) -> None:
    """A pool takes a fill of a deposit that never was: whoever pays, pays for nobody's deposit."""
    solana.evm.emulator.behaviour.outcome = Outcome.FAIL
    transfer = await solana.crossed(solana.request(*IN))
    adapter = solana.evm.adapter
    pending = await adapter.status(transfer)
    assert (pending.state, pending.source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)
    (deposit,) = await Indexer.of(solana.evm.world).by_transaction(transfer.tx_hash)
    relay: Any = deposit.relay
    depositor, recipient, relayer, given, wanted, paid, output, fill, exclusivity = relay
    told = Relay(
        *(depositor, recipient, relayer, given, wanted, paid, output),
        *(900_002, deposit.number, fill, exclusivity, b""),
    )
    pool = SvmPool(solana.node, CHAIN_ID)
    await pool.fill(replace(told, output_amount=1))
    assert (await adapter.status(transfer)).state is TransferState.BRIDGE_PENDING
    signature = await pool.fill(told)
    status = await adapter.status(transfer)
    assert (status.state, status.destination_tx_hash) == (TransferState.SUCCESS, signature)
    with pytest.raises(SetUpError):
        await pool.fill(told)


async def test_a_pool_that_is_there_is_left_alone(solana: SolanaFixture) -> None:
    before = await solana.node.rpc.signatures(solana.node.solver)
    await SvmPool(solana.node, CHAIN_ID).install(ON_SOLANA)
    assert await solana.node.rpc.signatures(solana.node.solver) == before


@pytest.mark.parametrize("lie", sorted(Lie))
async def test_lies_are_refused_or_never_reach_the_wallet(solana: SolanaFixture, lie: Lie) -> None:
    honest = await solana.evm.adapter.quote(solana.request(*OUT))
    solana.evm.emulator.behaviour.lie = lie
    with pytest.raises((UpstreamFailed, BelowMinimum)):
        await solana.drafted(await solana.evm.adapter.quote(solana.request(*OUT)))
    solana.evm.emulator.behaviour.lie = None
    await solana.drafted(honest)


def _approve(amount: int, delegate: str, source: str, mint: str) -> SvmInstruction:
    return TokenApproval(SPL, source, delegate, WALLET, amount, mint, 6).encode()


async def test_a_transaction_of_the_apis_that_does_anything_else_is_none(solana: SolanaFixture) -> None:
    adapter, request = with_parts(solana), solana.request(*OUT)
    route = route_of(request, adapter.known_deployments(request))
    assert route is not None
    query = swap_query(request, route, adapter.context.credentials.get(INTEGRATOR_ID))
    answer: Any = await adapter.context.http.get("/swap/approval", query)
    text = answer["swapTx"]["data"]
    honest = decompile(b64decode(text))
    call = read_transaction(text, SPOKE, WALLET, 6)
    made, approval, deposit, memo = honest.instructions
    usdc = request.origin_token.address
    source, theirs = (associated_token_address(who, usdc, SPL) for who in (WALLET, PAID))
    stranger = AccountRole(PAID, signer=True)
    message = replace(call, message=b"\1")
    wrong: list[list[SvmInstruction]] = [
        [made, approval, memo],
        [made, approval, deposit, deposit],
        [made, deposit],
        [made, approval, approval, deposit],
        [made, _approve(AMOUNT + 1, delegate_of(SPOKE, call), source, usdc), deposit],
        [made, _approve(2**64 - 1, delegate_of(SPOKE, call), source, usdc), deposit],
        [made, _approve(AMOUNT, PAID, source, usdc), deposit],
        [approval, deposit, _approve(AMOUNT, PAID, source, usdc)],
        [approval, deposit, TokenTransfer(SPL, source, theirs, WALLET, 1, usdc, 6).encode()],
        [approval, deposit, SystemTransfer(WALLET, PAID, 1).encode()],
        [approval, deposit, SvmInstruction(PAID, (), b"")],
        [approval, replace(deposit, accounts=(*deposit.accounts, stranger))],
        [approval, replace(deposit, accounts=(*deposit.accounts[:4], AccountRole(theirs), *deposit.accounts[5:]))],
        [approval, replace(deposit, accounts=deposit.accounts[:10])],
        [approval, replace(deposit, data=deposit.data + b"\0")],
        [approval, deposit, replace(memo, accounts=(stranger,))],
    ]
    assert read_transaction(_written(honest, [approval, deposit]), SPOKE, WALLET, 6) == call
    for instructions in wrong:
        with pytest.raises(MalformedAnswer):
            read_transaction(_written(honest, instructions), SPOKE, WALLET, 6)
    with pytest.raises(MalformedAnswer):
        read_transaction(text, SPOKE, PAID, 6)
    with pytest.raises(MalformedAnswer):
        read_transaction(text, SPOKE, WALLET, 9)
    for nothing in ("", "?", "AAAA", text[:-8], "0x" + b64decode(text).hex()):
        with pytest.raises(MalformedAnswer):
            read_transaction(nothing, SPOKE, WALLET, 6)
    told = deposit_instruction(SPOKE, message, SPL)
    leave = _approve(AMOUNT, delegate_of(SPOKE, message), source, usdc)
    assert read_transaction(_written(honest, [leave, told]), SPOKE, WALLET, 6) == message, "refused by its message"


def _written(honest: Decompiled, instructions: list[SvmInstruction]) -> str:
    written = compile_v0(WALLET, instructions, (), honest.blockhash)
    signers = decompile_message(written).signers
    return b64encode(serialise(written, list(signers), {})).decode()


async def test_what_is_not_supported(solana: SolanaFixture) -> None:
    adapter = with_parts(solana)
    plain = solana.request(*OUT)
    assert adapter.supports(plain)
    assert not adapter.supports(replace(plain, taker=PAID))
    assert not adapter.supports(solana.request(("sbxs", "SOL"), ("sbxa", "ETH"), 10**9))
    assert not adapter.supports(solana.request(("sbxa", "ETH"), ("sbxs", "SOL"), 10**18))
    assert not with_parts(solana, svm_rpcs={}).supports(plain)
    with pytest.raises(RequestRejected):
        await adapter.quote(replace(plain, amount=2**64))
    with pytest.raises(NoRoute):
        await adapter.quote(solana.request(("sbxs", "USDC"), ("sbxa", "USDT"), AMOUNT))
    quote = await adapter.quote(plain)
    with pytest.raises(SlippageTooTight):
        await adapter.build(replace(quote, min_output_amount=quote.output_amount + 1))


async def test_a_pool_that_is_not_there_or_takes_nothing_is_said_so(solana: SolanaFixture) -> None:
    quote = await solana.evm.adapter.quote(solana.request(*OUT))
    state = await solana.node.rpc.account(STATE)
    assert state is not None
    paused = state.data[:8] + b"\1" + state.data[9:]
    await solana.node.store(STATE, SPOKE, paused)
    with pytest.raises(NoRoute, match="paused"):
        await solana.drafted(quote)
    for data, owner in ((state.data, PAID), (bytes(len(state.data)), SPOKE), (state.data[:-1], SPOKE)):
        await solana.node.store(STATE, owner, data)
        with pytest.raises(UpstreamFailed, match="no SpokePool"):
            await solana.drafted(quote)


async def pass_time(solana: SolanaFixture, chain: str, seconds: int) -> None:
    if chain == "sbxs":
        await solana.node.rpc.call("sandbox_advanceSlots", [seconds * 1000 // SLOT_MS])
        return
    await solana.evm.rpcs[chain].call("evm_increaseTime", [hex(seconds)])
    await solana.evm.rpcs[chain].call("evm_mine", [])
