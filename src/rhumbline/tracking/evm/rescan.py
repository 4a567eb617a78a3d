"""Reads a part of an EVM chain again, through every endpoint that can answer."""

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import InvalidRequest
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.tracking.evm import positions
from rhumbline.tracking.evm.gap_finder import Found, GapFinder
from rhumbline.tracking.evm.log_reader import LogReader, RangeRefused
from rhumbline.tracking.rescan import Rescanned, disown, insisted
from rhumbline.tracking.sightings import SightingReader


async def rescan_evm(sightings: SightingReader, rpc: EvmRpc, first: int, last: int | None, widest: int) -> Rescanned:
    """Read blocks again, at most to the chain's position, and have wallets' own calls searched for again.

    Raise InvalidRequest for a range that was not followed; NodeUnavailable, RpcError or a database error.
    """
    chain, engine, since = sightings.chain, sightings.engine, sightings.clock()
    top = await _top(engine, chain.id)
    last = top.number if last is None else last
    if not 0 <= first <= last <= top.number:
        raise InvalidRequest([f"--from, --to: must be from 0 to {top.number}, to where {chain.key} was followed"])
    finder = GapFinder(chain, engine, LogReader(chain, rpc), sightings)
    span, at, done = widest, first, Rescanned(first, last)
    while at <= last:
        end = min(at + span - 1, last)

        async def read(at: int = at, end: int = end) -> Found | None:
            checkpoint = await _top(engine, chain.id)
            with reading() as asked:
                found = await finder.read(rpc, at, end, checkpoint)
                others = rpc.other_than(asked.names(rpc.name)[:1])
                more = None if others is None else await finder.read(others, at, end, checkpoint)
            if found is None or more is None:
                return found
            return Found(found.found + more.found, found.added + more.added)

        try:
            found = await insisted(read)
        except RangeRefused:
            span = max((end - at + 1) // 2, 1)
            continue
        if found is None:
            # The chain was reorganised meanwhile.
            continue
        done = replace(done, found=done.found + found.found, added=done.added + found.added)
        at, span = end + 1, min(span + span // 4 + 1, widest)
    async with engine.begin() as connection:
        await positions.read_position(connection, chain.id, lock=True)
        await disown(connection, chain.id, first, last, since)
        await positions.seek_wallet_calls(connection, chain.id, first)
    return done


async def _top(engine: AsyncEngine, chain_id: int) -> positions.Checkpoint:
    async with engine.connect() as connection:
        position = await positions.read_position(connection, chain_id)
    if position is None or position.last is None:
        raise InvalidRequest(["--chain: was not followed yet; `rhumbline serve` or `worker` begins with it"])
    return position.last
