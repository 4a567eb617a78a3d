"""docs/tour.md names functions of the project, and the demo's swap and transfer reach them in the order of the page."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.scenarios import HERE
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.domain.amount import format_amount
from tests.e2e.tour_page import Step, Watch, faults, functions_of, missing, stories_of
from tests.e2e.toured_service import toured_service
from tests.house.rules import hold

PAGE = Path(__file__).parents[2] / "docs" / "tour.md"
STORIES = {"A swap": "KYBERSWAP", "A transfer to another chain": "ACROSS"}
"""The adapter that each list of the page follows."""
MOST_STEPS = 26
"""What is read in ten minutes."""
LISTING = Step("tracking/listing.py", "Listing.find")

ONE, TWO, THREE = Step("a.py", "one"), Step("a.py", "A.two"), Step("b/c.py", "three")
SAMPLE = """# Tour

## First

1. `a.py` `one` does it.
2. `a.py` `A.two` goes
   on.

## Then

1. `b/c.py` `three` ends.
"""


def stories() -> Mapping[str, tuple[Step, ...]]:
    return stories_of(PAGE.read_text("utf-8"))


def test_the_page_tells_the_two_stories_and_names_functions_that_exist() -> None:
    told = stories()
    assert told.keys() == STORIES.keys()
    assert missing([step for steps in told.values() for step in steps]) == []
    assert max(len(steps) for steps in told.values()) <= MOST_STEPS


@pytest.mark.parametrize("story", STORIES)
async def test_the_demo_reaches_every_step_in_the_order_of_the_page(
    story: str, restored_sandbox: Sandbox, emulators: Mapping[str, Emulator], store_engine: AsyncEngine, tmp_path: Path
) -> None:
    steps, adapter = stories()[story], STORIES[story]
    watch = Watch(frozenset(steps))
    before_listing = steps[: steps.index(LISTING)]
    with watch.scope():
        async with toured_service(restored_sandbox, store_engine, tmp_path, [emulators[adapter]], HERE) as service:
            with watch.on():
                chapter = await service.tell(adapter, lambda: watch.has(before_listing))
    assert (chapter.adapter, chapter.status) == (adapter, "success")
    hold(
        f"docs/tour.md, {story}: the demo reaches every step, in the order of the page",
        faults(steps, watch.calls),
        "move the step to where it is reached, or name the function that does this now",
    )


def test_a_page_is_read_list_by_list() -> None:
    assert stories_of(SAMPLE) == {"First": (ONE, TWO), "Then": (THREE,)}


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("2. `a.py` `A.two`", "3. `a.py` `A.two`", "line 6 is no step 2"),
        ("2. `a.py` `A.two`", "2. `a.py` A.two", "line 6 is no step 2"),
        ("2. `a.py` `A.two`", "2. Somewhere it", "line 6 is no step 2"),
        ("`A.two`", "`one`", "line 6 names a.py one again"),
    ],
)
def test_a_number_that_is_no_step_is_found(before: str, after: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        stories_of(SAMPLE.replace(before, after))


def test_a_function_that_is_gone_is_found() -> None:
    kept, gone = Step("routing/ranking.py", "score"), Step("routing/ranking.py", "RankingContext")
    lost = Step("routing/vanished.py", "score")
    assert missing([kept, gone, lost]) == [gone, lost]


def test_methods_and_inner_functions_are_functions(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text("class A:\n    async def two(self):\n        def inner(): ...\n\ndef one(): ...\n")
    assert functions_of(file) == {"A.two", "A.two.<locals>.inner", "one"}


def test_a_run_in_another_order_is_found() -> None:
    steps = (ONE, TWO, THREE)
    assert faults(steps, [ONE, TWO, THREE]) == []
    assert faults(steps, [TWO, ONE, TWO, THREE, ONE]) == []
    assert faults(steps, [TWO, ONE, THREE]) == ["2. a.py A.two is reached before a.py one"]
    assert faults(steps, [ONE, THREE]) == ["2. a.py A.two is not reached"]
    assert faults(steps, [THREE, ONE]) == ["2. a.py A.two is not reached", "3. b/c.py three is reached before a.py one"]


async def test_a_watch_notes_calls_of_its_own_while_it_is_on() -> None:
    listed, shown = Step("tracking/listing.py", "Listing.find"), Step("domain/amount.py", "format_amount")
    watch = Watch(frozenset({listed, shown}))
    format_amount(1, 0)
    with watch.on():
        format_amount(1, 0)
    assert watch.calls == []
    with watch.scope(), watch.on():
        format_amount(1, 0)
        await asyncio.create_task(shown_later())
    assert watch.calls == [shown, shown]
    assert watch.has([shown])
    assert not watch.has([shown, listed])


async def shown_later() -> None:
    await asyncio.sleep(0)
    format_amount(1, 0)
