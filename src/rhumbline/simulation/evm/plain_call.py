"""The same question for nodes without ``eth_simulateV1``: one ``eth_call`` with the wallet's state overridden.

Nothing can be approved before the call, so the allowance is overridden as well, and nothing can be read after it, so
the receiver's gain stays unseen.
"""

from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.evm.rpc import EvmRpc, RpcError
from rhumbline.simulation.evm.bundle import Bundle
from rhumbline.simulation.evm.reverts import read_revert
from rhumbline.simulation.evm.slots import SlotFinder
from rhumbline.simulation.evm.verdict import is_below_minimum
from rhumbline.simulation.verdict import Finding


def lacks_method(error: RpcError) -> bool:
    """Tell whether a node says that it does not know a method: by the code for that, or in words."""
    text = error.message.lower()
    return error.code == -32601 or "eth_simulatev1" in text or ("method" in text and "not" in text)


async def run_plain(rpc: EvmRpc, slots: SlotFinder, bundle: Bundle) -> Finding:
    """Run the bundle's transaction alone; raise NodeUnavailable when the node does not answer."""
    task = bundle.task
    overrides: dict[str, dict[str, object]] = {bundle.actor: {"balance": hex(task.value + 10**18)}}
    if not bundle.input_is_native:
        slot = None if task.spender is None else await slots.allowance(task.input_token)
        word = None if slot is None else slot.word(task.input_amount, bytes(32))
        if bundle.balance_word is None or slot is None or word is None:
            return Finding(
                ExecutionStatus.UNSUPPORTED,
                reason="the node has no eth_simulateV1, and where the token keeps balances and allowances is not known",
            )
        diff = {bundle.balance_word[0]: bundle.balance_word[1], slot.layout.key(bundle.actor, task.spender): word}
        overrides[task.input_token] = {
            "stateDiff": {"0x" + key.hex(): "0x" + value.hex() for key, value in diff.items()}
        }
    try:
        await rpc.call("eth_call", [bundle.call, "latest", overrides])
    except RpcError as error:
        # Code 3 is "execution reverted" (https://ethereum.github.io/execution-apis, read 2026-11).
        if not error.data and error.code != 3 and "revert" not in error.message.lower():
            raise
        revert = read_revert(error.data)
        return Finding(ExecutionStatus.REVERTED, reason=revert.text, below_minimum=is_below_minimum(revert))
    unseen = "the node has no eth_simulateV1, so the receiver's gain was not seen"
    return Finding(ExecutionStatus.SUCCESS, reason=unseen)
