"""The SvmSpoke's events, read from the calls by which it tells them.

Anybody can write into a log what looks like an event, and forged deposits are on the chain. The program tells its own
in a call of itself that its event authority signs: an inner instruction that begins with ``EVENT``, names that account
and no other, in a transaction that succeeded. Nothing else is believed.
Source: anchor-lang ``event.rs`` and programs/svm-spoke/src/event.rs at ``8ab0730`` of 2026-06-11, read 2026-11-22.
"""

from collections.abc import Iterator
from struct import Struct, error

from rhumbline.adapters.across.logs import Deposited, Filled, Refunds, Relay, message_hash
from rhumbline.adapters.across.svm.program import event_authority_of, named
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import encode_address

EVENT = bytes.fromhex("e445a52e51cb9a1d")
FUNDS_DEPOSITED = EVENT + named("event", "FundsDeposited")
FILLED_RELAY = EVENT + named("event", "FilledRelay")
EXECUTED_REFUNDS = EVENT + named("event", "ExecutedRelayerRefundRoot")
_DEPOSITED = Struct("<32s32sQ32sQ32sIII32s32s32sI")
_FILLED = Struct("<32s32s32sQQQ32sII32s32s32s32s32s32s32sQB")
_REFUNDS = Struct("<QQI")
_AFTER_AMOUNTS = Struct("<II32sI")


def deposits_in(found: ExecutedTransaction, program: str, origin: int) -> list[Deposited]:
    """Return the deposits that a transaction made at the pool of Across's chain ``origin``, in their order."""
    read = (_deposit(body, origin) for body in _events(found, program, FUNDS_DEPOSITED))
    return [each for each in read if each is not None]


def fills_in(found: ExecutedTransaction, program: str) -> list[Filled]:
    """Return the fills of a transaction, in their order."""
    read = (_fill(body, found.signature) for body in _events(found, program, FILLED_RELAY))
    return [each for each in read if each is not None]


def refunds_in(found: ExecutedTransaction, program: str) -> list[Refunds]:
    """Return the refunds of a transaction, in their order; sums are by base58 address."""
    read = (_refund(body, found.signature) for body in _events(found, program, EXECUTED_REFUNDS))
    return [each for each in read if each is not None]


def _events(found: ExecutedTransaction, program: str, event: bytes) -> Iterator[bytes]:
    authority = event_authority_of(program)
    for each in () if found.error is not None else found.inner or ():
        # What others are given is not decoded: it may be long, and they many.
        if each.program == program and [role.address for role in each.accounts] == [authority]:
            data = each.instruction.data
            if data.startswith(event):
                yield data[len(event) :]


def _deposit(body: bytes, origin: int) -> Deposited | None:
    if len(body) < _DEPOSITED.size:
        return None
    given, wanted, paid, output, destination, number, _, fill, exclusivity, depositor, recipient, relayer, length = (
        _DEPOSITED.unpack_from(body)
    )
    message = body[_DEPOSITED.size :]
    if len(message) != length:
        return None
    relay = Relay(
        *(depositor, recipient, relayer, given, wanted, paid, int.from_bytes(output), origin, int.from_bytes(number)),
        *(fill, exclusivity, message_hash(message)),
    )
    return Deposited(relay, destination, message)


def _fill(body: bytes, signature: str) -> Filled | None:
    if len(body) != _FILLED.size:
        return None
    given, wanted, paid, output, _, origin, number, fill, exclusivity, exclusive, relayer, *rest = _FILLED.unpack(body)
    depositor, recipient, message, updated_recipient, updated_message, updated_output, _ = rest
    relay = Relay(
        *(depositor, recipient, exclusive, given, wanted, int.from_bytes(paid), output, origin),
        *(int.from_bytes(number), fill, exclusivity, message),
    )
    return Filled(relay, relayer, updated_recipient, updated_output, updated_message, signature)


def _refund(body: bytes, signature: str) -> Refunds | None:
    try:
        _, _, count = _REFUNDS.unpack_from(body)
        amounts = Struct(f"<{min(count, len(body))}Q")
        at = _REFUNDS.size + amounts.size
        _, _, token, others = _AFTER_AMOUNTS.unpack_from(body, at)
        addresses = Struct("<" + "32s" * min(others, len(body)) + "?32s")
        *who, deferred, _ = addresses.unpack(body[at + _AFTER_AMOUNTS.size :])
    except error:
        return None
    sums: dict[str, int] = {}
    for address, amount in zip(map(encode_address, who), amounts.unpack_from(body, _REFUNDS.size), strict=False):
        sums[address] = sums.get(address, 0) + amount
    return Refunds(encode_address(token), sums, deferred, signature, 0)
