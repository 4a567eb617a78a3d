"""What a scenario answers."""

from typing import TypedDict


class Row(TypedDict):
    """One figure against its goal."""

    name: str
    value: str
    goal: str
    met: bool
