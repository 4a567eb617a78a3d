"""Code stands at every pinned address."""

import pytest

from rhumbline.app.chains import known_to
from rhumbline.app.settings import load_settings
from tests.live.adapter_fixture import Live
from tests.live.pinned import Pinned, pinned


@pytest.mark.parametrize("pinned", pinned(known_to(load_settings())), ids=str)
async def test_there_is_code_at_every_pinned_address(live: Live, pinned: Pinned) -> None:
    rpc = live.chains.rpcs.get(pinned.chain_id)
    assert rpc is not None, f"no public node of chain {pinned.chain_id} answers"
    without = [f"{what} {address}" for what, address in pinned.contracts if not await rpc.code(address)]
    assert not without
