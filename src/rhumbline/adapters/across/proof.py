"""What an EVM chain proves about a transfer: its deposit, fill or refund. Everything here raises NodeUnavailable."""

from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.adapters.across.blocks import Block, confirmed_head, find_log, first_block_at, read_block
from rhumbline.adapters.across.bytes32 import evm_address, to_word
from rhumbline.adapters.across.deployments import Deployment
from rhumbline.adapters.across.destination_calls import logs_of_fill, own_fill
from rhumbline.adapters.across.logs import (
    EXECUTED_REFUNDS,
    FILLED_RELAY,
    OWN_ENDS,
    Deposited,
    Filled,
    Log,
    Refunds,
    read_deposit,
    read_logs,
    read_refunds,
)
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity

CLOCK_SKEW_S = 600
"""How far the destination's clock may lag behind the origin's."""
REFUND_WINDOW_S = 24 * 3600
"""How long after its deadline a deposit's refund is searched for; it usually comes within hours."""
FILL_STATUSES = Function("fillStatuses(bytes32)")
SLOW_FILL_REQUESTED, FILLED = 1, 2
"""A pool's states of a relay; 0 is none."""
_WORD = 32


@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of a transfer: the chains and Across's deployments on them."""

    origin: Chain
    destination: Chain
    from_pool: Deployment
    to_pool: Deployment


@dataclass(frozen=True, slots=True)
class Found:
    """The transfer's deposit, and its block."""

    deposited: Deposited
    block: Block


@dataclass(frozen=True, slots=True)
class FillState:
    """A pool's state of a relay at the block ``head``."""

    status: int
    head: Block


@dataclass(frozen=True, slots=True)
class EvmOrigin:
    """Deposits on an EVM chain."""

    rpc: EvmRpc
    ends: Ends

    async def deposit(self, transfer: Transfer) -> Found | None:
        """Find the transfer's deposit by the pool's log; None if no deposit matches, or it is not mined."""
        number, logs = await _receipt(self.rpc, transfer.tx_hash)
        deposited = own_deposit(logs, self.ends, transfer)
        return None if deposited is None else Found(deposited, await read_block(self.rpc, number))

    async def refund(self, found: Found, named_in: str | None) -> Refunds | None:
        """Find a deposit's refund by the pool's log in the transaction named, None without one.

        Unnamed it is the first that is large enough after the deadline; see ``TRUST_ASSUMPTIONS``.
        """
        if named_in is not None:
            _, logs = await _receipt(self.rpc, named_in)
            return next(filter(None, (own_refund(log, self.ends, found.deposited) for log in logs)), None)
        head = await confirmed_head(self.rpc, self.ends.origin.confirmations)
        deadline = found.deposited.relay.fill_deadline
        if head.time <= deadline:
            return None
        first, last = await first_block_at(self.rpc, deadline + 1, head), head.number
        if head.time > deadline + REFUND_WINDOW_S:
            last = await first_block_at(self.rpc, deadline + REFUND_WINDOW_S, head)
        pool = self.ends.from_pool
        topics = [_hex(EXECUTED_REFUNDS), _hex(pool.chain_id.to_bytes(_WORD))]
        return await find_log(
            self.rpc, pool.spoke_pool, topics, first, last, lambda log: own_refund(log, self.ends, found.deposited)
        )


@dataclass(frozen=True, slots=True)
class EvmDestination:
    """Fills on an EVM chain."""

    rpc: EvmRpc
    ends: Ends

    async def look(self, found: Found) -> FillState | None:
        """Ask the pool by the hash of all the relay's fields, at the newest block with enough confirmations.

        None if the call fails.
        """
        head = await confirmed_head(self.rpc, self.ends.destination.confirmations)
        call = FILL_STATUSES.encode(found.deposited.relay_hash())
        try:
            answer = await self.rpc.eth_call(self._pool, call, hex(head.number))
        except RpcError:
            return None
        return FillState(int.from_bytes(answer), head) if len(answer) == _WORD else None

    async def fill(self, found: Found, head: Block) -> Filled | None:
        """Search the pool's logs from the deposit's time to ``head`` or the deadline; None if the old are not given."""
        relay = found.deposited.relay
        first, last = await first_block_at(self.rpc, found.block.time - CLOCK_SKEW_S, head), head.number
        if head.time > relay.fill_deadline:
            last = await first_block_at(self.rpc, relay.fill_deadline + 1, head)
        topics = [_hex(FILLED_RELAY), _hex(relay.origin.to_bytes(_WORD)), _hex(relay.deposit_id.to_bytes(_WORD))]
        return await find_log(
            self.rpc, self._pool, topics, first, last, lambda log: own_fill(log, self._pool, found.deposited)
        )

    async def fill_in(self, found: Found, tx_hash: str) -> Filled | None:
        """Search for the fill in one transaction."""
        _, logs = await _receipt(self.rpc, tx_hash)
        return next(filter(None, (own_fill(log, self._pool, found.deposited) for log in logs)), None)

    async def fill_logs(self, found: Found, fill: Filled) -> tuple[Log, ...] | None:
        """Return the logs of the fill's transaction from the fill to the next one; None if no node has them."""
        _, logs = await _receipt(self.rpc, fill.tx_hash)
        return logs_of_fill(logs, self._pool, found.deposited)

    @property
    def _pool(self) -> str:
        return self.ends.to_pool.spoke_pool


def own_deposit(logs: Sequence[Log], ends: Ends, transfer: Transfer) -> Deposited | None:
    """Return the pinned pool's deposit that belongs to a transfer; None if no deposit agrees in every field.

    It is the last deposit up to the transfer's log, which is an event of ours or the deposit itself: one transaction
    may hold several transfers. A deposit before the Diamond's previous event belongs to that one: otherwise one deposit
    would prove every later claim of the same wallet that pays nothing to the bridge. If the wallet called the pool
    itself and no log is named, it is the first deposit that agrees.
    """
    found = [
        (log.log_index, deposited)
        for log in logs
        if log.address == ends.from_pool.spoke_pool
        and (deposited := read_deposit(log, ends.from_pool.chain_id)) is not None
    ]
    if transfer.log_index >= 0:
        after = _previous_end(logs, ends.origin.diamond, transfer.log_index)
        found = [(index, deposited) for index, deposited in found if after < index <= transfer.log_index][-1:]
    return next((deposited for _, deposited in found if agrees(deposited, ends, transfer)), None)


def _previous_end(logs: Sequence[Log], diamond: str | None, log_index: int) -> int:
    """Return the place of the event with which the Diamond's last call before ``log_index`` ended; -1 without one."""
    return max(
        (
            log.log_index
            for log in logs
            if log.address == diamond and log.topics and log.topics[0] in OWN_ENDS and log.log_index < log_index
        ),
        default=-1,
    )


def agrees(deposited: Deposited, ends: Ends, transfer: Transfer) -> bool:
    """Return whether a deposit matches the transfer: refund address, payee, tokens, amounts, chain, message.

    Without a destination call it has no message, which could do anything with the money.
    """
    relay, call = deposited.relay, transfer.destination_call
    payee, token, least, message = transfer.receiver, transfer.output_token, transfer.min_output, b""
    if call is not None:
        payee, token, least, message = call.payee, call.token, call.least, call.message
    return (
        relay.depositor == to_word(transfer.refund_to)
        and relay.recipient == to_word(payee)
        and relay.input_token == _bridged(ends.origin, transfer.sent_token)
        and relay.output_token == _bridged(ends.destination, token)
        and relay.input_amount == transfer.sent_amount
        and relay.output_amount >= least
        and deposited.destination == ends.to_pool.chain_id
        and deposited.message == message
    )


def own_refund(log: Log, ends: Ends, deposited: Deposited) -> Refunds | None:
    """Return the refunds in a log of the pinned pool, if the depositor got at least the deposit back."""
    if log.address != ends.from_pool.spoke_pool:
        return None
    refunds, relay = read_refunds(log, ends.from_pool.chain_id), deposited.relay
    if refunds is None or refunds.deferred or to_word(refunds.token) != relay.input_token:
        return None
    got = refunds.sums.get(evm_address(relay.depositor).lower(), 0)
    return refunds if got >= relay.input_amount else None


async def _receipt(rpc: EvmRpc, tx_hash: str) -> tuple[int, tuple[Log, ...]]:
    """Return the block and the logs of a transaction that succeeded; 0 and no logs for any other."""
    try:
        receipt = await rpc.call("eth_getTransactionReceipt", [tx_hash])
    except RpcError:
        return 0, ()
    if not isinstance(receipt, dict) or receipt.get("status") != "0x1":
        return 0, ()
    return quantity(receipt.get("blockNumber")), read_logs(receipt.get("logs"))


def _bridged(chain: Chain, token: str) -> bytes:
    """Return the token that Across moves for ``token``; no bytes if there is none."""
    if token != NATIVE_EVM:
        return to_word(token)
    return b"" if chain.wrapped_native is None else to_word(chain.wrapped_native)


def _hex(word: bytes) -> str:
    return "0x" + word.hex()
