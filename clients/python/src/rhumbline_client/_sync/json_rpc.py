"""Made of clients/python/src/rhumbline_client/_async/json_rpc.py by clients/generate.py."""

import time
from collections.abc import Sequence
from typing import Any

import httpx

from rhumbline_client.errors import RhumblineError, Unreachable

ATTEMPTS = 4
FIRST_S = 0.5


class NodeError(RhumblineError):
    """The node answered with an error of JSON-RPC."""


class Node:
    """A node's JSON-RPC endpoint."""

    def __init__(self, rpc_url: str, timeout: float) -> None:
        self._http = httpx.Client(timeout=timeout)
        self._url = rpc_url

    def close(self) -> None:
        self._http.close()

    def read(self, method: str, params: Sequence[Any]) -> Any:
        """Ask for something, again where the node does not answer; raises NodeError and Unreachable."""
        attempt = 1
        while True:
            try:
                return self.once(method, params)
            except Unreachable:
                if attempt == ATTEMPTS:
                    raise
            time.sleep(FIRST_S * 2 ** (attempt - 1))
            attempt += 1

    def once(self, method: str, params: Sequence[Any]) -> Any:
        """Call a method once, whatever comes of it; raises NodeError and Unreachable."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        try:
            response = self._http.post(self._url, json=body)
            answer = response.json()
        except (httpx.RequestError, ValueError) as error:
            raise Unreachable(f"{method}: {type(error).__name__} {error}".rstrip()) from error
        if not isinstance(answer, dict) or not ("error" in answer or "result" in answer):
            raise Unreachable(f"{method}: HTTP status {response.status_code}, and no answer of JSON-RPC")
        refusal = answer.get("error")
        if refusal is not None:
            raise NodeError(f"{method}: {refusal.get('message') if isinstance(refusal, dict) else refusal}")
        return answer.get("result")
