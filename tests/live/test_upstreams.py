"""Every adapter asks its real upstream, has a transaction built, and compares what was answered with our recordings."""

import pytest

from rhumbline.app.adapters import switched_on
from rhumbline.app.chains import known_to
from rhumbline.app.settings import load_settings
from rhumbline.domain.tracking import TransferState
from tests.adapters.conformance.case import Ask
from tests.live.adapter_fixture import Live
from tests.live.answers import broken
from tests.live.by_folder import ASKS, DELIVERED
from tests.live.pinned import Pinned, pinned
from tests.live.quote_check import check_quote
from tests.live.transfers import by_word, nobodys

KEYS = [spec.key for spec in switched_on(load_settings())]


@pytest.mark.parametrize(("key", "ask"), [(key, ask) for key in KEYS for ask in ASKS[key]], ids=str)
async def test_it_quotes_builds_and_answers_as_recorded(live: Live, key: str, ask: Ask) -> None:
    wrong = await check_quote(live, key, ask)
    assert not wrong


@pytest.mark.parametrize("pinned", pinned(known_to(load_settings())), ids=str)
async def test_there_is_code_at_every_pinned_address(live: Live, pinned: Pinned) -> None:
    rpc = live.chains.rpcs.get(pinned.chain_id)
    assert rpc is not None, f"no public node of chain {pinned.chain_id} answers"
    without = [f"{what} {address}" for what, address in pinned.contracts if not await rpc.code(address)]
    assert not without


CROSSING = {key: ask for key in KEYS for ask in reversed(ASKS[key]) if ask.origin != ask.destination}


@pytest.mark.parametrize("key", [key for key in DELIVERED if key in KEYS])
async def test_what_was_delivered_long_ago_is_delivered(live: Live, key: str) -> None:
    transfer, dest_tx_hash = DELIVERED[key]
    status = await by_word(live, key, transfer)
    wrong = broken(live.heard, live.notes)
    assert (status.state, status.destination_tx_hash) == (TransferState.SUCCESS, dest_tx_hash)
    assert not wrong


@pytest.mark.parametrize("key", CROSSING)
async def test_what_nobody_made_is_not_delivered(live: Live, key: str) -> None:
    status = await by_word(live, key, nobodys(live, key, CROSSING[key]))
    assert status.state in (TransferState.UNKNOWN, TransferState.BRIDGE_PENDING)
    assert status.output_amount is None
