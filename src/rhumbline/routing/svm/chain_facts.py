"""The chain's data that a transaction is made with. Pure."""

from dataclasses import dataclass
from math import floor

from rhumbline.domain.solana_terms import NOTHING_CHOSEN, SolanaTerms
from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.nodes.svm.answers import Blockhash
from rhumbline.gateways.svm.tokens import Mint
from rhumbline.routing.svm.assertions import Before


@dataclass(frozen=True, slots=True)
class ChainFacts:
    """The chain data of a transaction: ``mint`` is the input's (None: native), ``unit_price`` in µlamports.

    ``tables`` are as on chain, ``block_s`` is the duration of a block. ``before`` are the accounts for assertions.
    ``ahead`` is by how many blocks the node that gave a sealed message's blockhash may be ahead of ``blockhash``.
    ``terms`` are the caller's choices.
    """

    blockhash: Blockhash
    block_s: float
    tables: tuple[LookupTable, ...]
    mint: Mint | None
    epoch: int
    unit_price: int
    now: int
    before: Before
    ahead: int = 0
    terms: SolanaTerms = NOTHING_CHOSEN

    def seconds_until(self, height: int) -> int:
        """Return for how many seconds at least the chain stays at or below a height, rounded down."""
        return floor(max(0, height - self.blockhash.height) * self.block_s)
