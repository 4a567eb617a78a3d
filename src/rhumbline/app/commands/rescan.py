"""``rhumbline rescan``: reads a part of a chain again, beside the service."""

from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.console import Config, output
from rhumbline.app.settings import Settings, load_settings
from rhumbline.app.store import in_store
from rhumbline.app.wiring import wired
from rhumbline.domain.errors import InvalidRequest
from rhumbline.tracking.evm.indexer import Indexer
from rhumbline.tracking.evm.rescan import rescan_evm
from rhumbline.tracking.rescan import Rescanned
from rhumbline.tracking.svm.indexer import SvmIndexer
from rhumbline.tracking.svm.records import RecordBuilder
from rhumbline.tracking.svm.rescan import SvmRescan


def rescan(
    chain: Annotated[str, typer.Option("--chain", help="The chain's key or ID; it must have an endpoint.")],
    first: Annotated[int, typer.Option("--from", help="The first block; on Solana the first slot.")],
    last: Annotated[
        int | None, typer.Option("--to", help="The last one. Default: as far as the service has followed the chain.")
    ] = None,
    config: Config = None,
) -> None:
    """Read a part of a chain again and add missing records.

    You can run it at any time, beside the service, and repeatedly: existing records do not change.
    """
    settings = load_settings(config)
    done = in_store(settings, lambda engine: _read(settings, engine, chain, first, last))
    output().print(summary(chain, done), markup=False)


def summary(chain: str, done: Rescanned) -> str:
    lines = [
        f"{chain}: {done.first} to {done.last} ({done.last - done.first + 1}) read, {done.found} records found, "
        f"{done.added} added"
    ]
    if done.unknown:
        lines.append(f"{done.unknown} more are unknown (QUOTE_LOST): what was handed out for them is not in the store")
    if done.unread:
        lines.append(f"{done.unread} transactions are shown by no node; the service goes on asking for them")
    return "\n".join(lines)


async def _read(settings: Settings, engine: AsyncEngine, name: str, first: int, last: int | None) -> Rescanned:
    async with wired(settings, engine) as service:
        followed = [tracker.indexer for tracker in service.trackers]
        found = next((each for each in followed if name in (each.chain.key, str(each.chain.id))), None)
        if isinstance(found, Indexer):
            return await rescan_evm(found.sightings, found.rpc, first, last, settings.tracking.block_range)
        if isinstance(found, SvmIndexer):
            builder = RecordBuilder(found.chain, engine, found.clock, found.known)
            return await SvmRescan(builder, found.rpc, found.keys).run(first, last)
    names = ", ".join(each.chain.key for each in followed) or "none"
    raise InvalidRequest([f"--chain: no chain {name!r} has an endpoint; there are: {names}"])
