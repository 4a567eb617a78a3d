"""The judge of requests: what no document has, and what nobody handled, is told; and bytes are malformed by a seed."""

from random import Random

import pytest

from chaos.rows.requests import malformed, status_faults, unhandled


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        (b"", 0),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 0),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", 0),
        (b"HTTP/1.1 500 Internal Server Error\r\n\r\n", 1),
        (b"HTTP/1.1 599 x\r\n\r\n", 1),
        (b"<html>", 1),
    ],
)
def test_a_server_error_that_is_not_documented_is_told(answer: bytes, count: int) -> None:
    assert len(status_faults(b"GET", answer)) == count


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('{"event": "ready"}', 0),
        ('{"event": "a request failed unexpectedly", "level": "error"}', 1),
        ("Task exception was never retrieved", 1),
        ("Traceback (most recent call last):", 1),
    ],
)
def test_an_exception_that_nobody_handled_is_told(line: str, count: int) -> None:
    assert len(unhandled([("log", f"a\n{line}\nb")])) == count


def test_the_same_seed_makes_the_same_faults() -> None:
    first, again, other = ([malformed(Random(seed)) for _ in range(3)] for seed in (1, 1, 2))
    assert first == again != other
