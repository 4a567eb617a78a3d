"""What Solana shows of a transaction that delivered something."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm import address, base58
from rhumbline.tracking.chain_types import DeliveryReceipt
from rhumbline.tracking.svm.balances import arrived

_SIGNATURE = 64


@dataclass(frozen=True, slots=True)
class SvmDestinations:
    """Reads the Solana chains; ``rpcs`` are the nodes of those that are served."""

    rpcs: Mapping[int, SvmRpc]

    def tx_hash(self, told: str) -> str | None:
        try:
            return told if len(base58.decode(told)) == _SIGNATURE else None
        except ValueError:
            return None

    def address(self, told: str) -> str | None:
        return told if address.is_address(told) else None

    async def receipt(self, chain_id: int, tx_hash: str, measured: Transfer | None) -> DeliveryReceipt | None:
        """Read a receipt; None without a node, or a transaction that it knows.

        Raise SvmRpcError or NodeUnavailable.
        """
        rpc = self.rpcs.get(chain_id)
        executed = None if rpc is None else await rpc.transaction(tx_hash)
        if executed is None:
            return None
        if executed.error is not None:
            return DeliveryReceipt(succeeded=False)
        return DeliveryReceipt(
            succeeded=True,
            time=_time(executed.block_time),
            paid=executed.fee,
            gained=0 if measured is None else arrived(executed, measured.receiver, measured.output_token),
        )


def _time(second: int | None) -> datetime | None:
    try:
        return None if second is None else datetime.fromtimestamp(second, UTC)
    except (OverflowError, ValueError, OSError) as error:
        raise NodeUnavailable("the node answered an impossible time of a transaction") from error
