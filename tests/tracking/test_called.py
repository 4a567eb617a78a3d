"""The record of a transfer with a destination call: from the order that a wallet sent to what its receiver has."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.adapters.across import SPEC
from rhumbline.api.wire.transaction import to_transaction, transaction_model
from rhumbline.catalog.chains import ChainCatalog
from rhumbline.catalog.evm.token_reader import token_readers
from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.clock import system_clock
from rhumbline.domain.tracking import StatusSource, TrackedTransaction, TransactionRecord, TransferState
from rhumbline.domain.transaction import OrderTerms, make_transaction_id
from rhumbline.domain.transfer import IssuedTransaction, Transfer
from rhumbline.tracking.deliveries import Deliveries
from rhumbline.tracking.evm.destinations import EvmDestinations
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.status_worker import StatusWorker
from rhumbline.tracking.transfers import Known
from tests.adapters.across.bridge_fixture import BridgeFixture, RelayData, open_bridge
from tests.adapters.across.calling import AMOUNT, IN_VAIN, PAID_OUT, Wanted, started
from tests.adapters.adapter_fixture import RECEIVER
from tests.tracking.conftest import KEY, catch_up, kept, service_keys


@pytest.fixture
async def bridge_fixture(restored_sandbox: Sandbox) -> AsyncIterator[BridgeFixture]:
    async with open_bridge(restored_sandbox) as opened:
        yield opened


def issued(transfer: Transfer, identifier: bytes, to: str) -> IssuedTransaction:
    """What the service must have handed out for such a transfer."""
    now = datetime.now(UTC)
    return IssuedTransaction(
        transaction_id="0x" + identifier.hex(), adapter=transfer.adapter, wallet_call=False,
        origin_chain_id=transfer.origin_chain_id, destination_chain_id=transfer.destination_chain_id,
        sender=transfer.sender, receiver=transfer.receiver, integrator="", to=to, value=0, data=b"",
        input_token=transfer.sent_token, input_amount=AMOUNT, sent_amount=AMOUNT, output_token=transfer.output_token,
        expected_output=transfer.min_output, min_output=transfer.min_output, reference=None, created_at=now,
        expires_at=now + timedelta(seconds=1200), destination_call=transfer.destination_call,
    )  # fmt: skip


class Following:
    """The service's tracking, as far as one transfer needs it."""

    def __init__(self, bridge_fixture: BridgeFixture, engine: AsyncEngine) -> None:
        self.engine = engine
        rpcs = {bridge_fixture.chains[key].id: rpc for key, rpc in bridge_fixture.rpcs.items()}
        chains: list[Chain] = list(bridge_fixture.chains.values())
        tokens = TokenCatalog(chains, list(bridge_fixture.tokens.values()), token_readers(rpcs))
        self.rpc, self.chain, self.catalog = (
            bridge_fixture.rpcs["sbxa"],
            bridge_fixture.chains["sbxa"],
            ChainCatalog(chains),
        )
        deliveries = Deliveries(self.catalog, tokens, {ChainType.EVM: EvmDestinations(rpcs)})
        self.worker = StatusWorker({SPEC.key: bridge_fixture.adapter}, engine, deliveries, {}, self.clock)
        self.later = timedelta()

    def clock(self) -> datetime:
        return system_clock() + self.later

    async def begun(self, bridge_fixture: BridgeFixture, wanted: Wanted) -> tuple[TransactionRecord, RelayData]:
        """Hand a transfer out, have it sent, and take it in."""
        identifiers: list[bytes] = []

        def identify(terms: OrderTerms) -> bytes:
            identifiers.append(make_transaction_id(KEY, bytes(16), terms))
            return identifiers[0]

        settings = IndexingSettings(await self.rpc.block_number() + 1, 2000)
        transfer, relay = await started(bridge_fixture, wanted, identify)
        assert self.chain.diamond is not None
        await IssuedTransactions(self.engine).keep(issued(transfer, identifiers[0], self.chain.diamond))
        known = Known(self.catalog, proving=frozenset({SPEC.key}))
        await catch_up(Indexer(self.chain, self.rpc, self.engine, service_keys, system_clock, settings, known=known))
        (record,) = await kept(self.engine)
        return record, relay

    async def ask(self) -> TransactionRecord:
        self.later += timedelta(seconds=30)
        await self.worker.poll(SPEC.key)
        (record,) = await kept(self.engine)
        return record


def on_the_wire(record: TransactionRecord) -> dict[str, Any]:
    shown = to_transaction(transaction_model("Rhumbline"), TrackedTransaction(record, "A", "B"))
    return shown.model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize("minimum", [1, IN_VAIN])
async def test_the_record_says_what_the_receiver_has(
    bridge_fixture: BridgeFixture, store_engine: AsyncEngine, minimum: int
) -> None:
    following = Following(bridge_fixture, store_engine)
    symbol = "WBTC" if minimum == 1 else "USDC"
    before = await bridge_fixture.gained(symbol, RECEIVER)
    record, relay = await following.begun(bridge_fixture, Wanted(minimum))
    assert (record.status, record.has_destination_call) == (TransferState.BRIDGE_PENDING, True)
    waiting = await following.ask()
    assert (waiting.status, waiting.status_source) == (TransferState.BRIDGE_PENDING, StatusSource.ANALYTICS)
    assert waiting.next_bridge_check_at is not None
    filled_by = await bridge_fixture.fill(relay)
    record = await following.ask()
    state = TransferState.SUCCESS if minimum == 1 else TransferState.RECOVERED
    gained = await bridge_fixture.gained(symbol, RECEIVER, before)
    assert gained == PAID_OUT or minimum == 1
    assert (record.status, record.status_source) == (state, StatusSource.ANALYTICS)
    assert record.output is not None
    assert (record.output.address, record.output.raw) == (bridge_fixture.token("sbxb", symbol), gained)
    assert (record.destination_tx_hash, record.receiver) == (filled_by, RECEIVER)
    assert record.destination_time is not None
    assert record.destination_gas_fee is not None
    assert record.next_bridge_check_at is None
    wire = on_the_wire(record)
    assert (wire["hasDestCall"], wire["status"], wire["destTxHash"]) == (True, state.value, filled_by)


async def test_the_bridge_s_word_alone_is_no_success(bridge_fixture: BridgeFixture, store_engine: AsyncEngine) -> None:
    """Where no node shows the destination: that tokens were paid out does not tell what became of them."""
    away = replace(bridge_fixture, adapter=bridge_fixture.without_node("sbxb"))
    following = Following(away, store_engine)
    await following.begun(bridge_fixture, Wanted())
    away.emulator.behaviour.status = "filled"
    record = await following.ask()
    assert (record.status, record.output) == (TransferState.BRIDGE_PENDING, None)
    assert record.last_bridge_success_checked_at is not None
    assert record.next_bridge_check_at is not None
