"""What a simulation took from the sender, by its logs: only the input may leave, only its spender may be approved."""

from collections.abc import Iterable

from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import Log
from rhumbline.simulation.evm.bundle import NATIVE_LOG, Bundle

TRANSFER = topic("Transfer(address,address,uint256)")
_APPROVAL = topic("Approval(address,address,uint256)")
_APPROVAL_FOR_ALL = topic("ApprovalForAll(address,address,bool)")
_PERMIT2_APPROVAL = topic("Approval(address,address,address,uint160,uint48)")
_TRANSFER_SINGLE = topic("TransferSingle(address,address,address,uint256,uint256)")
_TRANSFER_BATCH = topic("TransferBatch(address,address,address,uint256[],uint256[])")


def objection(bundle: Bundle, logs: Iterable[Log]) -> str | None:
    """Return what the simulation takes from the sender beside the input; None if nothing."""
    actor = evm_word(bundle.actor)
    spent = {bundle.task.input_token.lower(): 0, NATIVE_LOG: 0}
    for log in logs:
        if log.topics[1:2] == (actor,) and log.topics[0] in (_APPROVAL, _APPROVAL_FOR_ALL, _PERMIT2_APPROVAL):
            if not _is_input_approval(bundle, log):
                return f"the call approves something of the sender's at {checksummed(log.address)}"
        elif log.topics[2:3] == (actor,) and log.topics[0] in (_TRANSFER_SINGLE, _TRANSFER_BATCH):
            return f"the call takes {checksummed(log.address)} from the sender"
        elif log.topics[1:2] == (actor,) and log.topics[0] == TRANSFER:
            if log.address not in spent or len(log.topics) != 3:
                return f"the call takes {checksummed(log.address)} from the sender"
            spent[log.address] += int.from_bytes(log.data[:32])
    if spent[NATIVE_LOG] > bundle.task.value:
        return "the call takes more of the native asset from the sender than its value"
    if not bundle.input_is_native and spent[bundle.task.input_token.lower()] > bundle.task.input_amount:
        return "the call takes more of the input token from the sender than the amount"
    return None


def logged_gain(logs: Iterable[Log], token: str, owner: bytes) -> int:
    """Return how much more of a token (an address in lower case, or ``NATIVE_LOG``) moved to an owner than from it."""
    moves = [log for log in logs if log.address == token and len(log.topics) == 3 and log.topics[0] == TRANSFER]
    return sum(int.from_bytes(log.data[:32]) * ((log.topics[2] == owner) - (log.topics[1] == owner)) for log in moves)


def native_gain(logs: Iterable[Log], receiver: str) -> int:
    """Return how much more of the native asset moved to an address than from it, without gas."""
    return logged_gain(logs, NATIVE_LOG, evm_word(receiver))


def _is_input_approval(bundle: Bundle, log: Log) -> bool:
    """Many tokens log the remaining allowance when it is used."""
    spender = bundle.task.spender
    return (
        spender is not None
        and log.address == bundle.task.input_token.lower()
        and log.topics[0] == _APPROVAL
        and log.topics[2:] == (evm_word(spender),)
        and int.from_bytes(log.data[:32]) <= bundle.task.input_amount
    )
