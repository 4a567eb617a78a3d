"""Sets up a local chain: sends from an unlocked account and checks every receipt."""

from dataclasses import dataclass

from rhumbline.gateways.evm.abi import decode_args, encode_args, encode_call
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity

# More gas than any set-up step needs; with a limit given, the node need not estimate by running each twice.
_GAS = 15_000_000


class SetUpError(Exception):
    """A transaction of the set-up reverted."""


def argument_types(signature: str) -> list[str]:
    """Split a canonical signature into its argument types: `f(address,(uint256,bytes)[])` has two."""
    inner = signature[signature.index("(") + 1 : -1]
    types, depth, word = [], 0, ""
    for character in inner:
        if character == "," and depth == 0:
            types.append(word)
            word = ""
            continue
        depth += (character == "(") - (character == ")")
        word += character
    return [*types, word] if word else types


def encoded(signature: str, *values: object) -> bytes:
    """Encode a call of `signature` with `values`."""
    return encode_call(signature, argument_types(signature), values)


def constructed(code: bytes, types: tuple[str, ...], *values: object) -> bytes:
    """Append the constructor's arguments to creation code."""
    return code + encode_args(types, values)


@dataclass(frozen=True, slots=True)
class Operator:
    """The account that deploys and pays on one local chain."""

    rpc: EvmRpc
    address: str

    async def send(self, to: str, data: bytes, value: int = 0) -> str:
        """Send a transaction, wait until it is mined, and return its hash; raise SetUpError if it reverted."""
        return str((await self.transact(to, data, value))["transactionHash"])

    async def transact(self, to: str, data: bytes, value: int = 0) -> dict[str, object]:
        """Like ``send``, and return the receipt."""
        return await self._mined({"to": to, "data": "0x" + data.hex(), "value": hex(value)})

    async def deploy(self, code: bytes) -> str:
        """Create a contract and return its EIP-55 address; raise SetUpError."""
        receipt = await self._mined({"data": "0x" + code.hex()})
        return checksummed(str(receipt["contractAddress"]))

    async def read(self, to: str, data: bytes, *types: str) -> tuple[object, ...]:
        """Call without a transaction, and decode the answer."""
        return decode_args(types, await self.rpc.eth_call(to, data))

    async def address_of(self, to: str, data: bytes) -> str:
        """Read one address, in EIP-55 form."""
        (address,) = await self.read(to, data, "address")
        return checksummed(str(address))

    async def _mined(self, transaction: dict[str, str]) -> dict[str, object]:
        request = {"from": self.address, "gas": hex(_GAS), **transaction}
        receipt = await self.rpc.call("eth_sendTransactionSync", [request])
        if not isinstance(receipt, dict) or quantity(receipt["status"]) != 1:
            why = await self._why(request)
            raise SetUpError(f"{self.rpc.name}: a transaction to {transaction.get('to')} reverted: {why}")
        return receipt

    async def _why(self, request: dict[str, str]) -> str:
        try:
            await self.rpc.call("eth_call", [request, "latest"])
        except RpcError as error:
            return f"{error.message} 0x{error.data.hex()}"
        return "the same call succeeds now"


async def unlocked(rpc: EvmRpc, address: str, balance: int) -> Operator:
    """Return an operator for an address: the node signs for it and sets its balance to `balance` wei."""
    await rpc.call("anvil_impersonateAccount", [address])
    await rpc.call("anvil_setBalance", [address, hex(balance)])
    return Operator(rpc, address)
