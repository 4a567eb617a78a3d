"""Reads sources' answers: positive decimals, times, and failures for the refresh loop."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from rhumbline.domain.price import PriceKey
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.upstream import Query, Upstream, UpstreamError
from rhumbline.pricing.source import SourceUnavailable

_LONGEST = 100


async def ask(upstream: Upstream, path: str, query: Query) -> Json:
    """Return the JSON at a path; raise SourceUnavailable."""
    try:
        return await upstream.get(path, query)
    except UpstreamError as error:
        raise SourceUnavailable(str(error), error.retry_after_s) from error


def members(source: str, value: Json, what: str) -> dict[str, Json]:
    """Return an object's members; raise SourceUnavailable for anything else."""
    if not isinstance(value, dict):
        raise SourceUnavailable(f"{source} answered no object for {what}")
    return value


def positive(value: Json) -> Decimal | None:
    """Read a positive number, written as one or as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return None
    try:
        number = Decimal(value)
    except InvalidOperation:
        return None
    # Prices of more magnitudes are nonsense, and slow to calculate with.
    return number if number.is_finite() and number > 0 and abs(number.adjusted()) <= _LONGEST else None


def moment(value: Json) -> datetime | None:
    """Read seconds since 1970; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    try:
        return datetime.fromtimestamp(int(value), UTC)
    except (OverflowError, ValueError, OSError):
        return None


def by_name(tokens: Sequence[PriceKey]) -> Mapping[str, PriceKey]:
    """Return the tokens by how an upstream may spell their addresses: EVM ones without case."""
    return {spelt(address): (chain_id, address) for chain_id, address in tokens}


def spelt(address: str) -> str:
    """Return what addresses are compared by: EVM ones without case."""
    return address.lower() if address[:2] in ("0x", "0X") else address
