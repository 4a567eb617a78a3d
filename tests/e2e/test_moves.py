"""How often a reader who follows a quote has to go to another file: bounds, so that it does not grow unnoticed.

A move is a named function of another source file than the one entered before it; `devnet` is left out. To come back to
a caller is none, until that calls the next function. One adapter is asked alone, and more than once: what lasts is
known by the second quote, and what a node has just told is shared for a moment.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from aiohttp import ClientSession
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.api.server.listener import reserve, serve
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.app.settings import load_settings
from rhumbline.app.wiring import wired
from rhumbline.devnet.evm import accounts as evm
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.scenarios import HERE, SOLANA
from rhumbline.devnet.svm import accounts as svm
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from tests.e2e.tour_page import Step, Watch
from tests.house.rules import hold

MOST_MOVES = {"KYBERSWAP": 300, "JUPITER": 600}
CHAINS = {"KYBERSWAP": HERE, "JUPITER": SOLANA}
MOST_ASKED = 12
HOTTEST = 12
"""Pairs of files that a failure names."""


def moves_of(calls: Sequence[Step]) -> list[tuple[str, str]]:
    return [(one.file, other.file) for one, other in pairwise(calls) if one.file != other.file]


def back_and_forth(moves: Sequence[tuple[str, str]]) -> list[str]:
    """The pairs of files between which most moves are, most first."""
    pairs = Counter(tuple(sorted(move)) for move in moves)
    return [f"{count} between {one} and {other}" for (one, other), count in pairs.most_common(HOTTEST)]


def test_a_move_is_another_file_than_the_one_before() -> None:
    one, two, three = Step("a.py", "one"), Step("a.py", "two"), Step("b.py", "three")
    moves = moves_of([one, two, three, one, three])
    assert moves == [("a.py", "b.py"), ("b.py", "a.py"), ("a.py", "b.py")]
    assert back_and_forth(moves) == ["3 between a.py and b.py"]


@pytest.mark.parametrize("adapter", MOST_MOVES)
async def test_a_quote_moves_between_files_no_more_than_it_did(
    adapter: str,
    sandbox: Sandbox,
    emulators: Mapping[str, Emulator],
    defillama: DefiLlama,
    store_engine: AsyncEngine,
    tmp_path: Path,
) -> None:
    watch, most = Watch(None), MOST_MOVES[adapter]
    least: list[tuple[str, str]] = []
    async with (
        quoting_service(sandbox, store_engine, tmp_path, [emulators[adapter], defillama], watch) as url,
        ClientSession(url) as session,
    ):
        for number in range(MOST_ASKED):
            watch.calls.clear()
            with watch.on():
                async with session.get("/v1/quotes", params=question(adapter, sandbox, number)) as answer:
                    assert answer.status == 200, await answer.text()
            least = min(filter(None, (least, moves_of(watch.calls))), key=len)
            if len(least) <= most:
                break
    assert len(least) > most / 2, "nothing like a whole quote was traced"
    hold(
        f"A quote by {adapter} makes at most {most} moves between files, and this one made {len(least)}",
        back_and_forth(least) if len(least) > most else [],
        "let the file that is asked again and again answer at once, or carry the answer along",
    )


def question(adapter: str, sandbox: Sandbox, number: int) -> dict[str, str]:
    chain = next(each for each in sandbox.chains if each.key == CHAINS[adapter])
    return {
        "senderAddress": (svm if chain.key == SOLANA else evm).sandbox_account(4).address,
        "originChainId": str(chain.id),
        "destinationChainId": str(chain.id),
        "originCurrency": chain.tokens["USDC"].address,
        "destinationCurrency": chain.tokens["WETH"].address,
        "amount": str(100_000_000 + number),
        "includeExchanges": adapter,
    }


@asynccontextmanager
async def quoting_service(
    sandbox: Sandbox, engine: AsyncEngine, folder: Path, emulators: Sequence[Emulator], watch: Watch
) -> AsyncIterator[str]:
    """Serve quotes of these upstreams alone until the block ends; what is done for requests is in the watch's scope."""
    listener = reserve("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    text = sandbox_settings(sandbox, folder, url, evm.sandbox_account(61).address, emulators)
    (folder / "settings.toml").write_text(text.replace("[adapters.onchain]", "[adapters.onchain]\nenabled = false"))
    started = asyncio.Event()
    async with wired(load_settings(folder / "settings.toml", {}), engine) as wiring:
        await wiring.prices.refresh_due()
        with watch.scope():
            serving = asyncio.create_task(serve(wiring.app, listener, started=lambda _: started.set()))
        try:
            await started.wait()
            yield url
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
