"""The state of a SpokePool and its chain that decides whether a deposit can be made and what arrives."""

from dataclasses import dataclass, replace

from rhumbline.adapters.across.route import DepositTerms, Route
from rhumbline.domain.delegation import is_delegation
from rhumbline.domain.errors import NodeUnavailable, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity

LONGEST_EXCLUSIVITY_S = 300
"""The longest exclusivity of one relayer; the API's own example has 180 (read 2026-11-21)."""
_TIME_TO_FILL_S = 900
"""The shortest time to a deposit's deadline: the longest exclusivity, and ten minutes for everybody else."""
_LONGEST_SPAN = 31_536_000
"""``MAX_EXCLUSIVITY_PERIOD_SECONDS`` of SpokePool.sol 5.0.27: a larger value is a time."""
_WORD = 32


@dataclass(frozen=True, slots=True)
class Clock:
    """The origin's latest block time and the pool's two buffers, in seconds."""

    now: int
    quote_buffer: int
    fill_buffer: int


async def read_clock(rpc: EvmRpc, pool: str) -> Clock:
    """Read them at once; raise UpstreamFailed."""
    reads = [_call(pool, "depositQuoteTimeBuffer()"), _call(pool, "fillDeadlineBuffer()")]
    block, *buffers = await _batch(rpc, [("eth_getBlockByNumber", ["latest", False]), *reads])
    if not isinstance(block, dict):
        raise UpstreamFailed(f"{rpc.name}: there is no latest block")
    quote_buffer, fill_buffer = (_number(rpc, answer) for answer in buffers)
    return Clock(quantity(block.get("timestamp")), quote_buffer, fill_buffer)


def fitted(terms: DepositTerms, clock: Clock) -> DepositTerms:
    """Return the terms as the pool takes them now, and the second after which it does not; raise UpstreamFailed.

    A pool refuses a quote time later than its own block's or older than its buffer, and a deadline beyond its buffer. A
    chain's clock may be a block behind the API's, so both times are lowered to what is permitted; an earlier quote time
    moves the LP fee, which relayers compute themselves, by a negligible amount. A relayer that is exclusive for long,
    or until the deadline, could hold a deposit back until it is refunded.
    """
    span = terms.exclusivity if terms.exclusivity <= _LONGEST_SPAN else terms.exclusivity - clock.now
    if span > LONGEST_EXCLUSIVITY_S:
        raise UpstreamFailed("answered with a relayer that would be the only one for too long")
    quoted = min(terms.quote_timestamp, clock.now)
    deadline = min(terms.fill_deadline, clock.now + clock.fill_buffer)
    # In the last second of the buffer the pool still takes it.
    last = quoted + clock.quote_buffer - 1
    last = min(last, deadline - _TIME_TO_FILL_S, *(() if terms.expires_at is None else (terms.expires_at,)))
    if last <= clock.now:
        raise UpstreamFailed("the quote is too old for a deposit")
    return replace(terms, quote_timestamp=quoted, fill_deadline=deadline, expires_at=last)


async def expect_form(rpc: EvmRpc, request: QuoteRequest, route: Route, *, unwrapped: bool | None) -> None:
    """Raise NoRoute if the wrapped native token would arrive in another form than requested.

    A pool unwraps for accounts without code and sends the token to contracts. A wallet with lent code is a wallet to
    newer pools and a contract to older ones, so nothing is promised to it. ``unwrapped`` as in
    ``arrives_wrapped_or_native``.
    """
    place, native = route.destination, request.buys_native
    wrapped_token_call = _call(place.spoke_pool, "wrappedNativeToken()")
    answer, wrapped_token_answer = await _batch(
        rpc, [("eth_getCode", [request.payout_address, "latest"]), wrapped_token_call]
    )
    if checksummed(_number(rpc, wrapped_token_answer).to_bytes(_WORD)[12:]) != route.output_token:
        if unwrapped is None:
            return
        raise UpstreamFailed(f"{rpc.name}: the SpokePool wraps another token")
    if not place.delivers_native:
        raise NoRoute("what arrives of the wrapped native token is not certain")
    code = hex_bytes(answer)
    if is_delegation(code):
        raise NoRoute("what arrives at a wallet with delegated code is not certain")
    if native and code:
        raise NoRoute("the receiver is a contract, which would get the wrapped token")
    if not native and not code:
        raise NoRoute("the receiver is no contract, and would get the native asset")


def _call(to: str, signature: str) -> tuple[str, list[object]]:
    return "eth_call", [{"to": to, "data": "0x" + selector(signature).hex()}, "latest"]


async def _batch(rpc: EvmRpc, calls: list[tuple[str, list[object]]]) -> list[object]:
    try:
        answers = await rpc.batch(calls)
    except NodeUnavailable as error:
        raise UpstreamFailed(str(error)) from error
    for answer in answers:
        if isinstance(answer, RpcError):
            raise UpstreamFailed(f"{rpc.name}: the node refuses a read: {answer.message}") from answer
    return answers


def _number(rpc: EvmRpc, answer: object) -> int:
    data = hex_bytes(answer)
    if len(data) != _WORD:
        raise UpstreamFailed(f"{rpc.name}: there is no SpokePool at the pinned address")
    return int.from_bytes(data)
