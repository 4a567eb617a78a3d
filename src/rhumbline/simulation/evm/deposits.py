"""What a bridge took in a run: by its own log of this order, and by what its holders have more than before. Pure."""

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


def bridged(bundle: Bundle, results: Mapping[str, CallResult], told: RunDetail = RunDetail.ALL) -> Bridged | None:
    """Return what the bridge and the wallet gained of the deposit's token, by their balances.

    None without a deposit, or where a balance cannot be read. What is burnt is told by the token's own logs only, and
    what the wallet kept of the native asset by its moves.
    """
    deposit, logs = bundle.task.deposit, results["main"].logs
    if deposit is None or (BURNT in deposit.holders and told is RunDetail.NOTHING):
        return None
    if deposit.token == NATIVE_EVM and told is not RunDetail.ALL:
        return None
    gains: dict[str, int] = {}
    for number, (_, owner) in enumerate(bundle.watched):
        before, after = results[f"before {number}"].number, results[f"after {number}"].number
        if before is None or after is None:
            return None
        gains[owner] = after - before
    amount = sum(gains[holder] for holder in dict.fromkeys(deposit.holders) if holder != BURNT)
    if BURNT in deposit.holders:
        # How much less of the token there is: what it sent to nobody less what it made of nothing.
        amount += logged_gain(logs, deposit.token.lower(), bytes(_WORD))
    if deposit.token == NATIVE_EVM:
        return Bridged(amount, bundle.task.value + native_gain(logs, bundle.actor))
    taken = bundle.task.input_amount if deposit.token == bundle.task.input_token else 0
    return Bridged(amount, gains[bundle.actor] + taken)


def deposit_objection(
    bundle: Bundle, logs: Iterable[Log], taken: Bridged | None, told: RunDetail = RunDetail.ALL
) -> str | None:
    """Say why the run is not this order's deposit and nothing else; None when it is, or when there is none to see.

    Without logs only what the bridge gained is held against the order.
    """
    deposit = bundle.task.deposit
    if deposit is None:
        return None
    if deposit.log is not None and told is not RunDetail.NOTHING:
        emitter, event = deposit.log.emitter.lower(), deposit.log.topics[:1]
        found = [log for log in logs if log.address == emitter and log.topics[:1] == event]
        if not any(_matches(log, deposit.log, bundle) for log in found):
            return "the bridge does not take this order"
        if len(found) > 1:
            return "the bridge takes more than one deposit"
        place = deposit.log.amount_at
        said = None if place is None else int.from_bytes(_word_at(found[0], place))
        if said is not None and taken is not None and said > taken.amount + _ROUNDING:
            return f"the bridge is said to take {said} and gains {taken.amount}"
    if taken is not None and taken.amount + _ROUNDING < deposit.least:
        return f"the bridge gains {taken.amount} only, where {deposit.least} were ordered"
    return None


def _matches(log: Log, pattern: LogPattern, bundle: Bundle) -> bool:
    if len(log.topics) != len(pattern.topics):
        return False
    pairs = [(wanted, found) for wanted, found in zip(pattern.topics, log.topics, strict=True) if wanted is not None]
    pairs += [(wanted, _word_at(log, number)) for number, wanted in pattern.words.items()]
    # Where a stand-in sends, a log that names who called names the stand-in.
    sender, actor = evm_word(bundle.task.sender), evm_word(bundle.actor)
    return all(found == wanted or (wanted == sender and found == actor) for wanted, found in pairs)


def _word_at(log: Log, number: int) -> bytes:
    return log.data[number * _WORD : (number + 1) * _WORD]
