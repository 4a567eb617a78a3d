"""Accessibility as axe-core judges it (https://github.com/dequelabs/axe-core), in a page that is open in Chromium.

The script is evaluated over the DevTools protocol, so that the page's own security policy stays as strict as it is.
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.portal.chromium import ROOT, Page

SCRIPT = ROOT / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
COLOURS = ("color-contrast", "link-in-text-block")


@cache
def _script() -> str:
    return SCRIPT.read_text("utf-8")


async def violations(page: Page, within: str = "html", rules: Sequence[str] = (), but: Sequence[str] = ()) -> list[str]:
    """What axe finds wrong in the page as it stands: each rule with the elements that break it.

    Of all rules, or of some by their names, or of all but some.
    """
    if not await page.evaluate("typeof axe === 'object'"):
        await page.evaluate(f"{_script()};0")
    # Colours that are just changing are judged as they will be.
    await page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    which = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(TAGS)}
    left_out = {rule: {"enabled": False} for rule in but}
    options: dict[str, Any] = {"runOnly": which, "rules": left_out, "resultTypes": ["violations"]}
    found = await page.evaluate(
        f"axe.run({json.dumps(within)}, {json.dumps(options)}).then((told) => told.violations.map((rule) =>"
        "`${rule.id}: ${rule.help}: ${rule.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary)"
        ".join(' | ')}`))"
    )
    return [str(each) for each in found]


async def violations_in_both_schemes(page: Page, width: int, height: int, within: str = "html") -> list[str]:
    """What axe finds wrong in a light page, and by its colours in a dark one: the elements are the same."""
    await page.look(width, height)
    found = await violations(page, within)
    await page.look(width, height, dark=True)
    return found + await violations(page, within, COLOURS)
