"""Whether the store and every chain's node answer now."""

import asyncio
from collections.abc import Mapping

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.counting import Limiter
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError, RpcUnavailable

TIMEOUT_S = 2.0


async def readiness(engine: AsyncEngine, rpcs: Mapping[int, EvmRpc], limiter: Limiter) -> Mapping[str, str]:
    """Ask all at once; each is ``ok`` or says what is wrong, without addresses; ``cache`` only where there is one."""
    names = ["store", *(f"rpc:{rpc.name}" for rpc in rpcs.values())]
    cache, states = await asyncio.gather(
        limiter.shared_state(),
        asyncio.gather(_store(engine), *(_node(chain_id, rpc) for chain_id, rpc in rpcs.items())),
    )
    named = dict(zip(names, states, strict=True))
    return named if cache is None else {**named, "cache": cache}


async def _store(engine: AsyncEngine) -> str:
    try:
        async with asyncio.timeout(TIMEOUT_S), engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
    except (SQLAlchemyError, OSError, TimeoutError) as error:
        return f"does not answer ({type(error).__name__})"
    return "ok"


async def _node(chain_id: int, rpc: EvmRpc) -> str:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            there = await rpc.chain_id()
    except (RpcError, RpcUnavailable, TimeoutError) as error:
        return f"does not answer ({type(error).__name__})"
    return "ok" if there == chain_id else f"is on chain {there}"
