"""Types for Solana: instructions, lookup tables, and the two forms of an adapter's result."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.domain.deposit import BridgeDeposit


@dataclass(frozen=True, slots=True)
class AccountRole:
    """An account of an instruction, and whether it is written and signs."""

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
    """A table of addresses on the chain; ``entries`` are the known ones, by index (0 to 255)."""

    address: str
    entries: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SvmDraft:
    """Instructions that the service compiles, with its fees and its tracking instruction added.

    The main instruction calls ``program``. ``instructions`` contain no compute budget: ``compute_limit`` (units) and
    ``heap_frame`` (bytes) are the upstream's, None if it states none. ``programs`` are the pinned ones that it may call
    beside those of the runtime; ``delegate`` is the one address that it may approve, for exactly the amount of the
    input token. ``co_signers`` are secret keys (64 bytes each) of accounts that the adapter generated for this
    transaction: they sign the compiled transaction, and are discarded. ``enforces_minimum``: a pinned program fails the
    transaction unless the receiver's own account gains the quote's minimum; ``bounds_input``: a pinned program takes no
    more from the wallet than the input, whatever the wallet has by then. ``tables`` are read from the chain before use;
    an upstream's statement about their contents is ignored. ``reference``, ``input_taken``, ``deposit`` and
    ``expires_at`` as in ``EvmTransaction``.
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
    """A message that others have signed in part: answered unchanged, without our fees and tracking.

    ``message`` is serialised, legacy or v0; ``signatures`` are the present ones, 64 bytes each, by the signer's
    address. ``last_valid_block_height`` is the last block in which its blockhash is valid, None if the upstream does
    not state it. The rest as in ``SvmDraft``.
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
