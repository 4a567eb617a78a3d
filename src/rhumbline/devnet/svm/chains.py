"""The sandbox's Solana chain, running."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rhumbline.devnet.sandbox import LocalChains, SandboxChain, SandboxConfig
from rhumbline.devnet.svm.accounts import EMPTY, FUNDED, sandbox_account
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_setup import FurnishedChain, furnish
from rhumbline.devnet.svm.plans import CHAIN_ID, CHAIN_KEY, CHAIN_NAME
from rhumbline.devnet.svm.server import SvmServer, serving
from rhumbline.devnet.svm.slots import SLOT_MS
from rhumbline.domain.chain import ChainType


@dataclass(frozen=True, slots=True)
class RunningSolana:
    """The running chain, set up: ``server.chain`` is it, ``local`` its entry in the sandbox's file."""

    server: SvmServer
    furnished: FurnishedChain
    local: LocalChains


@asynccontextmanager
async def running_solana(
    *, port: int = 0, slot_s: float | None = SLOT_MS / 1000, slot_ms: int = SLOT_MS, started: int | None = None
) -> AsyncIterator[RunningSolana]:
    """Run the chain at a port and the next one (0: free ones) for the length of the context.

    A slot passes every ``slot_s`` seconds, with None only by `sandbox_advanceSlots`; on the chain's own clock it lasts
    ``slot_ms``. ``started`` is the chain's time at its beginning, in Unix seconds, now by default. Raise PortsTaken.
    """
    chain = SvmChain(int(time.time()) if started is None else started, slot_ms)
    furnished = furnish(chain)
    async with serving(chain, port, slot_s) as server:
        described = SandboxChain(
            CHAIN_ID, CHAIN_KEY, CHAIN_NAME, server.rpc_url, furnished.tokens, furnished.contracts, furnished.pools,
            ChainType.SVM, server.ws_url, str(chain.slots.genesis),
        )  # fmt: skip
        local = LocalChains(
            (described,),
            tuple(sandbox_account(index) for index in FUNDED),
            tuple(sandbox_account(index) for index in EMPTY),
        )
        yield RunningSolana(server, furnished, local)


@asynccontextmanager
async def running_chains(config: SandboxConfig, ports: Sequence[int]) -> AsyncIterator[LocalChains]:
    """Run the one chain at its port (0: a free one), its websocket at the next; the signature that `Wing` requires."""
    (port,) = ports
    slot_ms = config.solana_slot_ms
    async with running_solana(port=port, slot_s=slot_ms / 1000, slot_ms=slot_ms) as running:
        yield running.local
