"""The calldata for OKX's router.

DEX-Router-EVM-V1 (published source) and calldata of recorded answers, both read 2026-11-21: with a receiver other than
the caller it is ``dagSwapTo``, and each call ends with a trim of ten per cent above the quoted amount.
"""

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.trades import Trade, swap_terms
from rhumbline.gateways.evm.abi import encode_args

ROUTER = "0x8feAB81D36E7576107D5dE0758c1b839Be31B4F6"
NEXT_ROUTER = "0xC4A2C4a2C4a2C4A2c4A2c4a2c4A2C4a2c4A2C4a2"
"""A later router: the approved contract knows it, the adapter's pins do not."""
APPROVED = "0x40aA958dd87FC8305b97f2BA922CDdCa374bcD7f"
APPROVE_PROXY = "0x70cBb871E8f30Fc8Ce23609E9E0Ea87B6b222F59"
ADAPTER = "0x000000000000000000000000000000000000Ada0"
TRIMMER = "0xfA00a9eD787F3793Db668bFF3E6E6e7dB0f92A1b"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
BASE_REQUEST = "(uint256,address,uint256,uint256,uint256)"
ROUTER_PATH = "(address[],address[],uint256[],bytes[],uint256)"
BY_ORDER = f"dagSwapByOrderId(uint256,{BASE_REQUEST},{ROUTER_PATH}[])"
TO = f"dagSwapTo(uint256,address,{BASE_REQUEST},{ROUTER_PATH}[])"
TRIM = bytes.fromhex("777777771111")
WHOLE_WEIGHT = 10_000
ORDER = 105_000
TRIM_RATE = 100


def router_call(
    trade: Trade, user: str, receiver: str, minimum: int, deadline: int, lie: Lie | None, router: str = ROUTER
) -> bytes:
    """Encode a trade that pays `receiver` at least `minimum` until `deadline` (Unix seconds), with the active lie."""
    terms = swap_terms(trade, NATIVE, receiver, minimum, lie)
    request = (int(terms.token_in, 16), terms.token_out, terms.amount, terms.minimum, deadline)
    paths = _paths(trade, router)
    if terms.receiver.lower() == user.lower():
        call = encoded(BY_ORDER, ORDER, request, paths)
    else:
        call = encoded(TO, ORDER, terms.receiver, request, paths)
    return call + _trim(trade.amount_out)


def _paths(trade: Trade, router: str) -> list[tuple[list[str], list[str], list[int], list[bytes], int]]:
    """Return a node for each pool; the first one's data has the whole trade, which the sandbox's router reads."""
    plan = encode_args(["address", "bytes"], trade.calldata(router, 0))
    paths = []
    for place, leg in enumerate(trade.legs):
        edge = int(leg.pool.address, 16) + (WHOLE_WEIGHT << 160) + ((place + 1) << 176) + (place << 184)
        paths.append(([ADAPTER], [ADAPTER], [edge], [plan if place == 0 else b""], int(leg.token_in, 16)))
    return paths


def _trim(expected: int) -> bytes:
    last = TRIM + TRIM_RATE.to_bytes(6) + bytes.fromhex(TRIMMER[2:])
    return TRIM + b"\x80" + bytes(5) + expected.to_bytes(20) + last
