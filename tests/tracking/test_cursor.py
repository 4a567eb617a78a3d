"""Cursors: opaque, unforgeable, bound to integrator and filters."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState
from rhumbline.tracking.cursor import ListPosition, check_agreement, open_cursor, seal_cursor

KEY, OLD_KEY = b"k" * 32, b"o" * 32
FILTERS = st.builds(
    TransactionFilter,
    status=st.none() | st.sampled_from(TransferState),
    route_type=st.none() | st.sampled_from(RouteType),
    origin_chain_id=st.none() | st.integers(0, 2**53),
    destination_chain_id=st.none() | st.integers(0, 2**53),
    sender=st.none() | st.sampled_from(["0x" + "aB" * 20, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"]),
    receiver=st.none() | st.sampled_from(["0x" + "aB" * 20, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"]),
    since=st.none() | st.datetimes(datetime(1970, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)),
    until=st.none() | st.datetimes(datetime(1970, 1, 1), datetime(9998, 1, 1), timezones=st.just(UTC)),
)
POSITIONS = st.builds(
    ListPosition,
    time=st.datetimes(datetime(1960, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)),
    id=st.uuids().map(str),
)
SEALED = seal_cursor(KEY, "acme", TransactionFilter(), ListPosition(datetime(2026, 11, 21, tzinfo=UTC), "an-id"))


def refused(keys: tuple[bytes, ...], integrator: str, cursor: str) -> bool:
    with pytest.raises(InvalidRequest) as caught:
        open_cursor(keys, integrator, cursor)
    return caught.value.faults[0].startswith("cursor:")


@given(FILTERS, POSITIONS)
def test_what_was_sealed_is_opened(kept: TransactionFilter, position: ListPosition) -> None:
    cursor = seal_cursor(KEY, "acme", kept, position)
    assert open_cursor((KEY,), "acme", cursor) == (kept, position)
    assert cursor.isascii()
    assert len(cursor) < 450


def test_a_cursor_from_before_there_were_wallets_and_times_is_opened_and_still_written() -> None:
    """Processes of two versions may run side by side."""
    assert SEALED == "hc9Z_-JhyHGPhoWjLTTb0FsxNzk1MjE5MjAwMDAwMDAwLCJhbi1pZCIsbnVsbCxudWxsLG51bGwsbnVsbF0"


def test_old_keys_open_and_unknown_ones_do_not() -> None:
    sealed = seal_cursor(OLD_KEY, "acme", TransactionFilter(), ListPosition(datetime(2026, 1, 1, tzinfo=UTC), "x"))
    assert open_cursor((KEY, OLD_KEY), "acme", sealed)[1].id == "x"
    assert refused((KEY,), "acme", sealed)


@pytest.mark.parametrize("integrator", ["acm", "acme2", "Acme", ""])
def test_a_cursor_serves_its_integrator_only(integrator: str) -> None:
    assert refused((KEY,), integrator, SEALED)


@given(st.integers(0, 8 * len(urlsafe_b64decode(SEALED + "==")) - 1))
def test_no_bit_can_be_changed(bit: int) -> None:
    raw = bytearray(urlsafe_b64decode(SEALED + "=="))
    raw[bit // 8] ^= 1 << bit % 8
    assert refused((KEY,), "acme", urlsafe_b64encode(raw).rstrip(b"=").decode())


@given(st.integers(0, len(SEALED) - 1), st.sampled_from("ABCxyz019-_=+/ \n"))
def test_no_letter_can_be_changed(place: int, letter: str) -> None:
    changed = SEALED[:place] + letter + SEALED[place + 1 :]
    if changed != SEALED:
        assert refused((KEY,), "acme", changed)


@pytest.mark.parametrize("text", ["", "=", "A", SEALED + "=", SEALED + "==", SEALED + " ", " " + SEALED, SEALED[:-1]])
def test_only_the_very_text_is_accepted(text: str) -> None:
    assert refused((KEY,), "acme", text)


@given(st.text(max_size=2000))
def test_any_other_text_is_refused(text: str) -> None:
    assert refused((KEY,), "acme", text)


@given(FILTERS, FILTERS)
def test_filters_agree_when_each_is_left_out_or_the_same(asked: TransactionFilter, kept: TransactionFilter) -> None:
    names = {"status": "status", "route_type": "routeType", "origin_chain_id": "sourceChainId"}
    names |= {"destination_chain_id": "destChainId", "sender": "senderAddress", "receiver": "receiverAddress"}
    names |= {"since": "since", "until": "until"}
    conflicts = [n for f, n in names.items() if getattr(asked, f) is not None and getattr(asked, f) != getattr(kept, f)]
    if not conflicts:
        check_agreement(asked, kept)
        return
    with pytest.raises(InvalidRequest) as caught:
        check_agreement(asked, kept)
    assert all(fault.startswith("cursor:") for fault in caught.value.faults)
    assert all(name in fault for name, fault in zip(conflicts, caught.value.faults, strict=True))


@given(FILTERS)
def test_a_cursor_alone_goes_on(kept: TransactionFilter) -> None:
    check_agreement(TransactionFilter(), kept)
    check_agreement(replace(kept), kept)
