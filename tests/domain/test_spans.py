"""Spans nest as the work does, say how it ended, and are nothing outside of a trace."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from rhumbline.domain.spans import NO_SPAN, Attribute, OpenSpan, SpanKind, span


@dataclass
class Recorded:
    """A recorder that keeps what it is told; it has room for so many parts."""

    called: str
    room: int = 100
    trace_id: str = "ab"
    parts: list["Recorded"] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    fault: str | None = None
    has_ended: bool = False

    def name(self, name: str, /) -> None:
        self.called = name

    def note(self, name: str, value: Attribute, /) -> None:
        self.attributes[name] = value

    def fail(self, why: str, /) -> None:
        self.fault = why

    def child(self, name: str, kind: SpanKind, /) -> "Recorded | None":
        if len(self.parts) == self.room:
            return None
        self.parts.append(Recorded(name))
        return self.parts[-1]

    def end(self) -> None:
        self.has_ended = True


async def work(result: int) -> int:
    with span("work"), span("part", size=result):
        await asyncio.sleep(0)
    return result


async def test_spans_nest_also_in_tasks() -> None:
    first = Recorded("first")
    with OpenSpan(first) as present:
        assert present is first
        assert sum(await asyncio.gather(work(1), asyncio.create_task(work(2)))) == 3
        assert not first.has_ended
    assert first.has_ended
    assert [each.called for each in first.parts] == ["work", "work"]
    assert sorted(part.attributes["size"] for each in first.parts for part in each.parts) == [1, 2]
    assert all(each.has_ended and each.parts[0].has_ended for each in first.parts)
    assert span("later") is NO_SPAN


async def test_without_a_trace_a_span_is_always_the_same_nothing() -> None:
    assert span("a", SpanKind.CLIENT, size=1) is NO_SPAN
    with span("a") as present:
        assert present is None
        assert span("within") is NO_SPAN
    assert await work(3) == 3


async def test_an_error_marks_the_spans_that_it_leaves_and_no_words_of_it_are_kept() -> None:
    first = Recorded("first")
    with OpenSpan(first):
        with pytest.raises(ValueError, match="secret"), span("outer"), span("inner"):
            raise ValueError("secret")
        with span("sound"):
            pass
    outer, sound = first.parts
    assert (outer.fault, outer.parts[0].fault, sound.fault, first.fault) == ("ValueError", "ValueError", None, None)


async def test_work_that_nobody_waits_for_is_cancelled_and_not_failed() -> None:
    first = Recorded("first")
    with OpenSpan(first):
        task = asyncio.create_task(work(1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    (part,) = first.parts
    assert part.has_ended
    assert (part.attributes, part.fault) == ({"cancelled": True}, None)


async def test_a_trace_that_is_full_records_no_more() -> None:
    first = Recorded("first", room=1)
    with OpenSpan(first):
        assert span("one", size=1) is not NO_SPAN
        assert span("two") is NO_SPAN
