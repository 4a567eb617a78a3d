"""Bridges are asked for transfers: for a few that others made long ago, and for one that nobody made."""

import pytest

from rhumbline.domain.tracking import TransferState
from tests.live.adapter_fixture import Live
from tests.live.answers import broken
from tests.live.by_folder import ASKS, DELIVERED
from tests.live.test_upstreams import KEYS
from tests.live.transfers import by_word, nobodys

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
