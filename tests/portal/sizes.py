"""At which sizes of the window a page is looked at.

What a page does is tested at one size, another one for another test, and at each with `EVERY_SIZE=1`, as `make
campaign` has it.
How it looks is judged by `sound` at several sizes in one visit.
"""

import os
import zlib
from collections.abc import Callable
from typing import TypeVar

import pytest

from tests.portal.axe import COLOURS, violations
from tests.portal.chromium import Page

Size = tuple[int, int]
Test = TypeVar("Test", bound=Callable[..., object])

DESKTOP, PHONE, NARROW = (1280, 900), (390, 844), (320, 740)
EVERY_WIDTH = (DESKTOP, NARROW, PHONE)
ALL = "EVERY_SIZE" in os.environ


def sizes_for(test: str) -> tuple[Size, ...]:
    """Return the sizes at which the test of this name runs."""
    sizes = (DESKTOP, PHONE)
    return sizes if ALL else (sizes[zlib.crc32(test.encode()) % len(sizes)],)


def at_a_size(test: Test) -> Test:
    """Give a test its `size`."""
    decorated: Test = pytest.mark.parametrize("size", sizes_for(test.__name__), ids=str)(test)
    return decorated


async def fits(page: Page, state: str = "") -> None:
    """Nothing sticks out sideways."""
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, state


async def sound(page: Page, *sizes: Size, state: str = "") -> None:
    """Axe finds nothing and nothing sticks out, at each of these sizes; else at every width.

    Colours, which take axe twice as long as all the rest, are judged at the first size where they are light and at the
    last where they are dark; at each size with `EVERY_SIZE=1`. The page is left in the light, at the last size.
    """
    sizes = sizes or EVERY_WIDTH
    for size in sizes:
        await page.look(*size)
        found = await violations(page, but=() if ALL or size == sizes[0] else COLOURS)
        if ALL or size == sizes[-1]:
            await page.look(*size, dark=True)
            found += await violations(page, rules=COLOURS)
            await page.look(*size)
        assert found == [], (state, size)
        await fits(page, f"{state} {size}")
