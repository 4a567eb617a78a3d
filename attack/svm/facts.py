"""What a liar knows of a question that begins on Solana, and who it is that wants the money."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from solders.keypair import Keypair

from attack.proxy import UpstreamAnswer
from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.svm.address import associated_token_address


def named_key(name: str) -> Keypair:
    """Return a name's key, the same every time."""
    return Keypair.from_seed(sha256(b"attack " + name.encode()).digest())


STRANGER = str(named_key("stranger").pubkey())
FEE_PAYER = named_key("fee payer")
STRANGERS_PROGRAM = str(named_key("stranger's program").pubkey())


def false_table(table: str) -> str:
    """Return the address of a stranger's table, with another table's entries in other positions."""
    return str(named_key(f"table {table}").pubkey())


@dataclass(frozen=True)
class SvmFacts:
    """One question as the liar sees it. ``mints`` are the token programs and decimals by mint.

    ``tables`` are those that the honest answers name, as on chain. ``others`` are the answers to other questions.
    ``refunded`` is named for refunds, None: nobody.
    """

    sender: str
    receiver: str
    amount: int
    output: int
    sold: str
    bought: str
    mints: Mapping[str, tuple[str, int]]
    tables: Mapping[str, LookupTable] = field(default_factory=dict)
    others: Mapping[str, tuple[UpstreamAnswer, ...]] = field(default_factory=dict)
    refunded: str | None = None

    def account(self, owner: str, mint: str) -> str:
        """Return an owner's token account."""
        return associated_token_address(owner, mint, self.mints[mint][0])

    def own(self) -> list[str]:
        """Return the wallet and all of its accounts."""
        return [self.sender, *(self.account(self.sender, mint) for mint in self.mints)]

    def strange(self) -> list[str]:
        """Return the stranger's address and accounts."""
        return [STRANGER, *(self.account(STRANGER, mint) for mint in self.mints)]

    def likely(self) -> list[str]:
        """Return the stranger's accounts that could receive a transfer: of the two tokens, and the wallet."""
        return [STRANGER, *(self.account(STRANGER, mint) for mint in (self.sold, self.bought) if mint in self.mints)]
