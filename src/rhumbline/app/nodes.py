"""Checks once, at the start, that each served chain's node answers and is on its chain."""

import asyncio

import structlog

from rhumbline.app.chains import Chains, ServedChain, ServedEvm, ServedSvm
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.nodes.svm.cluster import Cluster


async def other_chain(served: ServedChain) -> str | None:
    """Return which other chain than its entry's a node is on, None if it is on the right one.

    Raise NodeRefused and NodeUnavailable.
    """
    try:
        return await (_other_evm(served) if isinstance(served, ServedEvm) else _other_cluster(served))
    except NodeOnOtherChain as error:
        return error.found


async def say_what_nodes_are_on(chains: Chains) -> None:
    """Log each node that is on another chain than its entry says, or does not answer."""
    await asyncio.gather(*(_look(served) for served in chains.served))


async def _look(served: ServedChain) -> None:
    chain, log = served.chain, structlog.get_logger()
    try:
        found = await other_chain(served)
        if found is None and isinstance(served, ServedSvm):
            # The first height, so that the first quote already has something to measure blocks by.
            await served.rpc.block_height()
    except (NodeRefused, NodeUnavailable) as error:
        log.warning("node_not_seen", chain=chain.key, reason=str(error))
        return
    if found is not None:
        remedy = "nothing is quoted from it and it is not followed: correct chains.rpc"
        log.error("node_on_another_chain", chain=chain.key, expected=chain.id, found=found, remedy=remedy)


async def _other_evm(served: ServedEvm) -> str | None:
    found = await served.rpc.chain_id()
    return None if found == served.chain.id else f"chain {found}"


async def _other_cluster(served: ServedSvm) -> str | None:
    """Solana's clusters are identified by their first block; for an operator's own chain it may be in the settings."""
    found = await served.rpc.genesis_hash()
    return None if served.rpc.endpoints is not None else (served.rpc.cluster or Cluster(None)).other(found)
