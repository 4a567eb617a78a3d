"""What a bridge took in a simulation: by its log of this order, and by its gain in balance. Pure."""

from collections.abc import Iterable, Mapping

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.deposit import BURNT, LogPattern
from rhumbline.domain.simulation import Bridged
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.nodes.evm.rpc import CallResult, Log
from rhumbline.simulation.evm.bundle import Bundle, RunDetail
from rhumbline.simulation.evm.outflow import logged_gain, native_gain

_WORD = 32
_ROUNDING = 2
"""Tokens that count in shares lose a unit or two on the way."""


def bridged(bundle: Bundle, results: Mapping[str, CallResult], detail: RunDetail = RunDetail.ALL) -> Bridged | None:
    """Return the gains of the bridge and the wallet in the deposit's token, by their balances.

    None without a deposit, or if a balance cannot be read. Burnt amounts are visible only in the token's own logs, and
    the wallet's native gain only in the simulated transfers.
    """
    deposit, logs = bundle.task.deposit, results["main"].logs
    if deposit is None or (BURNT in deposit.holders and detail is RunDetail.NOTHING):
        return None
    if deposit.token == NATIVE_EVM and detail is not RunDetail.ALL:
        return None
    gains: dict[str, int] = {}
    for number, (_, owner) in enumerate(bundle.watched):
        before, after = results[f"before {number}"].number, results[f"after {number}"].number
        if before is None or after is None:
            return None
        gains[owner] = after - before
    amount = sum(gains[holder] for holder in dict.fromkeys(deposit.holders) if holder != BURNT)
    if BURNT in deposit.holders:
        # The net reduction of the token's supply: what it sent to the zero address less what it minted from there.
        amount += logged_gain(logs, deposit.token.lower(), bytes(_WORD))
    if deposit.token == NATIVE_EVM:
        return Bridged(amount, bundle.task.value + native_gain(logs, bundle.actor))
    taken = bundle.task.input_amount if deposit.token == bundle.task.input_token else 0
    return Bridged(amount, gains[bundle.actor] + taken)


def deposit_objection(
    bundle: Bundle, logs: Iterable[Log], taken: Bridged | None, detail: RunDetail = RunDetail.ALL
) -> str | None:
    """Return why the simulation is not exactly this order's deposit; None if it is, or if there is none to see.

    Without logs only what the bridge gained is held against the order.
    """
    deposit = bundle.task.deposit
    if deposit is None:
        return None
    if deposit.log is not None and detail is not RunDetail.NOTHING:
        emitter, event = deposit.log.emitter.lower(), deposit.log.topics[:1]
        found = [log for log in logs if log.address == emitter and log.topics[:1] == event]
        if not any(_matches(log, deposit.log, bundle) for log in found):
            return "the bridge does not take this order"
        if len(found) > 1:
            return "the bridge takes more than one deposit"
        place = deposit.log.amount_at
        stated = None if place is None else int.from_bytes(_word_at(found[0], place))
        if stated is not None and taken is not None and stated > taken.amount + _ROUNDING:
            return f"the bridge's deposit is {stated}, but it gains {taken.amount}"
    if taken is not None and taken.amount + _ROUNDING < deposit.least:
        return f"the bridge gains only {taken.amount} instead of {deposit.least}"
    return None


def _matches(log: Log, pattern: LogPattern, bundle: Bundle) -> bool:
    if len(log.topics) != len(pattern.topics):
        return False
    pairs = [
        (expected, found) for expected, found in zip(pattern.topics, log.topics, strict=True) if expected is not None
    ]
    pairs += [(expected, _word_at(log, number)) for number, expected in pattern.words.items()]
    # A log that names the caller names the stand-in if that sends.
    sender, actor = evm_word(bundle.task.sender), evm_word(bundle.actor)
    return all(found == expected or (expected == sender and found == actor) for expected, found in pairs)


def _word_at(log: Log, number: int) -> bytes:
    return log.data[number * _WORD : (number + 1) * _WORD]
