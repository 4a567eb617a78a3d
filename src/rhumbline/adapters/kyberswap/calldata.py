"""Decodes the call of KyberSwap's router.

MetaAggregationRouterV2 (verified source, read 2026-11-21). ``swap`` takes ``desc.amount`` of ``desc.srcToken`` from its
caller, or native value, sends it to ``desc.srcReceivers``, runs ``callTarget``, and reverts unless ``desc.dstReceiver``
gained ``desc.minReturnAmount`` of ``desc.dstToken``. So the input's receivers do not matter for safety; the rest of the
call, including its deadline, is the executor's own packed form.
"""

from dataclasses import dataclass

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

_DESCRIPTION = "(address,address,address[],uint256[],address[],uint256[],address,uint256,uint256,uint256,bytes)"
SWAP = Function(f"swap((address,address,bytes,{_DESCRIPTION},bytes))")
"""Selector 0xe21fd0e9."""
FEE_IN_BPS = 0x80
UNUSED = 0x200
"""Set in every call the API makes, and read by nothing in the router."""
HARMLESS = FEE_IN_BPS | UNUSED
"""Flags without an effect if nobody gets a fee. The others: partial fills, more value, fees on the output."""
NOBODY = "0x0000000000000000000000000000000000000000"


@dataclass(frozen=True, slots=True)
class RouterSwap:
    """A decoded call of the router: addresses in lower case, amounts in raw units.

    ``sent`` is what goes to each of those who get the input; with a native input it is empty.
    """

    approve_target: str
    token_in: str
    token_out: str
    sent: tuple[int, ...]
    fee_receivers: tuple[str, ...]
    receiver: str
    amount: int
    minimum: int
    flags: int
    permit: bytes


def read_swap(data: bytes) -> RouterSwap:
    """Read a call of ``swap``; raise UpstreamFailed for any other call, and for one not canonically encoded."""
    try:
        ((_, approve_target, _, description, _),) = SWAP.decode(data)
    except MalformedAnswer:
        raise UpstreamFailed("answered calldata that is not a call of its router's swap") from None
    token_in, token_out, _, sent, fee_receivers, _, receiver, amount, minimum, flags, permit = description
    return RouterSwap(
        approve_target, token_in, token_out, sent, fee_receivers, receiver, amount, minimum, flags, permit
    )
