"""Both ends of Across on the sandbox, and whoever fills there: honest relayers and strangers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from eth_typing import Hash32
from eth_utils.crypto import keccak

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.devnet.evm.accounts import RELAYER, sandbox_account, signer
from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transfer import Transfer
from rhumbline.gateways.evm.abi import decode_args, encode_args, topic
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, hex_bytes, quantity
from tests.adapters.adapter_fixture import AdapterFixture, open_adapter

RELAY = "(bytes32,bytes32,bytes32,bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,bytes)"
FILL = f"fillRelay({RELAY},uint256,bytes32)"
FILL_UPDATED = f"fillRelayWithUpdatedDeposit({RELAY},uint256,bytes32,uint256,bytes32,bytes,bytes)"
SLOW_FILL = f"requestSlowFill({RELAY})"
LEAF = "(uint256,uint256,uint256[],uint32,address,address[])"
DEPOSITED = topic(
    "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)"
)
DEPOSIT_TYPES = ("bytes32", "bytes32", "uint256", "uint256", *("uint32",) * 3, "bytes32", "bytes32", "bytes")
RICH = 10**22
STRANGER = "0x00000000000000000000000000000000000B0b00"


def word(address: str) -> bytes:
    return bytes.fromhex(address[2:]).rjust(32, b"\x00")


@dataclass(frozen=True)
class RelayData:
    """What ``fillRelay`` takes, as the deposit's event tells it."""

    depositor: bytes
    recipient: bytes
    exclusive_relayer: bytes
    input_token: bytes
    output_token: bytes
    input_amount: int
    output_amount: int
    origin: int
    number: int
    fill_deadline: int
    exclusivity: int
    message: bytes

    def values(self) -> tuple[object, ...]:
        return (
            self.depositor, self.recipient, self.exclusive_relayer, self.input_token, self.output_token,
            self.input_amount, self.output_amount, self.origin, self.number, self.fill_deadline, self.exclusivity,
            self.message,
        )  # fmt: skip


@dataclass(frozen=True)
class BridgeFixture(AdapterFixture):
    adapter: AcrossAdapter
    sandbox: Sandbox

    @property
    def pool(self) -> str:
        return self.sandbox.evm_chains[0].contracts["spoke_pool"]

    def with_parts(self, **changes: Any) -> AcrossAdapter:
        return AcrossAdapter(replace(self.adapter.context, **changes))

    def without_node(self, *chains: str) -> AcrossAdapter:
        gone = {self.chains[chain].id for chain in chains}
        return self.with_parts(rpcs={each: rpc for each, rpc in self.adapter.context.rpcs.items() if each not in gone})

    def asked(self, symbol: str = "USDC", amount: int = 1_000 * 10**6, arriving: str | None = None) -> QuoteRequest:
        """From the first chain to the second; the same token arrives unless another is named."""
        return self.request(("sbxa", symbol), ("sbxb", arriving or symbol), amount)

    async def deposited(
        self, symbol: str = "USDC", amount: int = 1_000 * 10**6, arriving: str | None = None
    ) -> tuple[Transfer, RelayData]:
        """Quote, build, approve, send; the transfer and what the pool logged of it."""
        _, transfer = await self.started(self.asked(symbol, amount, arriving))
        return transfer, (await self.relays(transfer.tx_hash))[0]

    async def relays(self, tx_hash: str, chain: str = "sbxa") -> list[RelayData]:
        receipt: Any = await self.rpcs[chain].call("eth_getTransactionReceipt", [tx_hash])
        return [
            self._relay(log)
            for log in receipt["logs"]
            if hex_bytes(log["topics"][0]) == DEPOSITED and log["address"].lower() == self.pool.lower()
        ]

    def _relay(self, log: Any) -> RelayData:
        values: Any = decode_args(DEPOSIT_TYPES, hex_bytes(log["data"]))
        given, wanted, paid, output, _, fill, exclusivity, recipient, relayer, message = values
        number, depositor = quantity(log["topics"][2]), hex_bytes(log["topics"][3])
        return RelayData(
            depositor, recipient, relayer, given, wanted, paid, output,
            self.chains["sbxa"].id, number, fill, exclusivity, message,
        )  # fmt: skip

    async def relayer(self, chain: str = "sbxb") -> Operator:
        return await unlocked(self.rpcs[chain], sandbox_account(RELAYER).address, RICH)

    async def fill(self, relay: RelayData, who: Operator | None = None) -> str:
        """Fill on the second chain as a relayer does."""
        payer = who or await self.relayer()
        token = "0x" + relay.output_token[12:].hex()
        await payer.send(token, encoded("approve(address,uint256)", self.pool, relay.output_amount))
        return await payer.send(self.pool, self.fill_call(relay, payer))

    def fill_call(self, relay: RelayData, payer: Operator) -> bytes:
        return encoded(FILL, relay.values(), self.chains["sbxa"].id, word(payer.address))

    async def speed_up(self, relay: RelayData, amount: int, recipient: bytes, message: bytes = b"") -> str:
        """Fill what the depositor has signed instead."""
        hashed = Hash32(_update(relay, amount, recipient, message))
        signature = bytes(signer(sandbox_account(0)).unsafe_sign_hash(hashed).signature)
        payer = await self.relayer()
        await payer.send(self.token("sbxb", "USDC"), encoded("approve(address,uint256)", self.pool, amount))
        who, updated = word(payer.address), (amount, recipient, message, signature)
        return await payer.send(self.pool, encoded(FILL_UPDATED, relay.values(), relay.origin, who, *updated))

    async def stranger(self) -> Operator:
        """Somebody with the native asset of the second chain, and nothing else."""
        return await unlocked(self.rpcs["sbxb"], STRANGER, RICH)

    async def try_fill(self, relay: RelayData, who: Operator, at: int) -> None:
        """Call without sending, in a block of that time; a revert raises RpcError."""
        data = encoded(FILL, relay.values(), relay.origin, word(who.address))
        call = {"from": who.address, "to": self.pool, "data": "0x" + data.hex()}
        await self.rpcs["sbxb"].call("eth_call", [call, "latest", {}, {"time": hex(at)}])

    async def send_fill(self, data: bytes) -> str:
        return await (await self.relayer()).send(self.pool, data)

    async def pass_time(self, chain: str, seconds: int) -> None:
        await self.rpcs[chain].call("evm_increaseTime", [hex(seconds)])
        await self.rpcs[chain].call("evm_mine", [])

    async def refund(self, depositor: str, token: str, amount: int) -> str:
        """Give a deposit back as the owner of the pool does it, by a root with one leaf."""
        rpc = self.rpcs["sbxa"]
        owner = await unlocked(rpc, await self._owner(rpc), RICH)
        leaf = (0, self.chains["sbxa"].id, [amount], 0, token, [depositor])
        root = keccak(encode_args([LEAF], [leaf]))
        receipt = await owner.transact(self.pool, encoded("relayRootBundle(bytes32,bytes32)", root, bytes(32)))
        logs: Any = receipt["logs"]
        number = next(quantity(log["topics"][1]) for log in logs if len(log["topics"]) == 4)
        return await owner.send(
            self.pool, encoded(f"executeRelayerRefundLeaf(uint32,{LEAF},bytes32[])", number, leaf, [])
        )

    async def _owner(self, rpc: EvmRpc) -> str:
        return "0x" + (await rpc.eth_call(self.pool, encoded("owner()")))[12:].hex()

    async def gained(self, symbol: str, owner: str, before: int = 0) -> int:
        return await self.balance(self.tokens[("sbxb", symbol)], owner) - before

    def token(self, chain: str, symbol: str) -> str:
        address = self.tokens[(chain, symbol)].address
        return self.sandbox.chain(chain).contracts["weth9"] if address == NATIVE_EVM else address


def _update(relay: RelayData, amount: int, recipient: bytes, message: bytes) -> bytes:
    """Hash what a depositor signs who changes a deposit (EIP-712)."""
    details = encode_args(
        ["bytes32", "uint256", "uint256", "uint256", "bytes32", "bytes32"],
        [
            keccak(
                text="UpdateDepositDetails(uint256 depositId,uint256 originChainId,uint256 updatedOutputAmount,"
                "bytes32 updatedRecipient,bytes updatedMessage)"
            ),
            relay.number,
            relay.origin,
            amount,
            recipient,
            keccak(message),
        ],
    )
    domain = encode_args(
        ["bytes32", "bytes32", "bytes32", "uint256"],
        [
            keccak(text="EIP712Domain(string name,string version,uint256 chainId)"),
            keccak(text="ACROSS-V2"),
            keccak(text="1.0.0"),
            relay.origin,
        ],
    )
    return keccak(b"\x19\x01" + keccak(domain) + keccak(details))


async def state(
    bridge_fixture: BridgeFixture, transfer: Transfer, adapter: AcrossAdapter | None = None
) -> TransferState:
    return (await (adapter or bridge_fixture.adapter).status(transfer)).state


@asynccontextmanager
async def open_bridge(sandbox: Sandbox) -> AsyncIterator[BridgeFixture]:
    """Nobody fills or refunds until a test does."""
    async with open_adapter(sandbox, SPEC, Across) as opened:
        opened.emulator.behaviour.outcome = Outcome.FAIL
        yield BridgeFixture(**vars(opened), sandbox=sandbox)
