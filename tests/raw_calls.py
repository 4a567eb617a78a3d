"""Whatever body sent to a node, and its answer as it comes: what a client for a node would not send or let through."""

import asyncio
import json
from typing import Any

from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import Reply

_PATIENCE_S = 300.0
_LARGEST_BYTES = 64 * 1024 * 1024


async def posted(http: HttpClient, url: str, body: bytes) -> Reply:
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    return await http.ask("POST", url, AnyAnswer(_LARGEST_BYTES), deadline, body=body)


async def passed_on(http: HttpClient, url: str, call: object) -> Any:
    """Return what a node answers to a call that somebody else has made."""
    return json.loads((await posted(http, url, json.dumps(call).encode())).body or b"")
