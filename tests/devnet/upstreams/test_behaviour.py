"""Each fault does to an answer what it says, as a client of any kind sees it, and our own client survives it."""

import json
import time

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.upstreams.behaviour import Behaviour, Fault
from rhumbline.devnet.upstreams.faults import FOREIGN_HOST, HUGE_BYTES, RETRY_AFTER_S, rewritten, with_duplicate_keys
from rhumbline.gateways.upstreams.upstream import (
    UpstreamError,
    UpstreamGarbled,
    UpstreamRefused,
    UpstreamSilent,
    open_upstream,
)
from tests.devnet.upstreams.sample_upstream import SampleUpstream

FACTS = {"amount": "123456789", "number": 55555, "small": 12, "word": 'a "12345" b', "12345": [{"a": 1}]}
REWRITING = (Fault.FLOATS, Fault.OVERFLOW, Fault.NEGATIVE)


async def fetched(sample: SampleUpstream, fault: Fault, delay_s: float = 0.0) -> tuple[int, dict[str, str], bytes]:
    sample.behaviour = Behaviour(fault=fault, delay_s=delay_s)
    async with (
        aiohttp.ClientSession() as session,
        session.get(sample.url + "/facts", allow_redirects=False) as response,
    ):
        return response.status, {key.lower(): value for key, value in response.headers.items()}, await response.read()


async def test_without_a_fault_the_answer_is_what_was_answered(sample: SampleUpstream) -> None:
    status, headers, body = await fetched(sample, Fault.NONE)
    assert (status, headers["content-type"].split(";")[0], json.loads(body)) == (200, "application/json", FACTS)


async def test_late_is_sound(sample: SampleUpstream) -> None:
    begun = time.monotonic()
    status, _, body = await fetched(sample, Fault.LATE, 0.2)
    assert time.monotonic() - begun >= 0.2
    assert (status, json.loads(body)) == (200, FACTS)


async def test_never_is_silence_until_the_client_gives_up(sample: SampleUpstream) -> None:
    sample.behaviour = Behaviour(fault=Fault.NEVER)
    async with open_upstream("sample", sample.url, timeout_s=0.2) as upstream:
        with pytest.raises(UpstreamSilent):
            await upstream.get("/facts")
    assert [request.path for request in sample.requests] == ["/facts"]


async def test_half_promises_the_whole(sample: SampleUpstream) -> None:
    with pytest.raises(aiohttp.ClientPayloadError):
        await fetched(sample, Fault.HALF)


async def test_huge_is_sound_json_for_whoever_reads_it_all(sample: SampleUpstream) -> None:
    status, _, body = await fetched(sample, Fault.HUGE)
    assert status == 200
    assert len(body) > HUGE_BYTES
    assert json.loads(body) == FACTS


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault.RATE_LIMITED, 429),
        (Fault.RATE_LIMITED_RETRY_AFTER, 429),
        (Fault.SERVER_ERROR, 500),
        (Fault.ERROR_IN_200, 200),
        (Fault.REDIRECT, 302),
        (Fault.HTML, 200),
        (Fault.EMPTY, 200),
        (Fault.NOT_JSON, 200),
        (Fault.INVALID_UTF8, 200),
    ],
)
async def test_answers_that_are_none(sample: SampleUpstream, fault: Fault, expected: int) -> None:
    status, headers, body = await fetched(sample, fault)
    assert status == expected
    assert headers.get("retry-after") == (str(RETRY_AFTER_S) if fault is Fault.RATE_LIMITED_RETRY_AFTER else None)
    assert headers.get("location") == (FOREIGN_HOST + "/facts" if fault is Fault.REDIRECT else None)
    assert ("html" in headers.get("content-type", "")) == (fault is Fault.HTML)
    if fault in (Fault.HTML, Fault.EMPTY, Fault.NOT_JSON, Fault.INVALID_UTF8):
        with pytest.raises(ValueError, match=r".*"):
            json.loads(body)
    if fault is Fault.ERROR_IN_200:
        assert "error" in json.loads(body)


async def test_rewriting_spoils_amounts_alone(sample: SampleUpstream) -> None:
    spoilt = {}
    for fault in REWRITING:
        _, _, body = await fetched(sample, fault)
        spoilt[fault] = json.loads(body)
    untouched = {key: FACTS[key] for key in ("small", "word", "12345")}
    assert spoilt[Fault.FLOATS] == {**untouched, "amount": 123456789.5, "number": 55555.5}
    assert spoilt[Fault.NEGATIVE] == {**untouched, "amount": "-123456789", "number": -55555}
    assert spoilt[Fault.OVERFLOW] == {**untouched, "amount": str(2**256 + 123456789), "number": 2**256 + 55555}


async def test_duplicate_keys_are_in_every_object(sample: SampleUpstream) -> None:
    _, _, body = await fetched(sample, Fault.DUPLICATE_KEYS)
    assert json.loads(body) == FACTS, "whoever takes the last of two notices nothing"
    objects: list[list[str]] = []
    json.loads(body, object_pairs_hook=lambda pairs: objects.append([key for key, _ in pairs]))
    assert sorted(keys[:2] for keys in objects) == [["a", "a"], ["amount", "amount"]]


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in (Fault.NONE, Fault.LATE, *REWRITING)])
async def test_no_fault_is_taken_for_an_answer_by_our_client(sample: SampleUpstream, fault: Fault) -> None:
    sample.behaviour = Behaviour(fault=fault)
    async with open_upstream("sample", sample.url, timeout_s=1.0, largest_bytes=1024 * 1024) as upstream:
        if fault is Fault.ERROR_IN_200:
            assert await upstream.get("/facts") != FACTS
            return
        with pytest.raises(UpstreamError) as caught:
            await upstream.get("/facts")
    kinds = {
        Fault.NEVER: UpstreamSilent,
        Fault.HALF: UpstreamSilent,
        Fault.RATE_LIMITED: UpstreamRefused,
        Fault.RATE_LIMITED_RETRY_AFTER: UpstreamRefused,
        Fault.SERVER_ERROR: UpstreamRefused,
    }
    assert type(caught.value) is kinds.get(fault, UpstreamGarbled)


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.integers(min_value=0).map(str),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def as_spoilt(document: object, fault: Fault) -> object:
    """The same, by walking the document instead of its text."""
    if isinstance(document, list):
        return [as_spoilt(item, fault) for item in document]
    if isinstance(document, dict):
        return {key: as_spoilt(item, fault) for key, item in document.items()}
    text = document if isinstance(document, str) else str(document)
    if isinstance(document, bool) or not (text.isascii() and text.isdigit() and len(text) >= 4):
        return document
    spoilt = int(text) + 2**256 if fault is Fault.OVERFLOW else None
    if isinstance(document, str):
        return str(spoilt) if spoilt is not None else f"-{text}"
    return spoilt if spoilt is not None else -int(text)


@given(DOCUMENTS, st.sampled_from((Fault.OVERFLOW, Fault.NEGATIVE)), st.booleans())
def test_rewriting_touches_amounts_wherever_they_are_and_nothing_else(
    document: object, fault: Fault, ascii_only: bool
) -> None:
    text = json.dumps(document, ensure_ascii=ascii_only)
    assert json.loads(rewritten(text, fault)) == as_spoilt(document, fault)


@given(DOCUMENTS)
def test_duplicate_keys_change_nothing_for_who_takes_the_last(document: object) -> None:
    assert json.loads(with_duplicate_keys(json.dumps(document))) == document
