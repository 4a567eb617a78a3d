"""What the conformance suite must know of an adapter: facts of its upstream, no behaviour."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rhumbline.devnet.upstreams.emulator import Emulator, Lie
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.upstreams.spec import AdapterSpec


@dataclass(frozen=True, slots=True)
class Ask:
    """A question on the sandbox: chains by key, tokens by symbol (``ETH`` and ``SOL`` are native), raw units.

    ``direct`` is the form without the service's contracts: the wallet itself calls the upstream.
    """

    origin: str
    destination: str
    origin_token: str
    destination_token: str
    amount: int
    direct: bool = False

    def __str__(self) -> str:
        """How it is named."""
        form = "-direct" if self.direct else ""
        return f"{self.origin}.{self.origin_token}-{self.destination}.{self.destination_token}{form}"


@dataclass(frozen=True, slots=True)
class Case:
    """One adapter: how it is made, its emulator, what it answers and what it must not.

    ``asks`` it supports and answers, ``refused`` ones its ``supports`` denies. ``failures`` are the documented failures
    of its upstream by the emulator's names, ``statuses`` the documented words of a bridge's status. ``unseen`` are lies
    that nothing in the upstream's answers can show; the adapter's ``info.trust_assumptions`` must explain them.
    ``pays_the_wallet`` tells that the output can be nobody else's than the sender's.
    """

    spec: AdapterSpec[Any]
    emulator: type[Emulator]
    asks: tuple[Ask, ...]
    refused: tuple[Ask, ...]
    failures: Mapping[str, type[AdapterError]]
    statuses: Mapping[str, TransferState] = field(default_factory=dict)
    unseen: frozenset[Lie] = frozenset()
    pays_the_wallet: bool = False
