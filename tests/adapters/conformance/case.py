"""What the conformance suite must know of an adapter: facts of its upstream, no behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from rhumbline.devnet.upstreams.emulator import Emulator, Lie
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.upstreams.spec import AdapterSpec

M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Ask:
    """A question on the sandbox: chains by key, tokens by symbol (``ETH`` and ``SOL`` are native), raw units.

    ``direct`` is the form without the service's contracts: the wallet itself calls the upstream. ``gas`` is native of
    the destination that is wanted with it, in wei; ``calls``: what arrives is put into a call; ``bridged``: the token
    that the bridge brings, which is swapped into the output on arrival. ``named``: the caller names a third wallet for
    refunds.
    """

    origin: str
    destination: str
    origin_token: str
    destination_token: str
    amount: int
    direct: bool = False
    gas: int = 0
    calls: bool = False
    named: bool = False
    bridged: str = ""

    def __str__(self) -> str:
        """How it is named."""
        marks = {
            "-direct": self.direct,
            "-gas": self.gas,
            "-call": self.calls,
            "-refund": self.named,
            "-swap": self.bridged,
        }
        form = "".join(mark for mark, is_so in marks.items() if is_so)
        return f"{self.origin}.{self.origin_token}-{self.destination}.{self.destination_token}{form}"


@dataclass(frozen=True)
class Case:
    """One adapter: how it is made, its emulator, what it answers and what it must not.

    ``asks`` it supports and answers, ``refused`` ones its ``supports`` denies. ``errors`` are what the documented
    failures of its upstream mean, by the emulator's names, ``states`` what the documented words of a bridge's status
    mean. ``unseen`` are lies that nothing in the upstream's answers can show; the adapter's ``info.trust_assumptions``
    must explain them. ``pays_the_wallet`` tells that the output can be nobody else's than the sender's.
    """

    spec: AdapterSpec[Any]
    emulator: type[Emulator]
    asks: tuple[Ask, ...]
    refused: tuple[Ask, ...]
    errors: Mapping[type[AdapterError], str]
    states: Mapping[TransferState, str] = field(default_factory=dict)
    unseen: frozenset[Lie] = frozenset()
    pays_the_wallet: bool = False

    @cached_property
    def failures(self) -> Mapping[str, type[AdapterError]]:
        return _by_word(self.errors)

    @cached_property
    def statuses(self) -> Mapping[str, TransferState]:
        return _by_word(self.states)


def _by_word(meanings: Mapping[M, str]) -> Mapping[str, M]:
    return {word: meaning for meaning, words in meanings.items() for word in words.split(", ")}
