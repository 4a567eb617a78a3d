"""The demo's story, told in a table."""

import json
from pathlib import Path

import aiohttp
from rich.table import Table

from rhumbline.app.console import notices, output
from rhumbline.devnet.story import SWAPS, Chapter, StoryFailed, Storyteller
from rhumbline.domain.amount import format_amount


async def play(file: Path) -> bool:
    """Tell the story of the sandbox that ``file`` describes and print its table; False when something failed."""
    sandbox = json.loads(file.read_text("utf-8"))
    chapters: list[Chapter] = []
    console = notices()
    async with aiohttp.ClientSession() as session:
        with console.status("the story begins") as status:
            teller = Storyteller(sandbox, session, lambda text: status.update(text))
            try:
                for plot in SWAPS:
                    chapters.append(await teller.tell(plot))
            except StoryFailed as error:
                console.print(f"the story failed: {error}", style="red", markup=False)
                return False
    output().print(_table(chapters))
    return True


def _table(chapters: list[Chapter]) -> Table:
    table = Table("chapter", "", "amount", title="What was promised, and what arrived", title_justify="left")
    for chapter in chapters:
        facts = [
            ("sent", chapter.sent),
            ("promised", format_amount(chapter.promised, chapter.decimals)),
            ("at least", format_amount(chapter.minimum, chapter.decimals)),
            ("simulated", format_amount(chapter.simulated, chapter.decimals)),
            ("arrived", f"{format_amount(chapter.arrived, chapter.decimals)} {chapter.symbol}"),
            ("integrator", f"{chapter.integrator_fee} of fee"),
        ]
        notes = [chapter.title, f"by {chapter.adapter}", f"in {chapter.seconds:.2f} s", f"record: {chapter.status}"]
        for note, (what, amount) in zip([*notes, "", ""], facts, strict=True):
            table.add_row(note, what, amount, end_section=what == facts[-1][0])
    return table
