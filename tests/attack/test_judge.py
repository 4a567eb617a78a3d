"""What counts as a loss, and the table that says so."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attack.asks import ASKS
from attack.judge import Outcome, Verdict
from attack.lies import Lie
from attack.purse import Change, Pair
from attack.scene import Honest, Scene
from attack.service import AttackedService
from attack.table import markdown, write_into

HONEST = Honest(output=250_000_000, minimum=247_500_000, native_fee=0, approval=None)
AMOUNT = 250_000_000


@pytest.fixture(scope="module")
def scene(service: AttackedService) -> Scene:
    return Scene(service, "RELAY", ASKS[6], Pair("0x01", "0x02"), 1.0)


@given(gained=st.integers(0, AMOUNT), spent=st.integers(0, AMOUNT))
def test_what_was_spent_and_did_not_arrive_is_missing(scene: Scene, gained: int, spent: int) -> None:
    missing = scene.lacking(HONEST, Change(gained, spent, Fraction(0)))
    owed = HONEST.minimum * spent // AMOUNT
    assert missing == Fraction(max(owed - gained, 0), 10_000)


def test_more_than_the_amount_and_other_tokens_count_too(scene: Scene) -> None:
    whole = Change(HONEST.minimum, AMOUNT, Fraction(0))
    assert scene.lacking(HONEST, whole) == 0
    assert scene.lacking(HONEST, Change(HONEST.minimum, AMOUNT + 10_000, Fraction(0))) == 1
    assert scene.lacking(HONEST, Change(HONEST.minimum, AMOUNT, Fraction(-7))) == 7
    assert scene.lacking(HONEST, Change(0, AMOUNT, Fraction(24_750))) == 0


def test_the_table_counts_and_shouts(tmp_path: Path) -> None:
    outcomes = [
        Outcome(Lie("RELAY", 0, "call", number), verdict)
        for number, verdict in enumerate([Verdict.REFUSED, Verdict.REFUSED, Verdict.DELIVERED, Verdict.LOST])
    ]
    outcomes.append(Outcome(Lie("RELAY", 0, "call", 4), Verdict.DELIVERED, beyond=1.5))
    table = markdown(outcomes, 1)
    assert "5 altered answers" in table
    assert "leaves the wallet beyond what was stated: 1" in table
    assert "| `RELAY` |" in table
    assert "2·0·2·0 **1!**" in table
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- attack: begin -->\nold\n<!-- attack: end -->\nafter\n")
    write_into(page, table)
    assert page.read_text() == f"before\n<!-- attack: begin -->\n{table}<!-- attack: end -->\nafter\n"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="marks"):
        write_into(page, table)
