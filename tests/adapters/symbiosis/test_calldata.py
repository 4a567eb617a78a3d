"""Each number of a crossing that a contract of Symbiosis' acts on, raised to its type's largest, or let down."""

from typing import Any

import pytest

from rhumbline.domain.errors import AdapterError
from tests.adapters.symbiosis.calls import Call
from tests.adapters.symbiosis.replay import Replay, answered, replaying
from tests.adapters.symbiosis.test_checking import quoted

LARGEST = 2**256 - 1
NOW, WEEK = 1_795_263_000, 7 * 86_400


@pytest.mark.parametrize(("field", "values"), [
    ("fee", (LARGEST, 500_000_000)),
    ("burn_fee", (LARGEST, 500_000_000)),
    ("deadline", (0, NOW + 300, NOW + WEEK + 1, LARGEST)),
    ("minimum", (LARGEST, 0)),
    ("amount", (LARGEST, 0)),
    ("locked", (LARGEST, 0)),
    ("from_index", (LARGEST,)),
    ("to_index", (LARGEST,)),
    ("burn_at", (LARGEST,)),
    ("swap_at", (LARGEST,)),
    ("chain", (LARGEST,)),
    ("burn_chain", (LARGEST,)),
])  # fmt: skip
async def test_a_number_of_a_crossing_beyond_its_bound_is_refused(field: str, values: tuple[int, ...]) -> None:
    for value in values:
        change: dict[str, Any] = {field: value}
        # Where the price has fallen it is asked twice.
        async with replaying(Replay([(200, answered(Call(**change)))] * 2)) as adapter:
            with pytest.raises(AdapterError):
                await adapter.build(quoted())


async def test_a_value_is_the_input_s() -> None:
    async with replaying(Replay([(200, answered(Call(), value=str(LARGEST)))])) as adapter:
        with pytest.raises(AdapterError, match="value"):
            await adapter.build(quoted())


async def test_a_deadline_of_a_week_is_taken() -> None:
    async with replaying(Replay([(200, answered(Call(deadline=NOW + WEEK)))])) as adapter:
        assert (await adapter.build(quoted())).expires_at == NOW + WEEK - 300
