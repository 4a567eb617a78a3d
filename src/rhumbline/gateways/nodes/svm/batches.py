"""Several calls of one method in one request, where a node takes such; many who sell access to nodes do not."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import msgspec
from msgspec.json import Decoder

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.json_rpc import Answer, AnswerTooLarge, UnexpectedAnswer
from rhumbline.gateways.nodes.svm.calls import NotNow, SvmCalls, call_body

T = TypeVar("T")
A = TypeVar("A")
Said: TypeAlias = A | NodeRefused | NodeUnavailable
"""What a call was answered, or what it raises."""
_TIMES_ONE = 4
"""A whole batch may have so many times the bytes that one answer may have."""
_AT_ONCE = 8


class _Numbered(msgspec.Struct):
    id: int


_NUMBER, _SEVERAL = Decoder(_Numbered), Decoder(list[msgspec.Raw])


@dataclass(frozen=True, slots=True)
class Method(Generic[T, A]):
    """One method by its name, and how the answer to a call of it is read (``SvmCalls.ask_whole``)."""

    name: str
    decoder: Decoder[Answer[T]]
    read: Callable[[bytes, T], A]
    largest_bytes: int


async def ask_several(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[Said[A]]:
    """Make calls with these parameters; raise NodeUnavailable where the node answers none of them.

    One whose batch has nothing but refusals, or is none, is asked for each by itself; if it answers that, it is known
    for a while to take no batches. So is each of a batch that is too large, from which nothing is learnt.
    """
    if rpc.endpoints is not None:
        return await rpc.endpoints.run(
            (method.name,) * len(params),
            lambda each, left_s: ask_several(each, method, params, left_s),
            timeout_s,
            lambda said: [(method.name, each) for each in said if isinstance(each, NodeRefused)],
        )
    refused = False
    if len(params) > 1 and not rpc.batching.is_refused:
        try:
            said = await _together(rpc, method, params, timeout_s)
            refused = all(isinstance(each, NodeRefused) for each in said)
            if not refused:
                return _answered(said)
        except AnswerTooLarge:
            pass
        except (NodeRefused, UnexpectedAnswer):
            refused = True
    said = await _each(rpc, method, params, timeout_s)
    if refused and not all(isinstance(each, NodeRefused | NodeUnavailable) for each in said):
        rpc.batching.refused()
    return _answered(said)


async def _together(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[Said[A]]:
    calls = [call_body(number, method.name, each) for number, each in enumerate(params)]
    status, body = await rpc.answered(method.name, calls, timeout_s, _TIMES_ONE * method.largest_bytes)
    try:
        answers = {_NUMBER.decode(each).id: bytes(each) for each in _SEVERAL.decode(body)}
    except (ValueError, RecursionError):
        try:
            rpc.make_sure_of_result(status, body)
        except NodeUnavailable as error:
            if isinstance(error, NotNow):
                raise
        raise UnexpectedAnswer(f"{rpc.name}: the node answered a batch with something else") from None
    said: list[Said[A]] = []
    for number in range(len(calls)):
        answer = answers.get(number, b"{}")
        try:
            if len(answer) > method.largest_bytes:
                raise AnswerTooLarge(f"{rpc.name}: the node's answer is larger than {method.largest_bytes} bytes")
            said.append(rpc.read(method.decoder, method.read, method.name, (status, answer)))
        except (NodeRefused, NodeUnavailable) as error:
            said.append(error)
    return said


def _answered(said: list[Said[A]]) -> list[Said[A]]:
    """Raise what the first call raises where none was answered: another endpoint may."""
    if all(isinstance(each, NodeUnavailable) for each in said) and isinstance(said[0], NodeUnavailable):
        raise said[0]
    return said


async def _each(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[Said[A]]:
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(each: Sequence[object]) -> Said[A]:
        async with places:
            try:
                return await rpc.ask_whole(
                    method.decoder, method.read, method.name, each,
                    timeout_s=timeout_s, largest_bytes=method.largest_bytes,
                )  # fmt: skip
            except (NodeRefused, NodeUnavailable) as error:
                return error

    return await asyncio.gather(*map(one, params))
