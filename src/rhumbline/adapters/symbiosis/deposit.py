"""How a run of a crossing shows what the portal locked."""

from types import MappingProxyType

from rhumbline.adapters.symbiosis.calldata import Crossing
from rhumbline.domain.deposit import BridgeDeposit, LogPattern
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import topic

REQUESTED = topic("SynthesizeRequest(bytes32,address,uint256,address,address,uint256,address)")
"""Of Portal.sol (verified source, read 2026-11-22): ``id``, indexed ``from``, ``chainID`` and ``revertableAddress``,
``to``, ``amount``, ``token``; written once by every lock, after the portal took the tokens."""
_TO, _AMOUNT, _TOKEN = 1, 2, 3


def deposit_of(crossing: Crossing) -> BridgeDeposit:
    """Return the lock of a checked crossing: exactly its amount, of the wrapped token for a native input."""
    log = LogPattern(
        crossing.portal,
        (REQUESTED, evm_word(crossing.refunded), crossing.chain.to_bytes(32), evm_word(crossing.revertable)),
        MappingProxyType({_TO: evm_word(crossing.receiver), _TOKEN: evm_word(crossing.token)}),
        _AMOUNT,
    )
    return BridgeDeposit(crossing.token, crossing.amount, (crossing.portal,), log)
