"""Who asks: integrators, their keys, and the caller of one request."""

from dataclasses import dataclass, field
from datetime import datetime

from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import ChainWallets, FeeRule


@dataclass(frozen=True, slots=True)
class Integrator:
    """A party that earns fees and owns records. ``name`` is unique without case and goes on chain as bytes32 ASCII."""

    name: str
    evm_wallet: str | None
    svm_wallet: str | None
    created_at: datetime

    def wallet(self, chain_type: ChainType) -> str | None:
        return ChainWallets(self.evm_wallet, self.svm_wallet).of(chain_type)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key as the store knows it: never its text, only the start that tells keys apart (``rl_live_abcd``).

    ``quote_limit`` and ``other_limit`` are its own limits in requests a minute, None where the tier's hold; ``rule`` is
    its own fee rule, None where its integrator's holds. ``name`` is what people call it; ``last_used_at`` is the last
    request that came with it, to the minute, None before the first. ``owner`` is the wallet that made it in the portal,
    None where the operator did; ``counted_as`` the key that it stands for since a rotation, None for itself.
    """

    id: int
    integrator: str
    prefix: str
    created_at: datetime
    revoked_at: datetime | None
    quote_limit: int | None = None
    other_limit: int | None = None
    rule: FeeRule | None = None
    name: str | None = None
    last_used_at: datetime | None = None
    owner: str | None = None
    counted_as: int | None = None


@dataclass(frozen=True, slots=True)
class ApiClient:
    """Who makes a request. ``integrator`` is None without a valid key; ``key_invalid`` marks a key that counts as none.

    ``rule`` is the key's own fee rule, else its integrator's, None when the service's default holds. ``owner`` and
    ``counted_as`` are the key's. ``requester`` names who is counted: an owner, a key, or an address; empty for the
    service itself.
    """

    integrator: Integrator | None = None
    key_id: int | None = None
    key_invalid: bool = False
    rule: FeeRule | None = None
    quote_limit: int | None = None
    other_limit: int | None = None
    owner: str | None = None
    counted_as: int | None = None
    requester: str = field(default="", compare=False)
