"""Payments to 1Click's deposit addresses on the sandbox; only the address identifies a payment's quote."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.logs import logs_in
from rhumbline.devnet.upstreams.near_intents.quotes import Asset
from rhumbline.devnet.upstreams.solver import Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import quantity
from rhumbline.gateways.nodes.svm.rpc import MOST_ACCOUNTS
from rhumbline.gateways.nodes.svm.state import SvmState
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction
from rhumbline.gateways.svm.address import associated_token_address

_TRANSFER = topic("Transfer(address,address,uint256)")
_STATES = MappingProxyType(
    {
        DepositState.PENDING: "PROCESSING",
        DepositState.FILLED: "SUCCESS",
        DepositState.REFUNDED: "REFUNDED",
        DepositState.FAILED: "FAILED",
    }
)


@dataclass
class Reservation:
    """A deposit address, made for one quote; ``answer`` is the quote's answer.

    ``taken`` says that the whole input arrived and the solver has it.
    """

    address: str
    origin: Asset
    destination: Asset
    amount_in: int
    payment: Payment
    deadline: datetime
    answer: Mapping[str, Any]
    deposited: int = 0
    transactions: list[str] = field(default_factory=list)
    taken: bool = False
    ended: bool = False

    def waits_on(self, chain_id: int) -> bool:
        """Return whether a deposit on a chain would still count."""
        return self.origin.chain_id == chain_id and not self.taken and not self.ended


@dataclass
class Deposits:
    """Watches the deposit addresses of all chains; passes whole deposits to the solver, and returns any excess at once.

    A deposit below the input waits for more until the deadline, then goes back; so does a deposit after the deadline.
    """

    world: World
    solver: Solver
    reservations: dict[str, Reservation] = field(default_factory=dict)

    async def run(self) -> None:
        """Watch until cancelled."""
        async with asyncio.TaskGroup() as group:
            for chain_id in self.world.evm_chains:
                group.create_task(self._watch(chain_id))
            for chain_id in self.world.nodes:
                group.create_task(self._watch_solana(chain_id))

    def word(self, held: Reservation) -> str:
        """Return an address's status."""
        dealing = self.solver.deposits.get(held.address.lower())
        if dealing is not None:
            return _STATES[dealing.state]
        if held.ended:
            return "REFUNDED"
        return "INCOMPLETE_DEPOSIT" if held.deposited else "PENDING_DEPOSIT"

    def details(self, held: Reservation) -> dict[str, object]:
        """Return the status's other fields."""
        dealing = self.solver.deposits.get(held.address.lower())
        filled = dealing is not None and dealing.state is DepositState.FILLED
        back = dealing.refund_tx if dealing is not None else None
        amounts: dict[str, object] = {"amountIn": None, "amountOut": None}
        if filled:
            amounts = {"amountIn": str(held.amount_in), "amountOut": str(held.payment.amount)}
        there = [dealing.fill_tx] if dealing is not None and dealing.fill_tx is not None else []
        here = held.transactions + ([back] if back is not None else [])
        return {
            "intentHashes": [],
            "nearTxHashes": [],
            **amounts,
            "slippage": 0 if filled else None,
            "depositedAmount": str(held.deposited) if held.deposited else None,
            "refundedAmount": str(held.deposited) if back is not None or held.ended else "0",
            "refundReason": "the sandbox was told to" if back is not None else None,
            "refundFee": "0",
            "withdrawFee": str(held.answer["quote"]["withdrawFee"]) if filled else "0",
            "originChainTxHashes": [{"hash": each, "explorerUrl": ""} for each in here],
            "destinationChainTxHashes": [{"hash": each, "explorerUrl": ""} for each in there],
        }

    async def _watch(self, chain_id: int) -> None:
        async for first, last in self.world.heads[chain_id].blocks():
            for payment in await self._paid(chain_id, first, last):
                await self._credit(chain_id, *payment)

    async def _watch_solana(self, chain_id: int) -> None:
        """Read the accounts of all waiting addresses whenever slots have passed."""
        node = self.world.svm(chain_id)
        async for _ in node.news.slots():
            waiting = [held for held in self.reservations.values() if held.waits_on(chain_id)] if node.on_duty() else []
            for held, holder in await self._holders(node, waiting[-MOST_ACCOUNTS:]):
                for each in reversed(await node.rpc.signatures(holder)):
                    executed = (
                        None if each.signature in held.transactions else await node.rpc.transaction(each.signature)
                    )
                    if executed is not None and executed.error is None:
                        gained = _gained(executed, holder, native=held.origin.is_native)
                        await self._credit(chain_id, held.origin.address, held.address, gained, each.signature)

    async def _holders(self, node: SvmNode, waiting: Sequence[Reservation]) -> list[tuple[Reservation, str]]:
        """Return the reservations that somebody has paid to, with the account that gained."""
        if not waiting:
            return []
        mints = await SvmState(node.rpc).mints([held.origin.address for held in waiting])
        holders = {
            held.address if (mint := mints[held.origin.address]) is None
            else associated_token_address(held.address, held.origin.address, mint.program): held
            for held in waiting
        }  # fmt: skip
        found = (await node.rpc.accounts(list(holders))).found
        return [(held, holder) for holder, held in holders.items() if found[holder] is not None]

    async def _paid(self, chain_id: int, first: int, last: int) -> list[tuple[str, str, int, str]]:
        """Return token, receiver, amount and transaction of all transfers in these blocks."""
        rpc = self.world.rpc(chain_id)
        paid = [
            (log.address, checksummed(log.topics[2][12:]), int.from_bytes(log.data), log.tx_hash)
            for log in await logs_in(rpc, first, last, _TRANSFER)
            if len(log.topics) == 3
        ]
        for number in range(first, last + 1):
            # None if the chain was set back to before this block.
            block = await rpc.call("eth_getBlockByNumber", [hex(number), True])
            for sent in block["transactions"] if isinstance(block, dict) else []:
                if sent.get("to") and quantity(sent["value"]):
                    paid.append((NATIVE_EVM, checksummed(sent["to"]), quantity(sent["value"]), sent["hash"]))
        return paid

    async def _credit(self, chain_id: int, token: str, address: str, amount: int, tx_hash: str) -> None:
        held = self.reservations.get(address)
        # A deposit of another token, on another chain, or to a used address is lost, as the documentation says.
        if held is None or (held.origin.chain_id, held.origin.address) != (chain_id, token) or held.taken or held.ended:
            return
        held.deposited += amount
        held.transactions.append(tx_hash)
        if datetime.now(UTC) >= held.deadline:
            held.ended = True
            await self._give_back(held, held.deposited)
        elif held.deposited >= held.amount_in:
            held.taken = True
            if held.deposited > held.amount_in:
                await self._give_back(held, held.deposited - held.amount_in)
            self.solver.take(Deposit(chain_id, address, address.lower(), address, token, held.amount_in, b"", tx_hash))

    async def _give_back(self, held: Reservation, amount: int) -> None:
        refund_to = held.payment.refund_to
        if held.origin.on_solana:
            node = self.world.svm(held.origin.chain_id)
            held.transactions.append(await node.pay(held.origin.address, refund_to, amount))
            return
        payer = self.world.solver(held.origin.chain_id)
        if held.origin.address == NATIVE_EVM:
            held.transactions.append(await payer.send(refund_to, b"", amount))
        else:
            call = encoded("transfer(address,uint256)", refund_to, amount)
            held.transactions.append(await payer.send(held.origin.address, call))


def _gained(executed: ExecutedTransaction, holder: str, *, native: bool) -> int:
    """Return an account's gain in a transaction, in lamports or raw units of its token."""
    if native:
        return executed.balances_after[holder] - executed.balances_before[holder]
    before, after = (
        sum(each.amount for each in tokens if each.account == holder)
        for tokens in (executed.tokens_before, executed.tokens_after)
    )
    return after - before
