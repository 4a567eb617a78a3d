"""Made of clients/python/src/rhumbline_client/_async/sender.py by clients/generate.py."""

from typing import Self

from rhumbline_client._sync.json_rpc import Node
from rhumbline_client.sending import SignedOnce

ASKS = 5
"""How often a node is asked for a hash before it counts as unknown there."""


class Sender:
    """Has a node, its patience in seconds, and a memory of what was signed; a context manager that closes the node."""

    def __init__(self, rpc_url: str, patience: float, poll: float) -> None:
        self._node = Node(rpc_url, timeout=30.0)
        self._patience = patience
        self._poll = poll
        self._signed = SignedOnce()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._node.close()
