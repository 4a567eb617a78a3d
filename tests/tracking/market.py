"""Swaps on a local chain, as wallets send them: each wraps native currency through the Diamond."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from rhumbline.devnet.evm.nodes import go_back
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.transaction import OrderKind, OrderTerms, make_transaction_id
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from tests.tracking.events import word

_ORDER = "(bytes32,bytes32,bytes32,address,address,uint256,address,uint256,uint256,uint256,address[])"
_FEES = "(address,bytes32,uint256)[]"
_OPERATIONS = "(uint8,address,address,address,uint256,uint256,bytes)[]"
_WRAP = 1
_ALL = 2**256 - 1
_GAS = 1_000_000
PATIENCE_S = 60.0
"""A node on a busy machine takes its time; nothing is told by it."""

_DEADLINE = 2**40

Fee = tuple[str, str | bytes, int]


@dataclass(frozen=True)
class Given:
    """An ID that the service gave a sender for an integrator, for a swap that is otherwise the one that is sent."""

    key: bytes
    sender: str
    integrator: str
    chain_id: int
    nonce: bytes


@dataclass(frozen=True)
class Market:
    """`first_block` is the one after those that the chain had when the test began."""

    rpc: EvmRpc
    chain: Chain
    weth: str
    multicall: str
    accounts: tuple[str, ...]
    first_block: int

    @property
    def diamond(self) -> str:
        assert self.chain.diamond is not None
        return self.chain.diamond

    def identifier(self, given: Given, amount: int, receiver: str | None = None, adapter: str = "ONCHAIN") -> bytes:
        terms = OrderTerms(
            kind=OrderKind.SWAP,
            chain_id=given.chain_id,
            sender=evm_word(given.sender),
            integrator=given.integrator,
            adapter=adapter,
            receiver=evm_word(receiver or given.sender),
            input_token=evm_word(NATIVE_EVM),
            ordered_amount=amount,
            output_token=evm_word(self.weth),
            min_output=1,
            deadline=_DEADLINE,
        )
        return make_transaction_id(given.key, given.nonce, terms)

    def swap_data(
        self,
        identifier: bytes | Given,
        amount: int,
        receiver: str,
        integrator: str | bytes = "acme",
        fees: Sequence[Fee] = (),
        adapter: str | bytes = "ONCHAIN",
    ) -> bytes:
        if isinstance(identifier, Given):
            identifier = self.identifier(identifier, amount, receiver, str(adapter))
        order: tuple[object, ...] = (
            *(identifier, word(integrator), word(adapter), receiver, NATIVE_EVM, amount, self.weth),
            *(1, _DEADLINE, 0, []),
        )
        planned = [(recipient, word(kind), fee) for recipient, kind, fee in fees]
        wrap = (_WRAP, self.weth, NATIVE_EVM, NATIVE_EVM, _ALL, 0, b"")
        return encode_call(
            f"swap({_ORDER},{_FEES},{_OPERATIONS})", [_ORDER, _FEES, _OPERATIONS], [order, planned, [wrap]]
        )

    async def swap(
        self,
        identifier: bytes | Given,
        sender: str | None = None,
        amount: int = 10**15,
        integrator: str | bytes = "acme",
        fees: Sequence[Fee] = (),
        receiver: str | None = None,
        adapter: str | bytes = "ONCHAIN",
    ) -> str:
        """Sends one swap and answers its transaction's hash; the chain mines a block for it."""
        wallet = sender or self.accounts[0]
        data = self.swap_data(identifier, amount, receiver or wallet, integrator, fees, adapter)
        return await self.send(wallet, self.diamond, data, amount)

    async def swap_several(self, calls: Sequence[bytes], amount: int) -> str:
        """Sends several swaps in one transaction; their sender is Multicall3."""
        calls_type = "(address,bool,uint256,bytes)[]"
        tuples = [(self.diamond, False, amount, data) for data in calls]
        data = encode_call(f"aggregate3Value({calls_type})", [calls_type], [tuples])
        return await self.send(self.accounts[0], self.multicall, data, amount * len(calls))

    async def send(self, sender: str, to: str, data: bytes, value: int) -> str:
        # Fixed terms: the same swap is the same transaction, whatever the blocks before it cost.
        terms = {"gas": hex(_GAS * 3), "maxFeePerGas": hex(10**11), "maxPriorityFeePerGas": hex(10**9)}
        transaction = {"from": sender, "to": to, "data": "0x" + data.hex(), "value": hex(value), **terms}
        tx_hash = await self.rpc.call("eth_sendTransaction", [transaction])
        receipt = await self.receipt(str(tx_hash))
        assert quantity(receipt["status"]) == 1, "the swap reverted"
        return str(tx_hash)

    async def receipt(self, tx_hash: str) -> dict[str, object]:
        """The chain mines a moment after it has taken a transaction."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            receipt = await self.rpc.call("eth_getTransactionReceipt", [tx_hash])
            if isinstance(receipt, dict):
                return receipt
            await asyncio.sleep(0.005)
        raise AssertionError(f"{tx_hash} is in no block after {PATIENCE_S} s")

    async def mine(self, blocks: int) -> None:
        await self.rpc.call("anvil_mine", [hex(blocks)])

    async def snapshot(self) -> object:
        return await self.rpc.call("evm_snapshot", [])

    async def revert(self, mark: object) -> None:
        await go_back(self.rpc, mark)
