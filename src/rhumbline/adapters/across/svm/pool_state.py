"""The state of the SvmSpoke and its chain that decides whether a deposit can be made."""

from struct import Struct, error

from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.pool_state import Clock
from rhumbline.adapters.across.svm.program import state_of
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import anchor_name
from rhumbline.gateways.svm.tokens import Mint, NoToken, read_mint

CLOCK = "SysvarC1ock11111111111111111111111111111111"
"""The account of the runtime's clock; solana.com/docs/references, read 2026-11-22."""
_CLOCK = Struct("<QqQQq")
_STATE = Struct("<8s??32sQIQII32sIII")
_IS_STATE = anchor_name("account", "State")


async def read_pool(rpc: SvmRpc, place: Deployment, mint: str) -> tuple[Clock, Mint]:
    """Read the pool's clock, and the token that is to be deposited, in one slot.

    Raise UpstreamFailed, NodeUnavailable, NoRoute where no deposit can be made.
    """
    state = state_of(place.spoke_pool)
    found = (await SharedState(rpc).page([state, CLOCK, mint])).found
    try:
        token = read_mint(mint, found[mint])
    except NoToken as fault:
        raise NoRoute(str(fault)) from None
    obstacle = token.obstacle()
    if obstacle is None and token.transfer_fees is not None:
        obstacle = "a transfer of this token may leave a part of it behind"
    if obstacle is not None:
        raise NoRoute(obstacle)
    buffers = _buffers(place, found[state])
    return Clock(read_time(found[CLOCK]), *buffers), token


def read_time(account: Account | None) -> int:
    """Return the chain's time in Unix seconds; raise UpstreamFailed for an account that is not the runtime's clock."""
    try:
        *_, now = _CLOCK.unpack(b"" if account is None else account.data)
    except error:
        raise UpstreamFailed("there is no clock on the chain") from None
    return int(now)


def _buffers(place: Deployment, account: Account | None) -> tuple[int, int]:
    if account is None or account.owner != place.spoke_pool or len(account.data) < _STATE.size:
        raise UpstreamFailed("there is no SpokePool at the pinned address")
    kind, paused, _, _, seed, _, chain_id, *_, quote_buffer, fill_buffer = _STATE.unpack_from(account.data)
    if (kind, seed, chain_id) != (_IS_STATE, 0, place.chain_id):
        raise UpstreamFailed("there is no SpokePool at the pinned address")
    if paused:
        raise NoRoute("deposits are paused")
    return quote_buffer, fill_buffer
