"""Answers that others published, where their collection lies beside the repository."""

import json
from pathlib import Path

from rhumbline.adapters.openocean.wire import SwapAnswer

SAMPLES = Path(__file__).parents[4] / "shared" / "adapters" / "samples" / "exchanges" / "OPENOCEAN"


def test_every_published_swap_is_read() -> None:
    for path in sorted(SAMPLES.glob("*swap*.json")):
        sample = json.loads(path.read_text("utf-8"))
        # The calldata is cut off after its selector there.
        sample["data"]["data"] = sample["data"]["data"].removesuffix("...")
        read = SwapAnswer.model_validate(sample).data
        assert str(read.out_amount) == sample["data"]["outAmount"]
        assert (read.rfq_deadline, read.gmx_fee) == (0, 0)
        assert read.price_impact == sample["data"]["price_impact"]
