"""New slots of a Solana chain, by ``slotSubscribe`` (solana.com/docs/rpc/websocket/slotsubscribe, read 2026-11).

A slot is announced when it is processed; its transactions are confirmed when a later one is, so each slot may bring
news.
"""

from dataclasses import replace
from typing import ClassVar

import msgspec

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.nodes.heads import SILENCE_S, Heads, OtherChain
from rhumbline.gateways.nodes.json_rpc import UnexpectedAnswer
from rhumbline.gateways.nodes.svm.fields import Count
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.websocket import RpcSocket, SocketConnection

FAR = 10_000
"""Slots of a quarter of an hour or more: nodes of one cluster are never so far apart, and clusters are by millions."""


class SvmHeads(Heads):
    """New slots of a Solana chain; the socket answers subscriptions only, and cannot be asked for its cluster or slot.

    So it is trusted from its first announcement on, and its chain is identified by that: its slot is near that of
    ``rpc``.
    """

    notice: ClassVar[str] = "slotNotification"

    def __init__(self, socket: RpcSocket, rpc: SvmRpc, silence_s: float = SILENCE_S) -> None:
        super().__init__(socket, silence_s)
        self._rpc = replace(rpc, commitment="processed")

    async def _subscribe(self, connection: SocketConnection) -> None:
        self._subscription = _count(await connection.ask("slotSubscribe"), "a subscription")
        if not await connection.listen(self._socket.answer_s) or self._number is None:
            raise NodeUnavailable(f"{self._socket.name}: the node's socket announces no heads")
        await self._check_chain(connection)

    async def _check_chain(self, connection: SocketConnection) -> None:
        there = await self._newest(connection)
        if self._number is not None and abs(self._number - there) > FAR:
            slots = f"at slot {self._number}, chains.rpc at {there}"
            raise OtherChain(f"{self._socket.name}: the node's socket is on another chain: {slots}")

    async def _newest(self, connection: SocketConnection) -> int:
        return await self._rpc.slot()

    def _number_of(self, head: Json) -> int:
        return _count(head.get("slot") if isinstance(head, dict) else None, "a slot")

    def _agrees(self, number: int, head: int) -> bool:
        # The socket announces processed slots, the head is the latest confirmed one.
        return number >= head


def _count(value: object, what: str) -> int:
    try:
        return msgspec.convert(value, Count)
    except msgspec.ValidationError:
        raise UnexpectedAnswer(f"the node answered something that is not {what}") from None
