"""One question to a bridge about a transfer: how it ended, whatever a bridge or a node does, and how long it took."""

import asyncio
from functools import partial
from typing import Any

import structlog

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.domain.metrics import Metrics
from rhumbline.domain.spans import span
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.upstreams.guard.budget import Spared
from rhumbline.gateways.upstreams.guard.call import UpstreamCall

CALL_TIMEOUT_S = 20.0
StatusOutcome = tuple[str, TransferStatus | None, float]
"""How a call ended in a word, what was answered, and after how many seconds the bridge may be asked again."""

_log = structlog.stdlib.get_logger(__name__)


async def timed_status(bridge: Bridge[Any], transfer: Transfer, call: UpstreamCall, metrics: Metrics) -> StatusOutcome:
    """Ask, and report how that ended, unless the host had no turn for it."""
    started = asyncio.get_running_loop().time()
    with span(f"status {transfer.adapter}") as present:
        outcome, status, retry_after_s = await _ask(bridge, transfer, call)
        if present is not None:
            present.note("outcome", outcome)
            if status is None:
                present.fail(outcome)
    if status is not None or call.spared is not Spared.USED_UP:
        seconds = asyncio.get_running_loop().time() - started - call.waited_s
        metrics.called(transfer.adapter, "status", outcome, seconds)
        line = {"adapter": transfer.adapter, "call": "status", "outcome": outcome, "ms": round(seconds * 1000)}
        _log.debug("adapter_called", **line, tx=transfer.tx_hash)
    return outcome, status, retry_after_s


async def _ask(bridge: Bridge[Any], transfer: Transfer, call: UpstreamCall) -> StatusOutcome:
    try:
        return "answered", await call.run(partial(bridge.status, transfer), CALL_TIMEOUT_S), 0.0
    except AdapterError as error:
        rest_s = error.retry_after_s if isinstance(error, UpstreamFailed) else None
        _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=error.reason)
        return error.kind, None, rest_s or 0.0
    except (NodeRefused, NodeUnavailable) as error:
        _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=str(error))
        return UpstreamFailed.kind, None, 0.0
    except TimeoutError:
        return "late", None, 0.0
    except Exception:
        _log.exception("bridge broke", adapter=transfer.adapter, tx=transfer.tx_hash)
        return "failed", None, 0.0
