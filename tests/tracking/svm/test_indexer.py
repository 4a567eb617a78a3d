"""Following the reference key: floods, nodes that forget, reorganisations, restarts, two workers."""

from dataclasses import replace
from datetime import timedelta

import pytest
from solders.instruction import AccountMeta, Instruction
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.svm.transactions import InnerInstruction
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.messages import compile_v0
from rhumbline.gateways.svm.tracking_instruction import reference_key
from rhumbline.tracking.svm.finality import PATIENCE
from rhumbline.tracking.svm.history import PIECE
from rhumbline.tracking.svm.positions import Cursor, read_cursor
from rhumbline.tracking.svm.records import read_claim
from rhumbline.tracking.svm.unread import AWAITED_FOR
from tests.tracking.conftest import KEY, kept
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep, through
from tests.tracking.svm.solana_orders import SOLANA, STRANGER, USER, SolanaOrders, dust, signed

REFERENCE = reference_key(KEY)
FINAL = 32


def spam(solana: SolanaOrders, count: int) -> None:
    """Strangers' transactions, as quickly as the chain takes them."""
    name, key = AccountMeta(Pubkey.from_string(REFERENCE), False, False), STRANGER.pubkey()
    program = Pubkey.from_string(dust(1).program)
    for number in range(count):
        if number % 100 == 0:
            solana.chain.advance()
        roles = [AccountMeta(key, True, True), AccountMeta(key, False, True), name]
        call = Instruction(program, dust(number + 1).data, roles)
        message = MessageV0.try_compile(key, [call], [], solana.chain.blockhash())
        assert solana.chain.send(VersionedTransaction(message, [STRANGER])).error is None
    solana.chain.advance()


async def cursor(engine: AsyncEngine) -> Cursor | None:
    async with engine.connect() as connection:
        return await read_cursor(connection, SOLANA.id, REFERENCE)


async def test_at_rest_it_costs_one_request(solana: SolanaOrders, store_engine: AsyncEngine, between: Node) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    following = chain_indexer(solana, store_engine, through(between, solana))
    await solana.send(*order.calls)
    solana.chain.advance(FINAL)
    await catch_up(following)
    before = len(between.calls)
    for _ in range(3):
        assert not await following.step()
    assert [method for method, _ in between.calls[before:]] == ["getSignaturesForAddress"] * 3


async def test_what_is_confirmed_is_read_once_and_the_cursor_waits(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    following = chain_indexer(solana, store_engine, through(between, solana))
    signature = await solana.send(*order.calls)
    for _ in range(3):
        await catch_up(following)
    assert len(await kept(store_engine)) == 1
    assert await cursor(store_engine) is None
    assert [method for method, _ in between.calls].count("getTransaction") == 1
    solana.chain.advance(FINAL)
    await catch_up(following)
    found = await cursor(store_engine)
    assert found is not None
    assert found.signature == signature


async def test_a_flood_is_read_in_bounded_pieces(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """The one transaction that counts lies below 5,000 others; no step asks for more than a piece."""
    order, later = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, order, later)
    first = await solana.send(*order.calls)
    spam(solana, 5000)
    last = await solana.send(*later.calls)
    solana.chain.advance(FINAL)
    following = chain_indexer(solana, store_engine, through(between, solana))
    waiting, most = True, 0
    while waiting:
        before = len(between.calls)
        waiting = await following.step()
        most = max(most, len(between.calls) - before)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [first, last]
    assert most <= PIECE + 5
    asked = [method for method, _ in between.calls]
    assert asked.count("getTransaction") == 5002
    # The list is walked twice, and nothing is read twice.
    assert asked.count("getSignaturesForAddress") <= 32
    found = await cursor(store_engine)
    assert found is not None
    assert found.signature == last


async def test_a_node_that_bears_little_is_asked_for_little(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """It answers ten transactions at most before it wants to be left alone; nothing is begun anew for ever."""
    order = solana.swap()
    await keep(store_engine, order)
    spam(solana, 60)
    signature = await solana.send(*order.calls)
    solana.chain.advance(FINAL)
    answered = 0

    def tired(method: str, params: list[object]) -> object:
        nonlocal answered
        answered += method == "getTransaction"
        refusal = {"error": {"code": 429, "message": "Too many requests"}}
        return refusal if method == "getTransaction" and answered > 10 else PASS

    between.answer = tired
    following, failures = chain_indexer(solana, store_engine, through(between, solana)), 0
    while not await kept(store_engine):
        answered = 0
        try:
            await following.step()
        except NodeUnavailable:
            failures += 1
            assert failures < 30
        # What was refused is asked for again a moment later, by the chain's clock.
        solana.chain.advance(15)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


async def test_a_flood_that_goes_on_holds_up_nothing(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    following = chain_indexer(solana, store_engine)
    spam(solana, 1500)
    for _ in range(4):
        await following.step()
    order = solana.swap()
    await keep(store_engine, order)
    spam(solana, 1200)
    signature = await solana.send(*order.calls)
    solana.chain.advance(FINAL)
    await catch_up(following)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [signature]


async def test_the_earliest_count_whatever_comes_after(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    sent = [await solana.send(*order.calls) for _ in range(3)]
    spam(solana, 1100)
    await solana.send(*order.calls)
    await catch_up(chain_indexer(solana, store_engine))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent


async def test_history_that_was_pruned_is_passed_over(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """A node tells of old transactions and has them no more: young ones are waited for, old ones are given up."""
    old, young = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, old, young)
    lost = await solana.send(*old.calls)

    def without(method: str, params: list[object]) -> object:
        return {"result": None} if method == "getTransaction" and params[0] == lost else PASS

    between.answer = without
    following = chain_indexer(solana, store_engine, through(between, solana))
    await following.step()
    solana.chain.advance(FINAL)
    await following.step()
    assert await cursor(store_engine) is None
    # A slot has 0.4 seconds.
    solana.chain.advance(int(AWAITED_FOR / timedelta(seconds=0.4)) + 10)
    sent = await solana.send(*young.calls)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [sent]


async def test_a_node_that_has_lost_the_cursor_begins_nothing_anew(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    first, second = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, first, second)
    await solana.send(*first.calls)
    solana.chain.advance(FINAL)
    await catch_up(chain_indexer(solana, store_engine))
    await solana.send(*second.calls)

    def forgetful(method: str, params: list[object]) -> object:
        if method == "getSignaturesForAddress" and isinstance(params[1], dict):
            # As nodes do with an `until` that they do not know: they tell everything.
            params[1].pop("until", None)
        return PASS

    between.answer = forgetful
    await catch_up(chain_indexer(solana, store_engine, through(between, solana)))
    assert len(await kept(store_engine)) == 2
    assert [method for method, _ in between.calls].count("getTransaction") <= 2


async def test_a_node_that_forgets_in_the_middle_of_a_flood_loses_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    settled, order = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, settled, order)
    await solana.send(*settled.calls)
    solana.chain.advance(FINAL)
    await catch_up(chain_indexer(solana, store_engine))
    await solana.send(*order.calls)
    spam(solana, 2100)
    solana.chain.advance(FINAL)
    following = chain_indexer(solana, store_engine, through(between, solana))
    assert await following.step()

    def forgetful(method: str, params: list[object]) -> object:
        asked = params[1] if len(params) > 1 else None
        return {"result": []} if isinstance(asked, dict) and "before" in asked else PASS

    between.answer = forgetful
    with pytest.raises(NodeUnavailable, match="does not know"):
        await catch_up(following)
    between.answer = lambda method, params: PASS
    await catch_up(following)
    assert len(await kept(store_engine)) == 2


async def test_what_vanishes_before_it_is_final_is_withdrawn(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order, other = solana.swap(), solana.swap(nonce=1)
    await keep(store_engine, order, other)
    stays = await solana.send(*other.calls)
    mark = solana.chain.snapshot()
    gone = await solana.send(*order.calls)
    following = chain_indexer(solana, store_engine)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [stays, gone]
    solana.chain.restore(mark)
    solana.chain.advance(FINAL + 5)
    await catch_up(following)
    # It might be executed yet.
    assert len(await kept(store_engine)) == 2
    solana.chain.advance(PATIENCE)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [stays]
    again = await solana.send(*order.calls)
    await catch_up(following)
    assert [record.origin_tx_hash for record in await kept(store_engine)] == [stays, again]


async def test_what_is_executed_in_another_slot_is_told_with_that(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    blockhash = str(solana.chain.blockhash())
    transaction = signed(compile_v0(str(USER.pubkey()), order.calls, [], blockhash), USER)
    mark = solana.chain.snapshot()
    solana.chain.advance()
    signature = await solana.rpc.send(transaction)
    solana.chain.advance()
    following = chain_indexer(solana, store_engine)
    await catch_up(following)
    [before] = await kept(store_engine)
    solana.chain.restore(mark)
    solana.chain.advance(7)
    assert await solana.rpc.send(transaction) == signature
    solana.chain.advance(FINAL + 1)
    await catch_up(following)
    [after] = await kept(store_engine)
    assert after.id == before.id
    assert after.origin_block_number == before.origin_block_number + 6
    assert after.origin_block_hash == str(after.origin_block_number)
    assert after.origin_time > before.origin_time


async def test_a_node_without_history_withdraws_nothing(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    """It was down, say, until the node had thrown away what it has to say of the record."""
    order = solana.swap()
    await keep(store_engine, order)
    await solana.send(*order.calls)
    following = chain_indexer(solana, store_engine, through(between, solana))
    await catch_up(following)
    [record] = await kept(store_engine)

    def pruned(method: str, params: list[object]) -> object:
        if method == "getSignatureStatuses":
            return {"result": {"context": {"slot": 1}, "value": [None]}}
        return {"result": record.origin_block_number + 1} if method == "getFirstAvailableBlock" else PASS

    between.answer = pruned
    solana.chain.advance(PATIENCE + FINAL)
    await catch_up(following)
    assert await kept(store_engine) == [record]
    before = len(between.calls)
    await catch_up(following)
    assert "getSignatureStatuses" not in [method for method, _ in between.calls[before:]]


async def test_a_program_that_calls_it_does_not_count(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    order = solana.swap()
    await keep(store_engine, order)
    executed = await solana.rpc.transaction(await solana.send(*order.calls))
    assert executed is not None
    claim = read_claim(executed, {REFERENCE})
    assert claim is not None
    tracking = executed.message.instructions[claim.place]
    above = tuple(each for each in executed.message.instructions if each != tracking)
    called = InnerInstruction(2, tracking.program, tracking.accounts, base58.encode(tracking.data), 2)
    inner = (*(executed.inner or ()), called)
    within = replace(executed, message=replace(executed.message, instructions=above), inner=inner)
    assert read_claim(within, {REFERENCE}) is None
