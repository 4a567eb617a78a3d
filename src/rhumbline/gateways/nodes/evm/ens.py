"""ENS names of chain 1, by the Universal Resolver (EIP-137, ENSIP-10, 11 and 23; docs.ens.domains, read 2026-11).

Names are already normalised (ENSIP-15); resolvers are contracts of anybody, so each answer is parsed strictly.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eth_utils.crypto import keccak

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.delegation import is_delegation
from rhumbline.domain.errors import InvalidRequest, NodeUnavailable, NotFound
from rhumbline.gateways.evm.abi import MalformedAnswer, decode_args, encode_call, selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, hex_bytes, quantity

MAINNET = 1
UNIVERSAL_RESOLVER = "0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe"
"""ENS's stable entry contract; the address is that of viem 2.57.20 (chains/definitions/mainnet)."""
_LONGEST = 255
# The ASCII characters that ENSIP-15 permits; a bracket would mark a label's hash.
_STRANGE = re.compile(r"[\x00-\x7f\ud800-\udfff](?<![a-z0-9_$-])")
_EVM_COINS = 0x80000000
"""Coin types of EVM chains begin here (ENSIP-11); a chain with such a large ID has none."""
_DELEGATED_BYTES = 23
_REVERTED = 3
_RESOLVE = Function("resolve(bytes,bytes)")
_OFFCHAIN = selector("OffchainLookup(address,string[],bytes,bytes4,bytes)")
_MISSING = selector("ResolverNotFound(bytes)")
_UNSUPPORTED = selector("UnsupportedResolverProfile(bytes4)")
_FAILED = selector("ResolverError(bytes)")


@dataclass(frozen=True, slots=True)
class EnsNames:
    """Looks names up through a node of chain 1."""

    rpc: EvmRpc

    async def address(self, name: str, chain_id: int) -> str:
        """Return the address of a normalised name on an EVM chain, in EIP-55 form.

        On another chain than 1 the name's address for that chain counts; if there is none, that of chain 1 for a plain
        account, whose key works everywhere, but not for a contract, whose address may be another's there. Raise
        InvalidRequest for an invalid name, NotFound for one without such an address, NodeUnavailable.
        """
        labels = labels_of(name)
        node = namehash(labels)
        calls = [encode_call("addr(bytes32)", ["bytes32"], [node])]
        if MAINNET != chain_id < _EVM_COINS:
            calls.append(encode_call("addr(bytes32,uint256)", ["bytes32", "uint256"], [node, _EVM_COINS | chain_id]))
        usually, *there = await self._resolved(dns_encoded(labels), calls)
        for answer in there:
            if (found := _address_there(answer)) is not None:
                return found
        usual = _address(usually)
        if chain_id != MAINNET and not await self._is_plain(usual):
            raise NotFound(
                "This name stands for a contract on Ethereum and names no address for this chain, where the same "
                "address may be another's: ask its owner for the address"
            )
        return usual

    async def _resolved(self, name: bytes, questions: Sequence[bytes]) -> list[bytes | RpcError]:
        """Ask the name's resolver each question; an answer is its data, or the refusal of the call."""
        calls: list[tuple[str, Sequence[object]]] = [
            ("eth_call", [{"to": UNIVERSAL_RESOLVER, "data": "0x" + _RESOLVE.encode(name, data).hex()}, "latest"])
            for data in questions
        ]
        # Test networks have names of their own, anybody's, behind the same address.
        chain_id, *answers = await self.rpc.batch([("eth_chainId", []), *calls])
        if isinstance(chain_id, RpcError) or quantity(chain_id) != MAINNET:
            raise NodeUnavailable("the node for name lookups is not on Ethereum")
        return [each if isinstance(each, RpcError) else _inner(hex_bytes(each)) for each in answers]

    async def _is_plain(self, address: str) -> bool:
        """Return whether a key governs an address of chain 1: no code there, or a delegation (EIP-7702)."""
        code = await self.rpc.code(address)
        return not code or (len(code) == _DELEGATED_BYTES and is_delegation(code))


def labels_of(name: str) -> tuple[str, ...]:
    """Return a name's labels; raise InvalidRequest for what cannot be a normalised name of two labels or more."""
    labels = tuple(name.split("."))
    sizes = [len(label.encode(errors="replace")) for label in labels]
    if _STRANGE.search("".join(labels)) or len(labels) < 2 or not all(sizes) or sum(sizes) + len(labels) > _LONGEST:
        raise InvalidRequest([f"name: must be a normalised ENS name of at most {_LONGEST} bytes, such as name.eth"])
    return labels


def namehash(labels: Sequence[str]) -> bytes:
    """Return the node of a name (EIP-137)."""
    node = bytes(32)
    for label in reversed(labels):
        node = keccak(node + keccak(text=label))
    return node


def dns_encoded(labels: Sequence[str]) -> bytes:
    """Write a name as DNS does: each label after its length, then the root."""
    written = [label.encode() for label in labels]
    return b"".join(bytes([len(label)]) + label for label in written) + b"\0"


def _inner(data: bytes) -> bytes:
    try:
        answer, _ = decode_args(["bytes", "address"], data)
    except MalformedAnswer as error:
        raise NodeUnavailable("the node's chain has no ENS resolver at Ethereum's address") from error
    return bytes(answer) if isinstance(answer, bytes) else b""


def _address(answer: bytes | RpcError) -> str:
    """Read ``addr(bytes32)``; raise NotFound in words."""
    if isinstance(answer, RpcError):
        raise _refusal(answer)
    if len(answer) != 32 or any(answer[:12]):
        raise NotFound("What this name's resolver answers is no address: do not use this name")
    return _somebodys(answer[12:])


def _address_there(answer: bytes | RpcError) -> str | None:
    """Read ``addr(bytes32,uint256)``; None where the name has no address for the chain, NotFound in words."""
    if isinstance(answer, RpcError):
        # Old resolvers know no other chains, and revert without a word.
        silent = answer.data[:4] == _FAILED and not any(answer.data[4 + 32 :])
        if silent or answer.data[:4] == _UNSUPPORTED:
            return None
        raise _refusal(answer)
    try:
        (found,) = decode_args(["bytes"], answer)
    except MalformedAnswer:
        found = None
    if found == b"":
        return None
    if not isinstance(found, bytes) or len(found) != 20:
        raise NotFound("What this name's resolver answers is no address: do not use this name")
    return _somebodys(found)


def _somebodys(address: bytes) -> str:
    written = checksummed(address)
    if written == NATIVE_EVM:
        raise NotFound("This name names no address")
    return written


def _refusal(error: RpcError) -> NotFound | NodeUnavailable:
    """Say in words why a name was not resolved."""
    kind = error.data[:4]
    if kind == _OFFCHAIN:
        return NotFound(
            "This name keeps its address outside Ethereum (CCIP Read), which is not followed here: "
            "ask its owner for the address"
        )
    if kind == _MISSING:
        return NotFound("There is no such name, or it names no address")
    if kind == _UNSUPPORTED:
        return NotFound("This name names no address")
    if kind or error.code == _REVERTED:
        return NotFound("This name's resolver refuses to answer")
    return NodeUnavailable("the node refused to look a name up")
