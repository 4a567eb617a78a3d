"""A user's wallet: it signs with its own key, and trusts only what it reads from the chain."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eth_typing import HexStr

from rhumbline.devnet.wallets import Receipt, TransactionFailed
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.evm.signatures import Account, LocalAccount
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity

_DEFAULT_GAS = 2_000_000


@dataclass(frozen=True, slots=True)
class EvmWallet:
    """One account on one chain."""

    account: LocalAccount
    rpc: EvmRpc
    chain_id: int

    @property
    def address(self) -> str:
        """The account's address in EIP-55 form."""
        return str(self.account.address)

    async def approve(self, token: str, spender: str, amount: int) -> Receipt:
        """Allow ``spender`` to take ``amount`` raw units of ``token``."""
        data = encode_call("approve(address,uint256)", ["address", "uint256"], [spender, amount])
        return await self.send({"to": token, "value": "0x0", "data": "0x" + data.hex()}, {})

    async def execute(self, quote: Mapping[str, Any]) -> Receipt:
        """Sign and send an answer's call with its gas terms, and wait for it; raise TransactionFailed."""
        return await self.send(quote["calldata"], quote.get("gas", {}))

    async def send(self, call: Mapping[str, str], gas: Mapping[str, str]) -> Receipt:
        """Sign and send a call (``to``, ``value``, ``data``) with the gas terms of an answer, and wait for it.

        Raise TransactionFailed when it reverts.
        """
        nonce, price = await asyncio.gather(
            self.rpc.call("eth_getTransactionCount", [self.address, "pending"]), self.rpc.call("eth_gasPrice")
        )
        terms: dict[str, int] = {key: int(gas[key], 16) for key in gas if key != "gasLimit"}
        if not terms:
            terms = {"maxFeePerGas": 2 * quantity(price), "maxPriorityFeePerGas": 0}
        signed = self.account.sign_transaction(
            {
                "chainId": self.chain_id,
                "nonce": quantity(nonce),
                "to": HexStr(call["to"]),
                "value": int(call["value"], 16),
                "data": HexStr(call["data"]),
                "gas": int(gas["gasLimit"], 16) if "gasLimit" in gas else _DEFAULT_GAS,
                **terms,
            }
        )
        tx_hash = await self.rpc.call("eth_sendRawTransaction", ["0x" + bytes(signed.raw_transaction).hex()])
        return await self._wait(str(tx_hash))

    async def _wait(self, tx_hash: str) -> Receipt:
        for _ in range(600):
            receipt = await self.rpc.call("eth_getTransactionReceipt", [tx_hash])
            if isinstance(receipt, dict):
                if quantity(receipt["status"]) != 1:
                    raise TransactionFailed(f"transaction {tx_hash} reverted")
                cost = quantity(receipt["gasUsed"]) * quantity(receipt["effectiveGasPrice"])
                return Receipt(tx_hash, quantity(receipt["blockNumber"]), cost)
            await asyncio.sleep(0.05)
        raise TransactionFailed(f"transaction {tx_hash} was not mined within 30 seconds")


@dataclass(frozen=True, slots=True)
class EvmChain:
    """One chain through its node."""

    rpc: EvmRpc
    id: int

    def wallet(self, private_key: str) -> EvmWallet:
        """Return the wallet of a key, 0x and 64 hexadecimal digits."""
        return EvmWallet(Account.from_key(private_key), self.rpc, self.id)

    async def balance_of(self, token: str, owner: str) -> int:
        return await balance_of(self.rpc, token, owner)


def open_evm_chain(described: Mapping[str, Any], http: HttpClient) -> EvmChain:
    """Open a chain from its entry in the sandbox's file."""
    return EvmChain(EvmRpc(described["rpc_url"], http, described["key"]), described["id"])


async def balance_of(rpc: EvmRpc, token: str, owner: str) -> int:
    """Return the balance of ``owner`` in raw units of ``token`` (the native marker for the native asset)."""
    if token == NATIVE_EVM:
        return quantity(await rpc.call("eth_getBalance", [owner, "latest"]))
    data = encode_call("balanceOf(address)", ["address"], [owner])
    return int.from_bytes(await rpc.eth_call(token, data))
