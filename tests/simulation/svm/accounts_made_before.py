"""Token accounts that somebody has prepared for a wallet before it trades, in whatever state."""

from dataclasses import dataclass
from struct import pack

from solders.account import Account
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.chain_setup import token
from rhumbline.gateways.svm.tokens import AccountState
from tests.simulation.svm.trials import Trials


@dataclass(frozen=True)
class Prepared:
    """What a token account is given. ``extensions`` are of Token-2022: bytes as they lie behind the account."""

    closer: Keypair | None = None
    delegate: Keypair | None = None
    allowed: int = 0
    state: AccountState = AccountState.INITIALIZED
    amount: int = 0
    extensions: bytes = b""

    def put(self, trials: Trials, at: str, symbol: str, owner: Keypair) -> None:
        """Lay it at an address, with the rent that it costs."""
        minted, chain = token(symbol), trials.solana.server.chain
        data = pack(
            "<32s32sQI32sBIQQI32s", bytes(minted.mint), bytes(owner.pubkey()), self.amount, *_option(self.delegate),
            self.state, 0, 0, self.allowed, *_option(self.closer),
        )  # fmt: skip
        if self.extensions:
            data += b"\x02" + self.extensions
        chain.set_account(Pubkey.from_string(at), Account(chain.rent(len(data)), data, minted.program))


def _option(who: Keypair | None) -> tuple[int, bytes]:
    return (0, bytes(32)) if who is None else (1, bytes(who.pubkey()))


def extension(kind: int, value: bytes = b"") -> bytes:
    """Return one as it lies behind an account: its type, its length, its value."""
    return pack("<HH", kind, len(value)) + value
