"""The frame around an emulator: what it notes, how it is switched, and how documented failures are answered."""

from collections.abc import Mapping

import aiohttp
import pytest
from yarl import URL

from rhumbline.devnet.upstreams.behaviour import Behaviour, Fault, Lie, Outcome
from rhumbline.devnet.upstreams.server import CONTROL
from tests.devnet.upstreams.sample_upstream import KEY, SampleUpstream


async def asked(
    method: str, url: str, body: object = None, headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, object], Mapping[str, str]]:
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, URL(url, encoded=True), json=body, headers=headers) as response,
    ):
        return response.status, await response.json(), response.headers


async def test_requests_are_noted_as_they_came(sample: SampleUpstream) -> None:
    await asked("POST", sample.url + "/swap?b=2&a=%2F&a=1", {"chain": 1}, {"X-Key": "wrong"})
    (request,) = sample.requests
    assert (request.method, request.path, request.query) == ("POST", "/swap", (("b", "2"), ("a", "/"), ("a", "1")))
    assert (request.body, request.raw, request.target) == ({"chain": 1}, b'{"chain": 1}', "/swap?b=2&a=%2F&a=1")
    assert request.headers["x-key"] == "wrong"


async def test_a_handler_fails_by_a_documented_name(sample: SampleUpstream) -> None:
    status, body, _ = await asked("POST", sample.url + "/swap", {})
    assert (status, body) == (401, {"error": "no key"})
    status, body, headers = await asked("POST", sample.url + "/swap", {}, {"x-key": KEY})
    assert (status, body, headers["x-reason"]) == (404, {"error": "bad request"}, "liquidity")


async def test_a_forced_failure_is_answered_where_it_belongs(sample: SampleUpstream) -> None:
    sample.behaviour = Behaviour(failure="no_pool")
    assert (await asked("GET", sample.url + "/facts"))[:2] == (404, {"error": "no pool"})
    sample.behaviour = Behaviour(failure="unknown")
    assert (await asked("GET", sample.url + "/facts"))[0] == 200
    assert (await asked("GET", sample.url + "/status"))[:2] == (404, {"error": "unknown reference"})


async def test_a_fault_spoils_a_failure_too(sample: SampleUpstream) -> None:
    sample.behaviour = Behaviour(failure="no_pool", fault=Fault.SERVER_ERROR)
    assert (await asked("GET", sample.url + "/facts"))[0] == 500


async def test_a_program_of_any_kind_switches_the_behaviour(sample: SampleUpstream) -> None:
    wanted = {
        "fault": "late",
        "lie": "worse_output",
        "failure": "no_key",
        "delay_s": 0.5,
        "outcome": "refund",
        "status": "done",
    }
    status, said, _ = await asked("POST", sample.url + CONTROL, wanted)
    assert (status, said["behaviour"]) == (200, wanted)
    assert sample.behaviour == Behaviour(Fault.LATE, Lie.WORSE_OUTPUT, "no_key", 0.5, Outcome.REFUND, "done")
    assert said["failures"] == ["no_key", "no_pool", "unknown"]
    assert (said["key"], said["statuses"], said["requests"]) == ("SAMPLE", ["waiting", "done", "back", "broken"], 0)
    assert said["lies"] == ["other_receiver", "worse_output"]
    assert (await asked("POST", sample.url + CONTROL, {}))[0] == 200
    assert sample.behaviour == Behaviour(), "an absent key is its default"
    assert sample.requests == []


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"faults": "late"},
        {"fault": "lately"},
        {"lie": "white"},
        {"failure": "other"},
        {"status": 1},
        {"delay_s": -1},
        {"delay_s": True},
        {"delay_s": "1"},
        {"outcome": None},
    ],
)
async def test_a_wrong_switch_is_refused_and_changes_nothing(sample: SampleUpstream, wrong: object) -> None:
    sample.behaviour = Behaviour(lie=Lie.OTHER_RECEIVER)
    status, said, _ = await asked("POST", sample.url + CONTROL, wrong)
    assert status == 400
    assert said["error"]
    assert sample.behaviour == Behaviour(lie=Lie.OTHER_RECEIVER)


async def test_an_unknown_path_is_not_found_and_noted(sample: SampleUpstream) -> None:
    async with aiohttp.ClientSession() as session, session.get(sample.url + "/nothing") as response:
        assert response.status == 404
    assert [request.path for request in sample.requests] == ["/nothing"]
