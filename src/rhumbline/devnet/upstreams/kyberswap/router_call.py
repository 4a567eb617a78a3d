"""The calldata for KyberSwap's router, and the lies in it.

MetaAggregationRouterV2's verified source, read 2026-11-21. As on the live service the executor gets the input, and a
flag is set that the router does not read.
"""

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.behaviour import Lie
from rhumbline.devnet.upstreams.trades import STRANGER, Trade, swap_terms
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import encode_args

ROUTER = "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5"
EXECUTOR = "0x63242A4Ea82847b20E506b63B0e2e2eFF0CC6cB0"
NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
SWAP = (
    "swap((address,address,bytes,"
    "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes),bytes))"
)
FLAGS = 0x200
_PACKED = ("uint256", "address", "uint256", "address", "bytes")


def router_call(trade: Trade, recipient: str, deadline: int, minimum: int, lie: Lie | None) -> bytes:
    """Encode a trade that pays `recipient` at least `minimum`, until `deadline` (Unix seconds)."""
    terms = swap_terms(trade, NATIVE, recipient, minimum, lie)
    router, data = trade.calldata(terms.receiver, 0)
    native = trade.token_in == NATIVE_EVM
    description: tuple[object, ...] = (
        terms.token_in,
        terms.token_out,
        [] if native else [EXECUTOR],
        [] if native else [trade.amount_in],
        [],
        [],
        terms.receiver,
        terms.amount,
        terms.minimum,
        FLAGS,
        b"",
    )
    packed = encode_args(_PACKED, [deadline, terms.token_in, trade.amount_in, router, data])
    approved = STRANGER if lie is Lie.OTHER_SPENDER else NATIVE_EVM
    return encoded(SWAP, (EXECUTOR, approved, packed, description, b'{"Source":"","Flags":0}'))


def theirs(token: str) -> str:
    """Return a token as KyberSwap writes it."""
    return NATIVE.lower() if token == NATIVE_EVM else token.lower()
