"""Who makes Across work on the sandbox: a relayer that fills deposits, and the hub's part, refunds of expired ones.

ABI and rules are those of `SpokePool.sol`, @across-protocol/contracts 5.0.27 (read 2026-11). Both pools belong to the
sandbox's operator, who relays root bundles as the hub's data workers do; fills are not repaid, the relayer is rich.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from eth_utils.crypto import keccak

from rhumbline.devnet.evm.accounts import DEPLOYER, RELAYER, sandbox_account
from rhumbline.devnet.evm.operator import Operator, SetUpError, encoded, unlocked
from rhumbline.devnet.upstreams.behaviour import Behaviour, Outcome
from rhumbline.devnet.upstreams.logs import Log, logs_between
from rhumbline.devnet.upstreams.solver import DepositState, decided
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.evm.abi import decode_args, encode_args, topic
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.rpc import RpcError

_DEPOSITED = topic(
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
)
_DEPOSITED_DATA = (
    *("bytes32", "bytes32", "uint256", "uint256", "uint32", "uint32", "uint32", "bytes32", "bytes32", "bytes"),
)
_BUNDLE = topic("RelayedRootBundle(uint32,bytes32,bytes32)")
_RELAY = "(bytes32,bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,bytes)"
_LEAF = "(uint256,uint256,uint256[],uint32,address,address[])"
_NO_ROOT = bytes(32)
_FILLED = 2
_BALANCE = 1_000_000 * 10**18
_LOOK_AGAIN_S = 0.1


@dataclass(frozen=True, slots=True)
class Relay:
    """A deposit as both pools know it; addresses are 32 bytes, amounts raw units, times Unix seconds."""

    depositor: bytes
    recipient: bytes
    exclusive_relayer: bytes
    input_token: bytes
    output_token: bytes
    input_amount: int
    output_amount: int
    origin_chain: int
    deposit_id: int
    fill_deadline: int
    exclusivity_deadline: int
    message: bytes

    @property
    def data(self) -> tuple[object, ...]:
        """The V3RelayData tuple."""
        return tuple(getattr(self, name) for name in self.__slots__)


@dataclass
class Relayed:
    """A deposit and what became of it; transaction hashes once there are some, ``why`` where it was not filled."""

    relay: Relay
    destination_chain: int
    tx_hash: str
    state: DepositState = DepositState.PENDING
    fill_tx: str | None = None
    refund_tx: str | None = None
    why: str = ""


@dataclass
class Relayer:
    """Fills the deposits of either pool on the other chain, as ``behaviour().outcome`` says, asked anew meanwhile.

    DELIVER fills after ``pace_s``; LATE ``delay_s`` after the deposit; NEVER lets it expire, and refunds it then;
    REFUND refunds at once, without waiting for the deadline; FAIL leaves it for good. What nobody would fill (a token
    without its counterpart, more out than in, a receiver that refuses) expires and is refunded.
    """

    world: World
    behaviour: Callable[[], Behaviour]
    pace_s: float = 0.0
    deposits: dict[tuple[int, int], Relayed] = field(default_factory=dict)
    """By origin chain and deposit ID."""
    _arrived: asyncio.Queue[Relayed] = field(default_factory=asyncio.Queue)

    async def run(self) -> None:
        """Watch both pools until cancelled."""
        async with asyncio.TaskGroup() as group:
            for chain_id in self.world.evm_chains:
                group.create_task(self._watch(chain_id))
            while True:
                group.create_task(self._deal(await self._arrived.get()))

    async def _watch(self, chain_id: int) -> None:
        blocks = self.world.heads[chain_id].blocks()
        async for log in logs_between(self.world.rpc(chain_id), blocks, [self._pool(chain_id)], _DEPOSITED):
            relayed = read_deposited(chain_id, log)
            self.deposits[chain_id, relayed.relay.deposit_id] = relayed
            self._arrived.put_nowait(relayed)

    async def _deal(self, relayed: Relayed) -> None:
        try:
            await self._follow(relayed)
        except (SetUpError, RpcError, NodeUnavailable) as error:
            relayed.state, relayed.why = DepositState.FAILED, str(error)

    async def _follow(self, relayed: Relayed) -> None:
        outcome = await self._first(relayed) if self._worthwhile(relayed) else await self._expired(relayed)
        if not await self._stands(relayed):
            relayed.state, relayed.why = DepositState.FAILED, "the deposit is no longer on its chain"
        elif outcome is Outcome.FAIL:
            relayed.state, relayed.why = DepositState.FAILED, "so it was told"
        elif outcome is Outcome.REFUND or not await self._fill(relayed):
            await self._give_back(relayed, at_once=outcome is Outcome.REFUND)

    async def _first(self, relayed: Relayed) -> Outcome:
        """Wait for a decision or the deadline, whichever is first."""
        decision = asyncio.create_task(decided(self.behaviour, self.pace_s))
        expiry = asyncio.create_task(self._expired(relayed))
        try:
            done, _ = await asyncio.wait({decision, expiry}, return_when=asyncio.FIRST_COMPLETED)
            return (expiry if expiry in done else decision).result()
        finally:
            decision.cancel()
            expiry.cancel()

    async def _expired(self, relayed: Relayed) -> Outcome:
        """Wait until the deadline is over by the clock of the chain where the fill belongs."""
        known = relayed.destination_chain in self.world.evm_chains
        chain = relayed.destination_chain if known else relayed.relay.origin_chain
        while True:
            if await self.world.block_time(chain) > relayed.relay.fill_deadline:
                return Outcome.REFUND
            await asyncio.sleep(_LOOK_AGAIN_S)

    def _worthwhile(self, relayed: Relayed) -> bool:
        """Tell whether a relayer fills it: the same token there, and not more of it than was paid."""
        relay = relayed.relay
        if relayed.destination_chain not in self.world.evm_chains or relay.output_amount > relay.input_amount:
            relayed.why = "nobody fills that"
            return False
        symbols = [
            {symbol for symbol, token in self.world.chain(chain).tokens.items() if token.address == _address(word)}
            for chain, word in (
                (relay.origin_chain, relay.input_token),
                (relayed.destination_chain, relay.output_token),
            )
        ]
        relayed.why = "" if symbols[0] & symbols[1] else "nobody fills that"
        return not relayed.why

    async def _stands(self, relayed: Relayed) -> bool:
        rpc = self.world.rpc(relayed.relay.origin_chain)
        return await rpc.call("eth_getTransactionReceipt", [relayed.tx_hash]) is not None

    async def _fill(self, relayed: Relayed) -> bool:
        relayer = await self._account(relayed.destination_chain, RELAYER)
        repayment = bytes(12) + bytes.fromhex(relayer.address[2:])
        call = encoded(f"fillRelay({_RELAY},uint256,bytes32)", relayed.relay.data, relayed.destination_chain, repayment)
        try:
            relayed.fill_tx = await relayer.send(self._pool(relayed.destination_chain), call)
        except SetUpError as error:
            relayed.why = str(error)
            return False
        relayed.state = DepositState.FILLED
        return True

    async def _filled(self, relayed: Relayed) -> bool:
        """Ask the pool over there whether anybody has filled it."""
        if relayed.destination_chain not in self.world.evm_chains:
            return False
        rpc, pool = self.world.rpc(relayed.destination_chain), self._pool(relayed.destination_chain)
        digest = await rpc.eth_call(pool, encoded(f"getV3RelayHash({_RELAY})", relayed.relay.data))
        return int.from_bytes(await rpc.eth_call(pool, encoded("fillStatuses(bytes32)", digest))) == _FILLED

    async def _give_back(self, relayed: Relayed, *, at_once: bool) -> None:
        filled = await self._filled(relayed)
        if not filled and not at_once:
            await self._expired(relayed)
            filled = await self._filled(relayed)
        if not filled:
            relayed.refund_tx = await self._refund(relayed.relay)
        relayed.state = DepositState.FILLED if filled else DepositState.REFUNDED

    async def _refund(self, relay: Relay) -> str:
        """Relay a root of a single leaf and execute it; return that transaction's hash."""
        hub = await self._account(relay.origin_chain, DEPLOYER)
        pool = self._pool(relay.origin_chain)
        owed = ([relay.input_amount], 0, _address(relay.input_token), [_address(relay.depositor)])
        leaf = (0, relay.origin_chain, *owed)
        root = keccak(encode_args((_LEAF,), (leaf,)))
        receipt = await hub.transact(pool, encoded("relayRootBundle(bytes32,bytes32)", root, _NO_ROOT))
        call = encoded(f"executeRelayerRefundLeaf(uint32,{_LEAF},bytes32[])", _bundle_id(receipt), leaf, [])
        return await hub.send(pool, call)

    def _pool(self, chain_id: int) -> str:
        return self.world.chain(chain_id).contracts["spoke_pool"]

    async def _account(self, chain_id: int, index: int) -> Operator:
        return await unlocked(self.world.rpc(chain_id), sandbox_account(index).address, _BALANCE)


def read_deposited(chain_id: int, log: Log) -> Relayed:
    """Read `FundsDeposited`."""
    sold, bought, amount, output, _, fill, exclusivity, recipient, exclusive, message = decode_args(
        _DEPOSITED_DATA, log.data
    )
    relay = Relay(
        log.topics[3], _word(recipient), _word(exclusive), _word(sold), _word(bought), int(str(amount)),
        int(str(output)), chain_id, int.from_bytes(log.topics[2]), int(str(fill)), int(str(exclusivity)),
        _word(message),
    )  # fmt: skip
    return Relayed(relay, int.from_bytes(log.topics[1]), log.tx_hash)


def _word(value: object) -> bytes:
    return value if isinstance(value, bytes) else b""


def _address(word: bytes) -> str:
    return checksummed(word[12:])


def _bundle_id(receipt: dict[str, object]) -> int:
    logs = receipt["logs"]
    for log in logs if isinstance(logs, list) else []:
        if log["topics"][0] == "0x" + _BUNDLE.hex():
            return int(log["topics"][1], 16)
    raise SetUpError("the pool took no root bundle")
