"""Several calls of one method in one request, if the node accepts batches; many providers do not."""

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
AnswerOrError: TypeAlias = A | NodeRefused | NodeUnavailable
"""A call's answer, or the error that it raises."""
_TIMES_ONE = 4
"""How many times the bytes of one answer a whole batch may have."""
_AT_ONCE = 8


class _Numbered(msgspec.Struct):
    id: int


_NUMBER, _SEVERAL = Decoder(_Numbered), Decoder(list[msgspec.Raw])


@dataclass(frozen=True, slots=True)
class Method(Generic[T, A]):
    """One method by name, and how an answer to it is decoded (``SvmCalls.ask_whole``)."""

    name: str
    decoder: Decoder[Answer[T]]
    read: Callable[[bytes, T], A]
    largest_bytes: int


async def ask_several(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[AnswerOrError[A]]:
    """Make calls with these parameters; raise NodeUnavailable if the node answers none of them.

    If a batch gets only refusals, or an answer that is no batch, each call is made by itself; if these are answered,
    the node is known for a while to support no batches. The calls of a batch whose answer is too large are also made by
    themselves, without that conclusion.
    """
    if rpc.endpoints is not None:
        return await rpc.endpoints.run(
            (method.name,) * len(params),
            lambda each, left_s: ask_several(each, method, params, left_s),
            timeout_s,
            lambda outcomes: [(method.name, each) for each in outcomes if isinstance(each, NodeRefused)],
        )
    refused = False
    if len(params) > 1 and not rpc.batching.is_refused:
        try:
            outcomes = await _together(rpc, method, params, timeout_s)
            refused = all(isinstance(each, NodeRefused) for each in outcomes)
            if not refused:
                return _answered(outcomes)
        except AnswerTooLarge:
            pass
        except (NodeRefused, UnexpectedAnswer):
            refused = True
    outcomes = await _each(rpc, method, params, timeout_s)
    if refused and not all(isinstance(each, NodeRefused | NodeUnavailable) for each in outcomes):
        rpc.batching.refused()
    return _answered(outcomes)


async def _together(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[AnswerOrError[A]]:
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
    outcomes: list[AnswerOrError[A]] = []
    for number in range(len(calls)):
        answer = answers.get(number, b"{}")
        try:
            if len(answer) > method.largest_bytes:
                raise AnswerTooLarge(f"{rpc.name}: the node's answer is larger than {method.largest_bytes} bytes")
            outcomes.append(rpc.read(method.decoder, method.read, method.name, (status, answer)))
        except (NodeRefused, NodeUnavailable) as error:
            outcomes.append(error)
    return outcomes


def _answered(outcomes: list[AnswerOrError[A]]) -> list[AnswerOrError[A]]:
    """Raise the first call's error if none was answered: another endpoint may answer."""
    if all(isinstance(each, NodeUnavailable) for each in outcomes) and isinstance(outcomes[0], NodeUnavailable):
        raise outcomes[0]
    return outcomes


async def _each(
    rpc: SvmCalls, method: Method[T, A], params: Sequence[Sequence[object]], timeout_s: float
) -> list[AnswerOrError[A]]:
    places = asyncio.Semaphore(_AT_ONCE)

    async def one(each: Sequence[object]) -> AnswerOrError[A]:
        async with places:
            try:
                return await rpc.ask_whole(
                    method.decoder, method.read, method.name, each,
                    timeout_s=timeout_s, largest_bytes=method.largest_bytes,
                )  # fmt: skip
            except (NodeRefused, NodeUnavailable) as error:
                return error

    return await asyncio.gather(*map(one, params))
