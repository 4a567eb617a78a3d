"""A page as Lighthouse judges it (https://github.com/GoogleChrome/lighthouse), in a tab of a Chromium that runs.

Whom it asks is the browser's affair, which reaches this machine only. Version 13 needs Node 22; ours runs from 20 on.
"""

import asyncio
import contextlib
import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.portal.chromium import Browser

SCRIPT = Path(__file__).with_suffix(".mjs")
LONGEST_S = 300
Form = Literal["mobile", "desktop"]


@dataclass(frozen=True)
class Judgement:
    """Points of a hundred by category, what cost points, in words, and the times behind the performance, in ms."""

    scores: dict[str, int | None]
    lost: list[str]
    figures: dict[str, float]


async def judged(browser: Browser, url: str, form: Form, *categories: str) -> Judgement:
    """Judge a page as on a phone or a desktop, with Lighthouse's own throttling; AssertionError where it cannot."""
    argv = (str(SCRIPT), url, str(browser.port), form, *categories)
    process = await asyncio.create_subprocess_exec("node", *argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        async with asyncio.timeout(LONGEST_S):
            told, words = await process.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    assert process.returncode == 0, words.decode()
    found = json.loads(told)
    assert found["error"] is None, found["error"]
    return Judgement(found["scores"], found["lost"], found["figures"])
