"""Solvers of bridges: they see deposits on one chain and pay on the other, or misbehave as told."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto

from rhumbline.devnet.evm.operator import SetUpError, encoded
from rhumbline.devnet.upstreams.behaviour import Behaviour, Outcome
from rhumbline.devnet.upstreams.logs import Log, logs_between
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.evm.abi import decode_args, topic
from rhumbline.gateways.evm.address import checksummed

DEPOSITED = topic("Deposited(bytes32,address,address,uint256,bytes)")
_NOWHERE = "0x" + "00" * 20
_LOOK_AGAIN_S = 0.02


class DepositState(StrEnum):
    """The progress of a deposit."""

    PENDING = auto()
    FILLED = auto()
    REFUNDED = auto()
    FAILED = auto()


@dataclass(frozen=True, slots=True)
class Deposit:
    """A deposit as `Settle.sol` logs it: ``reference`` and ``tx_hash`` 0x-hex, ``token`` the native marker or EIP-55.

    ``terms`` is the data that the settlement contract logs for the emulator. On Solana an emulator finds deposits
    itself: ``tx_hash`` is the signature, addresses are base58, ``reference`` is the emulator's own identifier.
    """

    chain_id: int
    contract: str
    reference: str
    depositor: str
    token: str
    amount: int
    terms: bytes
    tx_hash: str


@dataclass(frozen=True, slots=True)
class Payment:
    """A deposit's payment: raw units of a token (or the native asset) of a chain; a refund goes to ``refund_to``."""

    chain_id: int
    token: str
    receiver: str
    amount: int
    refund_to: str


@dataclass
class Dealing:
    """A deposit and its outcome; transaction hashes once they exist, ``why`` if it failed."""

    deposit: Deposit
    payment: Payment | None = None
    state: DepositState = DepositState.PENDING
    fill_tx: str | None = None
    refund_tx: str | None = None
    why: str = ""


Terms = Callable[[Deposit], Awaitable[Payment]]


@dataclass
class Solver:
    """Settles the deposits of the settlement ``contracts`` (addresses by chain ID), from the world's paying account.

    ``terms`` returns a deposit's payment; its LookupError or ValueError fails the deposit. ``behaviour`` is asked again
    until a deposit is settled: one that was left open under NEVER or LATE is delivered once it says DELIVER. ``pace_s``
    is the least time of a delivery.
    """

    world: World
    contracts: Mapping[int, Collection[str]]
    terms: Terms
    behaviour: Callable[[], Behaviour]
    pace_s: float = 0.0
    deposits: dict[str, Dealing] = field(default_factory=dict)
    _arrived: asyncio.Queue[Dealing] = field(default_factory=asyncio.Queue)

    def of_transaction(self, tx_hash: str) -> Dealing | None:
        """Find the deposit of a transaction."""
        wanted = (tx_hash, tx_hash.lower())
        return next((each for each in self.deposits.values() if each.deposit.tx_hash in wanted), None)

    async def run(self, found: Iterable[AsyncIterator[Deposit]] = ()) -> None:
        """Watch and settle until cancelled; ``found`` are deposits that the emulator finds itself, as on Solana."""
        async with asyncio.TaskGroup() as group:
            for deposits in (*(self._seen(chain_id) for chain_id in self.contracts), *found):
                group.create_task(self._take_all(deposits))
            while True:
                group.create_task(self._deal(await self._arrived.get()))

    def take(self, deposit: Deposit) -> None:
        """Settle a deposit: called by `run` for those it sees, and by an emulator for those found otherwise."""
        dealing = Dealing(deposit)
        self.deposits[deposit.reference] = dealing
        self._arrived.put_nowait(dealing)

    async def _take_all(self, deposits: AsyncIterator[Deposit]) -> None:
        async for deposit in deposits:
            self.take(deposit)

    async def _seen(self, chain_id: int) -> AsyncIterator[Deposit]:
        watched, blocks = sorted(self.contracts[chain_id]), self.world.heads[chain_id].blocks()
        async for log in logs_between(self.world.rpc(chain_id), blocks, watched, DEPOSITED):
            yield read_deposit(chain_id, log)

    async def _deal(self, dealing: Dealing) -> None:
        try:
            dealing.payment = await self.terms(dealing.deposit)
            await self._settle(dealing, dealing.payment)
        except (LookupError, ValueError) as error:
            dealing.state, dealing.why = DepositState.FAILED, f"nothing is known of it ({error})"
        except (SetUpError, NodeRefused, NodeUnavailable) as error:
            dealing.state, dealing.why = DepositState.FAILED, str(error)

    async def _settle(self, dealing: Dealing, payment: Payment) -> None:
        outcome = await decided(self.behaviour, self.pace_s)
        if not await self._stands(dealing.deposit):
            dealing.state, dealing.why = DepositState.FAILED, "the deposit is no longer on its chain"
        elif outcome is Outcome.FAIL:
            dealing.state, dealing.why = DepositState.FAILED, "so it was told"
        else:
            await self._pay(dealing, payment, refund=outcome is Outcome.REFUND)

    async def _stands(self, deposit: Deposit) -> bool:
        """Return whether the deposit is still on its chain, which may have been set back."""
        if deposit.chain_id in self.world.nodes:
            return await self.world.svm(deposit.chain_id).stands(deposit.tx_hash)
        return await self.world.rpc(deposit.chain_id).call("eth_getTransactionReceipt", [deposit.tx_hash]) is not None

    async def _pay(self, dealing: Dealing, payment: Payment, *, refund: bool) -> None:
        deposit = dealing.deposit
        if refund:
            back = (deposit.chain_id, deposit.token, payment.refund_to, deposit.amount)
            dealing.refund_tx = await self._transfer(*back)
            dealing.state = DepositState.REFUNDED
        else:
            there = (payment.chain_id, payment.token, payment.receiver, payment.amount)
            dealing.fill_tx = await self._transfer(*there)
            dealing.state = DepositState.FILLED

    async def _transfer(self, chain_id: int, token: str, receiver: str, amount: int) -> str:
        if chain_id in self.world.nodes:
            return await self.world.svm(chain_id).pay(token, receiver, amount)
        payer = self.world.solver(chain_id)
        if token == NATIVE_EVM:
            return await payer.send(receiver, b"", amount)
        return await payer.send(token, encoded("transfer(address,uint256)", receiver, amount))


async def decided(behaviour: Callable[[], Behaviour], pace_s: float) -> Outcome:
    """Wait until the behaviour is one that acts: DELIVER, REFUND or FAIL."""
    seen = time.monotonic()
    while True:
        now, waited = behaviour(), time.monotonic() - seen
        late = now.outcome is Outcome.LATE and waited >= now.delay_s
        if now.outcome in (Outcome.REFUND, Outcome.FAIL):
            return now.outcome
        if late or (now.outcome is Outcome.DELIVER and waited >= pace_s):
            return Outcome.DELIVER
        await asyncio.sleep(_LOOK_AGAIN_S)


def read_deposit(chain_id: int, log: Log) -> Deposit:
    token, amount, terms = decode_args(("address", "uint256", "bytes"), log.data)
    return Deposit(
        chain_id,
        log.address,
        "0x" + log.topics[1].hex(),
        checksummed(log.topics[2][12:]),
        NATIVE_EVM if token == _NOWHERE else checksummed(str(token)),
        int(str(amount)),
        terms if isinstance(terms, bytes) else b"",
        log.tx_hash,
    )
