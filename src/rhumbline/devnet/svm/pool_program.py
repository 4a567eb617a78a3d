"""The pool program as its callers see it (`program/pool.c`): addresses, instructions, and swap outputs."""

from dataclasses import dataclass
from struct import Struct

from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey

POOL_SIZE = 240
WHOLE = 1_000_000
LARGEST_FEE = 100_000
_MAGIC = b"RHBPOOL1"
_STATE = Struct("<8sIB3x32s" + 2 * "32s32s32s")
_MAKE = Struct("<BBI")
_SWAP = Struct("<BQQ")


@dataclass(frozen=True, slots=True)
class PoolSide:
    """One of a pool's two tokens: the vault that holds it, its mint, and the mint's token program."""

    vault: Pubkey
    mint: Pubkey
    token_program: Pubkey


@dataclass(frozen=True, slots=True)
class OnchainPool:
    """A pool's account, decoded. `fee` in millionths; ``authority``, a program address, owns the vaults."""

    program: Pubkey
    address: Pubkey
    authority: Pubkey
    fee: int
    sides: tuple[PoolSide, PoolSide]

    def swap(
        self, owner: Pubkey, source: Pubkey, destination: Pubkey, amount: int, minimum: int, *, turned: bool = False
    ) -> Instruction:
        """Return the instruction by which ``owner`` sells raw units of the first token, or ``turned`` of the second.

        ``destination``, of any owner, gains at least ``minimum``, or the transaction fails.
        """
        given, wanted = reversed(self.sides) if turned else self.sides
        roles = [
            AccountMeta(source, is_signer=False, is_writable=True),
            AccountMeta(destination, is_signer=False, is_writable=True),
            AccountMeta(owner, is_signer=True, is_writable=False),
        ]
        return Instruction(
            self.program, _SWAP.pack(1, amount, minimum), _roles(self.address, self.authority, given, wanted) + roles
        )


def pool_authority(program: Pubkey, pool: Pubkey) -> tuple[Pubkey, int]:
    """Return the address that owns a pool's vaults, and its bump seed."""
    return Pubkey.find_program_address([b"vault", bytes(pool)], program)


def make_pool(program: Pubkey, pool: Pubkey, sides: tuple[PoolSide, PoolSide], fee: int) -> Instruction:
    """Return the instruction that makes a pool of the program's empty account, which signs; its vaults exist."""
    authority, bump = pool_authority(program, pool)
    roles = _roles(pool, authority, *sides)
    roles[0] = AccountMeta(pool, is_signer=True, is_writable=True)
    return Instruction(program, _MAKE.pack(0, bump, fee), roles)


def read_pool(program: Pubkey, address: Pubkey, data: bytes) -> OnchainPool:
    """Decode a pool's account; raise ValueError for another account."""
    if len(data) != POOL_SIZE or data[:8] != _MAGIC:
        raise ValueError("not the account of a pool")
    _, fee, _, authority, *keys = _STATE.unpack(data)
    first, second = (PoolSide(*(Pubkey(key) for key in keys[at : at + 3])) for at in (0, 3))
    return OnchainPool(program, address, Pubkey(authority), fee, (first, second))


def amount_out(reserve_in: int, reserve_out: int, received: int, fee: int) -> int:
    """Return the output for an amount received by one vault, both roundings in the pool's favour.

    A mint's own transfer fee is taken off the input before, and off the output after.
    """
    net = received * (WHOLE - fee) // WHOLE
    return reserve_out * net // (reserve_in + net)


def _roles(pool: Pubkey, authority: Pubkey, first: PoolSide, second: PoolSide) -> list[AccountMeta]:
    return [
        *(AccountMeta(key, is_signer=False, is_writable=False) for key in (pool, authority)),
        *(AccountMeta(side.vault, is_signer=False, is_writable=True) for side in (first, second)),
        *(AccountMeta(side.mint, is_signer=False, is_writable=False) for side in (first, second)),
        *(AccountMeta(side.token_program, is_signer=False, is_writable=False) for side in (first, second)),
    ]
