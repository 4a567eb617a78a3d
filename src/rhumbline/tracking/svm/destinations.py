"""What Solana tells of deliveries: without a node of ours, no more than how its names are written."""

import re
from dataclasses import dataclass

from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.svm import address

_SIGNATURE = re.compile(r"[1-9A-HJ-NP-Za-km-z]{64,88}", re.ASCII)


@dataclass(frozen=True, slots=True)
class SvmDestinations:
    """Reads no chain yet."""

    def tx_hash(self, told: str) -> str | None:
        return told if _SIGNATURE.fullmatch(told) else None

    def address(self, told: str) -> str | None:
        return told if address.is_address(told) else None

    async def receipt(self, chain_id: int, tx_hash: str, measured: Transfer | None) -> None:
        """Tell nothing: there is no node."""
