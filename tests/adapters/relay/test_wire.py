"""Answers that the vendor published."""

import json
from pathlib import Path

from rhumbline.adapters.relay.client import ERRORS
from rhumbline.adapters.relay.order import order_id, protocol_of
from rhumbline.adapters.relay.transfer_status import STATES
from rhumbline.adapters.relay.wire import ErrorAnswer, QuoteAnswer, StatusAnswer
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.strict_json import read_json
from tests.adapters.published import published

HERE = Path(__file__).parent


def test_every_published_quote_is_read() -> None:
    for sample in published(HERE, "calling-integration-guide_1_response", "solana_1_response").values():
        read = QuoteAnswer.model_validate(read_json(json.dumps(sample).encode()))
        out = sample["details"]["currencyOut"]
        assert str(read.details.currency_out.amount) == out["amount"]
        assert str(read.details.currency_out.minimum_amount) == out["minimumAmount"]
        assert [step.id for step in read.steps] == [step["id"] for step in sample["steps"]]
        assert {step.request_id for step in read.steps} == {step["requestId"] for step in sample["steps"]}


def test_a_genuine_quote_is_read_and_its_order_has_the_id_that_it_says() -> None:
    for sample in published(HERE, "quote_v2_*").values():
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
    for sample in published(HERE, "quickstart_4_response", "calling-integration-guide_3_response").values():
        read = StatusAnswer.model_validate(sample)
        assert STATES[read.status] is TransferState.SUCCESS
        assert read.tx_hashes == sample["txHashes"]
        assert read.in_tx_hashes == sample["inTxHashes"]


def test_every_published_error_is_known() -> None:
    for sample in published(HERE, "handling-errors_*", "error_*", "solana_2").values():
        assert ErrorAnswer.model_validate(sample).error_code in ERRORS.meanings
