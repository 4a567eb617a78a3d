"""Words for what is executed on Solana: instructions, lookup tables, and the two forms of what adapters hand out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.domain.deposit import BridgeDeposit


@dataclass(frozen=True, slots=True)
class AccountRole:
    """An account that an instruction names, and what the instruction may do with it."""

    address: str
    signer: bool = False
    writable: bool = False


@dataclass(frozen=True, slots=True)
class SvmInstruction:
    """One call of a program. Addresses are base58; the order of ``accounts`` is the program's own."""

    program: str
    accounts: tuple[AccountRole, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class LookupTable:
    """A table of addresses on the chain; ``entries`` are those that are known, by their place in it (0 to 255)."""

    address: str
    entries: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SvmDraft:
    """Instructions that the service compiles, with its fees and its tracking added.

    ``program`` is what the main instruction calls. ``instructions`` hold none of the compute budget: ``compute_limit``
    (units) and ``heap_frame`` (bytes) are what the upstream asks for, None where it does not say. ``programs`` are the
    pinned ones that it may call beside those of the runtime; ``delegate`` is the one address that it may let take
    exactly the amount of the input token. ``co_signers`` are secret keys (64 bytes each) of accounts that the adapter
    made up for this transaction: they sign what is compiled, and are forgotten. ``enforces_minimum`` tells that a
    pinned program fails the transaction unless the receiver's own account gains the quote's minimum, ``bounds_input``
    that a pinned program takes no more of the wallet than the input, whatever the wallet holds by then. ``tables`` are
    looked up on the chain before they are used: an upstream's word about what is in them counts for nothing.
    ``reference``, ``input_taken``, ``deposit`` and ``expires_at`` as in ``EvmTransaction``.
    """

    chain_id: int
    program: str
    instructions: tuple[SvmInstruction, ...]
    programs: frozenset[str]
    tables: tuple[str, ...] = ()
    compute_limit: int | None = None
    heap_frame: int | None = None
    delegate: str | None = None
    co_signers: tuple[bytes, ...] = field(default=(), repr=False)
    enforces_minimum: bool = False
    bounds_input: bool = False
    reference: str | None = None
    input_taken: int | None = None
    deposit: BridgeDeposit | None = None
    expires_at: int | None = None


@dataclass(frozen=True, slots=True)
class SvmSealed:
    """A message that others have signed in part: handed out untouched, without our fees and tracking.

    ``message`` is serialised, legacy or v0; ``signatures`` are those that are there, 64 bytes each, by the signer's
    address. ``last_valid_block_height`` is the last block in which its blockhash counts, None where the upstream does
    not say. The rest as in ``SvmDraft``.
    """

    chain_id: int
    program: str
    message: bytes
    signatures: Mapping[str, bytes]
    programs: frozenset[str]
    last_valid_block_height: int | None = None
    delegate: str | None = None
    enforces_minimum: bool = False
    reference: str | None = None
    input_taken: int | None = None
    deposit: BridgeDeposit | None = None
    expires_at: int | None = None
