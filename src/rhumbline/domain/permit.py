"""A signature in place of an approval."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rhumbline.domain.transaction import EvmTransaction


class PermitKind(StrEnum):
    """Who checks the signature: the token itself (EIP-2612), or Permit2, which the wallet has approved before."""

    EIP2612 = "EIP2612"
    PERMIT2 = "PERMIT2"


@dataclass(frozen=True, slots=True)
class Permit:
    """What a wallet signs (``typed_data``, for ``eth_signTypedData_v4``) and sends in place of approvals and call.

    ``transaction`` does what the answer's own does; its data ends with room for the signature: 65 bytes, all zero, and
    31 zeros that stay. ``gas_limit`` was sufficient in a simulation; None if none is known.
    """

    kind: PermitKind
    typed_data: Mapping[str, object]
    transaction: EvmTransaction
    gas_limit: int | None
