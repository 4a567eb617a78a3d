"""What is paid to 1Click's deposit addresses on the sandbox: nothing but the address tells what a payment is for."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from rhumbline.devnet.evm.operator import encoded
from rhumbline.devnet.upstreams.logs import logs_in
from rhumbline.devnet.upstreams.near_intents_quotes import Asset
from rhumbline.devnet.upstreams.solver import Deposit, DepositState, Payment, Solver
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.rpc import quantity

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
    """A deposit address, made for one quote; ``answer`` is what the quote was answered with.

    ``taken`` says that the whole input came and the solver has it.
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


@dataclass
class Deposits:
    """Watches the deposit addresses of both chains and hands whole deposits to the solver, excess goes back at once.

    Less than the input waits for more until the deadline, then goes back; so does what comes after the deadline.
    """

    world: World
    solver: Solver
    reservations: dict[str, Reservation] = field(default_factory=dict)

    async def run(self) -> None:
        """Watch until cancelled."""
        async with asyncio.TaskGroup() as group:
            for chain_id in self.world.evm_chains:
                group.create_task(self._watch(chain_id))

    def word(self, held: Reservation) -> str:
        """Return the status of an address."""
        dealing = self.solver.deposits.get(held.address.lower())
        if dealing is not None:
            return _STATES[dealing.state]
        if held.ended:
            return "REFUNDED"
        return "INCOMPLETE_DEPOSIT" if held.deposited else "PENDING_DEPOSIT"

    def details(self, held: Reservation) -> dict[str, object]:
        """Return what a status tells beside its word."""
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

    async def _paid(self, chain_id: int, first: int, last: int) -> list[tuple[str, str, int, str]]:
        """Return token, receiver, amount and transaction of all that moved in these blocks."""
        rpc = self.world.rpc(chain_id)
        paid = [
            (log.address, checksummed(log.topics[2][12:]), int.from_bytes(log.data), log.tx_hash)
            for log in await logs_in(rpc, first, last, _TRANSFER)
            if len(log.topics) == 3
        ]
        for number in range(first, last + 1):
            # None where the chain was set back before this block.
            block = await rpc.call("eth_getBlockByNumber", [hex(number), True])
            for sent in block["transactions"] if isinstance(block, dict) else []:
                if sent.get("to") and quantity(sent["value"]):
                    paid.append((NATIVE_EVM, checksummed(sent["to"]), quantity(sent["value"]), sent["hash"]))
        return paid

    async def _credit(self, chain_id: int, token: str, address: str, amount: int, tx_hash: str) -> None:
        held = self.reservations.get(address)
        # The wrong token or chain, or an address that has been used: lost, as the documentation says.
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
        payer, refund_to = self.world.solver(held.origin.chain_id), held.payment.refund_to
        if held.origin.address == NATIVE_EVM:
            held.transactions.append(await payer.send(refund_to, b"", amount))
        else:
            call = encoded("transfer(address,uint256)", refund_to, amount)
            held.transactions.append(await payer.send(held.origin.address, call))
