"""What Relay says of its own contracts: ``GET /chains``, of which the vendor's page of addresses is made."""

from pydantic import Field

from rhumbline.adapters.relay.client import ask_chains
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.wire import RelayAnswer, Text
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.upstreams.fields import EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer


class Routers(RelayAnswer):
    """The contracts of one version."""

    erc20_router: EvmAddress | None = Field(None, alias="erc20Router")
    approval_proxy: EvmAddress | None = None


class Contracts(RelayAnswer):
    """Contracts of a chain: those of the version that is used here. Those of older ones stand beside it."""

    v3: Routers | None = None


class Deposits(RelayAnswer):
    """The protocol's second version."""

    depository: EvmAddress | None = None


class Protocol(RelayAnswer):
    """The protocol that deposits are made in, by version."""

    v2: Deposits | None = None


class ChainRow(RelayAnswer):
    """One EVM chain of the list."""

    contracts: Contracts | None = None
    protocol: Protocol | None = None


class SolanaProgram(RelayAnswer):
    """What takes deposits on Solana."""

    depository: Text | None = None


class SolanaProtocol(RelayAnswer):
    """The same on Solana, by version."""

    v2: SolanaProgram | None = None


class SolanaRow(RelayAnswer):
    """Solana in the list: one program, and no contracts that would be used here."""

    protocol: SolanaProtocol | None = None


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read what is published of the chains that are deployed to; raise an AdapterError."""
    ours = {place.relay_id: number for number, place in context.deployments.items() if number in context.chains}
    found: dict[int, dict[str, str]] = {}
    for row in await ask_chains(context.http):
        number = row.get("id") if isinstance(row, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number not in ours:
            continue
        if ours[number] in found:
            raise UpstreamFailed("answered a chain twice")
        evm = context.chains[ours[number]].type is ChainType.EVM
        found[ours[number]] = _said(read_answer(ChainRow, row)) if evm else _program(read_answer(SolanaRow, row))
    return found


def _program(row: SolanaRow) -> dict[str, str]:
    told = None if row.protocol is None or row.protocol.v2 is None else row.protocol.v2.depository
    return {} if told is None else {"depository": told}


def _said(row: ChainRow) -> dict[str, str]:
    routers = None if row.contracts is None else row.contracts.v3
    deposits = None if row.protocol is None else row.protocol.v2
    named = {
        "depository": None if deposits is None else deposits.depository,
        "router": None if routers is None else routers.erc20_router,
        "approval_proxy": None if routers is None else routers.approval_proxy,
    }
    return {name: address for name, address in named.items() if address is not None}
