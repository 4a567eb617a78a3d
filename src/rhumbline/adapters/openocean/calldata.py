"""The call of OpenOcean's exchange, read back.

OpenOceanExchange (published source, read 2026-11-21). ``swap`` takes ``amount`` of ``srcToken`` from its caller to
``srcReceiver`` where the flags say so, or native value, has ``caller`` make the calls, and reverts unless
``dstReceiver`` gained ``minReturnAmount`` of ``dstToken``. To whom the input goes does not matter for safety.
"""

from dataclasses import dataclass

from pydantic import TypeAdapter

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.calldata import Function

_Description = tuple[str, str, str, str, int, int, int, int, str, bytes]
_Calls = tuple[tuple[int, int, int, bytes], ...]
_ARGUMENTS: TypeAdapter[tuple[str, _Description, _Calls]] = TypeAdapter(tuple[str, _Description, _Calls])
_DESCRIPTION = "(address,address,address,address,uint256,uint256,uint256,uint256,address,bytes)"
SWAP = Function(f"swap(address,{_DESCRIPTION},(uint256,uint256,uint256,bytes)[])")
"""Selector 0x90411a32."""
CLAIM = 0x02
"""The exchange takes the input from its caller. The only other flag allows partial fills."""


@dataclass(frozen=True, slots=True)
class ExchangeSwap:
    """What a call of the exchange does: addresses in lower case, amounts in raw units."""

    token_in: str
    token_out: str
    receiver: str
    amount: int
    minimum: int
    flags: int
    permit: bytes


def read_swap(data: bytes) -> ExchangeSwap:
    """Read a call of ``swap``; raise UpstreamFailed for any other call, and for one not canonically encoded."""
    try:
        _, description, _ = _ARGUMENTS.validate_python(SWAP.decode(data))
    except MalformedAnswer:
        raise UpstreamFailed("answered calldata that is not a call of its exchange's swap") from None
    token_in, token_out, _, receiver, amount, minimum, _, flags, _, permit = description
    return ExchangeSwap(token_in, token_out, receiver, amount, minimum, flags, permit)
