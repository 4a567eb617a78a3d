"""Answers that the vendor published, where their collection lies beside the repository."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rhumbline.adapters.relay.checking import protocol_of
from rhumbline.adapters.relay.client import ERRORS
from rhumbline.adapters.relay.order import order_id
from rhumbline.adapters.relay.status import STATES
from rhumbline.adapters.relay.wire import ErrorAnswer, QuoteAnswer, StatusAnswer
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.strict_json import read_json

SHARED = Path(__file__).parents[4] / "shared" / "adapters" / "samples"
SAMPLES, GENUINE = SHARED / "bridges" / "RELAY", SHARED / "genuine-2026-10" / "RELAY"


def samples(*patterns: str) -> Iterator[Any]:
    for pattern in patterns:
        for path in sorted(SAMPLES.glob(pattern)):
            yield json.loads(path.read_text("utf-8"))


def test_every_published_quote_is_read() -> None:
    for sample in samples("calling-integration-guide_1_response.json", "solana_1_response.json"):
        read = QuoteAnswer.model_validate(read_json(json.dumps(sample).encode()))
        out = sample["details"]["currencyOut"]
        assert str(read.details.currency_out.amount) == out["amount"]
        assert str(read.details.currency_out.minimum_amount) == out["minimumAmount"]
        assert [step.id for step in read.steps] == [step["id"] for step in sample["steps"]]
        assert {step.request_id for step in read.steps} == {step["requestId"] for step in sample["steps"]}


def test_a_genuine_quote_is_read_and_its_order_has_the_id_that_it_says() -> None:
    for path in sorted(GENUINE.glob("quote_v2_*.json")):
        sample = json.loads(path.read_text("utf-8"))
        for step in sample["steps"]:
            for item in step["items"]:
                if item["data"]["data"].startswith("OMITTED"):
                    item["data"]["data"] = "0x"
        read = QuoteAnswer.model_validate(read_json(json.dumps(sample).encode()))
        assert read.request_id == sample["requestId"]
        assert {step.request_id for step in read.steps} == {sample["requestId"]}
        assert str(read.details.currency_out.minimum_amount) == sample["details"]["currencyOut"]["minimumAmount"]
        told = protocol_of(read)
        assert "0x" + order_id(told.order_data).hex() == told.order_id


def test_every_published_status_is_read() -> None:
    for sample in samples("quickstart_4_response.json", "calling-integration-guide_3_response.json"):
        read = StatusAnswer.model_validate(sample)
        assert STATES[read.status] is TransferState.SUCCESS
        assert read.tx_hashes == sample["txHashes"]
        assert read.in_tx_hashes == sample["inTxHashes"]


def test_every_published_error_is_known() -> None:
    for sample in samples("handling-errors_*.json", "error_*.json", "solana_2.json"):
        assert ErrorAnswer.model_validate(sample).error_code in ERRORS
