"""Whether each served chain's node is there and on its chain, said once at the start."""

import asyncio

import structlog

from rhumbline.app.chains import Chains, ServedChain
from rhumbline.domain.errors import NodeRefused, NodeUnavailable


async def say_what_nodes_are_on(chains: Chains) -> None:
    """Log each node that is on another chain than its entry says, or does not answer; a sound one needs no line."""
    await asyncio.gather(*(_look(served) for served in chains.served))


async def _look(served: ServedChain) -> None:
    chain, log = served.chain, structlog.get_logger()
    try:
        found = await served.rpc.chain_id()
    except (NodeRefused, NodeUnavailable) as error:
        log.warning("node_not_seen", chain=chain.key, reason=str(error))
        return
    if found != chain.id:
        remedy = "nothing is quoted from it and it is not followed: correct chains.rpc"
        log.error("node_on_another_chain", chain=chain.key, expected=chain.id, found=found, remedy=remedy)
