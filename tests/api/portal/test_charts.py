"""What charts draw: bars that are never more than their amounts, on an axis that says how much that is."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.pages.language import ENGLISH
from rhumbline.api.portal.charts import Amount, Chart, column_charts, row_charts, step_of
from rhumbline.api.portal.display import brief, brief_usd, dollars

AMOUNTS = st.lists(st.integers(0, 2**256), max_size=90)


def drawn(chart: Chart) -> None:
    """All of it lies within the picture."""
    for mark in (*chart.scale, *chart.names, *chart.values):
        assert 0 <= mark.x <= chart.width
        assert 0 <= mark.y <= chart.height
    for bar in chart.bars:
        assert chart.left <= bar.x
        assert bar.x + bar.width <= max(chart.right, bar.x + 2)
        assert chart.top <= bar.y
        assert bar.y + bar.height <= chart.bottom


@given(AMOUNTS)
def test_columns_are_what_they_stand_for(raws: list[int]) -> None:
    charts = column_charts("a label", [Amount(raw, str(raw), f"told {raw}") for raw in raws], str, str)
    shown = [raw for raw in raws if raw > 0]
    for chart in (charts.full, charts.mid, charts.slim):
        drawn(chart)
        top = int(chart.scale[-1].text)
        assert top >= max(raws, default=0)
        assert [bar.label for bar in chart.bars] == [f"told {raw}" for raw in shown]
        for bar, raw in zip(chart.bars, shown, strict=True):
            assert bar.y + bar.height == chart.bottom
            assert 2 <= bar.height <= max(Fraction(2), Fraction(raw, top) * (chart.bottom - chart.top))
        assert [mark.text for mark in chart.values] == [str(max(shown, default=0))] * bool(shown)
        assert not raws or chart.names[-1].text == str(raws[-1]), "the last one, today, has its name"


@given(st.lists(st.integers(0, 2**256), max_size=9))
def test_rows_are_what_they_stand_for(raws: list[int]) -> None:
    charts = row_charts("a label", [Amount(raw, f"name {raw}", f"told {raw}") for raw in raws], str, hex)
    for chart in (charts.full, charts.mid, charts.slim):
        drawn(chart)
        top, room = int(chart.scale[-1].text), chart.right - chart.left
        assert [mark.text for mark in chart.names] == [f"name {raw}" for raw in raws]
        assert [mark.text for mark in chart.values] == [hex(raw) for raw in raws]
        for bar, raw in zip(chart.bars, [raw for raw in raws if raw], strict=True):
            assert bar.x == chart.left
            assert bar.width <= max(Fraction(2), Fraction(raw, top) * room)


@given(st.integers(0, 2**256))
def test_an_axis_has_few_lines_and_round_ones(largest: int) -> None:
    step = step_of(largest)
    assert step * 4 >= largest
    assert int(str(step)[0]) in {1, 2, 5}
    assert set(str(step)[1:]) <= {"0"}
    assert largest <= 4 or step * 4 < largest * Fraction(5, 2)


@pytest.mark.parametrize(
    ("raw", "decimals", "text"),
    [
        (0, 6, "0"),
        (1, 6, "1e-6"),
        (100, 6, "0.0001"),
        (1_239_999, 6, "1.23"),
        (999_999_999, 6, "999"),
        (1_000_000_000, 6, "1k"),
        (123_456_789, 0, "123M"),
        (10**18, 18, "1"),
        (2**255, 18, "5.78e58"),
    ],
)
def test_an_axis_writes_briefly_and_never_too_much(raw: int, decimals: int, text: str) -> None:
    assert brief(ENGLISH, raw, decimals) == text


def test_values_are_cut_off_to_the_cent() -> None:
    found = [dollars(ENGLISH, micro) for micro in (0, 1, 9_999, 10_000, 1_999_999, 1_234_567_890_000)]
    assert found == ["$0.00", "< $0.01", "< $0.01", "$0.01", "$1.99", "$1,234,567.89"]
    assert brief_usd(ENGLISH, 5_500_000) == "$5.5"
