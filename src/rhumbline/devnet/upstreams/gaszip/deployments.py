"""Gas.zip on the sandbox's chains: its numbers, limits and addresses, and deposits with its Solana program.

The program, its accounts and its data are those of the vendor's "Code Example for Solana Deposit" (https://dev.gas.zip,
read 2026-11-22); it is ``devnet/svm/program/gaszip_deposit.c``.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from rhumbline.devnet.upstreams.solver import Deposit
from rhumbline.devnet.upstreams.svm_node import SvmNode
from rhumbline.devnet.upstreams.world import World
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.gateways.evm import address as evm
from rhumbline.gateways.svm import address as svm

CONTRACT = "0x2a37D63EAdFe4b4682a3c28C1c2cD4F109Cc2762"
PROGRAM = "FzuVV5WeLyWHDuX6SPbeLgqkvePDTzMCRKYAhDbiP3z3"
WALLET = "gasZT2bpe7mxu5wMgQbvry84vok5CuF2huCEokyC3qh"
STRANGER, SOLANA_STRANGER = (
    "0x00000000000000000000000000000000000BaDd2",
    "mBKqcnGotbsSb5vNrdyhzZ5EhqZdids9QYiTRckvi7v",
)
_DEPOSIT = bytes([242, 35, 198, 137, 82, 225, 242, 182])
_CHAINS_AT = 16
_FIRST_SHORT = 601


@dataclass(frozen=True, slots=True)
class Deployment:
    """One chain: ``number`` is the API's, ``gas`` the cost of a payment; amounts in raw units of the native asset."""

    chain_id: int
    number: int
    short: int
    native: str
    symbol: str
    decimals: int
    least: int
    most: int
    gas: int
    stranger: str

    @property
    def on_solana(self) -> bool:
        return self.native == NATIVE_SVM

    def is_address(self, text: str) -> bool:
        """Return whether a text is an address of this chain."""
        return svm.is_address(text) if self.on_solana else evm.is_address(text)

    def raw(self, address: str) -> bytes:
        """Return an address as 20 or 32 bytes."""
        return svm.decode_address(address) if self.on_solana else bytes.fromhex(address[2:])

    def facts(self) -> dict[str, object]:
        """Return the fields of the adapter's deployment."""
        if self.on_solana:
            return {"short": self.short, "contract": PROGRAM, "chain": self.number, "wallet": WALLET}
        return {"short": self.short, "contract": CONTRACT}


def deployments_of(world: World) -> dict[int, Deployment]:
    """Return the chains by the API's numbers; Solana has the number and the short ID of the public chain."""
    evm = [
        Deployment(
            number, number, _FIRST_SHORT + at, NATIVE_EVM, "ETH", 18, 10**14, 2 * 10**16, 21_000 * 10**9, STRANGER
        )
        for at, number in enumerate(sorted(world.evm_chains))
    ]
    solana = [
        Deployment(number, 501474, 245, NATIVE_SVM, "SOL", 9, 10**6, 4 * 10**8, 5_000, SOLANA_STRANGER)
        for number in world.nodes
    ]
    return {deployment.number: deployment for deployment in (*evm, *solana)}


async def solana_deposits(chain_id: int, node: SvmNode) -> AsyncIterator[Deposit]:
    """Yield the program's deposits from now on; ``terms`` are the list of short IDs and the receiver, as sent."""
    async for executed in node.transactions(PROGRAM):
        for each in executed.message.instructions:
            if each.program == PROGRAM and each.data.startswith(_DEPOSIT):
                amount, sender = int.from_bytes(each.data[8:_CHAINS_AT], "little"), each.accounts[0].address
                told, terms = executed.signature, each.data[_CHAINS_AT:]
                yield Deposit(chain_id, PROGRAM, told, sender, NATIVE_SVM, amount, terms, told)
