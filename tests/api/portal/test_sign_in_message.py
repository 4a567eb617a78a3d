"""Sign-in messages: what is written is read back, and nothing else is read at all."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rhumbline.api.portal.sign_in_message import LIFE, Expected, SignInMessage, message_faults, read_message
from rhumbline.gateways.evm.address import checksummed

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MESSAGE = SignInMessage(
    "swap.example:8700",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "Sign in to the portal.",
    "https://swap.example:8700/portal",
    1,
    "0123456789abcdef0123456789abcdef",
    NOW,
    NOW + LIFE,
)
EXPECTED = Expected(MESSAGE.domain, MESSAGE.uri, MESSAGE.statement, (1, 10), NOW)
moments = st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
messages = st.builds(
    SignInMessage,
    domain=st.from_regex(r"[a-z0-9.:-]{1,60}", fullmatch=True),
    address=st.binary(min_size=20, max_size=20).map(checksummed),
    statement=st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=200),
    uri=st.from_regex(r"https://[!-~]{1,60}", fullmatch=True),
    chain_id=st.integers(1, 10**15),
    nonce=st.from_regex(r"[A-Za-z0-9]{8,64}", fullmatch=True),
    issued_at=moments,
    expires_at=moments,
)


@given(messages)
def test_what_is_written_is_read(message: SignInMessage) -> None:
    assert read_message(message.written()) == message


@given(st.text())
@example(MESSAGE.written() + "\n")
@example(MESSAGE.written().replace("\n", "\r\n"))
@example("https://" + MESSAGE.written())
@example(MESSAGE.written() + "\nNot Before: 2026-11-21T12:00:00Z")
@example(MESSAGE.written() + "\nRequest ID: 1")
@example(MESSAGE.written() + "\nResources:\n- https://elsewhere.example")
@example(MESSAGE.written().replace("Version: 1", "Version: 2"))
@example(MESSAGE.written().replace("Chain ID: 1", "Chain ID: 0x1"))
@example(MESSAGE.written().replace("Chain ID: 1", "Chain ID: 01"))
@example(MESSAGE.written().replace("Chain ID: 1", "Chain ID: ١"))
@example(MESSAGE.written().replace("0x5aAe", "0x5aae"))
@example(MESSAGE.written().replace("12:00:00Z", "12:00:00+00:00"))
@example(MESSAGE.written().replace("12:00:00Z", "12:00:00.000Z"))
@example(MESSAGE.written().replace("2026-11-21", "2026-02-30"))
@example(MESSAGE.written().replace("Sign in to", "Sign in\nto"))
@example(MESSAGE.written().replace("swap.example", "swap.ехample"))
@example(MESSAGE.written().replace("Nonce: ", "Nonce:  "))
@example(MESSAGE.written().replace("0123", "01'3"))
@example(MESSAGE.written() * 30)
def test_what_the_writer_would_not_write_is_not_read(text: str) -> None:
    assert read_message(text) is None


def test_a_message_in_order_has_no_fault() -> None:
    assert message_faults(MESSAGE, EXPECTED) == ()
    assert message_faults(MESSAGE, replace(EXPECTED, now=NOW + LIFE - timedelta(seconds=1))) == ()
    assert message_faults(MESSAGE, replace(EXPECTED, now=NOW - timedelta(seconds=59))) == ()


@pytest.mark.parametrize(
    ("changed", "at", "says"),
    [
        (replace(MESSAGE, domain="swap.example.evil.example"), NOW, "swap.example.evil.example"),
        (replace(MESSAGE, uri="https://swap.example/other"), NOW, "another address"),
        (replace(MESSAGE, chain_id=56), NOW, "chain 56"),
        (replace(MESSAGE, statement="Set the EVM fee wallet."), NOW, "something else"),
        (MESSAGE, NOW - timedelta(minutes=2), "future"),
        (MESSAGE, NOW + LIFE, "expired"),
        (replace(MESSAGE, expires_at=NOW + timedelta(days=365)), NOW, "expired"),
    ],
)
def test_each_fault_is_said(changed: SignInMessage, at: datetime, says: str) -> None:
    faults = message_faults(changed, replace(EXPECTED, now=at))
    assert len(faults) == 1
    assert says in faults[0]
