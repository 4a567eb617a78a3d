"""What sends to a chain's node."""

from typing import Self

from rhumbline_client._async.json_rpc import AsyncNode
from rhumbline_client.sending import SignedOnce

ASKS = 5
"""How often a node is asked for a hash before it counts as unknown there."""


class AsyncSender:
    """Has a node, its patience in seconds, and a memory of what was signed; a context manager that closes the node."""

    def __init__(self, rpc_url: str, patience: float, poll: float) -> None:
        self._node = AsyncNode(rpc_url, timeout=30.0)
        self._patience = patience
        self._poll = poll
        self._signed = SignedOnce()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._node.aclose()
