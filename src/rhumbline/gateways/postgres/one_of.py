"""One statement for any number of values."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, any_, literal


def one_of(column: ColumnElement[Any], values: Iterable[object]) -> ColumnElement[bool]:
    """Whether a column has one of these values, which are sent as one array.

    With `in_` each number of values is another statement, and each connection plans it anew and keeps it.
    """
    return column == any_(literal(list(values), ARRAY(column.type)))
