"""The demo's story, told in a table."""

import json
from pathlib import Path

from rich.table import Table

from rhumbline.app.console import notices, output
from rhumbline.app.log import configure_logging
from rhumbline.app.sections import LogSettings
from rhumbline.devnet.scenarios import BRIDGE, SWAPS, Scenario, chapters_of
from rhumbline.devnet.story import Chapter, StoryFailed, Storyteller
from rhumbline.domain.amount import format_amount
from rhumbline.gateways.http.client import HttpClient


async def play(file: Path) -> bool:
    """Tell the story of the sandbox that ``file`` describes and print its table; False when something failed."""
    sandbox = json.loads(file.read_text("utf-8"))
    chapters: list[Chapter] = []
    console = notices()
    async with HttpClient() as http:
        teller = Storyteller(sandbox, http, lambda _: None)
        try:
            for scenario in (SWAPS[1], BRIDGE):
                await _ask_everybody(teller, scenario)
            with console.status("the story begins") as status:
                teller = Storyteller(sandbox, http, lambda text: status.update(text))
                for scenario in chapters_of(await teller.tools()):
                    chapters.append(await teller.tell(scenario))
        except StoryFailed as error:
            console.print(f"the story failed: {error}", style="red", markup=False)
            return False
    output().print(_table(chapters))
    return True


async def _ask_everybody(teller: Storyteller, scenario: Scenario) -> None:
    """Ask for one quote with the service's log shown: each adapter that is asked has a line in it."""
    notices().print(f"· one quote, and what each adapter says to it: {scenario.title}", style="dim")
    configure_logging(LogSettings(level="info"))
    try:
        best = await teller.everybody(scenario)
    finally:
        configure_logging(LogSettings(level="warning"))
    notices().print(f"· the best is {best['adapter']}", style="dim")


def _table(chapters: list[Chapter]) -> Table:
    table = Table("chapter", "", "amount", title="What was promised, and what arrived", title_justify="left")
    for chapter in chapters:
        back = chapter.status == "refunded"
        notes = [chapter.title, f"by {chapter.adapter}", f"in {chapter.seconds:.2f} s, record: {chapter.status}"]
        facts = [
            ("sent", chapter.sent),
            ("at least", format_amount(chapter.minimum, chapter.decimals)),
            (
                "came back" if back else "arrived",
                f"{format_amount(chapter.arrived, chapter.decimals)} {chapter.symbol}",
            ),
        ]
        for note, (what, amount) in zip(notes, facts, strict=True):
            table.add_row(note, what, amount, end_section=what == facts[-1][0])
    return table
