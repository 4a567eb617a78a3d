"""The SpokePools of the sandbox's EVM chains: the real contracts, a relayer's account, and the hub's part.

ABI and rules are those of `SpokePool.sol`, @across-protocol/contracts 5.0.27 (read 2026-11). Both pools belong to the
sandbox's operator, who relays root bundles as the hub's data workers do. Fills are not repaid: the relayer has enough.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from eth_utils.crypto import keccak

from rhumbline.devnet.evm.accounts import DEPLOYER, RELAYER, sandbox_account
from rhumbline.devnet.evm.operator import Operator, SetUpError, encoded, unlocked
from rhumbline.devnet.upstreams.across.relay import Relay, Relayed
from rhumbline.devnet.upstreams.logs import Log, logs_between
from rhumbline.devnet.upstreams.world import World
from rhumbline.gateways.evm.abi import decode_args, encode_args, topic
from rhumbline.gateways.evm.address import checksummed

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


@dataclass(frozen=True, slots=True)
class EvmPool:
    """The pool of one chain."""

    world: World
    chain_id: int

    @property
    def address(self) -> str:
        """The pool's address."""
        return self.world.chain(self.chain_id).contracts["spoke_pool"]

    def symbols(self, token: bytes) -> frozenset[str]:
        """Return the symbols of a token's address on this chain."""
        tokens = self.world.chain(self.chain_id).tokens.items()
        return frozenset(symbol for symbol, each in tokens if each.address == _address(token))

    async def deposits(self) -> AsyncIterator[Relayed]:
        """Yield deposits as they are made."""
        blocks, rpc = self.world.heads[self.chain_id].blocks(), self.world.rpc(self.chain_id)
        async for log in logs_between(rpc, blocks, [self.address], _DEPOSITED):
            yield read_deposited(self.chain_id, log)

    async def time(self) -> int:
        """Return the pool's present time."""
        return await self.world.block_time(self.chain_id)

    async def stands(self, tx_hash: str) -> bool:
        """Return whether a deposit's transaction is on the chain."""
        receipt = await self.world.rpc(self.chain_id).call("eth_getTransactionReceipt", [tx_hash])
        return receipt is not None

    async def fill(self, relay: Relay) -> str:
        """Fill a relay, and return the transaction; raise SetUpError if the pool refuses."""
        relayer = await self._account(RELAYER)
        return await relayer.send(self.address, fill_call(relay, relayer.address, self.chain_id))

    async def filled(self, relay: Relay) -> bool:
        """Ask the pool whether the relay was filled by anybody."""
        rpc = self.world.rpc(self.chain_id)
        digest = await rpc.eth_call(self.address, encoded(f"getV3RelayHash({_RELAY})", relay.data))
        return int.from_bytes(await rpc.eth_call(self.address, encoded("fillStatuses(bytes32)", digest))) == _FILLED

    async def refund(self, relay: Relay) -> str:
        """Relay a root with a single leaf and execute it; return that transaction's hash."""
        hub = await self._account(DEPLOYER)
        owed = ([relay.input_amount], 0, _address(relay.input_token), [_address(relay.depositor)])
        leaf = (0, self.chain_id, *owed)
        root = keccak(encode_args((_LEAF,), (leaf,)))
        receipt = await hub.transact(self.address, encoded("relayRootBundle(bytes32,bytes32)", root, _NO_ROOT))
        call = encoded(f"executeRelayerRefundLeaf(uint32,{_LEAF},bytes32[])", _bundle_id(receipt), leaf, [])
        return await hub.send(self.address, call)

    async def _account(self, index: int) -> Operator:
        return await unlocked(self.world.rpc(self.chain_id), sandbox_account(index).address, _BALANCE)


def fill_call(relay: Relay, relayer: str, repaid_on: int) -> bytes:
    """Encode the call that fills a relay, to be repaid on a chain."""
    return encoded(
        f"fillRelay({_RELAY},uint256,bytes32)", relay.data, repaid_on, bytes(12) + bytes.fromhex(relayer[2:])
    )


def read_deposited(chain_id: int, log: Log) -> Relayed:
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
