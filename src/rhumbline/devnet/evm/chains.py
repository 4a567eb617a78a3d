"""The sandbox's EVM chains, running."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from rhumbline.devnet.evm.accounts import EMPTY, FUNDED, MNEMONIC, sandbox_account
from rhumbline.devnet.evm.contracts import CHAINS, ChainPlan
from rhumbline.devnet.evm.nodes import find_anvil, running_anvil
from rhumbline.devnet.evm.pools import DECIMALS
from rhumbline.devnet.evm.snapshots import Snapshot, resume, snapshots
from rhumbline.devnet.sandbox import LocalChains, SandboxChain, SandboxConfig, SandboxToken
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.http.client import HttpClient


@asynccontextmanager
async def running_chains(config: SandboxConfig, ports: Sequence[int]) -> AsyncIterator[LocalChains]:
    """Run every chain of `CHAINS`, set up, for the length of the context, each at its port (0: a free one).

    Raise ArtifactError, AnvilError, SetUpError, CacheError or DeploymentError; each names the remedy.
    """
    anvil = find_anvil(config.anvil)
    kept = await snapshots(config.cache.absolute(), anvil, CHAINS, config.progress)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rhumbline-sandbox-")))
        http = await stack.enter_async_context(HttpClient())
        chains = []
        for plan, snapshot, port in zip(CHAINS, kept, ports, strict=True):
            rpc = await stack.enter_async_context(
                running_anvil(
                    anvil, chain_id=plan.id, name=plan.key, mnemonic=MNEMONIC, accounts=len(FUNDED), folder=folder,
                    http=http, port=port, state=snapshot.state.encode(),
                )
            )  # fmt: skip
            await resume(rpc)
            chains.append(_described(plan, snapshot, rpc.url))
        yield LocalChains(
            tuple(chains),
            tuple(sandbox_account(index) for index in FUNDED),
            tuple(sandbox_account(index) for index in EMPTY),
        )


def _described(plan: ChainPlan, snapshot: Snapshot, rpc_url: str) -> SandboxChain:
    furnished = snapshot.furnished
    tokens = {symbol: SandboxToken(address, DECIMALS[symbol]) for symbol, address in furnished.tokens.items()}
    return SandboxChain(
        plan.id, plan.key, plan.name, rpc_url, tokens, furnished.contracts, furnished.pools, ChainType.EVM,
        rpc_url.replace("http", "ws", 1),
    )  # fmt: skip
