"""Answers that others published, where their collection lies beside the repository: none of them is a whole swap."""

import json
from pathlib import Path

from rhumbline.adapters.okx.deployments import DEPLOYMENTS
from rhumbline.adapters.okx.wire import Envelope
from rhumbline.gateways.evm.address import checksummed

SAMPLES = Path(__file__).parents[4] / "shared" / "adapters" / "samples" / "more" / "OKX"


def test_every_published_envelope_is_read() -> None:
    for path in sorted(SAMPLES.glob("*.json")):
        sample = json.loads(path.read_text("utf-8"))
        if "code" in sample:
            assert Envelope.model_validate(sample).code == "0"


def test_what_is_approved_is_what_was_published() -> None:
    for path in sorted(SAMPLES.glob("supported_chain*.json")):
        for chain in json.loads(path.read_text("utf-8"))["data"]:
            place = DEPLOYMENTS[int(chain["chainIndex"])]
            assert place.token_approve == checksummed(chain["dexTokenApproveAddress"])
