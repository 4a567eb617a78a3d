"""Names and reasons that can be kept and shown in one line."""

import pytest

from rhumbline.domain.operator import operator_faults


@pytest.mark.parametrize(
    ("name", "reason", "public", "faults"),
    [
        ("alice", "x" * 200, False, []),
        ("a" * 64, None, False, []),
        ("alice", "x" * 201, False, ["reason: has 201 characters; at most 200"]),
        ("alice", "x" * 101, True, ["reason: has 101 characters; at most 100"]),
        (" ", "", False, ["by: is empty", "reason: is empty"]),
        ("a" * 65, "two\nlines", False, ["by: has 65", "reason: has a character that cannot be printed"]),
    ],
)
def test_each_fault_is_named(name: str, reason: str | None, public: bool, faults: list[str]) -> None:
    found = operator_faults(name, reason, public=public)
    assert len(found) == len(faults)
    assert all(text.startswith(fault) for text, fault in zip(found, faults, strict=True))
