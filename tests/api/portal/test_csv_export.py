"""Cells of the CSV file."""

import pytest

from rhumbline.api.portal.csv_export import defused


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\n@x", "\uff1d1", "'=1", "", "a=1"]
)
def test_a_cell_is_never_a_formula(cell: str) -> None:
    harmless = defused(cell)
    assert harmless.lstrip()[:1] not in tuple("=+-@\uff1d\uff0b\uff0d\uff20")
    assert harmless in (cell, f"'{cell}")
    assert cell not in ("", "a=1", "'=1") or harmless == cell
