"""How bridges are asked for transfers: a few that others made long ago, and one that nobody made."""

from dataclasses import replace

from rhumbline.app.adapters import built_adapters
from rhumbline.app.chains import build_chains
from rhumbline.domain.adapter import is_bridge
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.http.client import HttpClient
from tests.adapters.conformance.case import Ask
from tests.live.adapter_fixture import Live
from tests.live.asks import NOBODYS_HASH, NOBODYS_TRANSFER
from tests.live.by_folder import NOBODYS_REFERENCE


def nobodys(live: Live, key: str, ask: Ask) -> Transfer:
    """Return a transfer such as the ask would have become, of a transaction that nobody made."""
    request = live.request(ask)
    return replace(
        NOBODYS_TRANSFER,
        origin_chain_id=request.origin.id,
        destination_chain_id=request.destination.id,
        output_token=request.destination_token.address,
        reference=NOBODYS_REFERENCE.get(key, NOBODYS_HASH),
    )


async def by_word(live: Live, key: str, transfer: Transfer) -> TransferStatus:
    """Ask the bridge alone: what nodes say of the deposit would have to agree with facts that are not known here."""
    unserved = tuple(chain.model_copy(update={"rpc": None}) for chain in live.settings.chains)
    settings = live.settings.model_copy(update={"chains": unserved})
    await live.pause(key)
    async with HttpClient() as http:
        chains = build_chains(settings, http)
        async with built_adapters(settings, chains, live.tokens) as adapters:
            adapter = next(each for each in adapters if each.info.key == key)
            assert is_bridge(adapter)
            return await adapter.status(replace(transfer, adapter=key))
