"""What a transaction cost, by its receipt."""

from collections.abc import Mapping

from rhumbline.gateways.evm.rpc import quantity


def gas_paid(receipt: Mapping[str, object]) -> int:
    """Return what was paid for gas, in wei: ``gasUsed * effectiveGasPrice``, and ``l1Fee`` on OP Stack chains.

    Source of the latter: https://docs.optimism.io/stack/transactions/fees, read 2026-11. Raise NodeUnavailable for a
    receipt that does not tell.
    """
    paid = quantity(receipt.get("gasUsed")) * quantity(receipt.get("effectiveGasPrice"))
    l1_fee = receipt.get("l1Fee")
    return paid + (0 if l1_fee is None else quantity(l1_fee))
