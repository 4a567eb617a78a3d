"""Websocket subscriptions to signatures, logs, slots and accounts."""

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from types import MappingProxyType

from rhumbline.devnet.svm.account_answers import account_json
from rhumbline.devnet.svm.chain import SvmChain
from rhumbline.devnet.svm.chain_methods import with_context
from rhumbline.devnet.svm.faults import INVALID_PARAMS, METHOD_NOT_FOUND, RpcFault, invalid
from rhumbline.devnet.svm.ledger import Executed
from rhumbline.devnet.svm.parameters import (
    COMMITMENTS,
    Options,
    Parameters,
    read_key,
    read_number,
    read_options,
    read_signature,
)
from rhumbline.devnet.svm.slots import Slots

_MOST_SUBSCRIPTIONS = 200
_MOST_WAITING = 1000
_ROOT_BEHIND = 32
News = Callable[[SvmChain], "object | None"]


@dataclass(frozen=True, slots=True)
class Subscription:
    """One subscription: its notices' name, a function for the next one (None: no news), and whether it is once only."""

    notice: str
    news: News
    once: bool = False


class TooSlow(Exception):
    """A client does not read its notices."""


@dataclass
class Subscriber:
    """One connection: its subscriptions, and its unsent messages."""

    waiting: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(_MOST_WAITING))
    _subscriptions: dict[int, Subscription] = field(default_factory=dict)
    _last: int = 0

    def call(self, chain: SvmChain, method: str, parameters: Parameters) -> object:
        """Subscribe and return the subscription's number, or end one. Raise RpcFault."""
        if method.endswith("Unsubscribe") and method.removesuffix("Unsubscribe") + "Subscribe" in _KINDS:
            number = read_number(parameters.at(0), "subscription")
            if self._subscriptions.pop(number, None) is None:
                raise RpcFault(INVALID_PARAMS, "Invalid subscription id.")
            return True
        kind = _KINDS.get(method)
        if kind is None:
            raise RpcFault(METHOD_NOT_FOUND, "Method not found")
        if len(self._subscriptions) >= _MOST_SUBSCRIPTIONS:
            raise invalid(f"at most {_MOST_SUBSCRIPTIONS} subscriptions a connection")
        subscription = kind(chain, parameters)
        self._last += 1
        self._subscriptions[self._last] = subscription
        return self._last

    def notify(self, chain: SvmChain) -> None:
        """Queue the new notices; raise TooSlow if earlier ones are unread."""
        for number, each in list(self._subscriptions.items()):
            while (news := each.news(chain)) is not None:
                self.say({"method": each.notice, "params": {"result": news, "subscription": number}})
                if each.once:
                    del self._subscriptions[number]
                    break

    def say(self, message: Mapping[str, object]) -> None:
        """Queue a message for the connection; TooSlow where too many wait for it already."""
        with contextlib.suppress(asyncio.QueueFull):
            self.waiting.put_nowait(json.dumps({"jsonrpc": "2.0", **message}))
            return
        raise TooSlow


@dataclass
class Subscribers:
    """All connections."""

    _all: dict[int, tuple[Subscriber, Callable[[], None]]] = field(default_factory=dict)

    @contextlib.contextmanager
    def joined(self, end: Callable[[], None]) -> Iterator[Subscriber]:
        """Yield a connection's subscriber for the length of the context; ``end`` disconnects one that is too slow."""
        subscriber = Subscriber()
        self._all[id(subscriber)] = subscriber, end
        try:
            yield subscriber
        finally:
            del self._all[id(subscriber)]

    def notify(self, chain: SvmChain) -> None:
        """Notify all connections."""
        for subscriber, end in list(self._all.values()):
            try:
                subscriber.notify(chain)
            except TooSlow:
                end()


def _signature(_: SvmChain, parameters: Parameters) -> Subscription:
    signature, options = read_signature(parameters.at(0)), parameters.options(1)
    wanted = COMMITMENTS.index(options.commitment())

    def news(chain: SvmChain) -> object | None:
        executed = chain.ledger.find(signature)
        if executed is None or COMMITMENTS.index(chain.slots.commitment(executed.slot)) < wanted:
            return None
        return with_context(chain, _of(options), {"err": executed.error})

    return Subscription("signatureNotification", news, once=True)


def _slot(chain: SvmChain, _: Parameters) -> Subscription:
    told: Slots = chain.slots

    def news(chain: SvmChain) -> object | None:
        nonlocal told
        if chain.slots == told:
            return None
        told = chain.slots
        return {"slot": told.slot, "parent": told.slot - 1, "root": told.slot - _ROOT_BEHIND}

    return Subscription("slotNotification", news)


def _logs(chain: SvmChain, parameters: Parameters) -> Subscription:
    key, options = _mentioned(parameters.at(0)), parameters.options(1)
    commitment = options.commitment()
    if commitment == "processed":
        raise invalid("the sandbox tells logs once they are confirmed or finalized")
    told, waiting = chain.slots.at(commitment), deque[Executed]()

    def news(chain: SvmChain) -> object | None:
        nonlocal told
        # After a restore a log may occur again in another slot, and is announced again.
        before, told = told, chain.slots.at(commitment)
        since = takewhile(lambda each: each.slot > before, chain.ledger.of(key))
        waiting.extend(reversed([each for each in since if each.slot <= told]))
        if not waiting:
            return None
        executed = waiting.popleft()
        found = {"signature": executed.signature, "err": executed.error, "logs": executed.meta["logMessages"]}
        return with_context(chain, _of(options), found)

    return Subscription("logsNotification", news)


def _mentioned(wanted: object) -> str:
    mentions = read_options(wanted).items("mentions")
    if len(mentions) != 1:
        raise invalid("the sandbox tells logs that mention one address")
    return str(read_key(mentions[0]))


def _account(chain: SvmChain, parameters: Parameters) -> Subscription:
    key, options = parameters.key(0), parameters.options(1)
    told = chain.account(key)
    # An encoding that cannot be written is refused here, not later.
    account_json(told, options, chain.account)

    def news(chain: SvmChain) -> object | None:
        nonlocal told
        account = chain.account(key)
        if account == told:
            return None
        told = account
        written = account_json(account, options, chain.account) or _GONE
        return with_context(chain, _of(options), written)

    return Subscription("accountNotification", news)


def _of(options: Options) -> Options:
    """Return the function by which a subscription's options determine the slot of its notices."""
    return Options({"commitment": options.values.get("commitment")})


_GONE: Mapping[str, object] = MappingProxyType({
    "lamports": 0, "owner": "11111111111111111111111111111111", "executable": False, "rentEpoch": 0, "space": 0,
    "data": ["", "base64"],
})  # fmt: skip
_KINDS: Mapping[str, Callable[[SvmChain, Parameters], Subscription]] = MappingProxyType(
    {"signatureSubscribe": _signature, "logsSubscribe": _logs, "slotSubscribe": _slot, "accountSubscribe": _account}
)
