"""Amounts of records: whole or absent, and called what the lists call their tokens now."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.token import Token
from rhumbline.domain.tracking import FeeSighting, RecordAmount, TokenAmount
from rhumbline.tracking.amounts import checked_fee, token_amount, unchecked_fee, with_token
from rhumbline.tracking.columns import AMOUNT
from tests.tracking.test_records import OTHER, SENDER


def nothing(chain_id: int, address: str) -> None:
    """The lists of somebody who has none."""


@given(st.lists(st.tuples(st.sampled_from([SENDER, OTHER]), st.integers(1, 2**256 - 1)), max_size=5))
def test_fees_count_where_they_went_to_the_wallet(payments: list[tuple[str, int]]) -> None:
    fees = [FeeSighting("integrator", recipient, OTHER, amount) for recipient, amount in payments]
    column = unchecked_fee("integrator", [*fees, FeeSighting("service", OTHER, OTHER, 5)])
    if not payments:
        assert column is None
        return
    assert column is not None
    assert token_amount(column, 1, nothing) is None
    total = sum(amount for recipient, amount in payments if recipient == OTHER)
    assert checked_fee(column, OTHER) == (RecordAmount(OTHER, total) if total else None)
    assert checked_fee(column, None) is None


@given(st.integers(0, 2**256 - 1), st.integers(0, 255))
def test_an_amount_is_whole_or_absent(raw: int, decimals: int) -> None:
    column = RecordAmount(OTHER, raw)
    assert token_amount(column, 1, nothing) is None
    token = Token(1, OTHER, "T", decimals, "Token")
    complete = with_token(column, token)
    assert token_amount(complete, 1, lambda *_: token) == TokenAmount(1, OTHER, "T", decimals, raw, None)
    assert token_amount(complete, None, lambda *_: token) is None
    assert token_amount(None, 1, lambda *_: token) is None


@given(st.text(), st.integers(0, 255), st.integers(0, 2**256 - 1))
def test_a_token_on_no_list_is_its_address_whatever_it_calls_itself(name: str, decimals: int, raw: int) -> None:
    column = with_token(RecordAmount(OTHER, raw), Token(1, OTHER, name, decimals, name, listed=False))
    assert column.symbol == OTHER
    kept = replace(column, symbol=name, usd=Decimal(1_000_000))
    assert token_amount(kept, 1, nothing) == TokenAmount(1, OTHER, OTHER, decimals, raw, None)


def test_a_listed_token_is_called_what_the_lists_call_it_now() -> None:
    """Its decimals are the lists' as well: what was read of the contract before it was listed may be anything."""
    listed = Token(1, OTHER, "USDC", 6, "USD Coin")
    told = AMOUNT.parse({"address": OTHER, "raw": "7", "symbol": OTHER, "decimals": 18, "usd": "1.5"})
    assert token_amount(told, 1, lambda *_: listed) == TokenAmount(1, OTHER, "USDC", 6, 7, Decimal("1.5"))
