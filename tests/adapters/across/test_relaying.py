"""With the sandbox's own relayer: delivered, left alone, expired and refunded; and deposits for Solana."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.adapters.across.calldata import decode
from rhumbline.adapters.across.deployments import DEPLOYMENTS, Deployment
from rhumbline.adapters.across.transfer_status import REFUND_SEARCH_S, SEARCH_S, StatusLookup
from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.gateways.upstreams.spec import AdapterContext
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.tracking.status_call import CALL_TIMEOUT_S
from tests.adapters.across.bridge_fixture import BridgeFixture, RelayData, word
from tests.adapters.across.stub_upstream import SOLANA, USDC_SVM, WALLET_SVM
from tests.adapters.adapter_fixture import RECEIVER
from tests.adapters.exchanges.recorded import recorded_upstream

AFTER_DEADLINE = 24_000


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_the_relayer_delivers(bridge_fixture: BridgeFixture, symbol: str, amount: int) -> None:
    bridge_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    before = await bridge_fixture.gained(symbol, RECEIVER)
    transfer, relay = await bridge_fixture.deposited(symbol, amount)
    arrived = await bridge_fixture.followed(transfer, TransferState.SUCCESS)
    assert (arrived.source, arrived.output_amount) == (StatusSource.ANALYTICS, relay.output_amount)
    assert await bridge_fixture.gained(symbol, RECEIVER, before) == relay.output_amount


async def test_what_the_relayer_leaves_alone_expires_and_is_refunded(bridge_fixture: BridgeFixture) -> None:
    bridge_fixture.emulator.behaviour.outcome = Outcome.NEVER
    transfer, relay = await bridge_fixture.deposited()
    usdc = bridge_fixture.tokens[("sbxa", "USDC")]
    before = await bridge_fixture.balance(usdc, bridge_fixture.account)
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, AFTER_DEADLINE)
    refunded = await bridge_fixture.followed(transfer, TransferState.REFUNDED)
    assert refunded.source is StatusSource.ANALYTICS
    assert refunded.refund_tx_hash is not None
    assert await bridge_fixture.balance(usdc, bridge_fixture.account) == before + relay.input_amount


async def test_an_exclusive_relayer_is_first(bridge_fixture: BridgeFixture) -> None:
    """Exclusivity is passed on as quoted: a stranger with the right relay comes too early,
    and after it has to pay as anybody."""
    _, relay = await bridge_fixture.deposited()
    thief = await bridge_fixture.stranger()
    too_early = selector("NotExclusiveRelayer()")
    for late, first in ((0, True), (1, False)):
        with pytest.raises(RpcError) as caught:
            await bridge_fixture.try_fill(relay, thief, relay.exclusivity + late)
        assert (caught.value.data == too_early) is first


@pytest.mark.parametrize(("symbol", "amount"), [("USDC", 10**9), ("ETH", 10**18)])
async def test_through_the_service_s_contracts(bridge_fixture: BridgeFixture, symbol: str, amount: int) -> None:
    """The Executor deposits for the wallet, to whom a refund would go; our event comes after the pool's."""
    bridge_fixture.emulator.behaviour.outcome = Outcome.DELIVER
    request = bridge_fixture.request(("sbxa", symbol), ("sbxb", symbol), amount, direct=False)
    assert bridge_fixture.adapter.supports(request)
    quote, upstream = await bridge_fixture.quoted(request)
    order = BridgeOrder(
        id=bytes(31) + b"\x01", chain=request.origin, destination=request.destination, integrator=None,
        adapter=quote.adapter, receiver=RECEIVER, input_token=request.origin_token.address, amount=amount, net=amount,
        sent=amount, output_token=request.destination_token.address, expected_output=quote.output_amount,
        min_output=quote.output_amount, refund_to=request.sender, reference=upstream.reference,
        deadline=request.deadline, native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    call = bridge_call(order, upstream)
    if call.spender is not None:
        approve = encoded("approve(address,uint256)", call.spender, amount)
        await bridge_fixture.send("sbxa", request.origin_token.address, approve)
    before = await bridge_fixture.gained(symbol, RECEIVER)
    tx_hash = await bridge_fixture.send("sbxa", call.to, call.data, call.value)
    (relay,) = await bridge_fixture.relays(tx_hash)
    assert relay.depositor == word(bridge_fixture.account)
    receipt: Any = await bridge_fixture.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    ours = [log for log in receipt["logs"] if log["address"].lower() == call.to.lower()]
    transfer = replace(bridge_fixture.begun(quote, upstream, tx_hash), log_index=int(ours[-1]["logIndex"], 16))
    arrived = await bridge_fixture.followed(transfer, TransferState.SUCCESS)
    assert arrived.output_amount == quote.output_amount == await bridge_fixture.gained(symbol, RECEIVER, before)


def to_solana(bridge_fixture: BridgeFixture) -> tuple[AcrossAdapter, QuoteRequest]:
    """The sandbox's first chain and Solana, of which there is no node."""
    context = bridge_fixture.adapter.context
    adapter = bridge_fixture.with_parts(
        chains={**context.chains, SOLANA.id: SOLANA},
        deployments={**context.deployments, SOLANA.id: DEPLOYMENTS[SOLANA.id]},
    )
    request = bridge_fixture.asked()
    return adapter, replace(
        request, destination=SOLANA, destination_token=USDC_SVM, receiver=WALLET_SVM, payout_address=WALLET_SVM
    )


async def test_a_deposit_for_solana(bridge_fixture: BridgeFixture) -> None:
    adapter, request = to_solana(bridge_fixture)
    assert adapter.supports(request)
    terms = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    quote = replace(terms, request=request)
    built = await adapter.build(quote)
    assert isinstance(built, EvmTransaction)
    assert built.data[:4].hex() == "ad5425c6"
    call = decode(built.data)
    assert (call.depositor, call.destination) == (word(bridge_fixture.account), 34_268_394_551_451)
    assert len(call.recipient) == 32
    transfer = await bridge_fixture.execute(quote, built)
    (relay,) = await bridge_fixture.relays(transfer.tx_hash)
    assert (relay.recipient, relay.output_token) == (call.recipient, call.output_token)
    waiting = await adapter.status(transfer)
    assert (waiting.state, waiting.source) == (TransferState.BRIDGE_PENDING, StatusSource.BRIDGE_API)
    other = await adapter.status(replace(transfer, receiver=USDC_SVM.address))
    assert other.state is TransferState.UNKNOWN
    bridge_fixture.emulator.behaviour.status = "filled"
    assert (await adapter.status(transfer)).state is TransferState.SUCCESS


FILL_TX, REFUND_TX = "0x" + "b2" * 32, "0x" + "c3" * 32


def row_of(relay: RelayData, word: str, deposit_tx: str | None, **more: Any) -> dict[str, Any]:
    return {
        "status": word, "originChainId": relay.origin, "depositId": str(relay.number), "depositTxHash": deposit_tx,
        "depositTxnRef": deposit_tx, "fillTx": FILL_TX, "fillTxnRef": FILL_TX, "depositRefundTxnRef": None, **more,
    }  # fmt: skip


@asynccontextmanager
async def told(adapter: AcrossAdapter, row: dict[str, Any] | None) -> AsyncIterator[AcrossAdapter]:
    """The adapter, with an API that says this of whatever it is asked, or knows nothing."""
    async with recorded_upstream() as api:
        api.says("/deposit/status", row or {"error": "DepositNotFoundException"}, 200 if row else 404)
        async with open_upstream("ACROSS", api.url) as upstream:
            yield AcrossAdapter(replace(adapter.context, http=upstream))


@dataclass(frozen=True)
class Failing(EvmRpc):
    """A node that gives no logs, and of receipts only that of the deposit."""

    deposit: str = ""

    async def call(self, method: str, params: Sequence[object] = (), timeout_s: float | None = None) -> object:
        if method == "eth_getLogs" or (method == "eth_getTransactionReceipt" and params[0] != self.deposit):
            await self.fail()
        return await super().call(method, params, timeout_s)

    async def fail(self) -> None:
        raise NodeUnavailable(f"{self.name}: the node does not answer")


class Hanging(Failing):
    """The same, but it never says so."""

    async def fail(self) -> None:
        await asyncio.Event().wait()


ASKING_S = 5.0
NODES = pytest.mark.parametrize("node", [Failing, Hanging])


def failing(
    adapter: AcrossAdapter, transfer: Transfer, node: type[Failing], chain_id: int
) -> AdapterContext[Deployment]:
    """The adapter's parts with a node of one chain that shows little but the deposit."""
    behind = adapter.context.rpcs[chain_id]
    bad = node(behind.url, behind.http, behind.name, deposit=transfer.tx_hash)
    return replace(adapter.context, rpcs={**adapter.context.rpcs, chain_id: bad})


@pytest.mark.parametrize("word", ["filled", "slowFilled", "refunded", "expired", "deposit-failed"])
@pytest.mark.parametrize("deposit_tx", [None, "0x" + "77" * 32])
async def test_a_row_that_a_stranger_s_fill_made_is_not_believed(
    bridge_fixture: BridgeFixture, word: str, deposit_tx: str | None
) -> None:
    """Deposits have predictable numbers: anybody can fill the next one with a worthless token, before it is there."""
    transfer, relay = await bridge_fixture.deposited()
    row = row_of(relay, word, deposit_tx, destinationChainId=bridge_fixture.chains["sbxb"].id)
    async with told(bridge_fixture.without_node("sbxb"), row) as adapter:
        status = await adapter.status(transfer)
    assert (status.state, status.source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)
    assert (status.substatus, status.destination_tx_hash, status.refund_tx_hash) == ("deposited", None, None)


async def test_such_a_row_of_a_chain_without_nodes_neither(bridge_fixture: BridgeFixture) -> None:
    """Where it matters most: there nothing but the API tells of fills."""
    adapter, request = to_solana(bridge_fixture)
    terms = await bridge_fixture.adapter.quote(bridge_fixture.asked())
    quote = replace(terms, request=request)
    built = await adapter.build(quote)
    assert isinstance(built, EvmTransaction)
    transfer = await bridge_fixture.execute(quote, built)
    (relay,) = await bridge_fixture.relays(transfer.tx_hash)
    for deposit_tx, meant in (
        (None, TransferState.BRIDGE_PENDING),
        (transfer.tx_hash, TransferState.SUCCESS),
        (transfer.tx_hash.upper().replace("0X", "0x"), TransferState.SUCCESS),
    ):
        async with told(adapter, row_of(relay, "filled", deposit_tx)) as listening:
            assert (await listening.status(transfer)).state is meant


@NODES
async def test_a_proved_fill_stands_without_its_event(bridge_fixture: BridgeFixture, node: type[Failing]) -> None:
    """The pool says "filled"; the node gives no logs, and the API says otherwise."""
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.fill(relay)
    row = row_of(relay, "refunded", transfer.tx_hash, depositRefundTxnRef=REFUND_TX)
    async with told(bridge_fixture.adapter, row) as adapter:
        parts = failing(adapter, transfer, node, bridge_fixture.chains["sbxb"].id)
        status = await StatusLookup(parts, transfer, search_s=0.2).status()
    assert (status.state, status.source) == (TransferState.SUCCESS, StatusSource.ANALYTICS)
    assert (status.destination_tx_hash, status.output_amount, status.receiver) == (None, None, None)


@NODES
@pytest.mark.parametrize("is_known", [True, False])
async def test_a_proved_expiry_stands_without_its_refund(
    bridge_fixture: BridgeFixture, node: type[Failing], is_known: bool
) -> None:
    """The deposit expired, as its destination shows; the origin's node fails while the refund is looked for."""
    transfer, relay = await bridge_fixture.deposited()
    for chain in ("sbxa", "sbxb"):
        await bridge_fixture.pass_time(chain, AFTER_DEADLINE)
    await bridge_fixture.refund(bridge_fixture.account, bridge_fixture.token("sbxa", "USDC"), relay.input_amount)
    row = row_of(relay, "refunded", transfer.tx_hash, depositRefundTxnRef=REFUND_TX)
    async with told(bridge_fixture.adapter, row if is_known else None) as adapter:
        parts = failing(adapter, transfer, node, bridge_fixture.chains["sbxa"].id)
        status = await StatusLookup(parts, transfer, refund_search_s=0.2).status()
    assert (status.state, status.source) == (TransferState.REFUND_PENDING, StatusSource.ANALYTICS)
    assert status.substatus == "expired"


def test_searches_end_before_whoever_asks_gives_up() -> None:
    """A fill's with the API's hint, or a refund's with the API's answer: each leaves time for the rest."""
    assert 2 * SEARCH_S + ASKING_S < CALL_TIMEOUT_S
    assert REFUND_SEARCH_S + ASKING_S < CALL_TIMEOUT_S
