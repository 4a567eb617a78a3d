"""The instructions of Jupiter's program that swap, read back.

The program's interface description on the chain, as clients hold it (read 2026-11-22): `route_v2` goes through the
wallet's own accounts of the tokens between, `shared_accounts_route_v2` through Jupiter's. Both take ``in_amount`` and
fail unless the last account gains ``quoted_out_amount`` less the slippage. Printed answers of 2026-09 promise that
minimum rounded up; what the program rounds is not published, so here it is rounded down.

After the arguments comes the plan, whose steps only Jupiter knows: it decides through which pools, not for whom.
"""

from dataclasses import dataclass
from struct import Struct, error
from typing import NamedTuple

from rhumbline.domain.amount import less_bps
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.svm.address import program_address

ROUTE = bytes.fromhex("bb64facc31c4af14")
SHARED_ROUTE = bytes.fromhex("d19853937cfed8e9")
_ARGUMENTS = Struct("<QQHHHI")
"""Of `Arguments`: two of 64 bits, three of 16, and how long the plan is."""


class Arguments(NamedTuple):
    """What a swap is told, in raw units and bps."""

    amount: int
    quoted: int
    slippage_bps: int
    platform_fee_bps: int
    positive_slippage_bps: int
    steps: int


@dataclass(frozen=True, slots=True)
class Route:
    """What a swap does: addresses by their places.

    ``through`` is the account that the plan's last step pays, ``receiving`` the one that has the output and in which
    the minimum is counted; for most they are one. ``tokens`` are the mints of what goes in and out, and their token
    programs. ``authority`` is who moves Jupiter's own accounts, by the number ``shared_id``; None without.
    """

    user: str
    source: str
    through: str
    receiving: str
    tokens: tuple[str, str, str, str]
    event_authority: str
    program: str
    arguments: Arguments
    authority: str | None = None
    shared_id: int | None = None

    @property
    def minimum(self) -> int:
        """Return what at least arrives, rounded down."""
        return less_bps(self.arguments.quoted, self.arguments.slippage_bps)


def read_route(instruction: SvmInstruction) -> Route:
    """Read a swap by its places and arguments; raise UpstreamFailed for any other instruction."""
    at = [role.address for role in instruction.accounts]
    kind, data = instruction.data[:8], instruction.data[8:]
    try:
        if kind == ROUTE:
            receiving = at[2] if at[7] == instruction.program else at[7]
            tokens = at[3], at[4], at[5], at[6]
            return Route(at[0], at[1], at[2], receiving, tokens, at[8], at[9], _arguments(data))
        if kind == SHARED_ROUTE:
            tokens = at[6], at[7], at[8], at[9]
            return Route(at[1], at[2], at[5], at[5], tokens, at[10], at[11], _arguments(data[1:]), at[0], data[0])
    except (IndexError, error):
        pass
    raise UpstreamFailed("answered an instruction that is not a swap of its program")


def shared_authority(program: str, number: int) -> str:
    return program_address([b"authority", bytes([number])], program)


def _arguments(data: bytes) -> Arguments:
    return Arguments(*_ARGUMENTS.unpack_from(data))
