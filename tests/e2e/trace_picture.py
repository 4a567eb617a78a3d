"""Draws docs/images/trace.svg, a quote's trace: `python -m tests.e2e.trace_picture`, from the repository's folder.

The service runs on the sandbox with all emulators, and a collector on the loopback gets its spans.
"""

import asyncio
import json
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

import aiohttp

from rhumbline.app.tracing_section import TracingSettings
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxConfig
from rhumbline.devnet.scenarios import HERE
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from tests.e2e.toured_service import toured_service, transfer_url
from tests.otlp_receiver import ReceivedSpan, collecting

ROOT = Path(__file__).parents[2]
WARM_UP = 3
"""Quotes before the drawn one: the first ones read what is kept afterwards."""
ROW, LEFT, WIDTH, RIGHT, TOP = 18, 330, 620, 70, 34
COLOURS = (("store", "#b7791f"), ("node", "#2f855a"), ("upstream", "#c05621"), ("the service", "#2b6cb0"))


def kind_of(span: ReceivedSpan) -> str:
    if "db.system.name" in span.attributes:
        return "store"
    if "chain" in span.attributes:
        return "node"
    return "upstream" if span.name.startswith(("GET ", "POST ")) and span.parent_id else "the service"


def drawn(spans: Sequence[ReceivedSpan]) -> str:
    """A waterfall: a line a span, below the span that it is a part of, in the order of their beginnings."""
    by_parent: dict[str, list[ReceivedSpan]] = {}
    for span in spans:
        by_parent.setdefault(span.parent_id, []).append(span)
    (first,) = by_parent[""]
    lines: list[tuple[int, ReceivedSpan]] = []

    def add(span: ReceivedSpan, depth: int) -> None:
        lines.append((depth, span))
        for part in by_parent.get(span.span_id, []):
            add(part, depth + 1)

    add(first, 0)
    scale, colours = WIDTH / (first.ended_ns - first.began_ns), dict(COLOURS)
    height, whole = TOP + ROW * len(lines) + 8, LEFT + WIDTH + RIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {height}"',
        ' font-family="sans-serif" font-size="12">',
        "<title>The trace of one quote on the sandbox</title>",
        f'<rect width="{whole}" height="{height}" fill="#ffffff"/>',
    ]
    for place, (name, colour) in enumerate(COLOURS):
        at = LEFT + 150 * place
        parts.append(f'<rect x="{at}" y="10" width="12" height="12" fill="{colour}"/>')
        parts.append(f'<text x="{at + 18}" y="20" fill="#1a202c">{name}</text>')
    for place, (depth, span) in enumerate(lines):
        top, began = TOP + ROW * place, LEFT + (span.began_ns - first.began_ns) * scale
        length = max((span.ended_ns - span.began_ns) * scale, 1.5)
        milliseconds = (span.ended_ns - span.began_ns) / 1e6
        if place % 2:
            parts.append(f'<rect y="{top}" width="{whole}" height="{ROW}" fill="#f7fafc"/>')
        label = f"{span.name} · {span.attributes['chain']}" if "chain" in span.attributes else span.name
        shown = escape(label + (" ✗" if span.fault else ""))
        parts.append(f'<text x="{8 + 14 * depth}" y="{top + 13}" fill="#1a202c">{shown}</text>')
        colour = colours[kind_of(span)]
        parts.append(f'<rect x="{began:.1f}" y="{top + 4}" width="{length:.1f}" height="10" rx="2" fill="{colour}"/>')
        parts.append(f'<text x="{began + length + 5:.1f}" y="{top + 13}" fill="#4a5568">{milliseconds:.1f} ms</text>')
    return "\n".join((*parts, "</svg>", ""))


async def traced(folder: Path) -> list[ReceivedSpan]:
    async with (
        running_sandbox(SandboxConfig(cache=ROOT / ".rhumbline" / "cache")) as sandbox,
        running_world(sandbox) as world,
        running_emulators(world, (*EMULATORS, *PRICE_EMULATORS)) as emulators,
        collecting() as collector,
        embedded_postgres(folder / "store") as dsn,
    ):
        engine = create_engine(dsn)
        await migrate(engine)
        tracing = TracingSettings(endpoint=collector.url, share=1)
        service = toured_service(sandbox, engine, folder, list(emulators.values()), HERE, tracing)
        async with service as running, aiohttp.ClientSession() as client:
            url = transfer_url(json.loads(running.file.read_text("utf-8")))
            for _ in range(WARM_UP + 1):
                answer = await client.get(url)
                assert answer.status == 200, await answer.text()
            spans = await collector.trace(answer.headers["x-trace-id"])
        await engine.dispose()
        return spans


def write() -> None:
    with tempfile.TemporaryDirectory() as folder:
        spans = asyncio.run(traced(Path(folder)))
    (ROOT / "docs" / "images" / "trace.svg").write_text(drawn(spans), "utf-8")


if __name__ == "__main__":
    write()
