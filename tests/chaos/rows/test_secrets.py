"""The judge of secrets finds one in any form, and what tells a foreign record from none."""

from dataclasses import replace
from random import Random

import pytest

from chaos.questions import Reply
from chaos.rows.secrets import Secret, faults_of, leaks, told_apart

SECRETS = [Secret("node key", "Node-Key-1"), Secret("own key", "ab" * 16, "table service_secrets")]
UNKNOWN = Reply(404, {"message": "no transaction 0x02", "timestamp": 2}, {"date": "x"})
FOREIGN = Reply(404, {"message": "no transaction 0x01", "timestamp": 1}, {"date": "x"})
OWN = Reply(200, {}, {})


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (("log", "nothing"), []),
        (("log", "rpc http://x/?key=node-key-1 failed"), ["node key in log"]),
        (("table prices", f"\\x{b'Node-Key-1'.hex()}"), ["node key in table prices"]),
        (("table service_secrets", "ab" * 16), []),
        (("table service_secrets", "Node-Key-1"), ["node key in table service_secrets"]),
        (("GET /v1/chains", "AB" * 16), ["own key in GET /v1/chains"]),
    ],
)
def test_a_secret_is_found_wherever_it_must_not_be(page: tuple[str, str], found: list[str]) -> None:
    assert leaks([page], SECRETS) == found


@pytest.mark.parametrize(
    ("own", "foreign", "count"),
    [
        (OWN, FOREIGN, 0),
        (replace(OWN, status=404), FOREIGN, 1),
        (OWN, replace(FOREIGN, status=403), 1),
        (OWN, replace(FOREIGN, body={"message": "not yours", "timestamp": 1}), 1),
        (OWN, replace(FOREIGN, headers={"date": "x", "etag": "y"}), 1),
    ],
)
def test_a_foreign_record_looks_like_none(own: Reply, foreign: Reply, count: int) -> None:
    assert len(faults_of(own, foreign, UNKNOWN, ("0x01", "0x02"))) == count


@pytest.mark.parametrize(("slower", "apart"), [(1.0, False), (1.6, False), (2.5, True), (0.3, True)])
def test_times_are_told_apart_by_a_large_ratio_only(slower: float, apart: bool) -> None:
    chance = Random(3)
    unknown = [chance.uniform(1, 2) for _ in range(120)]
    assert told_apart([each * slower for each in unknown], unknown) is apart


def test_a_machine_that_is_busy_for_a_while_tells_nothing_apart() -> None:
    unknown = [1.0] * 120
    assert not told_apart([9.0] * 40 + [1.0] * 80, unknown)
