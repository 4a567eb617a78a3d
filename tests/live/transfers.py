"""Transfers that bridges are asked for: a few that others made long ago, and one that nobody made."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime

import aiohttp

from rhumbline.app.adapters import built_adapters
from rhumbline.app.chains import build_chains
from rhumbline.domain.adapter import is_bridge
from rhumbline.domain.transfer import Transfer, TransferStatus
from tests.adapters.conformance.case import Ask
from tests.live.adapter_fixture import Live
from tests.live.asks import WALLET
from tests.live.by_folder import declared

LONG_AGO = datetime(2026, 6, 1, tzinfo=UTC)
_NOBODYS = "0x" + "9a" * 32
_MADE = Transfer("", 0, 0, _NOBODYS, -1, WALLET, WALLET, WALLET, "", 1, "", 1, None, LONG_AGO)
_NEAR = "0c279aaeb803608f60bf8eac25a52570e4a32551f5feb854f0f0355f028760ed"

DELIVERED: Mapping[str, tuple[Transfer, str]] = {
    # The example of Across's documentation, from Base to Polygon.
    "ACROSS": (
        replace(
            _MADE,
            origin_chain_id=8453,
            destination_chain_id=137,
            tx_hash="0x0e44727151684ef4cfe7744aad88007cf55b155a64f5f9047fb9d2fa53780967",
        ),
        "0x0e7b85f1c49c4c89f3b381f12a24d6838be16a41021ab16645bae9dcd1278238",
    ),
    # Shown by a public client's tests, to Avalanche; from where is not told.
    "MAYAN": (
        replace(
            _MADE,
            destination_chain_id=43114,
            tx_hash="0x4f00bba837f9de20e32e5abbefdd53cf0ec5a8b948eebd9a841d170a74506c98",
            receiver="0x1A87f12aC07E9746e9B053B8D7EF1d45270D693f",
            output_token="0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E",
        ),
        "0x5a85c1ea1fd0de63ba890b27e6bc6b720c87562010df6572da9f55a04d9ea467",
    ),
    # Recorded in production by a public client on 2026-06-18, inside of NEAR.
    "NEAR_INTENTS": (
        replace(
            _MADE,
            receiver=_NEAR,
            refund_to=_NEAR,
            reference="65a251832363711522493b599b5dec00a69c504aa2c5a0ec55caf87ae1f8a723",
        ),
        "4nMkmkcbJdaHADqNn2dhnAsSzWjXoqvAs8PKpYHAqiu6",
    ),
    **{key: transfer for each in declared("DELIVERED") for key, transfer in each.items()},
}
"""What was delivered long ago, with the transaction on the other side."""


def nobodys(live: Live, key: str, ask: Ask) -> Transfer:
    """Return a transfer such as the ask would have become, of a transaction that nobody made."""
    request = live.request(ask)
    return replace(
        _MADE,
        origin_chain_id=request.origin.id,
        destination_chain_id=request.destination.id,
        output_token=request.destination_token.address,
        # A wallet's address, which is no deposit's; other bridges' references are hashes.
        reference=WALLET if key == "NEAR_INTENTS" else _NOBODYS,
    )


async def by_word(live: Live, key: str, transfer: Transfer) -> TransferStatus:
    """Ask the bridge alone: what nodes say of the deposit would have to agree with facts that are not known here."""
    unserved = tuple(chain.model_copy(update={"rpc": None}) for chain in live.settings.chains)
    settings = live.settings.model_copy(update={"chains": unserved})
    await live.pause(key)
    async with aiohttp.ClientSession() as session:
        chains = build_chains(settings, session)
        async with built_adapters(settings, chains, live.tokens) as adapters:
            adapter = next(each for each in adapters if each.info.key == key)
            assert is_bridge(adapter)
            return await adapter.status(replace(transfer, adapter=key))
