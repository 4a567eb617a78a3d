"""Calls of the Forwarder: it takes the input from its caller, swaps it if necessary, and passes it to a protocol.

Source, read 2026-11-21: swap-sdk 15.2.0 (``MayanForwarderArtifact``) and MayanForwarder.sol of
https://github.com/mayan-finance/swap-bridge. The Forwarder calls only contracts on its own two lists. After a swap it
overwrites the second word of the protocol's call with the received amount. The permit may be empty, because there is an
allowance.
"""

from dataclasses import dataclass

from rhumbline.adapters.mayan.bytes32 import NATIVE
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function

_PERMIT = "(uint256,uint256,uint8,bytes32,bytes32)"
FORWARD_ETH = Function("forwardEth(address,bytes)")
FORWARD_ERC20 = Function(f"forwardERC20(address,uint256,{_PERMIT},address,bytes)")
SWAP_ETH = Function("swapAndForwardEth(uint256,address,bytes,address,uint256,address,bytes)")
SWAP_ERC20 = Function(
    f"swapAndForwardERC20(address,uint256,{_PERMIT},address,bytes,address,uint256,address,bytes)"
)  # fmt: skip
PROTOCOLS = Function("mayanProtocols(address)")
ROUTERS = Function("swapProtocols(address)")
_NO_PERMIT = (0, 0, 0, bytes(32), bytes(32))


@dataclass(frozen=True, slots=True)
class Swap:
    """A swap on the origin: router, calldata, output token and minimum."""

    router: str
    data: bytes
    middle: str
    minimum: int


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the Forwarder: ``amount`` of ``token`` (zeros: native) to ``contract``; ``swap`` is None without one.

    ``value`` is the wei that goes with it, ``message_fee`` the part of it that the protocol's message costs.
    """

    token: str
    amount: int
    contract: str
    data: bytes
    message_fee: int = 0
    swap: Swap | None = None

    @property
    def value(self) -> int:
        """The wei that the transaction must carry, exactly."""
        return self.amount if self.token == NATIVE else self.message_fee


def encode(call: Call) -> bytes:
    """Write a call. Of a native input that is swapped, the message's fee is kept back."""
    swap, native = call.swap, call.token == NATIVE
    if swap is None:
        if native:
            return FORWARD_ETH.encode(call.contract, call.data)
        return FORWARD_ERC20.encode(call.token, call.amount, _NO_PERMIT, call.contract, call.data)
    rest = (swap.router, swap.data, swap.middle, swap.minimum, call.contract, call.data)
    if native:
        return SWAP_ETH.encode(call.amount - call.message_fee, *rest)
    return SWAP_ERC20.encode(call.token, call.amount, _NO_PERMIT, *rest)


def decode(data: bytes, value: int) -> Call:
    """Decode a call with ``value`` wei; raise MalformedAnswer for one that ``encode`` would not write."""
    head = data[:4]
    if head == FORWARD_ETH.selector:
        contract, inner = FORWARD_ETH.decode(data)
        return Call(NATIVE, value, checksummed(contract), inner)
    if head == FORWARD_ERC20.selector:
        token, amount, permit, contract, inner = FORWARD_ERC20.decode(data)
        _expect_no_permit(permit)
        return Call(checksummed(token), amount, checksummed(contract), inner, value)
    if head == SWAP_ETH.selector:
        amount, *rest, contract, inner = SWAP_ETH.decode(data)
        return Call(NATIVE, value, checksummed(contract), inner, value - amount, _swap(*rest))
    if head == SWAP_ERC20.selector:
        token, amount, permit, *rest, contract, inner = SWAP_ERC20.decode(data)
        _expect_no_permit(permit)
        return Call(checksummed(token), amount, checksummed(contract), inner, value, _swap(*rest))
    raise MalformedAnswer(f"the Forwarder gets an unknown call, 0x{head.hex()}")


def _swap(router: str, data: bytes, middle: str, minimum: int) -> Swap:
    return Swap(checksummed(router), data, checksummed(middle), minimum)


def _expect_no_permit(permit: object) -> None:
    if permit != _NO_PERMIT:
        raise MalformedAnswer("the Forwarder is given a permit")
