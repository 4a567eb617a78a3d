"""Writes the pictures of docs/images: `python -m tests.portal.screenshots`, from the repository's folder."""

import asyncio
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from pathlib import Path

import aiohttp
from sqlalchemy import text

from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import SandboxConfig
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from tests.portal.chromium import Page, running_chromium
from tests.portal.stack import running_service
from tests.portal.story import NAME, told
from tests.portal.swap_box import opened, routes

ROOT = Path(__file__).parents[2]


# Colours fall into 4096 boxes; the fullest 256 boxes, each by its commonest colour, are the palette, and every other
# colour takes the nearest of it.
PALETTE = """
(async (data) => {
  const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer);
  const parts = (c) => [c & 255, (c >> 8) & 255, (c >> 16) & 255];
  const box = (c) => { const [r, g, b] = parts(c); return (r >> 4) << 8 | (g >> 4) << 4 | b >> 4; };
  const counts = new Map();
  for (const c of pixels) counts.set(c, (counts.get(c) ?? 0) + 1);
  const boxes = new Map();
  for (const [c, n] of counts) {
    const found = boxes.get(box(c)) ?? {sum: 0, best: 0, colour: c};
    found.sum += n;
    if (n > found.best) [found.best, found.colour] = [n, c];
    boxes.set(box(c), found);
  }
  const palette = [...boxes.values()].sort((a, b) => b.sum - a.sum).slice(0, 256).map(({colour}) => parts(colour));
  const nearest = new Map();
  for (const c of counts.keys()) {
    const [r, g, b] = parts(c);
    let least = Infinity;
    palette.forEach(([x, y, z], place) => {
      const apart = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
      if (apart < least) { least = apart; nearest.set(c, place); }
    });
  }
  let text = '';
  for (const c of pixels) text += String.fromCharCode(nearest.get(c));
  return {width: image.width, height: image.height, palette: palette.flat(), indices: btoa(text)};
})
"""


# An endpoint that has begun to fail; its next attempts are not yet due.
WEBHOOK = (
    """
    INSERT INTO webhooks (id, integrator, url, types, secret, created_at, failing_since)
    VALUES ('wh_5f0c1d9a7be34682', :name, 'https://hooks.compass.example/rhumbline',
        '{transaction.seen,transaction.final}', 'whsec_', now() - interval '2 days', now() - interval '9 minutes')
    """,
    """
    INSERT INTO webhook_deliveries (webhook, number, type, subject, state, due_at, attempts, log, created_at)
    SELECT 'wh_5f0c1d9a7be34682', number, (ARRAY['transaction.final', 'transaction.seen'])[1 + number % 2],
        '0x' || number / 2, CASE WHEN number < 5 THEN 'delivered' ELSE 'pending' END,
        CASE WHEN number >= 5 THEN now() + interval '8 minutes' END, 1, CASE WHEN number < 5
            THEN jsonb_build_array(jsonb_build_object('at', now(), 'status', 204, 'error', null, 'ms', 40 + number))
            ELSE jsonb_build_array(
                jsonb_build_object('at', now(), 'status', null, 'error', 'no answer in time', 'ms', 10003),
                jsonb_build_object('at', now(), 'status', 503, 'error', null, 'ms', 61)
            ) END,
        now() - (7 - number) * interval '3 minutes'
    FROM generate_series(1, 6) AS number
    """,
)


async def in_256_colours(page: Page, png: bytes) -> bytes:
    """The same picture in a third of the bytes."""
    found = await page.evaluate(f"{PALETTE}('{b64encode(png).decode()}')")
    width, height, indices = found["width"], found["height"], b64decode(found["indices"])
    rows = b"".join(b"\0" + indices[y * width : (y + 1) * width] for y in range(height))
    header = width.to_bytes(4) + height.to_bytes(4) + bytes([8, 3, 0, 0, 0])
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(found["palette"])),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4) for kind, data in chunks
    )


async def main(images: Path) -> None:
    images.mkdir(parents=True, exist_ok=True)

    async def shot(page: Page, name: str) -> None:
        await page.send("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
        await asyncio.sleep(0.3)
        (images / f"{name}.png").write_bytes(await in_256_colours(page, await page.shot()))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            running_sandbox(SandboxConfig(cache=ROOT / ".rhumbline" / "cache")) as sandbox,
            running_world(sandbox) as world,
            running_emulators(world, (*EMULATORS, *PRICE_EMULATORS)) as emulators,
            embedded_postgres(folder / "store") as dsn,
            aiohttp.ClientSession() as session,
            running_chromium(folder / "browser") as browser,
        ):
            engine = create_engine(dsn)
            await migrate(engine)
            async with running_service(sandbox, engine, folder, emulators.values()) as portal_service:
                story = await told(portal_service, browser, session, shot)
                portal = f"{portal_service.base_url}/portal/i/{NAME}"
                for end, picture in (
                    ("", "overview"),
                    ("/keys", "keys"),
                    ("/transactions", "transactions"),
                    ("/fees", "fees"),
                ):
                    await story.owner.goto(portal + end)
                    await shot(story.owner, picture)
                await story.owner.goto(f"{portal_service.base_url}/docs")
                await story.owner.until("document.querySelectorAll('.opblock').length > 10")
                await shot(story.owner, "reference")
                await story.owner.look(390, 844)
                await story.owner.goto(f"{portal}/transactions?chain=sbxb")
                await shot(story.owner, "transactions-phone")
                await story.owner.look(1280, 900, dark=True)
                await story.owner.goto(portal)
                await shot(story.owner, "overview-dark")
                async with engine.begin() as connection:
                    for statement in WEBHOOK:
                        await connection.execute(text(statement), {"name": NAME})
                await story.owner.look(1280, 900)
                await story.owner.goto(f"{portal}/webhooks/wh_5f0c1d9a7be34682")
                await shot(story.owner, "webhook")
                await story.owner.look(390, 844)
                await shot(story.owner, "webhook-phone")
                await story.visitor.look(1280, 900, dark=True)
                await shot(story.visitor, "front-dark")
                await story.visitor.look(390, 844)
                await shot(story.visitor, "front-narrow")
                identifier = await story.visitor.evaluate("deep('.tracking').textContent")
                await story.visitor.look(1280, 900)
                await story.visitor.goto(f"{portal_service.base_url}/tx/{identifier}")
                await shot(story.visitor, "receipt")
                await opened(story.visitor, portal_service)
                await shot(story.visitor, "front-empty")
                await opened(story.visitor, portal_service, "?from=HERE:WETH&to=HERE:DAI&amount=300")
                await routes(story.visitor)
                await story.visitor.click("tbody[data-adapter=ONCHAIN] .open")
                await story.visitor.until("!!deep('.pools')")
                await shot(story.visitor, "front-pools")
            await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"))
