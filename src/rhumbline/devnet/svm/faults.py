"""The errors of a node.

Codes: github.com/anza-xyz/agave, rpc-client-api/src/custom_error.rs, and the JSON-RPC 2.0 specification; read
2026-11-22.
"""

from collections.abc import Mapping

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
PREFLIGHT_FAILURE = -32002
SIGNATURE_FAILURE = -32003
BLOCK_NOT_AVAILABLE = -32004
SLOT_MISSING = -32009
UNSUPPORTED_VERSION = -32015
SLOT_NOT_REACHED = -32016


class RpcFault(Exception):
    """A JSON-RPC error: code, message, and data where the node sends some."""

    def __init__(self, code: int, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data

    def as_json(self) -> dict[str, object]:
        return {"code": self.code, "message": self.message} | ({} if self.data is None else {"data": self.data})


def invalid(words: str) -> RpcFault:
    """Return the error for parameters that the method does not accept."""
    return RpcFault(INVALID_PARAMS, f"Invalid params: {words}")
