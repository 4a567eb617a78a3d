"""From the results of a bundle's calls to the findings of the simulation. Pure."""

from collections.abc import Mapping

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.nodes.evm.rpc import CallResult
from rhumbline.simulation.evm.bundle import Bundle, RunDetail
from rhumbline.simulation.evm.deposits import bridged, deposit_objection
from rhumbline.simulation.evm.outflow import native_gain, objection
from rhumbline.simulation.evm.reverts import Revert, read_revert
from rhumbline.simulation.verdict import Finding

_BELOW_MINIMUM = frozenset({"OutputBelowMinimum", "ResultBelowMinimum"})
_BELOW_MINIMUM_TEXTS = frozenset({"Too little received", "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT"})


def is_misread(bundle: Bundle, results: Mapping[str, CallResult]) -> bool:
    """Return whether the override did not give the actor exactly the input: the token's layout is another."""
    is_replaced = bundle.balance_word is not None and bundle.asks_balance
    return is_replaced and results["has"].number != bundle.task.input_amount


def is_unapproved(results: Mapping[str, CallResult]) -> bool:
    """Return whether the token refused the approval, by reverting or by its return value."""
    approval = results.get("approve")
    return approval is not None and (not approval.ok or approval.data == bytes(32))


def judge(bundle: Bundle, results: Mapping[str, CallResult], detail: RunDetail = RunDetail.ALL) -> Finding:
    """Return what the calls showed; without logs, nothing that they would show can be objected to."""
    unset = bundle.balance_word is None and not bundle.input_is_native
    if unset and (results["has"].number or 0) < bundle.task.input_amount:
        return Finding(
            ExecutionStatus.UNSUPPORTED,
            reason="the wallet has less than the amount, and where this token keeps balances is not known",
            wallet_fault=True,
        )
    if is_unapproved(results):
        approval = results["approve"]
        revert = read_revert(approval.data if not approval.ok else b"")
        return Finding(ExecutionStatus.REVERTED, reason=f"the token refuses the approval: {revert.text}")
    main = results["main"]
    if not main.ok:
        revert = read_revert(main.data)
        return Finding(
            ExecutionStatus.REVERTED, gas_used=main.gas_used, reason=revert.text, below_minimum=is_below_minimum(revert)
        )
    output, reason = _gain(bundle, results, detail)
    left, stood_in = objection(bundle, main.logs), bundle.stood_in
    taken = bridged(bundle, results, detail)
    return Finding(
        ExecutionStatus.SUCCESS,
        output=output,
        gas_used=main.gas_used,
        gas=main.gas,
        reason=reason,
        objection=left or deposit_objection(bundle, main.logs, taken, detail),
        stood_in=stood_in,
        bridged=taken,
    )


def is_below_minimum(revert: Revert) -> bool:
    return any(
        layer.name in _BELOW_MINIMUM or (layer.name == "Error" and layer.text in _BELOW_MINIMUM_TEXTS)
        for layer in revert.layers()
    )


def _gain(bundle: Bundle, results: Mapping[str, CallResult], detail: RunDetail) -> tuple[int | None, str | None]:
    if bundle.task.output_token is None:
        return None, "the output arrives on another chain"
    if bundle.task.returns_gain:
        return results["main"].number or 0, None
    before, after, main = results["before"].number, results["after"].number, results["main"]
    if before is None or after is None:
        return None, "the output token does not tell the receiver's balance"
    gain = after - before
    if bundle.task.output_token != NATIVE_EVM or bundle.receiver != bundle.actor:
        return gain, None
    if detail is not RunDetail.ALL:
        # All calls are one transaction, so that no gas is paid between the two balances.
        return gain + bundle.task.value, None
    # The receiver pays for the gas and for what the call costs beside the input here. Not every node charges for gas in
    # a simulation: the moves it reports must agree with the balances, with or without the gas, or neither is believed.
    moved = native_gain(main.logs, bundle.receiver)
    if moved in (gain, gain + main.gas_used * bundle.gas_cost_each):
        return moved + bundle.task.value, None
    return None, "the node's account of native transfers does not agree with the receiver's balance"
