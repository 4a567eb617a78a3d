"""Runs the sandbox: the local chains of every type."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.wings import WINGS


@asynccontextmanager
async def running_sandbox(config: SandboxConfig) -> AsyncIterator[Sandbox]:
    """Run all chains, set up, for the length of the context; they end with this process, however it ends.

    The first start downloads contracts from npm and sets the chains up; later ones load a snapshot. Raise
    ArtifactError, AnvilError, SetUpError, CacheError, DeploymentError or PortsTaken; each names the remedy.
    """
    needed = sum(wing.count for wing in WINGS.values())
    ports = config.ports or (0,) * needed
    if len(ports) != needed:
        raise ValueError(f"ports: {needed} are needed, one a chain, or none for free ones")
    async with AsyncExitStack() as stack:
        local = []
        for wing in WINGS.values():
            own, ports = ports[: wing.count], ports[wing.count :]
            local.append(await stack.enter_async_context(wing.running(config, own)))
        yield Sandbox(
            tuple(chain for part in local for chain in part.chains),
            tuple(account for part in local for account in part.accounts),
            tuple(account for part in local for account in part.empty),
        )
