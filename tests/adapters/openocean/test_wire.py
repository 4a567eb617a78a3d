"""Answers that others published."""

from pathlib import Path

from rhumbline.adapters.openocean.wire import SwapAnswer
from tests.adapters.published import published

HERE = Path(__file__).parent


def test_every_published_swap_is_read() -> None:
    for sample in published(HERE, "*swap*").values():
        # The calldata is cut off after its selector there.
        sample["data"]["data"] = sample["data"]["data"].removesuffix("...")
        read = SwapAnswer.model_validate(sample).data
        assert str(read.out_amount) == sample["data"]["outAmount"]
        assert (read.rfq_deadline, read.gmx_fee) == (0, 0)
        assert f"{read.price_impact}%" == sample["data"]["price_impact"]
