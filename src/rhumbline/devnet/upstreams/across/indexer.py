"""What Across's indexer knows of a deposit, read from the pools of both chains on each request.

Source: across-protocol/indexer, 2026-02, read 2026-11-21; the events are those of V3SpokePoolInterface.sol and
SpokePool.sol in @across-protocol/contracts 5.0.27. Like the real one it accepts a fill only if its whole relay data
equal the deposit's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rhumbline.devnet.upstreams.across.relayer import pools_of
from rhumbline.devnet.upstreams.across.svm_index import SvmDeposited, SvmIndex
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.evm.abi import decode_args, topic
from rhumbline.gateways.nodes.evm.rpc import hex_bytes, quantity

_DEPOSITED = topic(
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
)
_SLOW = topic(
    "RequestedSlowFill(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32)"
)
_FILLED = topic(
    "FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,"
    "bytes32,(bytes32,bytes32,uint256,uint8))"
)
_REFUNDED = topic("ExecutedRelayerRefundRoot(uint256,uint256,uint256[],uint32,uint32,address,address[],bool,address)")
_SLOW_FILL = 2


@dataclass(frozen=True, slots=True)
class Event:
    """A log: topics, decoded data, and its position."""

    topics: tuple[bytes, ...]
    values: tuple[object, ...]
    tx_hash: str
    block: int


@dataclass(frozen=True, slots=True)
class IndexedDeposit:
    """A deposit: the relay data that a fill must repeat (``relay``), and its later transactions."""

    origin: int
    destination: int
    number: int
    tx_hash: str
    block: int
    relay: tuple[object, ...]
    depositor: bytes
    token: bytes
    amount: int
    fill_deadline: int


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A deposit's status, in the API's word, and its transactions."""

    status: str
    fill_tx: str | None = None
    refund_tx: str | None = None


@dataclass(frozen=True, slots=True)
class Indexer:
    """Reads the pools of the sandbox."""

    world: World
    solana: Mapping[int, SvmIndex]

    @classmethod
    def of(cls, world: World) -> "Indexer":
        """Return the indexer of a world's pools."""
        return cls(world, {number: SvmIndex(node, number) for number, node in world.nodes.items()})

    async def by_number(self, origin: int, number: int) -> IndexedDeposit | None:
        """Find a deposit by the number in its pool."""
        if origin in self.solana:
            return next((each for each in await self._on_solana(origin) if each.number == number), None)
        if origin not in self.world.evm_chains:
            return None
        found = await self._events(origin, _DEPOSITED, _DEPOSIT_TYPES, (None, _word(number)))
        return None if not found else _deposit(origin, found[0])

    async def by_transaction(self, tx_hash: str) -> list[IndexedDeposit]:
        """Find the deposits of a transaction, on any chain."""
        found = []
        for origin in self.world.evm_chains:
            events = await self._events(origin, _DEPOSITED, _DEPOSIT_TYPES, ())
            found += [_deposit(origin, event) for event in events if event.tx_hash == tx_hash.lower()]
        for origin in self.solana:
            found += [each for each in await self._on_solana(origin) if each.tx_hash == tx_hash]
        return found

    async def knowledge(self, deposit: IndexedDeposit) -> Knowledge:
        """Return a deposit's present status."""
        if deposit.destination not in self.world.chains:
            return Knowledge("pending")
        fill = await self._fill(deposit)
        if fill is not None:
            return Knowledge("slowFilled" if fill[1] else "filled", fill_tx=fill[0])
        if await pools_of(self.world)[deposit.destination].time() > deposit.fill_deadline:
            refund = await self._refund(deposit)
            return Knowledge("expired") if refund is None else Knowledge("refunded", refund_tx=refund)
        if deposit.destination in self.solana:
            return Knowledge("pending")
        topics = (_word(deposit.origin), _word(deposit.number))
        slow_fills = await self._events(deposit.destination, _SLOW, _SLOW_TYPES, topics)
        return Knowledge("slowFillRequested" if slow_fills else "pending")

    async def _fill(self, deposit: IndexedDeposit) -> tuple[str, bool] | None:
        """Find the fill's transaction, and whether it was a slow fill."""
        if deposit.destination in self.solana:
            return await self.solana[deposit.destination].fill(deposit.relay, deposit.origin, deposit.number)
        topics = (_word(deposit.origin), _word(deposit.number))
        for event in await self._events(deposit.destination, _FILLED, _FILL_TYPES, topics):
            if _relay_of_fill(event) == deposit.relay:
                done = event.values[11]
                return event.tx_hash, isinstance(done, tuple) and done[3] == _SLOW_FILL
        return None

    async def _on_solana(self, origin: int) -> list[IndexedDeposit]:
        return [_svm_deposit(origin, each) for each in await self.solana[origin].deposits()]

    async def _refund(self, deposit: IndexedDeposit) -> str | None:
        if deposit.origin in self.solana:
            return await self.solana[deposit.origin].refund(
                deposit.depositor, deposit.token, deposit.amount, deposit.block
            )
        for event in await self._events(deposit.origin, _REFUNDED, _REFUND_TYPES, (_word(deposit.origin),)):
            _, amounts, token, addresses, *_ = event.values
            if event.block <= deposit.block or _padded(token) != deposit.token:
                continue
            if not isinstance(amounts, tuple) or not isinstance(addresses, tuple):
                continue
            paid = zip(map(_padded, addresses), amounts, strict=True)
            if any(who == deposit.depositor and amount >= deposit.amount for who, amount in paid):
                return event.tx_hash
        return None

    async def _events(
        self, chain_id: int, event: bytes, types: Sequence[str], topics: Sequence[bytes | None]
    ) -> list[Event]:
        wanted = [None if each is None else "0x" + each.hex() for each in (event, *topics)]
        query = {
            "address": self.world.chain(chain_id).contracts["spoke_pool"],
            "topics": wanted,
            "fromBlock": "0x0",
            "toBlock": "latest",
        }
        found = await self.world.rpc(chain_id).call("eth_getLogs", [query])
        return [_event(log, types) for log in found] if isinstance(found, list) else []


_DEPOSIT_TYPES = ("bytes32", "bytes32", "uint256", "uint256", *("uint32",) * 3, "bytes32", "bytes32", "bytes")
_FILL_TYPES = (
    *("bytes32", "bytes32", "uint256", "uint256", "uint256", "uint32", "uint32"),
    *("bytes32",) * 4,
    "(bytes32,bytes32,uint256,uint8)",
)
_SLOW_TYPES = ("bytes32", "bytes32", "uint256", "uint256", "uint32", "uint32", *("bytes32",) * 4)
_REFUND_TYPES = ("uint256", "uint256[]", "address", "address[]", "bool", "address")


def _event(log: Mapping[str, object], types: Sequence[str]) -> Event:
    topics = log["topics"]
    return Event(
        tuple(hex_bytes(each) for each in topics) if isinstance(topics, list) else (),
        decode_args(types, hex_bytes(log["data"])),
        str(log["transactionHash"]).lower(),
        quantity(log["blockNumber"]),
    )


def _deposit(origin: int, event: Event) -> IndexedDeposit:
    _, destination, number, depositor = event.topics
    token, wanted, amount, output, _, fill, exclusivity, recipient, relayer, _ = event.values
    return IndexedDeposit(
        *(origin, int.from_bytes(destination), int.from_bytes(number), event.tx_hash, event.block),
        (depositor, recipient, relayer, token, wanted, amount, output, fill, exclusivity),
        *(depositor, token if isinstance(token, bytes) else b"", int(str(amount)), int(str(fill))),
    )


def _svm_deposit(origin: int, found: SvmDeposited) -> IndexedDeposit:
    relay = found.relay
    return IndexedDeposit(
        *(origin, found.destination, relay.deposit_id, found.tx_hash, found.slot),
        (
            *(relay.depositor, relay.recipient, relay.exclusive_relayer, relay.input_token, relay.output_token),
            *(relay.input_amount, relay.output_amount, relay.fill_deadline, relay.exclusivity_deadline),
        ),
        *(relay.depositor, relay.input_token, relay.input_amount, relay.fill_deadline),
    )


def _relay_of_fill(event: Event) -> tuple[object, ...]:
    token, wanted, amount, output, _, fill, exclusivity, relayer, depositor, recipient, *_ = event.values
    return (depositor, recipient, relayer, token, wanted, amount, output, fill, exclusivity)


def _word(number: int) -> bytes:
    return number.to_bytes(32)


def _padded(address: object) -> bytes:
    return bytes.fromhex(str(address)[2:]).rjust(32, b"\x00")
