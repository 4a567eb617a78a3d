"""A seeded sample of the campaign of events: some transfers, a receiver that fails, and PostgreSQL killed meanwhile.

The judge is tested as well: it misses nothing that is amiss.
"""

import base64
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chaos.push_campaign import Event, PushPlan, Records, ended_amiss, never_told, push_campaign, told_amiss
from chaos.push_clients import HeardEvent, verifies
from chaos.push_transfers import SentTransfer
from chaos.rows.kills import result_of
from chaos.service_world import running_service_world

PLAN = PushPlan(
    seed=3, transfers=4, kills=1, fails_s=2.0, bridges=("ACROSS", "RELAY"), things=("store",), late=True, workers=1
)  # fmt: skip
EVENTS: list[Event] = [
    (1, "transaction.seen", "a"), (3, "transaction.seen", "b"), (4, "transaction.final", "a"),
    (9, "transaction.final", "b"),
]  # fmt: skip
CAME = [HeardEvent(number, kind, subject, "success", 0.0) for number, kind, subject in EVENTS]
OPEN = HeardEvent(10, "transaction.seen", "c", "bridge_pending", 0.0)
SENT = [SentTransfer(name, "RELAY", "here to there", "deliver") for name in "ab"]
RECORDS: Records = {name: [("success", True)] for name in "ab"}


async def test_every_event_is_told_though_the_store_is_killed_and_the_receiver_fails(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    async with running_service_world(tmp_path, PLAN.workers) as world, push_campaign(PLAN, world) as running:
        verdict = await running.run()
    result = result_of(running, verdict)
    assert result.is_good, list(result.faults())
    assert sum(verdict.sent.values()) == PLAN.transfers
    assert running.done["store"] == 1
    assert running.receiver.refused
    assert verdict.events == len(running.receiver.taken) == len(running.reader.came) >= 2 * PLAN.transfers


@pytest.mark.parametrize(
    ("came", "fault"),
    [
        (CAME, None),
        ([CAME[1], CAME[0], CAME[3], CAME[2]], None),
        (CAME[:-1], "never told 9"),
        (CAME[1:], "never told 1"),
        ([CAME[2], CAME[0], CAME[1], CAME[3]], "after 4"),
        ([*CAME, CAME[0]], "after 4"),
        ([*CAME, replace(CAME[0], number=10)], "which there is not"),
        ([replace(CAME[0], subject="b"), *CAME[1:]], "which there is not"),
    ],
)
def test_what_a_client_was_not_told_rightly_is_named(came: Sequence[HeardEvent], fault: str | None) -> None:
    """Events of two transactions may come in any order."""
    found = [*never_told("client", EVENTS, came), *told_amiss("client", EVENTS, came)]
    assert bool(found) is (fault is not None)
    assert fault is None or any(fault in each for each in found)


@pytest.mark.parametrize(
    ("records", "came", "count"),
    [
        (RECORDS, CAME, 0),
        ({"a": [("success", True)]}, CAME, 0),
        ({**RECORDS, "b": [("bridge_pending", False)]}, CAME, 1),
        ({**RECORDS, "b": [("refunded", True)]}, CAME, 1),
        (
            {**RECORDS, "c": [("bridge_pending", False)]},
            [*CAME, HeardEvent(10, "transaction.seen", "c", "bridge_pending", 0.0)],
            0,
        ),
        ({**RECORDS, "c": [("bridge_pending", False)]}, CAME, 1),
        (RECORDS, CAME[2:], 2),
        (RECORDS, CAME[:2], 2),
        (RECORDS, [], 2),
    ],
)
def test_a_transfer_that_ended_otherwise_than_told_is_named(
    records: Records, came: Sequence[HeardEvent], count: int
) -> None:
    kept = [SentTransfer("c", "ACROSS", "here to there", "fail")] if "c" in records else []
    assert len(list(ended_amiss([*SENT, *kept], records, came))) == count


def test_a_signature_is_checked_by_hand() -> None:
    secret, body = "whsec_" + base64.b64encode(b"k" * 32).decode(), b'{"a":1}'
    made = base64.b64encode(hmac.digest(b"k" * 32, b"msg_1.1000." + body, hashlib.sha256)).decode()
    headers = {"webhook-id": "msg_1", "webhook-timestamp": "1000", "webhook-signature": f"v1,AAAA v1,{made}"}
    assert verifies(secret, headers, body, 1010)
    assert not verifies(secret, headers, body + b" ", 1010)
    assert not verifies(secret, {**headers, "webhook-id": "msg_2"}, body, 1010)
    assert not verifies(secret, {**headers, "webhook-timestamp": "1001"}, body, 1010)
    assert not verifies(secret, headers, body, 1400)
    assert not verifies(secret, {**headers, "webhook-signature": f"v2,{made}"}, body, 1010)
