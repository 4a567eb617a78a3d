"""`rhumbline rescan` on the command line; what it reads is tested with the chains."""

import pytest

from rhumbline.app.commands.rescan import summary
from rhumbline.tracking.rescan import Rescanned
from tests.app.conftest import Command


def test_a_chain_without_an_endpoint_is_named(rhumbline: Command) -> None:
    ran = rhumbline("rescan", "--chain", "nowhere", "--from", "1")
    assert ran.code == 1
    assert "--chain: no chain 'nowhere' has an endpoint; there are: none" in ran.err


@pytest.mark.parametrize(
    ("done", "lines"),
    [
        (Rescanned(1, 10, found=3, added=1), ["base: 1 to 10 (10) read, 3 records found, 1 added"]),
        (
            Rescanned(5, 5, unknown=2, unread=1),
            [
                "base: 5 to 5 (1) read, 0 records found, 0 added",
                "2 more are unknown (QUOTE_LOST): what was handed out for them is not in the store",
                "1 transactions are shown by no node; the service goes on asking for them",
            ],
        ),
    ],
)
def test_it_says_what_was_found(done: Rescanned, lines: list[str]) -> None:
    assert summary("base", done).splitlines() == lines
