"""A fill on Solana is found behind whatever strangers put before and after it, and no ask costs much."""

from collections.abc import AsyncIterator

import pytest
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import MessageV0
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from rhumbline.adapters.across.logs import Filled, Relay
from rhumbline.adapters.across.svm.fill_search import PAGES_AT_AN_ASK, READ_AT_AN_ASK, FillSearches
from rhumbline.devnet.svm.accounts import keypair
from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.instructions import SystemTransfer
from tests.tracking.node import PASS, Node, running_node

ACCOUNT = str(Keypair.from_seed(b"the account of a fill           ").pubkey())
RELAY = Relay(bytes(32), bytes(32), bytes(32), bytes(32), bytes(32), 1, 1, 1, 1, 1, 1, bytes(32))


@pytest.fixture
async def running() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None, started=1_800_000_000) as started:
        yield started


@pytest.fixture
async def between(running: RunningSolana, http: HttpClient) -> AsyncIterator[Node]:
    async with running_node(running.server.rpc_url, http) as node:
        yield node


def named(running: RunningSolana, first: int, count: int) -> list[str]:
    """Transactions that name the account, some in a slot."""
    chain, payer = running.server.chain, keypair(1)
    role, own = AccountMeta(Pubkey.from_string(ACCOUNT), False, False), AccountMeta(payer.pubkey(), True, True)
    signatures = []
    for number in range(first, first + count):
        if number % 50 == 0:
            chain.advance()
        plain = SystemTransfer(str(payer.pubkey()), str(payer.pubkey()), number + 1).encode()
        call = Instruction(Pubkey.from_string(plain.program), plain.data, [own, own, role])
        message = MessageV0.try_compile(payer.pubkey(), [call], [], chain.blockhash())
        signatures.append(chain.send(VersionedTransaction(message, [payer])).signature)
    chain.advance()
    return signatures


@pytest.mark.parametrize("page", [1000, 7])
async def test_a_fill_behind_three_hundred_earlier_ones_is_found(
    running: RunningSolana, between: Node, http: HttpClient, page: int
) -> None:
    named(running, 0, 300)
    [fill] = named(running, 300, 1)
    named(running, 301, 60)

    def short(method: str, params: list[object]) -> object:
        if method == "getSignaturesForAddress" and isinstance(params[1], dict):
            params[1]["limit"] = min(params[1]["limit"], page)
        # Nodes do not show everything at once.
        lame = method == "getTransaction" and params[0] == fill and asks < 6
        return {"result": None} if lame else PASS

    def read(executed: ExecutedTransaction) -> Filled | None:
        told = Filled(RELAY, bytes(32), bytes(32), 1, bytes(32), executed.signature)
        return told if executed.signature == fill else None

    between.answer = short
    rpc, searches, asks, found = through(between, http), FillSearches(), 0, None
    while found is None:
        asks += 1
        assert asks < 30
        before = len(between.calls)
        found = await searches.find(rpc, ACCOUNT, read)
        made = [method for method, _ in between.calls[before:]]
        assert made.count("getTransaction") <= READ_AT_AN_ASK + 8
        assert made.count("getSignaturesForAddress") <= PAGES_AT_AN_ASK
    assert found.tx_hash == fill
    before = len(between.calls)
    # It is remembered.
    assert await searches.find(rpc, ACCOUNT, read) == found
    assert len(between.calls) == before


async def test_what_comes_later_is_read_too_and_nothing_twice(
    running: RunningSolana, between: Node, http: HttpClient
) -> None:
    rpc, searches = through(between, http), FillSearches()
    seen: list[str] = []

    def note(executed: ExecutedTransaction) -> None:
        seen.append(executed.signature)

    told = named(running, 0, 5)
    assert await searches.find(rpc, ACCOUNT, note) is None
    told += named(running, 5, 5)
    assert await searches.find(rpc, ACCOUNT, note) is None
    assert await searches.find(rpc, ACCOUNT, note) is None
    assert seen == told


def through(node: Node, http: HttpClient) -> SvmRpc:
    return SvmRpc(node.rpc.url, http, "sbxs")
