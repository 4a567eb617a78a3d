"""The OpenAPI document against the running service: whatever is asked, the answer is one that the document allows."""

import os

from tests.e2e.contract import LEAST_GOOD, explore_all
from tests.e2e.running_demo import Demo

EXAMPLES = int(os.environ.get("CONTRACT_EXAMPLES", "15"))


def test_every_operation_keeps_to_the_document(demo: Demo) -> None:
    good = explore_all(demo, EXAMPLES)
    assert len(good) >= 10
    assert not {operation for operation, count in good.items() if count < LEAST_GOOD}
