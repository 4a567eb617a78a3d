"""What fails, and what is answered: the table that `docs/reliability.md` shows and the tests hold the service to.

What a row does not name is answered as if nothing had failed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Asked(StrEnum):
    """What is asked, in the words of the page."""

    EVM_SWAP = "a swap on an EVM chain"
    EVM_ROUTES = "routes on an EVM chain"
    EVM_STEP = "a step on an EVM chain"
    FROM_EVM = "a transfer between EVM chains"
    TO_SVM = "a transfer from an EVM chain to Solana"
    SVM_SWAP = "a swap on Solana"
    FROM_SVM = "a transfer from Solana"
    SVM_ROUTES = "routes from Solana"
    SVM_STEP = "a step on Solana"
    SVM_STREAM = "a stream of quotes from Solana"
    EVM_STRANGER = "an unlisted token of an EVM chain"
    SVM_STRANGER = "an unlisted token of Solana"
    TOKEN = "a listed token"
    TOKENS = "the listed tokens"
    CHAINS = "chains and tools"
    PRICES = "prices"
    TRANSACTIONS = "a list of transactions"
    LOOKUP = "one transaction by its key"
    STATUS = "the public status"
    PORTAL = "the portal's sign-in"
    CHALLENGE = "the portal's challenge"
    HEALTH = "health"
    READY = "readiness"


class Answer(StrEnum):
    """What is answered, in the words of the page."""

    AS_EVER = "200"
    UNRUN = "200, the simulation says that the node did not run it"
    UNRUN_OR_NODE = "200, not simulated, if something on chain enforces the output; else 502, the chain's node"
    NODE = "502, the chain's node"
    STORE = "503, the store"
    NOT_READY = "503, names what is down"
    DEGRADED = "200, names what is down"


@dataclass(frozen=True)
class Outage:
    """Something that fails; ``methods`` of a node, none for all of it. ``name`` is what the answers have to name."""

    what: str
    name: str
    answers: Mapping[Asked, Answer]
    methods: tuple[str, ...] = ()


_UNSEEN = dict.fromkeys((Asked.EVM_SWAP, Asked.EVM_STEP, Asked.FROM_EVM, Asked.TO_SVM), Answer.UNRUN)
_FROM_SOLANA = (Asked.SVM_SWAP, Asked.FROM_SVM, Asked.SVM_ROUTES, Asked.SVM_STEP, Asked.SVM_STREAM)
_HELD_OR_NOT = (Asked.FROM_SVM, Asked.SVM_STEP, Asked.SVM_STREAM)

EVM_NODE = Outage(
    "an EVM chain's node",
    "Sandbox A",
    MappingProxyType({**_UNSEEN, Asked.EVM_STRANGER: Answer.NODE, Asked.READY: Answer.DEGRADED}),
)
EVM_RUNS = Outage("an EVM node's `eth_simulateV1`", "Sandbox A", MappingProxyType(_UNSEEN), ("eth_simulateV1",))
SVM_NODE = Outage(
    "Solana's node",
    "Sandbox Solana",
    MappingProxyType(
        {
            **dict.fromkeys((*_FROM_SOLANA, Asked.SVM_STRANGER), Answer.NODE),
            Asked.READY: Answer.DEGRADED,
        }
    ),
)
SVM_RUNS = Outage(
    "a Solana node's `simulateTransaction`",
    "Sandbox Solana",
    MappingProxyType({Asked.SVM_SWAP: Answer.UNRUN, **dict.fromkeys(_HELD_OR_NOT, Answer.UNRUN_OR_NODE)}),
    ("simulateTransaction",),
)
PRICES = Outage("a price source", "", MappingProxyType({}))
_KEPT = (Asked.FROM_EVM, Asked.TO_SVM, Asked.SVM_SWAP, Asked.FROM_SVM, Asked.SVM_STEP, Asked.SVM_STREAM)
_READ = (Asked.TRANSACTIONS, Asked.LOOKUP, Asked.STATUS, Asked.CHALLENGE)
STORE = Outage(
    "the store",
    "store",
    MappingProxyType({**dict.fromkeys((*_KEPT, *_READ), Answer.STORE), Asked.READY: Answer.NOT_READY}),
)
OUTAGES = (EVM_NODE, EVM_RUNS, SVM_NODE, SVM_RUNS, PRICES, STORE)
