"""How records lie in the store: as earlier versions wrote them, and whatever else is there holds up nobody."""

from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy.engine.default import DefaultDialect

from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.tracking import (
    RecordAmount,
    RouteType,
    StatusSource,
    TransferState,
    TransferTerms,
    UncheckedFee,
    Unreadable,
)
from rhumbline.tracking.columns import (
    AMOUNT,
    DEPOSIT,
    DESTINATION_CALL,
    FEE,
    ROUTE_TYPE,
    STATUS,
    STATUS_SOURCE,
    TERMS,
    JsonColumn,
)

DIALECT = DefaultDialect()
PATTERN = LogPattern("0xe", (b"\xff" * 32, None), {3: b"\x01"}, 2)
SPELLED = {"emitter": "0xe", "topics": ["ff" * 32, None], "words": {"3": "01"}, "amount_at": 2}
PLAIN = {
    "adapter": "A", "receiver": "r", "sent_token": "s", "sent_amount": str(2**255), "output_token": "o",
    "min_output": "7", "reference": None,
}  # fmt: skip
CALL = DestinationCall("p", "t", 2**255, b"\x00\xff")
SPELLED_CALL = {"payee": "p", "token": "t", "least": str(2**255), "message": "00ff"}
TERMS_OF_PLAIN = TransferTerms("A", "r", "s", 2**255, "o", 7, None)


@pytest.mark.parametrize(
    ("column", "value", "stored"),
    [
        (AMOUNT, RecordAmount("0x1", 2**256 - 1), {"address": "0x1", "raw": str(2**256 - 1)}),
        (
            AMOUNT,
            RecordAmount("0x1", 5, "T", 0, Decimal("0.100000")),
            {"address": "0x1", "raw": "5", "symbol": "T", "decimals": 0, "usd": "0.100000"},
        ),
        (FEE, UncheckedFee("0x1", (("0xa", 5), ("0xb", 6))), {"address": "0x1", "paid": [["0xa", "5"], ["0xb", "6"]]}),
        (FEE, RecordAmount("0x1", 5), {"address": "0x1", "raw": "5"}),
        (
            DEPOSIT,
            BridgeDeposit("t", 9, ("h",), PATTERN, swapped=True),
            {"token": "t", "least": "9", "holders": ["h"], "swapped": True, "log": SPELLED},
        ),
        (
            DEPOSIT,
            BridgeDeposit("t", 9, (), LogPattern("0xe", ())),
            {
                "token": "t", "least": "9", "holders": [], "swapped": False,
                "log": {"emitter": "0xe", "topics": [], "words": {}, "amount_at": None},
            },
        ),
        (TERMS, TERMS_OF_PLAIN, PLAIN | {"claimed": False}),
        (
            TERMS,
            TransferTerms("A", "r", "s", 2**255, "o", 7, "d", claimed=True),
            PLAIN | {"reference": "d", "claimed": True},
        ),
        (
            TERMS,
            TransferTerms("A", "r", "s", 2**255, "o", 7, None, deposit=BridgeDeposit("t", 9, ("h",))),
            PLAIN | {
                "claimed": False,
                "deposit": {"token": "t", "least": "9", "holders": ["h"], "swapped": False, "log": None},
            },
        ),
        (DESTINATION_CALL, CALL, SPELLED_CALL),
        (
            TERMS,
            TransferTerms("A", "r", "s", 2**255, "o", 7, None, destination_call=CALL),
            PLAIN | {"claimed": False, "destination_call": SPELLED_CALL},
        ),
    ],
)  # fmt: skip
def test_values_are_stored_as_they_ever_were(column: JsonColumn[Any], value: object, stored: object) -> None:
    assert column.process_bind_param(value, DIALECT) == stored
    assert column.process_result_value(stored, DIALECT) == value


def test_terms_of_an_earlier_version_are_read() -> None:
    assert TERMS.process_result_value(PLAIN, DIALECT) == TERMS_OF_PLAIN


@pytest.mark.parametrize("column", [AMOUNT, FEE, TERMS, DEPOSIT, DESTINATION_CALL])
def test_null_is_none(column: JsonColumn[Any]) -> None:
    assert column.process_bind_param(None, DIALECT) is None
    assert column.process_result_value(None, DIALECT) is None


@pytest.mark.parametrize(
    "stored",
    [
        7, "", [], {}, {"address": "0x1"}, {"raw": "5"}, {"address": 1, "raw": "5"}, {"address": "0x1", "raw": "five"},
        {"address": "0x1", "raw": None}, {"address": "0x1", "raw": 1.5}, {"address": "0x1", "raw": "9" * 5000},
        {"address": "0x1", "raw": "5", "decimals": "x"}, {"address": "0x1", "raw": "5", "usd": "NaN"},
        {"address": "0x1", "paid": 5}, {"address": "0x1", "paid": [["0xa"]]}, {"paid": []},
        {"address": "0x1", "paid": [["0xa", "x"]]},
    ],
)  # fmt: skip
def test_an_amount_that_is_none_is_not_known(stored: object) -> None:
    assert AMOUNT.process_result_value(stored, DIALECT) is None
    assert FEE.process_result_value(stored, DIALECT) is None


@pytest.mark.parametrize(
    "change",
    [
        *({name: None} for name in PLAIN if name != "reference"), {"sent_amount": "x"}, {"reference": 5},
        {"deposit": 5}, {"deposit": {}}, {"deposit": {"token": "t", "least": "9", "holders": ["h"], "swapped": False}},
        {"deposit": {"token": "t", "least": "x", "holders": [], "swapped": False, "log": None}},
        {"deposit": {"token": "t", "least": "9", "holders": [], "swapped": False, "log": SPELLED | {"words": []}}},
        {"deposit": {"token": "t", "least": "9", "holders": [], "swapped": False, "log": SPELLED | {"topics": ["x"]}}},
        {"destination_call": 5}, {"destination_call": {}}, {"destination_call": SPELLED_CALL | {"message": "0x"}},
        {"destination_call": SPELLED_CALL | {"message": None}}, {"destination_call": SPELLED_CALL | {"least": "x"}},
        {"destination_call": {name: value for name, value in SPELLED_CALL.items() if name != "payee"}},
    ],
)  # fmt: skip
def test_terms_that_are_none_are_said_to_be(change: dict[str, object]) -> None:
    found = TERMS.process_result_value(PLAIN | change, DIALECT)
    assert found == Unreadable()
    with pytest.raises(ValueError, match="not written"):
        TERMS.process_bind_param(found, DIALECT)
    if change.get("deposit") is not None:
        # To have none where one was kept would let anything pass.
        with pytest.raises((AttributeError, KeyError, TypeError, ValueError)):
            DEPOSIT.process_result_value(change["deposit"], DIALECT)
    if change.get("destination_call") is not None:
        with pytest.raises((AttributeError, KeyError, TypeError, ValueError)):
            DESTINATION_CALL.process_result_value(change["destination_call"], DIALECT)


def test_a_state_of_another_version_is_unknown() -> None:
    assert STATUS.process_result_value("success", DIALECT) is TransferState.SUCCESS
    for column, unknown in (
        (STATUS, TransferState.UNKNOWN), (STATUS_SOURCE, StatusSource.UNKNOWN), (ROUTE_TYPE, RouteType.UNKNOWN),
    ):  # fmt: skip
        for told in ("teleported", "", None):
            assert column.process_result_value(told, DIALECT) is unknown
