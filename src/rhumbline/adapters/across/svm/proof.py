"""What Solana proves about a transfer, by the events of the SvmSpoke: its deposit, fill or refund.

Anybody can write a log that looks like an event, and forged deposits are on the chain. The program's own events are in
a call of itself that its event authority signs: an inner instruction that begins with ``EVENT``, names only that
account, and is in a transaction that succeeded. Nothing else is accepted. Source: anchor-lang ``event.rs`` and
programs/svm-spoke/src/event.rs at ``8ab0730`` of 2026-06-11, read 2026-11-22.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from struct import Struct, error

from rhumbline.adapters.across.blocks import Block
from rhumbline.adapters.across.bytes32 import to_word
from rhumbline.adapters.across.logs import Deposited, Filled, Log, Refunds, Relay, message_hash
from rhumbline.adapters.across.proof import FILLED, SLOW_FILL_REQUESTED, Ends, FillState, Found, agrees
from rhumbline.adapters.across.svm.fill_search import FillSearches
from rhumbline.adapters.across.svm.pool_state import CLOCK, read_time
from rhumbline.adapters.across.svm.program import fill_of, relay_hash
from rhumbline.domain.amount import MAX_SVM
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.nodes.svm.calls import SvmRpcError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import anchor_name, encode_address, event_authority

EVENT = bytes.fromhex("e445a52e51cb9a1d")
FUNDS_DEPOSITED = EVENT + anchor_name("event", "FundsDeposited")
FILLED_RELAY = EVENT + anchor_name("event", "FilledRelay")
EXECUTED_REFUNDS = EVENT + anchor_name("event", "ExecutedRelayerRefundRoot")
_DEPOSITED = Struct("<32s32sQ32sQ32sIII32s32s32sI")
_FILLED = Struct("<32s32s32sQQQ32sII32s32s32s32s32s32s32sQB")
_REFUNDS = Struct("<QQI")
_AFTER_AMOUNTS = Struct("<II32sI")
_FILL = Struct("<8sB")
_IS_FILL = anchor_name("account", "FillStatusAccount")


@dataclass(frozen=True, slots=True)
class SvmOrigin:
    """Deposits on Solana; every method raises NodeUnavailable."""

    rpc: SvmRpc
    ends: Ends

    async def deposit(self, transfer: Transfer) -> Found | None:
        """Find the transfer's deposit in its transaction; None if no deposit matches."""
        found = await _executed(self.rpc, transfer.tx_hash)
        if found is None:
            return None
        pool = self.ends.from_pool
        deposits = deposits_in(found, pool.spoke_pool, pool.chain_id)
        own = next((each for each in deposits if agrees(each, self.ends, transfer)), None)
        time = int(transfer.started_at.timestamp()) if found.block_time is None else found.block_time
        return None if own is None else Found(own, Block(found.slot, time))

    async def refund(self, found: Found, named_in: str | None) -> Refunds | None:
        """Search for the refund in the named transaction; without a name there is no search."""
        executed = None if named_in is None else await _executed(self.rpc, named_in)
        refunds = () if executed is None else refunds_in(executed, self.ends.from_pool.spoke_pool)
        return next((each for each in refunds if _is_own(each, found.deposited)), None)


@dataclass(frozen=True, slots=True)
class SvmDestination:
    """Fills on Solana; ``searches`` are those of fills that are not found yet.

    All of it raises NodeUnavailable.
    """

    rpc: SvmRpc
    ends: Ends
    searches: FillSearches

    async def look(self, found: Found) -> FillState | None:
        """Read the account of the pool's state of a relay; None if it cannot be read.

        The account may be closed after the deadline. So only a fill that is found counts as one, and that there is none
        only before the deadline, or while the account says so.
        """
        deposited = found.deposited
        if deposited.relay.output_amount > MAX_SVM:
            return None
        address = self._account(deposited)
        state = await self.rpc.accounts([address, CLOCK])
        try:
            head = Block(state.slot, read_time(state.found[CLOCK]))
        except UpstreamFailed:
            return None
        status = self._status(state.found[address])
        if status is None and head.time <= deposited.relay.fill_deadline:
            status = 0
        if status in (FILLED, None):
            return None if await self.fill(found, head) is None else FillState(FILLED, head)
        return FillState(status, head)

    async def fill(self, found: Found, head: Block) -> Filled | None:
        """Find the fill among the transactions that name its account, or continue that search.

        A fill after ``head`` counts too: all reads are confirmed, and the list of transactions may be a slot ahead of
        the account. A search that passed it by would never come back to it.
        """
        return await self.searches.find(self.rpc, self._account(found.deposited), partial(self._fill_of, found))

    async def fill_in(self, found: Found, signature: str) -> Filled | None:
        """Search for the fill of a deposit in one transaction."""
        executed = await _executed(self.rpc, signature)
        return None if executed is None else self._fill_of(found, executed)

    async def fill_logs(self, found: Found, fill: Filled) -> tuple[Log, ...] | None:
        """Return nothing: there is no Receiver on Solana."""
        return None

    def _fill_of(self, found: Found, executed: ExecutedTransaction) -> Filled | None:
        fills = fills_in(executed, self.ends.to_pool.spoke_pool)
        return next((each for each in fills if each.relay == found.deposited.relay), None)

    def _account(self, deposited: Deposited) -> str:
        pool = self.ends.to_pool
        return fill_of(pool.spoke_pool, relay_hash(deposited.relay, pool.chain_id))

    def _status(self, account: Account | None) -> int | None:
        if account is None or account.owner != self.ends.to_pool.spoke_pool or len(account.data) < _FILL.size:
            return None
        kind, status = _FILL.unpack_from(account.data)
        return status if kind == _IS_FILL and status in (0, SLOW_FILL_REQUESTED, FILLED) else None


def _is_own(refunds: Refunds, deposited: Deposited) -> bool:
    """Return whether the depositor got at least the deposit back, and at once."""
    relay = deposited.relay
    if refunds.deferred or to_word(refunds.token) != relay.input_token:
        return False
    return refunds.sums.get(encode_address(relay.depositor), 0) >= relay.input_amount


async def _executed(rpc: SvmRpc, signature: str) -> ExecutedTransaction | None:
    """Return a transaction that succeeded; None for any other. Raise NodeUnavailable."""
    try:
        found = await rpc.transaction(signature)
    except SvmRpcError:
        return None
    return found if found is not None and found.error is None else None


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
    authority = event_authority(program)
    for each in () if found.error is not None else found.inner or ():
        # What others are given is not decoded: it may be long, and they many.
        if each.program == program and [role.address for role in each.accounts] == [authority]:
            data = each.instruction.data
            if data.startswith(event):
                yield data[len(event) :]


def _deposit(body: bytes, origin: int) -> Deposited | None:
    if len(body) < _DEPOSITED.size:
        return None
    (
        input_token,
        output_token,
        input_amount,
        output_amount,
        destination,
        number,
        _,
        fill,
        exclusivity,
        depositor,
        recipient,
        relayer,
        length,
    ) = _DEPOSITED.unpack_from(body)
    message = body[_DEPOSITED.size :]
    if len(message) != length:
        return None
    relay = Relay(
        *(
            depositor,
            recipient,
            relayer,
            input_token,
            output_token,
            input_amount,
            int.from_bytes(output_amount),
            origin,
            int.from_bytes(number),
        ),
        *(fill, exclusivity, message_hash(message)),
    )
    return Deposited(relay, destination, message)


def _fill(body: bytes, signature: str) -> Filled | None:
    if len(body) != _FILLED.size:
        return None
    (
        input_token,
        output_token,
        input_amount,
        output_amount,
        _,
        origin,
        number,
        fill,
        exclusivity,
        exclusive,
        relayer,
        *rest,
    ) = _FILLED.unpack(body)
    depositor, recipient, message, updated_recipient, updated_message, updated_output, _ = rest
    relay = Relay(
        *(
            depositor,
            recipient,
            exclusive,
            input_token,
            output_token,
            int.from_bytes(input_amount),
            output_amount,
            origin,
        ),
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
