"""A whole transaction made by an upstream, decompiled with the lookup tables of the chain."""

from collections.abc import Iterable, Sequence

from rhumbline.domain.errors import NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.domain.svm import SvmInstruction
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.compute_budget import ComputeBudget, read_budget
from rhumbline.gateways.svm.decompiler import Decompiled, decompile, lookup_tables_of

_SIGNATURE = 64


def tables_of(raw: bytes) -> tuple[str, ...]:
    """Return the lookup tables that a transaction uses; raise UpstreamFailed for an invalid one."""
    try:
        return lookup_tables_of(raw[1 + _SIGNATURE * raw[0] :]) if raw else ()
    except ValueError as error:
        raise _unusable(error) from error


async def read_transaction(rpc: SvmRpc, raw: bytes, tables: Sequence[str]) -> Decompiled:
    """Decode a transaction; raise UpstreamFailed for an unusable one, or if the node does not answer."""
    try:
        return decompile(raw, await SharedState(rpc).tables(tables))
    except (NodeUnavailable, NodeRefused) as error:
        raise UpstreamFailed("cannot be checked: the node does not answer") from error
    except ValueError as error:
        raise _unusable(error) from error


def budget_of(instructions: Iterable[SvmInstruction]) -> ComputeBudget:
    """Return what a transaction asks of the runtime; raise UpstreamFailed for what would be refused."""
    try:
        return read_budget(instructions)
    except ValueError as error:
        raise _unusable(error) from error


def _unusable(error: ValueError) -> UpstreamFailed:
    return UpstreamFailed(f"answered a transaction that cannot be used: {error}")
